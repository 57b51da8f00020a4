//! `tidemark diff`: two recordings, or two moments of one, compared.

use crate::made::{MIB, Made, Segment, entry, snapshot};
use acceptance::{Ran, tidemark};
use cli::Exit;
use sample::memscope::Dump;
use sample::pieces::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use wire::{DiffBy, Difference};

/// Where the segment begins.
const BASE: u64 = 0x7000_0000_0000;
/// Bytes of an activation.
const LARGE: u64 = 64 * MIB;

/// The code of a run: where it lies, and on which line the activations are allocated.
#[derive(Clone, Copy)]
struct Code {
    home: &'static str,
    packages: &'static str,
    line: u32,
}

const CODE: Code = Code { home: "/home/me/run1", packages: "/opt/conda/lib/python3.11", line: 20 };

fn frame(name: &str, file: &str, line: u32) -> Value {
    Value::dict([("name", name.into()), ("filename", file.into()), ("line", line.into())])
}

impl Code {
    /// `F.linear`, called by the model, called by the script.
    fn activation(self) -> Value {
        let library = format!("{}/site-packages/torch/nn/functional.py", self.packages);
        Value::list([
            frame("linear", &library, 2374),
            frame("forward", &format!("{}/models/net.py", self.home), self.line),
            frame("<module>", &format!("{}/train.py", self.home), 9),
        ])
    }

    fn weight(self) -> Value {
        Value::list([frame("<module>", &format!("{}/train.py", self.home), 3)])
    }
}

/// A weight of 2 MiB, a block without a stack of 4 MiB, and `activations` of 64 MiB that stay.
fn run(code: Code, activations: usize) -> Made {
    let mut sizes = vec![(2 * MIB, Some(code.weight())), (4 * MIB, None)];
    sizes.extend((0..activations).map(|_| (LARGE, Some(code.activation()))));
    let (mut addr, mut trace, mut blocks) = (BASE, Vec::new(), Vec::new());
    let total = sizes.iter().map(|(size, _)| size).sum::<u64>();
    trace.push(entry("segment_alloc", BASE, total, &[("time_us", 1_000.into())]));
    for (place, (size, stack)) in sizes.into_iter().enumerate() {
        let time = ("time_us", (2_000 + place as u64 * 1_000).into());
        let frames = stack.clone().map(|stack| ("frames", stack));
        let more: Vec<_> = frames.into_iter().chain([time]).collect();
        trace.push(entry("alloc", addr, size, &more));
        let stack = stack.unwrap_or_else(|| Value::list([]));
        blocks.push((size, size, "active_allocated", stack));
        addr += size;
    }
    Made::new(&snapshot(vec![Segment::at(BASE).with_stacks(&blocks)], [trace]))
}

fn ran(a: &Path, b: &Path, words: &[&str]) -> Ran {
    let words = words.iter().map(OsStr::new);
    let args: Vec<&OsStr> =
        [OsStr::new("diff"), a.as_os_str(), b.as_os_str()].into_iter().chain(words).collect();
    tidemark(&args)
}

fn answered(a: &Path, b: &Path, words: &[&str]) -> Difference {
    let ran = ran(a, b, &[words, &["--json"]].concat());
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""));
    serde_json::from_str(&ran.out).unwrap()
}

/// Change, bytes in A and in B, and the lines of each row.
fn rows(found: &Difference) -> Vec<(i64, u64, u64, String)> {
    let words = |lines: &Vec<String>| lines.join(" < ");
    let row = |row: &wire::DiffRow| {
        let lines = row.lines.as_ref().map_or_else(|| "none".to_owned(), words);
        (row.change, row.a.size, row.b.size, lines)
    };
    found.rows.iter().map(row).collect()
}

