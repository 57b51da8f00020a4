//! Every version of the collector, kind of file and way of sharing a run out over files.

use super::expected::Expected;
use super::held::Held;
use sample::memscope::{Dump, Format, Generation, Journal, Kept, Oddities, Scope, Stacks, Truth};
use std::collections::BTreeMap;

/// A small run with moments asked for: before everything, early, in the middle, after the end.
pub(super) fn small() -> Dump {
    let asked_ns = vec![1_000, 3_000_000, 40_000_000, 90_000_000, 10_000_000_000];
    Dump { layers: 3, asked_ns, ..Dump::new(2) }
}

/// Writes `plan` and compares everything that is known about it.
pub(super) fn check(plan: &Dump) {
    let folder = tempfile::tempdir().unwrap();
    let (path, truth) = plan.write_in(folder.path()).unwrap();
    let expected = Expected::new(&truth);
    oracle_agrees(&expected, &truth);
    let held = Held::new(&path, &truth, &expected);
    rows_agree(&held, plan);
    held.agrees();
    let steps = if plan.kept == Kept::All { plan.steps * sharing(plan) } else { 0 };
    held.steps_are(steps);
    held.blocks_agree();
    held.threads_agree();
}

/// How many processes there are on a device.
fn sharing(plan: &Dump) -> u32 {
    if plan.oddities.shared_device { plan.processes } else { 1 }
}

/// The slow walk over the blocks gives the sums that the generator kept as it went.
pub(super) fn oracle_agrees(expected: &Expected, truth: &Truth) {
    let pools = expected.pools();
    assert_eq!(pools.len(), truth.pools.len());
    for pool in &truth.pools {
        let key = (pool.process, pool.device.clone(), pool.pool.clone());
        let sums = &pools[&key];
        assert_eq!((sums.mallocs, sums.frees), (pool.mallocs, pool.frees), "{key:?}");
        assert_eq!(sums.never_freed, pool.never_freed, "{key:?}");
        assert_eq!((sums.peak_bytes, sums.peak_ns), (pool.peak_bytes, pool.peak_ns), "{key:?}");
    }
    for moment in &truth.moments {
        for holding in &moment.pools {
            let key = (moment.process, holding.device.clone(), holding.pool.clone());
            let held = expected.held(&key, moment.at_ns);
            assert_eq!(held, (holding.bytes, holding.blocks), "{key:?} at {}", moment.at_ns);
        }
        for owner in &moment.owners {
            let there = expected.blocks.iter().filter(|block| block.is_there(moment.at_ns));
            let own = there.filter(|block| {
                let told = &block.told;
                told.process == moment.process
                    && (&told.device, &told.pool) == (&owner.device, &owner.pool)
                    && told.owner.as_ref() == Some(&owner.owner)
            });
            assert_eq!(own.map(|block| block.told.size).sum::<u64>(), owner.bytes, "{owner:?}");
        }
    }
}

/// Rows by `Event`. A row without a device is in every file of its process, and is one row: the same
/// run in one file has each once.
pub(super) fn rows_agree(held: &Held<'_>, plan: &Dump) {
    let folder = tempfile::tempdir().unwrap();
    let (_, once) = Dump { scope: Scope::OneFile, ..plan.clone() }.write_in(folder.path()).unwrap();
    let recording = held.session.recording();
    let rows = &recording.dump.as_deref().unwrap().rows;
    let mut events: BTreeMap<String, u64> = BTreeMap::new();
    for event in &rows.event[..] {
        let word = recording.text(rows.words[usize::from(*event)]);
        *events.entry(word.to_owned()).or_default() += 1;
    }
    assert_eq!(events, once.events);
    assert_eq!(u64::from(rows.len()), once.rows);
    assert!(held.truth.rows >= once.rows);
}

#[test]
fn every_generation_agrees_in_a_database() {
    for generation in Generation::ALL {
        check(&Dump { generation, ..small() });
    }
}

#[test]
fn every_generation_agrees_in_a_text() {
    for generation in Generation::ALL {
        check(&Dump { generation, format: Format::Csv, ..small() });
    }
}

#[test]
fn a_folder_of_the_files_of_devices_is_one_recording() {
    for generation in [Generation::November2025, Generation::May2026, Generation::August2026] {
        for format in [Format::Database, Format::Csv] {
            let scope = Scope::FilePerDevice;
            check(&Dump { generation, format, scope, processes: 2, ..small() });
        }
    }
}

#[test]
fn processes_are_kept_apart_in_one_file() {
    for generation in [Generation::CamelCase, Generation::August2025, Generation::May2026] {
        check(&Dump { generation, processes: 3, ..small() });
    }
    // Even where they share a device and its addresses.
    for scope in [Scope::OneFile, Scope::FilePerDevice] {
        let oddities = Oddities { shared_device: true, ..Oddities::default() };
        check(&Dump { oddities, scope, processes: 2, ..small() });
    }
}

#[test]
fn whatever_rows_and_stacks_were_kept() {
    for kept in [Kept::All, Kept::Allocations, Kept::Hal, Kept::Pinned] {
        for format in [Format::Database, Format::Csv] {
            check(&Dump { kept, format, ..small() });
        }
    }
    for stacks in [Stacks::None, Stacks::Python, Stacks::C, Stacks::Both] {
        for generation in [Generation::August2025, Generation::May2026] {
            check(&Dump { stacks, generation, ..small() });
        }
    }
}

#[test]
fn rows_that_are_only_in_the_log_are_there() {
    for generation in [Generation::June2025, Generation::May2026] {
        check(&Dump { journal: Journal::Unmerged, generation, ..small() });
    }
}

#[test]
fn other_seeds_and_a_longer_run_agree() {
    for seed in 2..5 {
        check(&Dump { seed, ..small() });
    }
    check(&Dump { layers: 12, asked_ns: vec![700_000_000], ..Dump::new(12) });
}

#[test]
fn what_a_pool_keeps_is_what_its_rows_say() {
    for generation in [Generation::June2025, Generation::May2026] {
        let folder = tempfile::tempdir().unwrap();
        let plan = Dump { generation, ..small() };
        let (path, truth) = plan.write_in(folder.path()).unwrap();
        let expected = Expected::new(&truth);
        Held::new(&path, &truth, &expected).pools_keep_what_rows_say();
    }
}
