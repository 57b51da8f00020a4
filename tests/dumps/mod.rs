//! Dumps of `msMemScope`: generated ones whose truth is known, and real ones, through the command
//! line and the wire.

mod expected;
mod golden;
mod held;
mod lives;
mod mutated;
mod odd;
mod plans;
mod real;
mod shape;
mod statistics;
mod trace;
mod untouched;

use acceptance::tidemark;
use cli::Exit;
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::path::Path;

/// What `tidemark COMMAND PATH WORDS` prints; it succeeds.
fn printed(command: &str, path: &Path, words: &[&str]) -> String {
    let words = words.iter().map(OsStr::new);
    let args: Vec<&OsStr> =
        [OsStr::new(command), path.as_os_str()].into_iter().chain(words).collect();
    let ran = tidemark(&args);
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Done, ""), "{args:?}");
    ran.out
}

/// The same as JSON.
fn answered<T: DeserializeOwned>(command: &str, path: &Path, words: &[&str]) -> T {
    let text = printed(command, path, &[words, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{command}: {error}\n{text}"))
}

/// The rows of `tidemark export PATH TABLE --columns COLUMNS` for the device in row `device`.
fn exported(path: &Path, table: &str, device: usize, columns: &str) -> Vec<Vec<String>> {
    let device = device.to_string();
    let text = printed("export", path, &[table, "--device", &device, "--columns", columns]);
    let mut rows = cells(&text);
    assert_eq!(rows.remove(0).join(","), columns);
    rows
}

/// The cells of a CSV text.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut letters = text.chars().filter(|letter| *letter != '\r').peekable();
    while let Some(letter) = letters.next() {
        match (letter, is_quoted) {
            ('"', true) if letters.peek() == Some(&'"') => cell.extend(letters.next()),
            ('"', _) => is_quoted = !is_quoted,
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            (other, _) => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty(), "the last line ends");
    rows
}
