//! Files read from their first byte to what they say.

mod carriers;
mod damage;
mod forms;
mod shown;

use crate::ImportError;
use crate::open::{Read, read_raw};
use job::Job;
use sample::pieces::{self, Value};
use sample::{Features, Plan, Rounding, Writer};
use std::path::Path;

/// Every writer and protocol.
const WRITERS: [(Writer, u8); 5] = [
    (Writer::CPython, 4),
    (Writer::CPython, 2),
    (Writer::CPython, 3),
    (Writer::CPython, 5),
    (Writer::Cpp, 2),
];

/// What a file says, before anything is derived from it.
fn raw(bytes: &[u8]) -> Result<Read, ImportError> {
    read_raw(bytes, Path::new("unknown"), &Job::unwatched())
}

/// A simulated recording with a bit of everything.
fn sampled(events: u64, (writer, protocol): (Writer, u8)) -> Vec<u8> {
    let features =
        Features { private_pool: true, oom: true, deep_stacks: false, ..Features::default() };
    let plan = Plan { writer, protocol, features, device: Rounding::Cuda, ..Plan::new(events) };
    let mut bytes = Vec::new();
    sample::write(&plan, &mut bytes).unwrap();
    bytes
}

/// A pickle of `value`.
fn pickled(value: &Value) -> Vec<u8> {
    pieces::bytes(value, Writer::CPython, 4)
}

/// What a file of `value` says as text; all writers must agree.
fn said(value: &Value) -> String {
    let texts = WRITERS.map(|(writer, protocol)| {
        let read = raw(&pieces::bytes(value, writer, protocol));
        read.map_or_else(|error| format!("{error}\n"), |read| shown::text(&read))
    });
    for (text, writer) in texts.iter().zip(WRITERS) {
        assert_eq!(*text, texts[0], "{writer:?}");
    }
    texts[0].clone()
}

fn frame(name: &str, line: i128) -> Value {
    Value::dict([("name", name.into()), ("filename", "train.py".into()), ("line", line.into())])
}

fn event(action: &str, addr: i128, size: i128, more: &[(&str, Value)]) -> Value {
    let common = [
        ("action", action.into()),
        ("addr", addr.into()),
        ("size", size.into()),
        ("stream", 0.into()),
    ];
    Value::dict(common.into_iter().chain(more.iter().cloned()))
}

fn block(addr: i128, size: i128, state: &str) -> Value {
    Value::dict([
        ("address", addr.into()),
        ("size", size.into()),
        ("requested_size", size.into()),
        ("state", state.into()),
        ("frames", Value::list([])),
    ])
}

fn segment(addr: i128, size: i128, blocks: impl IntoIterator<Item = Value>) -> Value {
    Value::dict([
        ("device", 0.into()),
        ("address", addr.into()),
        ("total_size", size.into()),
        ("stream", 0.into()),
        ("segment_type", "small".into()),
        ("segment_pool_id", Value::tuple([0.into(), 0.into()])),
        ("is_expandable", false.into()),
        ("frames", Value::list([])),
        ("blocks", Value::list(blocks)),
    ])
}

fn snapshot(
    segments: impl IntoIterator<Item = Value>,
    traces: impl IntoIterator<Item = Value>,
) -> Value {
    Value::dict([("segments", Value::list(segments)), ("device_traces", Value::list(traces))])
}
