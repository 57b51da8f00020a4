//! A trace entry read in one go.
//!
//! Nearly all bytes of a snapshot are trace entries that look alike: keys and most texts by their
//! memo number, integers, a stack list. Anything else makes [`Reader::quick_entry`] give up, and
//! the machine reads the entry opcode by opcode.

use super::bodies::Put;
use super::columns::Row;
use super::ids::RawNote;
use super::reader::{POOL, ROW, Reader, STACK};
use super::words as word;
use model::{Pool, StackId};
use pickle::{Entry, Heap, Input, Memo, Thing, Value, code};

/// Keys an entry cannot do without.
const NEEDED: u8 = 0b111;

/// Events after which the number of all is estimated.
const SAMPLE: u32 = 1024;

/// The entry at hand.
struct Draft {
    row: Row,
    note: RawNote,
    /// Bits of [`NEEDED`].
    seen: u8,
}

impl<'a> Reader<'a, '_> {
    /// Reads the dict whose `EMPTY_DICT` is right before the cursor into a new row; where the next
    /// opcode is, or `None` with nothing but the memo changed.
    #[inline]
    pub(super) fn quick_entry(&mut self, input: &mut Input<'a, '_>) -> Option<usize> {
        let bytes = input.cursor.bytes();
        let start = input.cursor.at();
        let (put, mut at) = Put::read(bytes, start)?;
        // The first key tells entries from other dicts before anything is touched.
        let first = quick_index(bytes, at + 1).and_then(|(index, _)| input.memo.text(index));
        if bytes.get(at) != Some(&code::MARK)
            || first != Some(word::ACTION)
            || !self.columns.has_room()
        {
            return None;
        }
        at += 1;
        put.memoise(input.memo, Entry::thing(Thing { kind: ROW, id: self.columns.len() }))?;
        let mut draft = Draft { row: Row::BLANK, note: RawNote::BLANK, seen: 0 };
        loop {
            if *bytes.get(at)? == code::SETITEMS {
                break;
            }
            let (index, value) = quick_index(bytes, at)?;
            let key = input.memo.text(index)?;
            at = self.quick_value(&mut draft, key, (bytes, value), input)?;
        }
        if draft.seen != NEEDED {
            return None;
        }
        if self.columns.len() == 0 {
            self.events_from = start;
        }
        draft.row.note = self.notes.number(draft.note, &mut self.texts);
        self.columns.push(&draft.row);
        if self.columns.len() == SAMPLE {
            self.columns.expect(SAMPLE as usize * (bytes.len() / (at - self.events_from)));
        }
        Some(at + 1)
    }

    /// Reads the value of `key`; where the next opcode is.
    #[inline]
    fn quick_value(
        &mut self,
        draft: &mut Draft,
        key: u32,
        (bytes, at): (&'a [u8], usize),
        input: &mut Input<'a, '_>,
    ) -> Option<usize> {
        let row = &mut draft.row;
        Some(match key {
            word::ACTION => {
                let (index, next) = quick_index(bytes, at)?;
                row.action = word::action_code(input.memo.text(index)?)?;
                draft.seen |= 1;
                next
            }
            word::ADDR | word::DEVICE_FREE => {
                let (value, next) = quick_int(bytes, at)?;
                row.addr = value;
                draft.seen |= 2;
                next
            }
            word::SIZE => {
                let (value, next) = quick_int(bytes, at)?;
                row.size = positive(value)?;
                draft.seen |= 4;
                next
            }
            word::STREAM => {
                let (value, next) = quick_int(bytes, at)?;
                row.stream = self.streams.number(value);
                next
            }
            word::TIME_US => {
                let (value, next) = quick_int(bytes, at)?;
                row.time_us = Some(positive(value)? as i64);
                next
            }
            word::FRAMES => {
                let (stack, next) = self.quick_frames(bytes, at, input)?;
                row.stack = stack.0;
                next
            }
            word::POOL_ID => {
                let (pool, next) = self.quick_pool(bytes, at, input)?;
                row.pool = pool;
                next
            }
            _ => self.quick_text(&mut draft.note, key, (bytes, at), input.memo)?,
        })
    }

    /// Reads the text of one of the keys that make a note.
    #[inline]
    fn quick_text(
        &mut self,
        note: &mut RawNote,
        key: u32,
        (bytes, at): (&'a [u8], usize),
        memo: &mut Memo,
    ) -> Option<usize> {
        let (place, slot) = match key {
            word::COMPILE_CONTEXT => (&mut note.compile_context, 0),
            word::USER_METADATA => (&mut note.user_metadata, 1),
            word::INTERNAL_METADATA => (&mut note.internal_metadata, 2),
            word::CATEGORY => (&mut note.category, 3),
            _ => return None,
        };
        let head = bytes.get(at..)?.first_chunk::<5>()?;
        let start = match head[0] {
            code::SHORT_BINUNICODE => at + 2,
            code::BINUNICODE => at + 5,
            _ => {
                let (index, next) = quick_index(bytes, at)?;
                *place = memo.text(index)?;
                return Some(next);
            }
        };
        let len = match start - at {
            2 => usize::from(head[1]),
            _ => u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize,
        };
        let text = bytes.get(start..start.checked_add(len)?)?;
        let last = &mut self.last_inline[slot];
        if last.0 != text {
            *last = (text, self.texts.number(text));
        }
        *place = last.1;
        let number = last.1;
        let (put, next) = Put::read(bytes, start + len)?;
        put.memoise(memo, Entry::text(number))?;
        Some(next)
    }

    #[inline]
    fn quick_frames(
        &mut self,
        bytes: &'a [u8],
        at: usize,
        input: &mut Input<'a, '_>,
    ) -> Option<(StackId, usize)> {
        if *bytes.get(at)? != code::EMPTY_LIST {
            let (entry, next) = quick_get(bytes, at, input.memo)?;
            if let Some(id) = entry.as_thing(STACK) {
                return Some((StackId(id), next));
            }
            return Some((self.plain_stack(entry.value()?, input.heap)?, next));
        }
        let known = (&mut *input.memo, &*input.heap);
        if let Some((stack, end)) = self.bodies.read(bytes, at + 1, known, &mut self.stacks) {
            // The C++ writer memoises a list after its items.
            let (put, next) = Put::read(bytes, end)?;
            put.memoise(input.memo, Entry::thing(Thing { kind: STACK, id: stack.0 }))?;
            return Some((stack, next));
        }
        let (put, next) = Put::read(bytes, at + 1)?;
        let after = bytes.get(next..)?.first_chunk::<6>()?;
        let item_follows = match after[0] {
            code::SETITEMS => false,
            code::BINGET => after[2] == code::APPEND,
            code::LONG_BINGET => after[5] == code::APPEND,
            _ => true,
        };
        if item_follows {
            return None;
        }
        put.memoise(input.memo, Entry::thing(Thing { kind: STACK, id: 0 }))?;
        Some((StackId(0), next))
    }

    /// The stack of a list whose items are all known frames.
    fn plain_stack(&mut self, value: Value, heap: &mut Heap<'_>) -> Option<StackId> {
        match heap.resolve(value) {
            Value::Thing(Thing { kind: STACK, id }) => Some(StackId(id)),
            list @ Value::Node(_) => {
                let frames = heap.items(list)?;
                let all_known = frames.iter().all(|frame| {
                    matches!(
                        heap.resolve(*frame),
                        Value::Thing(Thing { kind: super::reader::FRAME, .. })
                    )
                });
                if all_known { self.stack(list, heap) } else { None }
            }
            _ => None,
        }
    }

    #[inline]
    fn quick_pool(
        &mut self,
        bytes: &'a [u8],
        at: usize,
        input: &mut Input<'a, '_>,
    ) -> Option<(u16, usize)> {
        let first = *bytes.get(at)?;
        if matches!(first, code::BINGET | code::LONG_BINGET) {
            let (entry, next) = quick_get(bytes, at, input.memo)?;
            let id = match entry.as_thing(POOL) {
                Some(id) => id as u16,
                None => self.pool(entry.value()?, input.heap)?,
            };
            return Some((id, next));
        }
        let by_mark = first == code::MARK;
        let (a, next) = quick_int(bytes, at + usize::from(by_mark))?;
        let (b, next) = quick_int(bytes, next)?;
        let end = if by_mark { code::TUPLE } else { code::TUPLE2 };
        if *bytes.get(next)? != end {
            return None;
        }
        let (put, next) = Put::read(bytes, next + 1)?;
        let pool = self.pools.number(Pool(a as i64, b as i64));
        put.memoise(input.memo, Entry::thing(Thing { kind: POOL, id: u32::from(pool) }))?;
        Some((pool, next))
    }
}

/// A size or time; negative ones are odd enough to be looked at more closely.
#[inline]
fn positive(bits: u64) -> Option<u64> {
    i64::try_from(bits).is_ok().then_some(bits)
}

/// Where in the memo the `BINGET` or `LONG_BINGET` at `at` points, and where the next opcode is.
#[inline]
fn quick_index(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let head = bytes.get(at..)?.first_chunk::<5>()?;
    match head[0] {
        code::BINGET => Some((usize::from(head[1]), at + 2)),
        code::LONG_BINGET => {
            Some((u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize, at + 5))
        }
        _ => None,
    }
}

/// What the memo holds there.
#[inline]
fn quick_get(bytes: &[u8], at: usize, memo: &Memo) -> Option<(Entry, usize)> {
    let (index, next) = quick_index(bytes, at)?;
    Some((memo.get(index)?, next))
}

/// Bytes of an integer opcode's argument; 0 for other opcodes.
const WIDTH: [u8; 256] = {
    let mut width = [0; 256];
    width[code::BININT1 as usize] = 1;
    width[code::BININT2 as usize] = 2;
    width[code::BININT as usize] = 4;
    width
};

/// The integer at `at` as two's complement, and where the next opcode is.
///
/// Which opcode a size has cannot be predicted, so there is no branch on it.
#[inline]
fn quick_int(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let head = bytes.get(at..)?.first_chunk::<11>()?;
    let is_long = head[0] == code::LONG1;
    let start = 1 + usize::from(is_long);
    let width = usize::from(if is_long { head[1] } else { WIDTH[usize::from(head[0])] });
    let data = if is_long {
        [head[2], head[3], head[4], head[5], head[6], head[7], head[8], head[9]]
    } else {
        [head[1], head[2], head[3], head[4], 0, 0, 0, 0]
    };
    let low = u64::from_le_bytes(data);
    if !(1..=8).contains(&width) {
        // 2⁶³ and above take a ninth byte for the sign.
        return (is_long && width == 9 && head[10] == 0).then_some((low, at + 11));
    }
    let unused = 64 - 8 * width as u32;
    let shifted = low << unused;
    let is_signed = is_long || head[0] == code::BININT;
    let value = if is_signed { (shifted as i64 >> unused) as u64 } else { shifted >> unused };
    Some((value, at + start + width))
}
