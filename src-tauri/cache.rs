//! What the indexes on disk take, and how much they may.

use std::sync::Arc;

use serde::Serialize;
use specta::Type;
use tauri::State;
use wire::WireError;

use crate::commands::aside;
use crate::indexes::Indexes;
use crate::remembering::{Remembering, Shared, refused};

/// The setting's name: how many GiB.
const SETTING: &str = "index_gib";
/// Nobody has a disk that needs more.
const MOST_GIB: u32 = 1 << 14;

/// The indexes on disk.
#[derive(Serialize, Type)]
pub(crate) struct CacheState {
    /// How many.
    indexes: u32,
    /// Their bytes.
    #[specta(type = u32)]
    bytes: u64,
    /// GiB they may take together; 0: none is kept.
    limit_gib: u32,
}

/// What the indexes on disk take; nothing where there are none, whatever is set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cache_state(
    indexes: State<'_, Arc<Indexes>>,
) -> Result<Option<CacheState>, WireError> {
    let indexes = Arc::clone(&indexes);
    aside("cache_state", move || Ok(state(&indexes))).await
}

/// Sets how many GiB they may take, and keeps that; what is too much goes, the oldest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cache_limit(
    gib: u32,
    kept: State<'_, Shared>,
    indexes: State<'_, Arc<Indexes>>,
) -> Result<Option<CacheState>, WireError> {
    let (kept, indexes) = (Arc::clone(&kept), Arc::clone(&indexes));
    aside("cache_limit", move || {
        let gib = gib.min(MOST_GIB);
        kept.projects()?.set_setting(SETTING, &gib.to_string()).map_err(refused)?;
        limit(&indexes, gib);
        Ok(state(&indexes))
    })
    .await
}

/// Deletes them all.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cache_clear(
    indexes: State<'_, Arc<Indexes>>,
) -> Result<Option<CacheState>, WireError> {
    let indexes = Arc::clone(&indexes);
    aside("cache_clear", move || {
        if let Some(store) = indexes.store() {
            store.clear();
        }
        Ok(state(&indexes))
    })
    .await
}

/// Sets what was set the last time. What cannot be read is as it is at first.
pub(crate) fn as_set(kept: &Remembering, indexes: &Indexes) {
    let setting =
        kept.projects().ok().and_then(|projects| projects.setting(SETTING).ok()).flatten();
    if let Some(gib) = setting.and_then(|text| text.parse::<u32>().ok()) {
        limit(indexes, gib.min(MOST_GIB));
    }
}

fn limit(indexes: &Indexes, gib: u32) {
    if let Some(store) = indexes.store() {
        store.set_limit(u64::from(gib) << 30);
    }
}

fn state(indexes: &Indexes) -> Option<CacheState> {
    let store = indexes.store()?;
    let usage = store.usage();
    let limit_gib = (store.limit() >> 30) as u32;
    Some(CacheState { indexes: usage.indexes as u32, bytes: usage.bytes, limit_gib })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_there_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Remembering::in_folder(Some(folder.path().join("data")));
        let cache = folder.path().join("cache");
        let indexes = || Indexes::in_folder(Some(cache.clone()));
        let first = indexes();
        as_set(&kept, &first);
        let usual = state(&first).unwrap().limit_gib;
        kept.projects().unwrap().set_setting(SETTING, "16").unwrap();
        let next = indexes();
        as_set(&kept, &next);
        assert_eq!((usual, state(&next).unwrap().limit_gib), (4, 16));
        kept.projects().unwrap().set_setting(SETTING, "\"much\"").unwrap();
        let odd = indexes();
        as_set(&kept, &odd);
        assert_eq!(state(&odd).unwrap().limit_gib, 4);
    }
}
