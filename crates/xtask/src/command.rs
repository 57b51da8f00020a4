//! Starting other programs, from the top of the repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("xtask is two folders below the top").to_path_buf()
}

/// `program`, to be run at the top of the repository, without what cargo told this program.
pub(crate) fn program(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name.as_ref());
        }
    }
    command
}

/// A cargo command.
pub(crate) fn cargo<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// An npm command in `ui/`.
pub(crate) fn npm<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = program(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(root().join("ui")).args(arguments);
    command
}

/// Says what is run, runs it, and fails when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words = in_words(command);
    println!("$ {words}");
    let status = command.status().with_context(|| format!("cannot start `{words}`"))?;
    if !status.success() {
        bail!("`{words}` failed ({status})");
    }
    Ok(())
}

/// What `command` prints, in silence.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let words = in_words(command);
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{words}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{words}` failed ({}): {}", output.status, said.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{words}` printed bytes"))
}

/// Whether `program` is installed.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Whether this process may install packages.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}

/// Asks a program to end; where that cannot be asked, it goes on.
pub(crate) fn ask_to_end(child: &Child) -> bool {
    #[cfg(unix)]
    return i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw).is_some_and(
        |pid| rustix::process::kill_process(pid, rustix::process::Signal::TERM).is_ok(),
    );
    #[cfg(not(unix))]
    return {
        let _: &Child = child;
        false
    };
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> Result<PathBuf> {
    let answer = output(&mut cargo(["metadata", "--no-deps", "--format-version=1", "--offline"]))?;
    let answer: serde_json::Value = serde_json::from_str(&answer)?;
    let folder = answer["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(PathBuf::from(folder))
}

/// When the newest of the files under `path` was changed; folders in `except` are not looked into.
pub(crate) fn newest(path: &Path, except: &[&str]) -> Result<SystemTime> {
    let metadata = std::fs::metadata(path).with_context(|| format!("no {}", path.display()))?;
    let mut newest = metadata.modified()?;
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            if !except.iter().any(|name| entry.file_name() == *name) {
                newest = newest.max(self::newest(&entry.path(), except)?);
            }
        }
    }
    Ok(newest)
}

fn in_words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| {
            let word = word.to_string_lossy();
            // `/usr/…/bin/cargo` says no more than `cargo`.
            word.rsplit_once("/bin/").map_or(word.to_string(), |(_, name)| name.to_owned())
        })
        .collect::<Vec<_>>()
        .join(" ")
}
