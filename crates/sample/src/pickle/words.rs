//! The strings of a recording that are one object each.

macro_rules! words {
    ($($name:ident = $text:literal,)*) => {
        /// A string every use of which is the same object.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Word { $($name,)* }

        const TEXTS: &[&str] = &[$($text,)*];
    };
}

words! {
    Segments = "segments",
    DeviceTraces = "device_traces",
    AllocatorSettings = "allocator_settings",
    ExternalAnnotations = "external_annotations",
    Device = "device",
    Address = "address",
    TotalSize = "total_size",
    AllocatedSize = "allocated_size",
    ActiveSize = "active_size",
    RequestedSize = "requested_size",
    Stream = "stream",
    SegmentType = "segment_type",
    SegmentPoolId = "segment_pool_id",
    IsExpandable = "is_expandable",
    Frames = "frames",
    Blocks = "blocks",
    Small = "small",
    Large = "large",
    Size = "size",
    State = "state",
    ActiveAllocated = "active_allocated",
    ActivePendingFree = "active_pending_free",
    Inactive = "inactive",
    Name = "name",
    Filename = "filename",
    Line = "line",
    Action = "action",
    Addr = "addr",
    DeviceFree = "device_free",
    TimeUs = "time_us",
    CompileContext = "compile_context",
    UserMetadata = "user_metadata",
    PoolId = "pool_id",
    Nothing = "",
    Alloc = "alloc",
    FreeRequested = "free_requested",
    FreeCompleted = "free_completed",
    SegmentAlloc = "segment_alloc",
    SegmentFree = "segment_free",
    SegmentMap = "segment_map",
    SegmentUnmap = "segment_unmap",
    Oom = "oom",
    Snapshot = "snapshot",
    WorkspaceSnapshot = "workspace_snapshot",
}

impl Word {
    pub(crate) const COUNT: usize = TEXTS.len();

    pub(crate) fn text(self) -> &'static str {
        TEXTS[self as usize]
    }
}
