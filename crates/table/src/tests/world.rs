//! Recordings to ask.

use crate::{StackTexts, Steps};
use job::Job;
use model::{
    Action, Block, Blocks, Carrier, Counters, Device, DeviceTable, EventId, Events, Family, Frame,
    FrameId, Note, Origin, Pool, PoolId, Recording, Segments, Settings, SizeSource, Source,
    StackId, Stacks, State, StreamId, StringId, Strings,
};

/// A recording with what its tables need beside it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) recording: Recording,
    pub(crate) texts: StackTexts,
    pub(crate) steps: Steps,
    /// The steps as given, sorted.
    pub(crate) starts: Vec<(EventId, String)>,
}

/// The top frame of a stack: that of its last frame, in capitals.
pub(crate) fn top_frame(recording: &Recording, stack: StackId) -> Option<String> {
    let frames = recording.stacks.frame_ids(stack);
    frames.last().map(|frame| line(recording, *frame).to_uppercase())
}

pub(crate) fn line(recording: &Recording, frame: u32) -> String {
    let Frame { name, filename, line } = recording.stacks.frame(FrameId(frame));
    let (name, file) = (recording.text(name), recording.text(filename));
    match (file, line) {
        ("" | "??", _) => name.to_owned(),
        (file, None) => format!("{file} {name}"),
        (file, Some(line)) => format!("{file}:{line} {name}"),
    }
}

impl World {
    pub(crate) fn new(devices: Vec<DeviceTable>, mut starts: Vec<(EventId, String)>) -> Self {
        let recording = recording(devices);
        let texts =
            StackTexts::new(&recording, |stack| top_frame(&recording, stack), &Job::unwatched())
                .expect("not cancelled");
        starts.sort_by_key(|(start, _)| *start);
        Self { texts, steps: Steps::new(starts.clone()), recording, starts }
    }

    /// Anything that a device may hold, small values so that many are equal.
    pub(crate) fn random(seed: u64, blocks: u32, events: u32) -> Self {
        let mut random = Random(seed | 1);
        let device = DeviceTable {
            device: Device::Accelerator(0),
            events: random_events(&mut random, blocks, events),
            blocks: random_blocks(&mut random, blocks, events),
            segments: Segments::default(),
            counters: Counters {
                allocated: (0..=events).map(|_| random.bytes()).collect(),
                active: (0..=events).map(|_| random.below(4) << 40).collect(),
                reserved: (0..=events).map(|_| random.bytes()).collect(),
            },
            block_of_event: (0..events).map(|_| random.row_or_none(blocks)).collect(),
            workspaces: Vec::new(),
            track: None,
        };
        let starts = (0..random.below(5))
            .map(|step| {
                (EventId(random.below(u64::from(events) + 1) as u32), format!("step {step}"))
            })
            .collect();
        Self::new(vec![device], starts)
    }
}

#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound.max(1)
    }

    pub(crate) fn bytes(&mut self) -> u64 {
        match self.below(4) {
            0 => 512,
            1 => self.below(5) * 1024 + 3,
            2 => self.below(1 << 20),
            _ => u64::MAX - self.below(3),
        }
    }

    pub(crate) fn address(&mut self) -> u64 {
        match self.below(4) {
            0 => 0x7f00_0000_0000 + self.below(8) * 512,
            1 => 0xffff_fe00_0000_0000 + self.below(1 << 16) * 512,
            2 => self.below(3),
            _ => u64::MAX - self.below(3),
        }
    }

    pub(crate) fn row_or_none(&mut self, rows: u32) -> u32 {
        match self.below(4) {
            0 => u32::MAX,
            _ if rows == 0 => u32::MAX,
            _ => self.below(rows.into()) as u32,
        }
    }
}

