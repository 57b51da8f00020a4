//! One device: its events, blocks, segments, totals, and the index over them.

use crate::bounds::Bound;
use crate::names::{Numbered, device, device_numbers};
use crate::reading::File;
use crate::recording::Shared;
use crate::writing::Columns;
use crate::{events, indexes, track};
use index::DeviceIndex;
use job::Job;
use model::{
    BlockColumns, Blocks, Column, Counters, DeviceTable, Dump, DumpRows, PoolId, Segment,
    SegmentKind, Segments, StackId, State, StreamId, Workspace,
};

/// Where a state or a stack is missing.
const NONE: u32 = u32::MAX;
/// Where a pool is missing.
const NONE16: u16 = u16::MAX;

/// Names of the columns of one device.
#[derive(Clone, Copy)]
pub(crate) struct Names(pub(crate) usize);

impl Names {
    pub(crate) fn of(self, column: &str) -> String {
        format!("devices.{}.{column}", self.0)
    }
}

pub(crate) fn put(
    to: &mut Columns,
    row: usize,
    (table, index): (&DeviceTable, &DeviceIndex),
    dump: Option<&DumpRows>,
) {
    let names = Names(row);
    to.rows(&names.of("device"), device_numbers(table.device).into_iter());
    put_blocks(to, names, table.blocks.columns());
    to.blocks_of_events(&names.of("block_of_event"), &table.block_of_event, &table.blocks);
    events::put(to, names, table, dump);
    put_segments(to, names, &table.segments);
    to.packed(&names.of("counters.allocated"), &table.counters.allocated);
    to.packed(&names.of("counters.active"), &table.counters.active);
    to.packed(&names.of("counters.reserved"), &table.counters.reserved);
    let workspaces = || table.workspaces.iter();
    to.rows(&names.of("workspaces.addr"), workspaces().map(|it| it.addr));
    to.rows(&names.of("workspaces.size"), workspaces().map(|it| it.size));
    to.rows(&names.of("workspaces.stream"), workspaces().map(|it| it.stream.0));
    if let Some(track) = &table.track {
        track::put(to, names, track);
    }
    indexes::put(to, names, index);
}

pub(crate) fn read(
    file: &File,
    row: usize,
    (shared, dump): (Shared, Option<&Dump>),
    job: &Job,
) -> Option<(DeviceTable, DeviceIndex)> {
    let names = Names(row);
    let kind: Column<u64> = file.column(&names.of("device"))?;
    let blocks = Blocks::from_columns(blocks(file, names, shared)?)?;
    let block_of_event = file.blocks_of_events(&names.of("block_of_event"), &blocks)?;
    let track = match (file.has(&names.of("track.facts")), dump) {
        (true, Some(dump)) => Some(Box::new(track::read(file, names, &blocks, (shared, dump))?)),
        (false, None) => None,
        // A device is of a dump exactly when the recording is one.
        _ => return None,
    };
    let source = track.as_ref().zip(dump).map(|(track, dump)| (&track.row_of_event, &dump.rows));
    let events = events::read(file, names, (&block_of_event, blocks.columns()), source, shared)?;
    let counters = Counters {
        allocated: file.column(&names.of("counters.allocated"))?,
        active: file.column(&names.of("counters.active"))?,
        reserved: file.column(&names.of("counters.reserved"))?,
    };
    let states = events.action.len() + 1;
    let totals = [&counters.allocated, &counters.active, &counters.reserved];
    if totals.iter().any(|column| column.len() != states)
        || block_of_event.len() != events.action.len()
        || !blocks.are_within(events.len())
    {
        return None;
    }
    let table = DeviceTable {
        device: device(kind.first_chunk().copied()?)?,
        segments: segments(file, names, shared, events.len())?,
        workspaces: workspaces(file, names, shared)?,
        events,
        blocks,
        counters,
        block_of_event,
        track,
    };
    let index = indexes::read(file, names, &table, job)?;
    Some((table, index))
}

fn put_blocks(to: &mut Columns, names: Names, blocks: &BlockColumns) {
    // Every scene walks these: they are read in place.
    to.plain(&names.of("blocks.born"), &blocks.born);
    to.plain(&names.of("blocks.released"), &blocks.released);
    to.plain(&names.of("blocks.died"), &blocks.died);
    to.plain(&names.of("blocks.size"), &blocks.size);
    to.packed(&names.of("blocks.addr"), &blocks.addr);
    to.packed(&names.of("blocks.requested"), &blocks.requested);
    to.packed(&names.of("blocks.stack"), &blocks.stack);
    to.packed(&names.of("blocks.stream"), &blocks.stream);
    to.packed(&names.of("blocks.pool"), &blocks.pool);
    to.packed(&names.of("blocks.flags"), &blocks.flags);
}

