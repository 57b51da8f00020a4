//! Opened tables, and the commands that ask them.
//!
//! The page has a few places to show a table in, its slots. A slot holds one table: a question put
//! to it stops the one that is being answered there, and its answer takes the place of the table
//! before. So nothing that the page forgets to close stays.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{Job, Session};
use tauri::ipc::Channel;
use tauri::{State, WebviewWindow};
use wire::{
    ErrorCode, ProgressNow, RowsQuestion, TableBounds, TableChoice, TableColumn, TableOpened,
    TablePage, TableQuestion, TableView, WireError,
};

use crate::allowed::Allowed;
use crate::commands::aside;
use crate::sessions::Sessions;

/// A session and a place of the page's.
type Slot = (u32, u32);

/// The tables that are open.
#[derive(Default)]
pub(crate) struct Tables(Mutex<Maps>);

#[derive(Default)]
struct Maps {
    last: u32,
    /// What is being opened in a slot, by the id it will have.
    opening: BTreeMap<Slot, (u32, Job)>,
    open: BTreeMap<u32, Open>,
}

#[derive(Clone)]
struct Open {
    slot: Slot,
    view: Arc<TableView>,
    /// Of all further questions to it.
    job: Job,
}

impl Tables {
    /// Stops what is being opened in `slot`; returns the id of what `job` opens there.
    fn begin(&self, slot: Slot, job: &Job) -> u32 {
        let mut maps = self.maps();
        maps.last += 1;
        let id = maps.last;
        if let Some((_, before)) = maps.opening.insert(slot, (id, job.clone())) {
            before.cancel();
        }
        id
    }

    /// Puts `view` in `slot` as `id`, unless something else is being opened there by now.
    fn put(&self, slot: Slot, id: u32, view: Arc<TableView>, job: Job) {
        let mut maps = self.maps();
        if maps.opening.get(&slot).is_none_or(|(last, _)| *last != id) {
            return;
        }
        maps.opening.remove(&slot);
        let gone = maps.take(|open| open.slot == slot);
        maps.open.insert(id, Open { slot, view, job });
        drop(maps);
        drop(gone);
    }

    /// The table `id`.
    fn get(&self, id: u32) -> Result<Open, WireError> {
        self.maps().open.get(&id).cloned().ok_or_else(|| WireError {
            code: ErrorCode::Closed,
            message: "this table is no longer open".to_owned(),
        })
    }

    /// Closes what `slot` holds.
    fn close(&self, slot: Slot) {
        self.close_where(|at| *at == slot);
    }

    /// Closes all tables of `session`.
    pub(crate) fn close_all(&self, session: u32) {
        self.close_where(|(of, _)| *of == session);
    }

    fn close_where(&self, is_meant: impl Fn(&Slot) -> bool) {
        let mut maps = self.maps();
        maps.opening.retain(|slot, (_, job)| {
            if is_meant(slot) {
                job.cancel();
            }
            !is_meant(slot)
        });
        let gone = maps.take(|open| is_meant(&open.slot));
        drop(maps);
        drop(gone);
    }

    fn maps(&self) -> MutexGuard<'_, Maps> {
        // A look into the maps cannot leave them half changed, so a panic elsewhere changes nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Maps {
    /// Takes out what is meant and stops its work; large to drop, so not under the lock.
    fn take(&mut self, is_meant: impl Fn(&Open) -> bool) -> Vec<Open> {
        let gone: Vec<Open> =
            self.open.extract_if(.., |_, open| is_meant(open)).map(|(_, open)| open).collect();
        for open in &gone {
            open.job.cancel();
        }
        gone
    }
}

/// Opens a table in `slot` of the page, in place of the one there, and reads its `first` rows.
#[tauri::command]
#[specta::specta]
pub(crate) async fn table_open(
    slot: u32,
    question: TableQuestion,
    first: RowsQuestion,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
) -> Result<TableOpened, WireError> {
    let session = sessions.get(question.session)?;
    let (sessions, tables) = (Arc::clone(&sessions), Arc::clone(&tables));
    let slot = (question.session, slot);
    let job = Job::unwatched();
    let id = tables.begin(slot, &job);
    aside("table_open", move || {
        let view = wire::table(&session, &question, &job)?;
        let opened = view.opened(&session, id, &first, &job)?;
        tables.put(slot, id, Arc::new(view), job);
        // Closed meanwhile: nobody else will close it.
        sessions.get(slot.0).inspect_err(|_| tables.close_all(slot.0))?;
        Ok(opened)
    })
    .await
}

