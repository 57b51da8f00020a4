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

/// Blocks by row without their sizes. Rows from the start come first, by address; a block that no
/// event begins stands before those that an `alloc` begins at its state or later.
pub(super) struct Rows {
    /// Blocks that no event begins, with their rows, ascending.
    untraced: Vec<(u32, Block)>,
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

/// Where blocks that no event begins stand among the others.
struct Interleaving {
    /// Their numbers in order of rows, each with how many traced blocks stand before it.
    order: Vec<(u32, u32)>,
}

impl Interleaving {
    fn new(untraced: &[Untraced], life_of_event: &[u32], traced: u32) -> Self {
        let mut order: Vec<(u32, u32)> = (0..untraced.len() as u32).map(|at| (at, 0)).collect();
        let block = |at: u32| untraced[at as usize].block;
        order.sort_by_key(|(at, _)| (block(*at).born, block(*at).addr));
        let (mut event, mut before) = (0, 0);
        for (at, place) in &mut order {
            // Lives that an `alloc` begins are numbered in the order of the events, so the next
            // one begins where its number is first met.
            while event + 1 < block(*at).born.0 {
                before += u32::from(before < traced && life_of_event[event as usize] == before);
                event += 1;
            }
            *place = before;
        }
        Self { order }
    }

    /// The row of a traced life.
    fn traced(&self, life: u32) -> u32 {
        life + self.order.partition_point(|(_, before)| *before <= life) as u32
    }

    /// What is kept by life of `traced` and `untraced`, by row.
    fn by_row<T: Copy>(&self, traced: &[T], untraced: &[T]) -> Vec<T> {
        let mut rows = Vec::with_capacity(traced.len() + untraced.len());
        let mut from = 0;
        for (at, before) in &self.order {
            rows.extend_from_slice(&traced[from..*before as usize]);
            rows.push(untraced[*at as usize]);
            from = *before as usize;
        }
        rows.extend_from_slice(&traced[from..]);
        rows
    }
}

impl Rows {
    pub(super) fn new(history: History<'_>, stated: &[Stated]) -> Self {
        let History { places, ends, place, traced, untraced, life_of_event, .. } = history;
        let rows = Interleaving::new(&untraced, &life_of_event, traced);
        let (addrs, spots) = places.sorted();

        let (of_traced, of_untraced) = ends.split_at(traced as usize);
        let ends = rows.by_row(of_traced, of_untraced);
        let (of_traced, of_untraced) = place.split_at(traced as usize);
        let mut spot = rows.by_row(of_traced, of_untraced);
        for place in &mut spot {
            *place = spots[*place as usize];
        }

        let mut row_of_untraced = vec![0; untraced.len()];
        for (row, (at, before)) in (0..).zip(&rows.order) {
            row_of_untraced[*at as usize] = row + *before;
        }
        let first = rows.order.partition_point(|(_, before)| *before == 0) as u32;
        let is_simple = first as usize == untraced.len();
        let mut block_of_event = life_of_event;
        for row in block_of_event.iter_mut().filter(|life| **life != u32::MAX) {
            *row = match row.checked_sub(traced) {
                None if is_simple => first + *row,
                None => rows.traced(*row),
                Some(at) => row_of_untraced[at as usize],
            };
        }

        let mut size = vec![0; ends.len()];
        let by_row = rows.order.iter().map(|(at, _)| {
            let row = row_of_untraced[*at as usize];
            (row, untraced[*at as usize].block)
        });
        let untraced: Vec<(u32, Block)> = by_row.collect();
        for (row, block) in &untraced {
            size[*row as usize] = block.size;
        }
        let mut stacks = FxHashMap::default();
        for of_life in stated {
            let row = rows.traced(of_life.life);
            size[row as usize] = of_life.size;
            stacks.extend(of_life.stack.map(|stack| (row, stack)));
        }
        Self { untraced, ends, spot, addrs, size, stacks, block_of_event }
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
            untraced: &self.untraced,
            ends: self.ends,
            size: self.size,
            source: vec![SizeSource::Stated; len],
            pool: vec![Events::NO_POOL; len],
        };
        sizes.run(&mut Layout::new(&self.addrs, segments), troubles, job)?;
        let mut untraced = self.untraced.iter().peekable();
        let mut event = 0;
        let rows = (0..len).map(|row| {
            let known = if let Some((_, block)) = untraced.next_if(|(at, _)| *at as usize == row) {
                *block
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
