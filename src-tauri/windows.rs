//! More windows than one: a recording goes from one to another without being read again, and what a
//! window held ends with it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use session::Session;
use specta::Type;
use tauri::webview::{PageLoadEvent, PageLoadPayload};
use tauri::{
    AppHandle, DragDropEvent, Manager, State, Webview, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
};
use wire::{ErrorCode, Opened, WireError};

use crate::allowed::Allowed;
use crate::commands::aside;
use crate::find::Searches;
use crate::indexes::Indexes;
use crate::sessions::Sessions;
use crate::tables::Tables;

/// Recordings on their way to a window that was just made, by its label.
#[derive(Default)]
pub(crate) struct Handovers(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// How many windows were made besides the first.
    made: u32,
    by_label: BTreeMap<String, Slot>,
}

/// What waits for a window.
struct Slot {
    session: u32,
    state: String,
}

/// A recording that comes from another window.
#[derive(Serialize, Type)]
pub(crate) struct Handover {
    opened: Opened,
    /// How it was looked at there: what that page wrote down, which only a page reads.
    state: String,
}

impl Handovers {
    /// A label that no window had before, with `session` waiting for the window that gets it.
    fn put(&self, session: u32, state: String) -> String {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.made += 1;
        let label = format!("w-{}", waiting.made);
        waiting.by_label.insert(label.clone(), Slot { session, state });
        label
    }

    fn take(&self, label: &str) -> Option<Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_label.remove(label)
    }

    /// What waits for the window `label`, which holds it from now on.
    pub(crate) fn claim(&self, label: &str, sessions: &Sessions) -> Option<Handover> {
        let Slot { session: id, state } = self.take(label)?;
        let session = sessions.get(id).ok()?;
        Some(Handover { opened: wire::opened(id, &session), state })
    }
}

/// Moves a recording to a window of its own, where the page finds `state`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_to_window(
    session: u32,
    state: String,
    window: WebviewWindow,
    sessions: State<'_, Arc<Sessions>>,
    tables: State<'_, Arc<Tables>>,
    handovers: State<'_, Arc<Handovers>>,
) -> Result<(), WireError> {
    let from = window.label();
    let to = handovers.put(session, state);
    if let Err(error) = sessions.give(session, from, &to) {
        handovers.take(&to);
        return Err(error);
    }
    if let Err(error) = make(window.app_handle(), &to) {
        handovers.take(&to);
        sessions.give(session, &to, from)?;
        let message = format!("the window could not be made: {error}");
        return Err(WireError { code: ErrorCode::Bug, message });
    }
    // The page there has tables of its own.
    let tables = Arc::clone(&tables);
    aside("move_to_window", move || {
        tables.close_all(session);
        Ok(())
    })
    .await
}

/// A window like the first one.
fn make(app: &AppHandle, label: &str) -> tauri::Result<()> {
    let mut like = app.config().app.windows.first().cloned().unwrap_or_default();
    label.clone_into(&mut like.label);
    WebviewWindowBuilder::from_config(app, &like)?.build().map(drop)
}

/// Lets a page open what is dropped on its window; ends what a window held once it is gone.
pub(crate) fn on_event(window: &tauri::Window, event: &WindowEvent) {
    match event {
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            for path in paths {
                window.state::<Arc<Allowed>>().add(path.to_string_lossy().into_owned());
            }
        }
        WindowEvent::Destroyed => {
            window.state::<Arc<Handovers>>().take(window.label());
            end(window.app_handle(), window.label());
        }
        _ => {}
    }
}

/// Ends what the page before held when a window loads one anew.
pub(crate) fn on_page_load(webview: &Webview, payload: &PageLoadPayload<'_>) {
    let is_expected = || {
        let handovers = webview.state::<Arc<Handovers>>();
        let waiting = handovers.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.by_label.contains_key(webview.label())
    };
    if payload.event() == PageLoadEvent::Started && !is_expected() {
        end(webview.app_handle(), webview.label());
    }
}

/// Stops the work of a window and closes its recordings.
fn end(app: &AppHandle, label: &str) {
    let closed = app.state::<Arc<Sessions>>().close_window(label);
    let tables = Arc::clone(&app.state::<Arc<Tables>>());
    for (session, _) in &closed {
        app.state::<Arc<Searches>>().stop(*session);
        app.state::<Arc<Indexes>>().closed(*session);
    }
    // Closed at once, so that nothing a new page opens is meant; dropped where that holds up nobody.
    tauri::async_runtime::spawn_blocking(move || give_back(closed, &tables));
}

fn give_back(closed: Vec<(u32, Arc<Session>)>, tables: &Tables) {
    for (id, session) in closed {
        tables.close_all(id);
        drop(session);
    }
    crate::memory::give_back();
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use session::Job;

    use super::*;
    use crate::origin::Origin;
    use crate::sessions::tests::opened;

    #[test]
    fn a_closed_window_gives_back_its_recordings_and_stops_its_work() {
        let (sessions, tables) = (Sessions::default(), Tables::default());
        let (gone, stays) = (opened(), opened());
        let (left, kept) = (Arc::downgrade(&gone), Arc::downgrade(&stays));
        let origin = Origin::of(Path::new("sample"));
        sessions.add(gone, origin.clone(), "w-1");
        sessions.add(stays, origin, "main");
        let (theirs, ours) = (Job::unwatched(), Job::unwatched());
        sessions.run(("main".to_owned(), 1), &ours, |_| {
            sessions.run(("w-1".to_owned(), 1), &theirs, |_| {
                give_back(sessions.close_window("w-1"), &tables);
            });
        });
        assert!(left.upgrade().is_none());
        assert!(kept.upgrade().is_some());
        assert_eq!((theirs.is_cancelled(), ours.is_cancelled()), (true, false));
    }

    #[test]
    fn a_recording_that_goes_to_another_window_is_not_read_again() {
        let (sessions, tables, handovers) =
            (Sessions::default(), Tables::default(), Handovers::default());
        let session = opened();
        let id = sessions.add(Arc::clone(&session), Origin::of(Path::new("sample")), "main");
        let label = handovers.put(id, "state".to_owned());
        assert!(sessions.give(id, "w-7", &label).is_err());
        sessions.give(id, "main", &label).unwrap();
        give_back(sessions.close_window("main"), &tables);
        let handover = handovers.claim(&label, &sessions).unwrap();
        assert_eq!((handover.opened.session, handover.state.as_str()), (id, "state"));
        assert!(Arc::ptr_eq(&session, &sessions.get(id).unwrap()));
        assert!(handovers.claim(&label, &sessions).is_none());
    }
}
