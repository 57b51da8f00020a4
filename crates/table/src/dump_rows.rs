//! Which rows of a dump are about one device.

use job::{Cancelled, Job};
use model::{BlockId, DeviceTable, Dump, DumpRows, Recording, Slot, Track};

/// The rows of a dump about the device of a track, and about none, with what they have to do with
/// the track's blocks.
///
/// Made once a track: sixteen bytes a row.
#[derive(Debug, Clone, Default)]
pub struct DeviceRows {
    /// Rows of the dump, ascending.
    rows: Vec<u32>,
    /// The track's block, or [`DeviceRows::NONE`].
    blocks: Vec<u32>,
    /// Bytes; 0 where there are none.
    sizes: Vec<u64>,
    /// By template of attributes: whether a size is in it.
    has_size: Vec<bool>,
    /// The word of rows whose size slot holds something else.
    kernel: Option<u16>,
}

impl DeviceRows {
    const NONE: u32 = u32::MAX;

    /// What the file calls the device of rows that are about none.
    pub const NO_DEVICE: &str = "N/A";

    /// Those for the track of `recording.devices[device]`; none when that is no track.
    pub fn new(recording: &Recording, device: usize, job: &Job) -> Result<Self, Cancelled> {
        let table = &recording.devices[device];
        let (Some(dump), Some(track)) = (recording.dump.as_deref(), table.track.as_deref()) else {
            return Ok(Self::default());
        };
        let is_none = |row: &usize| recording.text(dump.devices[*row]) == Self::NO_DEVICE;
        let none = (0..dump.devices.len()).find(is_none).map(|row| row as u16);
        let is_meant = |row: &u32| {
            let device = dump.rows.device[*row as usize];
            device == track.device || Some(device) == none
        };
        let rows: Vec<u32> = (0..dump.rows.len()).filter(is_meant).collect();
        job.check()?;
        let blocks = blocks(&rows, table, track);
        job.check()?;
        let word = |row: &usize| recording.text(dump.rows.words[*row]) == "KERNEL_LAUNCH";
        let mut found = Self {
            blocks,
            sizes: Vec::new(),
            has_size: has_size(recording, dump),
            kernel: (0..dump.rows.words.len()).find(word).map(|row| row as u16),
            rows,
        };
        found.sizes = (0..found.rows.len()).map(|row| found.size(&dump.rows, row)).collect();
        Ok(found)
    }

    /// Rows of the dump, ascending.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Bytes, by place in the list.
    pub(crate) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The track's block at `place`.
    pub(crate) fn block(&self, place: usize) -> Option<BlockId> {
        let block = self.blocks[place];
        (block != Self::NONE).then_some(BlockId(block))
    }

    /// Whether the row at `place` is about a number of bytes.
    pub(crate) fn is_sized(&self, rows: &DumpRows, place: usize) -> bool {
        let row = self.rows[place] as usize;
        Some(rows.event[row]) != self.kernel && self.has_size[rows.attr[row] as usize]
    }

    fn size(&self, rows: &DumpRows, place: usize) -> u64 {
        // Early files have the sizes of frees below 0.
        let size = || rows.slot(Slot::Size, self.rows[place] as usize).unsigned_abs();
        if self.is_sized(rows, place) { size() } else { 0 }
    }
}

/// By place in `rows`: the block of `table`, whose track is `track`.
fn blocks(rows: &[u32], table: &DeviceTable, track: &Track) -> Vec<u32> {
    let mut blocks = vec![DeviceRows::NONE; rows.len()];
    let mut claim = |row: u32, block: u32| {
        if let Ok(place) = rows.binary_search(&row) {
            blocks[place] = block;
        }
    };
    for block in 0..table.blocks.len() {
        for row in track.accesses(block as usize) {
            claim(*row, block);
        }
        claim(track.malloc_row[block as usize], block);
        claim(track.free_row[block as usize], block);
    }
    blocks
}

fn has_size(recording: &Recording, dump: &Dump) -> Vec<bool> {
    let templates = dump.rows.attr_templates.iter();
    templates.map(|template| recording.text(*template).contains(Slot::Size.mark())).collect()
}
