//! The command line's answers to the dump that ships with the app, as a reviewer reads them.

use super::printed;
use std::path::PathBuf;

fn bundled() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/memscope_sample.db")
}

/// What `tidemark` answers to `words`, without the parts that change from run to run.
fn answer(words: &[&str]) -> String {
    let path = bundled();
    let text = printed(words[0], &path, &words[1..]);
    let time = |line: &str| match line.split_once("\"opened_ms\": ") {
        Some((indent, _)) => format!("{indent}\"opened_ms\": [TIME],"),
        None => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(time).collect();
    lines.join("\n").replace(&*path.to_string_lossy(), "[FILE]")
}

/// The first lines of a long answer, and how many there are.
fn first(count: usize, text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(count).collect();
    format!("{}\n({} lines)", lines.join("\n"), text.lines().count())
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
fn decompose_at_the_peak_in_words() {
    insta::assert_snapshot!(answer(&["decompose"]));
}

#[test]
fn decompose_two_moments_in_words() {
    insta::assert_snapshot!(answer(&["decompose", "--at", "start", "--then", "end"]));
}

#[test]
fn decompose_hal_in_json() {
    insta::assert_snapshot!(answer(&[
        "decompose",
        "--device",
        "npu:0 HAL",
        "--at",
        "end",
        "--json"
    ]));
}

#[test]
fn holders_by_owner_in_words() {
    insta::assert_snapshot!(answer(&["holders", "--device", "npu:0 PTA", "--at", "end"]));
}

#[test]
fn holders_of_a_period_by_owner_in_words() {
    insta::assert_snapshot!(answer(&[
        "holders", "--period", "..", "--sort", "unfreed", "--top", "5"
    ]));
}

#[test]
fn inefficient_in_words() {
    insta::assert_snapshot!(answer(&[
        "inefficient",
        "--lazy",
        "1ms",
        "--delayed",
        "20%",
        "--idle",
        "2ms",
        "--top",
        "4"
    ]));
}

#[test]
fn inefficient_in_json() {
    insta::assert_snapshot!(answer(&["inefficient", "--delayed", "50%", "--top", "2", "--json"]));
}

#[test]
fn trace_in_words() {
    insta::assert_snapshot!(answer(&["trace", "--top", "8"]));
}

#[test]
fn trace_search_in_json() {
    insta::assert_snapshot!(answer(&["trace", "--search", "backward", "--top", "2", "--json"]));
}

#[test]
fn export_blocks() {
    insta::assert_snapshot!(first(12, &answer(&["export", "blocks"])));
}

#[test]
fn export_events() {
    insta::assert_snapshot!(first(30, &answer(&["export", "events"])));
}
