//! The command line by itself, for machines without a screen.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::command::{program, root, run};
use crate::licences;

/// Puts `tidemark`, the licence and the notices into one file in `out`: a zip on Windows, else a
/// tar packed with gzip.
pub(super) fn archive(tidemark: &Path, out: &Path, target: Option<&str>) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let arch = target.and_then(|target| target.split('-').next());
    let arch = arch.unwrap_or(std::env::consts::ARCH);
    let name = format!("tidemark-cli-{version}-{}-{arch}", std::env::consts::OS);
    let folder = tempfile::tempdir()?;
    let inside = folder.path().join(&name);
    std::fs::create_dir(&inside)?;
    let program_name = tidemark.file_name().context("a program with a name")?;
    std::fs::copy(tidemark, inside.join(program_name))?;
    std::fs::copy(root().join("LICENSE"), inside.join("LICENSE"))?;
    std::fs::write(inside.join("THIRD-PARTY.txt"), licences::notices()?)?;
    if cfg!(windows) {
        return zip(&inside, &out.join(format!("{name}.zip")));
    }
    let mut tar = program("tar");
    tar.arg("-czf").arg(out.join(format!("{name}.tar.gz"))).arg("-C").arg(folder.path());
    run(tar.arg(&name))
}

fn zip(folder: &Path, path: &Path) -> Result<()> {
    let mut zip = ZipWriter::new(File::create(path)?);
    let top = folder.file_name().context("a folder with a name")?.to_string_lossy();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{top}/{}", entry.file_name().to_string_lossy());
        zip.start_file(name, SimpleFileOptions::default().unix_permissions(0o755))?;
        zip.write_all(&std::fs::read(entry.path())?)?;
    }
    zip.finish()?;
    Ok(())
}