/// Rows of the table `view`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn table_rows(
    view: u32,
    question: RowsQuestion,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
) -> Result<TablePage, WireError> {
    let (session, open) = find(view, &sessions, &tables)?;
    aside("table_rows", move || open.view.rows(&session, &question, &open.job)).await
}

/// The place of `row` in the table `view`; nothing when it is not in it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn table_position(
    view: u32,
    row: u32,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
) -> Result<Option<u32>, WireError> {
    let (session, open) = find(view, &sessions, &tables)?;
    aside("table_position", move || open.view.position(&session, row, &open.job)).await
}

/// Least and most of `columns` in the table `view`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn table_bounds(
    view: u32,
    columns: Vec<TableColumn>,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
) -> Result<Vec<TableBounds>, WireError> {
    let (session, open) = find(view, &sessions, &tables)?;
    aside("table_bounds", move || open.view.bounds(&session, &columns, &open.job)).await
}

/// The names in `column` of the rows that pass the other columns' filters.
#[tauri::command]
#[specta::specta]
pub(crate) async fn table_choices(
    question: TableQuestion,
    column: TableColumn,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Vec<TableChoice>, WireError> {
    let session = sessions.get(question.session)?;
    aside("table_choices", move || {
        wire::table_choices(&session, &question, column, &Job::unwatched())
    })
    .await
}

/// Writes all rows of the table `view` to `path` as CSV. Work done as `request` can be cancelled.
#[tauri::command]
#[specta::specta]
#[allow(clippy::too_many_arguments, reason = "commands get their state handed over, one each")]
pub(crate) async fn table_export(
    request: u32,
    view: u32,
    columns: Vec<TableColumn>,
    path: String,
    progress: Channel<ProgressNow>,
    window: WebviewWindow,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<(), WireError> {
    allowed.may_write(Path::new(&path))?;
    let (session, open) = find(view, &sessions, &tables)?;
    let sessions = Arc::clone(&sessions);
    let path = PathBuf::from(path);
    let request = (window.label().to_owned(), request);
    // A window that was closed meanwhile has nobody to tell.
    let job = Job::new(move |now| {
        let now = ProgressNow { stage: now.stage.to_owned(), done: now.done, total: now.total };
        drop(progress.send(now));
    });
    aside("table_export", move || {
        if sessions.is_source(&path) {
            let message = "that file is the open recording".to_owned();
            return Err(WireError { code: ErrorCode::Unwritable, message });
        }
        sessions.run(request, &job, |job| {
            save(&path, |file| open.view.export(&session, &columns, BufWriter::new(file), job))
        })
    })
    .await
}

/// Closes the table in `slot`.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "commands get their state handed over")]
pub(crate) fn table_close(session: u32, slot: u32, tables: State<'_, Arc<Tables>>) {
    tables.close((session, slot));
}

fn find(
    view: u32,
    sessions: &Sessions,
    tables: &Tables,
) -> Result<(Arc<Session>, Open), WireError> {
    let open = tables.get(view)?;
    Ok((sessions.get(open.slot.0)?, open))
}

/// Writes a file beside `path` and puts it there once it is whole: a failure leaves what was there.
fn save(path: &Path, write: impl FnOnce(&File) -> Result<(), WireError>) -> Result<(), WireError> {
    let refusal = |error: io::Error| WireError::unwritten(&error);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let file = File::create_new(&part).map_err(refusal)?;
    let written = write(&file).and_then(|()| fs::rename(&part, path).map_err(refusal));
    if written.is_err() {
        fs::remove_file(&part).ok();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_to_a_slot_stops_the_one_before_and_no_other() {
        let tables = Tables::default();
        let jobs = [(1, 1), (1, 2), (1, 1)].map(|slot| {
            let job = Job::unwatched();
            tables.begin(slot, &job);
            job
        });
        assert_eq!(jobs.each_ref().map(Job::is_cancelled), [true, false, false]);
        tables.close_all(1);
        assert_eq!(jobs.each_ref().map(Job::is_cancelled), [true, true, true]);
        assert_eq!(tables.get(1).err().map(|error| error.code), Some(ErrorCode::Closed));
    }

    #[test]
    fn a_file_that_could_not_be_written_whole_leaves_the_one_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("blocks.csv");
        fs::write(&path, "before").unwrap();
        let failed = save(&path, |_| Err(WireError::unwritten(&io::Error::other("full"))));
        assert_eq!(failed.unwrap_err().code, ErrorCode::Unwritable);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        save(&path, |mut file| {
            io::Write::write_all(&mut file, b"after").map_err(|error| WireError::unwritten(&error))
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
