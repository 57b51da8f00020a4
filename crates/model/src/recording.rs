//! One opened file.

use crate::{
    Annotation, Blocks, Column, Counters, Dump, Events, Note, NoteId, PoolId, Segments, Stacks,
    StreamId, StringId, Strings, Track, Warning,
};

/// Which allocator wrote the snapshot: it decides the rounding rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// `torch.cuda` (`ROCm` writes the same).
    Cuda,
    /// `torch_npu`.
    Npu,
    /// `torch.xpu`.
    Xpu,
}

/// How the recording was wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Carrier {
    /// The bare pickle.
    Pickle,
    /// JSON text.
    Json,
    /// gzip around either.
    Gzip,
    /// Zstandard around either.
    Zstd,
    /// A zip archive with one of them inside.
    Zip,
    /// A `torch.save` archive.
    TorchSave,
    /// A page of `_memory_viz` with the snapshot inside.
    Html,
    /// An SQLite database that `msMemScope` wrote.
    Sqlite,
    /// A CSV file that `msMemScope` wrote.
    Csv,
    /// A folder of dumps of one run.
    Folder,
}

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// File name without its folder.
    pub name: String,
    /// Bytes on disk.
    pub bytes: u64,
    /// How it was wrapped.
    pub carrier: Carrier,
    /// Pickle protocol, when it is a pickle.
    pub protocol: Option<u8>,
}

/// One accelerator's allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    /// `cuda:N`, `npu:N`, `xpu:N`.
    Accelerator(i32),
    /// Pinned host memory.
    Host,
    /// A pool of a device in a `msMemScope` dump, see [`DeviceTable::track`].
    Track,
}

/// Which of a device's pools memory belongs to: `(0, 0)` is the default one, others are private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pool(pub i64, pub i64);

/// The allocator's settings that change how sizes are rounded; the whole is kept as text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Key and value as the file has them, in its order.
    pub text: Vec<(String, String)>,
    /// `None`: unlimited.
    pub max_split_size: Option<u64>,
    /// Whether expandable segments are on.
    pub expandable_segments: bool,
    /// Divisions by power of two: `(from this size in MiB, divisions)`, ascending; empty: off.
    pub roundup_power2_divisions: Vec<(u64, u64)>,
}

/// A `torch_npu` workspace buffer as it was when the file was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workspace {
    /// First byte.
    pub addr: u64,
    /// Bytes.
    pub size: u64,
    /// Its stream.
    pub stream: StreamId,
}

/// All that is known of one device.
#[derive(Debug, Clone)]
pub struct DeviceTable {
    /// Which one.
    pub device: Device,
    /// What its allocator did.
    pub events: Events,
    /// Every block's life.
    pub blocks: Blocks,
    /// Every segment's life.
    pub segments: Segments,
    /// Totals at every state.
    pub counters: Counters,
    /// The block an event is about, or `u32::MAX`; one value an event.
    pub block_of_event: Column<u32>,
    /// Workspace buffers at the end.
    pub workspaces: Vec<Workspace>,
    /// What a dump adds, exactly when it is one of a dump.
    pub track: Option<Box<Track>>,
}

impl DeviceTable {
    /// The moments of its first and last event, nanoseconds; `None` when events have no time.
    pub fn span_ns(&self) -> Option<(i64, i64)> {
        let times = self.events.time_ns.as_ref()?;
        match &self.track {
            // Tracks share one time line.
            Some(track) => Some((0, track.end_ns)),
            None => times.ends(),
        }
    }
}

/// One opened file: immutable tables of columns.
#[derive(Debug, Clone)]
pub struct Recording {
    /// What was opened.
    pub source: Source,
    /// Who wrote it.
    pub family: Family,
    /// Distinct texts.
    pub strings: Strings,
    /// Distinct frames and stacks.
    pub stacks: Stacks,
    /// Distinct notes; row 0 says nothing.
    pub notes: Vec<Note>,
    /// Raw stream handles by [`StreamId`].
    pub streams: Vec<u64>,
    /// Pools by [`PoolId`].
    pub pools: Vec<Pool>,
    /// Names of actions this program does not know.
    pub other_actions: Vec<StringId>,
    /// Devices with anything to show, as the file orders them.
    pub devices: Vec<DeviceTable>,
    /// Named ranges, sorted by start.
    pub annotations: Vec<Annotation>,
    /// Allocator settings.
    pub settings: Settings,
    /// Trouble met on the way.
    pub warnings: Vec<Warning>,
    /// The moment that times count from, nanoseconds since the epoch; 0 in a snapshot.
    pub zero_ns: i64,
    /// What a `msMemScope` dump adds, exactly when it is one.
    pub dump: Option<Box<Dump>>,
}

impl Recording {
    /// The text behind `id`.
    pub fn text(&self, id: StringId) -> &str {
        self.strings.get(id)
    }

    /// The raw handle of `stream`.
    pub fn stream(&self, stream: StreamId) -> u64 {
        self.streams[usize::from(stream.0)]
    }

    /// The pool behind `pool`.
    pub fn pool(&self, pool: PoolId) -> Pool {
        self.pools[usize::from(pool.0)]
    }

    /// The note behind `note`.
    pub fn note(&self, note: NoteId) -> Note {
        self.notes[note.row()]
    }

    /// Whether `range` is about the device in `row`.
    pub fn is_about(&self, range: &Annotation, row: usize) -> bool {
        let table = &self.devices[row];
        match (table.device, &table.track) {
            (Device::Accelerator(ordinal), _) => ordinal == range.device,
            (Device::Host, _) => range.device < 0,
            (Device::Track, track) => {
                let own = |track: &Track| i32::from(track.device) == range.device;
                range.device < 0 || track.as_deref().is_some_and(own)
            }
        }
    }

    /// The device with the most allocator events, which is the one to show first.
    pub fn busiest_device(&self) -> usize {
        let busy = |table: &DeviceTable| (table.events.len(), table.segments.rows().len());
        (0..self.devices.len())
            .max_by_key(|row| (busy(&self.devices[*row]), std::cmp::Reverse(*row)))
            .unwrap_or(0)
    }
}
