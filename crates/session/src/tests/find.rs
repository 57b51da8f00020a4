//! What a text leads to equals what a walk over everything finds.

use super::dump::dump;
use super::{STORY, session};
use crate::*;
use proptest::prelude::*;
use std::fmt::Write as _;

fn find(session: &Session, text: &str) -> Finding {
    let sought = Sought { text: text.to_owned(), most: 20 };
    session.device(0).unwrap().find(&sought, &Job::unwatched()).unwrap()
}

fn rows(finding: &Finding) -> Vec<u32> {
    finding.blocks.first.iter().map(|block| block.0).collect()
}

#[test]
fn an_address_leads_to_who_held_it_the_newest_first() {
    let session = session(STORY);
    // `a` had it, then `c`.
    let found = find(&session, "0x100ff");
    assert_eq!((found.address, rows(&found)), (Some(0x100ff), vec![4, 2]));
    assert_eq!(found.segments.first, [SegmentId(0)]);
    assert_eq!(rows(&find(&session, "65791")), [4, 2]);
    assert_eq!(rows(&find(&session, "100ff")), [4, 2]);
    assert_eq!(find(&session, "0x12000").segments.all, 0);
    let edge = "+ a 0xfffffffffffffe00 512 512 -\n+ b 0xffff000000000000 512 512 -";
    let session = super::session(edge);
    assert_eq!(rows(&find(&session, "18446744073709551615")), [0]);
    assert_eq!(rows(&find(&session, "0xffff0000000001ff")), [1]);
    assert_eq!(rows(&find(&session, "0xffff000000000200")), [0; 0]);
}

#[test]
fn a_number_leads_to_the_event_and_to_the_block_called_so() {
    let session = session(STORY);
    let found = find(&session, "#1");
    assert_eq!((found.event, rows(&found), found.address), (Some(EventId(1)), vec![2], None));
    // Event 3 frees: no block is called so.
    let found = find(&session, "3");
    assert_eq!((found.event, rows(&found)), (Some(EventId(3)), vec![]));
    assert_eq!(rows(&find(&session, "-2")), [1]);
    assert_eq!(find(&session, "#12").event, None);
    assert_eq!(find(&session, "  "), Finding::default());
}

#[test]
fn what_frames_say_leads_to_stacks_with_the_innermost_frame_that_says_so() {
    let session = session(STORY);
    let found = find(&session, "LINEAR");
    let (all, stacks) = (found.stacks.all, found.stacks.first);
    // `lib` has the ghost and b, `main` a and c: 512 + 2048 bytes, 1024 + 512 bytes.
    let sizes: Vec<_> =
        stacks.iter().map(|hit| (hit.stack.0, hit.blocks.size, hit.newest.0)).collect();
    assert_eq!((all, sizes), (2, vec![(2, 2560, 3), (1, 1536, 4)]));
    assert_eq!(session.frame_line(stacks[0].frame), "functional.py:2374 linear");
    assert_eq!(find(&session, "mlp.py:62").stacks.all, 1);
    assert_eq!(find(&session, "nobody").stacks.all, 0);
}

#[test]
fn what_ranges_are_called_leads_to_their_events() {
    let session = session(STORY);
    let found = find(&session, "step#1");
    let events: Vec<_> = found.ranges.first.iter().map(|range| range.events).collect();
    // 45 ns from the first event, one each 10.
    assert_eq!(events, [Some((EventId(0), EventId(4)))]);
    let found = find(&session, "forward");
    let events: Vec<_> = found.ranges.first.iter().map(|range| range.events).collect();
    assert_eq!(events.len(), found.ranges.all);
    assert!(events.contains(&Some((EventId(1), EventId(11)))), "{events:?}");
}

