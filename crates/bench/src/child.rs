//! One measurement in a process of its own.

use crate::walk;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use session::{Axis, ColorBy, Counter, Detail, Job, OnDevice, Session, Store, Viewport};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What opening one file took.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Opened {
    /// From the path to the first scene.
    pub(crate) ms: f64,
    /// Events of all devices.
    pub(crate) events: u64,
    /// Most anonymous memory at any moment, less what an empty process has.
    pub(crate) peak_bytes: u64,
    /// Anonymous memory when the first scene is there.
    pub(crate) held_bytes: u64,
}

/// What a walk through scenes took.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scenes {
    /// Milliseconds of every scene, ascending.
    pub(crate) ms: Vec<f64>,
    /// Most bands in one scene.
    pub(crate) most_bands: usize,
}

/// Measures opening `file` and prints it; with a folder, opening it again from its index there.
pub(crate) fn open(file: &Path, folder: Option<&Path>) -> Result<()> {
    let before = anonymous_bytes();
    let watch = Watch::start()?;
    let begun = Instant::now();
    let session = match folder {
        None => Session::open(file, &Job::unwatched())?,
        Some(folder) => {
            let store = Store::new(folder, u64::MAX);
            Session::open_with(file, &store, &Job::unwatched())?
        }
    };
    let device = busiest(&session)?;
    let scene = device.scene(&whole(device), &Job::unwatched())?;
    let ms = begun.elapsed().as_secs_f64() * 1e3;
    let held = anonymous_bytes();
    let peak = watch.stop().max(held);
    anyhow::ensure!(!scene.columns.state.is_empty(), "the first scene is empty");
    anyhow::ensure!(session.is_reopened() == folder.is_some(), "the index was not used");
    let opened = Opened {
        ms,
        events: session.devices().map(|device| u64::from(device.table().events.len())).sum(),
        peak_bytes: peak.saturating_sub(before),
        held_bytes: held.saturating_sub(before),
    };
    println!("{}", serde_json::to_string(&opened)?);
    Ok(())
}

/// What an index on disk is good for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// Writing it.
    pub(crate) ms: f64,
    /// Its bytes.
    pub(crate) bytes: u64,
}

/// Opens `file`, writes its index into `folder`, and prints what that took.
pub(crate) fn save(file: &Path, folder: &Path) -> Result<()> {
    let store = Store::new(folder, u64::MAX);
    let session = Session::open_with(file, &store, &Job::unwatched())?;
    let begun = Instant::now();
    let bytes = session.save_index(&store, &Job::unwatched())?.context("not worth an index")?;
    let saved = Saved { ms: begun.elapsed().as_secs_f64() * 1e3, bytes };
    println!("{}", serde_json::to_string(&saved)?);
    Ok(())
}

/// Measures a walk through scenes of `file` and prints it.
pub(crate) fn scenes(file: &Path) -> Result<()> {
    let session = Session::open(file, &Job::unwatched())?;
    let device = busiest(&session)?;
    let mut ms = Vec::new();
    let mut most_bands = 0;
    for viewport in walk::viewports(&whole(device)) {
        let begun = Instant::now();
        let scene = device.scene(&viewport, &Job::unwatched())?;
        ms.push(begun.elapsed().as_secs_f64() * 1e3);
        most_bands = most_bands.max(scene.bands.block.len());
    }
    ms.sort_by(f64::total_cmp);
    println!("{}", serde_json::to_string(&Scenes { ms, most_bands })?);
    Ok(())
}

pub(crate) fn busiest(session: &Session) -> Result<OnDevice<'_>> {
    session.device(session.recording().busiest_device()).context("no device")
}

/// All of the device at a usual window's size.
fn whole(device: OnDevice<'_>) -> Viewport {
    let table = device.table();
    let most = table.counters.at(Counter::Reserved, device.peak_state(Counter::Reserved));
    Viewport {
        axis: Axis::Event,
        x: (-1.0, f64::from(table.events.len())),
        y: (0.0, most.max(1) as f64 * 1.05),
        width_px: 1600,
        height_px: 500,
        color: ColorBy::Stack,
        detail: Detail::Full,
        selected: None,
        lit: None,
    }
}

/// Looks at the process's anonymous memory every few milliseconds: a look takes 40 µs.
struct Watch {
    stop: Arc<AtomicBool>,
    most: Arc<AtomicU64>,
    thread: std::thread::JoinHandle<()>,
}

impl Watch {
    fn start() -> Result<Self> {
        let (stop, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (told, seen) = (Arc::clone(&stop), Arc::clone(&most));
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
            while !told.load(Ordering::Relaxed) {
                seen.fetch_max(anonymous_bytes(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(4));
            }
        })?;
        Ok(Self { stop, most, thread })
    }

    fn stop(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        // A watcher that panicked has seen nothing: the caller's own reading still counts.
        if self.thread.join().is_err() {
            eprintln!("the memory watcher failed");
        }
        self.most.load(Ordering::Relaxed)
    }
}

/// `RssAnon` of this process; 0 where the system does not say.
fn anonymous_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
