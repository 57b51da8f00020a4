//! Whether a package holds what it should, before anybody installs it.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::command::{is_installed, output, program};

/// What every Linux package brings, from the top of the file system.
pub(super) const WANTED: &[&str] = &[
    "usr/bin/tidemark",
    "usr/bin/tidemark-app",
    "usr/lib/Tidemark/memscope_sample.db",
    "usr/lib/Tidemark/sample.pickle.gz",
    "usr/share/applications/Tidemark.desktop",
    "usr/share/bash-completion/completions/tidemark",
    "usr/share/doc/tidemark/LICENSE",
    "usr/share/doc/tidemark/THIRD-PARTY.txt.gz",
    "usr/share/doc/tidemark/copyright",
    "usr/share/fish/vendor_completions.d/tidemark.fish",
    "usr/share/icons/hicolor/128x128/apps/tidemark-app.png",
    "usr/share/icons/hicolor/16x16/apps/tidemark-app.png",
    "usr/share/icons/hicolor/22x22/apps/tidemark-app.png",
    "usr/share/icons/hicolor/48x48/apps/tidemark-app.png",
    "usr/share/icons/hicolor/512x512/apps/tidemark-app.png",
    "usr/share/icons/hicolor/scalable/apps/tidemark-app.svg",
    "usr/share/man/man1/tidemark-info.1.gz",
    "usr/share/man/man1/tidemark.1.gz",
    "usr/share/metainfo/dev.tidemark.app.metainfo.xml",
    "usr/share/mime/packages/dev.tidemark.app.xml",
    "usr/share/zsh/vendor-completions/_tidemark",
];

/// Prints what is in a deb or rpm and what it needs; fails when something is missing.
pub(super) fn inspect(package: &Path) -> Result<()> {
    let kind = package.extension().and_then(|text| text.to_str()).unwrap_or_default();
    match kind {
        "deb" if is_installed("dpkg-deb") => deb(package),
        "rpm" if is_installed("rpm") => rpm(package),
        "deb" | "rpm" => {
            println!("{} is not looked into: no program for it here", package.display());
            Ok(())
        }
        _ => Ok(()),
    }
}

fn deb(package: &Path) -> Result<()> {
    let control = output(program("dpkg-deb").arg("-f").arg(package))?;
    let contents = output(program("dpkg-deb").arg("-c").arg(package))?;
    println!("\n{}:\n{control}", package.display());
    for line in contents.lines().filter(|line| !line.starts_with('d')) {
        println!("{line}");
    }
    let field = |name: &str| {
        let line = control.lines().find_map(|line| line.strip_prefix(name));
        line.map_or("", str::trim).to_owned()
    };
    ensure!(field("Package:") == "tidemark", "the package is called {:?}", field("Package:"));
    ensure!(field("Version:") == env!("CARGO_PKG_VERSION"), "it is of {:?}", field("Version:"));
    for needed in ["libwebkit2gtk-4.1-0", "libgtk-3-0"] {
        ensure!(field("Depends:").contains(needed), "it does not depend on {needed}");
    }
    holds_all(contents.lines().filter_map(|line| line.split_whitespace().nth(5)))
}

fn rpm(package: &Path) -> Result<()> {
    let query = |what: &str| output(program("rpm").arg(what).arg(package));
    let (contents, needs) = (query("-qlp")?, query("-qRp")?);
    println!("\n{}:\n{}\n{contents}\nneeds:\n{needs}", package.display(), query("-qip")?);
    // By the libraries' own names, which all families of systems with rpm know.
    for needed in ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0"] {
        ensure!(needs.contains(needed), "the rpm does not need {needed}");
    }
    holds_all(contents.lines())
}

fn holds_all<'a>(paths: impl Iterator<Item = &'a str>) -> Result<()> {
    let paths: Vec<_> =
        paths.map(|path| path.trim_start_matches('.').trim_start_matches('/')).collect();
    let missing: Vec<_> = WANTED.iter().filter(|path| !paths.contains(*path)).collect();
    ensure!(missing.is_empty(), "the package lacks {missing:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named() {
        let all = WANTED.iter().map(|path| format!("./{path}")).collect::<Vec<_>>();
        holds_all(all.iter().map(String::as_str)).unwrap();
        let problem = holds_all(all.iter().skip(1).map(String::as_str)).unwrap_err();
        assert!(problem.to_string().contains("usr/bin/tidemark"), "{problem}");
    }
}
