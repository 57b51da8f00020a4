//! An index that was forged, checksum and all, is refused or answers; nothing panics.

use super::reopened::answers;
use crate::kept::source;
use crate::*;
use ::store::fuzz::{forge, lists};
use proptest::prelude::*;
use proptest::sample::Index;
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A recording and its index.
struct Sample {
    _folder: TempDir,
    path: PathBuf,
    /// Name of the index.
    name: String,
    index: Vec<u8>,
}

impl Sample {
    fn of(folder: TempDir, path: PathBuf) -> Self {
        let job = Job::unwatched();
        let store = Store::new(folder.path().join("cache"), u64::MAX);
        let read = source(&path, &job).unwrap().unwrap();
        let session = Session::open(&path, &job).unwrap();
        session.write_index(&store, (&path, &read), &job).unwrap();
        let written = std::fs::read_dir(store.folder()).unwrap().next().unwrap().unwrap();
        let index = std::fs::read(written.path()).unwrap();
        let name = written.file_name().into_string().unwrap();
        Self { _folder: folder, path, name, index }
    }

    fn snapshot() -> &'static Self {
        static MADE: OnceLock<Sample> = OnceLock::new();
        MADE.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("run.pickle");
            let features = sample::Features {
                private_pool: true,
                side_stream: true,
                annotations: true,
                oom: true,
                pending_at_end: true,
                expandable: true,
                ring: Some(400),
                ..sample::Features::default()
            };
            let mut bytes = Vec::new();
            sample::write(&sample::Plan { features, ..sample::Plan::new(600) }, &mut bytes)
                .unwrap();
            std::fs::write(&path, bytes).unwrap();
            Self::of(folder, path)
        })
    }

    fn dump() -> &'static Self {
        static MADE: OnceLock<Sample> = OnceLock::new();
        MADE.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let plan = sample::memscope::Dump { layers: 2, ..sample::memscope::Dump::new(2) };
            let (path, _) = plan.write_in(folder.path()).unwrap();
            Self::of(folder, path)
        })
    }

    /// Opens the recording where `index` lies in the place of its index; `None`: it was refused.
    fn opened_from(&self, index: &[u8]) -> Option<Session> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&self.name);
        std::fs::write(&path, &self.index).unwrap();
        forge(&path, index).unwrap();
        let store = Store::new(folder.path(), u64::MAX);
        let session = Session::open_with(&self.path, &store, &Job::unwatched()).unwrap();
        session.is_reopened().then_some(session)
    }
}

/// What becomes of one value.
#[derive(Debug, Clone, Copy)]
enum Edit {
    To(u64),
    Add(i64),
    LikeThatOf(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        prop_oneof![Just(0), Just(u64::MAX), Just(u64::MAX >> 1), Just(1), any::<u64>()]
            .prop_map(Edit::To),
        (0_u64..5_000).prop_map(Edit::To),
        prop_oneof![Just(1_i64), Just(-1), -300..300_i64].prop_map(Edit::Add),
        any::<Index>().prop_map(Edit::LikeThatOf),
    ]
}

fn value(bytes: &[u8]) -> u64 {
    let mut value = [0; 8];
    value[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(value)
}

/// `index` with each of `edits` done to a value of a list.
fn edited(index: &[u8], edits: &[(Index, Index, Edit)]) -> Vec<u8> {
    let lists: Vec<_> = lists(index).into_iter().filter(|list| !list.bytes.is_empty()).collect();
    let mut forged = index.to_vec();
    for (list, row, edit) in edits {
        let list = list.get(&lists);
        let count = list.bytes.len() / list.width;
        let place = |row: &Index| {
            let from = list.bytes.start + row.index(count) * list.width;
            from..from + list.width
        };
        let old = value(&forged[place(row)]);
        let new = match edit {
            Edit::To(value) => *value,
            Edit::Add(value) => old.wrapping_add_signed(*value),
            Edit::LikeThatOf(other) => value(&forged[place(other)]),
        };
        forged[place(row)].copy_from_slice(&new.to_le_bytes()[..list.width]);
    }
    forged
}

#[test]
fn an_index_that_is_only_named_anew_gives_the_same_answers() {
    for sample in [Sample::snapshot(), Sample::dump()] {
        let again = sample.opened_from(&sample.index).expect("nothing is wrong with it");
        let read = Session::open(&sample.path, &Job::unwatched()).unwrap();
        let (again, read) = (answers(&again), answers(&read));
        let differ = again.lines().zip(read.lines()).find(|(one, other)| one != other);
        assert!(differ.is_none() && again.len() == read.len(), "{differ:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn wrong_values_are_refused_or_answered(
        is_dump in any::<bool>(),
        edits in proptest::collection::vec((any::<Index>(), any::<Index>(), edit()), 1..4),
    ) {
        let sample = if is_dump { Sample::dump() } else { Sample::snapshot() };
        if let Some(session) = sample.opened_from(&edited(&sample.index, &edits)) {
            answers(&session);
        }
    }

    #[test]
    fn wrong_bytes_anywhere_are_refused_or_answered(
        is_dump in any::<bool>(),
        places in proptest::collection::vec((any::<Index>(), any::<bool>(), any::<u8>()), 1..4),
    ) {
        let sample = if is_dump { Sample::dump() } else { Sample::snapshot() };
        let mut forged = sample.index.clone();
        // What columns are called, how they are packed and where they lie stands at the end.
        let head = forged.len() - forged.len().min(20_000);
        for (place, is_at_end, byte) in places {
            let from = if is_at_end { head } else { 0 };
            let at = from + place.index(forged.len() - from);
            forged[at] = byte;
        }
        if let Some(session) = sample.opened_from(&forged) {
            answers(&session);
        }
    }
}
