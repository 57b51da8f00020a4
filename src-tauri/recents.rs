//! Commands about what was opened before: the list, where a project was left, bookmarks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use projects::{BookmarkId, FileState, Left, ProjectId, Stamp};
use serde::Serialize;
use specta::Type;
use tauri::State;
use wire::WireError;

use crate::allowed::Allowed;
use crate::commands::aside;
use crate::remembering::{Remembering, Shared, Trouble, refused};
use crate::sessions::Sessions;

/// A project of the list.
#[derive(Serialize, Type)]
pub(crate) struct ProjectView {
    /// Its id, in every further question.
    id: u32,
    /// The file's name, or the folder's.
    name: String,
    /// Where it lies.
    folder: String,
    /// All of it.
    path: String,
    /// `cuda`, `npu`, `xpu` or `msmemscope`.
    kind: String,
    /// Bytes on disk.
    #[specta(type = u32)]
    bytes: u64,
    /// Devices with anything to show; pools, in a dump.
    devices: u32,
    /// The most bytes allocated on the busiest device.
    #[specta(type = u32)]
    peak: u64,
    /// Allocated bytes over the recording, one number a column; 255 is the peak.
    curve: Vec<u8>,
    /// Milliseconds since 1970.
    #[specta(type = u32)]
    opened_ms: i64,
    /// Whether it stays on top.
    pinned: bool,
    /// How many bookmarks it has.
    bookmarks: u32,
}

/// The list, and what has to be told about it.
#[derive(Serialize, Type)]
pub(crate) struct ProjectList {
    /// Those that are pinned first, then the latest first.
    projects: Vec<ProjectView>,
    /// Why the list is not what it was, or will not be kept.
    trouble: Option<Trouble>,
}

/// A file beside what is remembered of it.
#[derive(Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProjectFile {
    /// As it was.
    Same,
    /// There, with other content.
    Changed,
    /// Not there.
    Missing,
}

/// How a project was left.
#[derive(Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProjectLeft {
    /// It is opened for the first time.
    New,
    /// With the content it has now.
    Same,
    /// With other content: bookmarks and state are of that.
    Changed,
}

/// A project that was opened.
#[derive(Serialize, Type)]
pub(crate) struct ProjectOpened {
    /// Its id.
    id: u32,
    /// How it was left.
    left: ProjectLeft,
    /// Where it was left, as the page wrote it.
    state: Option<String>,
    /// Its bookmarks, in the order they were made.
    bookmarks: Vec<BookmarkView>,
}

/// A place with a note.
#[derive(Serialize, Type)]
pub(crate) struct BookmarkView {
    /// Its id.
    id: u32,
    /// Where, as the page wrote it.
    place: String,
    /// What the person wrote; may be empty.
    note: String,
    /// When it was made, milliseconds since 1970.
    #[specta(type = u32)]
    created_ms: i64,
    /// Whether it is of the content the file has now.
    is_current: bool,
}

/// The list of what was opened.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_list(
    kept: State<'_, Shared>,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<ProjectList, WireError> {
    let (kept, allowed) = (Arc::clone(&kept), Arc::clone(&allowed));
    aside("project_list", move || {
        let projects = kept.projects()?.list().map_err(refused)?;
        let projects: Vec<ProjectView> = projects.into_iter().map(view).collect();
        for project in &projects {
            allowed.add(&project.path);
        }
        Ok(ProjectList { projects, trouble: kept.trouble()? })
    })
    .await
}

/// How the file of a project is now. May take as long as the file's disk or network does.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_file(
    project: u32,
    kept: State<'_, Shared>,
) -> Result<ProjectFile, WireError> {
    let kept = Arc::clone(&kept);
    aside("project_file", move || {
        let about = kept.projects()?.project(id(project)).map_err(refused)?.about;
        Ok(about.stamp.state_of(&about.shown).into())
    })
    .await
}

/// How the file at `path` is beside what is remembered of a project: whether it may be its file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_compare(
    project: u32,
    path: String,
    kept: State<'_, Shared>,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<ProjectFile, WireError> {
    allowed.may_open(Path::new(&path))?;
    let kept = Arc::clone(&kept);
    aside("project_compare", move || {
        let about = kept.projects()?.project(id(project)).map_err(refused)?.about;
        Ok(about.stamp.state_of(Path::new(&path)).into())
    })
    .await
}

/// The file of a project is at `path` now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_relocate(
    project: u32,
    path: String,
    kept: State<'_, Shared>,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<(), WireError> {
    allowed.may_open(Path::new(&path))?;
    change(&kept, move |kept| {
        let shown = PathBuf::from(path);
        let real = std::fs::canonicalize(&shown).unwrap_or_else(|_| shown.clone());
        kept.projects()?.relocate(id(project), &real, &shown).map_err(refused)
    })
    .await
}

