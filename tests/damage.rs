//! Broken, hostile and foreign files through the command line: refused in words or shown with
//! remarks, never a crash.

use acceptance::{Ran, blocks, info, report, tidemark};
use cli::Exit;
use sample::{Features, Plan};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use wire::{ErrorCode, FileReport, WireError};

/// A folder with one generated recording.
fn recording() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.pickle");
    let features = Features { private_pool: true, ..Features::default() };
    sample::write_files(&Plan { features, ..Plan::new(3_000) }, &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    (folder, path, bytes)
}

/// What `info` says of a file that holds `bytes`.
fn told(bytes: &[u8]) -> FileReport {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.pickle");
    std::fs::write(&path, bytes).unwrap();
    report(&path)
}

fn refused(bytes: &[u8]) -> WireError {
    told(bytes).error.expect("this file is refused")
}

fn remarks(report: &FileReport) -> Vec<&str> {
    let summary = report.recording.as_ref().expect("this file opens");
    summary.remarks.iter().map(|remark| remark.code.as_str()).collect()
}

fn info_in_words(paths: &[&Path]) -> Ran {
    let args: Vec<&OsStr> = std::iter::once(OsStr::new("info"))
        .chain(paths.iter().map(|path| path.as_os_str()))
        .collect();
    tidemark(&args)
}

#[test]
fn a_truncated_file_shows_what_comes_before_the_cut() {
    let (_folder, path, bytes) = recording();
    let whole = info(&path);
    // A tenth of the file ends among the segments.
    assert!(remarks(&told(&bytes[..bytes.len() / 10])).contains(&"truncated"));
    let mut events = 0;
    for percent in [50, 90, 99] {
        let report = told(&bytes[..bytes.len() * percent / 100]);
        assert!(remarks(&report).contains(&"truncated"), "{percent} %: {:?}", remarks(&report));
        let device = report.recording.unwrap().devices.remove(0);
        assert!(device.events >= events, "{percent} %");
        events = device.events;
        // Segments come first in the file, so they are all there.
        assert_eq!(device.segments, whole.devices[0].segments, "{percent} %");
        assert_eq!(device.end, whole.devices[0].end, "{percent} %");
    }
    assert!(events > 0);
}

#[test]
fn any_prefix_is_answered() {
    let (_folder, _path, bytes) = recording();
    let step = bytes.len() / 97;
    for length in (0..40).chain((40..bytes.len()).step_by(step)) {
        let report = told(&bytes[..length]);
        match (&report.recording, &report.error) {
            (Some(_), None) => assert!(remarks(&report).contains(&"truncated"), "{length}"),
            (None, Some(error)) => assert!(!error.message.is_empty(), "{length}"),
            both => panic!("{length}: {both:?}"),
        }
    }
}

#[test]
fn any_flipped_byte_is_answered() {
    let (_folder, _path, bytes) = recording();
    for at in (0..bytes.len()).step_by(bytes.len() / 211) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        let report = told(&broken);
        assert!(report.recording.is_some() != report.error.is_some(), "{at}");
    }
}

#[test]
fn trailing_bytes_are_remarked_and_change_nothing() {
    let (_folder, path, bytes) = recording();
    let (whole, report) = (info(&path), told(&[&bytes, &[0_u8; 4096][..]].concat()));
    assert!(remarks(&report).contains(&"trailing_bytes"), "{:?}", remarks(&report));
    let device = &report.recording.unwrap().devices[0];
    assert_eq!((device.events, device.end), (whole.devices[0].events, whole.devices[0].end));
}

#[test]
fn a_pickle_that_wants_to_run_code_is_refused_by_name() {
    // What pickling an object whose `__reduce__` is `(os.system, ('true',))` gives.
    let cases: [(&[u8], &str); 4] = [
        (b"\x80\x02cposix\nsystem\nq\x00X\x04\x00\x00\x00trueq\x01\x85q\x02Rq\x03.", "GLOBAL"),
        (
            b"\x80\x04\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x04true\x94\x85\x94R\x94.",
            "STACK_GLOBAL",
        ),
        (b"\x80\x02(iposix\nsystem\n.", "INST"),
        (b"\x80\x02}X\x08\x00\x00\x00segmentscposix\nsystem\n(X\x04\x00\x00\x00truetRs.", "GLOBAL"),
    ];
    for (bytes, opcode) in cases {
        let error = refused(bytes);
        assert_eq!(error.code, ErrorCode::WantsCode, "{opcode}: {}", error.message);
        assert!(error.message.contains(opcode), "{opcode}: {}", error.message);
    }
    assert!(refused(cases[0].0).message.contains("posix.system"));
    // Protocol 0 is letters only: whatever it is taken for, it is refused and not run.
    assert_ne!(refused(b"cos\nsystem\n(S'true'\ntR.").code, ErrorCode::Bug);
}

