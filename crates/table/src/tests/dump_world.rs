//! Dumps to ask, and what their tables must answer, slowly.

use super::oracle::{Slow, SlowBlocks, Value, address, by_text, empty, name, number};
use super::world::{Random, STACKS, TEXTS, World, random_blocks, random_events};
use crate::{
    BlockColumn, BlockPeriod, Column, DeviceRows, DumpBlockColumn, DumpEventColumn, DumpTexts,
    Inefficiency, Threshold, Thresholds, TimePeriod,
};
use job::Job;
use model::{
    BlockId, Blocks, Counters, Device, DeviceTable, Dump, DumpRows, Segments, StackId, State,
    StringId, Strings, Track,
};

/// A dump of one track with what its tables need beside it.
#[derive(Debug)]
pub(crate) struct DumpWorld {
    pub(crate) world: World,
    pub(crate) texts: DumpTexts,
    pub(crate) rows: DeviceRows,
    pub(crate) thresholds: Thresholds,
}

const OWNERS: [&str; 4] = ["", "PTA@ops@aten", "CANN@HCCL", "Mine"];
const DEVICES: [&str; 3] = ["1", "N/A", "0"];
const WORDS: [&str; 6] = ["MALLOC", "KERNEL_LAUNCH", "PTA", "ACCESS", "Free", "FREE"];
const NAMES: [&str; 3] = ["N/A", "\"step 1\"", "aten::mm"];
const C_STACKS: [&str; 3] = ["", "libc.so(malloc+0x10)", "libd.so(alloc+0x2)\nlibe.so(main+1)"];
const TEMPLATES: [&str; 5] = [
    "",
    "{}",
    "{\"allocation_id\":\"\u{1}\",\"addr\":\"\u{10}\",\"size\":\"\u{2}\",\"owner\":\"Alloc\"}",
    "{addr:\u{11},size:\u{2},allocation_id:\u{1},total:\u{3},used:\u{4}}",
    "{\"streamId\":\"\u{1}\",\"taskId\":\"\u{2}\"}",
];

/// Where each list begins among the strings.
const fn first(list: usize) -> u32 {
    let lists =
        [TEXTS.len(), OWNERS.len(), DEVICES.len(), WORDS.len(), NAMES.len(), C_STACKS.len()];
    let (mut at, mut sum) = (0, 0);
    while at < list {
        sum += lists[at];
        at += 1;
    }
    sum as u32
}

fn ids(list: usize, count: usize) -> Vec<StringId> {
    (0..count as u32).map(|row| StringId(first(list) + row)).collect()
}

fn strings() -> Strings {
    let lists: [&[&str]; 7] = [&TEXTS, &OWNERS, &DEVICES, &WORDS, &NAMES, &C_STACKS, &TEMPLATES];
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for text in lists.concat() {
        bytes.extend_from_slice(text.as_bytes());
        offsets.push(bytes.len() as u32);
    }
    Strings::new(offsets, bytes).expect("whole texts")
}

fn random_rows(random: &mut Random, count: u32) -> DumpRows {
    let rows = || 0..count;
    let mut time = 0;
    DumpRows {
        id: rows().map(|_| random.below(40) as i64).collect(),
        time_ns: rows()
            .map(|_| {
                time += random.below(3) as i64;
                time
            })
            .collect(),
        event: rows().map(|_| random.below(WORDS.len() as u64) as u16).collect(),
        event_type: rows().map(|_| random.below(WORDS.len() as u64) as u16).collect(),
        name: rows().map(|_| first(4) + random.below(NAMES.len() as u64) as u32).collect(),
        process: rows().map(|_| random.below(2) as u16).collect(),
        thread: rows().map(|_| random.below(3) as i64 - 1).collect(),
        device: rows().map(|_| random.below(DEVICES.len() as u64) as u16).collect(),
        ptr: rows()
            .map(|_| if random.below(3) == 0 { DumpRows::NO_PTR } else { random.address() })
            .collect(),
        attr: rows().map(|_| random.below(TEMPLATES.len() as u64) as u32).collect(),
        slots: std::array::from_fn(|_| rows().map(|_| random.below(2_000) as i64 - 512).collect()),
        python_stack: rows()
            .map(|_| match random.below(3) {
                0 => DumpRows::NO_STACK,
                _ => random.below(STACKS) as u32,
            })
            .collect(),
        c_stack: rows()
            .map(|_| match random.below(C_STACKS.len() as u64) as u32 {
                0 => 0,
                row => first(5) + row,
            })
            .collect(),
        words: ids(3, WORDS.len()),
        attr_templates: ids(6, TEMPLATES.len()),
        has_stacks: [true, true],
    }
}

