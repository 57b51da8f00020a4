//! Rows out of the ordinary, as a plan's oddities ask for them.

use anyhow::Result;

use crate::memscope::attr::Attr;
use crate::memscope::collector::PoolName;
use crate::memscope::memory::{Run, Tensor, whole};
use crate::memscope::plan::Kept;
use crate::memscope::row::Row;

const OP: &str = "torch._ops.aten.addmm.default";

/// What happens once, while `input` is in use.
pub(crate) fn in_first_step(run: &mut Run<'_>, input: &Tensor) -> Result<()> {
    let oddities = run.process.plan.oddities;
    if run.process.plan.kept != Kept::All {
        return Ok(());
    }
    let block = run.process.extent(input.allocation);
    if let Some((_, _, id)) = block {
        if oddities.owner_quote {
            run.process.odd("owner_quote", vec![id]);
        } else if oddities.owner_colon {
            run.process.odd("owner_colon", vec![id]);
        }
    }
    if oddities.foreign_access {
        let mut access = whole(OP, "READ", run.threads.main, input);
        access.offset = input.size + (64 << 20);
        let id = run.process.odd_access(input.allocation, access);
        run.process.odd("foreign_access", vec![id]);
    }
    if oddities.dangling_access {
        let ids =
            [0, 0x12ff_0000_0000].map(|address| lone(run, ("ACCESS", "READ", OP), address, 512));
        let ids = ids.into_iter().collect::<Result<Vec<_>>>()?;
        run.process.odd("dangling_access", ids);
    }
    if oddities.double_malloc
        && let Some((address, size, _)) = block
    {
        let id = lone(run, ("MALLOC", "PTA", "N/A"), address, size)?;
        run.process.odd("double_malloc", vec![id]);
    }
    if oddities.free_only {
        let id = lone(run, ("FREE", "PTA", "N/A"), 0x12fe_0000_0000, 4096)?;
        run.process.odd("free_only", vec![id]);
    }
    if oddities.unknown_event {
        let id = run.process.point(("N/A", "N/A", "N/A"), run.threads.main, Attr::default())?;
        run.process.odd("unknown_event", vec![id]);
    }
    Ok(())
}

/// What happens once in each step.
pub(crate) fn in_each_step(run: &mut Run<'_>, step: u32) -> Result<()> {
    let oddities = run.process.plan.oddities;
    let main = run.threads.main;
    let totals = run.pool_totals();
    let (reserved, used) = (totals.reserved as i64, totals.used as i64);
    if oddities.snapshots {
        let mut attr = Attr::default();
        attr.number("reserved", reserved)
            .number("max_reserved", reserved)
            .number("allocated", used)
            .number("max_allocated", used)
            .number("total", 65_452_113_920)
            .number("free", 65_452_113_920 - reserved)
            .text("device_rate", "3.10%")
            .text("reserved_rate", "71.00%");
        let name = format!("after_step_{step}");
        run.process.point(("SNAPSHOT", "SNAPSHOT", &name), main, attr)?;
    }
    if oddities.out_of_memory && step == 1 {
        let mut attr = Attr::default();
        attr.text("func", "aclrtMallocAlign32")
            .number("req_size", 68_719_476_736)
            .text("flag", "0");
        run.process.wait(5_000);
        run.process.shared(("OOM_DETAIL", "OOM_TRIGGER", "OOM_Trigger"), main, attr);
        let held = [
            ("OOM_RECENT_ALLOC", "OOM_RecentAlloc", 1 << 20),
            ("OOM_TOP_ALLOC", "OOM_TopAlloc", 41_943_552),
        ];
        for (kind, name, size) in held {
            let mut attr = Attr::default();
            attr.text("pool", PoolName::Pta.text(&run.process.style))
                .address("ptr", 0x12c0_4120_0000, &run.process.style)
                .number("size", size)
                .number("timestamp", run.process.clock_ns as i64);
            run.process.wait(5_000);
            run.process.shared(("OOM_DETAIL", kind, name), main, attr);
        }
    }
    Ok(())
}

/// A row about memory that belongs to no block the collector knows. Returns its id.
fn lone(
    run: &mut Run<'_>,
    (event, kind, name): (&str, &str, &str),
    address: u64,
    size: u64,
) -> Result<u64> {
    run.process.wait(1_000);
    let process = &mut run.process;
    let allocation = process.take_allocation();
    let mut attr = Attr::default();
    if process.style.allocation_ids {
        attr.number("allocation_id", allocation as i64);
    }
    let signed =
        if event == "FREE" && process.style.negative_frees { -(size as i64) } else { size as i64 };
    attr.address("addr", address, &process.style).number("size", signed);
    let id = process.take_id();
    let row = Row {
        id,
        event,
        kind,
        name,
        time_ns: process.clock_ns,
        process: process.number,
        thread: run.threads.main,
        place: process.device,
        pointer: Some(address),
        attr,
        python: "",
        c: "",
    };
    process.files.row(&row)?;
    Ok(id)
}
