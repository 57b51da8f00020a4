use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use crate::migrate::{STEPS, migrate};
use crate::{BookmarkId, Error, Left, NewProject, ProjectId, Projects, Stamp};

fn fresh() -> (TempDir, Projects) {
    let folder = tempfile::tempdir().unwrap();
    let start = Projects::open(folder.path()).unwrap();
    assert_eq!(start.moved_aside, None);
    (folder, start.projects)
}

const STAMP: Stamp = Stamp { bytes: 5, modified: 1_700_000_000_123_456_789, print: u64::MAX - 3 };

fn new(path: &str) -> NewProject {
    NewProject {
        path: PathBuf::from(path),
        shown: PathBuf::from(path),
        stamp: STAMP,
        kind: "cuda".to_owned(),
        devices: 2,
        peak: 3 << 40,
        curve: vec![0, 255, 7],
    }
}

fn opened_at(projects: &Projects, id: ProjectId, ms: i64) {
    let sql = "UPDATE project SET opened = ?2 WHERE id = ?1";
    projects.connection().execute(sql, [id.0, ms]).unwrap();
}

fn order(projects: &Projects) -> Vec<ProjectId> {
    projects.list().unwrap().into_iter().map(|project| project.id).collect()
}

#[test]
fn what_was_opened_is_in_the_list_as_it_was_given() {
    let (folder, projects) = fresh();
    let id = projects.remember(&new("/a/one.pickle")).unwrap().id;
    drop(projects);
    let projects = Projects::open(folder.path()).unwrap().projects;
    let [project] = projects.list().unwrap().try_into().unwrap();
    assert_eq!((project.id, &project.about), (id, &new("/a/one.pickle")));
    assert_eq!((project.pinned, project.bookmarks), (false, 0));
    assert_eq!(projects.project(id).unwrap(), project);
}

#[test]
fn pinned_projects_come_first_then_the_latest() {
    let (_folder, projects) = fresh();
    let ids = ["/a", "/b", "/c"].map(|path| projects.remember(&new(path)).unwrap().id);
    let [a, b, c] = ids;
    for (id, ms) in [(a, 30), (b, 10), (c, 20)] {
        opened_at(&projects, id, ms);
    }
    assert_eq!(order(&projects), [a, c, b]);
    projects.pin(b).unwrap();
    assert_eq!(order(&projects), [b, a, c]);
    projects.unpin(b).unwrap();
    projects.remove(a).unwrap();
    assert_eq!(order(&projects), [c, b]);
    assert!(matches!(projects.pin(a), Err(Error::Gone("project"))));
    assert!(matches!(projects.project(a), Err(Error::Gone("project"))));
}