/// Some of `rows`, ascending, no more than `most`.
fn some(random: &mut Random, rows: u32, most: u64) -> Vec<u32> {
    let count = random.below(most + 1).min(rows.into());
    let mut some: Vec<u32> = (0..count).map(|_| random.below(rows.into()) as u32).collect();
    some.sort_unstable();
    some.dedup();
    some
}

fn random_track(random: &mut Random, blocks: u32, events: u32, rows: &DumpRows) -> Track {
    // A row is about one block at most, and one event.
    let mut free = some(random, rows.len(), u64::from(blocks) * 3);
    let row_of_event = some(random, rows.len(), events.into()).into();
    let (mut malloc_row, mut free_row) = (Vec::new(), Vec::new());
    let (mut access_offsets, mut access_rows) = (vec![0], Vec::new());
    let mut take = |random: &mut Random| match free.len() as u64 {
        0 => Track::NO_ROW,
        _ if random.below(5) == 0 => Track::NO_ROW,
        count => free.swap_remove(random.below(count) as usize),
    };
    for _ in 0..blocks {
        malloc_row.push(take(random));
        free_row.push(take(random));
        let accesses = (0..random.below(3)).map(|_| take(random));
        let mut accesses: Vec<u32> = accesses.filter(|row| *row != Track::NO_ROW).collect();
        accesses.sort_unstable();
        access_rows.extend(accesses);
        access_offsets.push(access_rows.len() as u32);
    }
    Track {
        device: 2,
        pool: StringId(first(3) + 2),
        process: 1,
        end_ns: rows.time_ns.last().copied().unwrap_or(0) + 3,
        row_of_event,
        has_used: false,
        has_total: false,
        owner: (0..blocks).map(|_| random.below(OWNERS.len() as u64) as u32).collect(),
        allocation_id: (0..blocks).map(|_| random.below(9)).collect(),
        malloc_row: malloc_row.into(),
        free_row: free_row.into(),
        access_offsets: access_offsets.into(),
        access_rows: access_rows.into(),
        longest_gap_ns: (0..blocks).map(|_| random.below(9) as i64).collect(),
        flags: (0..blocks).map(|_| random.below(4) as u8).collect(),
    }
}

fn random_threshold(random: &mut Random) -> Threshold {
    Threshold {
        ns: (random.below(2) == 0).then(|| random.below(6) as i64),
        percent: (random.below(2) == 0).then(|| random.below(11) as f64 * 10.0),
    }
}

impl DumpWorld {
    /// Anything that a dump may hold, small values so that many are equal.
    pub(crate) fn random(seed: u64, blocks: u32, rows: u32) -> Self {
        let mut random = Random(seed | 1);
        let events = rows / 2;
        let rows = random_rows(&mut random, rows);
        let blocks = random_blocks(&mut random, blocks, events);
        let mut track = random_track(&mut random, blocks.len(), events, &rows);
        // Allocation numbers are the same in both places.
        let mut numbers = track.allocation_id.to_vec();
        for (number, row) in numbers.iter_mut().zip(track.malloc_row.iter()) {
            if *row != Track::NO_ROW {
                *number = rows.slots[0][*row as usize].unsigned_abs();
            }
        }
        track.allocation_id = numbers.into();
        let mut all = random_events(&mut random, blocks.len(), events);
        all.time_ns = Some((0..i64::from(events)).map(|event| event * 2).collect());
        let device = DeviceTable {
            device: Device::Track,
            events: all,
            blocks,
            segments: Segments::default(),
            counters: Counters {
                allocated: vec![0; events as usize + 1].into(),
                active: vec![0; events as usize + 1].into(),
                reserved: vec![0; events as usize + 1].into(),
            },
            block_of_event: vec![u32::MAX; events as usize].into(),
            workspaces: Vec::new(),
            track: Some(Box::new(track)),
        };
        let dump = Dump {
            end_ns: rows.time_ns.last().copied().unwrap_or(0) + 3,
            processes: vec![4_711, 815],
            devices: ids(2, DEVICES.len()),
            rows,
            owners: ids(1, OWNERS.len()),
            threads: Vec::new(),
        };
        let mut world = World::new(vec![device], Vec::new());
        world.recording.strings = strings();
        world.recording.dump = Some(Box::new(dump));
        let job = Job::unwatched();
        let thresholds = Thresholds {
            lazy: random_threshold(&mut random),
            delayed: random_threshold(&mut random),
            idle: random_threshold(&mut random),
        };
        let texts = DumpTexts::new(&world.recording, world.dump(), &job).expect("not cancelled");
        let rows = DeviceRows::new(&world.recording, 0, &job).expect("not cancelled");
        Self { world, texts, rows, thresholds }
    }

