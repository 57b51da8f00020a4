//! One function a question: find the session, ask it, encode.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use session::Job;
use specta::datatype::DataType;
use specta::{Type, Types};
use tauri::ipc::{Channel, InvokeResponseBody, IpcResponse};
use tauri::path::BaseDirectory;
use tauri::{AppHandle, Manager, State, WebviewWindow};
use wire::{
    Annotations, AnnotationsQuestion, BlockDetails, ErrorCode, Opened, ProgressNow, SceneQuestion,
    WireError,
};

use crate::allowed::Allowed;
use crate::asked::Asked;
use crate::find::Searches;
use crate::indexes::Indexes;
use crate::origin::Origin;
use crate::sessions::{Request, Sessions};
use crate::tables::Tables;
use crate::windows::{Handover, Handovers};
use crate::{diagnostics, log, recents, remembering};

/// The recordings that ship with the app.
#[derive(Debug, Clone, Copy, Default, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SampleKind {
    /// A snapshot of PyTorch.
    #[default]
    Snapshot,
    /// A dump of msMemScope.
    Dump,
}

impl SampleKind {
    /// Its file, as `tauri.conf.json` bundles it.
    fn file(self) -> &'static str {
        match self {
            Self::Snapshot => "sample.pickle.gz",
            Self::Dump => "memscope_sample.db",
        }
    }
}

/// What a window is to show.
#[derive(Serialize, Type)]
pub(crate) struct Startup {
    /// The files to open, absolute.
    paths: Vec<String>,
    /// The recording it was made for.
    handover: Option<Handover>,
}

/// An encoded picture: reaches the page as an `ArrayBuffer`, never as JSON.
pub(crate) struct RawBytes(pub(crate) Vec<u8>);

impl IpcResponse for RawBytes {
    fn body(self) -> tauri::Result<InvokeResponseBody> {
        Ok(InvokeResponseBody::Raw(self.0))
    }
}

impl Type for RawBytes {
    fn definition(_: &mut Types) -> DataType {
        specta_typescript::define("ArrayBuffer").into()
    }
}

/// What the window is to show: the files that the command line, another start of the program or
/// the system named since it was asked last.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "commands get their state handed over")]
pub(crate) fn startup(
    window: WebviewWindow,
    asked: State<'_, Arc<Asked>>,
    sessions: State<'_, Arc<Sessions>>,
    handovers: State<'_, Arc<Handovers>>,
    allowed: State<'_, Arc<Allowed>>,
) -> Startup {
    let handover = handovers.claim(window.label(), &sessions);
    // What waits for somebody is taken by the first who asks, but not by a window made for another.
    let paths = if handover.is_none() { asked.take() } else { Vec::new() };
    let text = |path: PathBuf| {
        let text = path.to_string_lossy().into_owned();
        allowed.add(&text);
        text
    };
    Startup { paths: paths.into_iter().map(text).collect(), handover }
}

/// Opens the file at `path`. Work done as `request` can be cancelled.
#[tauri::command]
#[specta::specta]
#[allow(clippy::too_many_arguments, reason = "commands get their state handed over, one each")]
pub(crate) async fn open(
    request: u32,
    path: String,
    progress: Channel<ProgressNow>,
    window: WebviewWindow,
    sessions: State<'_, Arc<Sessions>>,
    indexes: State<'_, Arc<Indexes>>,
    kept: State<'_, remembering::Shared>,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<Opened, WireError> {
    let path = PathBuf::from(path);
    allowed.may_open(&path)?;
    let stamp = recents::stamp(&path).await;
    let into = (Arc::clone(&sessions), Arc::clone(&indexes));
    let request = (window.label().to_owned(), request);
    let opened = open_file(request, path.clone(), progress, into).await?;
    if let Some(stamp) = stamp {
        kept.was_read(opened.session, path, stamp);
    }
    Ok(opened)
}

/// Opens a recording that ships with the app.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_sample(
    request: u32,
    which: SampleKind,
    progress: Channel<ProgressNow>,
    window: WebviewWindow,
    sessions: State<'_, Arc<Sessions>>,
    indexes: State<'_, Arc<Indexes>>,
) -> Result<Opened, WireError> {
    let file = which.file();
    let path = bundled(window.app_handle(), file).ok_or_else(|| WireError {
        code: ErrorCode::Unreadable,
        message: format!("{file}, which came with the app, was not found"),
    })?;
    let request = (window.label().to_owned(), request);
    open_file(request, path, progress, (Arc::clone(&sessions), Arc::clone(&indexes))).await
}

