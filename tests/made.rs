//! Small snapshots made by hand, as a writer would write them.

use sample::Writer;
use sample::pieces::{self, Value};
use std::path::PathBuf;
use tempfile::TempDir;

/// A mebibyte.
pub(crate) const MIB: u64 = 1 << 20;

/// A file in a folder of its own, which goes with it.
pub(crate) struct Made {
    /// Where it is.
    pub(crate) path: PathBuf,
    _folder: TempDir,
}

impl Made {
    /// A file that holds `bytes`.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.pickle");
        std::fs::write(&path, bytes).unwrap();
        Self { path, _folder: folder }
    }

    /// `snapshot` as `CPython` writes it.
    pub(crate) fn new(snapshot: &Value) -> Self {
        Self::bytes(&pieces::bytes(snapshot, Writer::CPython, 4))
    }

    /// The recording of `plan`.
    pub(crate) fn sample(plan: &sample::Plan) -> Self {
        let made = Self::bytes(b"");
        sample::write_files(plan, &made.path).unwrap();
        made
    }
}

/// A snapshot of `segments`, and a list of entries a device.
pub(crate) fn snapshot<const N: usize>(segments: Vec<Value>, traces: [Vec<Value>; N]) -> Value {
    Value::dict([
        ("segments", Value::list(segments)),
        ("device_traces", Value::list(traces.map(Value::list))),
    ])
}

/// A segment of stream 0 on device 0, tiled by `blocks`.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// Its first byte.
    pub(crate) addr: u64,
    /// `small` or `large`.
    pub(crate) kind: &'static str,
    /// `(0, 0)` is the default pool.
    pub(crate) pool: (u32, u32),
    /// Whether it grows.
    pub(crate) is_expandable: bool,
}

impl Segment {
    /// A large segment of the default pool.
    pub(crate) fn at(addr: u64) -> Self {
        Self { addr, kind: "large", pool: (0, 0), is_expandable: false }
    }

    /// The segment with its blocks: bytes, bytes asked for, state.
    pub(crate) fn of(self, blocks: &[(u64, u64, &'static str)]) -> Value {
        let none = |(size, requested, state): &(u64, u64, &'static str)| {
            (*size, *requested, *state, Value::list([]))
        };
        self.with_stacks(&blocks.iter().map(none).collect::<Vec<_>>())
    }

    /// The same, and each block's stack.
    pub(crate) fn with_stacks(self, blocks: &[(u64, u64, &str, Value)]) -> Value {
        let mut addr = self.addr;
        let mut list = Vec::new();
        for (size, requested, state, frames) in blocks {
            list.push(Value::dict([
                ("address", addr.into()),
                ("size", (*size).into()),
                ("requested_size", (*requested).into()),
                ("state", (*state).into()),
                ("frames", frames.clone()),
            ]));
            addr += size;
        }
        Value::dict([
            ("device", 0.into()),
            ("address", self.addr.into()),
            ("total_size", (addr - self.addr).into()),
            ("stream", 0.into()),
            ("segment_type", self.kind.into()),
            ("segment_pool_id", pool(self.pool)),
            ("is_expandable", self.is_expandable.into()),
            ("frames", Value::list([])),
            ("blocks", Value::list(list)),
        ])
    }
}

/// A pool's id.
pub(crate) fn pool((first, second): (u32, u32)) -> Value {
    Value::tuple([first.into(), second.into()])
}

/// An entry of stream 0 with `more` keys.
pub(crate) fn entry<'a>(action: &'a str, addr: u64, size: u64, more: &[(&'a str, Value)]) -> Value {
    let keys = [
        ("action", action.into()),
        ("addr", addr.into()),
        ("size", size.into()),
        ("stream", 0.into()),
    ];
    Value::dict(keys.into_iter().chain(more.iter().cloned()))
}

/// A stack of one frame of the user's own code, as the key of an entry.
pub(crate) fn frames(name: &str, line: impl Into<Value>) -> (&'static str, Value) {
    let frame = Value::dict([
        ("name", name.into()),
        ("filename", "/home/me/train.py".into()),
        ("line", line.into()),
    ]);
    ("frames", Value::list([frame]))
}