    fn track(&self) -> &Track {
        self.world.recording.devices[0].track.as_deref().unwrap()
    }

    fn dump(&self) -> &Dump {
        self.world.dump()
    }

    fn blocks(&self) -> &Blocks {
        &self.world.recording.devices[0].blocks
    }

    /// The rows of the dump that the event table has.
    fn list(&self) -> Vec<usize> {
        let is_meant = |row: &usize| self.dump().rows.device[*row] > 0;
        (0..self.dump().rows.len() as usize).filter(is_meant).collect()
    }

    /// Start and end of a block as the formulas take them.
    fn ends(&self, row: usize) -> (i64, i64) {
        let (rows, track) = (&self.dump().rows, self.track());
        let times = self.world.recording.devices[0].events.time_ns.as_ref().unwrap();
        let block = self.blocks().get(BlockId(row as u32));
        let of_state = |state: State| match state.0 {
            0 => None,
            state => times.get(state as usize - 1).copied(),
        };
        let start = match track.malloc_row[row] {
            Track::NO_ROW => of_state(block.born).unwrap_or(0),
            at => rows.time_ns[at as usize],
        };
        let end = match track.free_row[row] {
            Track::NO_ROW => block.died.and_then(of_state).unwrap_or(track.end_ns),
            at => rows.time_ns[at as usize],
        };
        (start, end)
    }

    /// The formulas of the manual, in floating point, whose values here are small.
    fn flags(&self, row: usize) -> [bool; 3] {
        let (start, end) = self.ends(row);
        let time = |at: &u32| self.dump().rows.time_ns[*at as usize];
        let accesses: Vec<i64> = self.track().accesses(row).iter().map(time).collect();
        let (Some(first), Some(last)) = (accesses.first(), accesses.last()) else {
            return [false; 3];
        };
        let gap = self.track().longest_gap_ns[row];
        let over = |threshold: Threshold, part: i64| {
            let ns = threshold.ns.is_some_and(|ns| ns != 0 && part > ns);
            let share = part as f64 * 100.0;
            let percent = threshold.percent.filter(|percent| 0.0 < *percent && *percent < 100.0);
            ns || percent.is_some_and(|percent| share > percent * (end - start) as f64)
        };
        let Thresholds { lazy, delayed, idle } = self.thresholds;
        [
            first - start > 0 && over(lazy, first - start),
            last - start > 0 && over(delayed, end - last),
            gap > 0 && over(idle, gap),
        ]
    }

    fn attr(&self, row: usize) -> String {
        self.dump().rows.attr_text(row, |id| self.world.recording.text(id))
    }
}

impl World {
    fn dump(&self) -> &Dump {
        self.recording.dump.as_deref().unwrap()
    }
}

/// Text of a name, or nothing.
fn text(text: &str) -> Value {
    if text.is_empty() { empty() } else { by_text(text.to_owned()) }
}

pub(crate) struct SlowDumpBlocks<'a>(pub(crate) &'a DumpWorld);

