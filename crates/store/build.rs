//! Takes a hash of the code that makes columns of a file: see `entry::program`.

use std::fs;
use std::path::{Path, PathBuf};

/// Whatever decides what is in an index, besides this crate.
const READERS: [&str; 5] =
    ["../model/src", "../pickle/src", "../ingest/src", "../index/src", "../session/src/summary.rs"];

fn main() {
    let mut files: Vec<PathBuf> = Vec::new();
    for reader in READERS {
        println!("cargo::rerun-if-changed={reader}");
        collect(Path::new(reader), &mut files);
    }
    files.sort();
    // FNV-1a: a build script needs no better one.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let text = fs::read(&file).unwrap_or_default();
        // Line ends are the checkout's business.
        for byte in text.into_iter().filter(|byte| *byte != b'\r') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=TIDEMARK_READERS={hash:016x}");
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(path) else {
        files.push(path.to_owned());
        return;
    };
    for entry in entries.flatten() {
        collect(&entry.path(), files);
    }
}
