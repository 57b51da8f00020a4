//! Recordings of an independent generator (Python), and the same recording by both pickle writers.
//!
//! `TIDEMARK_TOOLS` names the folder with the scripts; without it, `../shared/tools`.

use acceptance::{blocks, info, outside, say};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use wire::Summary;

/// Runs `script` of the tools; `None` without Python.
fn python(script: &Path, args: &[&str]) -> Option<()> {
    match Command::new("python3").arg(script).args(args).output() {
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

/// A recording of `events` events with its truth.
fn made(tools: &Path, folder: &Path, events: u32) -> Option<(PathBuf, Value)> {
    let path = folder.join("made.pickle");
    python(&tools.join("make_snapshot.py"), &[&events.to_string(), path.to_str().unwrap()])?;
    let truth = std::fs::read_to_string(folder.join("made.truth.json")).unwrap();
    Some((path, serde_json::from_str(&truth).unwrap()))
}

#[test]
fn an_independent_generators_truth_holds() {
    let Some(tools) = outside("TIDEMARK_TOOLS", "../shared/tools") else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some((path, truth)) = made(&tools, folder.path(), 100_000) else { return };
    let summary = info(&path);
    let device = &summary.devices[0];
    let peak = device.peak.allocated;
    // The generator notes the length of its list before it adds the allocation: that is its row.
    assert_eq!(Value::from(peak.bytes), truth["peak_allocated_rounded"]);
    assert_eq!(Value::from(peak.event), truth["peak_event"]);
    assert_eq!(Value::from(device.events), truth["events"]);
    assert_eq!(Value::from(device.end.allocated), truth["final_allocated_rounded"]);
    assert_eq!(Value::from(device.end.reserved), truth["reserved_final"]);
    assert_eq!(Value::from(device.segments), truth["segments"]);
    assert_eq!(Value::from(device.final_blocks), truth["blocks"]);
    assert_eq!(Value::from(summary.bytes), truth["bytes"]);
    // What leaks is there at the end, once a step.
    let site = truth["leak_site"].as_str().unwrap();
    let end = blocks(&path, "0", "end", usize::MAX);
    let leaked = end.blocks.iter().filter(|block| block.top_frame.as_deref() == Some(site)).count();
    assert_eq!(Value::from(leaked), truth["leak_count"]);
}

fn without_name_and_time(mut summary: Summary) -> String {
    summary.name.clear();
    summary.opened_ms = 0.0;
    summary.bytes = 0;
    summary.protocol = None;
    serde_json::to_string_pretty(&summary).unwrap()
}

#[test]
fn both_pickle_writers_give_the_same_answers() {
    let Some(tools) = outside("TIDEMARK_TOOLS", "../shared/tools") else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some((path, _)) = made(&tools, folder.path(), 20_000) else { return };
    compare_with_cpp(&tools, folder.path(), &path);
    let Some(corpus) = outside("TIDEMARK_CORPUS", "../shared/corpus") else { return };
    for file in [
        "Ascend+msinsight__snapshot_with_multi_devices__ed83d18f.pkl",
        "Constructor-Sun+code_location__memory_snapshot__b5ef67ce.pickle",
        "Yiyi-philosophy+LLM-inference__1.3b_snapshot__08fa910c.pickle",
    ] {
        compare_with_cpp(&tools, folder.path(), &corpus.join("torch").join(file));
    }
}

/// Rewrites `path` as torch's C++ pickler would have written it.
fn compare_with_cpp(tools: &Path, folder: &Path, path: &Path) {
    let other = folder.join("cpp.pickle");
    let args = [path.to_str().unwrap(), other.to_str().unwrap()];
    if python(&tools.join("cpp_pickle.py"), &args).is_none() {
        return;
    }
    assert_eq!(info(&other).protocol, Some(2));
    let [one, two] = [path, &other].map(|path| without_name_and_time(info(path)));
    assert_eq!(one, two, "{}", path.display());
    let [one, two] = [path, &other].map(|path| blocks(path, "0", "peak", 50));
    assert_eq!((one.total, &one.blocks), (two.total, &two.blocks), "{}", path.display());
}
