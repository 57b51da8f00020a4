//! What helps to find a mistake of ours, as text to copy: versions, what is open, the last lines of
//! the log. No names, no paths, nothing out of a recording.

use std::sync::Arc;

use session::Session;
use tauri::State;
use wire::WireError;

use crate::commands::aside;
use crate::sessions::Sessions;
use crate::{about, log};

/// Characters of an error of the page that are looked at.
const MOST_CHARS: usize = 4000;

/// Versions, the recordings that are open by their counts, and the last lines of the log.
#[tauri::command]
#[specta::specta]
pub(crate) async fn diagnostics(sessions: State<'_, Arc<Sessions>>) -> Result<String, WireError> {
    let sessions = Arc::clone(&sessions);
    aside("diagnostics", move || Ok(told(&sessions))).await
}

/// Puts an error of the page in the log, without the names in it.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "commands get their words handed over")]
pub(crate) fn report_error(text: String) {
    let text: String = text.chars().take(MOST_CHARS).collect();
    log::add(&format!("page: {}", log::without_names(&text)));
}

fn told(sessions: &Sessions) -> String {
    let open = sessions.all();
    let recordings =
        open.iter().map(|(id, session)| format!("recording {id}: {}", counts(session)));
    let mut lines = vec![about::told()];
    lines.extend(recordings);
    lines.push("log:".to_owned());
    lines.extend(log::last());
    lines.push(String::new());
    lines.join("\n")
}

/// Of a recording: who wrote it and how, how much it has, and what was odd in it.
pub(crate) fn counts(session: &Session) -> String {
    let recording = session.recording();
    let devices = &recording.devices;
    let events: u64 = devices.iter().map(|device| u64::from(device.events.len())).sum();
    let blocks: u64 = devices.iter().map(|device| u64::from(device.blocks.len())).sum();
    let warnings: Vec<String> = recording
        .warnings
        .iter()
        .map(|warning| format!("{:?} x{}", warning.kind, warning.count))
        .collect();
    let kind = if recording.dump.is_some() { "dump" } else { "snapshot" };
    format!(
        "{:?} {kind} in {:?}, {} devices, {events} events, {blocks} blocks, warnings: [{}]",
        recording.family,
        recording.source.carrier,
        devices.len(),
        warnings.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::origin::Origin;
    use crate::sessions::tests::opened;

    #[test]
    fn they_have_versions_and_counts_and_no_name_of_an_open_file() {
        let sessions = Sessions::default();
        let session = opened();
        let name = session.recording().source.name.clone();
        sessions.add(session, Origin::of(Path::new("/home/me/my_secret_run.pickle")), "main");
        let text = told(&sessions);
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
        assert!(text.contains("recording 1: Cuda snapshot in "), "{text}");
        assert!(!text.contains(" 0 events") && !text.contains(" 0 blocks"), "{text}");
        assert!(!text.contains("secret") && !text.contains(&name) && !text.contains("/home"));
    }
}
