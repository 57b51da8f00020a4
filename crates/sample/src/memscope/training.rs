//! The run of one process: set-up, steps with a leak in each, the end.

use anyhow::Result;

use crate::memscope::attr::Attr;
use crate::memscope::collector::{Allocation, Process};
use crate::memscope::graph::{backward, forward, update, zero_gradients};
use crate::memscope::ledger::Ledger;
use crate::memscope::memory::{AICPU, DEVMM, GE, HCCL, Module, Owner, RUNTIME, Run, Tensor};
use crate::memscope::network::{CLASSES, INPUT, Network};
use crate::memscope::odd;

const COPY: &str = "torch._ops.aten._to_copy.default";
const SCRIPT: &str = "/data/train/train.py";
const LOADER: &str = "/usr/lib/python3.11/site-packages/torch/utils/data";
/// 4 × 10 MiB: numbers of four bytes.
const LEAK: [u32; 4] = [10 << 20, 0, 0, 0];

/// What CANN reserves when a device is set: whose, and how many bytes.
const SET_UP: [(Module, u64); 10] = [
    (RUNTIME, 16 << 10),
    (RUNTIME, 2 << 20),
    (RUNTIME, 6 << 20),
    (DEVMM, 2 << 20),
    (HCCL, 8 << 20),
    (AICPU, 4 << 20),
    (AICPU, 64 << 10),
    (GE, 12 << 20),
    (RUNTIME, 20 << 20),
    (GE, 2 << 20),
];

/// Runs the whole process and closes its books.
pub(crate) fn train(process: Process<'_>) -> Result<Ledger> {
    let start_ns = process.clock_ns;
    let mut run = Run::new(process);
    let main = run.threads.main;
    system(&mut run, "START_TRACE");
    // What was there before comes with the start's time.
    let old = run.process.shadows().then(|| Network::load(&mut run, start_ns));
    run.process.wait(900_000_000);
    system(&mut run, "ACL_INIT");
    let reserved: Vec<Allocation> =
        SET_UP.map(|(module, size)| run.reserve(size, module, main).0).to_vec();
    run.pin(6_356_992, main);
    let mut network = old.unwrap_or_else(|| Network::load(&mut run, start_ns));
    run.mark("Mark", "training start")?;
    start_tracer(&mut run)?;
    for step in 1..=run.process.plan.steps {
        one_step(&mut run, &mut network, step)?;
    }
    stop_tracer(&mut run)?;
    // Two of the set-up's blocks are given back, the others are there to the end.
    for allocation in reserved.into_iter().skip(7).take(2) {
        run.release(allocation)?;
    }
    run.process.wait(40_000_000);
    system(&mut run, "ACL_FINI");
    run.process.wait(400_000);
    system(&mut run, "STOP_TRACE");
    run.process.finish()
}

/// A row of the system's. Old versions spell two of them and do not know the others.
fn system(run: &mut Run<'_>, kind: &'static str) {
    let style = run.process.style;
    let is_old = !style.allocation_ids;
    let kind = match kind {
        "START_TRACE" if is_old => "acl init",
        "ACL_FINI" if is_old => "acl finalize",
        "ACL_INIT" | "STOP_TRACE" if is_old => return,
        kind => kind,
    };
    let mut attr = Attr::default();
    if kind == "START_TRACE" && style.host == crate::memscope::generation::Host::Pinned {
        attr.number("free", 62_914_560_000).number("total", 65_452_113_920);
    }
    run.process.shared(("SYSTEM", kind, "N/A"), run.threads.main, attr);
}

fn start_tracer(run: &mut Run<'_>) -> Result<()> {
    let main = run.threads.main;
    let process = &mut run.process;
    if !process.plan.is_traced() {
        return Ok(());
    }
    process.files.trace(process.number, process.device)?;
    process.wait(200_000);
    let now_ns = process.clock_ns;
    let script = format!("{SCRIPT}(41): <module>");
    process.tracer.was_open(process.files, main, &script, now_ns)?;
    process.wait(2_000);
    let start = "/opt/msmemscope/python/msmemscope/tracer.py(24): start";
    process.tracer.returned(process.files, main, start, process.clock_ns)?;
    let loader = run.threads.loader;
    let bootstrap = "/usr/lib/python3.11/threading.py(1002): _bootstrap";
    process.tracer.was_open(process.files, loader, bootstrap, now_ns)?;
    run.call(main, &format!("{SCRIPT}(36): train"));
    Ok(())
}

