//! Times of first pages and deep pages over synthetic tables: `first_page [rows] [repeats]`.
//!
//! Prints the median of the wall clock and the least CPU time of all threads: the machine may
//! be busy with other things, and then only the latter tells.

use job::Job;
use model::{
    Action, Block, Blocks, Carrier, Counters, Device, DeviceTable, EventId, Events, Family, Frame,
    Note, Origin, Pool, PoolId, Recording, Segments, Settings, SizeSource, Source, StackId, Stacks,
    State, StreamId, Strings,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;
use table::{
    BlockColumn, BlockPeriod, BlockRows, Direction, EventColumn, EventRows, Filter, Period, Query,
    Rows, StackTexts, Steps, Test, View, Within,
};

const STACKS: u32 = 20_000;
const DEPTH: u32 = 40;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let rows: u32 = arguments.next().unwrap_or(10_000_000);
    let repeats = arguments.next().unwrap_or(7).max(1);
    let mut bench = Bench { repeats, out: std::io::stdout() };
    let steps = |events: u32| {
        let starts = (0..200).map(|step| (EventId(events / 200 * step), format!("step {step}")));
        Steps::new(starts.collect())
    };
    let job = Job::unwatched();
    writeln!(bench.out, "{:<44} {:>9} {:>9} {:>10}", "block table", "wall ms", "cpu ms", "rows")?;
    {
        let recording = recording(rows);
        let texts = texts(&recording, &job);
        let steps = steps(rows * 2);
        blocks(&mut bench, &BlockRows::new(&recording, 0, &texts, &steps), rows)?;
    }
    writeln!(bench.out, "{:<44} {:>9} {:>9} {:>10}", "event table", "wall ms", "cpu ms", "rows")?;
    let recording = recording(rows / 2);
    let texts = texts(&recording, &job);
    let steps = steps(rows);
    events(&mut bench, &EventRows::new(&recording, 0, &texts, &steps), rows)
}

fn blocks(bench: &mut Bench, rows: &BlockRows<'_>, count: u32) -> std::io::Result<()> {
    use BlockColumn as C;
    let cursor = State(count);
    let all = || Query::all(cursor);
    let by = |order: &[(C, Direction)]| Query { order: order.to_vec(), ..all() };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let only = |column, test| Query { filters: vec![Filter { column, test }], ..all() };
    let most = |to| Test::Between { from: Some(1 << 20), to: Some(to) };
    let within = |within| {
        let period = Period { from: EventId(count / 2), to: EventId(count) };
        Some(BlockPeriod { period, within })
    };
    bench.first("as recorded", rows, &all())?;
    bench.first("by id, last first", rows, &by(&[(C::Id, down)]))?;
    bench.first("by size, largest first", rows, &by(&[(C::Size, down)]))?;
    bench.first("by address", rows, &by(&[(C::Address, up)]))?;
    bench.first("by alloc event, last first", rows, &by(&[(C::AllocEvent, down)]))?;
    bench.first("by free event", rows, &by(&[(C::FreeEvent, up)]))?;
    bench.first("by lifetime in us, longest first", rows, &by(&[(C::LifetimeUs, down)]))?;
    bench.first("by state", rows, &by(&[(C::State, up)]))?;
    bench.first("by origin", rows, &by(&[(C::Origin, up)]))?;
    bench.first("by top frame", rows, &by(&[(C::TopFrame, up)]))?;
    bench.first("by step", rows, &by(&[(C::Step, down)]))?;
    bench.first(
        "by pool, size, address",
        rows,
        &by(&[(C::Pool, up), (C::Size, down), (C::Address, up)]),
    )?;
    bench.first("size 1 MiB to 2 MiB", rows, &only(C::Size, most(2 << 20)))?;
    bench.first("state is allocated", rows, &only(C::State, Test::Is(vec!["allocated".into()])))?;
    bench.first("stack contains", rows, &only(C::Stack, Test::Contains("LAYER_77.PY".into())))?;
    bench.first("address contains abc", rows, &only(C::Address, Test::Contains("abc".into())))?;
    bench.first(
        "free event contains 777",
        rows,
        &only(C::FreeEvent, Test::Contains("777".into())),
    )?;
    let overlapping = Query { period: within(Within::Overlapping), ..by(&[(C::Size, down)]) };
    bench.first("period by size", rows, &overlapping)?;
    let kept = Query { period: within(Within::NotFreedIn), ..by(&[(C::Size, down)]) };
    bench.first("not freed in period by size", rows, &kept)?;
    let many = [
        (C::Size, most(64 << 20)),
        (C::Stack, Test::Contains("layer_7".into())),
        (C::State, Test::Contains("free".into())),
    ];
    let filters = many.map(|(column, test)| Filter { column, test }).to_vec();
    bench.first(
        "3 filters by lifetime, size",
        rows,
        &Query { filters, ..by(&[(C::Lifetime, down), (C::Size, down)]) },
    )?;
    bench.deep("by size", rows, &by(&[(C::Size, down)]))?;
    bench.deep("by address", rows, &by(&[(C::Address, up)]))?;
    bench.deep(
        "by pool, size, address",
        rows,
        &by(&[(C::Pool, up), (C::Size, down), (C::Address, up)]),
    )
}

