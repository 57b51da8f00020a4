//! Scenes survive their encoding; the fixture that the page's decoder is tested with is fresh.

use crate::{MAGIC, VERSION, encode_scene};
use proptest::prelude::*;
use serde_json::json;
use session::{Bands, Columns, Scene};
use std::path::PathBuf;

/// Reads little-endian values from the front.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn take<const N: usize, T>(&mut self, count: usize, read: fn([u8; N]) -> T) -> Vec<T> {
        let (values, rest) = self.0.split_at(count * N);
        self.0 = rest;
        values.chunks_exact(N).map(|bytes| read(bytes.try_into().unwrap())).collect()
    }

    pub(super) fn words(&mut self, count: usize) -> Vec<u32> {
        self.take(count, u32::from_le_bytes)
    }

    pub(super) fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(count, f32::from_le_bytes)
    }

    fn doubles(&mut self, count: usize) -> Vec<f64> {
        self.take(count, f64::from_le_bytes)
    }

    fn bands(&mut self, count: usize) -> Bands {
        Bands {
            x0: self.floats(count),
            x1: self.floats(count),
            top: self.floats(count),
            bottom: self.floats(count),
            block: self.words(count),
            key: self.words(count),
        }
    }
}

/// The inverse of [`encode_scene`], written from its description.
fn decode(bytes: &[u8]) -> Scene {
    let mut from = Reader(bytes);
    let head = from.words(8);
    assert_eq!((head[0], head[1]), (MAGIC, VERSION));
    assert_eq!(head[5..], [0, 0, 0]);
    let (n, m, k) = (head[2] as usize, head[3] as usize, head[4] as usize);
    let most = from.doubles(4);
    let (allocated, remainder) = (from.doubles(n), from.doubles(n));
    let (edge, state) = (from.floats(n + 1), from.words(n));
    let lines = std::array::from_fn(|_| std::array::from_fn(|_| from.floats(n)));
    let remainder_count = from.words(n);
    let (bands, outline, lit) = (from.bands(m), from.bands(k), from.words(m));
    assert!(from.0.is_empty(), "{} bytes too many", from.0.len());
    Scene {
        columns: Columns { edge, state, allocated, remainder, remainder_count, lines },
        bands,
        lit,
        outline,
        most_allocated: most[0] as u64,
        most_reserved: most[1] as u64,
    }
}

fn bands(count: usize) -> impl Strategy<Value = Bands> {
    let floats = || prop::collection::vec(-1e6_f32..1e6, count);
    let words = || prop::collection::vec(any::<u32>(), count);
    (floats(), floats(), floats(), floats(), words(), words())
        .prop_map(|(x0, x1, top, bottom, block, key)| Bands { x0, x1, top, bottom, block, key })
}

fn columns(count: usize) -> impl Strategy<Value = Columns> {
    let floats = |count| prop::collection::vec(-1e6_f32..1e6, count);
    let doubles = || prop::collection::vec(0.0..1e15_f64, count);
    let words = || prop::collection::vec(any::<u32>(), count);
    let lines = prop::array::uniform3(prop::array::uniform2(floats(count)));
    (floats(count + 1), words(), doubles(), doubles(), words(), lines).prop_map(
        |(edge, state, allocated, remainder, remainder_count, lines)| Columns {
            edge,
            state,
            allocated,
            remainder,
            remainder_count,
            lines,
        },
    )
}

fn scenes() -> impl Strategy<Value = Scene> {
    let counts = (1..20_usize, 0..20_usize, 0..4_usize);
    counts.prop_flat_map(|(n, m, k)| {
        let most = || 0..(1_u64 << 53);
        let lit = prop::collection::vec(0..2_u32, m);
        (columns(n), bands(m), lit, bands(k), most(), most()).prop_map(
            |(columns, bands, lit, outline, most_allocated, most_reserved)| Scene {
                columns,
                bands,
                lit,
                outline,
                most_allocated,
                most_reserved,
            },
        )
    })
}

