//! Lives of blocks, from the events and the final segments.
//!
//! Blocks that begin at the same address live one after the other, so each address is a little
//! machine of its own: nothing known, allocated, pending, free. The events step the machines
//! forward; an address whose first event is a free had a block from before the recording. Then
//! the final segments say where each machine must have ended.
//! That gives what a walk backward from the end gives, and it numbers lives in the order in which
//! they begin.

use super::layout::Ends;
use super::places::{Place, Places};
use super::trouble::{Trouble, Troubles};
use super::workspaces::is_triple;
use super::{STRIDE, progress};
use crate::torch::raw::RawDevice;
use job::{Cancelled, Job};
use model::{Action, Block, Blocks, EventId, Origin, SizeSource, State};

/// A life that no event begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Untraced {
    pub(super) place: u32,
    /// Its [`Block::released`] and [`Block::died`] are not kept up: see [`History::ends`].
    pub(super) block: Block,
    /// The event that completed its free, if nothing requested it.
    pub(super) unrequested: Option<EventId>,
}

/// What an address is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Unknown,
    Allocated,
    Pending,
    Free,
}

/// All lives. They are numbered: those that an `alloc` begins first, in the order of the events;
/// then the others, in the order in which they were met.
pub(super) struct History<'a> {
    pub(super) raw: &'a RawDevice,
    pub(super) places: Places,
    /// By life.
    pub(super) ends: Vec<Ends>,
    /// By life.
    pub(super) place: Vec<u32>,
    /// How many lives an `alloc` begins.
    pub(super) traced: u32,
    pub(super) untraced: Vec<Untraced>,
    /// By event: the life, or `u32::MAX`.
    pub(super) life_of_event: Vec<u32>,
    pub(super) segment_events: Vec<u32>,
    /// Annotations of addresses that no event before spoke of, with the place.
    pub(super) early_notes: Vec<(u32, u32)>,
    pub(super) requests: u64,
    pub(super) completions: u64,
    begun: u32,
}

impl<'a> History<'a> {
    /// Before the first event. `traced` is the number of `alloc` events that are history.
    pub(super) fn new(raw: &'a RawDevice, traced: u32) -> Self {
        Self {
            raw,
            places: Places::new(),
            ends: vec![Ends::OPEN; traced as usize],
            place: vec![0; traced as usize],
            traced,
            untraced: Vec::new(),
            life_of_event: vec![Place::NOBODY; raw.events.len() as usize],
            segment_events: Vec::new(),
            early_notes: Vec::new(),
            requests: 0,
            completions: 0,
            begun: 0,
        }
    }

    /// Steps through all events.
    pub(super) fn run(&mut self, troubles: &mut Troubles, job: &Job) -> Result<(), Cancelled> {
        let events = &self.raw.events;
        let actions: [Action; 256] = std::array::from_fn(|code| Action::from_code(code as u8));
        let mut row = 0;
        let mut next_report = 0;
        while row < events.len() {
            if row >= next_report {
                progress(job, row, events.len())?;
                next_report = row.saturating_add(STRIDE);
            }
            let event = EventId(row);
            match actions[usize::from(events.action[event.row()])] {
                Action::Alloc => self.alloc(event, troubles),
                Action::FreeRequested => self.request(event, troubles),
                Action::FreeCompleted => self.complete(event, troubles),
                Action::SegmentAlloc
                | Action::SegmentFree
                | Action::SegmentMap
                | Action::SegmentUnmap => self.segment_events.push(row),
                Action::Annotate => self.annotate(event),
                Action::WorkspaceSnapshot if is_triple(events, event) => row += 2,
                _ => {}
            }
            row += 1;
        }
        Ok(())
    }

    pub(super) fn phase(&self, life: u32) -> Phase {
        match self.ends.get(life as usize) {
            None => Phase::Unknown,
            Some(ends) if ends.died != Blocks::NEVER => Phase::Free,
            Some(ends) if ends.released != Blocks::NEVER => Phase::Pending,
            Some(_) => Phase::Allocated,
        }
    }

    /// The place and the latest life at the address of `event`.
    fn at(&mut self, event: EventId) -> (u32, u32) {
        let place = self.places.at(self.raw.events.addr[event.row()]);
        (place, self.places.get(place).life)
    }

