//! Tells Tauri where the shell's capabilities are; `tauri.conf.json` stands at the top of the
//! repository. Tells the program what compiled it.

use std::process::Command;

fn main() {
    // Tauri watches the folder where capabilities are usually.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let compiler = std::env::var_os("RUSTC").expect("cargo names the compiler");
    let answer = Command::new(compiler).arg("--version").output().expect("the compiler starts");
    let version = String::from_utf8_lossy(&answer.stdout).into_owned();
    // `rustc 1.95.0 (0123456789 2026-01-01)`
    let version = version.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo:rustc-env=TIDEMARK_RUSTC={version}");
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/*.json"),
    )
    .expect("tauri.conf.json and src-tauri/capabilities are in order");
}
