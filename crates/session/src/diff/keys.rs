//! What makes a stack or an owner of one recording the same as one of another.
//!
//! Two machines keep the same code in different folders, so a file is called by what is the same on
//! both: a package's by its path below `site-packages`, the user's by its path below the folder
//! that the code lies in.

use super::Match;
use crate::{FrameKind, OnDevice, Session};
use model::{FrameId, StackId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
        let roots = roots(&sessions.map(user_files));
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

    /// The line of a frame; `None` among owners.
    pub(super) fn frame_line(&self, frame: FrameId) -> Option<u32> {
        match self {
            Self::Stacks { line_of_frame, .. } => line_of_frame.get(frame.row()).copied(),
            Self::Owners(_) => None,
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

/// The files of the user's own code.
fn user_files(session: &Session) -> BTreeSet<String> {
    let recording = session.recording();
    let frames = (0..recording.stacks.frame_count() as u32).map(FrameId);
    let users = frames.filter(|frame| session.frame_kind(*frame) == FrameKind::User);
    let mut seen = HashSet::new();
    let files = users.filter_map(|frame| {
        let file = recording.stacks.frame(frame).filename;
        seen.insert(file.0).then(|| slashes(recording.text(file)))
    });
    files.filter(|file| !file.starts_with('<')).collect()
}

/// The folder to cut off the user's files of each side.
///
/// Files of one name on both sides say by how much of their paths is alike what each side's folder
/// is; that for which most is alike is taken. Where no name is shared it is the deepest folder
/// around all files of a side.
fn roots(files: &[BTreeSet<String>; 2]) -> [String; 2] {
    let Some([a, b]) = likely_roots(files) else {
        let with_folder = |file: &&String| file.contains('/');
        return files.each_ref().map(|files| common_folder(files.iter().filter(with_folder)));
    };
    // What all files below both still share says nothing.
    let stripped: Vec<String> = [(&a, &files[0]), (&b, &files[1])]
        .into_iter()
        .flat_map(|(root, files)| files.iter().filter_map(|file| file.strip_prefix(root.as_str())))
        .map(str::to_owned)
        .collect();
    let shared = common_folder(stripped.iter());
    [a + &shared, b + &shared]
}

/// Names that so many pairs of files share, such as `__init__.py`, say nothing.
const MOST_PAIRS: usize = 64;

fn likely_roots(files: &[BTreeSet<String>; 2]) -> Option<[String; 2]> {
    let mut by_name: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
    for (side, files) in files.iter().enumerate() {
        for file in files {
            by_name.entry(&file[folder_len(file)..]).or_default()[side].push(file);
        }
    }
    let mut votes: BTreeMap<[&str; 2], usize> = BTreeMap::new();
    for [a, b] in by_name.values().filter(|[a, b]| a.len() * b.len() <= MOST_PAIRS) {
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))) {
            let (parts, roots) = alike(a, b);
            *votes.entry(roots).or_default() += parts;
        }
    }
    let best = votes.into_iter().max_by_key(|([a, b], votes)| {
        let deep = a.len() + b.len();
        (*votes, Reverse(deep), Reverse([(*a).min(*b), (*a).max(*b)]))
    });
    best.map(|(roots, _)| roots.map(str::to_owned))
}

/// How many of the last parts of two paths are the same, and what is before them.
fn alike<'a>(a: &'a str, b: &'a str) -> (usize, [&'a str; 2]) {
    let parts = a.rsplit('/').zip(b.rsplit('/')).take_while(|(a, b)| a == b);
    let (count, bytes) =
        parts.fold((0, 0), |(count, bytes), (part, _)| (count + 1, bytes + part.len() + 1));
    // A path that is alike as a whole has no slash before it.
    (count, [a, b].map(|path| &path[..(path.len() + 1).saturating_sub(bytes)]))
}

/// Bytes of the folder a file is in, with its slash.
fn folder_len(path: &str) -> usize {
    path.rfind('/').map_or(0, |at| at + 1)
}

/// The deepest folder around all `files`, with its slash at the end.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a String>) -> String {
    let Some(first) = files.next() else { return String::new() };
    let shared = |one: &'a str, other: &'a str| {
        let letters = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other);
        let count = letters.count();
        // A folder ends with a slash, so one byte is never part of a letter here.
        one.as_bytes()[..count].iter().rposition(|byte| *byte == b'/').map_or("", |at| &one[..=at])
    };
    files.fold(&first[..folder_len(first)], |found, file| shared(found, file)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots<const N: usize, const M: usize>(a: [&str; N], b: [&str; M]) -> [String; 2] {
        let a = a.map(str::to_owned).into_iter().collect();
        super::roots(&[a, b.map(str::to_owned).into_iter().collect()])
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
    fn code_in_two_places_is_called_by_its_path_below_where_it_lies() {
        let a = ["/home/me/run1/train.py", "/home/me/run1/models/net.py"];
        let b = ["/data/b/train.py", "/data/b/models/net.py", "/data/b/extra.py"];
        assert_eq!(roots(a, b), ["/home/me/run1/", "/data/b/"]);
        assert_eq!(roots(b, a), ["/data/b/", "/home/me/run1/"]);
        // A file beside the project on one side alone does not move the others.
        let b = ["/data/b/proj/train.py"];
        assert_eq!(roots(["/me/proj/train.py", "/me/other/x.py"], b), ["/me/", "/data/b/"]);
        // Two files of one name: the longer likeness tells which is which.
        let b = ["/b/models/run.py", "/b/run.py"];
        assert_eq!(roots(["/a/run.py", "/a/models/run.py"], b), ["/a/", "/b/"]);
        assert_eq!(roots(["/train.py"], ["train.py"]), ["/", ""]);
    }

    #[test]
    fn code_in_one_place_is_cut_alike_on_both_sides() {
        // Alone, the first side would be cut down to `net.py`, and match nothing.
        let a = ["/home/me/run/models/net.py"];
        let b = ["/home/me/run/models/net.py", "/home/me/run/train.py"];
        assert_eq!(roots(a, b), ["/home/me/run/", "/home/me/run/"]);
    }

    #[test]
    fn code_that_shares_no_name_is_cut_below_what_all_of_it_lies_in() {
        // A folder's name is whole: `run1` and `run10` share nothing but what is above them.
        let a = ["/home/me/run1/a.py", "/home/me/run10/b.py", "c.py"];
        assert_eq!(roots(a, []), ["/home/me/", ""]);
        assert_eq!(roots(["/home/训练/a.py", "/home/训试/b.py"], ["/x/c.py"]), ["/home/", "/x/"]);
    }
}
