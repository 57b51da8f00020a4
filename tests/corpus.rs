//! Every published snapshot of the corpus, against what an independent reader found in it.
//!
//! `TIDEMARK_CORPUS` names the folder; without it, `../shared/corpus` beside the repository.

use acceptance::{info, outside, say};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wire::{DeviceSummary, Summary};

/// Where our figure for distinct stacks differs from the oracle's, and is right.
///
/// These three 2.0 files keep each block's `history`: a record of every allocation that ever lived
/// in the (later merged) block. The oracle counts the stacks of all records; but those of free
/// blocks, and all but the first of a merged one, belong to allocations whose life, order and place
/// the file does not say, so no view can show them and they are not read. Counted with CPython over
/// events, and the first record of blocks that are not inactive, the figures are ours.
const HISTORY_STACKS: [(&str, u64, u32); 3] = [
    ("Yiyi-philosophy+LLM-inference__1.3b_snapshot__08fa910c.pickle", 66, 13),
    ("Yiyi-philosophy+LLM-inference__1.3b_snapshot__4bf3cd41.pickle", 30, 9),
    ("Yiyi-philosophy+LLM-inference__1.3b_snapshot__c0cf1a83.pickle", 65, 18),
];

/// The corpus, or nothing to test.
fn torch() -> Option<(PathBuf, Vec<Value>)> {
    let folder = outside("TIDEMARK_CORPUS", "../shared/corpus")?.join("torch");
    let index = std::fs::read_to_string(folder.join("INDEX.jsonl")).unwrap();
    let entries = index.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Some((folder, entries))
}

#[test]
fn every_file_agrees_with_the_independent_reader() {
    let Some((folder, entries)) = torch() else { return };
    let mut differences = Vec::new();
    let mut opened = 0;
    for entry in &entries {
        let path = folder.join(entry["file"].as_str().unwrap());
        if is_void(entry) {
            void_files_open_and_say_so(&path);
            opened += 1;
            continue;
        }
        opened += 1;
        let mut check =
            Check { file: entry["file"].as_str().unwrap(), differences: &mut differences };
        check.recording(&info(&path), entry);
    }
    say(&format!("{opened} of {} files opened and compared", entries.len()));
    assert_eq!(differences, Vec::<String>::new());
}

/// Whether the file holds no segment and no event on any device.
fn is_void(entry: &Value) -> bool {
    let events = entry["entries_per_device"].as_array().unwrap();
    entry["segments"] == 0 && events.iter().all(|count| *count == 0)
}

/// Two files were written before anything was allocated: they show one device with nothing in it,
/// and say why.
fn void_files_open_and_say_so(path: &Path) {
    let summary = info(path);
    let [device] = summary.devices.as_slice() else { panic!("one device is shown") };
    assert_eq!((device.events, device.segments, device.blocks), (0, 0, 0));
    let said = summary.remarks.iter().find(|remark| remark.code == "no_history");
    assert!(said.is_some_and(|remark| remark.message.contains("empty")), "{:?}", summary.remarks);
}

struct Check<'a> {
    file: &'a str,
    differences: &'a mut Vec<String>,
}

impl Check<'_> {
    fn same(&mut self, what: &str, ours: impl Into<Value>, oracle: &Value) {
        let ours = ours.into();
        if ours != *oracle {
            self.differences.push(format!("{}: {what}: ours {ours}, oracle {oracle}", self.file));
        }
    }

    fn recording(&mut self, summary: &Summary, entry: &Value) {
        self.same("bytes", summary.bytes, &entry["bytes"]);
        self.same("protocol", summary.protocol, &entry["pickle"]["protocol"]);
        self.stacks(summary.stacks, &entry["stacks"]["distinct_by_content"]);
        let sum = |of: fn(&DeviceSummary) -> u32| summary.devices.iter().map(of).sum::<u32>();
        self.same("segments", sum(|device| device.segments), &entry["segments"]);
        self.same("blocks", sum(|device| device.final_blocks), &entry["blocks"]);
        let mut seen = 0;
        for device in entry["devices"].as_array().unwrap() {
            let is_void = device["entries"] == 0 && device.get("final_reserved").is_none();
            let name = format!("{}:{}", summary.family, device["device"]);
            match summary.devices.iter().find(|ours| ours.name == name) {
                Some(ours) if !is_void => self.device(ours, device),
                None if is_void => continue,
                found => {
                    let words =
                        if found.is_some() { "has nothing, and is shown" } else { "is lost" };
                    self.differences.push(format!("{}: {name} {words}", self.file));
                }
            }
            seen += 1;
        }
        // A device without a trace is not among the oracle's; it counts them as odd.
        let silent = entry["odd"]["segments_on_device_without_trace"].as_u64().unwrap_or(0);
        self.same("devices", summary.devices.len(), &Value::from(seen + silent));
    }

    fn stacks(&mut self, ours: u32, oracle: &Value) {
        match HISTORY_STACKS.iter().find(|(file, ..)| *file == self.file) {
            Some((_, theirs, expected)) => {
                self.same("stacks of the oracle", *theirs, oracle);
                self.same("stacks", ours, &Value::from(*expected));
            }
            None => self.same("stacks", ours, oracle),
        }
    }

    fn device(&mut self, ours: &DeviceSummary, oracle: &Value) {
        let actions: BTreeMap<&str, u32> =
            ours.actions.iter().map(|action| (action.action.as_str(), action.count)).collect();
        self.same("actions", serde_json::to_value(actions).unwrap(), &oracle["actions"]);
        self.same("entries", ours.events, &oracle["entries"]);
        self.same("final reserved", ours.end.reserved, &oracle["final_reserved"]);
        self.same("final active", ours.end.active, &oracle["final_active_bytes"]);
        let end = ours.end_active;
        self.same("final active blocks", end.count, &oracle["final_active_blocks"]);
        self.same("final active bytes", end.size, &oracle["final_active_bytes"]);
        self.same("final active requested", end.requested, &oracle["final_requested_active"]);
        let start = ours.start_live;
        self.same("start reserved", ours.start.reserved, &oracle["start_reserved"]);
        self.same("start live blocks", start.count, &oracle["start_live_blocks"]);
        self.same("start live requested", start.requested, &oracle["start_live_requested"]);
        self.same("peak reserved", ours.peak.reserved.bytes, &oracle["max_reserved"]);
        self.same("peak requested", ours.peak_requested.bytes, &oracle["max_requested_active"]);
        if let Some(first) = oracle.get("t0_us") {
            self.same("first time", ours.first_us.map(wire::Micros::whole), first);
        }
    }
}
