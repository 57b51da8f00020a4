//! The generated files, made once and kept.

use anyhow::Result;
use std::path::{Path, PathBuf};

/// One file for every size, in `folder`.
pub(crate) fn generated(folder: &Path, sizes: &[u64]) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    sizes.iter().map(|events| one(folder, *events)).collect()
}

fn one(folder: &Path, events: u64) -> Result<PathBuf> {
    let path = folder.join(format!("sample-{events}.pickle"));
    if !path.exists() {
        eprintln!("generating {}", path.display());
        let unfinished = path.with_extension("unfinished");
        sample::write_files(&sample::Plan::new(events), &unfinished)?;
        std::fs::rename(&unfinished, &path)?;
    }
    Ok(path)
}
