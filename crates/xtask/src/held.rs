//! What the processes of the app hold, off `/proc`.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How long nothing may go back to the system before all has.
const REST: Duration = Duration::from_secs(2);
/// How long that is waited for.
const LATEST: Duration = Duration::from_secs(20);
/// What is no change.
const NOISE: u64 = 1 << 20;

/// Bytes in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Of the app's own process: all pages, those of mapped files among them.
    pub(crate) app: u64,
    /// Of these the ones that are no file's.
    pub(crate) anonymous: u64,
    /// Of the processes of the web view, all pages.
    pub(crate) web: u64,
}

impl Held {
    /// Of `app`, started by the process `driver`.
    pub(crate) fn now(driver: u32, app: &Path) -> Result<Self> {
        let app = std::fs::canonicalize(app)?;
        let is_app = |pid: &u32| {
            std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program == app)
        };
        let pid = below(driver).into_iter().find(is_app).context("the app does not run")?;
        let web = below(pid).into_iter().map(|pid| pages(pid).map_or(0, |(all, _)| all)).sum();
        let (app, anonymous) = pages(pid)?;
        Ok(Self { app, anonymous, web })
    }

    /// Likewise, once nothing goes back to the system any more.
    pub(crate) fn at_rest(driver: u32, app: &Path) -> Result<Self> {
        let start = Instant::now();
        let mut least = Self::now(driver, app)?;
        let mut since = Instant::now();
        while since.elapsed() < REST && start.elapsed() < LATEST {
            std::thread::sleep(Duration::from_millis(100));
            let now = Self::now(driver, app)?;
            if now.app + NOISE < least.app || now.web + NOISE < least.web {
                since = Instant::now();
                least = now;
            }
        }
        Self::now(driver, app)
    }
}

/// The processes that `pid` started, and those they did.
fn below(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    let mut at = 0;
    while let Some(parent) = all.get(at).copied() {
        all.extend(children(parent));
        at += 1;
    }
    all.split_off(1)
}

fn children(pid: u32) -> Vec<u32> {
    // A process that is gone by now has none.
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|child| child.parse().ok())
        .collect()
}

/// All pages of a process that are in memory, and those that are no file's, in bytes.
fn pages(pid: u32) -> Result<(u64, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let kib = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let bytes = |name: &str| kib(name).map(|kib| kib << 10).with_context(|| format!("no {name}"));
    Ok((bytes("Rss:")?, bytes("Anonymous:")?))
}
