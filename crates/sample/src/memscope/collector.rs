//! What the collector makes of what happens in one process: rows, in its own order.
//!
//! A launch is written at once. The rows of a block wait until it is freed, or until the end, and are then written
//! together; rows without a device come last.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::memscope::attr::Attr;
use crate::memscope::block::{Live, Seen};
use crate::memscope::files::{Files, place};
use crate::memscope::generation::{Host, Style};
use crate::memscope::ledger::Ledger;
use crate::memscope::plan::{Dump, Kept};
use crate::memscope::row::{Place, Row};
use crate::memscope::tracer::Tracer;
use crate::memscope::truth::OddRows;
use crate::random::Random;

/// Whose pool a block is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PoolName {
    /// The driver's memory.
    Hal,
    /// torch's caching pool.
    Pta,
    /// Scratch memory of operators.
    Workspace,
    /// The transformer library's.
    Atb,
    /// Pinned memory of the host.
    Pinned,
}

impl PoolName {
    /// As this version writes it.
    pub(crate) fn text(self, style: &Style) -> &'static str {
        match self {
            PoolName::Hal => "HAL",
            PoolName::Pta => "PTA",
            PoolName::Workspace if style.levels => "PTA",
            PoolName::Workspace => "PTA_WORKSPACE",
            PoolName::Atb => "ATB",
            PoolName::Pinned if style.host == Host::Hal => "HAL",
            PoolName::Pinned => "HOST_PINNED",
        }
    }
}

/// A block to be recorded.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    pub(crate) pool: PoolName,
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) owner: Option<&'a str>,
    /// What the pool has and uses after it.
    pub(crate) totals: Totals,
    /// The driver's number for who asked.
    pub(crate) module: u32,
    pub(crate) thread: u32,
}

/// What a pool has and uses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Totals {
    pub(crate) reserved: u64,
    pub(crate) used: u64,
}

/// How a block is used.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) op: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) thread: u32,
    /// From the block's address; a view may begin inside.
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    pub(crate) shape: Shape,
}

/// The sizes of a tensor's dimensions; 0 ends the list.
pub(crate) type Shape = [u32; 4];

/// The number of a block that is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Allocation(pub(super) u64);

struct Shared {
    id: u64,
    event: &'static str,
    kind: &'static str,
    name: &'static str,
    time_ns: u64,
    thread: u32,
    attr: Attr,
}

/// One process and what the collector knows of it.
pub(crate) struct Process<'a> {
    pub(crate) files: &'a mut Files,
    pub(crate) plan: Dump,
    pub(crate) style: Style,
    pub(crate) number: u32,
    pub(crate) device: Place,
    pub(crate) clock_ns: u64,
    pub(crate) random: Random,
    pub(crate) ledger: Ledger,
    pub(crate) tracer: Tracer,
    is_exact: bool,
    next_id: u64,
    next_allocation: u64,
    live: BTreeMap<Allocation, Live>,
    shared: Vec<Shared>,
}

impl<'a> Process<'a> {
    pub(crate) fn new(files: &'a mut Files, number: u32, device: Place, start_ns: u64) -> Self {
        let plan = files.plan().clone();
        let style = *files.style();
        let ledger = Ledger::new(number, style.base_ns, &plan.asked_ns, plan.told_blocks);
        let tracer = Tracer::new(number, device);
        let is_traced = plan.is_traced() && !plan.oddities.empty_trace;
        Self {
            random: Random::new(plan.seed ^ u64::from(number)),
            ledger,
            tracer: if is_traced { tracer } else { tracer.silent() },
            files,
            plan,
            style,
            number,
            device,
            clock_ns: start_ns,
            is_exact: false,
            next_id: 0,
            next_allocation: 1,
            live: BTreeMap::new(),
            shared: Vec::new(),
        }
    }

    /// The same, but the clock is only ever set from outside.
    pub(crate) fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// Lets about `about_ns` go by.
    pub(crate) fn wait(&mut self, about_ns: u64) {
        if self.is_exact {
            return;
        }
        let tick_ns = self.style.tick_ns();
        let by_ns = about_ns / 2 + self.random.below(about_ns);
        self.clock_ns += by_ns.next_multiple_of(tick_ns).max(tick_ns);
    }

    pub(crate) fn shadows(&self) -> bool {
        self.style.shadow || self.plan.oddities.shadow
    }

    /// A row that belongs to no block.
    pub(crate) fn point(
        &mut self,
        (event, kind, name): (&str, &str, &str),
        thread: u32,
        attr: Attr,
    ) -> Result<u64> {
        self.wait(60_000);
        let id = self.take_id();
        if self.plan.kept != Kept::All {
            return Ok(id);
        }
        let row = Row {
            id,
            event,
            kind,
            name,
            time_ns: self.clock_ns,
            process: self.number,
            thread,
            place: self.device,
            pointer: None,
            attr,
            python: "",
            c: "",
        };
        self.files.row(&row)?;
        Ok(id)
    }

