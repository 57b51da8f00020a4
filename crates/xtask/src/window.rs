//! The real window: the built app under a display of its own, driven as a person would.
//!
//! Each test is a function that opens a window of its own. They run one after another with
//! `cargo xtask test` only, because they need the app built.

pub(crate) mod again;
pub(crate) mod block;
mod compare;
pub(crate) mod given_back;
pub(crate) mod keys;
pub(crate) mod language;
pub(crate) mod leak;
mod links;
mod opening;
mod recents;
mod seen;
mod shell;
mod stacks;
mod tabs;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use sample::Plan;

use crate::app::Programs;
use crate::command::{output, program};
use crate::display::Display;
use crate::driver::{System, Window};

/// A test and the law it checks.
type Case = (&'static str, fn(&Stage) -> Result<()>);

const CASES: &[Case] = &[
    ("a_clicked_block_shows_what_the_file_says", block::clicked),
    ("a_block_older_than_the_recording_says_so", block::older),
    ("the_bundled_sample_opens_from_the_welcome_screen", opening::bundled),
    ("a_refused_file_says_why_and_leaves_the_open_one_alone", opening::refused),
    ("opening_can_be_cancelled", opening::cancelled),
    ("the_keys_move_the_view_and_bring_it_back", keys::moved),
    ("the_axis_switches_between_events_and_time", keys::axis),
    ("a_block_stays_selected_and_readable_in_both_themes", keys::theme),
    ("a_switch_of_the_language_changes_the_words_and_nothing_else", language::switched),
    ("a_system_without_a_locale_is_shown_english_and_no_error", language::first),
    ("a_block_clicked_in_the_pool_is_shown_in_the_lifecycle", links::from_pool),
    ("a_block_clicked_in_the_lifecycle_is_shown_in_the_pool", links::from_lifecycle),
    ("a_row_and_an_event_link_are_shown_everywhere", links::from_table),
    ("a_segment_clicked_in_the_pool_is_lit_in_the_lifecycle", links::from_segment),
    ("a_recording_reopens_from_the_list_where_it_was_left", recents::reopened),
    ("a_stack_selected_in_the_details_lights_its_blocks_and_lists_them", stacks::lit),
    ("two_recordings_are_compared_as_the_command_line_does", compare::compared),
    ("a_comparison_reopens_as_it_was_left_in_both_languages", again::reopened),
    ("a_closed_tab_leaves_the_other_one_as_it_was", tabs::closed),
    ("a_tab_goes_to_a_window_of_its_own_as_it_is", tabs::moved),
    ("a_second_start_opens_its_file_in_the_app_that_runs", tabs::handed_over),
    ("a_closed_recording_gives_its_memory_back", given_back::given_back),
    ("a_leak_is_walked_from_opening_to_the_call", leak::walked),
    ("the_page_runs_nothing_but_its_own_and_reaches_nothing", shell::refused),
    ("a_page_that_was_taken_over_opens_and_writes_only_what_was_chosen", shell::unchosen),
    ("names_that_are_markup_are_shown_as_they_are", shell::markup),
];

/// A system that speaks English, where tests open what they want: nothing is chosen in a dialog.
const SYSTEM: System<'_> = System { locale: "en_US.UTF-8", home: None, may_open: "/", bus: None };

/// What every test may use.
pub(crate) struct Stage {
    display: Display,
    programs: Programs,
    /// Generated recordings.
    files: tempfile::TempDir,
    /// Where pictures are left for a person to look at.
    pictures: PathBuf,
}

impl Stage {
    /// Starts the display; pictures go to `pictures`.
    pub(crate) fn new(programs: Programs, pictures: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&pictures)?;
        Ok(Self { display: Display::start()?, programs, files: tempfile::tempdir()?, pictures })
    }

    /// The app with `file` opened, idle.
    pub(crate) fn open(&self, file: &Path) -> Result<Window> {
        let window = self.start(&[file.to_str().context("a path in Unicode")?])?;
        window.wait_for("lifecycle-canvas")?;
        window.idle()?;
        Ok(window)
    }

    /// The app with `arguments`.
    pub(crate) fn start(&self, arguments: &[&str]) -> Result<Window> {
        self.window(SYSTEM, arguments)
    }

    /// The app with `arguments`, where the page may name nothing but what a person chose.
    fn start_strict(&self, home: &Path, arguments: &[&str]) -> Result<Window> {
        self.window(System { home: Some(home), may_open: "", ..SYSTEM }, arguments)
    }

    /// The app with `arguments`, and all that it remembers in the folder `home`.
    pub(crate) fn start_with(&self, home: &Path, arguments: &[&str]) -> Result<Window> {
        self.window(System { home: Some(home), ..SYSTEM }, arguments)
    }

    /// The app with `arguments`, in a system that speaks `locale`.
    fn start_in(&self, locale: &str, arguments: &[&str]) -> Result<Window> {
        self.window(System { locale, ..SYSTEM }, arguments)
    }

    fn window(&self, system: System<'_>, arguments: &[&str]) -> Result<Window> {
        let Self { display, programs, pictures, .. } = self;
        Window::open(display, system, &programs.app, arguments, pictures)
    }

    /// A generated recording of `events` events.
    pub(crate) fn recording(&self, events: u64) -> Result<PathBuf> {
        let path = self.files.path().join(format!("{events}.pickle"));
        if !path.exists() {
            sample::write_files(&Plan { seed: 5, ..Plan::new(events) }, &path)?;
        }
        Ok(path)
    }

    /// What the command line says, as JSON.
    fn tidemark(&self, arguments: &[&str]) -> Result<serde_json::Value> {
        let answer = output(program(&self.programs.tidemark).args(arguments).arg("--json"))?;
        Ok(serde_json::from_str(&answer)?)
    }

    /// Leaves a picture of `window` for a person to look at.
    pub(crate) fn keep(&self, window: &Window, name: &str) -> Result<PathBuf> {
        let path = self.pictures.join(format!("{name}.png"));
        std::fs::write(&path, window.picture()?)?;
        Ok(path)
    }
}

/// Runs the tests whose name contains `filter`; fails when one fails.
pub(crate) fn test(programs: Programs, pictures: PathBuf, filter: &str) -> Result<()> {
    let stage = Stage::new(programs, pictures)?;
    let (mut passed, mut failed) = (0, 0);
    for (name, case) in CASES.iter().filter(|(name, _)| name.contains(filter)) {
        if (0..tries()).any(|_| passes(&stage, name, *case)) {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    println!("window: {passed} passed, {failed} failed");
    println!("pictures: {}", stage.pictures.display());
    ensure!(failed == 0 && passed > 0, "the window does not do what it should");
    Ok(())
}

/// How often a test may be tried: once more under CI, whose machine may stand still for seconds.
/// Both tries are printed, and one that fails is a bug to look at.
fn tries() -> u32 {
    if std::env::var_os("CI").is_some() { 2 } else { 1 }
}

/// Whether a test passes; tells how it went.
fn passes(stage: &Stage, name: &str, case: fn(&Stage) -> Result<()>) -> bool {
    let start = Instant::now();
    let result = case(stage);
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(()) => println!("PASS {name} ({seconds:.1} s)"),
        Err(ref error) => println!("FAIL {name} ({seconds:.1} s): {error:#}"),
    }
    result.is_ok()
}
