//! The folder: its size, and who else is in it.

use super::{Sample, indexes};
use crate::{Facts, Store, WriteError};
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

#[test]
fn those_used_longest_ago_go_first() {
    let samples: Vec<Sample> =
        (0..4).map(|seed| Sample::of(&sample::Plan { seed, ..sample::Plan::new(500) })).collect();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path(), u64::MAX);
    let mut bytes = Vec::new();
    for (at, one) in samples.iter().enumerate() {
        bytes.push(one.write(&store).unwrap());
        for path in indexes(&store) {
            let file = File::options().append(true).open(&path).unwrap();
            if file.metadata().unwrap().modified().unwrap() > hour(10) {
                file.set_modified(hour(at as u64)).unwrap();
            }
        }
    }
    assert_eq!(store.usage().indexes, 4);
    // The first is used again, so the second is the oldest.
    assert!(samples[0].kept(&store).is_some());
    store.set_limit(bytes[0] + bytes[2] + bytes[3]);
    let known = |at: usize| samples[at].kept(&store).is_some();
    assert_eq!([known(0), known(1), known(2), known(3)], [true, false, true, true]);
    store.set_limit(bytes.iter().min().unwrap() - 1);
    assert_eq!(store.usage().indexes, 0);
    let refused = samples[0].write(&store);
    assert!(matches!(refused, Err(WriteError::TooLarge { .. })), "{refused:?}");
    store.set_limit(u64::MAX);
    samples[0].write(&store).unwrap();
    store.clear();
    assert_eq!(indexes(&store).len(), 0);
}

fn hour(hour: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(1 + hour)
}

#[test]
fn what_others_left_in_the_folder_stays_and_what_was_left_unfinished_goes() {
    let sample = Sample::small();
    let store = sample.store();
    fs::create_dir_all(store.folder()).unwrap();
    let beside = store.folder().join("notes.arrow");
    fs::write(&beside, "a person's own").unwrap();
    let left = store.folder().join("unfinished-1-0");
    fs::write(&left, "half an index").unwrap();
    let busy = store.folder().join("unfinished-1-1");
    fs::write(&busy, "another window is at it").unwrap();
    let lock = File::open(&busy).unwrap();
    lock.lock().unwrap();
    let young = store.folder().join("unfinished-1-2");
    fs::write(&young, "begun a moment ago").unwrap();
    for path in [&left, &busy] {
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
    }
    sample.write(&store).unwrap();
    assert_eq!((beside.exists(), left.exists(), busy.exists()), (true, false, true));
    assert!(young.exists());
    assert_eq!(store.usage().indexes, 1);
    store.clear();
    assert_eq!((beside.exists(), busy.exists()), (true, true));
    drop(lock);
    store.clear();
    assert_eq!((beside.exists(), busy.exists()), (true, false));
}

#[test]
fn two_windows_may_write_at_once() {
    let sample = Sample::of(&sample::Plan::new(2_000));
    let folder = sample.store().folder().to_owned();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    // A store each, as in processes of their own.
                    let store = Store::new(&folder, u64::MAX);
                    sample.write(&store).unwrap();
                    drop(sample.kept(&store));
                }
            });
        }
    });
    let store = sample.store();
    sample.write(&store).unwrap();
    assert!(sample.kept(&store).is_some());
    assert_eq!(indexes(&store).len(), 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_and_no_index() {
    let sample = Sample::small();
    let store = Store::new(sample.path.join("within a file"), u64::MAX);
    assert!(matches!(sample.write(&store), Err(WriteError::Io(_))));
    assert!(sample.kept(&store).is_none());
    assert_eq!(store.usage().indexes, 0);
}

#[test]
fn a_cancelled_job_leaves_nothing_behind() {
    let sample = Sample::small();
    let store = sample.store();
    let source = sample.source();
    for steps in 0..40_usize {
        let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let (slot, seen) = (std::sync::Arc::new(std::sync::OnceLock::<job::Job>::new()), count);
        let own = std::sync::Arc::clone(&slot);
        let job = job::Job::new(move |_| {
            let at = seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if at == steps
                && let Some(job) = own.get()
            {
                job.cancel();
            }
        });
        assert!(slot.set(job.clone()).is_ok());
        let indexes: Vec<_> = sample.indexes.iter().collect();
        let written = store.write(
            (&sample.path, &source),
            (&sample.recording, &indexes),
            &Facts::default(),
            &job,
        );
        match written {
            Ok(_) => {
                assert!(steps > 2);
                return;
            }
            Err(WriteError::Cancelled(_)) => assert_eq!(super::indexes(&store).len(), 0),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("it never came to an end");
}
