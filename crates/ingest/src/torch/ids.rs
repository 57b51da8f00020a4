//! Streams, pools, notes and unknown actions by number while a file is read.

use super::texts::Texts;
use super::words::{EMPTY, NOT_AVAILABLE};
use model::{Action, Note, Pool, StringId};
use rustc_hash::FxHashMap;

/// Distinct values by 16-bit number.
#[derive(Debug)]
pub(crate) struct Numbered<T> {
    pub(crate) list: Vec<T>,
    map: FxHashMap<T, u16>,
    last: Option<(T, u16)>,
    /// Values that found no number and share the last.
    pub(crate) dropped: u64,
}

impl<T: Copy + Eq + std::hash::Hash> Numbered<T> {
    /// Highest number; the one above means "none" in columns.
    const MOST: u16 = u16::MAX - 1;

    pub(crate) fn new() -> Self {
        Self { list: Vec::new(), map: FxHashMap::default(), last: None, dropped: 0 }
    }

    /// The number of `value`, new or known.
    #[inline]
    pub(crate) fn number(&mut self, value: T) -> u16 {
        match self.last {
            Some((last, number)) if last == value => number,
            _ => self.look_up(value),
        }
    }

    fn look_up(&mut self, value: T) -> u16 {
        let number = if let Some(number) = self.map.get(&value) {
            *number
        } else if self.list.len() <= usize::from(Self::MOST) {
            let number = self.list.len() as u16;
            self.list.push(value);
            self.map.insert(value, number);
            number
        } else {
            self.dropped += 1;
            Self::MOST
        };
        self.last = Some((value, number));
        number
    }
}

/// Distinct pools.
pub(crate) type Pools = Numbered<Pool>;
/// Distinct stream handles.
pub(crate) type Streams = Numbered<u64>;

/// The texts of one event, as numbers of [`Texts`]; [`EMPTY`] where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RawNote {
    pub(crate) compile_context: u32,
    pub(crate) user_metadata: u32,
    pub(crate) internal_metadata: u32,
    pub(crate) category: u32,
    pub(crate) forward_frames: u32,
}

impl RawNote {
    /// Nothing said.
    pub(crate) const BLANK: Self = Self {
        compile_context: EMPTY,
        user_metadata: EMPTY,
        internal_metadata: EMPTY,
        category: EMPTY,
        forward_frames: EMPTY,
    };
}

/// Distinct notes; 0 says nothing.
#[derive(Debug)]
pub(crate) struct Notes {
    pub(crate) list: Vec<Note>,
    map: FxHashMap<RawNote, u32>,
    last: (RawNote, u32),
}

impl Notes {
    pub(crate) fn new() -> Self {
        Self { list: vec![Note::default()], map: FxHashMap::default(), last: (RawNote::BLANK, 0) }
    }

    /// The number of a note, new or known.
    #[inline]
    pub(crate) fn number(&mut self, mut raw: RawNote, texts: &mut Texts) -> u32 {
        if raw.compile_context == NOT_AVAILABLE {
            raw.compile_context = EMPTY;
        }
        if raw == RawNote::BLANK {
            return 0;
        }
        if raw == self.last.0 { self.last.1 } else { self.look_up(raw, texts) }
    }

    fn look_up(&mut self, raw: RawNote, texts: &mut Texts) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.map.entry(raw).or_insert(next);
        if number == next {
            let mut string = |number: u32| (number != EMPTY).then(|| texts.string(number));
            self.list.push(Note {
                compile_context: string(raw.compile_context),
                user_metadata: string(raw.user_metadata),
                internal_metadata: string(raw.internal_metadata),
                category: string(raw.category),
                forward_frames: string(raw.forward_frames),
            });
        }
        self.last = (raw, number);
        number
    }
}

/// Actions this program does not know, by the number in [`Action::Other`].
#[derive(Debug, Default)]
pub(crate) struct OtherActions {
    pub(crate) list: Vec<StringId>,
}

impl OtherActions {
    /// Codes 128 to 255 are free for them; the last is shared by all that come later.
    const MOST: usize = 127;

    /// The code of an action called `name`.
    pub(crate) fn code(&mut self, name: StringId) -> u8 {
        let known = self.list.iter().position(|other| *other == name);
        let row = known.unwrap_or_else(|| {
            if self.list.len() <= Self::MOST {
                self.list.push(name);
            }
            self.list.len() - 1
        });
        Action::Other(row as u8).code()
    }
}
