//! Dumps with something out of the ordinary in them: the rule of how each is read, and the right
//! values that follow from it.

use super::expected::{Expected, Lived};
use super::held::Held;
use super::plans::{check, oracle_agrees, rows_agree, small};
use acceptance::info;
use sample::memscope::{BlockTruth, Dump, Format, Oddities, Scope, Truth};
use session::Session;
use wire::Summary;

/// A plan with one oddity.
fn with(name: &str) -> Dump {
    Dump { oddities: Oddities::default().and(name).unwrap(), ..small() }
}

/// Writes `plan`; `right` says what is otherwise than the generator's truth; all is compared.
fn check_with(plan: &Dump, right: impl FnOnce(&mut Expected, &Truth, &Session)) {
    let folder = tempfile::tempdir().unwrap();
    let (path, truth) = plan.write_in(folder.path()).unwrap();
    let mut expected = Expected::new(&truth);
    oracle_agrees(&expected, &truth);
    right(&mut expected, &truth, &acceptance::open(&path));
    let held = Held::new(&path, &truth, &expected);
    rows_agree(&held, plan);
    held.agrees();
    held.blocks_agree();
    held.threads_agree();
}

/// What the file says in the first of the odd rows.
struct OddRow {
    id: u64,
    at_ns: u64,
    address: u64,
    allocation: u64,
}

fn odd_row(truth: &Truth, session: &Session) -> OddRow {
    let rows = &session.recording().dump.as_deref().unwrap().rows;
    let id = truth.odd[0].ids[0];
    let place = rows.id[..].iter().position(|own| *own as u64 == id).unwrap();
    let (at_ns, address) = (rows.time_ns[place] as u64, rows.ptr(place).unwrap());
    // The first of the numbers that are kept apart.
    OddRow { id, at_ns, address, allocation: rows.slots[0][place] as u64 }
}

/// The remark `code` of the dump that `plan` makes.
fn remarked(plan: &Dump, code: &str) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = plan.write_in(folder.path()).unwrap();
    remark(&info(&path), code)
}

fn remark(summary: &Summary, code: &str) -> Option<u64> {
    summary.remarks.iter().find(|remark| remark.code == code).map(|remark| remark.count)
}

/// Whatever is odd about these, no block, sum or call is another.
#[test]
fn what_is_odd_beside_memory_changes_nothing() {
    for name in [
        "level_tags",
        "shadow",
        "empty_trace",
        "out_of_memory",
        "snapshots",
        "unknown_event",
        "inefficient",
        "quoted_stacks",
        "remade",
        "null_attr",
        "read_only",
        "owner_quote",
        "owner_colon",
        "dangling_access",
        "foreign_access",
    ] {
        acceptance::say(name);
        check(&with(name));
    }
}

#[test]
fn the_same_holds_in_texts() {
    for name in ["level_tags", "shadow", "out_of_memory", "snapshots", "unknown_event"] {
        check(&Dump { format: Format::Csv, ..with(name) });
    }
}

/// Everything at once that leaves memory as it is, in both kinds of files and for several processes.
#[test]
fn what_is_odd_may_come_together() {
    let names = [
        "level_tags",
        "shadow",
        "out_of_memory",
        "snapshots",
        "unknown_event",
        "inefficient",
        "quoted_stacks",
        "null_attr",
        "owner_quote",
        "dangling_access",
        "foreign_access",
    ];
    let mut oddities = Oddities::default();
    for name in names {
        oddities = oddities.and(name).unwrap();
    }
    for (format, scope) in [
        (Format::Database, Scope::OneFile),
        (Format::Database, Scope::FilePerDevice),
        (Format::Csv, Scope::FilePerDevice),
    ] {
        check(&Dump { oddities, format, scope, processes: 2, ..small() });
    }
}

/// A block that something else is put in the place of has ended, though its free was not recorded.
/// What then frees the address frees the newer one.
#[test]
fn a_second_allocation_at_an_address_ends_the_first() {
    let plan = with("double_malloc");
    check_with(&plan, |expected, truth, session| {
        let row = odd_row(truth, session);
        let older = expected.blocks.iter_mut().find(|block| {
            (block.told.pool.as_str(), block.told.address) == ("PTA", row.address)
                && block.is_there(row.at_ns)
        });
        let older = older.unwrap();
        let newer = Lived {
            told: BlockTruth {
                id: row.id,
                allocation: Some(row.allocation),
                owner: None,
                malloc_ns: row.at_ns,
                accesses: 0,
                first_access_ns: None,
                last_access_ns: None,
                longest_gap_ns: 0,
                ..older.told.clone()
            },
            ..older.clone()
        };
        older.told.free_ns = None;
        older.end_ns = Some(row.at_ns);
        expected.blocks.push(newer);
    });
    assert_eq!(remarked(&plan, "contradiction"), Some(1));
}

/// A free of memory that nothing allocated is the end of a block from before the recording.
#[test]
fn a_free_alone_is_of_a_block_from_before() {
    check_with(&with("free_only"), |expected, truth, session| {
        let row = odd_row(truth, session);
        let told = BlockTruth {
            process: truth.pools[0].process,
            device: "0".to_owned(),
            pool: "PTA".to_owned(),
            allocation: Some(row.allocation),
            address: row.address,
            size: 4096,
            free_ns: Some(row.at_ns),
            ..BlockTruth::default()
        };
        expected.blocks.push(Lived { told, end_ns: Some(row.at_ns), was_before: true });
    });
}

/// Nothing lies where these accesses went: they are rows and belong to no block, and that is said.
#[test]
fn accesses_of_unknown_memory_are_remarked() {
    assert_eq!(remarked(&with("dangling_access"), "unknown_access"), Some(2));
    assert_eq!(remarked(&with("foreign_access"), "unknown_access"), Some(1));
    assert_eq!(remarked(&small(), "unknown_access"), None);
}
