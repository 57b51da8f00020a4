//! A process that is killed while it writes an index loses nothing and leaves nothing wrong.
#![allow(clippy::unwrap_used, reason = "a test")]

use index::DeviceIndex;
use job::Job;
use model::Recording;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use store::{Facts, Source, Store};

/// With this variable set, the test below is the process to kill: it holds the folder.
const VICTIM: &str = "TIDEMARK_STORE_VICTIM";
/// How often it is killed.
const TIMES: u32 = 50;

fn source(path: &Path) -> Source {
    Source::of(path, ingest::sources(path, &Job::unwatched()).unwrap()).unwrap()
}

fn read(path: &Path) -> (Recording, Vec<DeviceIndex>) {
    let job = Job::unwatched();
    let recording = ingest::open(path, &job).unwrap();
    let indexes = recording.devices.iter().map(|table| DeviceIndex::new(table, &job).unwrap());
    let indexes = indexes.collect();
    (recording, indexes)
}

fn write(store: &Store, path: &Path, (recording, indexes): &(Recording, Vec<DeviceIndex>)) {
    let indexes: Vec<_> = indexes.iter().collect();
    let (source, job) = (source(path), Job::unwatched());
    store.write((path, &source), (recording, &indexes), &Facts::default(), &job).unwrap();
}

/// Writes indexes of both files over and over.
fn be_killed(folder: &Path) -> ! {
    let paths = [folder.join("one.pickle"), folder.join("two.pickle")];
    let both = [read(&paths[0]), read(&paths[1])];
    let store = Store::new(folder.join("cache"), u64::MAX);
    std::fs::write(folder.join("ready"), "").unwrap();
    loop {
        for (path, one) in paths.iter().zip(&both) {
            write(&store, path, one);
        }
    }
}

#[test]
fn a_killed_writer_leaves_whole_indexes_or_none() {
    if let Some(folder) = std::env::var_os(VICTIM) {
        be_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plan = |seed| sample::Plan { seed, ..sample::Plan::new(20_000) };
    let paths = [folder.join("one.pickle"), folder.join("two.pickle")];
    for (seed, path) in paths.iter().enumerate() {
        let mut bytes = Vec::new();
        sample::write(&plan(seed as u64), &mut bytes).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let truth = paths.clone().map(|path| format!("{:?}", read(&path)));
    let store = Store::new(folder.join("cache"), u64::MAX);
    // What was there before stays.
    let kept = folder.join("kept.pickle");
    let mut bytes = Vec::new();
    sample::write(&plan(9), &mut bytes).unwrap();
    std::fs::write(&kept, bytes).unwrap();
    write(&store, &kept, &read(&kept));
    let mut wait = 1_u64;
    let mut used = 0;
    for round in 0..TIMES {
        drop(std::fs::remove_file(folder.join("ready")));
        let name = "a_killed_writer_leaves_whole_indexes_or_none";
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact"])
            .env(VICTIM, folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !folder.join("ready").exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        wait = wait.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros((wait >> 33) % 120_000));
        victim.kill().unwrap();
        victim.wait().unwrap();
        for (path, truth) in paths.iter().zip(&truth) {
            let found = store.read(path, &source(path), &Job::unwatched()).unwrap();
            if let Some(found) = found {
                used += 1;
                let text = format!("{:?}", (found.recording, found.indexes));
                assert!(text == *truth, "round {round}: a wrong recording");
            }
        }
        let before = store.read(&kept, &source(&kept), &Job::unwatched()).unwrap();
        assert!(before.is_some(), "round {round}: an index that was whole is gone");
    }
    assert!(used > 0, "no index was ever finished");
    // What the killed ones left is swept by the next to write, an hour later.
    for entry in std::fs::read_dir(store.folder()).unwrap() {
        let file = std::fs::File::options().append(true).open(entry.unwrap().path()).unwrap();
        let before = std::time::SystemTime::now() - Duration::from_hours(1);
        file.set_modified(before).unwrap();
    }
    write(&store, &paths[0], &read(&paths[0]));
    let left: Vec<PathBuf> =
        std::fs::read_dir(store.folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.len() <= 3, "{left:?}");
}
