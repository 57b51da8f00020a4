//! Commands about the Python threads of a dump and what ran in them.

use std::sync::Arc;

use session::Job;
use tauri::State;
use wire::{
    FlameQuestion, FlameSearchAnswer, FlameSearchQuestion, SliceDetails, Thread, WireError,
};

use crate::commands::{RawBytes, aside};
use crate::sessions::Sessions;

/// The Python threads that were traced.
#[tauri::command]
#[specta::specta]
pub(crate) async fn threads(
    session: u32,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Vec<Thread>, WireError> {
    let session = sessions.get(session)?;
    aside("threads", move || Ok(wire::threads(&session))).await
}

/// What to draw of a thread, in the byte layout of `wire::encode_flame`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn flame(
    question: FlameQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<RawBytes, WireError> {
    let session = sessions.get(question.session)?;
    aside("flame", move || wire::flame_bytes(&session, &question, &Job::unwatched()).map(RawBytes))
        .await
}

/// All of one call, and what `device` did meanwhile.
#[tauri::command]
#[specta::specta]
pub(crate) async fn slice(
    session: u32,
    thread: u32,
    slice: u32,
    device: Option<u32>,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<SliceDetails, WireError> {
    let session = sessions.get(session)?;
    aside("slice", move || wire::slice(&session, thread, slice, device, &Job::unwatched())).await
}

/// How many calls a search finds, and the one it steps to.
#[tauri::command]
#[specta::specta]
pub(crate) async fn flame_search(
    question: FlameSearchQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<FlameSearchAnswer, WireError> {
    let session = sessions.get(question.session)?;
    aside("flame_search", move || wire::flame_search(&session, &question, &Job::unwatched())).await
}