proptest! {
    #[test]
    fn a_scene_survives_its_encoding(scene in scenes()) {
        let bytes = encode_scene(&scene);
        prop_assert_eq!(decode(&bytes), scene);
    }
}

#[test]
fn an_empty_scene_keeps_to_the_layout() {
    let bytes = encode_scene(&Scene::default());
    assert_eq!(bytes.len(), 64 + 4);
    assert_eq!(decode(&bytes).columns.edge, [0.0]);
}

#[test]
fn doubles_lie_at_multiples_of_eight() {
    // `Float64Array` refuses any other offset; all others need four.
    assert_eq!(encode_scene(&fixture()).len() % 4, 0);
    let text = encode_scene(&fixture());
    assert_eq!(text[64..72], 1024_f64.to_le_bytes());
}

/// Small, and every value different from its neighbours; all exact in binary.
fn fixture() -> Scene {
    let row = |from: f32, n: usize| (0..n).map(|i| from + i as f32 * 0.5).collect::<Vec<f32>>();
    let ids = |from: u32, n: u32| (from..from + n).collect::<Vec<u32>>();
    let bands = |from: f32, n: u32| Bands {
        x0: row(from, n as usize),
        x1: row(from + 10.0, n as usize),
        top: row(from + 20.0, n as usize),
        bottom: row(from + 30.0, n as usize),
        block: ids(100 + from as u32, n),
        key: ids(u32::MAX - n, n),
    };
    Scene {
        columns: Columns {
            edge: vec![0.0, 1.5, 2.5, 4.0],
            state: vec![7, 9, 4_000_000_000],
            allocated: vec![1024.0, 9_007_199_254_740_991.0, 0.0],
            remainder: vec![512.0, 1.0, 0.0],
            remainder_count: vec![3, 1, 0],
            lines: [
                [row(100.0, 3), row(110.0, 3)],
                [row(120.0, 3), row(130.0, 3)],
                [row(140.0, 3), row(150.0, 3)],
            ],
        },
        bands: bands(-4.5, 2),
        lit: vec![0, 1],
        outline: bands(64.0, 1),
        most_allocated: 9_007_199_254_740_991,
        most_reserved: 20_971_520,
    }
}

fn bands_json(bands: &Bands) -> serde_json::Value {
    json!({
        "x0": bands.x0, "x1": bands.x1, "top": bands.top, "bottom": bands.bottom,
        "block": bands.block, "key": bands.key,
    })
}

/// What a decoder must find in `scene.bin`.
fn content(scene: &Scene) -> String {
    let columns = &scene.columns;
    let [allocated, active, reserved] = &columns.lines;
    let content = json!({
        "version": VERSION,
        "most_allocated": scene.most_allocated,
        "most_reserved": scene.most_reserved,
        "columns": {
            "edge": columns.edge, "state": columns.state,
            "allocated": columns.allocated, "remainder": columns.remainder,
            "remainder_count": columns.remainder_count,
            "lines": {
                "allocated": { "low": allocated[0], "high": allocated[1] },
                "active": { "low": active[0], "high": active[1] },
                "reserved": { "low": reserved[0], "high": reserved[1] },
            },
        },
        "bands": bands_json(&scene.bands), "lit": scene.lit,
        "outline": bands_json(&scene.outline),
    });
    serde_json::to_string_pretty(&content).unwrap() + "\n"
}

/// `TIDEMARK_FIXTURES=write cargo test -p wire` remakes the two files.
#[test]
fn the_fixture_of_the_pages_decoder_is_fresh() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let (bytes, text) = (encode_scene(&fixture()), content(&fixture()));
    if std::env::var_os("TIDEMARK_FIXTURES").is_some_and(|value| value == "write") {
        std::fs::write(folder.join("scene.bin"), &bytes).unwrap();
        std::fs::write(folder.join("scene.json"), &text).unwrap();
    }
    assert_eq!(std::fs::read(folder.join("scene.bin")).unwrap(), bytes);
    assert_eq!(std::fs::read_to_string(folder.join("scene.json")).unwrap(), text);
    assert_eq!(decode(&bytes), fixture());
}
