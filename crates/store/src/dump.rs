//! What the tracks of a dump share.

use crate::bounds::Bound;
use crate::facts::{FactReader, Facts};
use crate::reading::File;
use crate::recording::Shared;
use crate::writing::Columns;
use model::{Column, Dump, DumpRows, Slices, StringId, TraceThread};

pub(crate) fn put(to: &mut Columns, dump: &Dump) {
    let mut facts = Facts::default();
    facts.put(dump.end_ns as u64);
    facts.put(u64::from(dump.rows.has_stacks[0]) | u64::from(dump.rows.has_stacks[1]) << 1);
    facts.put(dump.threads.len() as u64);
    for thread in &dump.threads {
        facts.put(thread.process as u64);
        facts.put(thread.thread as u64);
    }
    to.plain("dump.facts", &facts.bytes().to_vec().into());
    to.rows("dump.processes", dump.processes.iter().copied());
    to.rows("dump.devices", dump.devices.iter().map(|text| text.0));
    to.rows("dump.owners", dump.owners.iter().map(|text| text.0));
    put_rows(to, &dump.rows);
    for (at, thread) in dump.threads.iter().enumerate() {
        put_slices(to, at, &thread.slices);
    }
}

pub(crate) fn read(file: &File, shared: Shared) -> Option<Dump> {
    let facts: Column<u8> = file.column("dump.facts")?;
    let mut facts = FactReader::new(&facts);
    let end_ns = facts.take()? as i64;
    let has = facts.take()?;
    let ids = facts.take_list(|facts| Some((facts.take()? as i64, facts.take()? as i64)))?;
    let thread = |(at, (process, thread)): (usize, (i64, i64))| {
        Some(TraceThread { process, thread, slices: slices(file, at, shared.texts)? })
    };
    let processes = file.column("dump.processes")?.to_vec();
    let devices = texts(file, "dump.devices", shared)?;
    let of = [processes.len(), devices.len()].map(Bound::rows);
    Some(Dump {
        end_ns,
        rows: rows(file, [has & 1 != 0, has & 2 != 0], of, shared)?,
        processes,
        devices,
        owners: texts(file, "dump.owners", shared)?,
        threads: ids.into_iter().enumerate().map(thread).collect::<Option<_>>()?,
    })
}

fn texts(file: &File, name: &str, shared: Shared) -> Option<Vec<StringId>> {
    Some(file.within(name, shared.texts)?.iter().map(|row| StringId(*row)).collect())
}

fn put_rows(to: &mut Columns, rows: &DumpRows) {
    to.packed("dump.rows.id", &rows.id);
    to.packed("dump.rows.time_ns", &rows.time_ns);
    to.packed("dump.rows.event", &rows.event);
    to.packed("dump.rows.event_type", &rows.event_type);
    to.packed("dump.rows.name", &rows.name);
    to.packed("dump.rows.process", &rows.process);
    to.packed("dump.rows.thread", &rows.thread);
    to.packed("dump.rows.device", &rows.device);
    to.packed("dump.rows.ptr", &rows.ptr);
    to.packed("dump.rows.attr", &rows.attr);
    for (at, slot) in rows.slots.iter().enumerate() {
        to.packed(&format!("dump.rows.slots.{at}"), slot);
    }
    to.packed("dump.rows.python_stack", &rows.python_stack);
    to.packed("dump.rows.c_stack", &rows.c_stack);
    to.rows("dump.words", rows.words.iter().map(|text| text.0));
    to.rows("dump.attr_templates", rows.attr_templates.iter().map(|text| text.0));
}

fn rows(
    file: &File,
    has_stacks: [bool; 2],
    [processes, devices]: [Bound; 2],
    shared: Shared,
) -> Option<DumpRows> {
    let words = texts(file, "dump.words", shared)?;
    let attr_templates = texts(file, "dump.attr_templates", shared)?;
    let [word, template] = [words.len(), attr_templates.len()].map(Bound::rows);
    let slot = |at: usize| file.column(&format!("dump.rows.slots.{at}"));
    let rows = DumpRows {
        id: file.column("dump.rows.id")?,
        time_ns: file.column("dump.rows.time_ns")?,
        event: file.within("dump.rows.event", word)?,
        event_type: file.within("dump.rows.event_type", word)?,
        name: file.within("dump.rows.name", shared.texts)?,
        process: file.within("dump.rows.process", processes)?,
        thread: file.column("dump.rows.thread")?,
        device: file.within("dump.rows.device", devices)?,
        ptr: file.column("dump.rows.ptr")?,
        attr: file.within("dump.rows.attr", template)?,
        slots: [slot(0)?, slot(1)?, slot(2)?, slot(3)?],
        python_stack: file.within("dump.rows.python_stack", shared.stacks)?,
        c_stack: file.within("dump.rows.c_stack", shared.texts)?,
        words,
        attr_templates,
        has_stacks,
    };
    let count = rows.id.len();
    let small = [rows.event.len(), rows.event_type.len(), rows.process.len(), rows.device.len()];
    let middle = [rows.name.len(), rows.attr.len(), rows.python_stack.len(), rows.c_stack.len()];
    let large = [rows.time_ns.len(), rows.thread.len(), rows.ptr.len()];
    let slots = rows.slots.iter().all(|slot| slot.len() == count);
    let fits = small == [count; 4] && middle == [count; 4] && large == [count; 3] && slots;
    (fits && u32::try_from(count).is_ok()).then_some(rows)
}

fn put_slices(to: &mut Columns, thread: usize, slices: &Slices) {
    let name = |column: &str| format!("dump.threads.{thread}.{column}");
    to.packed(&name("start_ns"), &slices.start_ns);
    to.packed(&name("end_ns"), &slices.end_ns);
    to.packed(&name("name"), &slices.name);
    to.packed(&name("depth"), &slices.depth);
    to.packed(&name("flags"), &slices.flags);
}

fn slices(file: &File, thread: usize, texts: Bound) -> Option<Slices> {
    let name = |column: &str| format!("dump.threads.{thread}.{column}");
    let slices = Slices {
        start_ns: file.column(&name("start_ns"))?,
        end_ns: file.column(&name("end_ns"))?,
        name: file.within(&name("name"), texts)?,
        depth: file.column(&name("depth"))?,
        flags: file.column(&name("flags"))?,
    };
    let count = slices.start_ns.len();
    let others = [slices.end_ns.len(), slices.name.len(), slices.depth.len(), slices.flags.len()];
    (others == [count; 4] && u32::try_from(count).is_ok()).then_some(slices)
}
