//! A dump with given sums: what is known of a large real one, put together, not simulated.
//!
//! A run of `resnet50` on device 1 in August 2025. All times are nanoseconds since its first row.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::memscope::attr::Attr;
use crate::memscope::collector::{Access, Allocation, PoolName, Process, Request, Totals};
use crate::memscope::files::Files;
use crate::memscope::generation::Generation;
use crate::memscope::plan::{Dump, Stacks};
use crate::memscope::row::Place;
use crate::memscope::shape_blocks::{Planned, blocks};
use crate::memscope::truth::Truth;
use crate::memscope::write::write_truth;

/// The moment whose sums are known.
pub const ASKED_NS: u64 = 20_000_000_000;
const PROCESS: u32 = 2_621_226;
const OTHER_THREAD: u32 = 2_622_898;
const END_NS: u64 = 48_510_832_080;
/// Launches before and after [`ASKED_NS`].
const LAUNCHES: [u64; 2] = [2_187, 15_867];
const OPS: [&str; 3] = [
    "torch._ops.aten.addmm.default",
    "torch._ops.aten.convolution.default",
    "torch._ops.aten.native_batch_norm.default",
];

/// The plan that says how it is written.
fn plan() -> Dump {
    Dump {
        generation: Generation::August2025,
        stacks: Stacks::None,
        asked_ns: vec![ASKED_NS],
        ..Dump::new(3)
    }
}

/// Writes the dump into `folder` under the name the collector would choose.
pub fn write_in(folder: &Path) -> Result<(PathBuf, Truth)> {
    let path = folder.join(plan().file_name());
    let truth = write(&path)?;
    Ok((path, truth))
}

/// Writes the dump to `path` and its truth beside it, with the extension `truth.json`.
pub fn write_files(path: &Path) -> Result<Truth> {
    let truth = write(path)?;
    write_truth(&truth, path)?;
    Ok(truth)
}

/// Writes the dump to `path`.
pub fn write(path: &Path) -> Result<Truth> {
    let plan = plan();
    let mut files = Files::new(&plan, path);
    let base_ns = files.style().base_ns;
    let blocks = blocks();
    let mut acts = acts(&blocks);
    acts.sort_by_key(|(at_ns, _)| *at_ns);
    let process = Process::new(&mut files, PROCESS, Place::Device(1), base_ns).exact();
    process.files.trace(PROCESS, Place::Device(1))?;
    let mut run = Run {
        base_ns,
        process,
        blocks: &blocks,
        held: vec![None; blocks.len()],
        totals: Totals::default(),
    };
    for (at_ns, act) in acts {
        run.act(at_ns, act)?;
    }
    let mut truth = Truth::default();
    run.process.finish()?.finish(&mut truth);
    files.finish(&mut truth)?;
    truth.not_met = [
        "points of a pool's curve are its rows, without what a viewer adds at the bounds",
        "block 3182 is the 3182nd to be freed",
        "of the traces only the number and one name of the threads are known",
    ]
    .map(ToOwned::to_owned)
    .to_vec();
    Ok(truth)
}

