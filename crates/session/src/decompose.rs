//! Who holds memory at one moment, or at two: the tree of owners of a dump.
//!
//! Start at [`OnDevice::decompose`]. Parts add up: what a part holds is what the parts below it
//! hold, because memory that belongs to it and to none of them is a part of its own.

use crate::OnDevice;
use model::{Counter, Dump, Recording, State, StringId, Track};
use std::collections::BTreeMap;

/// A moment of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At a state of the device asked.
    State(State),
    /// Nanoseconds since the recording's start.
    Time(i64),
}

/// What the whole is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// Everything the process took from the driver, as the pool `HAL` records it.
    Process,
    /// The sum of the pools shown: `HAL` was not recorded, or is not what they lie in.
    Pools,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// All of it.
    Whole,
    /// What an owner and those below it hold.
    Owner,
    /// What belongs to the part above and to none below it.
    Unclassified,
    /// Taken by a pool and not handed out.
    PoolFree,
    /// Taken from the driver by none of the pools shown.
    Outside,
}

/// A part of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Place of the part it belongs to; `None` of the whole.
    pub parent: Option<u32>,
    /// What it is.
    pub kind: PartKind,
    /// The whole path, `PTA@ops@aten`; of other kinds that of the part or pool they belong to.
    pub tag: String,
    /// Bytes at each moment.
    pub bytes: [u64; 2],
    /// Blocks at each moment; 0 of what is no blocks.
    pub blocks: [u32; 2],
}

/// Who holds memory at one moment, and at another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decomposition {
    /// The moments, nanoseconds since the recording's start.
    pub at_ns: [i64; 2],
    /// What the whole is.
    pub whole: Whole,
    /// Parents before children; the largest child first, by the first moment, then the second.
    pub parts: Vec<Part>,
}

/// Levels of an owner that are told apart; deeper ones count as their 24th.
const DEEPEST: usize = 24;

/// One owner while the tree grows.
#[derive(Debug, Default)]
struct Node {
    below: BTreeMap<String, Node>,
    own: [Amount; 2],
    free: [u64; 2],
}

#[derive(Debug, Default, Clone, Copy)]
struct Amount {
    bytes: u64,
    blocks: u32,
}

impl Node {
    fn at(&mut self, path: &[&str]) -> &mut Self {
        path.iter().fold(self, |node, level| node.below.entry((*level).to_owned()).or_default())
    }

    fn total(&self, moment: usize) -> Amount {
        self.below.values().fold(self.own[moment], |sum, node| {
            let more = node.total(moment);
            Amount {
                bytes: sum.bytes.saturating_add(more.bytes),
                blocks: sum.blocks.saturating_add(more.blocks),
            }
        })
    }
}

impl<'a> OnDevice<'a> {
    /// Who holds memory `when`, beside who did at `then`; `None` for a device of a snapshot.
    ///
    /// For `HAL` and for host memory that pool alone; for any other the framework's pools of its
    /// device and process side by side, within what the process took from the driver where that
    /// was recorded.
    pub fn decompose(self, when: When, then: When) -> Option<Decomposition> {
        let recording = self.session.recording();
        let (track, dump) = (self.table().track.as_deref()?, recording.dump.as_deref()?);
        let moments = [self.moment_ns(when), self.moment_ns(then)];
        let alone = is_alone(recording.text(track.pool));
        let is_over = moments.map(|time| self.is_over(track, time));
        let mut tree = Node::default();
        for on in self.session.devices() {
            let Some(other) = on.table().track.as_deref() else { continue };
            let is_kin = (other.device, other.process) == (track.device, track.process);
            let pool = recording.text(other.pool);
            let is_shown = on.row() == self.row() || (!alone && is_kin && !is_alone(pool));
            if !is_shown {
                continue;
            }
            for (moment, asked) in [when, then].into_iter().enumerate() {
                let state = match asked {
                    When::State(state) if on.row() == self.row() => state.min(on.last_state()),
                    _ => on.state_at_ns(moments[moment]),
                };
                on.grow(other, dump, state, moment, &mut tree);
                if !alone && !is_over[moment] {
                    on.grow_free(other, state, moment, &mut tree);
                }
            }
        }
        let process = (!alone).then(|| self.process_bytes(track, moments)).flatten();
        Some(flat(&tree, moments, process))
    }

