//! Flame graphs survive their encoding; questions that make no sense are refused; the fixture that
//! the page's decoder is tested with is fresh.

use super::scene::Reader;
use crate::{FLAME_MAGIC, FlameQuestion, Names, Narrow, encode_flame, flame_bytes, slice, threads};
use proptest::prelude::*;
use serde_json::json;
use session::{Flame, Job};
use std::path::PathBuf;

/// The inverse of [`encode_flame`], written from its description.
fn decode(bytes: &[u8]) -> (Flame, Names) {
    let mut from = Reader(bytes);
    let head = from.words(8);
    assert_eq!((head[0], head[1]), (FLAME_MAGIC, 1));
    let [m, t, b] = [head[2], head[3], head[4]].map(|count| count as usize);
    let edges = from.floats(2);
    let (x0, x1) = (from.floats(m), from.floats(m));
    let (depth, slice, count, hits) = (from.words(m), from.words(m), from.words(m), from.words(m));
    let (key, label) = (from.words(m), from.words(m));
    let ends = from.words(t);
    let text = String::from_utf8(from.0.to_vec()).unwrap();
    assert_eq!(text.len(), b);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let labels = starts.zip(&ends).map(|(from, to)| text[from as usize..*to as usize].to_owned());
    let labels = labels.collect();
    let selected = (head[6] == 1).then(|| (edges[0], edges[1], head[7]));
    let crowded = head[5];
    (Flame { x0, x1, depth, slice, count, hits, selected, crowded }, Names { key, label, labels })
}

fn scenes() -> impl Strategy<Value = (Flame, Names)> {
    (0..20_usize).prop_flat_map(|m| {
        let floats = || prop::collection::vec(-1e6_f32..1e6, m);
        let words = || prop::collection::vec(any::<u32>(), m);
        let selected = prop::option::of((-1e6_f32..1e6, -1e6_f32..1e6, any::<u32>()));
        let labels = prop::collection::vec(".{0,9}", 0..9);
        let columns = (floats(), floats(), words(), words(), words(), words());
        (columns, words(), words(), labels, selected, any::<u32>()).prop_map(
            |((x0, x1, depth, slice, count, hits), key, label, labels, selected, crowded)| {
                let flame = Flame { x0, x1, depth, slice, count, hits, selected, crowded };
                (flame, Names { key, label, labels })
            },
        )
    })
}

proptest! {
    #[test]
    fn a_flame_graph_survives_its_encoding((flame, names) in scenes()) {
        prop_assert_eq!(decode(&encode_flame(&flame, &names)), (flame, names));
    }
}

/// Small, and every value different from its neighbours; all exact in binary.
fn fixture() -> (Flame, Names) {
    let flame = Flame {
        x0: vec![-4.5, 10.0, 64.25],
        x1: vec![90.5, 60.0, 64.5],
        depth: vec![0, 1, 1],
        slice: vec![0, 3, 4_000_000_000],
        count: vec![1, 1, 70_000],
        hits: vec![0, 1, 9],
        selected: Some((10.0, 60.0, 1)),
        crowded: 12,
    };
    let names = Names {
        key: vec![5, 2_147_483_647, u32::MAX],
        label: vec![2, 1, 0],
        labels: vec!["train_one_step".to_owned(), "训练 <module>".to_owned()],
    };
    (flame, names)
}

/// What a decoder must find in `flame.bin`.
fn content(flame: &Flame, names: &Names) -> String {
    let (left, right, depth) = flame.selected.unwrap();
    let content = json!({
        "x0": flame.x0, "x1": flame.x1, "depth": flame.depth, "slice": flame.slice,
        "count": flame.count, "hits": flame.hits, "key": names.key, "label": names.label,
        "labels": names.labels, "crowded": flame.crowded,
        "selected": { "x0": left, "x1": right, "depth": depth },
    });
    serde_json::to_string_pretty(&content).unwrap() + "\n"
}

/// `TIDEMARK_FIXTURES=write cargo test -p wire` remakes the two files.
#[test]
fn the_fixture_of_the_pages_flame_decoder_is_fresh() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let (flame, names) = fixture();
    let (bytes, text) = (encode_flame(&flame, &names), content(&flame, &names));
    if std::env::var_os("TIDEMARK_FIXTURES").is_some_and(|value| value == "write") {
        std::fs::write(folder.join("flame.bin"), &bytes).unwrap();
        std::fs::write(folder.join("flame.json"), &text).unwrap();
    }
    assert_eq!(std::fs::read(folder.join("flame.bin")).unwrap(), bytes);
    assert_eq!(std::fs::read_to_string(folder.join("flame.json")).unwrap(), text);
    assert_eq!(decode(&bytes), fixture());
}

#[test]
fn a_recording_without_threads_has_none_to_ask() {
    let session = super::nonsense::session();
    assert_eq!(threads(&session), []);
    let question = FlameQuestion {
        session: 0,
        thread: 0,
        x0: 0.0,
        x1: 1.0,
        first_depth: 0,
        depths: 9,
        width_px: 100,
        narrow: Narrow::Joined,
        selected: None,
        search: None,
    };
    let refused = flame_bytes(&session, &question, &Job::unwatched()).unwrap_err();
    assert_eq!(refused.message, "no thread in row 0: the recording has 0");
    assert!(slice(&session, 0, 0, None, &Job::unwatched()).is_err());
}