    fn alloc(&mut self, event: EventId, troubles: &mut Troubles) {
        let (place, older) = self.at(event);
        let now = State::after(event).0;
        let addr = self.raw.events.addr[event.row()];
        match self.phase(older) {
            Phase::Unknown | Phase::Free => {}
            Phase::Allocated => {
                troubles.add(Trouble::AllocatedTwice, addr);
                self.ends[older as usize] = Ends::unseen(now);
            }
            Phase::Pending => {
                troubles.add(Trouble::NotCompleted, addr);
                self.ends[older as usize].died = self.ends[older as usize].released;
            }
        }
        let life = self.begun;
        self.begun += 1;
        self.place[life as usize] = place;
        self.life_of_event[event.row()] = life;
        let requested = self.raw.events.size[event.row()] as u32;
        let spot = self.places.get_mut(place);
        (spot.life, spot.requested) = (life, requested);
    }

    fn request(&mut self, event: EventId, troubles: &mut Troubles) {
        self.requests += 1;
        let (place, mut life) = self.at(event);
        let now = State::after(event).0;
        match self.phase(life) {
            Phase::Unknown => {
                life = self.begin_before(event, place);
                self.ends[life as usize].released = now;
            }
            Phase::Allocated => self.ends[life as usize].released = now,
            Phase::Pending => {
                troubles.add(Trouble::RequestedTwice, self.places.get(place).addr);
            }
            Phase::Free => {
                troubles.add(Trouble::FreedTwice, self.places.get(place).addr);
                return;
            }
        }
        self.freed(event, place, life, troubles);
    }

    fn complete(&mut self, event: EventId, troubles: &mut Troubles) {
        self.completions += 1;
        let (place, mut life) = self.at(event);
        let now = State::after(event).0;
        match self.phase(life) {
            Phase::Unknown => {
                life = self.begin_before(event, place);
                self.untraced[(life - self.traced) as usize].unrequested = Some(event);
                self.ends[life as usize].died = now;
            }
            Phase::Allocated => {
                troubles.add(Trouble::NotRequested, self.places.get(place).addr);
                self.ends[life as usize] = Ends { released: now, died: now };
            }
            Phase::Pending => self.ends[life as usize].died = now,
            Phase::Free => {
                troubles.add(Trouble::FreedTwice, self.places.get(place).addr);
                return;
            }
        }
        self.freed(event, place, life, troubles);
    }

    /// Notes that `event` frees `life`.
    fn freed(&mut self, event: EventId, place: u32, life: u32, troubles: &mut Troubles) {
        self.life_of_event[event.row()] = life;
        let spot = self.places.get(place);
        if spot.requested != self.raw.events.size[event.row()] as u32 {
            troubles.add(Trouble::OtherSize, spot.addr);
        }
    }

    fn annotate(&mut self, event: EventId) {
        let (place, life) = self.at(event);
        match self.phase(life) {
            Phase::Unknown => self.early_notes.push((event.0, place)),
            Phase::Allocated | Phase::Pending => self.life_of_event[event.row()] = life,
            Phase::Free => {}
        }
    }

    /// A life that `event`, a free, is the first to speak of.
    fn begin_before(&mut self, event: EventId, place: u32) -> u32 {
        let events = &self.raw.events;
        let requested = events.size[event.row()];
        self.places.get_mut(place).requested = requested as u32;
        self.begin_untraced(Untraced {
            place,
            block: Block {
                addr: events.addr[event.row()],
                size: 0,
                requested,
                born: State(0),
                released: None,
                died: None,
                stack: None,
                stream: events.stream(event),
                pool: events.pool(event),
                origin: Origin::BeforeRecording,
                size_source: SizeSource::Computed,
            },
            unrequested: None,
        })
    }

    /// Adds a life that no event begins, open at its end.
    pub(super) fn begin_untraced(&mut self, untraced: Untraced) -> u32 {
        let life = self.ends.len() as u32;
        self.ends.push(Ends::OPEN);
        self.place.push(untraced.place);
        self.untraced.push(untraced);
        self.places.get_mut(untraced.place).life = life;
        life
    }
}
