//! How blocks are used, against a slow walk over the rows, for any rows.

use super::exported;
use acceptance::info;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

/// Something that happens to one of few addresses at one of few moments.
#[derive(Debug, Clone, Copy)]
struct Did {
    at: u64,
    place: u64,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Malloc,
    Free,
    /// So many bytes into the block.
    Access(u64),
}

/// A moment in 2023.
const ZERO: u64 = 1_700_000_000_000_000_000;
/// Bytes of each block.
const SIZE: u64 = 64;

fn did() -> impl Strategy<Value = Did> {
    let what = prop_oneof![
        2 => Just(What::Malloc),
        1 => Just(What::Free),
        4 => (0..SIZE).prop_map(What::Access),
    ];
    (0_u64..60, 0_u64..3, what).prop_map(|(at, place, what)| Did { at, place, what })
}

fn address(did: Did) -> u64 {
    let inside = if let What::Access(offset) = did.what { offset } else { 0 };
    0x12c0_0000_0000 + did.place * 4096 + inside
}

/// The rows as a collector without allocation ids writes them, in any order.
fn text(all: &[Did]) -> String {
    let head = "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr\n";
    let start = format!("0,SYSTEM,START_TRACE,N/A,{ZERO},7,7,N/A,N/A,{{}}\n");
    let mut text = format!("{head}{start}");
    for (id, did) in all.iter().enumerate() {
        let (event, kind) = match did.what {
            What::Malloc => ("MALLOC", "PTA"),
            What::Free => ("FREE", "PTA"),
            What::Access(_) => ("ACCESS", "READ"),
        };
        let (at, address) = (ZERO + did.at, address(*did));
        let size = if event == "ACCESS" { 4 } else { SIZE };
        let attr = format!("\"{{addr:{address},size:{size},type:PTA}}\"");
        let id = id + 1;
        writeln!(text, "{id},{event},{kind},N/A,{at},7,7,0,{address:#018x},{attr}").unwrap();
    }
    text
}

/// A block with its uses: when it begins (none: before) and ends by a free, how often, when first,
/// when last, the longest gap.
type Used = (Option<u64>, Option<u64>, usize, Option<u64>, Option<u64>, u64);

/// All blocks in the order they are numbered: those from before by address, then by allocation.
fn slow(all: &[Did]) -> Vec<Used> {
    let mut sorted: Vec<Did> = all.to_vec();
    // Of one moment in the order of ids, which is that of the list.
    sorted.sort_by_key(|did| did.at);
    let mut found: Vec<((u64, usize), Used)> = Vec::new();
    let of = |row: usize, other: usize| sorted[row].place == sorted[other].place;
    let memory = |row: usize| !matches!(sorted[row].what, What::Access(_));
    for row in (0..sorted.len()).filter(|row| memory(*row)) {
        let is_malloc = sorted[row].what == What::Malloc;
        let is_first = !(0..row).any(|other| memory(other) && of(row, other));
        if !is_malloc && !is_first {
            continue;
        }
        // Rows of its life: from its allocation, or the beginning, to what comes next to its place.
        let next = (row + 1..sorted.len()).find(|next| memory(*next) && of(row, *next));
        let (from, to) = if is_malloc { (row, next) } else { (0, Some(row)) };
        let times: Vec<u64> = (from..to.unwrap_or(sorted.len()))
            .filter(|other| !memory(*other) && of(row, *other))
            .map(|other| sorted[other].at)
            .collect();
        let gap = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let end = to.filter(|end| sorted[*end].what == What::Free).map(|end| sorted[end].at);
        let begin = is_malloc.then(|| sorted[row].at);
        let order = if is_malloc { (1, row) } else { (0, sorted[row].place as usize) };
        let used = (begin, end, times.len(), times.first().copied(), times.last().copied(), gap);
        found.push((order, used));
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, used)| used).collect()
}

fn read(path: &Path) -> Vec<Used> {
    let columns =
        "malloc_time_ns,free_time_ns,accesses,first_access_ns,last_access_ns,longest_gap_ns";
    let used = |cells: Vec<String>| {
        let number = |cell: usize| cells[cell].parse::<u64>().ok();
        let gap = number(5).unwrap();
        (number(0), number(1), number(2).unwrap() as usize, number(3), number(4), gap)
    };
    exported(path, "blocks", 0, columns).into_iter().map(used).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn uses_of_blocks_are_those_of_a_slow_walk(all in prop::collection::vec(did(), 1..50)) {
        let expected = slow(&all);
        prop_assume!(!expected.is_empty());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memscope_dump_20231114221320.csv");
        std::fs::write(&path, text(&all)).unwrap();
        prop_assert_eq!(read(&path), &expected[..]);
        // Accesses that are in no block are counted, and are in no block.
        let placed: usize = expected.iter().map(|used| used.2).sum();
        let accesses = all.iter().filter(|did| matches!(did.what, What::Access(_))).count();
        let remarks = info(&path).remarks;
        let unknown = remarks.iter().find(|remark| remark.code == "unknown_access");
        let unknown = unknown.map_or(0, |remark| remark.count as usize);
        prop_assert_eq!(placed + unknown, accesses);
    }
}
