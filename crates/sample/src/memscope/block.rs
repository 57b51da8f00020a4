//! The rows of a block, and what is true about it.

use anyhow::Result;

use crate::memscope::attr::Attr;
use crate::memscope::collector::{
    Access, Allocation, Origin, PoolName, Process, Request, Shape, Totals,
};
use crate::memscope::ledger::Key;
use crate::memscope::row::{Place, Row};
use crate::memscope::stacks::c_stack;
use crate::memscope::truth::BlockTruth;

/// A block that is not freed yet.
pub(super) struct Live {
    pub(super) pool: PoolName,
    pub(super) key: Key,
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) owner: Option<Box<str>>,
    pub(super) thread: u32,
    pub(super) id: u64,
    pub(super) time_ns: u64,
    pub(super) attr: Attr,
    pub(super) python: Box<str>,
    pub(super) accesses: Vec<Seen>,
}

/// A use of a block.
pub(super) struct Seen {
    pub(super) id: u64,
    pub(super) time_ns: u64,
    pub(super) access: Access,
    pub(super) is_odd: bool,
}

impl Process<'_> {
    pub(super) fn malloc_attr(
        &self,
        allocation: Allocation,
        request: &Request<'_>,
        owner: Option<&str>,
        origin: Origin,
    ) -> Attr {
        let style = &self.style;
        let mut attr = self.block_attr(allocation, request.address, request.size as i64);
        let is_hal = request.pool.text(style) == "HAL";
        if style.modules {
            attr.text("owner", "");
            if is_hal {
                attr.number("MID", i64::from(request.module));
            }
        }
        if origin == Origin::MadeUp {
            attr.text("shadow", "true");
            return attr;
        }
        self.totals(&mut attr, request.pool, request.totals);
        if let Some(owner) = owner {
            attr.text("owner", owner);
        }
        if self.plan.oddities.inefficient
            && request.pool == PoolName::Pta
            && request.size >= 1 << 20
        {
            attr.text("inefficient_type", "early_allocation,late_deallocation");
        }
        if is_hal && !style.modules {
            let huge = request.size >= 2 << 20;
            attr.text("page_type", if huge { "huge" } else { "normal" });
            attr.text("alloc_type", "alloc");
        }
        attr
    }

    pub(super) fn free_attr(
        &self,
        allocation: Allocation,
        live: &Live,
        totals: Option<Totals>,
    ) -> Attr {
        let style = &self.style;
        let is_hal = live.key.1 == "HAL";
        let size = match (style.negative_frees, is_hal) {
            (true, true) => 0,
            (true, false) => -(live.size as i64),
            (false, _) => live.size as i64,
        };
        let mut attr = self.block_attr(allocation, live.address, size);
        if style.modules {
            attr.text("owner", "");
            if is_hal {
                attr.number("MID", -1);
            }
        }
        if let Some(totals) = totals {
            self.totals(&mut attr, live.pool, totals);
        }
        attr
    }

    fn totals(&self, attr: &mut Attr, pool: PoolName, totals: Totals) {
        match pool.text(&self.style) {
            "HAL" => {}
            "HOST_PINNED" => {
                attr.text("pinned", "true").number("used", totals.used as i64);
            }
            _ => {
                attr.number("total", totals.reserved as i64).number("used", totals.used as i64);
            }
        }
    }

    fn block_attr(&self, allocation: Allocation, address: u64, size: i64) -> Attr {
        let mut attr = Attr::default();
        if self.style.allocation_ids {
            attr.number("allocation_id", allocation.0 as i64);
        }
        attr.address("addr", address, &self.style).number("size", size);
        attr
    }

    pub(super) fn write_block(
        &mut self,
        allocation: Allocation,
        live: &Live,
        free_ns: Option<u64>,
    ) -> Result<()> {
        let c = if self.plan.stacks.c() { c_stack(live.pool) } else { "" };
        let malloc = Row {
            id: live.id,
            event: "MALLOC",
            kind: live.key.1,
            name: "N/A",
            time_ns: live.time_ns,
            process: self.number,
            thread: live.thread,
            place: self.whose(live.pool),
            pointer: Some(live.address),
            attr: live.attr.clone(),
            python: &live.python,
            c,
        };
        self.files.row(&malloc)?;
        for seen in &live.accesses {
            let address = live.address + seen.access.offset;
            let mut attr = self.block_attr(allocation, address, seen.access.bytes as i64);
            attr.text("type", if live.pool == PoolName::Atb { "ATB" } else { "PTA" });
            attr.text("dtype", "torch.float32").text("shape", &shape_text(seen.access.shape));
            let row = Row {
                id: seen.id,
                event: "ACCESS",
                kind: seen.access.mode,
                name: seen.access.op,
                time_ns: seen.time_ns,
                thread: seen.access.thread,
                pointer: Some(address),
                attr,
                python: "",
                c: "",
                ..malloc
            };
            self.files.row(&row)?;
        }
        self.ledger.block(self.block_truth(allocation, live, free_ns));
        Ok(())
    }

    pub(super) fn write_free(
        &mut self,
        live: &Live,
        id: u64,
        time_ns: u64,
        thread: u32,
        attr: Attr,
    ) -> Result<()> {
        let is_lost = self.style.negative_frees && live.key.1 == "HAL";
        let row = Row {
            id,
            event: "FREE",
            kind: live.key.1,
            name: "N/A",
            time_ns,
            process: self.number,
            thread,
            place: if is_lost { Place::Nowhere } else { self.whose(live.pool) },
            pointer: Some(live.address),
            attr,
            python: "",
            c: "",
        };
        self.files.row(&row)
    }

    fn block_truth(&self, allocation: Allocation, live: &Live, free_ns: Option<u64>) -> BlockTruth {
        let since = |ns| self.ledger.since_zero(ns);
        let times: Vec<u64> = live
            .accesses
            .iter()
            .filter(|seen| !seen.is_odd)
            .map(|seen| since(seen.time_ns))
            .collect();
        BlockTruth {
            process: self.number,
            device: live.key.0.clone(),
            pool: live.key.1.to_owned(),
            id: live.id,
            allocation: self.style.allocation_ids.then_some(allocation.0),
            address: live.address,
            size: live.size,
            owner: live.owner.as_deref().map(ToOwned::to_owned),
            malloc_ns: since(live.time_ns),
            free_ns: free_ns.map(since),
            accesses: times.len() as u64,
            first_access_ns: times.first().copied(),
            last_access_ns: times.last().copied(),
            longest_gap_ns: times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0),
        }
    }
}

fn shape_text(shape: Shape) -> String {
    let sizes: Vec<String> =
        shape.iter().take_while(|size| **size > 0).map(ToString::to_string).collect();
    format!("torch.Size([{}])", sizes.join(", "))
}