fn events(bench: &mut Bench, rows: &EventRows<'_>, count: u32) -> std::io::Result<()> {
    use EventColumn as C;
    let all = || Query::all(State(0));
    let by = |order: &[(C, Direction)]| Query { order: order.to_vec(), ..all() };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let only = |column, test| Query { filters: vec![Filter { column, test }], ..all() };
    bench.first("as recorded", rows, &all())?;
    bench.first("by action", rows, &by(&[(C::Action, up)]))?;
    bench.first("by action, size", rows, &by(&[(C::Action, up), (C::Size, down)]))?;
    bench.first("by allocated, most first", rows, &by(&[(C::Allocated, down)]))?;
    bench.first("by time, last first", rows, &by(&[(C::Time, down)]))?;
    bench.first("by stack", rows, &by(&[(C::Stack, up)]))?;
    bench.first("by pool", rows, &by(&[(C::Pool, up)]))?;
    bench.first("by block", rows, &by(&[(C::Block, up)]))?;
    bench.first("action is alloc", rows, &only(C::Action, Test::Is(vec!["alloc".into()])))?;
    bench.first("stack contains", rows, &only(C::Stack, Test::Contains("layer_77.py:3".into())))?;
    let held = Test::Contains("0x7f0000000010".into());
    bench.first("address held or begins", rows, &only(C::Address, held))?;
    let period = Some(Period { from: EventId(count / 4), to: EventId(count / 2) });
    bench.first("period by size", rows, &Query { period, ..by(&[(C::Size, down)]) })?;
    bench.deep("by size", rows, &by(&[(C::Size, down)]))
}

struct Bench {
    repeats: u32,
    out: std::io::Stdout,
}

impl Bench {
    fn first<R: Rows>(
        &mut self,
        name: &str,
        rows: &R,
        query: &Query<R::Column>,
    ) -> std::io::Result<()> {
        let job = Job::unwatched();
        self.line(name, || {
            let view = View::new(rows, query.clone(), &job).expect("not cancelled");
            let page = view.rows(rows, 0, 100, &job).expect("not cancelled");
            assert_eq!(page.len(), view.count().min(100) as usize);
            view.count()
        })
    }

    fn deep<R: Rows>(
        &mut self,
        name: &str,
        rows: &R,
        query: &Query<R::Column>,
    ) -> std::io::Result<()> {
        let job = Job::unwatched();
        let view = || View::new(rows, query.clone(), &job).expect("not cancelled");
        let middle = view().count() / 2;
        let fresh: Vec<_> = (0..self.repeats).map(|_| view()).collect();
        let mut next = fresh.iter();
        self.line(&format!("  {name}: first page in the middle"), || {
            let view = next.next().expect("one view a repeat");
            view.rows(rows, middle, 100, &job).expect("not cancelled").len() as u32
        })?;
        self.line(&format!("  {name}: a page beyond"), || {
            fresh[0].rows(rows, middle + 100, 100, &job).expect("not cancelled").len() as u32
        })?;
        let row = fresh[0].rows(rows, middle, 1, &job).expect("not cancelled")[0];
        let unordered = view();
        self.line(&format!("  {name}: place of a row, unordered"), || {
            unordered.position_of(rows, row, &job).expect("not cancelled").expect("it matches")
        })?;
        self.line(&format!("  {name}: place of a row, ordered"), || {
            fresh[0].position_of(rows, row, &job).expect("not cancelled").expect("it matches")
        })
    }

    fn line(&mut self, name: &str, mut run: impl FnMut() -> u32) -> std::io::Result<()> {
        let mut rows = 0;
        let mut times = Vec::new();
        let mut cpus = Vec::new();
        for _ in 0..self.repeats {
            let (start, cpu) = (Instant::now(), cpu_ms());
            rows = run();
            times.push(start.elapsed().as_secs_f64() * 1000.0);
            cpus.push(cpu_ms() - cpu);
        }
        times.sort_by(f64::total_cmp);
        cpus.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        writeln!(self.out, "{name:<44} {median:>9.1} {:>9.0} {rows:>10}", cpus[0])
    }
}

/// CPU time of this process, the kernel's for it included; 10 ms steps.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

