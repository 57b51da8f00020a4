//! The size rule, from outside: what a file says of a block's size is taken away, and found again.
//!
//! A snapshot states the true sizes of the blocks alive at its end only; those of freed blocks are
//! computed. `forget_sizes.py` frees every block of the end whose allocation is in the trace, so
//! that its size has to be computed, and the one the file stated is the answer.

use acceptance::{blocks, info, outside, say};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use wire::LiveSet;

/// Sizes by address and allocating event, of blocks whose allocation is in the trace.
fn sizes(set: &LiveSet) -> BTreeMap<(String, u32), u64> {
    let traced = set.blocks.iter().filter_map(|row| Some((row, row.alloc_event?)));
    traced.map(|(row, event)| ((row.address.clone(), event), row.size)).collect()
}

/// How many sizes of `path` are found again, and of how many.
fn found_again(path: &Path, forgetful: &Path) -> (usize, usize) {
    let (mut found, mut all) = (0, 0);
    for device in &info(path).devices {
        let Some(last) = device.events.checked_sub(1) else { continue };
        let stated = sizes(&blocks(path, &device.name, "end", usize::MAX));
        let computed = sizes(&blocks(forgetful, &device.name, &last.to_string(), usize::MAX));
        all += stated.len();
        found += stated.iter().filter(|(block, size)| computed.get(*block) == Some(*size)).count();
    }
    (found, all)
}

fn forget(path: &Path, target: &Path) -> Option<()> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("forget_sizes.py");
    match Command::new("python3").arg(script).args([path, target]).output() {
        Ok(done) => {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            Some(())
        }
        Err(missing) => {
            say(&format!("skipped: cannot run python3: {missing}"));
            None
        }
    }
}

#[test]
fn the_rule_finds_the_sizes_that_real_files_state() {
    let Some(corpus) = outside("TIDEMARK_CORPUS", "../shared/corpus") else { return };
    let folder = tempfile::tempdir().unwrap();
    let forgetful = folder.path().join("forgetful.pickle");
    let index = std::fs::read_to_string(corpus.join("torch/INDEX.jsonl")).unwrap();
    let (mut found, mut all, mut wrong) = (0, 0, Vec::new());
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let name = entry["file"].as_str().unwrap();
        if entry["segments"] == 0 {
            continue;
        }
        let path = corpus.join("torch").join(name);
        let Some(()) = forget(&path, &forgetful) else { return };
        let (right, count) = found_again(&path, &forgetful);
        if count > 0 {
            say(&format!("{:5.1} % of {count:5}: {name}", 100.0 * right as f64 / count as f64));
        }
        found += right;
        all += count;
        if right != count {
            wrong.push(format!("{name}: {right} of {count}"));
        }
    }
    say(&format!("{found} of {all} sizes found again"));
    assert_eq!(wrong, Vec::<String>::new());
    assert!(all > 10_000, "only {all} blocks were compared");
}

#[test]
fn the_rule_finds_the_sizes_that_generated_files_state() {
    let folder = tempfile::tempdir().unwrap();
    let (path, forgetful) =
        (folder.path().join("made.pickle"), folder.path().join("forgetful.pickle"));
    for device in [sample::Rounding::Cuda, sample::Rounding::Npu] {
        for expandable in [false, true] {
            let features = sample::Features { expandable, ..sample::Features::default() };
            let plan = sample::Plan { device, features, ..sample::Plan::new(20_000) };
            sample::write_files(&plan, &path).unwrap();
            let Some(()) = forget(&path, &forgetful) else { return };
            let (right, count) = found_again(&path, &forgetful);
            say(&format!("{right} of {count}: {device:?}, expandable {expandable}"));
            assert!(count > 0);
            assert_eq!(right, count, "{device:?}, expandable {expandable}");
        }
    }
}