    /// Adds what `self` holds at `state`.
    fn grow(self, track: &Track, dump: &Dump, state: State, moment: usize, tree: &mut Node) {
        let recording = self.session.recording();
        let table = self.table();
        let mut owners: BTreeMap<u32, Amount> = BTreeMap::new();
        for block in self.index().allocated_at(table, state) {
            let amount = owners.entry(track.owner[block.row()]).or_default();
            amount.bytes = amount.bytes.saturating_add(table.blocks.size()[block.row()]);
            amount.blocks += 1;
        }
        let pool = recording.text(track.pool);
        for (owner, amount) in owners {
            let tag = recording.text(dump.owners[owner as usize]);
            let own = &mut tree.at(&path(tag, pool, recording, dump)).own[moment];
            own.bytes = own.bytes.saturating_add(amount.bytes);
            own.blocks += amount.blocks;
        }
    }

    /// Adds what the pool of `self` holds at `state` and has not handed out.
    fn grow_free(self, track: &Track, state: State, moment: usize, tree: &mut Node) {
        let counters = &self.table().counters;
        // What a pool without blocks held before its first event is a guess, and mostly nothing.
        let is_known = state > State(0) || counters.at(Counter::Active, state) > 0;
        if track.has_total && is_known {
            let pool = self.session.recording().text(track.pool);
            let held = counters.at(Counter::Reserved, state);
            let used = counters.at(Counter::Allocated, state);
            tree.at(&[pool]).free[moment] = held.saturating_sub(used);
        }
    }

    /// Whether the collector has begun, at `time_ns`, to make up frees of what the process of
    /// `track` left on its device: they do not say what its pools hold.
    fn is_over(self, track: &Track, time_ns: i64) -> bool {
        self.session.devices().any(|on| {
            let (table, state) = (on.table(), on.state_at_ns(time_ns));
            let (Some(other), Some(event)) = (table.track.as_deref(), state.event()) else {
                return false;
            };
            let block = table.block_of_event[event.row()] as usize;
            let is_free = other.free_row.get(block) == other.row_of_event.get(event.row());
            let is_made_up =
                other.flags.get(block).is_some_and(|flags| flags & Track::SHADOW_FREE != 0);
            (other.device, other.process) == (track.device, track.process) && is_free && is_made_up
        })
    }

    /// What the process of `track` had taken from the driver at `moments`, if that was recorded.
    fn process_bytes(self, track: &Track, moments: [i64; 2]) -> Option<[u64; 2]> {
        let recording = self.session.recording();
        let hal = self.session.devices().find(|on| {
            on.table().track.as_deref().is_some_and(|other| {
                (other.device, other.process) == (track.device, track.process)
                    && recording.text(other.pool) == "HAL"
            })
        })?;
        let bytes = |time| hal.table().counters.at(Counter::Allocated, hal.state_at_ns(time));
        Some(moments.map(bytes))
    }

    /// The state at `time_ns`, after all events of that moment.
    pub fn state_at_ns(self, time_ns: i64) -> State {
        let times = self.table().events.time_ns.as_deref().unwrap_or_default();
        State(times.partition_point(|time| *time <= time_ns) as u32)
    }

    fn moment_ns(self, when: When) -> i64 {
        match when {
            When::Time(time) => time,
            // Before the first event is before everything at its moment.
            When::State(State(0)) => {
                let times = self.table().events.time_ns.as_deref().unwrap_or_default();
                times.first().map_or(0, |first| first.saturating_sub(1))
            }
            When::State(state) => self.time_ns(state.min(self.last_state())).unwrap_or(0),
        }
    }

    /// For each owner of the dump: whether it is `tag` or below it.
    pub fn owners_below(self, tag: &str) -> Vec<bool> {
        let wanted: Vec<&str> = levels(tag).collect();
        self.owner_paths().iter().map(|path| path.starts_with(&wanted)).collect()
    }

    /// The whole path of each owner of the dump; nothing in a snapshot.
    pub(crate) fn owner_paths(self) -> Vec<Vec<&'a str>> {
        let recording = self.session.recording();
        let Some(dump) = recording.dump.as_deref() else { return Vec::new() };
        let pool = self.table().track.as_deref().map_or("", |track| recording.text(track.pool));
        let path_of = |owner: &StringId| path(recording.text(*owner), pool, recording, dump);
        dump.owners.iter().map(path_of).collect()
    }

    /// For each owner of the dump: its whole path; `None` of the one that says nothing.
    pub(crate) fn owner_tags(self) -> Vec<Option<String>> {
        let recording = self.session.recording();
        let Some(dump) = recording.dump.as_deref() else { return Vec::new() };
        let pool = self.table().track.as_deref().map_or("", |track| recording.text(track.pool));
        let tag = |owner: &StringId| {
            let text = recording.text(*owner);
            (!text.is_empty()).then(|| path(text, pool, recording, dump).join("@"))
        };
        dump.owners.iter().map(tag).collect()
    }
}

