//! The addresses that blocks begin at, each once, with what is known of it so far.

/// An address at which blocks live, one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) addr: u64,
    /// The latest life here, or [`Place::NOBODY`].
    pub(super) life: u32,
    /// Low half of what that life requested: enough to notice a free of another size, and it
    /// keeps a place at 16 bytes.
    pub(super) requested: u32,
}

impl Place {
    pub(super) const NOBODY: u32 = u32::MAX;
}

/// All places, numbered in the order in which they were met.
///
/// An open-addressing table of numbers: 4 bytes a slot, at most half of the slots taken.
pub(super) struct Places {
    all: Vec<Place>,
    slots: Vec<u32>,
    /// The place asked for last: a request and its completion are neighbours in most traces.
    last: u32,
}

const EMPTY: u32 = u32::MAX;

impl Places {
    pub(super) fn new() -> Self {
        Self { all: Vec::new(), slots: vec![EMPTY; 1 << 10], last: 0 }
    }

    /// The number of `addr`, new if it was not met before.
    pub(super) fn at(&mut self, addr: u64) -> u32 {
        if self.all.get(self.last as usize).is_some_and(|place| place.addr == addr) {
            return self.last;
        }
        let mut slot = self.slot(addr);
        loop {
            match self.slots[slot] {
                EMPTY => break,
                place if self.all[place as usize].addr == addr => {
                    self.last = place;
                    return place;
                }
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        let place = self.all.len() as u32;
        self.slots[slot] = place;
        self.all.push(Place { addr, life: Place::NOBODY, requested: 0 });
        if self.all.len() * 2 > self.slots.len() {
            self.grow();
        }
        self.last = place;
        place
    }

    pub(super) fn get(&self, place: u32) -> Place {
        self.all[place as usize]
    }

    pub(super) fn get_mut(&mut self, place: u32) -> &mut Place {
        &mut self.all[place as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Place> {
        self.all.iter()
    }

    /// All addresses in order, and for each place where its address stands there.
    pub(super) fn sorted(self) -> (Vec<u64>, Vec<u32>) {
        let Self { mut all, slots, .. } = self;
        drop(slots);
        // Lives are settled by now: the field takes the number, which saves a second list.
        for (number, place) in all.iter_mut().enumerate() {
            place.life = number as u32;
        }
        all.sort_unstable_by_key(|place| place.addr);
        let mut spots = vec![0; all.len()];
        for (spot, place) in all.iter().enumerate() {
            spots[place.life as usize] = spot as u32;
        }
        (all.iter().map(|place| place.addr).collect(), spots)
    }

    fn slot(&self, addr: u64) -> usize {
        // Fibonacci hashing; addresses are multiples of 512, so the high half is folded in first.
        let hash = (addr ^ (addr >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - self.slots.len().ilog2())) as usize
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; self.slots.len() * 2];
        for place in 0..self.all.len() {
            let mut slot = self.slot(self.all[place].addr);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = place as u32;
        }
    }
}