#[test]
fn what_is_no_recording_is_refused_with_what_was_found() {
    assert!(!refused(b"").message.is_empty());
    for bytes in [
        &b"PK\x03\x04 not really a zip"[..],
        b"\x89PNG\r\n\x1a\n0000",
        b"SQLite format 3\0 and so on",
        b"#!/bin/sh\necho hello\n",
        b"{\"traceEvents\": []}",
        b"\x80\x04K\x07.",
        b"\x80\x04]\x94.",
        b"\x80\xff.",
    ] {
        let error = refused(bytes);
        assert_ne!(error.code, ErrorCode::Bug, "{}", error.message);
    }
}

#[test]
fn missing_files_and_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (path, code) in [
        (folder.path().join("missing.pickle"), ErrorCode::Unreadable),
        // A folder may be a recording; this one is none.
        (folder.path().to_owned(), ErrorCode::NotRecognized),
    ] {
        let ran = info_in_words(&[&path]);
        assert_eq!((ran.exit, ran.out.as_str()), (Exit::Error, ""));
        assert!(ran.err.contains(&*path.to_string_lossy()), "{}", ran.err);
        assert_eq!(report(&path).error.unwrap().code, code);
    }
}

#[test]
fn one_refused_file_does_not_stop_the_others() {
    let (folder, path, _bytes) = recording();
    let missing = folder.path().join("missing.pickle");
    let ran = info_in_words(&[&path, &missing, &path]);
    assert_eq!(ran.exit, Exit::Error);
    assert_eq!(ran.out.matches("sound.pickle").count(), 2);
    assert_eq!(ran.err.matches("tidemark:").count(), 1);
    let args = [OsStr::new("info"), OsStr::new("--json"), missing.as_os_str(), path.as_os_str()];
    let ran = tidemark(&args);
    let reports: Vec<FileReport> = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.exit, Exit::Error);
    assert!(reports[0].error.is_some() && reports[1].recording.is_some());
}

#[test]
fn the_same_bytes_under_another_name_give_the_same_answers() {
    let (folder, path, bytes) = recording();
    let other = folder.path().join("unknown");
    std::fs::write(&other, bytes).unwrap();
    let (one, two) = (info(&path), info(&other));
    let json = |devices| serde_json::to_string(devices).unwrap();
    assert_eq!(json(&one.devices), json(&two.devices));
}

#[test]
fn a_moment_or_a_device_that_is_not_there_is_an_error() {
    let (_folder, path, _bytes) = recording();
    let path = path.as_os_str();
    let run = |words: [&str; 2]| {
        let words = words.map(OsStr::new);
        tidemark(&[OsStr::new("blocks"), path, words[0], words[1]])
    };
    for (words, complaint) in [
        (["--at", "3000"], "no event 3000: cuda:0 has events 0 to 2999"),
        (["--device", "cuda:7"], "no device cuda:7: the recording has cuda:0"),
        (["--device", "1"], "no device 1: the recording has cuda:0"),
        (["--at", "noon"], "neither an event's number nor one of peak, start, end"),
        (["--top", "many"], "invalid value 'many'"),
    ] {
        let ran = run(words);
        assert_eq!((ran.exit, ran.out.as_str()), (Exit::Error, ""), "{words:?}");
        assert!(ran.err.contains(complaint), "{words:?}: {}", ran.err);
    }
}

#[test]
fn the_start_may_be_named_as_the_answers_name_it() {
    let (_folder, path, _bytes) = recording();
    let (one, two) = (blocks(&path, "0", "start", 5), blocks(&path, "cuda:0", "-1", 5));
    assert_eq!((one.event, two.event), (-1, -1));
    assert_eq!(one.blocks, two.blocks);
}
