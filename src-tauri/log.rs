//! A small log on this machine: what the program did, and nothing of what recordings hold.
//!
//! Lines are short, the file is bounded, and a few older ones are kept beside it. No line names a
//! file or has a text out of one: [`without_names`] and [`of_panic`] see to it.

use std::any::Any;
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use time::OffsetDateTime;

/// Bytes of a file before the next is begun.
const MOST_BYTES: u64 = 256 << 10;
/// Files kept beside the one that is written to.
const OLDER: u32 = 2;
/// Characters of a line.
const MOST_CHARS: usize = 600;
/// Lines at hand for a report, those of the start before among them.
const LAST: usize = 40;

static LOG: OnceLock<Log> = OnceLock::new();

/// A log in a folder, or in memory alone where there is none.
pub(crate) struct Log(Mutex<Written>);

struct Written {
    folder: Option<PathBuf>,
    file: Option<File>,
    bytes: u64,
    most: u64,
    last: VecDeque<String>,
}

impl Log {
    /// Goes on with the log in `folder`. A folder that cannot be written is as none.
    fn in_folder(folder: Option<PathBuf>, most: u64) -> Self {
        let before = folder.as_deref().and_then(|folder| fs::read(current(folder)).ok());
        let before = String::from_utf8_lossy(before.as_deref().unwrap_or_default()).into_owned();
        let lines = before.lines().rev().take(LAST).map(str::to_owned);
        let mut last: VecDeque<String> = lines.collect();
        last.make_contiguous().reverse();
        let mut written = Written { folder, file: None, bytes: 0, most, last };
        written.open();
        Self(Mutex::new(written))
    }

    fn write(&self, text: &str) {
        let line = format!("{} {}", in_utc(SystemTime::now()), one_line(text));
        self.written().add(line);
    }

    fn last(&self) -> Vec<String> {
        self.written().last.iter().cloned().collect()
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        // At worst the last line is cut.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Written {
    fn open(&mut self) {
        let Some(folder) = &self.folder else { return };
        let path = current(folder);
        let made = fs::create_dir_all(folder);
        self.file =
            made.and_then(|()| OpenOptions::new().create(true).append(true).open(&path)).ok();
        let meta = self.file.as_ref().and_then(|file| file.metadata().ok());
        self.bytes = meta.map_or(0, |meta| meta.len());
    }

    /// What cannot be written is not: a full disk is no reason to stop.
    fn add(&mut self, line: String) {
        let bytes = line.len() as u64 + 1;
        if self.bytes > 0 && self.bytes + bytes > self.most {
            self.roll();
        }
        if let Some(file) = &mut self.file
            && writeln!(file, "{line}").is_ok()
        {
            self.bytes += bytes;
        }
        if self.last.len() == LAST {
            self.last.pop_front();
        }
        self.last.push_back(line);
    }

    /// The file becomes an older one, the oldest goes, and a new one is begun.
    fn roll(&mut self) {
        let Some(folder) = &self.folder else { return };
        self.file = None;
        for age in (1..OLDER).rev() {
            drop(fs::rename(older(folder, age), older(folder, age + 1)));
        }
        drop(fs::rename(current(folder), older(folder, 1)));
        self.open();
    }
}

fn current(folder: &Path) -> PathBuf {
    folder.join("tidemark.log")
}

fn older(folder: &Path, age: u32) -> PathBuf {
    folder.join(format!("tidemark.{age}.log"))
}

/// Begins the log, once; `system` is where it goes unless the environment names a folder.
pub(crate) fn begin(system: Option<PathBuf>) {
    let chosen = std::env::var_os(crate::remembering::FOLDER).filter(|folder| !folder.is_empty());
    let folder = chosen.map(|folder| Path::new(&folder).join("logs")).or(system);
    LOG.get_or_init(|| Log::in_folder(folder, MOST_BYTES));
}

/// Adds a line, which names no file and has no text out of one; nothing before [`begin`].
pub(crate) fn add(text: &str) {
    if let Some(log) = LOG.get() {
        log.write(text);
    }
}

/// The last lines, the oldest first.
pub(crate) fn last() -> Vec<String> {
    LOG.get().map(Log::last).unwrap_or_default()
}

/// Has every panic in the log, besides where it was told before.
pub(crate) fn hear_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        add(&of_panic(info.payload(), info.location()));
        before(info);
    }));
}

/// Where it was. What it says only when the words stand in the program: a message that was put
/// together may have a name or a text of the recording in it.
fn of_panic(payload: &(dyn Any + Send), location: Option<&Location<'_>>) -> String {
    let place = location.map_or_else(|| "somewhere".to_owned(), ToString::to_string);
    match payload.downcast_ref::<&'static str>() {
        Some(words) => format!("panic at {place}: {words}"),
        None => format!("panic at {place}"),
    }
}

