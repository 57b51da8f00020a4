//! The column `Attr`: few templates, and numbers in columns of their own.

use super::cells::decimal;
use super::pairs::{Pairs, pairs};
use model::{DumpRows, Slot};

/// The numbers of a row by [`Slot`]; 0 where it has none.
pub(super) type Numbers = [i64; Slot::ALL.len()];

/// A character that means something in a template.
fn is_mark(byte: u8) -> bool {
    matches!(byte, 1..=4 | 0x10..=0x12)
}

/// Writes the template of `text` to `out`, and the numbers it leaves out to `numbers`; together
/// with `ptr` they give `text` back.
pub(super) fn template(text: &[u8], ptr: u64, out: &mut Vec<u8>, numbers: &mut Numbers) {
    *numbers = Numbers::default();
    if text.iter().fold(0, |any, byte| any | u8::from(*byte < 0x20)) != 0 {
        return literal(text, out);
    }
    out.clear();
    let mut taken = [false; Slot::ALL.len()];
    let mut written = 0;
    for colon in memchr::memchr_iter(b':', text) {
        if colon < written {
            continue;
        }
        let Some(subject) = subject(key_before(&text[..colon])) else { continue };
        let rest = &text[colon + 1..];
        let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'"')).count();
        let from = colon + 1 + gap;
        let len =
            text[from..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
        let value = &text[from..from + len.count()];
        let mark = match subject {
            Subject::Number(slot) if !taken[slot as usize] => canonical(value).map(|number| {
                taken[slot as usize] = true;
                numbers[slot as usize] = number;
                slot.mark()
            }),
            Subject::Number(_) => None,
            Subject::Address => own_address(value, ptr),
        };
        let Some(mark) = mark else { continue };
        out.extend_from_slice(&text[written..from]);
        // All marks are of one byte.
        out.push(mark as u8);
        written = from + value.len();
    }
    out.extend_from_slice(&text[written..]);
}

/// Writes `text` to `out` so that nothing in it is taken for a mark.
pub(super) fn literal(text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for byte in text {
        if is_mark(*byte) {
            out.push(Slot::VERBATIM as u8);
        }
        out.push(*byte);
    }
}

enum Subject {
    Number(Slot),
    Address,
}

fn subject(key: &[u8]) -> Option<Subject> {
    Some(match key {
        b"allocation_id" | b"streamId" => Subject::Number(Slot::Allocation),
        b"size" | b"taskId" => Subject::Number(Slot::Size),
        b"total" => Subject::Number(Slot::Total),
        b"used" => Subject::Number(Slot::Used),
        b"addr" => Subject::Address,
        _ => return None,
    })
}

/// The key that ends `text`, with or without quotes.
fn key_before(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = text.iter().rev().take_while(|byte| is_key(byte)).count();
    &text[text.len() - len..]
}

/// A number whose only spelling is `text`.
fn canonical(text: &[u8]) -> Option<i64> {
    match text {
        b"0" => Some(0),
        [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => decimal(text),
        _ => None,
    }
}

/// The mark for `ptr` when that is what `text` spells.
fn own_address(text: &[u8], ptr: u64) -> Option<char> {
    if ptr == DumpRows::NO_PTR {
        return None;
    }
    if let [b'0', b'x', digits @ ..] = text {
        let mut value = 0;
        for digit in digits {
            let digit = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            value = value << 4 | u64::from(digit);
        }
        return (digits.len() == 16 && value == ptr).then_some(Slot::PTR_HEX);
    }
    let is_own = canonical(text).is_some_and(|number| number >= 0 && number as u64 == ptr);
    is_own.then_some(Slot::PTR_DECIMAL)
}

/// Where a number of `Attr` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Number {
    /// The text does not have it.
    #[default]
    Absent,
    /// In the row's column.
    Slot,
    /// In the template itself.
    Stated(i64),
}

/// Which torch pool an access says it went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accessed {
    Pta,
    Atb,
}

/// What a template says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    numbers: [Number; Slot::ALL.len()],
    /// Empty: none.
    pub(super) owner: Box<str>,
    pub(super) is_shadow: bool,
    pub(super) accessed: Option<Accessed>,
    /// Whether the text breaks the rules of its format.
    pub(super) is_broken: bool,
}

impl Facts {
    /// What `template` says; `None` when a mark stands where no number can.
    pub(super) fn of(template: &str) -> Option<Self> {
        let Pairs { pairs, is_broken } = pairs(template);
        let mut facts = Self { is_broken, ..Self::default() };
        let mut owner: Option<String> = None;
        let mut last_piece = String::new();
        for (key, value) in pairs {
            let slot = match key.as_str() {
                "allocation_id" => Some(Slot::Allocation),
                "size" => Some(Slot::Size),
                "total" => Some(Slot::Total),
                "used" => Some(Slot::Used),
                _ => None,
            };
            if let Some(slot) = slot {
                facts.number(slot, &value);
                continue;
            }
            let is_known_mark = matches!(key.as_str(), "streamId" | "taskId" | "addr");
            let has_mark = |text: &str| text.bytes().any(is_mark);
            if has_mark(&key) || (has_mark(&value) && !is_known_mark) {
                return None;
            }
            match (key.as_str(), owner.as_mut()) {
                ("owner", None) => {
                    last_piece.clone_from(&value);
                    owner = Some(value);
                }
                // The collector splits at every colon and takes what lies between two for a key
                // of its own: `PTA@a:b` became `"owner":"PTA@a","PTA@a":"b"`.
                (key, Some(owner)) if key == last_piece && !key.is_empty() => {
                    owner.push(':');
                    owner.push_str(&value);
                    last_piece = value;
                }
                ("shadow", _) => facts.is_shadow = value == "true",
                ("type", _) => {
                    facts.accessed = match value.as_str() {
                        "PTA" => Some(Accessed::Pta),
                        "ATB" => Some(Accessed::Atb),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        facts.owner = owner.unwrap_or_default().into();
        Some(facts)
    }

    fn number(&mut self, slot: Slot, value: &str) {
        let known = &mut self.numbers[slot as usize];
        if *known != Number::Absent {
            return;
        }
        // What is left of a cut text may have the next key glued to it.
        let value =
            if self.is_broken { value.split('"').next().unwrap_or_default() } else { value };
        let mut letters = value.chars();
        *known = if letters.next() == Some(slot.mark()) && letters.next().is_none() {
            Number::Slot
        } else {
            match decimal(value.trim().as_bytes()) {
                Some(number) => Number::Stated(number),
                None if value.is_empty() => Number::Absent,
                None => {
                    self.is_broken = true;
                    Number::Absent
                }
            }
        };
    }

    /// The number in `slot` of a row with this template, `column` being what its column holds.
    pub(super) fn get(&self, slot: Slot, column: i64) -> Option<i64> {
        match self.numbers[slot as usize] {
            Number::Absent => None,
            Number::Slot => Some(column),
            Number::Stated(number) => Some(number),
        }
    }
}
