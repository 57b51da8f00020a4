//! Installs what the machine lacks. Each step looks first, so that a second start costs nothing.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::command::{is_installed, is_root, npm, output, program, root, run};

/// What a chore needs beyond Rust.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// To build the app and look at it.
    App,
    /// Also to test it: a display of its own, a driver for the window, a browser for the page.
    Tests,
}

/// Debian packages the app is built with.
const BUILD: &[&str] = &["libwebkit2gtk-4.1-dev", "pkg-config"];

/// Debian packages the tests need.
const TESTS: &[&str] = &[
    "xvfb",
    "webkit2gtk-driver",
    // A second start of the app finds the first one over it.
    "dbus-daemon",
    "fonts-dejavu-core",
    // For the texts in Chinese.
    "fonts-wqy-microhei",
    // What is said of the installed app to desktops, and read by them.
    "appstream",
    "desktop-file-utils",
    "shared-mime-info",
];

/// Names under which a Chromium may be installed; the page's tests look for the same.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// The oldest Node.js the page's tools run on.
const NODE: (u32, u32) = (20, 19);

/// Installs what `need` needs of the system, and says what is missing where it cannot.
pub(crate) fn system(need: Need) -> Result<()> {
    if cfg!(target_os = "linux") && is_installed("apt-get") {
        apt(need)?;
    } else {
        elsewhere(need)?;
    }
    node()
}

/// The page's npm packages, as locked.
pub(crate) fn page() -> Result<()> {
    let ui = root().join("ui");
    let wanted = std::fs::read_to_string(ui.join("package-lock.json"))
        .context("ui/package-lock.json is missing")?;
    let stamp = ui.join("node_modules/.tidemark-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(&mut npm(["ci", "--no-audit", "--no-fund"]))?;
    std::fs::write(&stamp, wanted)?;
    Ok(())
}

fn apt(need: Need) -> Result<()> {
    let mut wanted = BUILD.to_vec();
    if need == Need::Tests {
        wanted.extend(TESTS);
        if !BROWSERS.iter().any(|name| is_installed(name)) {
            wanted.push("chromium");
        }
    }
    if !is_installed("node") {
        wanted.push("nodejs");
    }
    if !is_installed("npm") {
        wanted.push("npm");
    }
    let missing: Vec<_> = wanted.into_iter().filter(|package| !has_package(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}", missing.join(", "));
    run(as_root("apt-get")?.args(["update", "-qq"]))?;
    let mut install = as_root("apt-get")?;
    install.args(["install", "-y", "-qq", "--no-install-recommends"]).args(&missing);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn has_package(package: &str) -> bool {
    output(program("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]))
        .is_ok_and(|status| status == "installed")
}

/// `name` with the rights to install packages.
pub(crate) fn as_root(name: &str) -> Result<std::process::Command> {
    if is_root() {
        return Ok(program(name));
    }
    if !is_installed("sudo") {
        bail!("installing packages needs root: run this as root once, or install sudo");
    }
    let mut command = program("sudo");
    // The variable that keeps apt from asking must survive sudo.
    command.arg("DEBIAN_FRONTEND=noninteractive").arg(name);
    Ok(command)
}

/// Where we cannot install anything ourselves, the words to do it by.
fn elsewhere(need: Need) -> Result<()> {
    if need == Need::Tests && !cfg!(target_os = "linux") {
        bail!(
            "the tests drive a real window under Xvfb and WebKitGTK: run them on Debian or Ubuntu"
        );
    }
    if cfg!(target_os = "macos") {
        return if Path::new("/Library/Developer/CommandLineTools").exists()
            || Path::new("/Applications/Xcode.app").exists()
        {
            Ok(())
        } else {
            bail!("Apple's compilers are missing: run `xcode-select --install` once");
        };
    }
    if cfg!(target_os = "windows") {
        println!(
            "Needed once: Visual Studio Build Tools with \"Desktop development with C++\", and the \
             WebView2 runtime (part of Windows 11)."
        );
        return Ok(());
    }
    let found = output(program("pkg-config").args(["--exists", "webkit2gtk-4.1"])).is_ok();
    if found {
        return Ok(());
    }
    bail!(
        "this is not Debian or Ubuntu, so install by hand: pkg-config and WebKitGTK 4.1 with its \
         headers (Fedora: webkit2gtk4.1-devel; Arch: webkit2gtk-4.1; openSUSE: \
         webkit2gtk3-soup2-devel), for the tests also Xvfb, WebKitWebDriver, \
         dbus-daemon and Chromium"
    )
}

/// Node.js and npm, new enough.
fn node() -> Result<()> {
    let (major, minor) = NODE;
    let words = format!(
        "Node.js {major}.{minor} or newer with npm is needed to build the page: https://nodejs.org"
    );
    let version = output(program("node").arg("--version")).with_context(|| words.clone())?;
    if is_new_enough(&version) { Ok(()) } else { bail!("{words} (found {})", version.trim()) }
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= NODE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn node_versions_are_compared_as_numbers() {
        assert!(is_new_enough("v20.20.2\n"));
        assert!(is_new_enough("v22.2.0"));
        assert!(!is_new_enough("v20.9.0"));
        assert!(!is_new_enough("v18.20.4"));
        assert!(!is_new_enough("nonsense"));
    }
}