/// `text` without what is quoted in it and without paths: what went wrong in the page, and where.
pub(crate) fn without_names(text: &str) -> String {
    let lines = text.lines().take(12).map(|line| {
        let line = unquoted(line);
        line.split_whitespace().map(placed).collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join(" | ")
}

/// From the first quote to the last: quotes in quotes go too. One that has no end hides the rest.
fn unquoted(line: &str) -> String {
    let quote = |c: char| matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘');
    let Some(begin) = line.find(quote) else { return line.to_owned() };
    let end = line.rfind(quote).filter(|end| *end > begin);
    let rest = end.map_or("", |end| line[end..].trim_start_matches(quote));
    format!("{}…{rest}", &line[..begin])
}

/// A place in the page by its script alone; any other path is left out.
fn placed(word: &str) -> &str {
    if !word.contains(['/', '\\']) {
        return word;
    }
    let is_ours = word.contains("tauri://localhost/") || word.contains("://tauri.localhost/");
    if is_ours { word.rsplit('/').next().unwrap_or("…") } else { "…" }
}

/// `2026-01-31T12:00:00.001Z`, as RFC 3339 has it: lines of several machines sort by it.
fn in_utc(moment: SystemTime) -> String {
    let moment = OffsetDateTime::from(moment);
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second, milli) = moment.to_hms_milli();
    let month = u8::from(month);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

fn one_line(text: &str) -> String {
    text.chars().take(MOST_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::aside;
    use std::time::Duration;

    #[test]
    fn it_rolls_and_stays_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::in_folder(Some(folder.path().to_owned()), 1000);
        for number in 0..200 {
            log.write(&format!("line {number} {}", "x".repeat(2000)));
            log.write(&format!("short {number}"));
        }
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            assert!(entry.metadata().unwrap().len() <= 1000);
            names.push(entry.file_name().into_string().unwrap());
        }
        names.sort();
        assert_eq!(names, ["tidemark.1.log", "tidemark.2.log", "tidemark.log"]);
        assert_eq!(log.last().len(), LAST);
        assert!(log.last().last().unwrap().ends_with("short 199"));
    }

    #[test]
    fn the_lines_of_the_start_before_are_at_hand() {
        let folder = tempfile::tempdir().unwrap();
        let begin = || Log::in_folder(Some(folder.path().join("logs")), 1000);
        begin().write("first");
        begin().write("second\nand on");
        let last = begin().last();
        assert_eq!(last.len(), 2);
        assert!(last[0].ends_with(" first") && last[1].ends_with(" second and on"), "{last:?}");
    }

    #[test]
    fn without_a_folder_it_is_kept_in_memory() {
        let log = Log::in_folder(None, 10);
        log.write("one line");
        assert!(log.last()[0].ends_with("one line"));
    }

    #[test]
    fn a_line_begins_with_its_moment_in_utc() {
        let at = |seconds: u64, millis: u64| {
            let since = Duration::from_secs(seconds) + Duration::from_millis(millis);
            in_utc(SystemTime::UNIX_EPOCH + since)
        };
        assert_eq!(at(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400, 7), "2000-02-29T00:00:00.007Z");
        assert_eq!(at(1_759_252_584, 999), "2025-09-30T17:16:24.999Z");
        let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1);
        assert_eq!(in_utc(before), "1969-12-31T23:59:59.999Z");
        let log = Log::in_folder(None, 10);
        let (from, now) = (in_utc(SystemTime::now()), || in_utc(SystemTime::now()));
        log.write("opened");
        let lines = log.last();
        let (moment, words) = lines[0].split_once(' ').unwrap();
        // Such moments sort as text.
        assert!((from..=now()).contains(&moment.to_owned()), "{moment}");
        assert_eq!(words, "opened");
    }

    #[test]
    fn names_and_paths_are_left_out() {
        let error = "TypeError: no 'my \"secret\" run' in /home/me/run.pickle\n\
            draw@tauri://localhost/assets/index-a1.js:10:123";
        assert_eq!(without_names(error), "TypeError: no … in … | index-a1.js:10:123");
        assert_eq!(without_names("cut 'secret"), "cut …");
        assert_eq!(without_names("plain words"), "plain words");
    }

    #[test]
    fn a_panic_in_a_question_is_in_the_log_and_the_next_question_is_answered() {
        let folder = tempfile::tempdir().unwrap();
        LOG.get_or_init(|| Log::in_folder(Some(folder.path().to_owned()), MOST_BYTES));
        hear_panics();
        let ask = |name: &'static str| {
            let work = move || {
                assert!(name.is_empty(), "no {name} here");
                Ok(7)
            };
            tauri::async_runtime::block_on(aside("scene", work))
        };
        assert!(ask("secret_layer").is_err());
        assert_eq!(ask("").unwrap(), 7);
        let refused = || Err::<(), _>(crate::sessions::closed());
        assert!(tauri::async_runtime::block_on(aside("pool", refused)).is_err());
        let log = last().join("\n");
        assert!(log.contains("panic at src-tauri/log.rs:"), "{log}");
        assert!(log.contains("scene: Bug") && log.contains("pool: Closed"), "{log}");
        assert!(!log.contains("secret_layer"), "{log}");
    }

    #[test]
    fn words_of_the_program_are_told() {
        let told = of_panic(&"a state for every event", None);
        assert_eq!(told, "panic at somewhere: a state for every event");
        assert_eq!(of_panic(&"about layer.0".to_owned(), None), "panic at somewhere");
    }
}