fn texts(recording: &Recording, job: &Job) -> StackTexts {
    let top = |StackId(stack)| (stack > 0).then(|| format!("layer_{}.py:3 forward", stack % 500));
    StackTexts::new(recording, top, job).expect("not cancelled")
}

/// `count` blocks that come and go, and the action and the block of every event.
fn lives(count: u32) -> (Vec<Block>, Vec<(Action, u32)>) {
    let mut seed = 7u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let mut blocks: Vec<Block> = Vec::with_capacity(count as usize);
    let mut events = Vec::with_capacity(2 * count as usize);
    let mut live: Vec<u32> = Vec::new();
    while blocks.len() < count as usize || live.len() > 2000 {
        let is_born = blocks.len() < count as usize && (live.len() < 2000 || random(2) == 0);
        let state = State(events.len() as u32 + 1);
        if is_born {
            let most = 1 << random(18);
            let bytes = (1 + random(most)) * 512;
            live.push(blocks.len() as u32);
            events.push((Action::Alloc, blocks.len() as u32));
            blocks.push(Block {
                addr: 0x7f00_0000_0000 + random(1 << 30) * 512,
                size: bytes,
                requested: bytes - random(512),
                born: state,
                released: None,
                died: None,
                stack: Some(StackId(random(STACKS.into()) as u32)),
                stream: StreamId(0),
                pool: Some(PoolId(random(2) as u16)),
                origin: Origin::Traced,
                size_source: SizeSource::Computed,
            });
        } else {
            let row = live.swap_remove(random(live.len() as u64) as usize);
            let block = &mut blocks[row as usize];
            (block.released, block.died) = (Some(state), Some(state));
            events.push((Action::FreeCompleted, row));
        }
    }
    (blocks, events)
}

/// [`lives`] with an `alloc` and mostly a `free_completed` for each block.
fn recording(count: u32) -> Recording {
    let (blocks, events) = lives(count);
    let of = |(_, row): &(Action, u32)| &blocks[*row as usize];
    let mut total = 0;
    let totals = events.iter().map(|event| {
        match event.0 {
            Action::Alloc => total += of(event).size,
            _ => total -= of(event).size,
        }
        total
    });
    let allocated: model::Column<u64> = std::iter::once(0).chain(totals).collect();
    let times = (0..events.len() as i64).map(|event| 1_700_000_000_000_000_000 + event * 3_000);
    let table = DeviceTable {
        device: Device::Accelerator(0),
        events: Events {
            action: events.iter().map(|event| event.0.code()).collect(),
            addr: events.iter().map(|event| of(event).addr).collect(),
            size: events.iter().map(|event| of(event).requested).collect(),
            stream: vec![0; events.len()].into(),
            stack: events.iter().filter_map(|event| of(event).stack).map(|id| id.0).collect(),
            time_ns: Some(times.collect()),
            pool: None,
            note: None,
        },
        block_of_event: events.iter().map(|event| event.1).collect(),
        blocks: Blocks::new(blocks.into_iter()).expect("sorted by birth"),
        segments: Segments::default(),
        counters: Counters {
            allocated: allocated.clone(),
            active: allocated.clone(),
            reserved: allocated,
        },
        workspaces: Vec::new(),
        track: None,
    };
    around(table)
}

/// A recording of `table` alone, with [`STACKS`] stacks of [`DEPTH`] frames.
fn around(table: DeviceTable) -> Recording {
    let (mut offsets, mut text) = (vec![0, 0], String::new());
    for layer in 0..500 {
        write!(text, "/home/me/model/layer_{layer}.py").expect("a String takes all");
        offsets.push(text.len() as u32);
    }
    text.push_str("forward");
    offsets.push(text.len() as u32);
    let strings = Strings::new(offsets, text.into_bytes()).expect("whole texts");
    let frame = |frame: u32| Frame {
        name: model::StringId(501),
        filename: model::StringId(1 + frame % 500),
        line: Some(1 + frame / 500),
    };
    let frames: Vec<Frame> = (0..5000).map(frame).collect();
    let offsets = [0, 0].into_iter().chain((1..STACKS).map(|stack| stack * DEPTH)).collect();
    let of_stacks = (0..(STACKS - 1) * DEPTH).map(|at| (at * 7 + at / DEPTH) % 5000).collect();
    Recording {
        source: Source {
            name: "synthetic".into(),
            bytes: 0,
            carrier: Carrier::Pickle,
            protocol: None,
        },
        family: Family::Cuda,
        strings,
        stacks: Stacks::new(offsets, of_stacks, frames, Vec::new()).expect("frames of the table"),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: vec![Pool(0, 0), Pool(0, 1)],
        other_actions: Vec::new(),
        devices: vec![table],
        annotations: Vec::new(),
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 0,
        dump: None,
    }
}
