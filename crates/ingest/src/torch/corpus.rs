//! Real files against counts that an independent reader made of them.
//!
//! The files are not ours to copy: `TIDEMARK_CORPUS` says where they are.

use super::raw::RawSnapshot;
use super::{Pickled, read_pickle};
use job::Job;
use model::{Action, Device, EventId, Events, Family, StackId};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder with the snapshots, or `None` when it is not there.
fn folder() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("TIDEMARK_CORPUS").map_or_else(default, PathBuf::from);
    corpus.join("torch/INDEX.jsonl").exists().then(|| corpus.join("torch"))
}

/// One file's line of the index.
fn index(folder: &Path) -> Vec<Json> {
    let lines = std::fs::read_to_string(folder.join("INDEX.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn actions(snapshot: &RawSnapshot, events: &Events) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for row in 0..events.len() {
        let name = match events.action(EventId(row)) {
            Action::Other(other) => {
                let name = snapshot.other_actions[usize::from(other)];
                snapshot.strings.get(name).to_owned()
            }
            known => known.name().unwrap().to_owned(),
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// Checks one file.
fn check(folder: &Path, said: &Json) {
    let name = said["file"].as_str().unwrap();
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let read = read_pickle(&bytes, &Job::unwatched());
    let (pickled, _) = read.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
    let Pickled { snapshot, protocol, .. } = pickled;
    assert_eq!(protocol.map(u64::from), said["pickle"]["protocol"].as_u64(), "{name}");
    let count = |of: fn(&crate::torch::raw::RawDevice) -> usize| -> u64 {
        snapshot.devices.iter().map(|device| of(device) as u64).sum()
    };
    assert_eq!(count(|device| device.segments.len()), said["segments"].as_u64().unwrap(), "{name}");
    assert_eq!(count(|device| device.blocks.len()), said["blocks"].as_u64().unwrap(), "{name}");
    for device in said["devices"].as_array().unwrap() {
        let index = Device::Accelerator(device["device"].as_i64().unwrap() as i32);
        let Some(ours) = snapshot.devices.iter().find(|ours| ours.device == index) else {
            assert_eq!(device["entries"], 0, "{name} {index:?}");
            continue;
        };
        assert_eq!(u64::from(ours.events.len()), device["entries"].as_u64().unwrap(), "{name}");
        let said: BTreeMap<String, u64> =
            serde_json::from_value(device["actions"].clone()).unwrap();
        assert_eq!(actions(&snapshot, &ours.events), said, "{name} {index:?}");
        let segments: u64 = ours.segments.iter().map(|segment| segment.size).sum();
        assert_eq!(segments, device["final_reserved"].as_u64().unwrap_or(0), "{name}");
    }
    stacks(name, &snapshot, said);
    let is_npu = name.starts_with("Ascend+msinsight");
    assert_eq!(snapshot.family == Family::Npu, is_npu, "{name}");
}

fn stacks(name: &str, snapshot: &RawSnapshot, said: &Json) {
    let all = (0..snapshot.stacks.len() as u32).map(|row| snapshot.stacks.frame_ids(StackId(row)));
    let deepest = all.map(<[u32]>::len).max().unwrap_or(0) as u64;
    let distinct = snapshot.stacks.len() as u64 - 1;
    let count = |key: &str| said["stacks"][key].as_u64().unwrap_or(0);
    // Frame dicts with equal content are one frame.
    assert!(snapshot.stacks.frame_count() as u64 <= count("distinct_frame_dicts"), "{name}");
    if said["block_keys"].get("history").is_none() {
        assert_eq!(
            (deepest, distinct),
            (count("max_depth"), count("distinct_by_content")),
            "{name}"
        );
    } else {
        // Only the latest record of a live block's history is looked at.
        assert!(deepest <= count("max_depth") && distinct <= count("distinct_by_content"));
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "says that it was skipped")]
fn real_files_have_what_an_independent_reader_counted() {
    let Some(folder) = folder() else {
        assert!(std::env::var_os("CI").is_none(), "TIDEMARK_CORPUS does not point to the corpus");
        println!("skipped: TIDEMARK_CORPUS does not point to the corpus of real snapshots");
        return;
    };
    for said in &index(&folder) {
        check(&folder, said);
    }
}
