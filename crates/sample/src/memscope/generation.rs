//! How each version of the collector writes.

/// The collector's version, by the first month it was in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// Before June 2025: microseconds, decimal addresses, negative frees, `host`, `MID`. The collector wrote only CSV.
    April2025,
    /// The same, put into a database with columns in camel case.
    CamelCase,
    /// From June 2025: `leaks_dump`, nanoseconds, no allocation ids, negative frees.
    June2025,
    /// From August 2025: allocation ids, positive frees.
    August2025,
    /// From 25 September 2025: hexadecimal addresses, no `host`.
    September2025,
    /// From 11 November 2025: a file for each process and device, both columns for stacks.
    November2025,
    /// From 19 November 2025: the table is called `memscope_dump`.
    Memscope2025,
    /// From 27 May 2026: `HOST_PINNED` on the device `cpu`.
    May2026,
    /// From August 2026: owners in eight levels, workspaces in `PTA`, synthetic rows at start and end.
    August2026,
}

impl Generation {
    /// All of them, oldest first.
    pub const ALL: [Generation; 9] = [
        Generation::April2025,
        Generation::CamelCase,
        Generation::June2025,
        Generation::August2025,
        Generation::September2025,
        Generation::November2025,
        Generation::Memscope2025,
        Generation::May2026,
        Generation::August2026,
    ];

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Generation::April2025 => "april-2025",
            Generation::CamelCase => "camel-case",
            Generation::June2025 => "june-2025",
            Generation::August2025 => "august-2025",
            Generation::September2025 => "september-2025",
            Generation::November2025 => "november-2025",
            Generation::Memscope2025 => "memscope-2025",
            Generation::May2026 => "may-2026",
            Generation::August2026 => "august-2026",
        }
    }

    pub(crate) fn style(self) -> Style {
        let at_least = |other: Generation| self as u8 >= other as u8;
        let (date, base_ns) = match self {
            Generation::April2025 => ("20250430174014", 1_746_006_014_162_153_000),
            Generation::CamelCase => ("20250508102426", 1_746_671_066_962_156_000),
            Generation::June2025 => ("20250618153012", 1_750_231_812_408_117_530),
            Generation::August2025 => ("20250806104123", 1_754_448_083_902_750_070),
            Generation::September2025 => ("20250929141530", 1_759_126_530_118_402_960),
            Generation::November2025 => ("20251112091204", 1_762_909_924_271_640_220),
            Generation::Memscope2025 => ("20251203171245", 1_764_753_165_728_889_760),
            Generation::May2026 => ("20260527142210", 1_779_862_930_549_834_990),
            Generation::August2026 => ("20260811103347", 1_786_415_627_904_116_380),
        };
        Style {
            table: if at_least(Generation::Memscope2025) { "memscope_dump" } else { "leaks_dump" },
            camel_case: self == Generation::CamelCase,
            date,
            base_ns,
            microseconds: !at_least(Generation::June2025),
            modules: !at_least(Generation::June2025),
            allocation_ids: at_least(Generation::August2025),
            negative_frees: !at_least(Generation::August2025),
            decimal: !at_least(Generation::September2025),
            quoted_marks: at_least(Generation::August2025),
            keeps_stack_columns: at_least(Generation::November2025)
                || self == Generation::April2025,
            splits_files: at_least(Generation::November2025),
            host: if at_least(Generation::May2026) {
                Host::Pinned
            } else if at_least(Generation::September2025) {
                Host::Unseen
            } else {
                Host::Hal
            },
            levels: at_least(Generation::August2026),
            shadow: at_least(Generation::August2026),
            traces: at_least(Generation::June2025),
        }
    }
}

/// Host memory in the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    /// `HAL` blocks on the device `host`.
    Hal,
    /// None.
    Unseen,
    /// `HOST_PINNED` blocks on the device `cpu`.
    Pinned,
}

/// What differs between the versions.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of the table of versions")]
pub(crate) struct Style {
    pub(crate) table: &'static str,
    pub(crate) camel_case: bool,
    /// The 14 digits of the file's name.
    pub(crate) date: &'static str,
    pub(crate) base_ns: u64,
    pub(crate) microseconds: bool,
    /// `MID` and an owner without text instead of owners; JSON with spaces.
    pub(crate) modules: bool,
    pub(crate) allocation_ids: bool,
    /// Sizes of frees below zero, but for `HAL`, whose frees have no device and no size.
    pub(crate) negative_frees: bool,
    pub(crate) decimal: bool,
    pub(crate) quoted_marks: bool,
    pub(crate) keeps_stack_columns: bool,
    pub(crate) splits_files: bool,
    pub(crate) host: Host,
    pub(crate) levels: bool,
    pub(crate) shadow: bool,
    pub(crate) traces: bool,
}

impl Style {
    /// Times in the file are multiples of this.
    pub(crate) fn tick_ns(&self) -> u64 {
        if self.microseconds { 1000 } else { 10 }
    }
}