#[test]
fn owners_are_found_by_their_own_level() {
    let lives = [
        ("PTA", "PTA@ops@aten", 512, 10, None),
        ("PTA", "PTA@ops", 1024, 20, Some(30)),
        ("PTA", "PTA@optimizer_state", 256, 40, None),
    ];
    let session = Session::new(dump(&lives, &[]), &Job::unwatched()).unwrap();
    let owners = |text| {
        let found = find(&session, text).owners;
        let all = found.first.iter().map(|hit| (hit.tag.clone(), hit.blocks.size));
        (all.collect::<Vec<_>>(), found.all)
    };
    assert_eq!(owners("OPS"), (vec![("PTA@ops".to_owned(), 1536)], 1));
    let both = vec![("PTA@ops".to_owned(), 1536), ("PTA@optimizer_state".to_owned(), 256)];
    assert_eq!(owners("op"), (both, 2));
    assert_eq!(owners("pta").0, [("PTA".to_owned(), 1792)]);
    assert_eq!(owners("aten").0, [("PTA@ops@aten".to_owned(), 512)]);
}

#[test]
fn a_search_that_is_not_wanted_any_more_stops() {
    let session = session(STORY);
    let job = Job::unwatched();
    job.cancel();
    let sought = Sought { text: "forward".to_owned(), most: 20 };
    assert_eq!(session.device(0).unwrap().find(&sought, &job).err(), Some(Cancelled));
}

/// Blocks, also above 2⁶³, that share addresses one after the other.
fn lives() -> impl Strategy<Value = Vec<(u64, u64, usize)>> {
    let base = prop_oneof![Just(0x1000_u64), Just(0x7fff_ffff_ffff_f000), Just(u64::MAX - 0xfff)];
    let life = (base, 0..8_u64, 0..4_u64, 0..4_usize)
        .prop_map(|(base, cell, cells, stack)| (base + cell * 512, cells * 512, stack));
    prop::collection::vec(life, 1..60)
}

proptest! {
    #[test]
    fn lists_are_the_first_of_all_that_a_walk_finds(
        lives in lives(),
        place in any::<prop::sample::Index>(),
        inside in 0..2048_u64,
        most in 0..6_usize,
    ) {
        const NAMES: [&str; 4] = ["main", "lib", "-", "()"];
        let mut text = String::new();
        for (row, (addr, size, stack)) in lives.iter().enumerate() {
            writeln!(text, "+ {row} {addr} {size} {size} {}\n- {row}\nx {row}", NAMES[*stack]).unwrap();
        }
        let session = session(&text);
        let device = session.device(0).unwrap();
        let wanted = place.get(&lives).0.saturating_add(inside);
        let sought = |text: String| Sought { text, most };
        let found = device.find(&sought(format!("{wanted:#x}")), &Job::unwatched()).unwrap();
        let holds = |(addr, size, _): &(u64, u64, usize)| {
            let last = u128::from(*addr) + u128::from(*size).max(1) - 1;
            u128::from(*addr) <= u128::from(wanted) && u128::from(wanted) <= last
        };
        let mut holders: Vec<BlockId> = (0..lives.len() as u32)
            .rev()
            .filter(|row| holds(&lives[*row as usize]))
            .map(BlockId)
            .collect();
        prop_assert_eq!(found.blocks.all, holders.len());
        holders.truncate(most);
        prop_assert_eq!(found.blocks.first, holders);

        let found = device.find(&sought("linear".to_owned()), &Job::unwatched()).unwrap();
        for (stack, id) in [(0, 1), (1, 2)] {
            let own: Vec<usize> = (0..lives.len()).filter(|row| lives[*row].2 == stack).collect();
            let hit = found.stacks.first.iter().find(|hit| hit.stack == StackId(id));
            let Some(hit) = hit else {
                prop_assert!(own.is_empty() || most < found.stacks.all);
                continue;
            };
            prop_assert_eq!(hit.blocks.count as usize, own.len());
            prop_assert_eq!(hit.blocks.size, own.iter().map(|row| lives[*row].1).sum::<u64>());
            prop_assert_eq!(Some(hit.newest.row()), own.last().copied());
        }
    }
}