fn stop_tracer(run: &mut Run<'_>) -> Result<()> {
    let main = run.threads.main;
    if !run.process.plan.is_traced() {
        return Ok(());
    }
    run.leave(main, 1)?;
    run.call(main, "/opt/msmemscope/python/msmemscope/tracer.py(31): stop");
    run.call(run.threads.loader, &format!("{LOADER}/_utils/pin_memory.py(37): do_one_step"));
    let process = &mut run.process;
    process.wait(8_000);
    process.tracer.stop(process.files, process.clock_ns)
}

fn one_step(run: &mut Run<'_>, network: &mut Network, step: u32) -> Result<()> {
    let main = run.threads.main;
    run.call(main, &format!("{SCRIPT}(12): train_one_step"));
    run.mark("Range_start", "step start")?;
    leak(run)?;
    let pinned = load(run)?;
    let owner = if step == 1 { Owner::Labelled } else { Owner::Operator };
    let input = copy(run, INPUT, owner)?;
    let labels = copy(run, [1, CLASSES, 0, 0], Owner::Pool)?;
    if step == 1 {
        odd::in_first_step(run, &input)?;
    }
    let kept = forward(run, network, &input)?;
    backward(run, network, kept)?;
    update(run, network)?;
    zero_gradients(run, network)?;
    run.let_go(input, main)?;
    run.let_go(labels, main)?;
    run.unpin(pinned)?;
    odd::in_each_step(run, step)?;
    run.mark("Range_end", &format!("Range end from id {step}"))?;
    run.mark("STEP", &step.to_string())?;
    run.process.ledger.moment(&format!("step {step}"), run.process.clock_ns);
    run.leave(main, 1)?;
    run.process.wait(30_000_000);
    Ok(())
}

/// The tensor that the script appends to a list and never lets go.
fn leak(run: &mut Run<'_>) -> Result<()> {
    let main = run.threads.main;
    run.call(main, "<built-in method randn of type object at 0xffff8471f048>");
    run.process.wait(60_000_000);
    run.leave(main, 1)?;
    run.call(main, "<method 'to' of 'torch._C.TensorBase' objects>");
    run.begin(COPY, main)?;
    let tensor = run.tensor(LEAK, Owner::Leak, main);
    run.executed("MemcpyAsync", main)?;
    run.end(COPY, main, &[], &[&tensor])?;
    run.leave(main, 1)
}

/// The loader's thread puts the next picture into a pinned buffer.
fn load(run: &mut Run<'_>) -> Result<(Allocation, u64)> {
    let loader = run.threads.loader;
    run.call(loader, &format!("{LOADER}/_utils/pin_memory.py(37): do_one_step"));
    run.call(loader, &format!("{LOADER}/_utils/fetch.py(46): fetch"));
    run.call(loader, "<built-in method stack of type object at 0xffff8471f048>");
    run.process.wait(4_000_000);
    run.leave(loader, 2)?;
    run.call(loader, "<method 'pin_memory' of 'torch._C.TensorBase' objects>");
    let pinned = run.pin(1 << 20, loader);
    run.leave(loader, 2)?;
    Ok(pinned)
}

fn copy(run: &mut Run<'_>, shape: [u32; 4], owner: Owner) -> Result<Tensor> {
    let main = run.threads.main;
    run.call(main, "<method 'to' of 'torch._C.TensorBase' objects>");
    run.begin(COPY, main)?;
    let tensor = run.tensor(shape, owner, main);
    run.end(COPY, main, &[], &[&tensor])?;
    run.leave(main, 1)?;
    Ok(tensor)
}
