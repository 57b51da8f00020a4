//! The events of one device: most of what they say stands elsewhere too.

use crate::device::Names;
use crate::reading::File;
use crate::recording::Shared;
use crate::writing::Columns;
use model::{BlockColumns, Column, DeviceTable, DumpRows, Events, Slot};

fn name(names: Names, column: &str) -> String {
    names.of(&format!("events.{column}"))
}

pub(crate) fn put(to: &mut Columns, names: Names, table: &DeviceTable, dump: Option<&DumpRows>) {
    let (events, blocks) = (&table.events, table.blocks.columns());
    let name = |column| name(names, column);
    let block = &table.block_of_event;
    to.packed(&name("action"), &events.action);
    if let (Some(track), Some(dump)) = (&table.track, dump) {
        let row = &track.row_of_event;
        let size = &dump.slots[Slot::Size as usize];
        to.through(&name("addr"), &events.addr, (row, &dump.ptr));
        to.through(&name("size"), &events.size, (row, size));
        to.through(&name("stack"), &events.stack, (row, &dump.python_stack));
        if let Some(times) = &events.time_ns {
            to.through(&name("time_ns"), times, (row, &dump.time_ns));
        }
    } else {
        to.through(&name("addr"), &events.addr, (block, &blocks.addr));
        to.through(&name("size"), &events.size, (block, &blocks.requested));
        to.packed(&name("stack"), &events.stack);
        if let Some(times) = &events.time_ns {
            to.packed(&name("time_ns"), times);
        }
    }
    to.through(&name("stream"), &events.stream, (block, &blocks.stream));
    if let Some(pools) = &events.pool {
        to.through(&name("pool"), pools, (block, &blocks.pool));
    }
    if let Some(notes) = &events.note {
        to.packed(&name("note"), notes);
    }
}

/// The events; of a track of a dump with its rows.
pub(crate) fn read(
    file: &File,
    names: Names,
    (block, blocks): (&Column<u32>, &BlockColumns),
    track: Option<(&Column<u32>, &DumpRows)>,
    shared: Shared,
) -> Option<Events> {
    let name = |column| name(names, column);
    let (addr, size, stack) = match track {
        Some((row, dump)) => (
            file.through(&name("addr"), (row, &dump.ptr))?,
            file.through(&name("size"), (row, &dump.slots[Slot::Size as usize]))?,
            file.through_within(&name("stack"), (row, &dump.python_stack), shared.stacks)?,
        ),
        None => (
            file.through(&name("addr"), (block, &blocks.addr))?,
            file.through(&name("size"), (block, &blocks.requested))?,
            file.within(&name("stack"), shared.stacks)?,
        ),
    };
    let time_ns = match track {
        _ if !file.has(&name("time_ns")) => None,
        Some((row, dump)) => Some(file.through(&name("time_ns"), (row, &dump.time_ns))?),
        None => Some(file.column(&name("time_ns"))?),
    };
    let pool = file.has(&name("pool"));
    let pool =
        pool.then(|| file.through_within(&name("pool"), (block, &blocks.pool), shared.pools));
    let note = file.has(&name("note")).then(|| file.within(&name("note"), shared.notes));
    let events = Events {
        action: file.column(&name("action"))?,
        addr,
        size,
        stream: file.through_within(&name("stream"), (block, &blocks.stream), shared.streams)?,
        stack,
        time_ns,
        pool: if let Some(pool) = pool { Some(pool?) } else { None },
        note: if let Some(note) = note { Some(note?) } else { None },
    };
    fits(&events).then_some(events)
}

fn fits(events: &Events) -> bool {
    let count = events.action.len();
    let optional = [
        events.time_ns.as_ref().map(Column::len),
        events.pool.as_ref().map(Column::len),
        events.note.as_ref().map(Column::len),
    ];
    u32::try_from(count).is_ok_and(|count| count < u32::MAX)
        && [events.addr.len(), events.size.len(), events.stream.len(), events.stack.len()]
            == [count; 4]
        && optional.into_iter().flatten().all(|len| len == count)
}
