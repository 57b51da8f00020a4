//! A plan becomes files.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::memscope::collector::Process;
use crate::memscope::files::Files;
use crate::memscope::plan::Dump;
use crate::memscope::row::Place;
use crate::memscope::training;
use crate::memscope::truth::Truth;

/// The first process; the others follow.
const PROCESS: u32 = 2_621_226;

/// Simulates the run and writes it to `path`.
pub(crate) fn write(plan: &Dump, path: &Path) -> Result<Truth> {
    let mut files = Files::new(plan, path);
    let mut truth = Truth::default();
    for index in 0..plan.processes.max(1) {
        let device = if plan.oddities.shared_device { 0 } else { index };
        let start_ns = files.style().base_ns + u64::from(index) * 3_000_000;
        let process =
            Process::new(&mut files, PROCESS + index * 7, Place::Device(device), start_ns);
        training::train(process)?.finish(&mut truth);
    }
    files.finish(&mut truth)?;
    Ok(truth)
}

/// The same, and the truth beside it.
pub(crate) fn write_files(plan: &Dump, path: &Path) -> Result<Truth> {
    let truth = write(plan, path)?;
    write_truth(&truth, path)?;
    Ok(truth)
}

pub(crate) fn write_truth(truth: &Truth, path: &Path) -> Result<()> {
    let beside = path.with_extension("truth.json");
    let text = serde_json::to_string_pretty(truth)?;
    std::fs::write(&beside, text + "\n")
        .with_context(|| format!("cannot write {}", beside.display()))
}