/// The built-in comparison fails; people want to see which stack it is that grew.
#[test]
fn t10_two_files_that_differ_in_one_stack_differ_in_one_row() {
    let (a, b) = (run(CODE, 3), run(CODE, 5));
    let found = answered(&a.path, &b.path, &[]);
    let grown = 2 * LARGE as i64;
    let stack =
        "torch/nn/functional.py:2374 linear < models/net.py:20 forward < train.py:9 <module>";
    assert_eq!(rows(&found), [(grown, 3 * LARGE, 5 * LARGE, stack.to_owned())]);
    assert_eq!(found.rows[0].change_count, 2);
    assert_eq!(found.rows[0].top_line, Some(1));
    assert_eq!((found.by, found.change), (DiffBy::Stack, grown));
    // The weight and what has no stack are the same on both sides, and are still counted.
    assert_eq!((found.unchanged.rows, found.unchanged.a.size), (2, 6 * MIB));
    assert_eq!(found.a.peak.allocated.bytes, 6 * MIB + 3 * LARGE);
    assert_eq!(found.b.totals.reserved, 6 * MIB + 5 * LARGE);

    let words = ran(&a.path, &b.path, &[]);
    assert_eq!((words.exit, words.err.as_str()), (Exit::Done, ""));
    for part in ["+128 MiB", "+134217728", "models/net.py:20 forward", "2 rows without a change"] {
        assert!(words.out.contains(part), "no {part} in\n{}", words.out);
    }
}

#[test]
fn a_file_does_not_differ_from_itself_and_the_other_way_round_signs_turn() {
    let (a, b) = (run(CODE, 3), run(CODE, 5));
    let none = answered(&a.path, &a.path, &[]);
    assert_eq!((none.rows.len(), none.change, none.unchanged.rows), (0, 0, 3));
    assert!(ran(&a.path, &a.path, &[]).out.contains("no difference"));
    let (there, back) = (answered(&a.path, &b.path, &[]), answered(&b.path, &a.path, &[]));
    let (one, other) = (&there.rows[0], &back.rows[0]);
    assert_eq!((one.a, one.b, one.change), (other.b, other.a, -other.change));
    assert_eq!(there.change, -back.change);
}

#[test]
fn moved_and_edited_code_matches_as_far_as_it_is_asked_to() {
    let moved = Code { home: "/data/run2", packages: "/usr/lib/python3.12", ..CODE };
    let (a, b) = (run(CODE, 3), run(moved, 3));
    assert_eq!(rows(&answered(&a.path, &b.path, &[])), []);
    // An edit above it moved the line: the same bytes are of a stack the other does not know.
    let edited = run(Code { line: 21, ..moved }, 3);
    let found = answered(&a.path, &edited.path, &[]);
    let known: Vec<_> = found.rows.iter().map(|row| (row.change, row.in_a, row.in_b)).collect();
    let bytes = 3 * LARGE as i64;
    assert_eq!(known, [(-bytes, true, false), (bytes, false, true)]);
    assert_eq!(found.change, 0);
    assert!(ran(&a.path, &edited.path, &[]).out.contains("(unknown to A)"));
    for by in ["file-function", "function"] {
        let found = answered(&a.path, &edited.path, &["--by", by]);
        assert_eq!((rows(&found), found.unchanged.rows), (vec![], 3), "{by}");
    }
}

#[test]
fn moments_are_events_times_or_names_and_rows_beyond_the_top_are_summed() {
    let made = run(CODE, 3);
    let moments = |words: &[&str]| {
        let found = answered(&made.path, &made.path, words);
        (found.a.event, found.b.event, found.change)
    };
    let end = (6 * MIB + 3 * LARGE) as i64;
    assert_eq!(moments(&["--at", "start", "--at-b", "end"]), (-1, 5, end));
    assert_eq!(moments(&["--at", "1", "--at-b", "2"]), (1, 2, 4 * MIB as i64));
    // The first event is at 1 ms, so 2 ms later is right after the block without a stack.
    assert_eq!(moments(&["--at", "2ms", "--at-b", "peak"]), (2, 5, 3 * LARGE as i64));
    let words = ["--at", "start", "--at-b", "end", "--top", "1"];
    let found = answered(&made.path, &made.path, &words);
    let sum = (found.rows.len(), found.smaller.rows, found.smaller.b.size);
    assert_eq!(sum, (1, 2, 6 * MIB));
    let nowhere = ran(&made.path, &made.path, &["--at", "6"]);
    assert_eq!(nowhere.exit, Exit::Error);
    assert!(nowhere.err.contains("no event 6"), "{}", nowhere.err);
}