/// Where a file of the app is: with the installed app, or beside a program that was just built.
fn bundled(app: &AppHandle, file: &str) -> Option<PathBuf> {
    let installed = app.path().resolve(file, BaseDirectory::Resource).ok();
    let program = std::env::current_exe().ok();
    let built = program.map(|program| program.with_file_name(file));
    [installed, built].into_iter().flatten().find(|path| path.is_file())
}

async fn open_file(
    request: Request,
    path: PathBuf,
    progress: Channel<ProgressNow>,
    (sessions, indexes): (Arc<Sessions>, Arc<Indexes>),
) -> Result<Opened, WireError> {
    // A window that was closed meanwhile has nobody to tell.
    let job = Job::new(move |now| {
        let now = ProgressNow { stage: now.stage.to_owned(), done: now.done, total: now.total };
        drop(progress.send(now));
    });
    aside("open", move || {
        let window = request.0.clone();
        // Looked at before the file is read: what changes meanwhile has changed since.
        let origin = Origin::of(&path);
        let begun = Instant::now();
        let session = sessions.run(request, &job, |job| indexes.open(&path, job))?;
        let session = Arc::new(session);
        let id = sessions.add(Arc::clone(&session), origin, &window);
        let took = begun.elapsed().as_millis();
        log::add(&format!("opened {id} in {took} ms: {}", diagnostics::counts(&session)));
        let opened = wire::opened(id, &session);
        indexes.save(id, session);
        Ok(opened)
    })
    .await
}

/// Asks the work started as `request` to stop.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "commands get their state handed over")]
pub(crate) fn cancel(request: u32, window: WebviewWindow, sessions: State<'_, Arc<Sessions>>) {
    sessions.cancel(&(window.label().to_owned(), request));
}

/// Whether the file of a recording is another one than when it was read.
#[tauri::command]
#[specta::specta]
pub(crate) async fn changed(
    session: u32,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<bool, WireError> {
    let origin = sessions.origin(session)?;
    aside("changed", move || Ok(origin.has_changed())).await
}

/// Closes a recording.
#[tauri::command]
#[specta::specta]
pub(crate) async fn close(
    session: u32,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
    searches: State<'_, Arc<Searches>>,
    indexes: State<'_, Arc<Indexes>>,
) -> Result<(), WireError> {
    let (sessions, tables) = (Arc::clone(&sessions), Arc::clone(&tables));
    let indexes = Arc::clone(&indexes);
    searches.stop(session);
    aside("close", move || {
        indexes.closed(session);
        sessions.close(session);
        tables.close_all(session);
        crate::memory::give_back();
        Ok(())
    })
    .await
}

/// What to draw for one viewport, in the byte layout of `wire::encode_scene`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn scene(
    question: SceneQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<RawBytes, WireError> {
    let session = sessions.get(question.session)?;
    aside("scene", move || wire::scene_bytes(&session, &question, &Job::unwatched()).map(RawBytes))
        .await
}

/// Named ranges in a stretch of the axis.
#[tauri::command]
#[specta::specta]
pub(crate) async fn annotations(
    question: AnnotationsQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Annotations, WireError> {
    let session = sessions.get(question.session)?;
    aside("annotations", move || wire::annotations(&session, &question)).await
}

/// All of one block.
#[tauri::command]
#[specta::specta]
pub(crate) async fn block(
    session: u32,
    device: u32,
    block: u32,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<BlockDetails, WireError> {
    let session = sessions.get(session)?;
    aside("block", move || wire::block(&session, device, block)).await
}

/// Does `work` where it holds up neither the window nor other questions.
///
/// A panic in it becomes an answer, so that one wrong question does not end the program; the
/// panic's own message went to stderr. What is refused is in the log, by its code alone.
pub(crate) async fn aside<T: Send + 'static>(
    question: &'static str,
    work: impl FnOnce() -> Result<T, WireError> + Send + 'static,
) -> Result<T, WireError> {
    let answer = tauri::async_runtime::spawn_blocking(work).await.unwrap_or_else(|panic| {
        Err(WireError { code: ErrorCode::Bug, message: format!("a bug in {question}: {panic}") })
    });
    if let Err(WireError { code, .. }) = &answer
        && *code != ErrorCode::Cancelled
    {
        log::add(&format!("{question}: {code:?}"));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_question_becomes_an_answer_that_names_it() {
        let answer =
            tauri::async_runtime::block_on(aside::<()>("scene", || panic!("out of range")));
        let refused = answer.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Bug);
        assert!(refused.message.starts_with("a bug in scene: "), "{}", refused.message);
    }
}
