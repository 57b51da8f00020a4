//! Laws over generated values and bytes.

use super::json_of;
use crate::{Tree, fuzz};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use serde_pickle::{HashableValue, SerOptions, Value as Other};
use std::collections::BTreeMap;

fn key() -> impl Strategy<Value = HashableValue> {
    prop_oneof![
        any::<i64>().prop_map(HashableValue::I64),
        ".{0,6}".prop_map(HashableValue::String),
        any::<bool>().prop_map(HashableValue::Bool),
    ]
}

/// Values without sharing, which is all that `serde-pickle` knows.
fn values() -> impl Strategy<Value = Other> {
    let leaf = prop_oneof![
        Just(Other::None),
        any::<bool>().prop_map(Other::Bool),
        any::<i64>().prop_map(Other::I64),
        any::<f64>().prop_map(Other::F64),
        prop::collection::vec(any::<u8>(), 0..9).prop_map(Other::Bytes),
        ".{0,300}".prop_map(Other::String),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Other::List),
            prop::collection::vec(inner.clone(), 0..6).prop_map(Other::Tuple),
            prop::collection::btree_map(key(), inner, 0..6).prop_map(Other::Dict),
        ]
    })
}

fn expected(value: &Other) -> Json {
    let list = |items: &[Other]| Json::from(items.iter().map(expected).collect::<Vec<_>>());
    match value {
        Other::None => Json::Null,
        Other::Bool(it) => (*it).into(),
        Other::I64(it) => (*it).into(),
        Other::F64(it) => json!({ "float": format!("{it:?}") }),
        Other::Bytes(it) => json!({ "bytes": super::hex(it) }),
        Other::String(it) => it.as_str().into(),
        Other::List(items) => list(items),
        Other::Tuple(items) => json!({ "tuple": list(items) }),
        Other::Dict(pairs) => dict(pairs),
        _ => unreachable!("not generated"),
    }
}

fn dict(pairs: &BTreeMap<HashableValue, Other>) -> Json {
    let key = |key: &HashableValue| match key {
        HashableValue::I64(it) => Json::from(*it),
        HashableValue::String(it) => it.as_str().into(),
        HashableValue::Bool(it) => (*it).into(),
        _ => unreachable!("not generated"),
    };
    let pairs = pairs.iter().map(|(name, value)| json!([key(name), expected(value)]));
    json!({ "dict": pairs.collect::<Vec<_>>() })
}

proptest! {
    #[test]
    fn what_serde_pickle_writes_is_read_back(value in values(), is_old in any::<bool>()) {
        // Protocol 2 has no bytes: they come as a call.
        let is_old = is_old && !has_bytes(&value);
        let options = if is_old { SerOptions::new().proto_v2() } else { SerOptions::new() };
        let bytes = serde_pickle::value_to_vec(&value, options).unwrap();
        let tree = Tree::read(&bytes).unwrap();
        prop_assert_eq!(tree.end, bytes.len());
        prop_assert_eq!(json_of(&tree), expected(&value));
    }

    #[test]
    fn any_prefix_of_a_pickle_is_an_error(value in values(), cut in any::<prop::sample::Index>()) {
        let bytes = serde_pickle::value_to_vec(&value, SerOptions::new()).unwrap();
        let prefix = &bytes[..cut.index(bytes.len())];
        prop_assert!(Tree::read(prefix).is_err());
    }

    #[test]
    fn no_bytes_make_the_machine_panic(bytes in prop::collection::vec(opcode(), 0..60)) {
        fuzz::check(&[b"\x80\x04".as_slice(), &bytes].concat());
    }
}

fn has_bytes(value: &Other) -> bool {
    match value {
        Other::Bytes(_) => true,
        Other::List(items) | Other::Tuple(items) => items.iter().any(has_bytes),
        Other::Dict(pairs) => pairs.values().any(has_bytes),
        _ => false,
    }
}

/// Bytes that are often opcodes.
fn opcode() -> impl Strategy<Value = u8> {
    let known: Vec<u8> = (0..=255).filter(|byte| crate::code::name(*byte).is_some()).collect();
    prop_oneof![4 => prop::sample::select(known), 1 => any::<u8>(), 2 => 0_u8..4]
}
