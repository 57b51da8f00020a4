//! A recording and its index as columns, and back.

use crate::bounds::Bound;
use crate::facts::{FactReader, Facts};
use crate::names::Numbered;
use crate::reading::File;
use crate::writing::Columns;
use crate::{device, dump, texts};
use index::DeviceIndex;
use job::{Cancelled, Job, Progress};
use model::{
    Carrier, Column, Family, Pool, Recording, Settings, Source, StringId, Warning, WarningKind,
};

/// What is kept of an open recording.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The recording.
    pub recording: Recording,
    /// One a device.
    pub indexes: Vec<DeviceIndex>,
    /// Whatever else was kept with it.
    pub facts: Column<u8>,
}

/// What devices and dumps look up in the tables that all share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) texts: Bound,
    pub(crate) stacks: Bound,
    pub(crate) notes: Bound,
    pub(crate) streams: Bound,
    pub(crate) pools: Bound,
}

/// Words for who waits.
const STAGE: &str = "writing the index";

pub(crate) fn put(
    recording: &Recording,
    indexes: &[&DeviceIndex],
    facts: &Facts,
    job: &Job,
) -> Result<Columns, Cancelled> {
    let mut to = Columns::default();
    let total = recording.devices.len() as u64;
    job.step(Progress { stage: STAGE, done: 0, total })?;
    to.plain("facts", &own_facts(recording).bytes().to_vec().into());
    to.plain("more_facts", &facts.bytes().to_vec().into());
    texts::put_strings(&mut to, &recording.strings);
    texts::put_stacks(&mut to, &recording.stacks);
    texts::put_notes(&mut to, &recording.notes);
    texts::put_annotations(&mut to, &recording.annotations);
    to.rows("streams", recording.streams.iter().copied());
    to.rows("pools.first", recording.pools.iter().map(|pool| pool.0));
    to.rows("pools.second", recording.pools.iter().map(|pool| pool.1));
    to.rows("other_actions", recording.other_actions.iter().map(|text| text.0));
    let rows = recording.dump.as_deref().map(|dump| &dump.rows);
    if let Some(dump) = &recording.dump {
        dump::put(&mut to, dump);
    }
    for (at, (table, index)) in recording.devices.iter().zip(indexes).enumerate() {
        job.step(Progress { stage: STAGE, done: at as u64, total })?;
        device::put(&mut to, at, (table, index), rows);
    }
    job.step(Progress { stage: STAGE, done: total, total })?;
    Ok(to)
}

pub(crate) fn read(file: &File, job: &Job) -> Option<Kept> {
    let own: Column<u8> = file.column("facts")?;
    let mut own = FactReader::new(&own);
    let family = Family::of_number(own.take()?)?;
    let zero_ns = own.take()? as i64;
    let count: usize = own.take_as()?;
    let source = source(&mut own)?;
    let settings = settings(&mut own)?;
    let warnings = own.take_list(warning)?;
    let strings = texts::strings(file)?;
    let texts = Bound::rows(strings.len());
    let stacks = texts::stacks(file, texts)?;
    let notes = texts::notes(file, texts)?;
    let streams = file.column("streams")?.to_vec();
    let firsts: Column<i64> = file.column("pools.first")?;
    let seconds: Column<i64> = file.column("pools.second")?;
    let pools: Vec<Pool> =
        firsts.iter().zip(&seconds).map(|(first, second)| Pool(*first, *second)).collect();
    let shared = Shared {
        texts,
        stacks: Bound::rows_or_none(stacks.len()),
        notes: Bound::rows(notes.len()),
        streams: Bound::rows(streams.len()),
        pools: Bound::rows_or_none(pools.len()),
    };
    let dump = file.has("dump.facts").then(|| dump::read(file, shared));
    let dump = if let Some(dump) = dump { Some(Box::new(dump?)) } else { None };
    let (mut devices, mut indexes) = (Vec::new(), Vec::new());
    for row in 0..count {
        let (table, index) = device::read(file, row, (shared, dump.as_deref()), job)?;
        devices.push(table);
        indexes.push(index);
    }
    let actions: Column<u32> = file.within("other_actions", texts)?;
    let recording = Recording {
        source,
        family,
        strings,
        stacks,
        notes,
        streams,
        pools,
        other_actions: actions.iter().map(|row| StringId(*row)).collect(),
        devices,
        annotations: texts::annotations(file, texts)?,
        settings,
        warnings,
        zero_ns,
        dump,
    };
    Some(Kept { recording, indexes, facts: file.column("more_facts")? })
}

fn own_facts(recording: &Recording) -> Facts {
    let mut facts = Facts::default();
    facts.put(recording.family.number());
    facts.put(recording.zero_ns as u64);
    facts.put(recording.devices.len() as u64);
    let Source { name, bytes, carrier, protocol } = &recording.source;
    facts.put_text(name);
    facts.put(*bytes);
    facts.put(carrier.number());
    facts.put_some(protocol.map(u64::from));
    let settings = &recording.settings;
    facts.put(settings.text.len() as u64);
    for (key, value) in &settings.text {
        facts.put_text(key);
        facts.put_text(value);
    }
    facts.put_some(settings.max_split_size);
    facts.put(settings.expandable_segments.into());
    facts.put(settings.roundup_power2_divisions.len() as u64);
    for (from, divisions) in &settings.roundup_power2_divisions {
        facts.put(*from);
        facts.put(*divisions);
    }
    facts.put(recording.warnings.len() as u64);
    for Warning { kind, count, message } in &recording.warnings {
        facts.put(kind.number());
        facts.put(*count);
        facts.put_text(message);
    }
    facts
}

fn source(facts: &mut FactReader<'_>) -> Option<Source> {
    Some(Source {
        name: facts.take_text()?,
        bytes: facts.take()?,
        carrier: Carrier::of_number(facts.take()?)?,
        protocol: match facts.take_some()? {
            Some(protocol) => Some(u8::try_from(protocol).ok()?),
            None => None,
        },
    })
}

fn settings(facts: &mut FactReader<'_>) -> Option<Settings> {
    Some(Settings {
        text: facts.take_list(|facts| Some((facts.take_text()?, facts.take_text()?)))?,
        max_split_size: facts.take_some()?,
        expandable_segments: facts.take()? != 0,
        roundup_power2_divisions: facts.take_list(|facts| Some((facts.take()?, facts.take()?)))?,
    })
}

fn warning(facts: &mut FactReader<'_>) -> Option<Warning> {
    Some(Warning {
        kind: WarningKind::of_number(facts.take()?)?,
        count: facts.take()?,
        message: facts.take_text()?,
    })
}