#[test]
fn a_project_is_left_and_found_until_its_file_is_another() {
    let (_folder, projects) = fresh();
    let first = projects.remember(&new("/a")).unwrap();
    assert_eq!((first.left, first.state.as_deref()), (Left::New, None));
    projects.save_state(first.id, &STAMP, r#"{"form":1}"#).unwrap();
    let kept = projects.add_bookmark(first.id, r#"{"kind":"event"}"#, "here").unwrap();

    // A copy has another time, and is the same.
    let mut copied = new("/a");
    copied.stamp.modified += 1;
    let again = projects.remember(&copied).unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!((again.left, again.state.as_deref()), (Left::Same, Some(r#"{"form":1}"#)));
    assert!(projects.bookmarks(first.id).unwrap()[0].is_current);

    let mut other = new("/a");
    other.stamp.print = 1;
    let changed = projects.remember(&other).unwrap();
    assert_eq!((changed.id, changed.left, changed.state), (first.id, Left::Changed, None));
    let [bookmark] = projects.bookmarks(first.id).unwrap().try_into().unwrap();
    assert_eq!((bookmark.id, bookmark.is_current), (kept, false));

    // What another window still has open is of the old content: it is not kept for the new.
    projects.save_state(first.id, &STAMP, r#"{"form":2}"#).unwrap();
    assert_eq!(projects.state(first.id).unwrap(), None);
    projects.save_state(first.id, &other.stamp, r#"{"form":3}"#).unwrap();
    assert_eq!(projects.state(first.id).unwrap().as_deref(), Some(r#"{"form":3}"#));
}

#[test]
fn only_json_is_kept() {
    let (_folder, projects) = fresh();
    let id = projects.remember(&new("/a")).unwrap().id;
    assert!(matches!(projects.save_state(id, &STAMP, "{"), Err(Error::NotJson)));
    assert!(matches!(projects.add_bookmark(id, "place", ""), Err(Error::NotJson)));
    assert!(matches!(projects.set_setting("cache", "1 GB"), Err(Error::NotJson)));
}

#[test]
fn bookmarks_are_made_renamed_and_removed() {
    let (_folder, projects) = fresh();
    let id = projects.remember(&new("/a")).unwrap().id;
    let place = r#"{"kind":"block","block":7}"#;
    let one = projects.add_bookmark(id, place, "").unwrap();
    let two = projects.add_bookmark(id, place, "two").unwrap();
    projects.change_note(one, "it's <b>here</b> 这里").unwrap();
    let list = projects.bookmarks(id).unwrap();
    let notes: Vec<_> = list.iter().map(|one| (one.id, one.note.as_str())).collect();
    assert_eq!(notes, [(one, "it's <b>here</b> 这里"), (two, "two")]);
    assert_eq!(list[0].place, place);
    assert!(list[0].changed >= list[0].created);
    assert_eq!(projects.project(id).unwrap().bookmarks, 2);
    projects.remove_bookmark(two).unwrap();
    projects.remove_bookmark(two).unwrap();
    assert!(matches!(projects.change_note(two, ""), Err(Error::Gone("bookmark"))));
    assert_ne!(projects.add_bookmark(id, place, "").unwrap(), two, "an id is used once");
    projects.remove(id).unwrap();
    assert!(projects.bookmarks(id).unwrap().is_empty());
    assert!(matches!(projects.add_bookmark(id, place, ""), Err(Error::Gone("project"))));
    assert!(matches!(projects.change_note(BookmarkId(1), ""), Err(Error::Gone("bookmark"))));
}

#[test]
fn a_project_that_moved_keeps_everything() {
    let (_folder, projects) = fresh();
    let id = projects.remember(&new("/old/one.pickle")).unwrap().id;
    projects.save_state(id, &STAMP, "[1]").unwrap();
    projects.relocate(id, Path::new("/new/one.pickle"), Path::new("/link/one.pickle")).unwrap();
    let again = projects.remember(&new("/new/one.pickle")).unwrap();
    assert_eq!((again.id, again.state.as_deref()), (id, Some("[1]")));
}

#[test]
fn a_project_that_moved_to_where_another_is_takes_what_that_has() {
    for is_same in [true, false] {
        let (_folder, projects) = fresh();
        let gone = projects.remember(&new("/old")).unwrap().id;
        let mut other = new("/new");
        other.stamp.print = if is_same { STAMP.print } else { 1 };
        let there = projects.remember(&other).unwrap().id;
        projects.pin(there).unwrap();
        projects.add_bookmark(there, "1", "of the new").unwrap();
        projects.add_bookmark(gone, "2", "of the old").unwrap();
        projects.relocate(gone, Path::new("/new"), Path::new("/new")).unwrap();
        assert_eq!(order(&projects), [gone]);
        assert!(projects.project(gone).unwrap().pinned);
        let bookmarks = projects.bookmarks(gone).unwrap();
        let current: Vec<_> = bookmarks.iter().map(|one| one.is_current).collect();
        assert_eq!(current, [is_same, true]);
    }
}

#[test]
fn settings_are_kept_by_name() {
    let (_folder, projects) = fresh();
    assert_eq!(projects.setting("cache").unwrap(), None);
    projects.set_setting("cache", "1").unwrap();
    projects.set_setting("cache", "{\"bytes\":2}").unwrap();
    assert_eq!(projects.setting("cache").unwrap().as_deref(), Some("{\"bytes\":2}"));
}

#[test]
fn where_nothing_can_be_kept_the_program_works_all_the_same() {
    let projects = Projects::in_memory().unwrap();
    let id = projects.remember(&new("/a")).unwrap().id;
    assert_eq!(order(&projects), [id]);
}

#[test]
fn two_programs_write_at_once_and_nothing_is_lost() {
    let (folder, one) = fresh();
    let two = Projects::open(folder.path()).unwrap().projects;
    let id = one.remember(&new("/a")).unwrap().id;
    std::thread::scope(|scope| {
        for (name, projects) in [("one", &one), ("two", &two)] {
            scope.spawn(move || {
                for turn in 0..60 {
                    projects.add_bookmark(id, "0", &format!("{name} {turn}")).unwrap();
                    projects.remember(&new(&format!("/{name}/{turn}"))).unwrap();
                    projects.save_state(id, &STAMP, &turn.to_string()).unwrap();
                }
            });
        }
    });
    let mut notes: Vec<_> =
        one.bookmarks(id).unwrap().into_iter().map(|bookmark| bookmark.note).collect();
    notes.sort();
    let all = ["one", "two"].map(|name| (0..60).map(move |turn| format!("{name} {turn}")));
    let mut all: Vec<_> = all.into_iter().flatten().collect();
    all.sort();
    assert_eq!(notes, all);
    assert_eq!(two.list().unwrap().len(), 121);
}

#[test]
fn many_programs_may_begin_the_database_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for turn in 0..8 {
            let folder = folder.path();
            scope.spawn(move || {
                let projects = Projects::open(folder).unwrap().projects;
                projects.remember(&new(&format!("/{turn}"))).unwrap();
            });
        }
    });
    assert_eq!(Projects::open(folder.path()).unwrap().projects.list().unwrap().len(), 8);
}

/// The files in `folder` whose names tell that they were moved aside, without what belongs to them.
fn aside(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    names
        .filter(|path| path.to_string_lossy().ends_with(".db"))
        .filter(|path| path.to_string_lossy().contains("damaged"))
        .collect()
}

#[test]
fn a_damaged_database_is_moved_aside_and_a_new_one_begun() {
    let another = |folder: &Path| {
        let other = Connection::open(folder.join("projects.db")).unwrap();
        other.execute_batch("CREATE TABLE theirs (x); PRAGMA user_version = 7").unwrap();
    };
    let text = |folder: &Path| fs::write(folder.join("projects.db"), "not a database").unwrap();
    let hole = |folder: &Path| {
        let projects = Projects::open(folder).unwrap().projects;
        for turn in 0..200 {
            projects.remember(&new(&format!("/{turn}"))).unwrap();
        }
        drop(projects);
        let mut bytes = fs::read(folder.join("projects.db")).unwrap();
        bytes[4096..].fill(0xa5);
        fs::write(folder.join("projects.db"), bytes).unwrap();
    };
    let damages: [&dyn Fn(&Path); 3] = [&another, &text, &hole];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        damage(folder.path());
        let was = fs::read(folder.path().join("projects.db")).unwrap();
        let start = Projects::open(folder.path()).unwrap();
        let moved = start.moved_aside.expect("it is told");
        assert_eq!(aside(folder.path()), std::slice::from_ref(&moved));
        assert_eq!(fs::read(moved).unwrap(), was);
        assert!(start.projects.list().unwrap().is_empty());
        start.projects.remember(&new("/a")).unwrap();
        drop(start.projects);
        let again = Projects::open(folder.path()).unwrap();
        assert_eq!(again.moved_aside, None, "it is told once");
        assert_eq!(again.projects.list().unwrap().len(), 1);
    }
}

#[test]
fn a_database_of_a_newer_program_is_refused_and_left_alone() {
    let (folder, projects) = fresh();
    projects.remember(&new("/a")).unwrap();
    projects.connection().pragma_update(None, "user_version", 900).unwrap();
    drop(projects);
    let was = fs::read(folder.path().join("projects.db")).unwrap();
    match Projects::open(folder.path()).map(|_| ()) {
        Err(Error::Newer { found: 900, known }) => assert_eq!(known as usize, STEPS.len()),
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read(folder.path().join("projects.db")).unwrap(), was);
    assert!(aside(folder.path()).is_empty());
}

#[test]
fn every_older_form_becomes_the_newest_with_all_that_is_in_it() {
    for form in 1..=STEPS.len() {
        let name = format!("{}/tests/versions/{form}.sql", env!("CARGO_MANIFEST_DIR"));
        let sql = fs::read_to_string(&name).unwrap_or_else(|_| panic!("keep form {form}: {name}"));
        let folder = tempfile::tempdir().unwrap();
        let old = Connection::open(folder.path().join("projects.db")).unwrap();
        old.execute_batch(&sql).unwrap();
        let found: u32 = old.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(found as usize, form);
        drop(old);
        let start = Projects::open(folder.path()).unwrap();
        assert_eq!(start.moved_aside, None);
        let [pinned, other] = start.projects.list().unwrap().try_into().unwrap();
        assert_eq!((pinned.id, &pinned.about), (ProjectId(7), &new("/a/one.pickle")));
        assert_eq!((pinned.pinned, other.pinned), (true, false));
        let state = start.projects.state(pinned.id).unwrap();
        assert_eq!(state.as_deref(), Some(r#"{"form":1}"#));
        let [bookmark] = start.projects.bookmarks(pinned.id).unwrap().try_into().unwrap();
        assert_eq!((bookmark.note.as_str(), bookmark.is_current), ("the leak", true));
        assert_eq!(start.projects.setting("cache").unwrap().as_deref(), Some("5"));
        assert_eq!(schema(&start.projects.connection()), schema(&fresh().1.connection()));
    }
}

/// What SQLite says its tables are, without spaces and comments.
fn schema(connection: &Connection) -> Vec<String> {
    let sql = "SELECT type || name || coalesce(group_concat(column), '') FROM (
        SELECT s.type, s.name, c.name || ' ' || c.type || c.\"notnull\" || c.pk AS column
        FROM sqlite_schema s LEFT JOIN pragma_table_info(s.name) c
        WHERE s.name NOT LIKE 'sqlite_%') GROUP BY type, name ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_step_that_fails_leaves_the_form_before_it() {
    let mut connection = Connection::open_in_memory().unwrap();
    let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO b VALUES (1); nonsense"];
    assert!(migrate(&mut connection, &steps).is_err());
    let form: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(form, 1);
    assert!(connection.prepare("SELECT * FROM b").is_err());
    let mended = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "ALTER TABLE b ADD COLUMN y"];
    migrate(&mut connection, &mended).unwrap();
    assert!(connection.prepare("SELECT y FROM b").is_ok());
    assert!(matches!(migrate(&mut connection, &["…"]), Err(Error::Newer { found: 3, known: 1 })));
}