pub(crate) fn random_blocks(random: &mut Random, count: u32, events: u32) -> Blocks {
    let mut rows: Vec<Block> = (0..count)
        .map(|_| {
            let place = random.below(u64::from(events) + 2) as u32;
            let (born, origin) = match random.below(8) {
                0 => (State(0), Origin::BeforeRecording),
                1 => (State(0), Origin::Workspace),
                2 if random.below(4) == 0 => (State(events), Origin::Ghost),
                _ => (State(place.min(events)), Origin::Traced),
            };
            let origin =
                if born.0 == 0 && origin == Origin::Traced { Origin::Ghost } else { origin };
            let released = State(born.0 + random.below(u64::from(events) + 2) as u32);
            let died = State(released.0 + random.below(3) as u32);
            let ends = random.below(4) > 0 && died.0 <= events;
            Block {
                addr: random.address(),
                size: random.bytes(),
                requested: random.bytes(),
                born,
                released: (ends || released.0 <= events).then_some(released),
                died: ends.then_some(died),
                stack: (random.below(5) > 0).then(|| StackId(random.below(STACKS) as u32)),
                stream: StreamId(random.below(3) as u16),
                pool: (random.below(4) > 0).then(|| PoolId(random.below(3) as u16)),
                origin,
                size_source: [SizeSource::Stated, SizeSource::Computed][random.below(2) as usize],
            }
        })
        .collect();
    rows.sort_by_key(|row| (row.born, row.origin == Origin::Ghost && row.born.0 > 0));
    // An event allocates one block at most.
    rows.dedup_by_key(|row| match row.origin {
        Origin::Traced => row.born.0,
        _ => u32::MAX - random.below(1 << 30) as u32,
    });
    Blocks::new(rows.into_iter()).expect("sorted, and ends follow births")
}

pub(crate) fn random_events(random: &mut Random, _: u32, count: u32) -> Events {
    let rows = || 0..count;
    let mut time = 1_700_000_000_000_000;
    Events {
        action: rows()
            .map(|_| match random.below(8) {
                0 => Action::Other(random.below(2) as u8).code(),
                1 => random.below(12) as u8,
                2 | 3 => Action::FreeRequested.code(),
                4 | 5 => Action::FreeCompleted.code(),
                _ => Action::Alloc.code(),
            })
            .collect(),
        addr: rows().map(|_| random.address()).collect(),
        size: rows().map(|_| random.bytes()).collect(),
        stream: rows().map(|_| random.below(3) as u16).collect(),
        stack: rows()
            .map(|_| match random.below(5) {
                0 => Events::NO_STACK,
                _ => random.below(STACKS) as u32,
            })
            .collect(),
        time_ns: (random.below(3) > 0).then(|| {
            rows()
                .map(|_| {
                    time += 1_000 * random.below(3) as i64;
                    time
                })
                .collect()
        }),
        pool: (random.below(2) > 0).then(|| {
            rows()
                .map(|_| match random.below(3) {
                    0 => Events::NO_POOL,
                    _ => random.below(3) as u16,
                })
                .collect()
        }),
        note: None,
    }
}

pub(crate) const STACKS: u64 = 12;

/// Texts by row.
pub(crate) const TEXTS: [&str; 9] = [
    "",
    "/me/Layer_1.py",
    "/me/layer_10.py",
    "??",
    "forward",
    "Backward",
    "malloc",
    "defragment",
    "Öl_alloc",
];

/// `devices` with three streams, three pools, two unknown actions and a dozen stacks.
pub(crate) fn recording(devices: Vec<DeviceTable>) -> Recording {
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for text in TEXTS {
        bytes.extend_from_slice(text.as_bytes());
        offsets.push(bytes.len() as u32);
    }
    let frame = |name: u32, filename: u32, line: Option<u32>| Frame {
        name: StringId(name),
        filename: StringId(filename),
        line,
    };
    let frames = vec![
        frame(4, 1, Some(3)),
        frame(4, 2, Some(3)),
        frame(5, 1, None),
        frame(6, 3, Some(9)),
        frame(8, 0, None),
        // The same text as another frame.
        frame(6, 3, None),
    ];
    let of_stacks = vec![3, 0, 5, 1, 3, 1, 0, 2, 4, 0, 1, 2, 2, 1, 0, 4, 0, 5];
    let ends = vec![0, 0, 2, 4, 6, 8, 9, 10, 11, 12, 15, 17, 18];
    Recording {
        source: Source {
            name: "made up".into(),
            bytes: 0,
            carrier: Carrier::Pickle,
            protocol: None,
        },
        family: Family::Cuda,
        strings: Strings::new(offsets, bytes).expect("whole texts"),
        stacks: Stacks::new(ends, of_stacks, frames, Vec::new()).expect("frames of the table"),
        notes: vec![Note::default()],
        streams: vec![u64::MAX, 0, 1_632_243_552],
        pools: vec![Pool(0, 1), Pool(0, 0), Pool(7, -1)],
        other_actions: vec![StringId(7), StringId(8)],
        devices,
        annotations: Vec::new(),
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 0,
        dump: None,
    }
}