impl SlowDumpBlocks<'_> {
    fn plain(&self, row: u32, column: DumpBlockColumn, cursor: State) -> Value {
        let column = match column {
            DumpBlockColumn::Address => BlockColumn::Address,
            DumpBlockColumn::Size => BlockColumn::Size,
            DumpBlockColumn::State => BlockColumn::State,
            DumpBlockColumn::TopFrame => BlockColumn::TopFrame,
            DumpBlockColumn::Stack => BlockColumn::Stack,
            _ => BlockColumn::Id,
        };
        SlowBlocks(&self.0.world).value(row, column, cursor)
    }

    fn attr(&self, at: usize) -> Value {
        let (world, track, rows) = (self.0, self.0.track(), &self.0.dump().rows);
        let [lazy, delayed, idle] = world.flags(at).map(|flag| flag.to_string());
        let malloc = track.malloc_row[at];
        let template = match malloc {
            Track::NO_ROW => "",
            row => TEMPLATES[rows.attr[row as usize] as usize],
        };
        let number = |slot: usize| rows.slots[slot][malloc as usize].to_string();
        let quoted = |id: &str, rest: &str| {
            format!(
                "{{\"allocation_id\":\"{id}\",\"lazy_used\":\"{lazy}\",\
                         \"delayed_free\":\"{delayed}\",\"long_idle\":\"{idle}\"{rest}}}"
            )
        };
        by_text(match TEMPLATES.iter().position(|one| *one == template) {
            _ if malloc == Track::NO_ROW => quoted(&track.allocation_id[at].to_string(), ""),
            Some(2) => quoted(
                &number(0),
                &format!(
                    ",\"addr\":\"{:#018x}\",\"size\":\"{}\",\"owner\":\"Alloc\"",
                    rows.ptr[malloc as usize],
                    number(1)
                ),
            ),
            Some(3) => format!(
                "{{allocation_id:{},lazy_used:{lazy},delayed_free:{delayed},\
                         long_idle:{idle},addr:{},size:{},total:{},used:{}}}",
                number(0),
                rows.ptr[malloc as usize],
                number(1),
                number(2),
                number(3)
            ),
            Some(4) => quoted(
                &number(0),
                &format!(",\"streamId\":\"{}\",\"taskId\":\"{}\"", number(0), number(1)),
            ),
            _ => quoted(&number(0), ""),
        })
    }

    fn inefficient(&self, at: usize) -> Value {
        let flags = self.0.flags(at);
        let set = Inefficiency::ALL.into_iter().zip(flags).filter(|(_, is_set)| *is_set);
        let set: Vec<Inefficiency> = set.map(|(one, _)| one).collect();
        if set.is_empty() {
            return empty();
        }
        let names: Vec<&str> = set.iter().map(|one| one.name()).collect();
        let bits: u8 = set.iter().map(|one| 1 << *one as u8).sum();
        let tags = set.iter().map(|one| one.tag().to_owned()).collect();
        Value { aliases: tags, ..name(bits, names.join(", ")) }
    }
}

impl Slow for SlowDumpBlocks<'_> {
    type Column = DumpBlockColumn;

    fn stack_of(&self, row: u32) -> Option<StackId> {
        self.0.blocks().get(BlockId(row)).stack
    }

    fn count(&self) -> u32 {
        self.0.blocks().len()
    }

    fn value(&self, row: u32, column: DumpBlockColumn, cursor: State) -> Value {
        use DumpBlockColumn as C;
        let (world, track, rows) = (self.0, self.0.track(), &self.0.dump().rows);
        let block = world.blocks().get(BlockId(row));
        let at = row as usize;
        let in_rows = |row: u32, column: &[i64]| match row {
            Track::NO_ROW => empty(),
            row => number(column[row as usize]),
        };
        let event = |row: u32, state: Option<State>| {
            let events = world.world.recording.devices[0].events.len();
            let event = state.and_then(State::event).filter(|event| event.0 < events);
            event.filter(|_| row != Track::NO_ROW).map_or(empty(), |event| number(event.0))
        };
        let accesses = track.accesses(at);
        let access = |row: Option<&u32>| number(row.map_or(-1, |row| rows.time_ns[*row as usize]));
        match column {
            C::Id | C::Address | C::Size | C::State | C::TopFrame | C::Stack => {
                self.plain(row, column, cursor)
            }
            C::MallocTime => in_rows(track.malloc_row[at], &rows.time_ns),
            C::FreeTime => in_rows(track.free_row[at], &rows.time_ns),
            C::Owner => text(OWNERS[track.owner[at] as usize]),
            C::Process => number(815),
            C::Thread => in_rows(track.malloc_row[at], &rows.thread),
            C::FirstAccess => access(accesses.first()),
            C::LastAccess => access(accesses.last()),
            C::LongestGap => number(track.longest_gap_ns[at]),
            C::Attr => self.attr(at),
            C::Accesses => number(accesses.len() as u64),
            C::AllocationId => number(track.allocation_id[at]),
            C::Lifetime => {
                let (start, end) = world.ends(at);
                number(end - start)
            }
            C::AllocEvent => event(track.malloc_row[at], Some(block.born)),
            C::FreeEvent => event(track.free_row[at], block.released),
            C::Inefficient => self.inefficient(at),
            C::Shadow => match track.flags[at] {
                0 => empty(),
                1 => name(1, "malloc"),
                2 => name(2, "free"),
                _ => name(3, "malloc, free"),
            },
        }
    }

    fn holds(&self, row: u32, address: u64) -> bool {
        SlowBlocks(&self.0.world).holds(row, address)
    }

    fn is_within(&self, row: u32, period: BlockPeriod) -> bool {
        SlowBlocks(&self.0.world).is_within(row, period)
    }

    fn bytes(&self, row: u32) -> (u64, u64) {
        SlowBlocks(&self.0.world).bytes(row)
    }
}

