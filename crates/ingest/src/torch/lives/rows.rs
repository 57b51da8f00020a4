//! From lives, numbered as they were met, to rows of [`Blocks`], sorted by birth.

use super::history::{History, Untraced};
use super::layout::{Ends, Layout};
use super::rounding::Rounding;
use super::settle::Stated;
use super::sizes::Sizes;
use super::trouble::Troubles;
use job::{Cancelled, Job};
use model::{Block, Blocks, EventId, Events, Origin, PoolId, Segment, SizeSource, StackId, State};
use rustc_hash::FxHashMap;

/// Blocks by row without their sizes: from the start by address, then traced, then late.
pub(super) struct Rows {
    from_start: Vec<Untraced>,
    traced: u32,
    late: Vec<Untraced>,
    ends: Vec<Ends>,
    /// By row: which of `addrs`.
    spot: Vec<u32>,
    addrs: Vec<u64>,
    /// By row; 0: to be computed.
    size: Vec<u64>,
    /// Stacks of traced rows as the final segments state them, where the event has none.
    stacks: FxHashMap<u32, StackId>,
    block_of_event: Vec<u32>,
}

impl Rows {
    pub(super) fn new(history: History<'_>, stated: &[Stated]) -> Self {
        let History { places, mut ends, mut place, traced, from_start, late, .. } = history;
        let mut block_of_event = history.life_of_event;
        let mut order: Vec<u32> = (0..from_start.len() as u32).collect();
        order.sort_by_key(|at| from_start[*at as usize].block.addr);
        let first = order.len() as u32;

        // Rows from the start come first: what is kept by life moves up to make room for them.
        let of_start: Vec<Ends> = ends.split_off(traced as usize);
        ends.splice(0..0, order.iter().map(|at| of_start[*at as usize]));
        place.truncate(traced as usize);
        place.splice(0..0, order.iter().map(|at| from_start[*at as usize].place));
        ends.extend(late.iter().map(|(_, ends)| *ends));
        place.extend(late.iter().map(|(untraced, _)| untraced.place));

        let mut row_of_start = vec![0; order.len()];
        for (row, at) in order.iter().enumerate() {
            row_of_start[*at as usize] = row as u32;
        }
        for row in block_of_event.iter_mut().filter(|life| **life != u32::MAX) {
            *row = match row.checked_sub(traced) {
                None => first + *row,
                Some(at) => row_of_start[at as usize],
            };
        }

        let from_start: Vec<Untraced> = order.iter().map(|at| from_start[*at as usize]).collect();
        let late: Vec<Untraced> = late.into_iter().map(|(untraced, _)| untraced).collect();
        let mut size = vec![0; ends.len()];
        let late_from = ends.len() - late.len();
        for (row, untraced) in (0..).zip(&from_start).chain((late_from..).zip(&late)) {
            size[row] = untraced.block.size;
        }
        let mut stacks = FxHashMap::default();
        for of_life in stated {
            let row = first + of_life.life;
            size[row as usize] = of_life.size;
            stacks.extend(of_life.stack.map(|stack| (row, stack)));
        }
        let (addrs, spots) = places.sorted();
        for place in &mut place {
            *place = spots[*place as usize];
        }
        Self { from_start, traced, late, ends, spot: place, addrs, size, stacks, block_of_event }
    }

    /// The finished blocks, and the row of each event.
    pub(super) fn blocks(
        self,
        events: &Events,
        segments: &[Segment],
        rounding: Rounding<'_>,
        troubles: &mut Troubles,
        job: &Job,
    ) -> Result<(Blocks, Vec<u32>), Cancelled> {
        let len = self.ends.len();
        let mut sizes = Sizes {
            events,
            rounding,
            block_of_event: &self.block_of_event,
            addrs: &self.addrs,
            spot: &self.spot,
            ends: self.ends,
            size: self.size,
            source: vec![SizeSource::Stated; len],
            pool: vec![Events::NO_POOL; len],
            requested: self.from_start.iter().map(|it| it.block.requested).collect(),
            traced: self.traced,
        };
        sizes.run(&mut Layout::new(&self.addrs, segments), troubles, job)?;
        let first = self.from_start.len();
        let late_from = len - self.late.len();
        let mut event = 0;
        let rows = (0..len).map(|row| {
            let known = if row < first {
                self.from_start[row].block
            } else if row >= late_from {
                self.late[row - late_from].block
            } else {
                while self.block_of_event[event as usize] != row as u32 {
                    event += 1;
                }
                traced(events, EventId(event), self.stacks.get(&(row as u32)).copied())
            };
            let pool = Some(sizes.pool[row]).filter(|pool| *pool != Events::NO_POOL).map(PoolId);
            let ends = sizes.ends[row];
            let state = |state: u32| (state != Blocks::NEVER).then_some(State(state));
            Block {
                size: sizes.size[row],
                size_source: sizes.source[row],
                released: state(ends.released.min(ends.died)),
                died: state(ends.died),
                pool: known.pool.or(pool),
                ..known
            }
        });
        let blocks = Blocks::new(rows).expect("rows are in the order of births, and ends follow");
        Ok((blocks, self.block_of_event))
    }
}

/// What `event`, an `alloc`, says of its block.
fn traced(events: &Events, event: EventId, stated_stack: Option<StackId>) -> Block {
    Block {
        addr: events.addr[event.row()],
        size: 0,
        requested: events.size[event.row()],
        born: State::after(event),
        released: None,
        died: None,
        stack: events.stack(event).or(stated_stack),
        stream: events.stream(event),
        pool: events.pool(event),
        origin: Origin::Traced,
        size_source: SizeSource::Computed,
    }
}
