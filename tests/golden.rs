//! The command line's answers to one small recording, as a reviewer reads them.
//!
//! `data/torch/small/` holds the recording. It stays the same when the generator changes.

use acceptance::{say, tidemark};
use cli::Exit;
use sample::{Features, Plan};
use std::ffi::OsStr;
use std::path::PathBuf;

/// How `data/torch/small/snapshot.pickle` was made.
fn plan() -> Plan {
    let features = Features {
        private_pool: true,
        oom: true,
        ring: Some(400),
        deep_stacks: false,
        pending_at_end: true,
        ..Features::default()
    };
    Plan { seed: 11, features, ..Plan::new(500) }
}

/// `TIDEMARK_FIXTURES=write cargo test -p acceptance` makes it anew.
fn small() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/torch/small");
    let path = folder.join("snapshot.pickle");
    if std::env::var_os("TIDEMARK_FIXTURES").is_some_and(|value| value == "write") {
        let mut bytes = Vec::new();
        sample::write(&plan(), &mut bytes).unwrap();
        std::fs::write(&path, bytes).unwrap();
        say("made data/torch/small/snapshot.pickle anew");
    }
    path
}

/// What `tidemark` answers to `words` with the small recording, without the parts that change from
/// run to run.
fn answer(words: &[&str]) -> String {
    let path = small();
    let mut args: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    args.insert(1, path.as_os_str());
    let ran = tidemark(&args);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""));
    let time = |line: &str| match line.split_once("\"opened_ms\": ") {
        Some((indent, _)) => format!("{indent}\"opened_ms\": [TIME],"),
        None => line.to_owned(),
    };
    let lines: Vec<String> = ran.out.lines().map(time).collect();
    lines.join("\n").replace(&*path.to_string_lossy(), "[FILE]")
}

#[test]
fn info_in_words() {
    insta::assert_snapshot!(answer(&["info"]));
}

#[test]
fn info_in_json() {
    insta::assert_snapshot!(answer(&["info", "--json"]));
}

#[test]
fn blocks_at_the_peak_in_words() {
    insta::assert_snapshot!(answer(&["blocks", "--top", "12"]));
}

#[test]
fn blocks_at_the_end_in_json() {
    insta::assert_snapshot!(answer(&["blocks", "--at", "end", "--top", "3", "--json"]));
}

#[test]
fn holders_at_the_peak_in_words() {
    insta::assert_snapshot!(answer(&["holders", "--top", "8"]));
}

#[test]
fn holders_that_never_free_in_json() {
    let words = ["holders", "--at", "end", "--sort", "unfreed", "--top", "2", "--json"];
    insta::assert_snapshot!(answer(&words));
}

#[test]
fn holders_of_a_period_in_words() {
    insta::assert_snapshot!(answer(&["holders", "--period", "100..300", "--top", "8"]));
}

#[test]
fn holders_of_a_period_in_json() {
    let words = ["holders", "--period", "100..", "--sort", "all", "--top", "2", "--json"];
    insta::assert_snapshot!(answer(&words));
}

#[test]
fn stacks_at_the_peak_as_lines() {
    insta::assert_snapshot!(answer(&["stacks"]));
}

#[test]
fn stacks_of_what_a_period_left_in_json() {
    insta::assert_snapshot!(answer(&["stacks", "--period", "100..110", "--unfreed", "--json"]));
}

#[test]
fn help() {
    let words = |args: &[&str]| tidemark(args).out;
    let all = [
        words(&["--help"]),
        words(&["help", "info"]),
        words(&["help", "blocks"]),
        words(&["help", "decompose"]),
        words(&["help", "export"]),
        words(&["help", "diff"]),
        words(&["help", "holders"]),
        words(&["help", "stacks"]),
        words(&["help", "inefficient"]),
        words(&["help", "trace"]),
    ];
    insta::assert_snapshot!(all.join("\n----\n\n"));
}
