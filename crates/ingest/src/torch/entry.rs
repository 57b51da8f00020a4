//! Trace entries, frames, stacks and pools out of plain containers.

use super::columns::Row;
use super::ids::RawNote;
use super::reader::{FRAME, POOL, ROW, Reader, STACK};
use super::words as word;
use model::{Action, Frame, FrameExtra, Pool, StackId, WarningKind};
use pickle::{Heap, Thing, Value, expand};

/// Longest text made of a list of lines.
const LONGEST_JOIN: usize = 1 << 20;

impl Reader<'_, '_> {
    /// A new row for the entry that `pairs` say, or [`Value::None`] when it had to be left out.
    pub(super) fn entry(&mut self, pairs: &[(Value, Value)], heap: &mut Heap<'_>) -> Value {
        if !self.columns.has_room() {
            self.warnings.add(WarningKind::TooLarge, "events", 1, || {
                "There are more events than this program can number; the first are shown.".into()
            });
            return Value::None;
        }
        let Some(row) = self.entry_row(pairs, heap) else { return Value::None };
        self.columns.push(&row);
        Value::Thing(Thing { kind: ROW, id: self.columns.len() - 1 })
    }

    fn entry_row(&mut self, pairs: &[(Value, Value)], heap: &mut Heap<'_>) -> Option<Row> {
        let mut row = Row::BLANK;
        let mut note = RawNote::BLANK;
        let (mut action, mut addr, mut size, mut stream) = (None, None, None, None);
        for (key, value) in pairs {
            let Value::Text(key) = heap.resolve(*key) else {
                self.bad_value("trace entry", "a key is no text");
                continue;
            };
            let value = heap.resolve(*value);
            match key {
                word::ACTION => action = self.action(value),
                word::ADDR | word::DEVICE_FREE => addr = self.bits(value, "an address"),
                word::SIZE => size = self.size(value, "the size of a trace entry"),
                word::STREAM => stream = self.bits(value, "a stream"),
                word::TIME_US => row.time_us = self.bits(value, "a time").map(|bits| bits as i64),
                word::FRAMES => row.stack = self.stack(value, heap).map_or(row.stack, |id| id.0),
                word::POOL_ID => row.pool = self.pool(value, heap).unwrap_or(row.pool),
                word::FORWARD_FRAMES => note.forward_frames = self.joined(value, heap),
                word::COMPILE_CONTEXT => note.compile_context = self.note_text(value),
                word::USER_METADATA => note.user_metadata = self.note_text(value),
                word::INTERNAL_METADATA => note.internal_metadata = self.note_text(value),
                word::CATEGORY => note.category = self.note_text(value),
                unknown => self.unknown_key("a trace entry", unknown),
            }
        }
        row.action = action.or_else(|| self.left_out("action"))?;
        if addr.is_none() && needs_address(row.action) {
            return self.left_out("address");
        }
        row.addr = addr.unwrap_or_default();
        row.size = size.or_else(|| self.filled_in("size")).unwrap_or_default();
        let stream = stream.or_else(|| self.filled_in("stream")).unwrap_or_default();
        row.stream = self.streams.number(stream);
        row.note = self.notes.number(note, &mut self.texts);
        Some(row)
    }

    fn action(&mut self, value: Value) -> Option<u8> {
        let Value::Text(name) = value else {
            self.bad_value("action", "an action is no text");
            return None;
        };
        if let Some(code) = word::action_code(name) {
            return Some(code);
        }
        let text = self.texts.text(name);
        self.warnings.add(WarningKind::UnknownAction, "action", 1, || {
            format!(
                "Events with actions this program does not know, such as {:?}, are listed and \
                 change nothing in the picture.",
                shortened(text)
            )
        });
        let name = self.texts.string(name);
        Some(self.other_actions.code(name))
    }

    /// The row of the frame that `pairs` say.
    pub(super) fn frame(&mut self, pairs: &[(Value, Value)], heap: &Heap<'_>) -> u32 {
        let (mut name, mut filename, mut line) = (word::EMPTY, word::EMPTY, None);
        let (mut extra, mut info) = (FrameExtra::default(), Value::None);
        for (key, value) in pairs {
            let Value::Text(key) = heap.resolve(*key) else { continue };
            let value = heap.resolve(*value);
            let text = if let Value::Text(text) = value { text } else { word::EMPTY };
            match key {
                word::NAME => name = text,
                word::FILENAME => filename = text,
                // 0, -1 and 2⁶⁴-1 all mean that nobody knows.
                word::LINE => {
                    line = value.bits().and_then(|bits| u32::try_from(bits).ok());
                    line = line.filter(|line| *line != 0);
                }
                word::FX_NODE_INFO => info = value,
                fx if self.fx((fx, value), heap, &mut extra) => {}
                unknown => self.unknown_key("a frame", unknown),
            }
        }
        self.fx_info(info, heap, &mut extra);
        let (name, filename) = (self.texts.string(name), self.texts.string(filename));
        self.stacks.frame(Frame { name, filename, line }, extra)
    }

