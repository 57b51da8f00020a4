//! The shell: one window with the page in it, and the commands the page asks.
//!
//! Knows Tauri, and nothing of how an answer is computed: a command finds the session, asks it
//! through `wire`, and encodes. Start reading at [`commands`].
//!
//! To add a command: write it in `commands.rs`, `compare.rs`, `inspect.rs` or `tables.rs`,
//! add it to the list in `bindings.rs`, and run `cargo xtask wire`, which writes the page's side of
//! it.

mod about;
mod bindings;
mod commands;
mod compare;
mod find;
mod flame;
mod holders;
mod indexes;
mod inspect;
mod recents;
mod remembering;
mod sessions;
mod tables;

use std::sync::Arc;

use indexes::Indexes;
use remembering::Remembering;
use sessions::Sessions;
use tables::Tables;
use tauri::Manager;

/// Opens the window and serves the page until the window is closed.
///
/// # Panics
///
/// When the system has no display or no web view: there is nothing to show that in.
#[expect(clippy::exit, reason = "in what generate_context! writes")]
pub fn run() {
    tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(Arc::new(Sessions::default()))
        .manage(Arc::new(Tables::default()))
        .manage(Arc::new(find::Searches::default()))
        .setup(|app| {
            app.manage(Arc::new(Remembering::new(app.path().app_data_dir().ok())));
            app.manage(Arc::new(Indexes::new(app.path().app_cache_dir().ok())));
            Ok(())
        })
        .invoke_handler(bindings::commands().invoke_handler())
        .run(tauri::generate_context!())
        .expect("a display and a web view to open the window in");
}
