//! The allocator's settings.

use super::finish::field;
use super::reader::Reader;
use super::words as word;
use model::Settings;
use pickle::{Heap, Value, expand};
use std::fmt::Write;

/// Longest text of one setting, and deepest container shown in it.
const LONGEST: usize = 1 << 14;
const DEEPEST: usize = 4;

impl Reader<'_, '_> {
    /// The settings in the dict `settings`.
    pub(super) fn settings(&mut self, settings: Value, heap: &Heap<'_>) -> Settings {
        let Some(pairs) = heap.pairs(settings) else { return Settings::default() };
        let mut text = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let (mut name, mut said) = (String::new(), String::new());
            self.spell(*key, heap, 0, &mut name);
            self.spell(*value, heap, 0, &mut said);
            text.push((name, said));
        }
        // -1 and sizes no device has stand for "unlimited".
        let max_split_size = match field(heap, settings, word::MAX_SPLIT_SIZE) {
            Some(Value::Int(size)) if (0..i64::MAX).contains(&size) => Some(size as u64),
            _ => None,
        };
        let divisions = field(heap, settings, word::ROUNDUP_POWER2_DIVISIONS);
        Settings {
            text,
            max_split_size,
            expandable_segments: field(heap, settings, word::EXPANDABLE_SEGMENTS)
                == Some(Value::Bool(true)),
            roundup_power2_divisions: self.divisions(divisions.unwrap_or(Value::None), heap),
        }
    }

    fn divisions(&self, dict: Value, heap: &Heap<'_>) -> Vec<(u64, u64)> {
        let mut list = Vec::new();
        for (from, divisions) in heap.pairs(dict).unwrap_or_default() {
            let from = match heap.resolve(*from) {
                Value::Text(from) => self.texts.text(from).parse().ok(),
                from => from.bits(),
            };
            if let (Some(from), Some(divisions)) = (from, heap.resolve(*divisions).bits()) {
                list.push((from, divisions));
            }
        }
        list.sort_unstable();
        if list.iter().all(|(_, divisions)| *divisions == 0) { Vec::new() } else { list }
    }

    /// Writes `value` as text: containers as in JSON, a text alone without quotes.
    pub(super) fn spell(&self, value: Value, heap: &Heap<'_>, depth: usize, out: &mut String) {
        if out.len() > LONGEST {
            return;
        }
        let value = heap.resolve(value);
        // Writing to a string cannot fail.
        let _ = match value {
            Value::None => write!(out, "null"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Uint(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value:?}"),
            Value::Text(text) if depth == 0 => write!(out, "{}", self.texts.text(text)),
            Value::Text(text) => write!(out, "{:?}", self.texts.text(text)),
            Value::Thing(_) | Value::Rows { .. } => write!(out, "…"),
            Value::Node(_) if depth == DEEPEST => write!(out, "…"),
            Value::Node(_) => {
                self.spell_container(value, heap, depth, out);
                Ok(())
            }
        };
    }

    fn spell_container(&self, value: Value, heap: &Heap<'_>, depth: usize, out: &mut String) {
        if let Some(pairs) = heap.pairs(value) {
            out.push('{');
            for (row, (key, value)) in pairs.iter().enumerate() {
                out.push_str(if row > 0 { ", " } else { "" });
                self.spell(*key, heap, depth + 1, out);
                out.push_str(": ");
                self.spell(*value, heap, depth + 1, out);
            }
            out.push('}');
        } else if let Some(items) = heap.items(value) {
            out.push('[');
            for (row, item) in expand(items).enumerate() {
                out.push_str(if row > 0 { ", " } else { "" });
                self.spell(item, heap, depth + 1, out);
            }
            out.push(']');
        } else {
            out.push('…');
        }
    }
}