    /// The stack of a list of frames; a list is looked through only once.
    pub(super) fn stack(&mut self, value: Value, heap: &mut Heap<'_>) -> Option<StackId> {
        let list = match heap.resolve(value) {
            Value::Thing(Thing { kind: STACK, id }) => return Some(StackId(id)),
            Value::None => return None,
            list => list,
        };
        let Some(items) = heap.items(list).map(<[Value]>::to_vec) else {
            self.bad_value("frames", "the frames of something are no list");
            return None;
        };
        let mut frames = Vec::with_capacity(items.len());
        for item in expand(&items) {
            match heap.resolve(item) {
                Value::Thing(Thing { kind: FRAME, id }) => frames.push(id),
                dict => match heap.pairs(dict).map(<[_]>::to_vec) {
                    Some(pairs) => {
                        let id = self.frame(&pairs, heap);
                        replace(heap, dict, Value::Thing(Thing { kind: FRAME, id }));
                        frames.push(id);
                    }
                    None => self.bad_value("frame", "a frame is no dict"),
                },
            }
        }
        let stack = self.stacks.stack(&frames);
        replace(heap, list, Value::Thing(Thing { kind: STACK, id: stack.0 }));
        Some(stack)
    }

    /// The pool that a pair of integers names.
    pub(super) fn pool(&mut self, value: Value, heap: &mut Heap<'_>) -> Option<u16> {
        let pair = match heap.resolve(value) {
            Value::Thing(Thing { kind: POOL, id }) => return Some(id as u16),
            Value::None => return None,
            pair => pair,
        };
        let numbers = heap.items(pair).and_then(|items| match items {
            [a, b] => Some((a.bits()?, b.bits()?)),
            _ => None,
        });
        let Some((a, b)) = numbers else {
            self.bad_value("pool", "a pool id is no pair of integers");
            return None;
        };
        let pool = self.pools.number(Pool(a as i64, b as i64));
        replace(heap, pair, Value::Thing(Thing { kind: POOL, id: u32::from(pool) }));
        Some(pool)
    }

    /// The lines of a list as one text; a list is joined only once.
    fn joined(&mut self, value: Value, heap: &mut Heap<'_>) -> u32 {
        let list = match heap.resolve(value) {
            Value::Text(text) => return text,
            Value::None | Value::Thing(Thing { kind: STACK, id: 0 }) => return word::EMPTY,
            list => list,
        };
        let Some(items) = heap.items(list) else {
            self.bad_value("forward_frames", "forward frames are no list");
            return word::EMPTY;
        };
        let mut all = String::new();
        for item in items {
            if let Value::Text(text) = heap.resolve(*item)
                && all.len() < LONGEST_JOIN
            {
                all.push_str(self.texts.text(text));
            }
        }
        let text = self.texts.number(all.as_bytes());
        replace(heap, list, Value::Text(text));
        text
    }

    fn note_text(&mut self, value: Value) -> u32 {
        match value {
            Value::Text(text) => text,
            Value::None => word::EMPTY,
            _ => {
                self.bad_value("text", "a text of an event is something else");
                word::EMPTY
            }
        }
    }

    /// An integer as two's complement.
    pub(super) fn bits(&mut self, value: Value, what: &'static str) -> Option<u64> {
        if value != Value::None && value.bits().is_none() {
            self.bad_value(what, "it is no integer of 64 bits");
        }
        value.bits()
    }

    /// A number of bytes.
    pub(super) fn size(&mut self, value: Value, what: &'static str) -> Option<u64> {
        match value {
            Value::Int(size) if size >= 0 => Some(size as u64),
            Value::None => None,
            _ => {
                self.bad_value(what, "it is no number of bytes");
                None
            }
        }
    }

    fn left_out<T>(&self, key: &'static str) -> Option<T> {
        self.warnings.add(WarningKind::MissingField, key, 1, || {
            format!("Events without {key} were left out.")
        });
        None
    }

    fn filled_in<T>(&self, key: &'static str) -> Option<T> {
        self.warnings.add(WarningKind::MissingField, key, 1, || {
            format!("Events without {key} count as if it were 0.")
        });
        None
    }

    pub(super) fn bad_value(&self, what: &'static str, problem: &'static str) {
        self.warnings.add(WarningKind::BadValue, what, 1, || {
            format!("Values of the wrong sort were passed over ({what}: {problem}).")
        });
    }

    pub(super) fn unknown_key(&self, place: &'static str, key: u32) {
        let key = self.texts.text(key);
        self.warnings.add(WarningKind::UnknownKey, place, 1, || {
            format!(
                "Keys this program does not know, such as {:?} in {place}, were passed over.",
                shortened(key)
            )
        });
    }
}

/// Puts `value` in the place of the container that `container` refers to.
fn replace(heap: &mut Heap<'_>, container: Value, value: Value) {
    if let Value::Node(id) = container {
        heap.take(id, value);
    }
}

/// Whether an event with this action is about an address.
fn needs_address(action: u8) -> bool {
    !matches!(
        Action::from_code(action),
        Action::Oom | Action::Snapshot | Action::UserDefined | Action::Other(_)
    )
}

/// The beginning of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
