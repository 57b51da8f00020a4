//! Every word the format itself uses, numbered at compile time.

/// Defines a number for each word and the table from numbers to words.
macro_rules! words {
    ($($name:ident = $text:literal),+ $(,)?) => {
        /// Position of each word, for the constants below.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they become constants")]
        enum Row { $($name),+ }

        $(#[allow(dead_code, reason = "actions are used by their range")]
        pub(crate) const $name: u32 = Row::$name as u32;)+

        /// Words by number.
        pub(crate) const WORDS: &[&str] = &[$($text),+];
    };
}

words! {
    EMPTY = "",
    NOT_AVAILABLE = "N/A",
    // Actions, in the order of their codes in the model.
    ALLOC = "alloc",
    FREE_REQUESTED = "free_requested",
    FREE_COMPLETED = "free_completed",
    SEGMENT_ALLOC = "segment_alloc",
    SEGMENT_FREE = "segment_free",
    SEGMENT_MAP = "segment_map",
    SEGMENT_UNMAP = "segment_unmap",
    OOM = "oom",
    SNAPSHOT = "snapshot",
    ANNOTATE = "annotate",
    USER_DEFINED = "user_defined",
    WORKSPACE_SNAPSHOT = "workspace_snapshot",
    // Trace entries.
    ACTION = "action",
    ADDR = "addr",
    DEVICE_FREE = "device_free",
    SIZE = "size",
    STREAM = "stream",
    TIME_US = "time_us",
    COMPILE_CONTEXT = "compile_context",
    USER_METADATA = "user_metadata",
    INTERNAL_METADATA = "internal_metadata",
    CATEGORY = "category",
    POOL_ID = "pool_id",
    FRAMES = "frames",
    FORWARD_FRAMES = "forward_frames",
    // Frames.
    NAME = "name",
    FILENAME = "filename",
    LINE = "line",
    FX_NODE_OP = "fx_node_op",
    FX_NODE_NAME = "fx_node_name",
    FX_NODE_TARGET = "fx_node_target",
    FX_ORIGINAL_TRACE = "fx_original_trace",
    FX_NODE_INFO = "fx_node_info",
    OP = "op",
    TARGET = "target",
    STACK_TRACE = "stack_trace",
    // Segments.
    DEVICE = "device",
    ADDRESS = "address",
    TOTAL_SIZE = "total_size",
    ALLOCATED_SIZE = "allocated_size",
    ACTIVE_SIZE = "active_size",
    REQUESTED_SIZE = "requested_size",
    SEGMENT_TYPE = "segment_type",
    SEGMENT_POOL_ID = "segment_pool_id",
    IS_EXPANDABLE = "is_expandable",
    REGISTRATION_COUNTER = "registration_counter",
    BLOCKS = "blocks",
    SMALL = "small",
    LARGE = "large",
    // Blocks.
    STATE = "state",
    HISTORY = "history",
    REAL_SIZE = "real_size",
    ACTIVE_ALLOCATED = "active_allocated",
    ACTIVE_PENDING_FREE = "active_pending_free",
    ACTIVE_AWAITING_FREE = "active_awaiting_free",
    INACTIVE = "inactive",
    // The whole.
    SEGMENTS = "segments",
    DEVICE_TRACES = "device_traces",
    ALLOCATOR_SETTINGS = "allocator_settings",
    EXTERNAL_ANNOTATIONS = "external_annotations",
    HOST_SEGMENTS = "host_segments",
    HOST_TRACES = "host_traces",
    TRACE_ALLOC_MAX_ENTRIES = "trace_alloc_max_entries",
    TRACE_ALLOC_OVERFLOWED = "trace_alloc_overflowed",
    // Annotations.
    STAGE = "stage",
    START = "START",
    END = "END",
    // Settings.
    PYTORCH_CUDA_ALLOC_CONF = "PYTORCH_CUDA_ALLOC_CONF",
    PYTORCH_ALLOC_CONF = "PYTORCH_ALLOC_CONF",
    MAX_SPLIT_SIZE = "max_split_size",
    EXPANDABLE_SEGMENTS = "expandable_segments",
    ROUNDUP_POWER2_DIVISIONS = "roundup_power2_divisions",
}

/// The model's code for an action's word, or `None` when the word is no action.
#[inline]
pub(crate) fn action_code(word: u32) -> Option<u8> {
    (ALLOC..=WORKSPACE_SNAPSHOT).contains(&word).then(|| (word - ALLOC) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Action;

    #[test]
    fn words_of_actions_are_in_the_order_of_their_codes() {
        for word in ALLOC..=WORKSPACE_SNAPSHOT {
            let action = Action::from_name(WORDS[word as usize]).unwrap();
            assert_eq!(action_code(word), Some(action.code()));
        }
        assert_eq!(action_code(ACTION), None);
        assert_eq!(action_code(EMPTY), None);
    }
}