#[test]
fn an_exceeded_limit_is_said_and_is_the_exit_code() {
    let (a, b) = (run(CODE, 3), run(CODE, 5));
    let exit = |words: &[&str]| {
        let ran = ran(&a.path, &b.path, words);
        assert!(ran.out.contains("+128 MiB"), "the answer is there all the same");
        (ran.exit, ran.err)
    };
    let held = (Exit::Done, String::new());
    // 198 MiB grow by 128 MiB: 64.6 %.
    assert_eq!(exit(&["--max-growth", "128MiB", "--max-peak", "326MiB"]), held);
    assert_eq!(exit(&["--max-growth", "65%"]), held);
    for (words, flag) in [
        (["--max-growth", "134217727"], "--max-growth"),
        (["--max-growth", "64%"], "--max-growth"),
        (["--max-peak", "325MiB"], "--max-peak"),
    ] {
        let (exit, said) = exit(&words);
        assert_eq!(exit, Exit::No, "{words:?}");
        assert!(said.contains(&format!("{flag} is exceeded")), "{said}");
    }
    // What shrinks has not grown.
    assert_eq!(ran(&b.path, &a.path, &["--max-growth", "0"]).exit, Exit::Done);
}

fn bundled() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/memscope_sample.db")
}

/// The dump that ships with the app leaks a tensor of 40 MiB a step, in three steps.
#[test]
fn two_moments_of_a_dump_differ_by_owner() {
    let path = bundled();
    let found = answered(&path, &path, &["--at", "0.7s", "--at-b", "end"]);
    assert_eq!(found.by, DiffBy::Owner);
    let leak = &found.rows[0];
    assert_eq!(leak.lines.as_deref(), Some(&["PTA@ops@aten@leaks_mem".to_owned()][..]));
    let mib = |bytes: u64| bytes / MIB;
    assert_eq!((mib(leak.a.size), mib(leak.b.size), leak.change_count), (40, 120, 2));
    assert_eq!(leak.a.count, 1);
    let listed: i64 = found.rows.iter().map(|row| row.change).sum();
    assert_eq!(listed, found.change);
}

#[test]
fn steps_of_two_dumps_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, steps| {
        let folder = folder.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        Dump { layers: 3, ..Dump::new(steps) }.write_in(&folder).unwrap().0
    };
    let (a, b) = (write("a", 2), write("b", 3));
    let found = answered(&a, &b, &["--device", "npu:0 PTA"]);
    let steps: Vec<&str> = found.steps.iter().map(|step| step.step.as_str()).collect();
    assert_eq!(steps, ["1", "2"]);
    assert_eq!(
        (found.steps_only_a.len(), found.steps_only_b.as_slice()),
        (0, &["3".to_owned()][..])
    );
    for step in &found.steps {
        assert_eq!(step.a.allocated, step.b.allocated, "both do the same until the third");
    }
    // A step more leaks 40 MiB more.
    assert!(found.steps[1].a.allocated >= found.steps[0].a.allocated + 40 * MIB);
    assert!(ran(&a, &b, &[]).out.contains("1 step only in B: 3"));
}

#[test]
fn a_snapshot_and_a_dump_compare_by_what_both_have() {
    let (a, b) = (run(CODE, 3), bundled());
    let refused = ran(&a.path, &b, &["--by", "owner"]);
    assert_eq!((refused.exit, refused.out.as_str()), (Exit::Error, ""));
    assert!(refused.err.contains("the first recording is a snapshot"), "{}", refused.err);
    let found = answered(&a.path, &b, &[]);
    assert_eq!((found.by, found.b.device.as_str()), (DiffBy::Stack, "npu:0 PTA"));
    assert_eq!(found.a.live.size, 6 * MIB + 3 * LARGE);
    assert_eq!(found.change, found.b.live.size as i64 - found.a.live.size as i64);
}
