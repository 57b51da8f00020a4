//! `tidemark --cache FOLDER`: the second run reads an index, and answers as the first did.

use crate::made::Made;
use acceptance::{Ran, outside, say, tidemark};
use cli::Exit;
use sample::memscope::Dump;
use sample::{Features, Plan};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const QUESTIONS: [&[&str]; 9] = [
    &["info"],
    &["blocks", "--top", "500"],
    &["blocks", "--at", "end", "--json"],
    &["holders", "--period", "100..700", "--json"],
    &["holders", "--sort", "unfreed"],
    &["stacks"],
    &["stacks", "--at", "end", "--json"],
    &["export", "blocks"],
    &["export", "events"],
];

/// A snapshot that is worth an index.
fn snapshot(seed: u64) -> Made {
    let features = Features { private_pool: true, oom: true, ..Features::default() };
    let made = Made::sample(&Plan { seed, features, ..Plan::new(12_000) });
    assert!(fs::metadata(&made.path).unwrap().len() > 1 << 20);
    made
}

fn ran(path: &Path, question: &[&str], more: &[&OsStr]) -> Ran {
    let (command, words) = question.split_first().unwrap();
    let words = words.iter().map(OsStr::new);
    let args: Vec<&OsStr> =
        [OsStr::new(command), path.as_os_str()].into_iter().chain(words).collect();
    tidemark(&[more, &args].concat())
}

/// What it answers, and how it says it opened the recording.
fn told(path: &Path, question: &[&str], cache: &Path) -> (String, String) {
    let more = [OsStr::new("--verbose"), OsStr::new("--cache"), cache.as_os_str()];
    let ran = ran(path, question, &more);
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    let name = path.display().to_string();
    let how = ran.err.trim_end().strip_prefix(&format!("tidemark: {name}: ")).unwrap().to_owned();
    (ran.out, how)
}

/// The same without an index, and without a word about it.
fn plainly(path: &Path, question: &[&str]) -> String {
    let ran = ran(path, question, &[]);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""), "{question:?}");
    ran.out
}

