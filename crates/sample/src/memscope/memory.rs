//! The memory of a training process: tensors in torch's pool, scratch space, host buffers, all on the driver's blocks.

use anyhow::Result;

use crate::markup::MARKUP;
use crate::memscope::attr::Attr;
use crate::memscope::collector::{Access, Allocation, PoolName, Process, Request, Shape, Totals};
use crate::memscope::driver::{Driver, PAGE};
use crate::memscope::pool::{Pool, rounded};

/// A module of CANN: its tag, and its number in old dumps.
pub(crate) type Module = (&'static str, u32);
pub(crate) const HCCL: Module = ("CANN@HCCL", 3);
pub(crate) const RUNTIME: Module = ("CANN@RUNTIME", 7);
pub(crate) const DEVMM: Module = ("CANN@DEVMM", 22);
pub(crate) const APP: Module = ("CANN@APP", 33);
pub(crate) const AICPU: Module = ("CANN@AICPU", 36);
pub(crate) const GE: Module = ("CANN@GE", 45);

/// What a tensor is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Weight,
    Gradient,
    OptimizerState,
    /// What an operator makes.
    Operator,
    /// The tensor that is never let go.
    Leak,
    /// Made under a label of the plan.
    Labelled,
    /// In the pool, and nothing more is known.
    Pool,
}

/// A tensor on the device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tensor {
    pub(crate) allocation: Allocation,
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) bytes: u64,
    pub(crate) shape: Shape,
}

/// The threads of the process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads {
    pub(crate) main: u32,
    pub(crate) loader: u32,
    pub(crate) backward: u32,
}

