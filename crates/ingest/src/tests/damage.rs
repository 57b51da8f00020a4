//! Files that are cut, torn, hostile, or something else.

use super::{WRITERS, event, pickled, raw, sampled, shown, snapshot};
use crate::{ImportError, fuzz, open};
use job::Job;
use model::WarningKind;
use proptest::prelude::*;
use sample::pieces::Value;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

fn refusal(bytes: &[u8]) -> String {
    let error = raw(bytes).map(|_| ()).unwrap_err();
    error.to_string()
}

#[test]
fn a_cut_file_shows_what_came_before_the_cut() {
    for writer in WRITERS {
        let bytes = sampled(2000, writer);
        let all = shown::content(&raw(&bytes).unwrap().snapshot);
        for percent in [50, 99] {
            let cut = raw(&bytes[..bytes.len() * percent / 100]).unwrap();
            let events: u32 = cut.snapshot.devices.iter().map(|device| device.events.len()).sum();
            assert!(
                events > 2000 * percent as u32 / 250,
                "{events} events of {percent} % {writer:?}"
            );
            let text = shown::content(&cut.snapshot);
            let is_event = |line: &&str| line.starts_with("alloc") || line.starts_with("free");
            let prefix: Vec<&str> = text.lines().filter(is_event).collect();
            let whole: Vec<&str> = all.lines().filter(is_event).take(prefix.len()).collect();
            assert_eq!(prefix, whole);
            let warnings = cut.warnings.into_list();
            assert_eq!(warnings[0].kind, WarningKind::Truncated, "{warnings:?}");
        }
        let no_stop = raw(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(shown::content(&no_stop.snapshot), all);
    }
}

#[test]
fn an_empty_file_says_so() {
    assert!(refusal(b"").contains("the file is empty"));
}

#[test]
fn files_with_nothing_to_show_are_refused_with_the_reason() {
    let own = pickled(&Value::dict([("loss", 1.into()), ("epoch", 2.into())]));
    let cases: [(&[u8], &str); 7] = [
        (b"step,bytes\n1,2\n", "it is a text"),
        (b"SQLite format 3\0", "it is an SQLite database"),
        (b"(lp0\n.", "protocol 0 or 1"),
        (&own, "(its keys: loss, epoch)"),
        (&pickled(&Value::list([])), "an empty list"),
        (&pickled(&7.into()), "a single value"),
        (b"\x80\x04\x95", "ends in the middle"),
    ];
    for (bytes, reason) in cases {
        let said = refusal(bytes);
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_sound_snapshot_with_nothing_in_it_opens_and_says_so() {
    let read = raw(&pickled(&snapshot([], [Value::list([]), Value::list([])]))).unwrap();
    let [device] = read.snapshot.devices.as_slice() else { panic!("one device") };
    assert_eq!((device.device, device.events.len()), (model::Device::Accelerator(0), 0));
    let warnings = read.warnings.into_list();
    assert_eq!(warnings[0].kind, WarningKind::NoHistory);
    assert!(warnings[0].message.starts_with("The snapshot is empty"), "{warnings:?}");
}

#[test]
fn a_pickle_that_wants_to_run_code_is_refused_by_name() {
    let said = refusal(b"\x80\x02}X\x08\0\0\0segmentscos\nsystem\nX\x02\0\0\0id\x85Rs.");
    assert_eq!(said, "this pickle wants to run code (GLOBAL at byte 16 os.system): refused");
}

#[test]
fn padding_is_fine_and_other_bytes_after_the_end_are_told() {
    let whole = snapshot([], [Value::list([event("alloc", 16, 8, &[])])]);
    let trailing = |more: &[u8]| {
        let read = raw(&[pickled(&whole), more.to_vec()].concat()).unwrap();
        read.warnings.into_list().iter().any(|it| it.kind == WarningKind::TrailingBytes)
    };
    assert!(!trailing(b"\0\0\0"));
    assert!(trailing(b"\0\0\0\0"));
    assert!(trailing(b"more"));
}

#[test]
fn any_prefix_gives_an_error_or_warnings() {
    for writer in WRITERS {
        let bytes = sampled(40, writer);
        for end in 0..bytes.len() {
            match raw(&bytes[..end]) {
                Ok(read) => assert!(!read.warnings.into_list().is_empty(), "{end} {writer:?}"),
                Err(ImportError::Damaged { .. } | ImportError::NotRecognized { .. }) => {}
                Err(other) => panic!("{end} {writer:?}: {other}"),
            }
        }
    }
}

#[test]
fn cancelling_at_any_step_ends_the_work() {
    let bytes = sampled(2000, WRITERS[0]);
    let steps = AtomicU32::new(0);
    let steps = Arc::new(steps);
    let count = Arc::clone(&steps);
    let job = Job::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    open::read(&bytes, Path::new("unknown"), &job).unwrap();
    let all = steps.load(Ordering::Relaxed);
    assert!(all > 2, "{all} steps");
    for stop in 0..all {
        let handle: Arc<Mutex<Option<Job>>> = Arc::default();
        let (inner, left) = (Arc::clone(&handle), AtomicU32::new(stop));
        let job = Job::new(move |_| {
            if left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| it.checked_sub(1))
                .is_err()
                && let Some(job) = &*inner.lock().unwrap()
            {
                job.cancel();
            }
        });
        *handle.lock().unwrap() = Some(job.clone());
        let read = open::read(&bytes, Path::new("unknown"), &job);
        // A cancellation after the last look at the job comes too late.
        let is_cancelled = matches!(read, Err(ImportError::Cancelled(_)));
        assert!(is_cancelled || stop + 1 == all, "step {stop} of {all}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_make_a_reader_panic(
        writer in prop::sample::select(WRITERS.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8),
    ) {
        let mut bytes = SMALL.with(|small| small[usize::from(writer == WRITERS[4])].clone());
        for (place, byte, way) in changes {
            let at = place.index(bytes.len());
            match way {
                0 => bytes[at] = byte,
                1 => bytes[at] ^= 1 << (byte % 8),
                2 => { bytes.remove(at); }
                _ => bytes.insert(at, byte),
            }
        }
        fuzz::check(&bytes);
    }
}

thread_local! {
    static SMALL: [Vec<u8>; 2] = [sampled(60, WRITERS[0]), sampled(60, WRITERS[4])];
}
