//! Tells Tauri where the shell's capabilities are; `tauri.conf.json` stands at the top of the repository.

fn main() {
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/*.json"),
    )
    .expect("tauri.conf.json and src-tauri/capabilities are in order");
}