/// A process that trains.
pub(crate) struct Run<'a> {
    pub(crate) process: Process<'a>,
    pub(crate) threads: Threads,
    driver: Driver,
    pool: Pool,
    scratch: Totals,
    scratch_address: u64,
    transformer: Totals,
    transformer_address: u64,
    host_used: u64,
    task: i64,
    label: Option<&'static str>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(process: Process<'a>) -> Self {
        let main = process.number;
        let odd = &process.plan.oddities;
        let label = if odd.owner_quote {
            Some("the \"first\" batch")
        } else {
            odd.owner_colon.then_some("batch:first")
        };
        Self {
            process,
            threads: Threads { main, loader: main + 371, backward: main + 1892 },
            driver: Driver::new(),
            pool: Pool::default(),
            scratch: Totals::default(),
            scratch_address: 0,
            transformer: Totals::default(),
            transformer_address: 0,
            host_used: 0,
            task: 0,
            label,
        }
    }

    /// A block of the driver's.
    pub(crate) fn reserve(&mut self, size: u64, module: Module, thread: u32) -> (Allocation, u64) {
        self.reserve_since(size, module, thread, None)
    }

    fn reserve_since(
        &mut self,
        size: u64,
        module: Module,
        thread: u32,
        since_ns: Option<u64>,
    ) -> (Allocation, u64) {
        let address = self.driver.reserve(size);
        let request = Request {
            pool: PoolName::Hal,
            address,
            size,
            owner: Some(module.0),
            totals: Totals::default(),
            module: module.1,
            thread,
        };
        (self.process.malloc_since(&request, since_ns), address)
    }

    /// Gives a block of the driver's back.
    pub(crate) fn release(&mut self, allocation: Allocation) -> Result<()> {
        self.process.free(allocation, self.threads.main, Totals::default())
    }

    /// A tensor of 4-byte numbers.
    pub(crate) fn tensor(&mut self, shape: Shape, owner: Owner, thread: u32) -> Tensor {
        self.tensor_since(shape, owner, thread, None)
    }

    /// A tensor that was there when the collector started; one like any other if it does not make up such rows.
    pub(crate) fn old_tensor(&mut self, shape: Shape, owner: Owner, start_ns: u64) -> Tensor {
        let since = self.process.shadows().then_some(start_ns);
        self.tensor_since(shape, owner, self.threads.main, since)
    }

    fn tensor_since(
        &mut self,
        shape: Shape,
        owner: Owner,
        thread: u32,
        since_ns: Option<u64>,
    ) -> Tensor {
        let bytes = 4 * shape
            .iter()
            .filter(|size| **size > 0)
            .map(|size| u64::from(*size))
            .product::<u64>();
        let size = rounded(bytes);
        if let Some(segment) = self.pool.lacks(size) {
            let (_, address) = self.reserve_since(segment, APP, thread, since_ns);
            self.pool.add(size, address, segment);
        }
        let address = self.pool.take(size).expect("there is room in the segment just added");
        let owner = self.tag(owner);
        let request = Request {
            pool: PoolName::Pta,
            address,
            size,
            owner: Some(&owner),
            totals: self.pool_totals(),
            module: 0,
            thread,
        };
        let allocation = self.process.malloc_since(&request, since_ns);
        Tensor { allocation, address, size, bytes, shape }
    }

    /// Lets a tensor go.
    pub(crate) fn let_go(&mut self, tensor: Tensor, thread: u32) -> Result<()> {
        self.pool.give_back(tensor.address, tensor.size);
        let totals = self.pool_totals();
        self.process.free(tensor.allocation, thread, totals)
    }

    /// Scratch space for one kernel.
    pub(crate) fn scratch(&mut self, bytes: u64, thread: u32) -> Result<()> {
        let size = rounded(bytes);
        if size > self.scratch.reserved {
            let reserved = size.next_multiple_of(PAGE);
            (_, self.scratch_address) = self.reserve(reserved, APP, thread);
            self.scratch.reserved = reserved;
        }
        self.scratch.used = size;
        let allocation = self.process.malloc(&Request {
            pool: PoolName::Workspace,
            address: self.scratch_address,
            size,
            owner: Some("PTA_WORKSPACE"),
            totals: self.scratch,
            module: 0,
            thread,
        });
        self.launch("N/A", thread)?;
        self.scratch.used = 0;
        self.process.free(allocation, thread, self.scratch)
    }

    /// An operator of the transformer library with a block of its own.
    pub(crate) fn transformer_operator(&mut self, input: &Tensor) -> Result<()> {
        let thread = self.threads.main;
        if self.transformer.reserved == 0 {
            self.transformer.reserved = 2 * PAGE;
            (_, self.transformer_address) = self.reserve(2 * PAGE, RUNTIME, thread);
        }
        let path = "0_Linear/0_MatMul";
        let mut attr = Attr::default();
        attr.text("path", path)
            .address("workspace_ptr", self.transformer_address, &self.process.style)
            .number("workspace_size", 1 << 20);
        self.process.point(("OP_LAUNCH", "ATB_START", "LinearOperation"), thread, attr.clone())?;
        self.transformer.used = 1 << 20;
        let allocation = self.process.malloc(&Request {
            pool: PoolName::Atb,
            address: self.transformer_address,
            size: 1 << 20,
            owner: Some("ATB"),
            totals: self.transformer,
            module: 0,
            thread,
        });
        for kind in ["KERNEL_START", "KERNEL_END"] {
            let mut attr = Attr::default();
            attr.text("path", path);
            self.process.point(("KERNEL_LAUNCH", kind, "MatMulF32Kernel"), thread, attr)?;
        }
        self.process.access(input.allocation, whole("LinearOperation", "READ", thread, input));
        let result =
            Tensor { allocation, address: 0, size: 0, bytes: 1 << 20, shape: [1, 1 << 18, 0, 0] };
        self.process.access(allocation, whole("LinearOperation", "WRITE", thread, &result));
        self.transformer.used = 0;
        self.process.free(allocation, thread, self.transformer)?;
        self.process.point(("OP_LAUNCH", "ATB_END", "LinearOperation"), thread, attr)?;
        Ok(())
    }

    /// A pinned buffer on the host.
    pub(crate) fn pin(&mut self, size: u64, thread: u32) -> (Allocation, u64) {
        let address = self.driver.reserve_host(size);
        self.host_used += size;
        let allocation = self.process.malloc(&Request {
            pool: PoolName::Pinned,
            address,
            size,
            owner: None,
            totals: Totals { reserved: 0, used: self.host_used },
            module: RUNTIME.1,
            thread,
        });
        (allocation, size)
    }

    /// Gives a pinned buffer back.
    pub(crate) fn unpin(&mut self, (allocation, size): (Allocation, u64)) -> Result<()> {
        self.host_used -= size;
        let totals = Totals { reserved: 0, used: self.host_used };
        self.process.free(allocation, self.threads.loader, totals)
    }

    /// An operator begins.
    pub(crate) fn begin(&mut self, op: &'static str, thread: u32) -> Result<()> {
        self.process.wait(300_000);
        self.process.point(("OP_LAUNCH", "ATEN_START", op), thread, Attr::default())?;
        Ok(())
    }

    /// An operator ends, after its kernel was launched and its tensors were noted.
    pub(crate) fn end(
        &mut self,
        op: &'static str,
        thread: u32,
        reads: &[&Tensor],
        writes: &[&Tensor],
    ) -> Result<()> {
        self.launch("N/A", thread)?;
        for tensor in reads {
            self.process.access(tensor.allocation, whole(op, "READ", thread, tensor));
        }
        for tensor in writes {
            self.process.access(tensor.allocation, whole(op, "WRITE", thread, tensor));
        }
        self.process.point(("OP_LAUNCH", "ATEN_END", op), thread, Attr::default())?;
        Ok(())
    }

    /// A kernel is launched.
    pub(crate) fn launch(&mut self, name: &str, thread: u32) -> Result<()> {
        self.kernel("KERNEL_LAUNCH", name, thread)?;
        self.task += 1;
        Ok(())
    }

    /// A kernel with its start and end on the device.
    pub(crate) fn executed(&mut self, name: &str, thread: u32) -> Result<()> {
        for kind in ["KERNEL_LAUNCH", "KERNEL_EXECUTE_START", "KERNEL_EXECUTE_END"] {
            self.kernel(kind, name, thread)?;
        }
        self.task += 1;
        Ok(())
    }

    fn kernel(&mut self, kind: &str, name: &str, thread: u32) -> Result<()> {
        let mut attr = Attr::default();
        attr.number("streamId", 2).number("taskId", self.task);
        self.process.point(("KERNEL_LAUNCH", kind, name), thread, attr)?;
        Ok(())
    }

    /// A user's mark. Newer versions put its text in literal quotes.
    pub(crate) fn mark(&mut self, kind: &str, text: &str) -> Result<()> {
        let quoted = self.process.style.quoted_marks && kind != "STEP";
        let text = if quoted { format!("\"{text}\"") } else { text.to_owned() };
        self.process.point(("MSTX", kind, &text), self.threads.main, Attr::default())?;
        Ok(())
    }

    /// Python calls something.
    pub(crate) fn call(&mut self, thread: u32, name: &str) {
        self.process.wait(40_000);
        let name = format!("{name}{}", self.ending());
        self.process.tracer.enter(thread, name, self.process.clock_ns);
    }

    /// The innermost calls of `thread` return.
    pub(crate) fn leave(&mut self, thread: u32, calls: usize) -> Result<()> {
        for _ in 0..calls {
            self.process.wait(10_000);
            let now_ns = self.process.clock_ns;
            self.process.tracer.leave(self.process.files, thread, now_ns)?;
        }
        Ok(())
    }

    pub(crate) fn pool_totals(&self) -> Totals {
        Totals { reserved: self.pool.reserved, used: self.pool.used }
    }

    fn tag(&self, owner: Owner) -> String {
        let levels = self.process.style.levels || self.process.plan.oddities.level_tags;
        let (model, operator) =
            if levels { ("PTA", "PTA@ops") } else { ("PTA@model", "PTA@ops@aten") };
        let tag = match owner {
            Owner::Weight => format!("{model}@weight"),
            Owner::Gradient => format!("{model}@gradient"),
            Owner::OptimizerState => format!("{model}@optimizer_state"),
            Owner::Operator => operator.to_owned(),
            Owner::Leak => format!("{operator}@leaks_mem"),
            Owner::Labelled => match self.label {
                Some(label) => format!("{operator}@{label}"),
                None => operator.to_owned(),
            },
            Owner::Pool => return "PTA".to_owned(),
        };
        tag + self.ending()
    }

    /// What names end in.
    fn ending(&self) -> &'static str {
        if self.process.plan.oddities.markup { MARKUP } else { "" }
    }
}

/// An access to all of a tensor.
pub(crate) fn whole(op: &'static str, mode: &'static str, thread: u32, tensor: &Tensor) -> Access {
    Access { op, mode, thread, offset: 0, bytes: tensor.bytes, shape: tensor.shape }
}
