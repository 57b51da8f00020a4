//! What a dump adds to one device.

use crate::bounds::{Bound, is_sorted};
use crate::device::Names;
use crate::facts::{FactReader, Facts};
use crate::reading::File;
use crate::recording::Shared;
use crate::writing::Columns;
use model::{Blocks, Column, Dump, StringId, Track};

pub(crate) fn put(to: &mut Columns, names: Names, track: &Track) {
    let name = |column: &str| names.of(&format!("track.{column}"));
    let mut facts = Facts::default();
    facts.put(track.device.into());
    facts.put(track.pool.0.into());
    facts.put(track.process.into());
    facts.put(track.end_ns as u64);
    facts.put(u64::from(track.has_used) | u64::from(track.has_total) << 1);
    to.plain(&name("facts"), &facts.bytes().to_vec().into());
    to.packed(&name("row_of_event"), &track.row_of_event);
    to.packed(&name("owner"), &track.owner);
    to.packed(&name("allocation_id"), &track.allocation_id);
    to.packed(&name("malloc_row"), &track.malloc_row);
    to.packed(&name("free_row"), &track.free_row);
    to.packed(&name("access_offsets"), &track.access_offsets);
    to.packed(&name("access_rows"), &track.access_rows);
    to.packed(&name("longest_gap_ns"), &track.longest_gap_ns);
    to.packed(&name("flags"), &track.flags);
}

pub(crate) fn read(
    file: &File,
    names: Names,
    blocks: &Blocks,
    (shared, dump): (Shared, &Dump),
) -> Option<Track> {
    let name = |column: &str| names.of(&format!("track.{column}"));
    let facts: Column<u8> = file.column(&name("facts"))?;
    let mut facts = FactReader::new(&facts);
    let rows = dump.rows.len() as usize;
    let row_or_none = Bound::rows_or_none(rows);
    let track = Track {
        device: facts.take_as()?,
        pool: StringId(facts.take_as()?),
        process: facts.take_as()?,
        end_ns: facts.take()? as i64,
        has_used: false,
        has_total: false,
        row_of_event: file.within(&name("row_of_event"), Bound::rows(rows))?,
        owner: file.within(&name("owner"), Bound::rows(dump.owners.len()))?,
        allocation_id: file.column(&name("allocation_id"))?,
        malloc_row: file.within(&name("malloc_row"), row_or_none)?,
        free_row: file.within(&name("free_row"), row_or_none)?,
        access_offsets: file.column(&name("access_offsets"))?,
        access_rows: file.within(&name("access_rows"), Bound::rows(rows))?,
        longest_gap_ns: file.column(&name("longest_gap_ns"))?,
        flags: file.column(&name("flags"))?,
    };
    let has = facts.take()?;
    let count = blocks.len() as usize;
    let lengths = [
        track.owner.len(),
        track.allocation_id.len(),
        track.malloc_row.len(),
        track.free_row.len(),
        track.longest_gap_ns.len(),
        track.flags.len(),
    ];
    let ends = track.access_offsets.ends()?;
    let fits = lengths == [count; 6]
        && track.access_offsets.len() == count + 1
        && ends == (0, u32::try_from(track.access_rows.len()).ok()?)
        && is_sorted(&track.access_offsets)
        && usize::from(track.device) < dump.devices.len()
        && usize::from(track.process) < dump.processes.len()
        && shared.texts.has(track.pool.0);
    fits.then_some(Track { has_used: has & 1 != 0, has_total: has & 2 != 0, ..track })
}
