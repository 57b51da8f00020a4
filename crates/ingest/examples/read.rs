//! Reads one file and prints time and memory: `read [--whole] FILE`.

use job::Job;
use std::path::Path;
use std::time::Instant;

#[allow(clippy::print_stdout, reason = "printing is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let whole = files.first().is_some_and(|first| first == "--whole");
    if whole {
        files.remove(0);
    }
    for file in files {
        let (path, start) = (Path::new(&file), Instant::now());
        let (events, stacks) = if whole {
            let recording = ingest::open(path, &Job::unwatched())?;
            for warning in &recording.warnings {
                println!("  {} x {:?}: {}", warning.count, warning.kind, warning.message);
            }
            let events = recording.devices.iter().map(|device| u64::from(device.events.len()));
            (events.sum(), recording.stacks.len())
        } else {
            ingest::measure::read_only(path, &Job::unwatched())?
        };
        let seconds = start.elapsed().as_secs_f64();
        let anonymous = status("RssAnon:");
        let peak = status("VmHWM:");
        println!(
            "{seconds:.4} s, {events} events, {stacks} stacks, anonymous now {anonymous} kB, \
             resident at most {peak} kB: {file}"
        );
    }
    Ok(())
}

/// A line of this process's status, where the system has it.
fn status(key: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.unwrap_or("?").trim().trim_end_matches(" kB").to_owned()
}
