//! A program that is killed at any moment loses nothing that a call had returned from.
#![allow(clippy::unwrap_used, reason = "all of it is a test")]

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use projects::{NewProject, Projects, Stamp};

/// With this variable set, the test below is the program that is killed.
const FOLDER: &str = "TIDEMARK_KILLED_IN";

const STAMP: Stamp = Stamp { bytes: 1, modified: 2, print: 3 };

fn new(turn: u64) -> NewProject {
    let path = format!("/recording/{turn}.pickle").into();
    NewProject {
        path,
        shown: "/recording".into(),
        stamp: STAMP,
        kind: "cuda".to_owned(),
        devices: 1,
        peak: turn,
        curve: vec![turn as u8; 120],
    }
}

/// Writes without an end, and says after each write that it was done.
#[test]
fn writes_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let projects = Projects::open(Path::new(&folder)).unwrap().projects;
    let first = projects.list().unwrap().len() as u64;
    let mut out = std::io::stdout().lock();
    for turn in first.. {
        let id = projects.remember(&new(turn)).unwrap().id;
        writeln!(out, "\n@project {turn}").unwrap();
        projects.save_state(id, &STAMP, &turn.to_string()).unwrap();
        writeln!(out, "@state {turn}").unwrap();
        projects.add_bookmark(id, &format!("[{turn}]"), &turn.to_string()).unwrap();
        writeln!(out, "@bookmark {turn}").unwrap();
        projects.set_setting("turn", &turn.to_string()).unwrap();
        writeln!(out, "@setting {turn}").unwrap();
    }
}

#[test]
fn what_was_said_to_be_kept_is_there_after_a_kill_at_fifty_random_moments() {
    let folder = tempfile::tempdir().unwrap();
    let random = RandomState::new();
    let mut kept: Vec<(String, u64)> = Vec::new();
    for round in 0..50_u32 {
        let mut child = writer(folder.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Some rounds end while the database is being opened, the others amid the writes.
        let chance = random.hash_one(round);
        for _ in 0..chance % 40 {
            kept.extend(said(&lines.next().unwrap().unwrap()));
        }
        std::thread::sleep(Duration::from_micros(chance / 64 % 3000));
        child.kill().unwrap();
        child.wait().unwrap();
        kept.extend(whole(lines).iter().filter_map(|line| said(line)));
        check(folder.path(), &kept, round);
    }
    assert!(kept.len() > 100, "hardly anything was written: {}", kept.len());
}

fn writer(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writes_until_killed", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// What was still in the pipe; a last line may have been cut.
fn whole(lines: std::io::Lines<BufReader<ChildStdout>>) -> Vec<String> {
    let mut lines: Vec<_> = lines.map_while(Result::ok).collect();
    lines.pop();
    lines
}

/// What a line says was kept.
fn said(line: &str) -> Option<(String, u64)> {
    let (what, turn) = line.strip_prefix('@')?.split_once(' ')?;
    Some((what.to_owned(), turn.parse().ok()?))
}

fn check(folder: &Path, kept: &[(String, u64)], round: u32) {
    let start = Projects::open(folder).unwrap();
    assert_eq!(start.moved_aside, None, "round {round}");
    let projects = start.projects;
    let mut listed = projects.list().unwrap();
    listed.sort_by_key(|project| project.about.peak);
    for (what, turn) in kept {
        let found = listed.get(*turn as usize).unwrap_or_else(|| panic!("round {round}: {turn}"));
        assert_eq!(found.about, new(*turn));
        match what.as_str() {
            "state" => assert_eq!(projects.state(found.id).unwrap(), Some(turn.to_string())),
            "bookmark" => {
                let [bookmark] = projects.bookmarks(found.id).unwrap().try_into().unwrap();
                assert_eq!(
                    (bookmark.place, bookmark.note),
                    (format!("[{turn}]"), turn.to_string())
                );
            }
            _ => {}
        }
    }
    // The last setting that was said to be kept, or one that was kept and not said any more.
    let said = kept.iter().rfind(|(what, _)| what == "setting").map(|(_, turn)| *turn);
    let now = projects.setting("turn").unwrap().map(|turn| turn.parse::<u64>().unwrap());
    assert!(now >= said, "round {round}: {now:?} after {said:?}");
}
