//! Files that somebody outside the page wants opened: the command line, a second start of the
//! program, the system's file manager.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tauri::{AppHandle, Emitter, Manager, WebviewWindow};

/// Tells the page that something waits for it.
const WAITS: &str = "asked";

/// Switches a start of the program to a life of its own, apart from the program that runs.
const APART: &str = "--new-instance";

/// Files that wait for a window.
#[derive(Default)]
pub(crate) struct Asked(Mutex<Vec<PathBuf>>);

impl Asked {
    /// What waits, once.
    pub(crate) fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets `paths` wait for the next window that looks.
    pub(crate) fn put(&self, paths: Vec<PathBuf>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(paths);
    }
}

/// The files that `arguments`, the program's name first, name from folder `at`.
pub(crate) fn files(arguments: impl IntoIterator<Item = String>, at: &Path) -> Vec<PathBuf> {
    let words = arguments.into_iter().skip(1).filter(|word| !word.starts_with('-'));
    let whole = |word: String| {
        let path = at.join(word);
        std::path::absolute(&path).unwrap_or(path)
    };
    words.map(whole).collect()
}

/// Whether this start of the program has nothing to do with one that runs.
pub(crate) fn is_apart() -> bool {
    // One that keeps its list elsewhere is another program: a test, or one that is tried out.
    std::env::args_os().any(|word| word == APART)
        || std::env::var_os(crate::remembering::FOLDER).is_some()
}

/// Opens `paths` in the window last used, which comes to the front.
pub(crate) fn open(app: &AppHandle, paths: Vec<PathBuf>) {
    app.state::<Arc<Asked>>().put(paths);
    let Some(window) = front(app) else { return };
    // A window that is being closed need not come to the front, nor hear of files.
    drop(window.unminimize().and_then(|()| window.set_focus()));
    drop(window.emit_to(window.label(), WAITS, ()));
}

/// The window in front, or the first one.
fn front(app: &AppHandle) -> Option<WebviewWindow> {
    let windows = app.webview_windows();
    let focused = windows.values().find(|window| window.is_focused().unwrap_or(false));
    let first = || windows.get("main").or_else(|| windows.values().next());
    focused.or_else(first).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_names_files_from_where_it_was_written() {
        let words = ["tidemark-app", "one.db", "--new-instance", "/r/two.pickle"];
        let found = files(words.map(str::to_owned), Path::new("/home/me"));
        assert_eq!(found, [Path::new("/home/me/one.db"), Path::new("/r/two.pickle")]);
    }

    #[test]
    fn a_file_that_waits_is_opened_once() {
        let asked = Asked::default();
        asked.put(vec!["/r/one".into()]);
        asked.put(vec!["/r/two".into()]);
        assert_eq!(asked.take(), [Path::new("/r/one"), Path::new("/r/two")]);
        assert!(asked.take().is_empty());
    }
}
