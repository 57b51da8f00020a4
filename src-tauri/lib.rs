//! The shell: windows with the page in them, and the commands the page asks.
//!
//! Knows Tauri, and nothing of how an answer is computed: a command finds the session, asks it
//! through `wire`, and encodes. Start reading at [`commands`].
//!
//! To add a command: write it in `commands.rs`, `compare.rs`, `inspect.rs` or `tables.rs`,
//! add it to the list in `bindings.rs`, and run `cargo xtask wire`, which writes the page's side of
//! it.

mod about;
mod allowed;
mod asked;
mod bindings;
mod cache;
mod choosing;
mod commands;
mod compare;
mod diagnostics;
mod find;
mod flame;
#[cfg(test)]
mod guards;
mod holders;
mod indexes;
mod inspect;
mod log;
mod memory;
mod origin;
mod pages;
mod recents;
mod remembering;
mod sessions;
mod tables;
mod windows;

use std::path::Path;
use std::sync::Arc;

use allowed::Allowed;
use asked::Asked;
use indexes::Indexes;
use remembering::Remembering;
use sessions::Sessions;
use tables::Tables;
use tauri::Manager;
use windows::Handovers;

/// Opens a window and serves the pages until the last window is closed.
///
/// # Panics
///
/// When the system has no display or no web view: there is nothing to show that in.
#[expect(clippy::exit, reason = "in what generate_context! writes")]
pub fn run() {
    memory::keep_apart();
    log::hear_panics();
    let asked = Asked::default();
    let here = std::env::current_dir().unwrap_or_default();
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    asked.put(asked::files(words, &here));
    let mut builder = tauri::Builder::default();
    if !asked::is_apart() {
        // First of all: a second start ends in here.
        builder = builder.plugin(tauri_plugin_single_instance::init(|app, words, folder| {
            asked::open(app, asked::files(words, Path::new(&folder)));
        }));
    }
    builder
        .plugin(pages::own_only())
        .plugin(tauri_plugin_dialog::init())
        .manage(Arc::new(Allowed::new()))
        .manage(Arc::new(asked))
        .manage(Arc::new(Sessions::default()))
        .manage(Arc::new(Tables::default()))
        .manage(Arc::new(find::Searches::default()))
        .manage(Arc::new(Handovers::default()))
        .setup(|app| {
            log::begin(app.path().app_log_dir().ok());
            log::add(&format!("start: {}", about::told()));
            let kept = Arc::new(Remembering::new(app.path().app_data_dir().ok()));
            let indexes = Arc::new(Indexes::new(app.path().app_cache_dir().ok()));
            app.manage(Arc::clone(&kept));
            app.manage(Arc::clone(&indexes));
            // Nobody waits for that: it reads a disk.
            tauri::async_runtime::spawn_blocking(move || cache::as_set(&kept, &indexes));
            Ok(())
        })
        .invoke_handler(bindings::commands().invoke_handler())
        .on_window_event(windows::on_event)
        .on_page_load(windows::on_page_load)
        .build(tauri::generate_context!())
        .expect("a display and a web view to open the window in")
        .run(on_run);
}

/// Opens what the system hands over: files that were opened from the Finder.
#[cfg(target_os = "macos")]
fn on_run(app: &tauri::AppHandle, event: tauri::RunEvent) {
    if let tauri::RunEvent::Opened { urls } = event {
        asked::open(app, urls.iter().filter_map(|url| url.to_file_path().ok()).collect());
    }
}

#[cfg(not(target_os = "macos"))]
fn on_run(_: &tauri::AppHandle, _: tauri::RunEvent) {}
