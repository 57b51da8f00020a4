//! The truth agrees with an independent walk over the rows.

use sample::memscope::{Dump, Generation, Kept, Moment, Stacks, Truth, bundled};

use crate::read::{Row, Slice, slices, write};
use crate::walk;

/// Everything the truth says of the rows.
pub(crate) fn check(rows: &[Row], slices: &[Slice], truth: &Truth) {
    assert_eq!(rows.len() as u64, truth.rows);
    for (event, count) in &truth.events {
        assert_eq!(rows.iter().filter(|row| row.event == *event).count() as u64, *count, "{event}");
    }
    assert_eq!(truth.events.values().sum::<u64>(), truth.rows);
    let blocks = walk::blocks(rows, truth);
    assert_eq!(walk::pools(&blocks), truth.pools);
    assert_eq!(walk::threads(slices), truth.threads);
    for moment in &truth.moments {
        let told = Moment {
            pools: moment.pools.iter().filter(|pool| pool.blocks > 0).cloned().collect(),
            ..moment.clone()
        };
        assert_eq!(walk::held(&blocks, moment), told);
    }
    assert_eq!(blocks.len() as u64, truth.blocks_in_all);
    for (block, told) in blocks.iter().zip(&truth.blocks) {
        let seen = (block.process, block.id, block.address, block.size, &block.owner);
        assert_eq!(seen, (told.process, told.id, told.address, told.size, &told.owner));
        assert_eq!((block.malloc_ns, block.free_ns), (told.malloc_ns, told.free_ns));
        if told.allocation.is_some() {
            let times = &block.accesses_ns;
            assert_eq!(times.len() as u64, told.accesses);
            assert_eq!(times.first().copied(), told.first_access_ns);
            assert_eq!(times.last().copied(), told.last_access_ns);
            let gap = times.windows(2).map(|pair| pair[1] - pair[0]).max();
            assert_eq!(gap.unwrap_or(0), told.longest_gap_ns);
        }
    }
}

fn check_dump(dump: &Dump) -> Truth {
    let written = write(dump);
    check(&written.rows(), &slices(&written.connection()), &written.truth);
    written.truth
}

#[test]
fn the_truth_is_in_the_rows_of_every_version() {
    for generation in Generation::ALL {
        let truth = check_dump(&Dump {
            generation,
            processes: 2,
            asked_ns: vec![0, 1_500_000_000],
            ..Dump::new(2)
        });
        assert_eq!(truth.moments.len(), 8, "{generation:?}");
    }
}

#[test]
fn the_truth_is_in_the_rows_of_other_runs() {
    check_dump(&Dump { seed: 7, layers: 3, stacks: Stacks::None, ..Dump::new(5) });
    check_dump(&Dump { layers: 1, ..Dump::new(0) });
    for kept in [Kept::Allocations, Kept::Hal, Kept::Pinned] {
        let truth = check_dump(&Dump { kept, ..Dump::new(2) });
        assert!(truth.threads.is_empty());
        assert!(!truth.events.contains_key("ACCESS"));
    }
}

#[test]
fn only_the_first_blocks_are_told_if_so_asked() {
    let all = check_dump(&Dump::new(3));
    let some = check_dump(&Dump { told_blocks: 10, ..Dump::new(3) });
    assert_eq!(some.blocks, all.blocks[..10]);
    assert_eq!(some.blocks_in_all, all.blocks_in_all);
}

#[test]
fn a_plan_for_many_rows_comes_near() {
    for rows in [5_000, 50_000] {
        let written = write(&Dump::of_rows(rows)).truth.rows;
        assert!(rows * 3 / 4 < written && written < rows * 5 / 4, "{written} for {rows}");
    }
}

#[test]
fn a_tensor_of_40_mib_leaks_in_each_step_of_the_bundled_dump() {
    let truth = check_dump(&bundled());
    let leaked: Vec<u64> = truth
        .moments
        .iter()
        .map(|moment| {
            let leak =
                |owner: &&sample::memscope::OwnerBytes| owner.owner == "PTA@ops@aten@leaks_mem";
            moment.owners.iter().find(leak).expect("it holds something").bytes
        })
        .collect();
    // 10 × 1024 × 1024 numbers of four bytes, 32 more that a kernel may read, in whole 512s.
    let tensor = 41_943_040 + 512;
    assert_eq!(leaked, [tensor, 2 * tensor, 3 * tensor]);
    let kept = truth.blocks.iter().filter(|block| block.free_ns.is_none());
    let kept = kept.filter(|block| block.owner.as_deref() == Some("PTA@ops@aten@leaks_mem"));
    assert_eq!(kept.count(), 3);
}

#[test]
fn totals_in_the_rows_are_those_of_the_pool() {
    let written = write(&bundled());
    for pool in ["PTA", "ATB", "PTA_WORKSPACE"] {
        let mut rows: Vec<Row> = written.rows();
        rows.retain(|row| row.kind == pool);
        rows.sort_by_key(|row| row.time);
        let mut held = 0;
        for row in rows {
            held = if row.event == "MALLOC" { held + row.size() } else { held - row.size() };
            assert_eq!(row.key("used"), Some(held.to_string()), "{row:?}");
            let total: u64 = row.key("total").expect("a total").parse().expect("a number");
            assert!(total >= held && total.is_multiple_of(2 << 20), "{row:?}");
        }
    }
}

#[test]
fn blocks_lie_in_the_drivers_blocks_and_not_in_each_other() {
    let written = write(&bundled());
    let blocks = walk::blocks(&written.rows(), &written.truth);
    let of = |pool: &str| blocks.iter().filter(move |block| block.pool == pool).collect::<Vec<_>>();
    let segments = of("HAL");
    for pool in ["PTA", "ATB", "PTA_WORKSPACE"] {
        let inner = of(pool);
        for block in &inner {
            let holds = |segment: &&walk::Block| {
                segment.address <= block.address
                    && block.address + block.size <= segment.address + segment.size
                    && segment.malloc_ns < block.malloc_ns
            };
            assert!(segments.iter().copied().any(|segment| holds(&segment)), "{block:?}");
            let meets = |other: &&&walk::Block| {
                other.id != block.id
                    && other.address < block.address + block.size
                    && block.address < other.address + other.size
                    && other.malloc_ns < block.free_ns.unwrap_or(u64::MAX)
                    && block.malloc_ns < other.free_ns.unwrap_or(u64::MAX)
            };
            assert_eq!(inner.iter().find(meets), None, "{block:?}");
        }
        // Addresses are used again.
        let mut addresses: Vec<u64> = inner.iter().map(|block| block.address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        assert!(addresses.len() < inner.len());
    }
}
