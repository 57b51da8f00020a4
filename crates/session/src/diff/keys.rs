//! What makes a stack or an owner of one recording the same as one of another.
//!
//! Two machines keep the same code in different folders, so a file is called by what is the same on
//! both: a package's by its path below `site-packages`, the user's by its path below the folder
//! that all of the user's files lie in.

use super::Match;
use crate::{FrameKind, OnDevice, Session};
use model::{FrameId, StackId};
use std::collections::{HashMap, HashSet};

/// Texts of both sides, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lines {
    texts: Vec<String>,
    places: HashMap<String, u32>,
}

impl Lines {
    fn place(&mut self, text: String) -> u32 {
        if let Some(place) = self.places.get(&text) {
            return *place;
        }
        let place = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.places.insert(text, place);
        place
    }

    /// The text at `place`.
    pub(super) fn text(&self, place: u32) -> &str {
        &self.texts[place as usize]
    }
}

/// The keys of one recording's stacks, or owners, by their rows.
pub(super) enum Keys<'a> {
    /// The line of each frame.
    Stacks { session: &'a Session, line_of_frame: Vec<u32> },
    /// The line of each owner.
    Owners(Vec<u32>),
}

impl<'a> Keys<'a> {
    /// Of the stacks of two recordings.
    pub(super) fn stacks(sessions: [&'a Session; 2], how: Match, lines: &mut Lines) -> [Self; 2] {
        let roots = roots(sessions.map(user_files));
        let mut side = |side: usize| {
            let session = sessions[side];
            let count = session.recording().stacks.frame_count() as u32;
            let frames = (0..count).map(FrameId);
            let line = |frame| lines.place(line(session, frame, how, &roots[side]));
            Self::Stacks { session, line_of_frame: frames.map(line).collect() }
        };
        [side(0), side(1)]
    }

    /// Of the owners of a dump; `None` in a snapshot.
    pub(super) fn owners(on: OnDevice<'_>, lines: &mut Lines) -> Option<Self> {
        let recording = on.session.recording();
        on.table().track.as_deref()?;
        let owners = recording.dump.as_deref()?.owners.iter();
        let line = |owner: &model::StringId| lines.place(recording.text(*owner).to_owned());
        Some(Self::Owners(owners.map(line).collect()))
    }

    /// The key of the stack or owner in `row`.
    pub(super) fn key(&self, row: u32) -> Box<[u32]> {
        match self {
            Self::Stacks { session, line_of_frame } => {
                let frames = session.recording().stacks.frame_ids(StackId(row)).iter();
                frames.map(|frame| line_of_frame[*frame as usize]).collect()
            }
            Self::Owners(lines) => Box::new([lines[row as usize]]),
        }
    }

    /// All keys of the recording.
    pub(super) fn all(&self) -> HashSet<Box<[u32]>> {
        let count = match self {
            Self::Stacks { session, .. } => session.recording().stacks.len(),
            Self::Owners(lines) => lines.len(),
        };
        (0..count as u32).map(|row| self.key(row)).collect()
    }
}

/// A frame in one line.
fn line(session: &Session, frame: FrameId, how: Match, root: &str) -> String {
    let recording = session.recording();
    let found = recording.stacks.frame(frame);
    let (name, path) = (recording.text(found.name), recording.text(found.filename));
    let file = match how {
        Match::Function => String::new(),
        Match::Exact | Match::FileFunction => match session.frame_kind(frame) {
            FrameKind::User => below(&slashes(path), root).to_owned(),
            FrameKind::Library | FrameKind::Native => packaged(&slashes(path)).to_owned(),
        },
    };
    match found.line.filter(|_| how == Match::Exact) {
        _ if file.is_empty() || file == "??" => name.to_owned(),
        Some(number) => format!("{file}:{number} {name}"),
        None => format!("{file} {name}"),
    }
}

/// `path` as systems other than Windows write it.
fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

/// A package's file below the folder that packages lie in.
fn packaged(path: &str) -> &str {
    let after = |folder: &str| path.rfind(folder).map(|at| &path[at + folder.len()..]);
    let standard = || {
        let at = path.find("/lib/python").or_else(|| path.find("/lib64/python"))? + 1;
        let mut parts = path[at..].splitn(3, '/').skip(2);
        parts.next()
    };
    after("/site-packages/").or_else(|| after("/dist-packages/")).or_else(standard).unwrap_or(path)
}

fn below<'a>(path: &'a str, root: &str) -> &'a str {
    path.strip_prefix(root).unwrap_or(path)
}

