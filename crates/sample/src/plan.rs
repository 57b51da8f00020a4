//! What to simulate.

/// What to simulate. The same plan gives the same bytes on every platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How many events are recorded in all, before a ring drops the oldest. Shared out evenly over the devices.
    pub events: u64,
    /// Another seed gives another run of the same shape.
    pub seed: u64,
    /// Whose rounding, and whose keys.
    pub device: Rounding,
    /// Who writes the pickle.
    pub writer: Writer,
    /// What happens in the run.
    pub features: Features,
    /// The pickle protocol, 2 to 5. The C++ writer knows 2 only and ignores it.
    pub protocol: u8,
}

impl Plan {
    /// A plain training run of `events` events on a CUDA device, pickled by `CPython` with protocol 4.
    pub fn new(events: u64) -> Self {
        Self {
            events,
            seed: 1,
            device: Rounding::Cuda,
            writer: Writer::CPython,
            features: Features::default(),
            protocol: 4,
        }
    }

    /// The device's share of the events, before a ring drops any.
    pub(crate) fn share(&self, device: u32) -> u64 {
        let devices = u64::from(self.features.devices.max(1));
        self.events / devices + u64::from(u64::from(device) < self.events % devices)
    }

    /// How many of the device's oldest events the ring drops.
    pub(crate) fn dropped(&self, device: u32) -> u64 {
        self.features.ring.map_or(0, |ring| self.share(device).saturating_sub(ring))
    }

    /// The protocol that is really written.
    pub(crate) fn written_protocol(&self) -> u8 {
        match self.writer {
            Writer::CPython => self.protocol.clamp(2, 5),
            Writer::Cpp => 2,
        }
    }
}

/// The small sample that ships with the app: some training steps, a leak, an out-of-memory, a private pool and a
/// side stream, with the peak in the middle.
pub fn bundled() -> Plan {
    Plan {
        events: 20_000,
        seed: 2026,
        features: Features {
            private_pool: true,
            oom: true,
            pending_at_end: true,
            ..Features::default()
        },
        ..Plan::new(20_000)
    }
}

/// Whose allocator: how requests are rounded, and which keys an entry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// `c10::cuda`: multiples of 512 bytes, entries as torch 2.12 writes them.
    Cuda,
    /// `torch_npu`: 32 bytes are added first; no time, no pool, no settings, no annotations.
    Npu,
}

/// Who writes the pickle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// `pickle.dump`: memoised before the content, batches of 1000, frames from protocol 4 on.
    CPython,
    /// torch's own pickler: protocol 2, no batches, shared containers memoised after their content, 8-byte integers.
    Cpp,
}

/// Switches. The default is what a plain training run does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the run")]
pub struct Features {
    /// Reserved ranges that are mapped page by page instead of separate segments.
    pub expandable: bool,
    /// A second stream with its own blocks, and blocks of the first one it uses, whose frees are deferred.
    pub side_stream: bool,
    /// A private pool, as a captured graph or a `MemPool` has.
    pub private_pool: bool,
    /// Two places keep one more tensor every step.
    pub leak: bool,
    /// Evaluations between the steps that allocate and free in a mixed order.
    pub fragmentation: bool,
    /// Requests that only a retry can serve, and requests that fail.
    pub oom: bool,
    /// `empty_cache()` once in a while.
    pub empty_cache: bool,
    /// Profiler steps and named ranges (CUDA only).
    pub annotations: bool,
    /// The ring's size for each device: older events are dropped.
    pub ring: Option<u64>,
    /// Stacks of 10 to 130 frames, some in C++, instead of 6 to 20.
    pub deep_stacks: bool,
    /// How many devices have a trace.
    pub devices: u32,
    /// `roundup_power2_divisions` for every size (CUDA only); 0 is off.
    pub roundup_power2_divisions: u32,
    /// Blocks of this size and above are not split, in bytes.
    pub max_split_size: Option<u64>,
    /// Pinned memory above this many bytes is not rounded up, as torch 2.13 and later may be told.
    /// It changes nothing for memory of the device.
    pub max_round_threshold: Option<u64>,
    /// Some deferred frees are not complete when the recording ends.
    pub pending_at_end: bool,
    /// The entries `torch_npu` puts at the head of a list for its workspaces (NPU only).
    pub workspaces: bool,
    /// Names of functions, files and ranges end in [`MARKUP`](crate::MARKUP).
    pub markup: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            expandable: false,
            side_stream: true,
            private_pool: false,
            leak: true,
            fragmentation: true,
            oom: false,
            empty_cache: true,
            annotations: true,
            ring: None,
            deep_stacks: true,
            devices: 1,
            roundup_power2_divisions: 0,
            max_split_size: None,
            max_round_threshold: None,
            pending_at_end: false,
            workspaces: false,
            markup: false,
        }
    }
}