fn indexes(cache: &Path) -> Vec<PathBuf> {
    fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn is_written(how: &str) -> bool {
    how.starts_with("read in ") && how.contains("; its index is written, ")
}

fn is_reopened(how: &str) -> bool {
    how.starts_with("opened from its index in ")
}

/// The first question writes the index; it and all others are answered from it as without.
fn answers_as_the_first_time(path: &Path, cache: &Path, questions: &[&[&str]]) {
    let (first, how) = told(path, questions[0], cache);
    assert!(is_written(&how), "{how}");
    assert_eq!(first, plainly(path, questions[0]));
    let [index] = indexes(cache).try_into().unwrap();
    let written = fs::read(&index).unwrap();
    for question in questions {
        let (again, how) = told(path, question, cache);
        assert!(is_reopened(&how), "{question:?}: {how}");
        assert!(again == plainly(path, question), "{question:?}");
    }
    assert_eq!(indexes(cache), std::slice::from_ref(&index));
    assert!(fs::read(&index).unwrap() == written, "an index in the folder is never changed");
}

#[test]
fn a_second_run_answers_the_same_from_the_index() {
    let (made, cache) = (snapshot(1), tempfile::tempdir().unwrap());
    answers_as_the_first_time(&made.path, cache.path(), &QUESTIONS);
    let folder = tempfile::tempdir().unwrap();
    let (dump, _) = Dump { layers: 4, ..Dump::new(12) }.write_in(folder.path()).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let more: [&[&str]; 3] =
        [&["decompose"], &["inefficient", "--idle", "10%", "--json"], &["trace", "--json"]];
    answers_as_the_first_time(&dump, cache.path(), &[&QUESTIONS[..], &more].concat());
}

#[test]
fn an_index_with_a_wrong_bit_is_not_used_and_is_written_anew() {
    let (made, cache) = (snapshot(1), tempfile::tempdir().unwrap());
    assert!(is_written(&told(&made.path, &["info"], cache.path()).1));
    let [index] = indexes(cache.path()).try_into().unwrap();
    let whole = fs::read(&index).unwrap();
    for place in [8, whole.len() / 3, whole.len() - 20] {
        let mut flipped = whole.clone();
        flipped[place] ^= 1;
        fs::write(&index, flipped).unwrap();
        let (answer, how) = told(&made.path, &["blocks"], cache.path());
        assert!(is_written(&how), "{how}");
        assert_eq!(answer, plainly(&made.path, &["blocks"]));
        assert!(fs::read(&index).unwrap() == whole, "it is written as it was");
    }
    assert!(is_reopened(&told(&made.path, &["info"], cache.path()).1));
}

#[test]
fn an_index_of_what_the_file_was_is_not_used() {
    let (made, other, cache) = (snapshot(1), snapshot(2), TempDir::new().unwrap());
    assert!(is_written(&told(&made.path, &["blocks"], cache.path()).1));
    fs::copy(&other.path, &made.path).unwrap();
    let (answer, how) = told(&made.path, &["blocks"], cache.path());
    assert!(is_written(&how), "{how}");
    assert_eq!(answer, plainly(&other.path, &["blocks"]));
    // The one of before can never be used again.
    assert_eq!(indexes(cache.path()).len(), 1);
    assert!(is_reopened(&told(&made.path, &["blocks"], cache.path()).1));
}

#[test]
fn a_small_file_gets_no_index_and_a_folder_that_cannot_be_is_said() {
    let small = Made::sample(&Plan::new(200));
    let cache = tempfile::tempdir().unwrap();
    let (_, how) = told(&small.path, &["info"], cache.path());
    assert!(how.ends_with("none is written"), "{how}");
    assert_eq!(indexes(cache.path()).len(), 0);
    let made = snapshot(1);
    let (answer, how) = told(&made.path, &["blocks"], &small.path.join("within a file"));
    assert!(how.contains("cannot write an index"), "{how}");
    assert_eq!(answer, plainly(&made.path, &["blocks"]));
    let without = ran(&small.path, &["info"], &[OsStr::new("--verbose")]);
    assert!(without.err.contains(": read in "), "{}", without.err);
}

/// Bytes of the largest file of the corpus that is opened.
const MOST_BYTES: u64 = 400 << 20;

/// All that `info` and `blocks` say, twice: from the file and from its index.
fn says_the_same_again(path: &Path) {
    let cache = tempfile::tempdir().unwrap();
    let questions: [&[&str]; 2] = [&["info", "--json"], &["blocks", "--top", "100000", "--json"]];
    let without_time = |answer: &str| {
        let lines = answer.lines().filter(|line| !line.trim_start().starts_with("\"opened_ms\""));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (first, how) = told(path, questions[0], cache.path());
    assert!(is_written(&how), "{}: {how}", path.display());
    let (again, how) = told(path, questions[0], cache.path());
    assert!(is_reopened(&how), "{}: {how}", path.display());
    assert!(without_time(&first) == without_time(&again), "{}", path.display());
    let devices: Vec<wire::FileReport> = serde_json::from_str(&first).unwrap();
    let devices = devices[0].recording.as_ref().unwrap().devices.len();
    for device in 0..devices {
        let device = device.to_string();
        let question = [questions[1], &["--device", &device]].concat();
        let (again, how) = told(path, &question, cache.path());
        assert!(is_reopened(&how), "{}: {how}", path.display());
        assert!(again == plainly(path, &question), "{}", path.display());
    }
}

#[test]
fn a_large_snapshot_says_the_same_again() {
    let features = Features { private_pool: true, oom: true, ..Features::default() };
    let made = Made::sample(&Plan { seed: 3, features, ..Plan::new(400_000) });
    assert!(fs::metadata(&made.path).unwrap().len() > 30 << 20);
    says_the_same_again(&made.path);
}

#[test]
fn files_of_the_corpus_say_the_same_again() {
    let Some(corpus) = outside("TIDEMARK_CORPUS", "../shared/corpus") else { return };
    let (mut folders, mut seen) = (vec![corpus], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::metadata(&path).unwrap().len();
            if path.is_dir() {
                folders.push(path);
            } else if (1 << 20..MOST_BYTES).contains(&bytes) && opens(&path) {
                says_the_same_again(&path);
                seen += 1;
            }
        }
    }
    say(&format!("{seen} files of the corpus say the same again"));
    assert!(seen > 5, "{seen}");
}

fn opens(path: &Path) -> bool {
    tidemark(&[OsStr::new("info"), path.as_os_str()]).exit == Exit::Done
}
