//! How two moments differ, as an answer.

use super::nonsense;
use crate::{DiffBy, DiffQuestion, DiffSideQuestion, ErrorCode, MomentQuestion, diff};

fn question(from: MomentQuestion, to: MomentQuestion, top: u32) -> DiffQuestion {
    let side = |at| DiffSideQuestion { session: 0, device: 0, at: Some(at) };
    DiffQuestion {
        a: side(from),
        b: side(to),
        by: DiffBy::Stack,
        top,
        unchanged: false,
        steps: true,
    }
}

#[test]
fn two_moments_of_one_recording_are_compared() {
    let session = nonsense::session();
    // Times of a snapshot count from its first event: 10 µs later the second block is there.
    let (start, later) = (MomentQuestion::Event { event: -1.0 }, MomentQuestion::Time { us: 10.0 });
    let found = diff(&session, &session, &question(start, later, 9)).unwrap();
    assert_eq!((found.a.event, found.b.event, found.change), (-1, 1, 1024));
    assert_eq!(found.rows.len(), 1);
    let row = &found.rows[0];
    assert_eq!((row.lines.as_ref(), row.change, row.change_count), (None, 1024, 2));
    assert!((row.share - 100.0).abs() < 1e-9);
    assert_eq!((found.smaller.rows, found.unchanged.rows), (0, 0));

    // What is not listed is still told.
    let found = diff(&session, &session, &question(start, later, 0)).unwrap();
    assert_eq!((found.rows.len(), found.smaller.rows, found.smaller.b.size), (0, 1, 1024));

    let found = diff(&session, &session, &question(later, later, 9)).unwrap();
    assert_eq!((found.change, found.rows.len(), found.unchanged.a.count), (0, 0, 2));
}

#[test]
fn moments_far_away_are_clamped_and_owners_of_a_snapshot_refused() {
    let session = nonsense::session();
    for at in [f64::NAN, f64::INFINITY, 1e300] {
        for moment in [MomentQuestion::Event { event: at }, MomentQuestion::Time { us: at }] {
            let found = diff(&session, &session, &question(moment, moment, 1)).unwrap();
            assert!((-1..3).contains(&found.a.event));
        }
    }
    let start = MomentQuestion::Event { event: 0.0 };
    let by_owner = DiffQuestion { by: DiffBy::Owner, ..question(start, start, 1) };
    let refused = diff(&session, &session, &by_owner).unwrap_err();
    assert_eq!(refused.code, ErrorCode::Bug);
    assert!(refused.message.contains("both recordings are snapshots"), "{refused}");
    let mut nowhere = question(start, start, 1);
    nowhere.b.device = 7;
    assert!(diff(&session, &session, &nowhere).is_err());
}