fn blocks(file: &File, names: Names, shared: Shared) -> Option<BlockColumns> {
    Some(BlockColumns {
        born: file.column(&names.of("blocks.born"))?,
        released: file.column(&names.of("blocks.released"))?,
        died: file.column(&names.of("blocks.died"))?,
        size: file.column(&names.of("blocks.size"))?,
        addr: file.column(&names.of("blocks.addr"))?,
        requested: file.column(&names.of("blocks.requested"))?,
        stack: file.within(&names.of("blocks.stack"), shared.stacks)?,
        stream: file.within(&names.of("blocks.stream"), shared.streams)?,
        pool: file.within(&names.of("blocks.pool"), shared.pools)?,
        flags: file.column(&names.of("blocks.flags"))?,
    })
}

fn put_segments(to: &mut Columns, names: Names, segments: &Segments) {
    let rows = || segments.rows().iter();
    let name = |column: &str| names.of(&format!("segments.{column}"));
    to.rows(&name("addr"), rows().map(|row| row.addr));
    to.rows(&name("size"), rows().map(|row| row.size));
    to.rows(&name("born"), rows().map(|row| row.born.0));
    to.rows(&name("died"), rows().map(|row| row.died.map_or(NONE, |state| state.0)));
    to.rows(&name("stack"), rows().map(|row| row.stack.map_or(NONE, |stack| stack.0)));
    to.rows(&name("stream"), rows().map(|row| row.stream.0));
    to.rows(&name("pool"), rows().map(|row| row.pool.map_or(NONE16, |pool| pool.0)));
    to.rows(&name("kind"), rows().map(|row| row.kind.number() as u8));
    to.rows(&name("is_expandable"), rows().map(|row| u8::from(row.is_expandable)));
    to.rows(&name("stated"), [segments.stated(), segments.stated_blocks()].into_iter());
}

fn segments(file: &File, names: Names, shared: Shared, events: u32) -> Option<Segments> {
    let moments = Bound::rows(events as usize + 1);
    let name = |column: &str| names.of(&format!("segments.{column}"));
    let addr: Column<u64> = file.column(&name("addr"))?;
    let size: Column<u64> = file.column(&name("size"))?;
    let born: Column<u32> = file.within(&name("born"), moments)?;
    let died: Column<u32> = file.within(&name("died"), moments.or_none())?;
    let stack: Column<u32> = file.within(&name("stack"), shared.stacks)?;
    let stream: Column<u16> = file.within(&name("stream"), shared.streams)?;
    let pool: Column<u16> = file.within(&name("pool"), shared.pools)?;
    let kind: Column<u8> = file.column(&name("kind"))?;
    let is_expandable: Column<u8> = file.column(&name("is_expandable"))?;
    let stated: Column<u32> = file.column(&name("stated"))?;
    let [stated, stated_blocks] = *stated.first_chunk::<2>()?;
    let lengths = [size.len(), born.len(), died.len(), stack.len()];
    let others = [stream.len(), pool.len(), kind.len(), is_expandable.len()];
    if lengths != [addr.len(); 4] || others != [addr.len(); 4] {
        return None;
    }
    let segment = |row: usize| {
        Some(Segment {
            addr: addr[row],
            size: size[row],
            born: State(born[row]),
            died: (died[row] != NONE).then_some(State(died[row])),
            stack: (stack[row] != NONE).then_some(StackId(stack[row])),
            stream: StreamId(stream[row]),
            pool: (pool[row] != NONE16).then_some(PoolId(pool[row])),
            kind: SegmentKind::of_number(kind[row].into())?,
            is_expandable: is_expandable[row] != 0,
        })
    };
    let rows = (0..addr.len()).map(segment).collect::<Option<_>>()?;
    Segments::new(rows, stated, stated_blocks)
}

fn workspaces(file: &File, names: Names, shared: Shared) -> Option<Vec<Workspace>> {
    let addr: Column<u64> = file.column(&names.of("workspaces.addr"))?;
    let size: Column<u64> = file.column(&names.of("workspaces.size"))?;
    let stream: Column<u16> = file.within(&names.of("workspaces.stream"), shared.streams)?;
    let workspace =
        |row: usize| Workspace { addr: addr[row], size: size[row], stream: StreamId(stream[row]) };
    let fits = size.len() == addr.len() && stream.len() == addr.len();
    fits.then(|| (0..addr.len()).map(workspace).collect())
}
