//! Dialogs in which a person chooses files. They are opened here and not by the page, so that what
//! was chosen is known to be a choice.

use std::sync::Arc;

use tauri::{State, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use wire::WireError;

use crate::allowed::Allowed;
use crate::commands::aside;

/// Lets the person choose a file to open; nothing when they would rather not.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_file(
    title: String,
    window: WebviewWindow,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<Option<String>, WireError> {
    let allowed = Arc::clone(&allowed);
    aside("choose_file", move || {
        // No filter: what a file is, is told by what is in it, and many have no ending.
        Ok(source(dialog(&window, title).blocking_pick_file(), &allowed))
    })
    .await
}

/// Likewise a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder(
    title: String,
    window: WebviewWindow,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<Option<String>, WireError> {
    let allowed = Arc::clone(&allowed);
    aside("choose_folder", move || {
        Ok(source(dialog(&window, title).blocking_pick_folder(), &allowed))
    })
    .await
}

/// Lets the person choose where to write a CSV file, `name` if they like.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_target(
    title: String,
    name: String,
    window: WebviewWindow,
    allowed: State<'_, Arc<Allowed>>,
) -> Result<Option<String>, WireError> {
    let allowed = Arc::clone(&allowed);
    aside("choose_target", move || {
        let dialog = dialog(&window, title).set_file_name(name).add_filter("CSV", &["csv"]);
        let chosen = dialog.blocking_save_file().and_then(|path| path.into_path().ok());
        Ok(chosen.map(|path| {
            allowed.add_target(&path);
            path.to_string_lossy().into_owned()
        }))
    })
    .await
}

fn dialog(window: &WebviewWindow, title: String) -> FileDialogBuilder<tauri::Wry> {
    window.dialog().file().set_parent(window).set_title(title)
}

fn source(chosen: Option<FilePath>, allowed: &Allowed) -> Option<String> {
    let path = chosen?.into_path().ok()?;
    allowed.add(&path);
    Some(path.to_string_lossy().into_owned())
}
