//! Commands about two recordings at once.

use std::sync::Arc;

use tauri::State;
use wire::{
    AlignedSteps, AlignedStepsQuestion, Counterpart, CounterpartQuestion, DiffQuestion, Difference,
    WireError,
};

use crate::commands::aside;
use crate::sessions::Sessions;

/// How two moments differ: of two recordings, of two devices, or of one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn difference(
    question: DiffQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Difference, WireError> {
    let (a, b) = (sessions.get(question.a.session)?, sessions.get(question.b.session)?);
    aside("difference", move || wire::diff(&a, &b, &question)).await
}

/// Where the steps of two recordings lie, by number.
#[tauri::command]
#[specta::specta]
pub(crate) async fn aligned_steps(
    question: AlignedStepsQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<AlignedSteps, WireError> {
    let (a, b) = (sessions.get(question.a.session)?, sessions.get(question.b.session)?);
    aside("aligned_steps", move || wire::aligned_steps(&a, &b, &question)).await
}

/// What in one recording stands for something of another.
#[tauri::command]
#[specta::specta]
pub(crate) async fn counterpart(
    question: CounterpartQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Counterpart, WireError> {
    let (a, b) = (sessions.get(question.a.session)?, sessions.get(question.b.session)?);
    aside("counterpart", move || wire::counterpart(&a, &b, &question)).await
}
