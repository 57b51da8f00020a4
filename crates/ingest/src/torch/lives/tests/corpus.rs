//! Real recordings against what an independent reader (Python, walking backward) found in them.
//!
//! The corpus is not part of the project: `TIDEMARK_CORPUS` names its folder. Without one the test
//! says that it did nothing; under CI it fails.

use crate::torch::lives::{Rules, size_check};
use job::Job;
use model::{BlockId, Device, DeviceTable, Origin, Recording, WarningKind};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("TIDEMARK_CORPUS").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| root.join("../shared/corpus")).join("torch");
    if folder.join("INDEX.jsonl").exists() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no corpus at {}", folder.display());
    say(&format!("skipped: no corpus at {}", folder.display()));
    None
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").unwrap();
}

/// The sums the index has, from our tables. Workspaces are history in neither.
fn sums(table: &DeviceTable) -> Vec<(&'static str, u64)> {
    let blocks = (0..table.blocks.len()).map(|row| table.blocks.get(BlockId(row)));
    let blocks: Vec<_> = blocks.filter(|block| block.origin != Origin::Workspace).collect();
    let at_end = || blocks.iter().filter(|block| block.died.is_none());
    let at_start = || blocks.iter().filter(|block| block.born.0 == 0);
    let mut changes = vec![0i64; table.events.len() as usize + 1];
    for block in &blocks {
        changes[block.born.0 as usize] += block.requested as i64;
        if let Some(died) = block.died {
            changes[died.0 as usize] -= block.requested as i64;
        }
    }
    let mut sum = 0;
    let requested = changes.iter().map(|change| {
        sum += change;
        sum
    });
    let reserved = &table.counters.reserved;
    vec![
        ("max_requested_active", requested.max().unwrap_or(0) as u64),
        ("final_active_blocks", at_end().count() as u64),
        ("final_active_bytes", at_end().map(|block| block.size).sum()),
        ("final_requested_active", at_end().map(|block| block.requested).sum()),
        ("start_live_blocks", at_start().count() as u64),
        ("start_live_requested", at_start().map(|block| block.requested).sum()),
        ("start_reserved", reserved[0]),
        ("final_reserved", *reserved.last().unwrap()),
        ("max_reserved", reserved.iter().copied().max().unwrap_or(0)),
    ]
}

/// A state with more allocated than active, or more active than reserved; blocks outside of every
/// segment may be.
fn disorder(recording: &Recording, table: &DeviceTable) -> Option<String> {
    let counters = &table.counters;
    let is_outside = |kind| kind == WarningKind::OutsideSegments;
    if recording.warnings.iter().any(|warning| is_outside(warning.kind)) {
        return None;
    }
    let state = (0..counters.active.len()).find(|state| {
        let active = counters.active[*state];
        counters.allocated[*state] > active || active > counters.reserved[*state]
    })?;
    Some(format!("{:?}: totals are out of order at state {state}", table.device))
}

/// What a recording says otherwise than the index line of its file.
fn differences(recording: &Recording, line: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for expected in line["devices"].as_array().into_iter().flatten() {
        let device = Device::Accelerator(expected["device"].as_i64().unwrap() as i32);
        let Some(table) = recording.devices.iter().find(|table| table.device == device) else {
            if expected["entries"].as_u64() > Some(0)
                || expected["final_reserved"].as_u64() > Some(0)
            {
                found.push(format!("{device:?} is missing"));
            }
            continue;
        };
        for (key, ours) in sums(table) {
            let theirs = expected[key].as_u64();
            if theirs.is_some_and(|theirs| theirs != ours) {
                found.push(format!("{device:?} {key}: {ours}, the index has {theirs:?}"));
            }
        }
        found.extend(disorder(recording, table));
    }
    found
}

#[test]
fn real_recordings_add_up_as_an_independent_reader_found() {
    let Some(folder) = corpus() else { return };
    let (mut agree, mut total, mut files) = (0, 0, 0);
    let mut found = Vec::new();
    for line in std::fs::read_to_string(folder.join("INDEX.jsonl")).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["file"].as_str().unwrap();
        let recording = match crate::open(&folder.join(name), &Job::unwatched()) {
            Ok(recording) => recording,
            Err(error) => {
                found.push(format!("{name}: {error}"));
                continue;
            }
        };
        files += 1;
        let rules = Rules { family: recording.family, settings: &recording.settings };
        for table in &recording.devices {
            let (right, all) = size_check(table, &rules);
            agree += right;
            total += all;
            if right != all {
                say(&format!("{name} {:?}: the size rule fits {right} of {all}", table.device));
            }
        }
        for warning in &recording.warnings {
            say(&format!("{name}: {:?} {}: {}", warning.kind, warning.count, warning.message));
        }
        found.extend(differences(&recording, &line).into_iter().map(|it| format!("{name}: {it}")));
    }
    say(&format!("{files} files; the size rule gives the true size of {agree} of {total} blocks"));
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(agree, total);
}