pub(crate) struct SlowDumpEvents<'a> {
    world: &'a DumpWorld,
    list: Vec<usize>,
    /// By row of the dump.
    blocks: Vec<Option<u32>>,
}

impl<'a> SlowDumpEvents<'a> {
    pub(crate) fn new(world: &'a DumpWorld) -> Self {
        let track = world.track();
        let mut blocks = vec![None; world.dump().rows.len() as usize];
        for block in 0..world.blocks().len() {
            let at = block as usize;
            let ends = [track.malloc_row[at], track.free_row[at]];
            for row in track.accesses(at).iter().chain(&ends).filter(|row| **row != Track::NO_ROW) {
                blocks[*row as usize] = Some(block);
            }
        }
        Self { list: world.list(), world, blocks }
    }

    fn at(&self, row: u32) -> usize {
        self.list[row as usize]
    }
}

impl Slow for SlowDumpEvents<'_> {
    type Column = DumpEventColumn;

    fn stack_of(&self, row: u32) -> Option<StackId> {
        let stack = self.world.dump().rows.python_stack[self.at(row)];
        (stack != u32::MAX).then_some(StackId(stack))
    }

    fn count(&self) -> u32 {
        self.list.len() as u32
    }

    fn value(&self, row: u32, column: DumpEventColumn, _: State) -> Value {
        use DumpEventColumn as C;
        let (rows, at) = (&self.world.dump().rows, self.at(row));
        match column {
            C::Id => number(rows.id[at]),
            C::Event => by_text(WORDS[usize::from(rows.event[at])].to_owned()),
            C::EventType => by_text(WORDS[usize::from(rows.event_type[at])].to_owned()),
            C::Name => by_text(NAMES[(rows.name[at] - first(4)) as usize].to_owned()),
            C::Time => number(rows.time_ns[at]),
            C::Process => number([4_711, 815][usize::from(rows.process[at])]),
            C::Thread => number(rows.thread[at]),
            C::Address if rows.ptr[at] == DumpRows::NO_PTR => empty(),
            C::Address => address(rows.ptr[at]),
            C::Attr => text(&self.world.attr(at)),
            C::PythonStack => {
                let stack = rows.python_stack[at];
                self.world.world.stack((stack != DumpRows::NO_STACK).then_some(StackId(stack)))
            }
            C::CStack => match rows.c_stack[at] {
                0 => empty(),
                row => text(C_STACKS[(row - first(5)) as usize]),
            },
            C::Device => by_text(DEVICES[usize::from(rows.device[at])].to_owned()),
            C::Size if rows.event[at] == 1 || !matches!(rows.attr[at], 2..=4) => empty(),
            C::Size => number(rows.slots[1][at].unsigned_abs()),
            C::Block => self.blocks[at]
                .map_or(empty(), |block| number(self.world.world.number(BlockId(block)))),
        }
    }

    fn holds(&self, row: u32, address: u64) -> bool {
        let at = self.at(row);
        if let Some(block) = self.blocks[at] {
            return SlowBlocks(&self.world.world).holds(block, address);
        }
        let (start, size) = (self.world.dump().rows.ptr[at], self.bytes(row).1);
        let end = u128::from(start) + u128::from(size);
        let has_one = start != DumpRows::NO_PTR && start != 0;
        has_one && start <= address && u128::from(address) < end
    }

    fn is_within(&self, row: u32, period: <DumpEventColumn as Column>::Period) -> bool {
        let TimePeriod { from_ns, to_ns } = period;
        let time = self.world.dump().rows.time_ns[self.at(row)];
        from_ns <= time && time <= to_ns
    }

    fn bytes(&self, row: u32) -> (u64, u64) {
        let size =
            self.value(row, DumpEventColumn::Size, State(0)).key.map_or(0, |key| key.0 as u64);
        (size, size)
    }
}
