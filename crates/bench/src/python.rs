//! The reference: how long CPython's own `pickle.load` takes on the same file.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Whether CPython's cyclic garbage collector runs while it loads.
#[derive(Clone, Copy)]
pub(crate) enum Collector {
    On,
    Off,
}

const SCRIPT: &str = "\
import gc, pickle, sys, time
if sys.argv[2] == 'off': gc.disable()
with open(sys.argv[1], 'rb') as file:
    begun = time.perf_counter()
    value = pickle.load(file)
    print((time.perf_counter() - begun) * 1000)
sys.stdout.flush()
import os
os._exit(0)
";

/// Median milliseconds of `pickle.load` over `runs` fresh processes; `None` without Python.
pub(crate) fn load_ms(file: &Path, collector: Collector, runs: usize) -> Result<Option<f64>> {
    let mode = match collector {
        Collector::On => "on",
        Collector::Off => "off",
    };
    let mut times = Vec::new();
    for _ in 0..runs {
        let mut python = Command::new("python3");
        let Ok(output) = python.args(["-c", SCRIPT]).arg(file).arg(mode).output() else {
            return Ok(None);
        };
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        times.push(text.trim().parse().with_context(|| format!("python said {text}"))?);
    }
    Ok(Some(crate::table::median(&mut times)))
}
