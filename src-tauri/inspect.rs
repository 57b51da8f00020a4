//! Commands about one moment or one thing: the pool, the address map, events, segments, periods.

use std::sync::Arc;

use session::Job;
use tauri::State;
use wire::{
    AddressMapQuestion, DecomposeQuestion, Decomposition, EventDetails, Inefficient,
    InefficientQuestion, LaneList, LaneOrder, PeriodDetails, PoolCurvesQuestion, PoolList,
    PoolQuestion, SegmentDetails, WireError,
};

use crate::commands::{RawBytes, aside};
use crate::sessions::Sessions;

/// The pool right after an event, in the byte layout of `wire::pool_bytes`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pool(
    question: PoolQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<RawBytes, WireError> {
    let session = sessions.get(question.session)?;
    aside("pool", move || wire::pool_bytes(&session, &question).map(RawBytes)).await
}

/// What to draw of the address map, in the byte layout of `wire::address_map_bytes`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn address_map(
    question: AddressMapQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<RawBytes, WireError> {
    let session = sessions.get(question.scene.session)?;
    aside("address_map", move || {
        wire::address_map_bytes(&session, &question, &Job::unwatched()).map(RawBytes)
    })
    .await
}

/// Where addresses lie on the address map.
#[tauri::command]
#[specta::specta]
pub(crate) async fn lanes(
    session: u32,
    device: u32,
    order: LaneOrder,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<LaneList, WireError> {
    let session = sessions.get(session)?;
    aside("lanes", move || wire::lanes(&session, device, order)).await
}

/// Who holds memory at one moment, or at two: the owners of a dump.
#[tauri::command]
#[specta::specta]
pub(crate) async fn decompose(
    question: DecomposeQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Decomposition, WireError> {
    let session = sessions.get(question.session)?;
    aside("decompose", move || wire::decompose(&session, &question)).await
}

/// Every pool right after event `after` (−1: before the first).
#[tauri::command]
#[specta::specta]
pub(crate) async fn pools(
    session: u32,
    device: u32,
    after: f64,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<PoolList, WireError> {
    let session = sessions.get(session)?;
    aside("pools", move || wire::pools(&session, device, after)).await
}

/// Pools over a stretch of the axis, in the byte layout of `wire::pool_curves_bytes`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pool_curves(
    question: PoolCurvesQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<RawBytes, WireError> {
    let session = sessions.get(question.session)?;
    aside("pool_curves", move || wire::pool_curves_bytes(&session, &question).map(RawBytes)).await
}

/// All of one event.
#[tauri::command]
#[specta::specta]
pub(crate) async fn event(
    session: u32,
    device: u32,
    event: u32,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<EventDetails, WireError> {
    let session = sessions.get(session)?;
    aside("event", move || wire::event(&session, device, event)).await
}

/// The segment around `address` right after event `after` (−1: before the first).
#[tauri::command]
#[specta::specta]
pub(crate) async fn segment(
    session: u32,
    device: u32,
    after: f64,
    address: String,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<SegmentDetails, WireError> {
    let session = sessions.get(session)?;
    aside("segment", move || wire::segment(&session, device, after, &address)).await
}

/// What happened from event `from` to event `to`, both included.
#[tauri::command]
#[specta::specta]
pub(crate) async fn period(
    session: u32,
    device: u32,
    from: f64,
    to: f64,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<PeriodDetails, WireError> {
    let session = sessions.get(session)?;
    aside("period", move || wire::period(&session, device, from, to)).await
}

/// What a track of a dump holds in vain.
#[tauri::command]
#[specta::specta]
pub(crate) async fn inefficient(
    question: InefficientQuestion,
    sessions: State<'_, Arc<Sessions>>,
) -> Result<Inefficient, WireError> {
    let session = sessions.get(question.session)?;
    aside("inefficient", move || wire::inefficient(&session, &question, &Job::unwatched())).await
}
