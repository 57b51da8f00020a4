//! What the Linux packages hold beyond the app: the command line and what belongs to it, licences.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};

use super::empty;
use crate::app::Programs;
use crate::command::{output, program, root};
use crate::licences;

/// Writes everything into `folder`; returns where each file is installed, and where it is now.
pub(super) fn stage(programs: &Programs, folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    empty(folder)?;
    let mut staged = vec![("/usr/bin/tidemark".to_owned(), programs.tidemark.clone())];
    if !cfg!(target_os = "linux") {
        return Ok(staged);
    }
    let mut add = |to: String, from: PathBuf| staged.push((to, from));
    for (shell, to) in [
        ("bash", "/usr/share/bash-completion/completions/tidemark"),
        ("fish", "/usr/share/fish/vendor_completions.d/tidemark.fish"),
        ("zsh", "/usr/share/zsh/vendor-completions/_tidemark"),
        ("zsh", "/usr/share/zsh/site-functions/_tidemark"),
    ] {
        let from = folder.join(format!("completions.{shell}"));
        std::fs::write(&from, output(program(&programs.tidemark).args(["completions", shell]))?)?;
        add(to.to_owned(), from);
    }
    for page in manual(programs, folder)? {
        let name = page.file_name().context("a page with a name")?.to_string_lossy();
        add(format!("/usr/share/man/man1/{name}"), page.clone());
    }
    let notices = folder.join("THIRD-PARTY.txt.gz");
    pack(licences::notices()?.as_bytes(), &notices)?;
    add("/usr/share/doc/tidemark/THIRD-PARTY.txt.gz".to_owned(), notices);
    let changelog = folder.join("changelog.gz");
    pack(&std::fs::read(root().join("CHANGELOG.md"))?, &changelog)?;
    add("/usr/share/doc/tidemark/changelog.gz".to_owned(), changelog);
    let copyright = root().join("assets/linux/copyright");
    add("/usr/share/doc/tidemark/copyright".to_owned(), copyright);
    add("/usr/share/doc/tidemark/LICENSE".to_owned(), root().join("LICENSE"));
    Ok(staged)
}

/// The manual pages, packed.
fn manual(programs: &Programs, folder: &Path) -> Result<Vec<PathBuf>> {
    let plain = folder.join("man");
    std::fs::create_dir_all(&plain)?;
    output(program(&programs.tidemark).arg("manual").arg(&plain))?;
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(&plain)? {
        let page = entry?;
        let name = page.file_name();
        let packed = folder.join(format!("{}.gz", name.to_string_lossy()));
        pack(&std::fs::read(page.path())?, &packed)?;
        pages.push(packed);
    }
    pages.sort();
    Ok(pages)
}

/// Packs as well as can be, without a time, so that the same text is the same file.
fn pack(text: &[u8], path: &Path) -> Result<()> {
    let mut packed = GzBuilder::new().mtime(0).write(File::create(path)?, Compression::best());
    packed.write_all(text)?;
    packed.finish()?;
    Ok(())
}
