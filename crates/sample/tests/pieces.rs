//! Hand-made values, read back by `CPython`.

mod python;

use std::fmt::Write as _;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sample::Writer;
use sample::pieces::{self, Value};

/// A value as Python text.
fn literal(value: &Value) -> String {
    let join = |items: &[Value]| items.iter().map(|item| literal(item) + ",").collect::<String>();
    match value {
        Value::None => "None".to_owned(),
        Value::Bool(flag) => if *flag { "True" } else { "False" }.to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Str(text) => {
            let escaped = text.chars().fold(String::new(), |mut all, char| {
                write!(all, "\\U{:08x}", u32::from(char)).expect("a string takes all");
                all
            });
            format!("'{escaped}'")
        }
        Value::List(items) => format!("[{}]", join(items)),
        Value::Tuple(items) => format!("({})", join(items)),
        Value::Dict(items) => {
            let items =
                items.iter().map(|(key, value)| format!("{}:{},", literal(key), literal(value)));
            format!("{{{}}}", items.collect::<String>())
        }
    }
}

/// The one place that asks Python: every value, by both writers and in every protocol.
fn check(values: &[Value]) {
    let mut input = String::new();
    let mut add = |value: &Value, writer: &str, protocol: u8, bytes: Vec<u8>| {
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes all");
            hex
        });
        writeln!(input, "{writer} {protocol} {hex} {}", literal(value))
            .expect("a string takes all");
    };
    for value in values {
        for protocol in 2..=5 {
            add(value, "cpython", protocol, pieces::bytes(value, Writer::CPython, protocol));
        }
        add(value, "cpp", 2, pieces::bytes(value, Writer::Cpp, 2));
    }
    if let Some(answer) = python::run("pieces.py", &[], &[], &input) {
        assert_eq!(answer, "ok");
    }
}

#[test]
fn integers_keep_their_value_at_every_width() {
    let powers = (0..63).flat_map(|power| [1i128 << power, (1i128 << power) - 1]);
    let numbers = powers.flat_map(|number| [number, -number]).map(Value::Int);
    check(&[Value::list(numbers)]);
}

#[test]
fn cpython_writes_wide_lines_and_addresses_as_nine_bytes() {
    let wide =
        Value::list([Value::from(u64::MAX), Value::from(1u64 << 63), Value::Int(-(1 << 63) - 1)]);
    let bytes = pieces::bytes(&wide, Writer::CPython, 4);
    let nine = bytes.windows(2).filter(|pair| pair == &[0x8a, 9]).count();
    assert_eq!(nine, 3);
    // The C++ writer has 64 bits for them.
    let bytes = pieces::bytes(&Value::from(u64::MAX), Writer::Cpp, 2);
    assert_eq!(bytes, b"\x80\x02\x8a\x08\xff\xff\xff\xff\xff\xff\xff\xff.");
}

#[test]
fn long_containers_are_written_in_cpythons_batches() {
    let lengths = [0, 1, 2, 999, 1000, 1001, 2000, 2001];
    let numbers = |length: u32| Value::list((0..length).map(Value::from));
    let pairs = |length: u32| {
        let pair = |key: u32| (Value::text(&key.to_string()), Value::from(key));
        Value::Dict(Rc::new((0..length).map(pair).collect()))
    };
    check(&lengths.map(numbers));
    check(&lengths.map(pairs));
    check(&[0u32, 1, 2, 3, 4, 1000].map(|length| Value::tuple((0..length).map(Value::from))));
}

#[test]
fn frames_end_where_cpython_ends_them() {
    let texts = (0..9000).map(|number| Value::from(format!("number {number}").as_str()));
    let long = Value::text(&"a".repeat(70_000));
    check(&[
        Value::list(texts),
        long.clone(),
        Value::list([
            Value::from(1),
            long.clone(),
            Value::from(2),
            long,
            Value::text(&"b".repeat(300)),
        ]),
    ]);
}

#[test]
fn what_is_shared_is_written_once() {
    let frame = Value::dict([("name", "forward".into()), ("line", 7.into())]);
    let stack = Value::list([frame.clone(), frame.clone()]);
    let pool = Value::tuple([0.into(), 1.into()]);
    let value = Value::list([stack.clone(), stack, frame, pool.clone(), pool, Value::tuple([])]);
    for (writer, protocol) in [(Writer::CPython, 2), (Writer::CPython, 4), (Writer::Cpp, 2)] {
        let bytes = pieces::bytes(&value, writer, protocol);
        let written = bytes.windows(7).filter(|window| window == b"forward").count();
        assert_eq!(written, 1);
    }
    check(&[value]);
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| Value::Int(number.into())),
        (-300i128..70_000).prop_map(Value::Int),
        (-1e300f64..1e300).prop_map(Value::Float),
        "[a-zä☃\u{10ffff}]{0,6}".prop_map(|text| Value::text(&text)),
    ];
    leaf.prop_recursive(4, 60, 8, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..6);
        prop_oneof![
            items.clone().prop_map(Value::list),
            items.clone().prop_map(Value::tuple),
            // The same object twice.
            items.prop_map(|items| {
                let list = Value::list(items);
                Value::tuple([list.clone(), list])
            }),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..5).prop_map(|items| {
                Value::dict(items.iter().map(|(key, value)| (key.as_str(), value.clone())))
            }),
        ]
    })
}

#[test]
fn any_value_comes_back() {
    let mut runner = TestRunner::deterministic();
    let one = values();
    let all: Vec<_> =
        (0..300).map(|_| one.new_tree(&mut runner).expect("a value").current()).collect();
    check(&all);
}
