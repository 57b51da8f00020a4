//! Recordings from a drawing: one event a line.
//!
//! ```text
//! map 0x1000 4096 [main]   segment_alloc at an address, of a stack
//! unmap 0x1000             segment_free
//! snap main                a snapshot was taken
//! + a 0x1000 512 400 main  alloc: name, address, size, requested, stack (- none, () empty)
//! - a                      free_requested
//! x a                      free_completed
//! ```
//!
//! `before a …` in front of the first event is a block from before the recording; a block never
//! freed there is a ghost.

use model::*;

/// Frames of the stacks a drawing may name: function, file, line.
const FRAMES: [(&str, &str, u32); 4] = [
    ("forward", "/home/me/mlp.py", 62),
    ("linear", "/opt/conda/lib/python3.11/site-packages/torch/nn/functional.py", 2374),
    ("at::native::mm", "Blas.cpp", 0),
    ("torch::unwind::unwind()", "??", 0),
];

/// Names of stacks, and their frames, innermost first.
const STACKS: [(&str, &[u32]); 4] =
    [("()", &[]), ("main", &[1, 0]), ("lib", &[3, 2, 1]), ("native", &[3, 2])];

/// The first event's time; each event is 10 µs after the one before.
pub(crate) const FIRST_NS: i64 = 1_000_000;

struct Drawing {
    rows: Vec<(String, Block)>,
    segments: Vec<Segment>,
    action: Vec<u8>,
    addr: Vec<u64>,
    size: Vec<u64>,
    stack: Vec<u32>,
    block: Vec<u32>,
    counters: [Vec<u64>; 3],
}

