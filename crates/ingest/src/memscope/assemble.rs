//! From rows to a recording.

use super::accesses::accesses;
use super::gather::{Gathered, Part, gather};
use super::lanes::{LaneKey, Lanes, lanes};
use super::lives::{Lives, Odd, lives};
use super::marks::annotations;
use super::rows::Rows;
use super::tables::Maker;
use super::texts::Texts;
use super::threads::threads;
use super::words::Meaning;
use crate::Warnings;
use job::{Cancelled, Job, Progress};
use model::{DeviceTable, Dump, Family, Note, Recording, Settings, Source, StringId, WarningKind};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Makes a recording of what `parts`, one a file, hold.
pub(super) fn assemble(
    parts: Vec<Part>,
    source: Source,
    warnings: Warnings,
    job: &Job,
) -> Result<Recording, Cancelled> {
    step("sorting rows", job)?;
    let mut gathered = gather(parts, &warnings, job)?;
    step("pairing blocks", job)?;
    let meaning = Meaning::new(&gathered.rows, &gathered.texts);
    let devices = {
        let (owners, numbers) = owners(&gathered.rows, &mut gathered.texts);
        let devices = tables(&gathered, &meaning, &numbers, &warnings, job)?;
        (owners, devices)
    };
    let (owners, devices) = devices;
    step("pairing ranges", job)?;
    let annotations = annotations(&mut gathered, &meaning, &warnings);
    let Gathered { mut rows, slices, texts, stacks, has_stacks, zero, end } = gathered;
    let threads = threads(slices, end, &warnings);
    job.check()?;
    warnings.add(WarningKind::TooLarge, "texts", texts.dropped, || {
        "More than 4 GiB of distinct texts: the last of them are shown as empty.".into()
    });
    let dump = Dump {
        end_ns: end,
        processes: std::mem::take(&mut rows.processes),
        devices: std::mem::take(&mut rows.devices).into_iter().map(StringId).collect(),
        rows: rows.into_rows(has_stacks),
        owners,
        threads,
    };
    Ok(Recording {
        source,
        family: Family::Npu,
        strings: texts.into_strings(),
        stacks: stacks.into_stacks(),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: Vec::new(),
        other_actions: Vec::new(),
        devices,
        annotations,
        settings: Settings::default(),
        warnings: warnings.into_list(),
        zero_ns: zero,
        dump: Some(Box::new(dump)),
    })
}

fn step(stage: &'static str, job: &Job) -> Result<(), Cancelled> {
    job.step(Progress { stage, done: 0, total: 0 })
}

/// Distinct owners, "none" first, and the row of each template's.
fn owners(rows: &Rows, texts: &mut Texts) -> (Vec<StringId>, Vec<u32>) {
    let mut owners = vec![StringId(0)];
    let mut known: FxHashMap<u32, u32> = FxHashMap::from_iter([(0, 0)]);
    let numbers = rows.facts.iter().map(|facts| {
        let text = texts.row(facts.owner.as_bytes());
        *known.entry(text).or_insert_with(|| {
            owners.push(StringId(text));
            owners.len() as u32 - 1
        })
    });
    let numbers = numbers.collect();
    (owners, numbers)
}

/// The tables of all devices × pools × processes, in the order in which they are shown.
fn tables(
    gathered: &Gathered,
    meaning: &Meaning,
    owners: &[u32],
    warnings: &Warnings,
    job: &Job,
) -> Result<Vec<DeviceTable>, Cancelled> {
    let rows = &gathered.rows;
    let lanes = lanes(rows, meaning, warnings, job)?;
    let of = lanes.lanes.par_iter().map(|lane| lives(lane, rows, meaning, job));
    let all: Vec<Lives> = of.collect::<Result<_, _>>()?;
    tell(&all, warnings);
    let accesses = accesses(&lanes, &all, rows, meaning, warnings, job)?;
    let maker = Maker { rows, meaning, owners, end_ns: gathered.end };
    let Lanes { lanes, .. } = lanes;
    let keys = lanes.into_iter().map(|lane| lane.key);
    let mut ready: Vec<Ready> = keys
        .zip(all)
        .zip(accesses)
        .map(|((key, lives), accesses)| (key, lives, accesses))
        .filter(|(_, lives, _)| !lives.row_of_event.is_empty())
        .collect();
    ready.sort_by_cached_key(|(key, ..)| place(*key, gathered, meaning));
    job.check()?;
    let made = ready.into_par_iter().map(|(key, lives, of)| maker.table(key, lives, &of));
    Ok(made.collect())
}

/// A lane, its blocks and their accesses.
type Ready = (LaneKey, Lives, Vec<(u32, u32)>);

/// Where a lane comes: devices by number, then the host's, then pools, then processes.
fn place(
    key: LaneKey,
    gathered: &Gathered,
    meaning: &Meaning,
) -> (u8, i64, String, usize, String, i64) {
    let device = gathered.texts.text(gathered.rows.devices[usize::from(key.device)]);
    let (class, number) = match (device.parse(), device) {
        (Ok(number), _) => (0, number),
        (_, "cpu") => (1, 0),
        (_, "host") => (2, 0),
        (_, "N/A") => (4, 0),
        _ => (3, 0),
    };
    let pool = gathered.texts.text(gathered.rows.words[usize::from(key.pool)]);
    let process = gathered.rows.processes[usize::from(key.process)];
    (class, number, device.to_owned(), meaning.rank(key.pool), pool.to_owned(), process)
}

/// What was odd about lives.
fn tell(lives: &[Lives], warnings: &Warnings) {
    let count = |of: fn(&Odd) -> u64| lives.iter().map(|lives| of(&lives.odd)).sum::<u64>();
    warnings.add(WarningKind::Contradiction, "unfreed", count(|odd| odd.unfreed), || {
        "Memory was allocated where a block still was: the free of the older block was not \
         recorded, and it is shown to end there."
            .into()
    });
    warnings.add(WarningKind::UnmatchedFree, "lane", count(|odd| odd.unmatched), || {
        "Frees of memory that is not allocated at that moment are only in the event table.".into()
    });
    warnings.add(WarningKind::MissingField, "address", count(|odd| odd.nowhere), || {
        "Allocations and frees without an address are only in the event table.".into()
    });
    warnings.add(WarningKind::MissingField, "size", count(|odd| odd.sizeless), || {
        "Blocks of which no row says how large they are count as 0 bytes.".into()
    });
}