/// One thing that happens.
#[derive(Debug, Clone, Copy)]
enum Act {
    System(&'static str),
    Malloc(usize),
    Access(usize, &'static str),
    Free(usize),
    Launch(u64),
    Enter(u32, &'static str),
    Leave(u32),
}

fn acts(blocks: &[Planned]) -> Vec<(u64, Act)> {
    let mut acts = vec![(0, Act::System("START_TRACE")), (END_NS, Act::System("STOP_TRACE"))];
    for (index, block) in blocks.iter().enumerate() {
        acts.push((block.malloc_ns, Act::Malloc(index)));
        for (number, at_ns) in block.accesses_ns.iter().enumerate() {
            let mode = if number == 0 { "WRITE" } else { "READ" };
            acts.push((*at_ns, Act::Access(index, mode)));
        }
        acts.extend(block.free_ns.map(|at_ns| (at_ns, Act::Free(index))));
    }
    let early = (0..LAUNCHES[0]).map(|number| (8_500_000_000 + number * 2_000_000, number));
    // Thirty more, so that no launch is at the time of a block's row.
    let late = (0..LAUNCHES[1]).map(|number| (20_500_000_030 + number * 1_484_000, number));
    acts.extend(early.chain(late).map(|(at_ns, number)| (at_ns, Act::Launch(number))));
    calls(&mut acts);
    acts
}

/// Three steps of the main thread, and what another one does meanwhile.
fn calls(acts: &mut Vec<(u64, Act)>) {
    let mut call = |thread, from_ns, to_ns, name| {
        acts.push((from_ns, Act::Enter(thread, name)));
        acts.push((to_ns, Act::Leave(thread)));
    };
    call(PROCESS, 19_700_000_050, 44_900_000_050, "/data/train/test.py(31): train");
    for step in 0..3 {
        let from_ns = 19_750_000_060 + step * 8_300_000_000;
        let to_ns = from_ns + 8_200_000_000;
        call(PROCESS, from_ns, to_ns, "/data/train/test.py(10): train_one_step");
        call(
            PROCESS,
            from_ns + 1_000,
            from_ns + 900_000_000,
            "<built-in method randn of type object at 0xffff8471f048>",
        );
        call(PROCESS, from_ns + 1_000_000_000, from_ns + 4_000_000_000, "nn.Module: ResNet");
        call(
            PROCESS,
            from_ns + 1_000_002_000,
            from_ns + 3_999_000_000,
            "/usr/lib/python3.11/site-packages/torchvision/models/resnet.py(285): forward",
        );
        call(
            OTHER_THREAD,
            from_ns + 4_100_000_000,
            from_ns + 7_000_000_000,
            "/usr/lib/python3.11/site-packages/torch/autograd/graph.py(823): _engine_run_backward",
        );
    }
}

struct Run<'a> {
    base_ns: u64,
    process: Process<'a>,
    blocks: &'a [Planned],
    held: Vec<Option<Allocation>>,
    totals: Totals,
}

impl Run<'_> {
    fn act(&mut self, at_ns: u64, act: Act) -> Result<()> {
        self.process.clock_ns = self.base_ns + at_ns;
        let now_ns = self.process.clock_ns;
        match act {
            Act::System(kind) => {
                self.process.shared(("SYSTEM", kind, "N/A"), PROCESS, Attr::default());
            }
            Act::Malloc(index) => self.malloc(index),
            Act::Access(index, mode) => {
                if let Some(allocation) = self.held[index] {
                    let bytes = self.blocks[index].size;
                    let shape = [(bytes / 4) as u32, 0, 0, 0];
                    let op = OPS[index % OPS.len()];
                    let access = Access { op, mode, thread: PROCESS, offset: 0, bytes, shape };
                    self.process.access(allocation, access);
                }
            }
            Act::Free(index) => {
                if let Some(allocation) = self.held[index].take() {
                    if self.blocks[index].pool == PoolName::Pta {
                        self.totals.used -= self.blocks[index].size;
                    }
                    self.process.free(allocation, PROCESS, self.totals)?;
                }
            }
            Act::Launch(number) => self.launch(number)?,
            Act::Enter(thread, name) => self.process.tracer.enter(thread, name, now_ns),
            Act::Leave(thread) => {
                self.process.tracer.leave(self.process.files, thread, now_ns)?;
            }
        }
        Ok(())
    }

    fn malloc(&mut self, index: usize) {
        let block = &self.blocks[index];
        if block.pool == PoolName::Pta {
            self.totals.used += block.size;
        }
        self.totals.reserved += block.of_pool;
        let request = Request {
            pool: block.pool,
            address: block.address,
            size: block.size,
            owner: Some(block.owner),
            totals: self.totals,
            module: 0,
            thread: PROCESS,
        };
        self.held[index] = Some(self.process.malloc(&request));
    }

    /// An operator's start, its kernel, its end, and again.
    fn launch(&mut self, number: u64) -> Result<()> {
        let op = OPS[(number / 3) as usize % OPS.len()];
        let mut attr = Attr::default();
        let row = match number % 3 {
            0 => ("OP_LAUNCH", "ATEN_START", op),
            1 => {
                attr.number("streamId", 2).number("taskId", (number / 3) as i64);
                ("KERNEL_LAUNCH", "KERNEL_LAUNCH", "N/A")
            }
            _ => ("OP_LAUNCH", "ATEN_END", op),
        };
        self.process.point(row, PROCESS, attr)?;
        Ok(())
    }
}