/// The recording that `text` draws.
pub(crate) fn recording(text: &str) -> Recording {
    let mut drawing = Drawing {
        rows: Vec::new(),
        segments: Vec::new(),
        action: Vec::new(),
        addr: Vec::new(),
        size: Vec::new(),
        stack: Vec::new(),
        block: Vec::new(),
        counters: [vec![0], vec![0], vec![0]],
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        drawing.line(&line.split_whitespace().collect::<Vec<_>>());
    }
    drawing.finish()
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

fn stack(name: &str) -> Option<StackId> {
    let row = STACKS.iter().position(|(known, _)| *known == name);
    row.map(|row| StackId(row as u32))
}

impl Drawing {
    fn line(&mut self, words: &[&str]) {
        match words {
            ["before", name, addr, size, requested, stack_name] => {
                let block = self.block(addr, size, requested, stack(stack_name), Origin::Ghost);
                self.rows.push(((*name).to_owned(), block));
                self.counters[0][0] += block.size;
                self.counters[1][0] += block.size;
            }
            ["map", addr, size, rest @ ..] => {
                let (addr, size) = (number(addr), number(size));
                let stack = rest.first().and_then(|name| stack(name));
                self.event(Action::SegmentAlloc, addr, size, stack, [0, 0, size as i64]);
                self.segments.push(Segment {
                    addr,
                    size,
                    born: self.now(),
                    died: None,
                    stack,
                    stream: StreamId(0),
                    pool: Some(PoolId(0)),
                    kind: SegmentKind::Large,
                    is_expandable: false,
                });
            }
            ["unmap", addr] => {
                let addr = number(addr);
                let row = self.segments.iter().rposition(|segment| segment.addr == addr).unwrap();
                let size = self.segments[row].size;
                self.event(Action::SegmentFree, addr, size, None, [0, 0, -(size as i64)]);
                self.segments[row].died = Some(self.now());
            }
            ["snap", name] => self.event(Action::Snapshot, 0, 0, stack(name), [0; 3]),
            ["+", name, addr, size, requested, stack_name] => {
                let stack = stack(stack_name);
                let bytes = number(size) as i64;
                self.event(
                    Action::Alloc,
                    number(addr),
                    number(requested),
                    stack,
                    [bytes, bytes, 0],
                );
                let block = self.block(addr, size, requested, stack, Origin::Traced);
                self.about(self.rows.len());
                self.rows.push(((*name).to_owned(), block));
            }
            ["-", name] => self.end(name, Action::FreeRequested),
            ["x", name] => self.end(name, Action::FreeCompleted),
            other => panic!("not a line of a drawing: {other:?}"),
        }
    }

    fn now(&self) -> State {
        State(self.action.len() as u32)
    }

    fn block(
        &self,
        addr: &str,
        size: &str,
        requested: &str,
        stack: Option<StackId>,
        origin: Origin,
    ) -> Block {
        Block {
            addr: number(addr),
            size: number(size),
            requested: number(requested),
            born: self.now(),
            released: None,
            died: None,
            stack,
            stream: StreamId(0),
            pool: Some(PoolId(0)),
            origin,
            size_source: SizeSource::Stated,
        }
    }

    fn end(&mut self, name: &str, action: Action) {
        let row = self.rows.iter().rposition(|(known, _)| known == name).unwrap();
        let Block { addr, size, requested, .. } = self.rows[row].1;
        let is_request = action == Action::FreeRequested;
        let bytes = -(size as i64);
        let change = if is_request { [bytes, 0, 0] } else { [0, bytes, 0] };
        self.event(action, addr, requested, Some(StackId(1)), change);
        self.about(row);
        let now = self.now();
        let block = &mut self.rows[row].1;
        *(if is_request { &mut block.released } else { &mut block.died }) = Some(now);
        if block.origin == Origin::Ghost {
            block.origin = Origin::BeforeRecording;
        }
    }

    /// The event before is about the block in `row`.
    fn about(&mut self, row: usize) {
        *self.block.last_mut().unwrap() = row as u32;
    }

    fn event(
        &mut self,
        action: Action,
        addr: u64,
        size: u64,
        stack: Option<StackId>,
        change: [i64; 3],
    ) {
        self.action.push(action.code());
        self.addr.push(addr);
        self.size.push(size);
        self.stack.push(stack.map_or(Events::NO_STACK, |stack| stack.0));
        self.block.push(u32::MAX);
        for (column, change) in self.counters.iter_mut().zip(change) {
            let last = *column.last().unwrap();
            column.push(last.checked_add_signed(change).unwrap());
        }
    }

    fn finish(self) -> Recording {
        let n = self.action.len();
        let [allocated, active, reserved] = self.counters.map(Column::from);
        let stated = self.segments.len() as u32;
        let blocks = self.rows.into_iter().map(|(_, block)| block).collect::<Vec<_>>();
        let table = DeviceTable {
            device: Device::Accelerator(0),
            events: Events {
                action: self.action.into(),
                addr: self.addr.into(),
                size: self.size.into(),
                stream: vec![0; n].into(),
                stack: self.stack.into(),
                time_ns: Some((0..n as i64).map(|row| FIRST_NS + 10 * row).collect()),
                pool: None,
                note: None,
            },
            block_of_event: self.block.into(),
            segments: Segments::new(self.segments, stated, stated).unwrap(),
            blocks: Blocks::new(blocks.into_iter()).unwrap(),
            counters: Counters { allocated, active, reserved },
            workspaces: Vec::new(),
            track: None,
        };
        around(table)
    }
}

fn around(table: DeviceTable) -> Recording {
    let mut texts = Texts::default();
    let frames = FRAMES.map(|(name, file, line)| Frame {
        name: texts.id(name),
        filename: texts.id(file),
        line: (line > 0).then_some(line),
    });
    let kind = AnnotationKind::Range;
    let range = |name, start_ns, end_ns, depth| Annotation {
        name,
        device: 0,
        kind,
        start_ns,
        end_ns,
        depth,
    };
    let (first, step, forward) = (FIRST_NS, texts.id("ProfilerStep#1"), texts.id("## forward ##"));
    let annotations = vec![
        range(step, Some(first), Some(first + 45), 0),
        range(forward, Some(first + 10), None, 1),
        Annotation { device: 1, ..range(step, Some(first), None, 0) },
        range(forward, None, Some(first + 500), 0),
    ];
    let mut offsets = vec![0];
    let mut ids: Vec<u32> = Vec::new();
    for (_, stack) in STACKS {
        ids.extend(stack);
        offsets.push(ids.len() as u32);
    }
    Recording {
        source: Source {
            name: "drawn".into(),
            bytes: 0,
            carrier: Carrier::Pickle,
            protocol: Some(4),
        },
        family: Family::Cuda,
        strings: texts.finish(),
        stacks: Stacks::new(offsets, ids, frames.to_vec(), Vec::new()).unwrap(),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: vec![Pool(0, 0)],
        other_actions: Vec::new(),
        devices: vec![table],
        annotations,
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 0,
        dump: None,
    }
}

pub(crate) struct Texts(Vec<String>);

impl Default for Texts {
    fn default() -> Self {
        Self(vec![String::new()])
    }
}

impl Texts {
    pub(crate) fn id(&mut self, text: &str) -> StringId {
        let known = self.0.iter().position(|known| known == text);
        StringId(known.unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        }) as u32)
    }

    pub(crate) fn finish(self) -> Strings {
        let mut offsets = vec![0];
        let mut bytes = Vec::new();
        for text in self.0 {
            bytes.extend(text.as_bytes());
            offsets.push(bytes.len() as u32);
        }
        Strings::new(offsets, bytes).unwrap()
    }
}
