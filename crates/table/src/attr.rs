//! The attributes of events and blocks: few templates, and numbers in them.

use crate::Needle;
use crate::inefficient::{Flags, Inefficiency};
use model::Slot;

/// Whether every text made of `template` has `needle` in it, or none has; `None` when that depends
/// on the numbers.
pub(crate) fn says(template: &str, needle: &Needle) -> Option<bool> {
    if template.contains(Slot::VERBATIM) {
        return None;
    }
    let mut parts = template.split(is_mark);
    if parts.any(|part| needle.is_in(part)) {
        return Some(true);
    }
    (!template.contains(is_mark) || !needle.meets_numbers()).then_some(false)
}

fn is_mark(letter: char) -> bool {
    letter == Slot::PTR_HEX
        || letter == Slot::PTR_DECIMAL
        || Slot::ALL.into_iter().any(|slot| slot.mark() == letter)
}

/// The template of a block's attributes: its allocation's number and what is inefficient about it
/// first, then what else `malloc`, the template of its allocation, has.
pub(crate) fn of_block(malloc: &str, flags: Flags) -> String {
    let malloc = malloc.trim();
    let inside = malloc.strip_prefix('{').and_then(|inside| inside.strip_suffix('}'));
    let inside = inside.unwrap_or(malloc);
    let is_quoted = inside.is_empty() || inside.contains('"');
    let pair = |key: &str, value: &str| {
        if is_quoted { format!("\"{key}\":\"{value}\"") } else { format!("{key}:{value}") }
    };
    let mut pairs = vec![pair(ALLOCATION, &Slot::Allocation.mark().to_string())];
    let words = Inefficiency::ALL.map(|one| (one.name(), flags.has(one)));
    pairs.extend(words.map(|(name, is_so)| pair(name, if is_so { "true" } else { "false" })));
    let rest = without_allocation(inside);
    if !rest.trim().is_empty() {
        pairs.push(rest);
    }
    format!("{{{}}}", pairs.join(","))
}

const ALLOCATION: &str = "allocation_id";

/// `inside` without its own `allocation_id`.
fn without_allocation(inside: &str) -> String {
    let mark = Slot::Allocation.mark();
    for pair in [
        format!("\"{ALLOCATION}\":\"{mark}\""),
        format!("\"{ALLOCATION}\": \"{mark}\""),
        format!("{ALLOCATION}:{mark}"),
    ] {
        let Some((before, after)) = inside.split_once(&pair) else { continue };
        let before = before.trim_end().trim_end_matches(',');
        let after = after.trim_start().trim_start_matches(',').trim_start();
        let comma = if before.is_empty() || after.is_empty() { "" } else { "," };
        return format!("{before}{comma}{after}");
    }
    inside.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_block_says_its_allocation_and_its_flags_first() {
        let none = Flags::default();
        let late = Flags::of(2);
        assert_eq!(
            of_block("{\"allocation_id\":\"\u{1}\",\"addr\":\"\u{10}\",\"owner\":\"PTA\"}", late),
            "{\"allocation_id\":\"\u{1}\",\"lazy_used\":\"false\",\"delayed_free\":\"true\",\
             \"long_idle\":\"false\",\"addr\":\"\u{10}\",\"owner\":\"PTA\"}"
        );
        assert_eq!(
            of_block("{size:\u{2},allocation_id:\u{1},total:\u{3}}", none),
            "{allocation_id:\u{1},lazy_used:false,delayed_free:false,long_idle:false,\
             size:\u{2},total:\u{3}}"
        );
        let bare = "{\"allocation_id\":\"\u{1}\",\"lazy_used\":\"false\",\
                    \"delayed_free\":\"false\",\"long_idle\":\"false\"}";
        assert_eq!(of_block("{}", none), bare);
        assert_eq!(of_block("", none), bare);
    }

    proptest! {
        #[test]
        fn what_is_known_of_a_template_is_true_of_its_texts(
            template in "[ae:,]{0,3}\u{1}[0x\"b]{0,2}\u{10}[a-c-]{0,2}",
            needle in "[abcex0-9:,\"-]{0,4}",
            number in -20i64..200,
            ptr in 0u64..0x1_0000,
        ) {
            let needle = Needle::new(&needle);
            let text = template
                .replace('\u{1}', &number.to_string())
                .replace('\u{10}', &format!("{ptr:#018x}"));
            if let Some(known) = says(&template, &needle) {
                prop_assert_eq!(known, needle.is_in(&text));
            }
        }
    }
}
