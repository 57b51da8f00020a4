//! What acceptance tests share: running the command line in this process, and finding the corpus.

use cli::{Bar, Exit};
use session::{Job, Session};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use wire::{FileReport, LiveSet, Summary};

/// What one run of `tidemark` did.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// What it answered.
    pub out: String,
    /// What it complained about.
    pub err: String,
}

/// Runs `tidemark` with `args`.
pub fn tidemark<T: AsRef<OsStr>>(args: &[T]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let program = std::iter::once(OsStr::new("tidemark").to_owned());
    let args = program.chain(args.iter().map(|arg| arg.as_ref().to_owned()));
    let exit = cli::run(args, &mut out, &mut err, &Bar::hidden());
    let text = |bytes| String::from_utf8(bytes).expect("the command line writes UTF-8");
    Ran { exit, out: text(out), err: text(err) }
}

/// `tidemark info --json` of one file.
pub fn report(path: &Path) -> FileReport {
    let ran = tidemark(&[OsStr::new("info"), OsStr::new("--json"), path.as_os_str()]);
    let mut reports: Vec<FileReport> =
        serde_json::from_str(&ran.out).expect("info answers in JSON, whatever the file");
    assert_eq!(reports.len(), 1, "one report a file");
    let report = reports.remove(0);
    let expected = if report.error.is_some() { Exit::Error } else { Exit::Done };
    assert_eq!(ran.exit, expected, "{}", ran.err);
    report
}

/// `tidemark info --json` of one file that opens.
pub fn info(path: &Path) -> Summary {
    let report = report(path);
    report.recording.unwrap_or_else(|| panic!("{}: {:?}", report.file, report.error))
}

/// `tidemark blocks --json` of one file.
pub fn blocks(path: &Path, device: &str, at: &str, top: usize) -> LiveSet {
    let top = top.to_string();
    let words = ["--json", "--device", device, "--at", at, "--top", &top].map(OsStr::new);
    let args = [&[OsStr::new("blocks"), path.as_os_str()], words.as_slice()].concat();
    let ran = tidemark(&args);
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("blocks answers in JSON")
}

/// Opens `path` below the command line, for many questions to one big file.
pub fn open(path: &Path) -> Session {
    Session::open(path, &Job::unwatched()).unwrap_or_else(|error| panic!("{error}"))
}

/// A folder of inputs that are not part of the project: `variable`, or `beside` the repository.
///
/// `None` where there is none, which is said; on a build server (`CI=true`) that is a failure.
pub fn outside(variable: &str, beside: &str) -> Option<PathBuf> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository");
    let folder = std::env::var_os(variable).map_or_else(|| root.join(beside), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    let missing = format!("skipped: no folder {}; set {variable}", folder.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    say(&missing);
    None
}

/// Says something that a person who runs the tests should see (with `--nocapture`).
#[expect(clippy::print_stdout, reason = "the test harness shows it")]
pub fn say(words: &str) {
    println!("{words}");
}