/// Pools that are of other memory than the framework's.
fn is_alone(pool: &str) -> bool {
    matches!(pool, "HAL" | "HOST" | "HOST_PINNED")
}

fn levels(tag: &str) -> impl Iterator<Item = &str> {
    tag.split('@').filter(|level| !level.is_empty()).take(DEEPEST)
}

/// Where a block of `pool` with the owner `tag` belongs: below its pool, unless the tag itself
/// begins with one.
fn path<'a>(tag: &'a str, pool: &'a str, recording: &Recording, dump: &Dump) -> Vec<&'a str> {
    let is_pool = |level: &str| {
        matches!(level, "PTA" | "PTA_WORKSPACE" | "ATB" | "MINDSPORE" | "CANN")
            || recording.devices.iter().any(|table| {
                table.track.as_deref().is_some_and(|track| recording.text(track.pool) == level)
            })
    };
    debug_assert!(!dump.owners.is_empty(), "row 0 is none");
    let mut levels = levels(tag).peekable();
    let begins = levels.peek().is_some_and(|first| is_pool(first));
    let above = (!begins).then_some(pool);
    above.into_iter().chain(levels).collect()
}

/// The tree as a list.
fn flat(tree: &Node, at_ns: [i64; 2], process: Option<[u64; 2]>) -> Decomposition {
    let free = |moment: usize| tree.below.values().map(|pool| pool.free[moment]).sum::<u64>();
    let sum = [0, 1].map(|moment| tree.total(moment).bytes.saturating_add(free(moment)));
    // Pools that hold more than the driver gave contradict it: then only they are believed.
    let process = process.filter(|all| (0..2).all(|at| all[at] >= sum[at]));
    let outside = process.map(|all| [0, 1].map(|at| all[at] - sum[at]));
    let mut parts = vec![Part {
        parent: None,
        kind: PartKind::Whole,
        tag: String::new(),
        bytes: [0, 1].map(|at| sum[at].saturating_add(outside.map_or(0, |outside| outside[at]))),
        blocks: [0, 1].map(|moment| tree.total(moment).blocks),
    }];
    if let Some(bytes) = outside {
        push(&mut parts, 0, PartKind::Outside, "", bytes, [0; 2]);
    }
    for (pool, node) in &tree.below {
        push(&mut parts, 0, PartKind::PoolFree, pool, node.free, [0; 2]);
    }
    list(tree, 0, "", &mut parts);
    let whole = if process.is_some() { Whole::Process } else { Whole::Pools };
    Decomposition { at_ns, whole, parts: sorted(&parts) }
}

fn push(
    parts: &mut Vec<Part>,
    parent: u32,
    kind: PartKind,
    tag: &str,
    bytes: [u64; 2],
    blocks: [u32; 2],
) {
    if bytes != [0; 2] || blocks != [0; 2] {
        parts.push(Part { parent: Some(parent), kind, tag: tag.to_owned(), bytes, blocks });
    }
}

/// Adds what is below `node`, which is part `place` and is called `tag`.
fn list(node: &Node, place: u32, tag: &str, parts: &mut Vec<Part>) {
    if !node.below.is_empty() {
        let bytes = node.own.map(|own| own.bytes);
        push(parts, place, PartKind::Unclassified, tag, bytes, node.own.map(|own| own.blocks));
    }
    for (level, child) in &node.below {
        let tag = if tag.is_empty() { level.clone() } else { format!("{tag}@{level}") };
        let total = [child.total(0), child.total(1)];
        let before = parts.len();
        let bytes = total.map(|total| total.bytes);
        push(parts, place, PartKind::Owner, &tag, bytes, total.map(|total| total.blocks));
        if parts.len() > before {
            list(child, before as u32, &tag, parts);
        }
    }
}

/// Parents before children, the largest child first.
fn sorted(parts: &[Part]) -> Vec<Part> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (place, part) in parts.iter().enumerate() {
        if let Some(parent) = part.parent {
            below[parent as usize].push(place);
        }
    }
    for children in &mut below {
        children.sort_by_key(|place| {
            let part = &parts[*place];
            (std::cmp::Reverse(part.bytes), part.kind, part.tag.clone())
        });
    }
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    let mut waiting: Vec<(usize, Option<u32>)> = vec![(0, None)];
    while let Some((place, parent)) = waiting.pop() {
        let at = out.len() as u32;
        out.push(Part { parent, ..parts[place].clone() });
        waiting.extend(below[place].iter().rev().map(|child| (*child, Some(at))));
    }
    out
}
