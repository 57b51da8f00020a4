//! What the program is, and what it is made with.

use serde::Serialize;
use specta::Type;

/// Versions, for the About box and for reports of mistakes.
#[derive(Serialize, Type)]
pub(crate) struct About {
    /// Of the program.
    version: &'static str,
    /// The commit it was built from; nothing in a quick build.
    commit: Option<&'static str>,
    /// When that commit was made, in seconds since 1970.
    committed: Option<u32>,
    /// The system and the processor it was built for.
    system: String,
    tauri: &'static str,
    /// The system's web view, when it tells.
    webview: Option<String>,
    sqlite: &'static str,
    rust: &'static str,
}

/// What the program is, and what it is made with.
#[tauri::command]
#[specta::specta]
pub(crate) fn about() -> About {
    About {
        version: env!("CARGO_PKG_VERSION"),
        commit: option_env!("TIDEMARK_COMMIT"),
        committed: option_env!("SOURCE_DATE_EPOCH").and_then(|time| time.parse().ok()),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        tauri: tauri::VERSION,
        webview: tauri::webview_version().ok(),
        sqlite: session::sqlite_version(),
        rust: env!("TIDEMARK_RUSTC"),
    }
}

/// The same in one line, for the log and for reports.
pub(crate) fn told() -> String {
    let About { version, commit, system, tauri, webview, sqlite, rust, .. } = about();
    let commit = commit.unwrap_or("unknown");
    let webview = webview.as_deref().unwrap_or("unknown");
    format!(
        "Tidemark {version}, commit {commit}, {system}, Tauri {tauri}, web view {webview}, \
         SQLite {sqlite}, {rust}"
    )
}