    /// A row without a device. It is written last.
    pub(crate) fn shared(
        &mut self,
        (event, kind, name): (&'static str, &'static str, &'static str),
        thread: u32,
        attr: Attr,
    ) {
        let id = self.take_id();
        let time_ns = self.clock_ns;
        self.shared.push(Shared { id, event, kind, name, time_ns, thread, attr });
    }

    /// A block begins.
    pub(crate) fn malloc(&mut self, request: &Request<'_>) -> Allocation {
        self.wait(40_000);
        self.malloc_now(request, self.clock_ns, Origin::Seen)
    }

    /// A block that was there before the collector, with a row that it makes up for the time it started; one that
    /// begins now without such a time.
    pub(crate) fn malloc_since(
        &mut self,
        request: &Request<'_>,
        since_ns: Option<u64>,
    ) -> Allocation {
        match since_ns {
            Some(time_ns) => self.malloc_now(request, time_ns, Origin::MadeUp),
            None => self.malloc(request),
        }
    }

    fn malloc_now(&mut self, request: &Request<'_>, time_ns: u64, origin: Origin) -> Allocation {
        let allocation = Allocation(self.next_allocation);
        self.next_allocation += 1;
        let id = self.take_id();
        if !self.records(request.pool) {
            return allocation;
        }
        let owner = request.owner.filter(|_| !self.style.modules && origin == Origin::Seen);
        let place = self.place(request.pool);
        let key = (place.into_owned(), request.pool.text(&self.style));
        self.ledger.malloc(&key, owner, request.size, time_ns);
        let has_python = self.plan.stacks.python() && origin == Origin::Seen;
        let live = Live {
            pool: request.pool,
            key,
            address: request.address,
            size: request.size,
            owner: owner.map(Into::into),
            thread: request.thread,
            id,
            time_ns,
            attr: self.malloc_attr(allocation, request, owner, origin),
            python: if has_python { self.python(request.thread) } else { "".into() },
            accesses: Vec::new(),
        };
        self.live.insert(allocation, live);
        allocation
    }

    /// A block is used.
    pub(crate) fn access(&mut self, allocation: Allocation, access: Access) {
        self.wait(15_000);
        self.see(allocation, access, Law::Kept);
    }

    /// An access that names a block but does not belong to it.
    pub(crate) fn odd_access(&mut self, allocation: Allocation, access: Access) -> u64 {
        self.wait(15_000);
        self.see(allocation, access, Law::Broken)
    }

    fn see(&mut self, allocation: Allocation, access: Access, law: Law) -> u64 {
        let id = self.take_id();
        let time_ns = self.clock_ns;
        let seen = Seen { id, time_ns, access, is_odd: law == Law::Broken };
        if self.plan.kept == Kept::All
            && let Some(live) = self.live.get_mut(&allocation)
        {
            live.accesses.push(seen);
        }
        id
    }

    /// A block ends: its rows are written.
    pub(crate) fn free(
        &mut self,
        allocation: Allocation,
        thread: u32,
        totals: Totals,
    ) -> Result<()> {
        self.wait(30_000);
        let id = self.take_id();
        let Some(live) = self.live.remove(&allocation) else { return Ok(()) };
        self.ledger.free(&live.key, live.owner.as_deref(), live.size, self.clock_ns);
        self.write_block(allocation, &live, Some(self.clock_ns))?;
        let attr = self.free_attr(allocation, &live, Some(totals));
        self.write_free(&live, id, self.clock_ns, thread, attr)
    }

    /// The process ends: blocks that are left are written, then the rows without a device.
    pub(crate) fn finish(mut self) -> Result<Ledger> {
        let shadows = self.shadows();
        let exit_ns = self.clock_ns + self.style.tick_ns();
        for (allocation, live) in std::mem::take(&mut self.live) {
            if shadows {
                let id = self.take_id();
                self.ledger.free(&live.key, live.owner.as_deref(), live.size, exit_ns);
                self.ledger.shadow_free(&live.key);
                self.write_block(allocation, &live, Some(exit_ns))?;
                let mut attr = self.free_attr(allocation, &live, None);
                attr.text("shadow", "true");
                self.write_free(&live, id, exit_ns, live.thread, attr)?;
            } else {
                self.write_block(allocation, &live, None)?;
            }
        }
        for shared in std::mem::take(&mut self.shared) {
            let row = Row {
                id: shared.id,
                event: shared.event,
                kind: shared.kind,
                name: shared.name,
                time_ns: shared.time_ns,
                process: self.number,
                thread: shared.thread,
                place: Place::Nowhere,
                pointer: None,
                attr: shared.attr,
                python: "",
                c: "",
            };
            self.files.row_to_all(&row)?;
        }
        self.ledger.threads = self.tracer.finish();
        Ok(self.ledger)
    }

    /// Notes rows that are out of the ordinary.
    pub(crate) fn odd(&mut self, oddity: &str, ids: Vec<u64>) {
        let oddity = oddity.to_owned();
        self.ledger.odd.push(OddRows { process: self.number, oddity, ids });
    }

    pub(crate) fn take_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id - 1
    }

    pub(crate) fn take_allocation(&mut self) -> u64 {
        self.next_allocation += 1;
        self.next_allocation - 1
    }

    /// The address and size of a block in use, and the id of its first row.
    pub(crate) fn extent(&self, allocation: Allocation) -> Option<(u64, u64, u64)> {
        self.live.get(&allocation).map(|live| (live.address, live.size, live.id))
    }

    fn records(&self, pool: PoolName) -> bool {
        let kept = match self.plan.kept {
            Kept::All | Kept::Allocations => true,
            Kept::Hal => pool == PoolName::Hal,
            Kept::Pinned => pool == PoolName::Pinned,
        };
        kept && (pool != PoolName::Pinned || self.style.host != Host::Unseen)
    }

    fn place(&self, pool: PoolName) -> std::borrow::Cow<'static, str> {
        place(self.whose(pool), &self.style)
    }

    pub(crate) fn whose(&self, pool: PoolName) -> Place {
        if pool == PoolName::Pinned { Place::Host } else { self.device }
    }

    fn python(&self, thread: u32) -> Box<str> {
        let stack = self.tracer.python_stack(thread);
        if self.plan.oddities.quoted_stacks { format!("\"{stack}\"").into() } else { stack.into() }
    }
}

/// Where a block's first row is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Seen,
    MadeUp,
}

/// Whether an access lies in the block it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Law {
    Kept,
    Broken,
}