/// Keeps a project on top of the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_pin(project: u32, kept: State<'_, Shared>) -> Result<(), WireError> {
    change(&kept, move |kept| kept.projects()?.pin(id(project)).map_err(refused)).await
}

/// Takes it from there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_unpin(project: u32, kept: State<'_, Shared>) -> Result<(), WireError> {
    change(&kept, move |kept| kept.projects()?.unpin(id(project)).map_err(refused)).await
}

/// Takes a project off the list, with its bookmarks; its file stays as it is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_remove(project: u32, kept: State<'_, Shared>) -> Result<(), WireError> {
    change(&kept, move |kept| kept.projects()?.remove(id(project)).map_err(refused)).await
}

/// Puts an open recording in the list; nothing for a sample, which has no place there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_opened(
    session: u32,
    kept: State<'_, Shared>,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Option<ProjectOpened>, WireError> {
    let (kept, of) = (Arc::clone(&kept), sessions.get(session)?);
    aside("project_opened", move || {
        let Some(remembered) = kept.remember(session, &of)? else { return Ok(None) };
        let bookmarks = kept.projects()?.bookmarks(remembered.id).map_err(refused)?;
        Ok(Some(ProjectOpened {
            id: remembered.id.0 as u32,
            left: remembered.left.into(),
            state: remembered.state,
            bookmarks: bookmarks.into_iter().map(bookmark).collect(),
        }))
    })
    .await
}

/// Keeps where an open recording is, as JSON.
#[tauri::command]
#[specta::specta]
pub(crate) async fn project_save(
    session: u32,
    project: u32,
    state: String,
    kept: State<'_, Shared>,
) -> Result<(), WireError> {
    change(&kept, move |kept| kept.save(session, id(project), &state)).await
}

/// Keeps a place, as JSON, with a note.
#[tauri::command]
#[specta::specta]
pub(crate) async fn bookmark_add(
    project: u32,
    place: String,
    note: String,
    kept: State<'_, Shared>,
) -> Result<u32, WireError> {
    let kept = Arc::clone(&kept);
    aside("bookmark_add", move || {
        let added = kept.projects()?.add_bookmark(id(project), &place, &note).map_err(refused)?;
        Ok(added.0 as u32)
    })
    .await
}

/// Writes another note.
#[tauri::command]
#[specta::specta]
pub(crate) async fn bookmark_note(
    bookmark: u32,
    note: String,
    kept: State<'_, Shared>,
) -> Result<(), WireError> {
    change(&kept, move |kept| {
        kept.projects()?.change_note(BookmarkId(bookmark.into()), &note).map_err(refused)
    })
    .await
}

/// Takes a bookmark away.
#[tauri::command]
#[specta::specta]
pub(crate) async fn bookmark_remove(
    bookmark: u32,
    kept: State<'_, Shared>,
) -> Result<(), WireError> {
    change(&kept, move |kept| {
        kept.projects()?.remove_bookmark(BookmarkId(bookmark.into())).map_err(refused)
    })
    .await
}

/// Takes the stamp of a file that is about to be read.
pub(crate) async fn stamp(path: &Path) -> Option<Stamp> {
    let path = path.to_owned();
    aside("stamp", move || Ok(Stamp::of(&path).ok())).await.ok().flatten()
}

async fn change(
    kept: &Shared,
    work: impl FnOnce(&Remembering) -> Result<(), WireError> + Send + 'static,
) -> Result<(), WireError> {
    let kept = Arc::clone(kept);
    aside("change what is remembered", move || work(&kept)).await
}

fn id(project: u32) -> ProjectId {
    ProjectId(project.into())
}

fn view(project: projects::Project) -> ProjectView {
    let about = project.about;
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or(String::new(), |part| part.to_string_lossy().into_owned())
    };
    ProjectView {
        id: project.id.0 as u32,
        name: text(about.shown.file_name()),
        folder: text(about.shown.parent().map(Path::as_os_str)),
        path: about.shown.to_string_lossy().into_owned(),
        kind: about.kind,
        bytes: about.stamp.bytes,
        devices: about.devices,
        peak: about.peak,
        curve: about.curve,
        opened_ms: project.opened,
        pinned: project.pinned,
        bookmarks: project.bookmarks,
    }
}

fn bookmark(bookmark: projects::Bookmark) -> BookmarkView {
    BookmarkView {
        id: bookmark.id.0 as u32,
        place: bookmark.place,
        note: bookmark.note,
        created_ms: bookmark.created,
        is_current: bookmark.is_current,
    }
}

impl From<FileState> for ProjectFile {
    fn from(state: FileState) -> Self {
        match state {
            FileState::Same => Self::Same,
            FileState::Changed => Self::Changed,
            FileState::Missing => Self::Missing,
        }
    }
}

impl From<Left> for ProjectLeft {
    fn from(left: Left) -> Self {
        match left {
            Left::New => Self::New,
            Left::Same => Self::Same,
            Left::Changed => Self::Changed,
        }
    }
}
