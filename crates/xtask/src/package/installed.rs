//! The package as a person gets it: installed, started, removed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::inspect;
use crate::app::{Profile, Programs};
use crate::command::{is_installed, is_root, output, program, root, run, target};
use crate::setup::as_root;
use crate::window::{self, block};
use crate::{app, page};

/// The package's name, as dpkg knows it.
const NAME: &str = "tidemark";

/// Makes a package of the quick build, installs it, reads a number off its window, removes it.
pub(crate) fn test() -> Result<()> {
    if let Some(obstacle) = obstacle() {
        ensure!(std::env::var_os("CI").is_none(), "the package cannot be tested: {obstacle}");
        println!("the package is NOT tested: {obstacle}");
        return Ok(());
    }
    texts()?;
    page::build()?;
    let programs = app::build(Profile::Dev)?;
    let made = super::make(Profile::Dev, &programs, &["deb".to_owned()], None)?;
    let deb = made.first().context("a package")?;
    inspect::inspect(deb)?;
    let installed = Installed::new(deb)?;
    desktop_knows_it()?;
    shows_what_the_command_line_says()?;
    installed.remove()
}

/// Why the package cannot be tried here, if so.
fn obstacle() -> Option<&'static str> {
    let may_install = || is_root() || output(program("sudo").args(["-n", "true"])).is_ok();
    if !is_installed("dpkg") {
        Some("this is not Debian or Ubuntu")
    } else if !may_install() {
        Some("installing needs root, or sudo without a password")
    } else if is_there() && std::env::var_os("CI").is_none() {
        Some("tidemark is installed already, and would be replaced and removed")
    } else {
        None
    }
}

fn is_there() -> bool {
    output(program("dpkg-query").args(["-W", "-f", "${db:Status-Status}", NAME]))
        .is_ok_and(|status| status == "installed")
}

/// What software centres and desktops read is by their rules.
fn texts() -> Result<()> {
    let metainfo = root().join("assets/linux/dev.tidemark.app.metainfo.xml");
    run(program("appstreamcli").args(["validate", "--no-net", "--pedantic"]).arg(metainfo))
}

/// The installed package; removed when dropped.
struct Installed {
    files: Vec<PathBuf>,
    is_removed: bool,
}

impl Installed {
    fn new(deb: &Path) -> Result<Self> {
        // The package names all it depends on, so dpkg alone is enough once that is installed.
        run(as_root("dpkg")?.arg("-i").arg(deb))?;
        let files = output(program("dpkg").args(["-L", NAME]))?;
        let files = files.lines().map(PathBuf::from).filter(|path| path.is_file()).collect();
        Ok(Self { files, is_removed: false })
    }

    /// Removes it, and fails when something is left behind.
    fn remove(mut self) -> Result<()> {
        self.is_removed = true;
        run(as_root("dpkg")?.args(["-r", NAME]))?;
        let left: Vec<_> = self.files.iter().filter(|path| path.exists()).collect();
        ensure!(left.is_empty(), "removing left {left:?} behind");
        ensure!(!Path::new("/usr/lib/Tidemark").exists(), "removing left a folder behind");
        for (path, text) in DATABASES {
            let known = std::fs::read_to_string(path).unwrap_or_default();
            ensure!(!known.contains(text), "{path} still knows {text}");
        }
        println!("removed, with all {} files", self.files.len());
        Ok(())
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        if !self.is_removed {
            let removed = as_root("dpkg").and_then(|mut dpkg| run(dpkg.args(["-r", NAME])));
            if let Err(problem) = removed {
                eprintln!("{NAME} is still installed: {problem:#}");
            }
        }
    }
}

/// What the system's databases say once the package is there.
const DATABASES: &[(&str, &str)] = &[
    ("/usr/share/applications/mimeinfo.cache", "application/vnd.tidemark.pickle=Tidemark.desktop;"),
    ("/usr/share/mime/globs2", "50:application/vnd.tidemark.pickle:*.pickle\n"),
    ("/usr/share/mime/globs2", "60:application/vnd.tidemark.memscope+sqlite3:memscope_dump*.db\n"),
];

fn desktop_knows_it() -> Result<()> {
    let entry = "/usr/share/applications/Tidemark.desktop";
    run(program("desktop-file-validate").arg(entry))?;
    let text = std::fs::read_to_string(entry)?;
    for line in ["Exec=tidemark-app %F", "Icon=tidemark-app"] {
        ensure!(text.lines().any(|found| found == line), "{entry} lacks {line:?}:\n{text}");
    }
    for (path, text) in DATABASES {
        let known = std::fs::read_to_string(path).with_context(|| format!("no {path}"))?;
        ensure!(known.contains(text), "{path} does not know {text:?}");
    }
    Ok(())
}

/// The installed window opens the installed sample, and its numbers are the installed command line's.
fn shows_what_the_command_line_says() -> Result<()> {
    let sample = Path::new("/usr/lib/Tidemark/sample.pickle.gz");
    let programs =
        Programs { app: "/usr/bin/tidemark-app".into(), tidemark: "/usr/bin/tidemark".into() };
    let version = output(program(&programs.tidemark).arg("--version"))?;
    if !version.contains(env!("CARGO_PKG_VERSION")) {
        bail!("the installed command line is {version:?}");
    }
    let stage = window::Stage::new(programs, target()?.join("package/window"))?;
    let size = block::agrees_with_the_command_line(&stage, sample)?;
    println!(
        "the installed window shows a block of {size} bytes, as the installed command line does"
    );
    Ok(())
}
