//! `tidemark holders` and `tidemark stacks`: rows and lines add up to what other commands say.

use acceptance::{Ran, blocks, tidemark};
use cli::Exit;
use sample::pieces::Value;
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use wire::{Holders, PeriodByReport, StackTreeReport};

use crate::made::{MIB, Made, Segment, entry, snapshot};

fn ran(command: &str, path: &Path, words: &[&str]) -> Ran {
    let words = words.iter().map(OsStr::new);
    let args: Vec<&OsStr> =
        [OsStr::new(command), path.as_os_str()].into_iter().chain(words).collect();
    tidemark(&args)
}

fn answered<T: DeserializeOwned>(command: &str, path: &Path, words: &[&str]) -> T {
    let ran = ran(command, path, &[words, &["--json"]].concat());
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""), "{words:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// The stacks and their bytes.
fn lines(path: &Path, words: &[&str]) -> Vec<(String, u64)> {
    let ran = ran("stacks", path, words);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""), "{words:?}");
    // As the tools read it: all up to the last space is the stack.
    let line = |line: &str| {
        let (stack, bytes) = line.rsplit_once(' ').unwrap();
        (stack.to_owned(), bytes.parse().unwrap())
    };
    ran.out.lines().map(line).collect()
}

fn small() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/torch/small/snapshot.pickle")
}

fn bundled() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/memscope_sample.db")
}

#[test]
fn rows_and_the_rest_are_what_is_allocated() {
    for (path, device) in [(small(), "cuda:0"), (bundled(), "npu:0 PTA")] {
        for at in ["start", "peak", "100", "end"] {
            let held = blocks(&path, device, at, 0).allocated;
            for top in ["0", "3", "1000"] {
                let words = ["--device", device, "--at", at, "--top", top];
                let found: Holders = answered("holders", &path, &words);
                assert_eq!(found.whole.now, held, "{words:?}");
                let listed = found.rows.iter().map(|row| row.amounts.now.size).sum::<u64>();
                assert_eq!(listed + found.rest.now.size, held.size, "{words:?}");
                let peak = blocks(&path, device, "peak", 0).allocated;
                assert_eq!(found.whole.at_peak, peak, "{words:?}");
            }
        }
    }
}

#[test]
fn a_period_changes_what_its_rows_and_the_rest_do() {
    for (path, device) in [(small(), "cuda:0"), (bundled(), "npu:0 PTA")] {
        let words = ["--device", device, "--period", "50..200", "--top", "3"];
        let found: PeriodByReport = answered("holders", &path, &words);
        assert_eq!((found.from, found.to), (50, 200));
        let [before, after] = ["49", "200"].map(|at| blocks(&path, device, at, 0).allocated.size);
        let whole = found.answer.whole;
        assert_eq!((whole.before.size, whole.after.size), (before, after));
        let listed = found.answer.rows.iter().map(|row| row.amounts.change).sum::<i64>();
        assert_eq!(listed + found.answer.rest.change, after as i64 - before as i64);
        assert!(found.answer.rest_rows > 0);
    }
}

#[test]
fn the_lines_of_stacks_add_up_and_are_the_trees() {
    let path = small();
    let last = answered::<Holders>("holders", &path, &["--at", "end"]).event.to_string();
    for at in ["peak", "100", "end", &last] {
        let lines = lines(&path, &["--at", at]);
        let held = blocks(&path, "cuda:0", at, 0).allocated.size;
        assert_eq!(lines.iter().map(|(_, bytes)| bytes).sum::<u64>(), held, "{at}");
        assert!(lines.is_sorted_by(|one, other| one.1 >= other.1), "the largest first");
        let tree: StackTreeReport = answered("stacks", &path, &["--at", at]);
        assert_eq!((tree.device.as_str(), tree.answer.whole.size), ("cuda:0", held));
        // What is outermost in the lines is so in the tree, with the same bytes.
        for node in tree.answer.nodes.iter().filter(|node| node.parent.is_none()) {
            let Some(name) = &node.name else { continue };
            let below = lines.iter().filter(|(stack, _)| stack.split(';').next() == Some(name));
            assert_eq!(below.map(|(_, bytes)| bytes).sum::<u64>(), node.amount.size, "{name}");
        }
    }
    let sum = |words: &[&str]| lines(&path, words).iter().map(|(_, bytes)| bytes).sum::<u64>();
    let period: PeriodByReport = answered("holders", &path, &["--period", "100..300"]);
    let whole = period.answer.whole;
    assert_eq!(sum(&["--period", "100..300"]), whole.allocated.size);
    assert_eq!(sum(&["--period", "100..300", "--unfreed"]), whole.unfreed.size);
    assert!(whole.unfreed.size < whole.allocated.size);
}

/// Two blocks by stacks whose names hold what the form of a line is made of.
fn odd() -> Made {
    let base = 0x7000_0000_0000;
    let frame = |name: &str| {
        let file: Value = "/home/me/train.py".into();
        Value::dict([("name", name.into()), ("filename", file), ("line", 3_u32.into())])
    };
    let stacks = [
        Value::list([frame("inner[T = int; U = int]"), frame("main 7")]),
        Value::list([frame("inner\n"), frame("main 7")]),
    ];
    let mut trace = vec![entry("segment_alloc", base, 6 * MIB, &[])];
    let mut blocks = Vec::new();
    for (stack, size) in stacks.into_iter().zip([2 * MIB, 4 * MIB]) {
        let addr = base + if size == 2 * MIB { 0 } else { 2 * MIB };
        trace.push(entry("alloc", addr, size, &[("frames", stack.clone())]));
        blocks.push((size, size, "active_allocated", stack));
    }
    Made::new(&snapshot(vec![Segment::at(base).with_stacks(&blocks)], [trace]))
}

#[test]
fn names_cannot_break_a_line() {
    let made = odd();
    let expected = [
        ("train.py:3 main 7;train.py:3 inner\\n".to_owned(), 4 * MIB),
        ("train.py:3 main 7;train.py:3 inner[T = int: U = int]".to_owned(), 2 * MIB),
    ];
    assert_eq!(lines(&made.path, &[]), expected);
    assert_eq!(lines(&made.path, &["--at", "start"]), []);
}

#[test]
fn what_is_not_there_is_refused_by_its_name() {
    let path = small();
    let refused = |command: &str, words: &[&str]| {
        let ran = ran(command, &path, words);
        assert_eq!((ran.exit, ran.out.as_str()), (Exit::Error, ""), "{words:?}");
        ran.err
    };
    assert!(refused("holders", &["--by", "owner"]).contains("snapshot"));
    assert!(refused("holders", &["--at", "999999"]).contains("no event 999999"));
    assert!(refused("holders", &["--period", "5..999999"]).contains("no event 999999"));
    assert!(refused("holders", &["--period", "999999.."]).contains("no event 999999"));
    assert!(refused("holders", &["--sort", "change"]).contains("set --period"));
    let wrong = ["--period", "1..2", "--sort", "peak"];
    assert!(refused("holders", &wrong).contains("change, all, unfreed"));
    assert!(refused("holders", &["--top", "1001"]).contains("1001"));
    assert!(refused("stacks", &["--unfreed"]).contains("--period"));
    assert!(refused("stacks", &["--at", "3", "--period", "1..2"]).contains("cannot be used with"));
    assert!(refused("stacks", &["--device", "cuda:7"]).contains("no device cuda:7"));
}
