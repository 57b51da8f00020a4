//! Commands about who holds memory: a stack, a frame, an owner; and who did what in a period.

use std::sync::Arc;

use tauri::State;
use wire::{
    HolderCurve, HolderCurveQuestion, HolderDetails, HolderQuestion, PeriodByAnswer,
    PeriodByQuestion, StackTree, StackTreeQuestion, WireError,
};

use crate::commands::aside;
use crate::sessions::Sessions;

/// What a stack, a frame or an owner holds.
#[tauri::command]
#[specta::specta]
pub(crate) async fn holder(
    question: HolderQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<HolderDetails, WireError> {
    let session = sessions.get(question.session)?;
    aside("holder", move || wire::holder(&session, &question)).await
}

/// What it holds over a stretch of the axis.
#[tauri::command]
#[specta::specta]
pub(crate) async fn holder_curve(
    question: HolderCurveQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<HolderCurve, WireError> {
    let session = sessions.get(question.session)?;
    aside("holder_curve", move || wire::holder_curve(&session, &question)).await
}

/// Who did what in a period.
#[tauri::command]
#[specta::specta]
pub(crate) async fn period_by(
    question: PeriodByQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<PeriodByAnswer, WireError> {
    let session = sessions.get(question.session)?;
    aside("period_by", move || wire::period_by(&session, &question)).await
}

/// Where the blocks of a set were allocated.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stack_tree(
    question: StackTreeQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<StackTree, WireError> {
    let session = sessions.get(question.session)?;
    aside("stack_tree", move || wire::stack_tree(&session, &question)).await
}
