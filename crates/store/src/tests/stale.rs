//! An index of what a file was is not one of what it is.

use super::{Sample, indexes, source};
use crate::Facts;
use crate::entry::{Entry, program};
use std::fs::{self, File};
use std::time::Duration;

#[test]
fn a_file_that_was_changed_is_read_again() {
    let sample = Sample::small();
    let store = sample.store();
    sample.write(&store).unwrap();
    let whole = fs::read(&sample.path).unwrap();
    let time = fs::metadata(&sample.path).unwrap().modified().unwrap();
    let mut changed = whole.clone();
    let last = changed.len() - 1;
    changed[last / 2] ^= 1;
    fs::write(&sample.path, &changed).unwrap();
    // The same size, and the old time put back.
    File::options().append(true).open(&sample.path).unwrap().set_modified(time).unwrap();
    assert!(sample.kept(&store).is_none());
    fs::write(&sample.path, [whole.as_slice(), b"."].concat()).unwrap();
    assert!(sample.kept(&store).is_none());
}

#[cfg(unix)]
#[test]
fn a_change_where_nothing_is_looked_at_is_told_by_the_time_of_change() {
    let sample = Sample::of(&sample::Plan::new(30_000));
    let before = sample.source();
    let mut whole = fs::read(&sample.path).unwrap();
    assert!(whole.len() > 1 << 20);
    let time = fs::metadata(&sample.path).unwrap().modified().unwrap();
    // Between the first stretch and the second.
    whole[(64 << 10) + (6 << 10)] ^= 1;
    std::thread::sleep(Duration::from_millis(20));
    fs::write(&sample.path, &whole).unwrap();
    File::options().append(true).open(&sample.path).unwrap().set_modified(time).unwrap();
    let after = sample.source();
    assert_eq!(before.glance, after.glance);
    assert_ne!(before.stamp, after.stamp);
    assert_ne!(before, after);
}

#[test]
fn a_file_that_was_touched_moved_or_copied_is_known_by_its_content() {
    let sample = Sample::of(&sample::Plan::new(2_000));
    let store = sample.store();
    sample.write(&store).unwrap();
    let later = fs::metadata(&sample.path).unwrap().modified().unwrap() + Duration::from_secs(9);
    File::options().append(true).open(&sample.path).unwrap().set_modified(later).unwrap();
    assert!(sample.kept(&store).is_some());
    let moved = sample.path.with_file_name("moved.pickle");
    fs::rename(&sample.path, &moved).unwrap();
    let read = |path| store.read(path, &source(path), &job::Job::unwatched()).unwrap();
    assert!(read(&moved).is_some());
    assert_eq!(indexes(&store).len(), 1);
    let known = Entry::of_name(indexes(&store)[0].file_name().unwrap().to_str().unwrap()).unwrap();
    assert_eq!((known.place, known.stamp), (source(&moved).place, source(&moved).stamp));
    let copied = sample.path.with_file_name("copied.pickle");
    fs::copy(&moved, &copied).unwrap();
    assert!(read(&copied).is_some());
}

#[test]
fn an_index_of_another_program_is_not_looked_at() {
    let sample = Sample::small();
    let store = sample.store();
    sample.write(&store).unwrap();
    let [path] = indexes(&store).try_into().unwrap();
    let entry = Entry::of_name(path.file_name().unwrap().to_str().unwrap()).unwrap();
    assert_eq!(entry.program, program());
    let foreign = Entry { program: entry.program ^ 1, ..entry };
    fs::rename(&path, store.folder().join(foreign.name())).unwrap();
    assert!(sample.kept(&store).is_none());
}

#[test]
fn files_that_change_while_they_are_read_get_no_index() {
    let sample = Sample::small();
    let store = sample.store();
    let before = sample.source();
    let whole = fs::read(&sample.path).unwrap();
    fs::write(&sample.path, [whole.as_slice(), b"."].concat()).unwrap();
    let written = sample.write_as_of(&store, &before, &Facts::default());
    assert!(matches!(written, Err(crate::WriteError::Changed)), "{written:?}");
    assert_eq!(indexes(&store).len(), 0);
}

#[test]
fn what_lies_beside_a_dump_and_is_read_with_it_counts() {
    use sample::memscope::{Dump, Format};
    let plan = Dump { layers: 2, format: Format::Csv, ..Dump::new(2) };
    let sample = Sample::of_dump(&plan);
    let store = sample.store();
    sample.write(&store).unwrap();
    assert!(sample.kept(&store).is_some());
    let trace = fs::read_dir(sample.folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |path: &std::path::PathBuf| path.to_string_lossy().contains("python_trace");
    let trace = trace.into_iter().find(is_trace).expect("a trace beside it");
    fs::remove_file(trace).unwrap();
    assert!(sample.kept(&store).is_none());
}
