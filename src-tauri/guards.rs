//! What keeps a page that was taken over from doing harm is configuration; this holds it in place.

use std::path::Path;

use serde_json::{Value, json};

fn read(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Nothing from elsewhere, no script and no style but the app's own files, no `eval`, no frames, no
/// forms; and nobody changes what all objects inherit.
#[test]
fn the_page_runs_its_own_scripts_only_and_speaks_to_the_program_only() {
    let config = read("tauri.conf.json");
    let policy = config["app"]["security"]["csp"].as_str().unwrap();
    let rules: Vec<&str> = policy.split(';').map(str::trim).collect();
    assert_eq!(
        rules,
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src ipc: http://ipc.localhost",
            "worker-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    );
    let security = &config["app"]["security"];
    assert_eq!(security["freezePrototype"], json!(true));
    assert!(security.get("devCsp").is_none() && security.get("assetProtocol").is_none());
    assert!(security.get("dangerousDisableAssetCspModification").is_none());
    assert!(config["app"].get("withGlobalTauri").is_none());
}

/// Pages hear events; dialogs are opened by the program, files are read and written by it.
#[test]
fn pages_may_hear_events_and_ask_the_system_for_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src-tauri/capabilities");
    let files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, ["main.json"]);
    let capability = read("src-tauri/capabilities/main.json");
    assert_eq!(capability["windows"], json!(["main", "w-*"]));
    assert_eq!(
        capability["permissions"],
        json!(["core:event:allow-listen", "core:event:allow-unlisten"])
    );
    assert!(capability.get("remote").is_none());
}
