//! What can be out of the ordinary in a dump.

/// What is out of the ordinary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent oddity")]
pub struct Oddities {
    /// A label with a colon: keys and values of `Attr` shift.
    pub owner_colon: bool,
    /// A label with a quote: `Attr` is no JSON.
    pub owner_quote: bool,
    /// Owners in the eight levels of August 2026, whatever the version.
    pub level_tags: bool,
    /// An access that names a block and an address outside of it.
    pub foreign_access: bool,
    /// Accesses to blocks the dump does not know, one of them at address 0.
    pub dangling_access: bool,
    /// A `MALLOC` at an address that is taken.
    pub double_malloc: bool,
    /// A `FREE` of an address that is not taken.
    pub free_only: bool,
    /// Synthetic rows for blocks from before the start and blocks left at the end, whatever the version.
    pub shadow: bool,
    /// All processes on device 0, with the same addresses.
    pub shared_device: bool,
    /// The trace table is there and has no rows.
    pub empty_trace: bool,
    /// Rows about a lack of memory.
    pub out_of_memory: bool,
    /// A `SNAPSHOT` row for each step.
    pub snapshots: bool,
    /// An event and an event type this version has no name for, written `N/A`.
    pub unknown_event: bool,
    /// Large blocks of torch's pool say in what ways they are inefficient.
    pub inefficient: bool,
    /// Stacks in literal quotes.
    pub quoted_stacks: bool,
    /// A table that was made again: a primary key, three indexes, empty text for `Attr` without keys.
    pub remade: bool,
    /// No `Attr` at all where there are no keys.
    pub null_attr: bool,
    /// The file cannot be written to.
    pub read_only: bool,
    /// Owners and Python's calls end in [`MARKUP`](crate::MARKUP).
    pub markup: bool,
}

impl Oddities {
    /// Their names: those of the fields.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SWITCHES.iter().map(|(name, _)| *name)
    }

    /// Adds the one called `name`; nothing if there is none.
    #[must_use]
    pub fn and(mut self, name: &str) -> Option<Self> {
        let (_, switch) = SWITCHES.iter().find(|(known, _)| *known == name)?;
        *switch(&mut self) = true;
        Some(self)
    }
}

type Switch = fn(&mut Oddities) -> &mut bool;

const SWITCHES: [(&str, Switch); 19] = [
    ("owner_colon", |odd| &mut odd.owner_colon),
    ("owner_quote", |odd| &mut odd.owner_quote),
    ("level_tags", |odd| &mut odd.level_tags),
    ("foreign_access", |odd| &mut odd.foreign_access),
    ("dangling_access", |odd| &mut odd.dangling_access),
    ("double_malloc", |odd| &mut odd.double_malloc),
    ("free_only", |odd| &mut odd.free_only),
    ("shadow", |odd| &mut odd.shadow),
    ("shared_device", |odd| &mut odd.shared_device),
    ("empty_trace", |odd| &mut odd.empty_trace),
    ("out_of_memory", |odd| &mut odd.out_of_memory),
    ("snapshots", |odd| &mut odd.snapshots),
    ("unknown_event", |odd| &mut odd.unknown_event),
    ("inefficient", |odd| &mut odd.inefficient),
    ("quoted_stacks", |odd| &mut odd.quoted_stacks),
    ("remade", |odd| &mut odd.remade),
    ("null_attr", |odd| &mut odd.null_attr),
    ("read_only", |odd| &mut odd.read_only),
    ("markup", |odd| &mut odd.markup),
];
