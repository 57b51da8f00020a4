//! How the command line behaves towards a terminal and a pipe.

use acceptance::tidemark;
use cli::{Bar, Exit};
use sample::Writer;
use sample::pieces::{self, Value};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

/// A recording of one block whose stack, metadata and file name carry `text`.
fn named(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let frame = Value::dict([
        ("name", Value::text(text)),
        ("filename", Value::text(&format!("/home/me/{text}.py"))),
        ("line", Value::from(7_u32)),
    ]);
    let frames = Value::list([frame]);
    let block = Value::dict([
        ("address", Value::from(0x7000_0000_0000_u64)),
        ("size", Value::from(2 << 20)),
        ("requested_size", Value::from(2 << 20)),
        ("state", Value::text("active_allocated")),
        ("frames", frames.clone()),
    ]);
    let segment = Value::dict([
        ("device", Value::from(0)),
        ("address", Value::from(0x7000_0000_0000_u64)),
        ("total_size", Value::from(2 << 20)),
        ("stream", Value::from(0)),
        ("segment_type", Value::text("large")),
        ("segment_pool_id", Value::tuple([Value::from(0), Value::from(0)])),
        ("is_expandable", Value::from(false)),
        ("frames", Value::list([])),
        ("blocks", Value::list([block])),
    ]);
    let entry = Value::dict([
        ("action", Value::text("alloc")),
        ("addr", Value::from(0x7000_0000_0000_u64)),
        ("size", Value::from(2 << 20)),
        ("stream", Value::from(0)),
        ("frames", frames),
    ]);
    let snapshot = Value::dict([
        ("segments", Value::list([segment])),
        ("device_traces", Value::list([Value::list([entry])])),
    ]);
    let path = folder.path().join("made.pickle");
    std::fs::write(&path, pieces::bytes(&snapshot, Writer::CPython, 4)).unwrap();
    path
}

#[test]
fn texts_of_a_file_cannot_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, "\x1b]0;gotcha\x07\r\n\u{202e}evil");
    let ran = tidemark(&[OsStr::new("blocks"), path.as_os_str()]);
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    let place = r"\u{1b}]0;gotcha\u{7}\r\n\u{202e}evil";
    assert!(ran.out.contains(&format!("{place}.py:7 {place}")), "{}", ran.out);
    let steering = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
    assert!(!ran.out.contains(steering));
}

#[test]
fn letters_of_all_scripts_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, "训练");
    let ran = tidemark(&[OsStr::new("blocks"), path.as_os_str()]);
    assert!(ran.out.contains("训练.py:7 训练"), "{}", ran.out);
}

/// A pipe whose reader has gone.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk without space.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_leaves_is_a_success_and_a_full_disk_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, "main");
    for words in [["info", "--json"], ["blocks", "--json"], ["blocks", "--top=3"], ["--help", "-h"]]
    {
        let args = ["tidemark", words[0]].into_iter().map(Into::into);
        let args: Vec<std::ffi::OsString> =
            args.chain([path.clone().into_os_string(), words[1].into()]).collect();
        let mut err = Vec::new();
        let bar = Bar::hidden();
        assert_eq!(cli::run(args.clone(), &mut Gone, &mut err, &bar), Exit::Done, "{words:?}");
        assert_eq!(String::from_utf8_lossy(&err), "", "{words:?}");
        assert_eq!(cli::run(args, &mut Full, &mut err, &bar), Exit::Error, "{words:?}");
        assert!(String::from_utf8_lossy(&err).starts_with("tidemark: "), "{words:?}");
    }
}

#[test]
fn help_and_version_are_answers_and_wrong_usage_is_an_error() {
    for args in [&["--help"][..], &["help", "blocks"], &["info", "--help"], &["--version"]] {
        let ran = tidemark(args);
        assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""), "{args:?}");
    }
    assert_eq!(tidemark(&["--version"]).out, format!("tidemark {}\n", env!("CARGO_PKG_VERSION")));
    assert!(tidemark(&["help", "blocks"]).out.contains("Examples:"));
    for args in [&["frobnicate"][..], &["info"], &[], &["blocks"], &["info", "--jsno", "x"]] {
        let ran = tidemark(args);
        assert_eq!((ran.exit, ran.out.as_str()), (Exit::Error, ""), "{args:?}");
        assert!(ran.err.contains("Usage:"), "{args:?}: {}", ran.err);
    }
}