/// The files of the user's own code that have a folder.
fn user_files(session: &Session) -> HashSet<String> {
    let recording = session.recording();
    let frames = (0..recording.stacks.frame_count() as u32).map(FrameId);
    let users = frames.filter(|frame| session.frame_kind(*frame) == FrameKind::User);
    let mut seen = HashSet::new();
    let files = users.filter_map(|frame| {
        let file = recording.stacks.frame(frame).filename;
        seen.insert(file.0).then(|| slashes(recording.text(file)))
    });
    files.filter(|file| file.contains('/')).collect()
}

/// The folder to cut off the user's files of each side: one for both where they share a file, since
/// then the code lies in the same place, else the deepest folder around all files of a side.
fn roots(files: [HashSet<String>; 2]) -> [String; 2] {
    let [a, b] = &files;
    if a.is_disjoint(b) {
        files.map(|files| common_folder(files.iter()))
    } else {
        let both = common_folder(a.union(b));
        [both.clone(), both]
    }
}

/// The deepest folder around all `files`, with its slash at the end.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a String>) -> String {
    let Some(first) = files.next() else { return String::new() };
    let folder = |path: &'a str| &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let shared = |one: &'a str, other: &'a str| {
        let letters = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other);
        let count = letters.count();
        // A folder ends with a slash, so one byte is never part of a letter here.
        one.as_bytes()[..count].iter().rposition(|byte| *byte == b'/').map_or("", |at| &one[..=at])
    };
    files.fold(folder(first), |found, file| shared(found, file)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(files: &[&str]) -> HashSet<String> {
        files.iter().map(|file| (*file).to_owned()).collect()
    }

    #[test]
    fn packages_are_called_by_their_path_below_their_folder() {
        let cases = [
            (
                "/opt/conda/lib/python3.11/site-packages/torch/nn/functional.py",
                "torch/nn/functional.py",
            ),
            ("C:/envs/a/Lib/site-packages/torch/_ops.py", "torch/_ops.py"),
            ("/usr/lib/python3/dist-packages/numpy/core.py", "numpy/core.py"),
            ("/usr/lib/python3.10/contextlib.py", "contextlib.py"),
            ("/usr/lib64/python3.9/json/decoder.py", "json/decoder.py"),
            // One environment inside another: the inner one is the package's.
            ("/a/site-packages/b/site-packages/c.py", "c.py"),
            ("<frozen runpy>", "<frozen runpy>"),
            ("??", "??"),
        ];
        for (path, name) in cases {
            assert_eq!(packaged(path), name);
        }
        assert_eq!(slashes(r"C:\me\train.py"), "C:/me/train.py");
    }

    #[test]
    fn code_in_two_places_is_called_by_its_path_below_what_all_of_it_lies_in() {
        let a = set(&["/home/me/run1/train.py", "/home/me/run1/models/net.py"]);
        let b = set(&["/data/b/train.py", "/data/b/models/net.py", "/data/b/extra.py"]);
        assert_eq!(roots([a, b]), ["/home/me/run1/", "/data/b/"]);
        // A folder's name is whole: `run1` and `run10` share nothing but what is above them.
        let a = set(&["/home/me/run1/a.py", "/home/me/run10/b.py"]);
        assert_eq!(roots([a, set(&[])]), ["/home/me/", ""]);
        assert_eq!(roots([set(&["/train.py"]), set(&["train.py"])]), ["/", ""]);
        let chinese = set(&["/home/训练/a.py", "/home/训试/b.py"]);
        assert_eq!(roots([chinese, set(&[])])[0], "/home/");
    }

    #[test]
    fn code_in_one_place_is_cut_alike_on_both_sides() {
        // Alone, the first side would be cut down to `net.py`, and match nothing.
        let a = set(&["/home/me/run/models/net.py"]);
        let b = set(&["/home/me/run/models/net.py", "/home/me/run/train.py"]);
        assert_eq!(roots([a, b]), ["/home/me/run/", "/home/me/run/"]);
    }
}
