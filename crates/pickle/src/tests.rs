//! The machine against other readers and writers of pickles.

mod cpython;
mod laws;

use crate::{Error, Heap, Node, Tree, Value, expand};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The tree as JSON: tuples, sets and bytes are objects with one key, wide integers hexadecimal.
fn json_of(tree: &Tree<'_>) -> Json {
    value(tree, &tree.heap, tree.root)
}

fn value(tree: &Tree<'_>, heap: &Heap<'_>, it: Value) -> Json {
    let list = |items: &[Value]| -> Json {
        expand(items).map(|item| value(tree, heap, item)).collect::<Vec<_>>().into()
    };
    match heap.resolve(it) {
        Value::None => Json::Null,
        Value::Bool(it) => it.into(),
        Value::Int(it) => it.into(),
        Value::Uint(it) => it.into(),
        Value::Float(it) => json!({ "float": format!("{it:?}") }),
        Value::Text(id) => tree.text(id).into(),
        Value::Thing(_) | Value::Rows { .. } => unreachable!("the tree's visitor makes no things"),
        Value::Node(id) => match heap.node(id) {
            Node::List(items) => list(items),
            Node::Tuple(items) => json!({ "tuple": list(items) }),
            Node::Set(items) => json!({ "set": list(items) }),
            Node::Dict(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, it)| json!([value(tree, heap, *key), value(tree, heap, *it)]));
                json!({ "dict": pairs.collect::<Vec<_>>() })
            }
            Node::Bytes(bytes) => json!({ "bytes": hex(bytes) }),
            Node::Long(bytes) => json!({ "long": hex(bytes) }),
            Node::Scalar(_) | Node::Taken(_) => unreachable!("resolved"),
        },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn read(bytes: &[u8]) -> Json {
    json_of(&Tree::read(bytes).unwrap())
}

#[test]
fn an_object_written_once_and_referred_to_again_is_there_twice() {
    let shared = b"\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94(]\x94K\x07ah\x01e.";
    assert_eq!(read(shared), json!([[7], [7]]));
    // Memoised after its content, as torch's C++ writer does.
    assert_eq!(read(b"\x80\x02](](K\x07eq\0h\0e."), json!([[7], [7]]));
}

#[test]
fn integers_of_every_width_keep_their_value() {
    let cases: [(&[u8], Json); 9] = [
        (b"K\xff", 255.into()),
        (b"M\xff\xff", 65535.into()),
        (b"J\xff\xff\xff\xff", (-1).into()),
        (b"\x8a\0", 0.into()),
        (b"\x8a\x01\x80", (-128).into()),
        (b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", i64::MAX.into()),
        (b"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\0", u64::MAX.into()),
        (b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\xff", (-1).into()),
        (b"\x8a\x09\0\0\0\0\0\0\0\0\x01", json!({ "long": "000000000000000001" })),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(&[bytes, b"."].concat()), expected, "{bytes:?}");
    }
}

#[test]
fn opcodes_that_run_code_are_refused_by_name() {
    let error = Tree::read(b"\x80\x02cos\nsystem\nX\x04\0\0\0trueq\0\x85R.").unwrap_err();
    let expected =
        Error::WantsCode { opcode: "GLOBAL", offset: 2, target: " os.system".to_owned() };
    assert_eq!(error, expected);
    for opcode in [b'R', b'b', b'i', b'o', b'P', b'Q', 0x81, 0x92, 0x93, 0x82, 0x83, 0x84] {
        let bytes = [b"\x80\x04NN".as_slice(), &[opcode], b"\0\0\0\0."].concat();
        let error = Tree::read(&bytes).unwrap_err();
        assert!(matches!(error, Error::WantsCode { offset: 4, .. }), "{error}");
    }
}

#[test]
fn a_huge_memo_number_takes_no_memory() {
    let error = Tree::read(b"\x80\x02]r\xff\xff\xff\x7f.").unwrap_err();
    assert!(matches!(error, Error::Limit { offset: 3, .. }), "{error}");
}

#[test]
fn a_pickle_cannot_grow_out_of_proportion_to_its_bytes() {
    let many = [b"\x80\x04(".as_slice(), &vec![b'}'; 8 << 20], b"."].concat();
    assert!(matches!(Tree::read(&many), Err(Error::Limit { .. })));
}

#[test]
fn nonsense_is_an_error_at_its_place() {
    let cases: [(&[u8], &str); 10] = [
        (b"", "in the middle, at byte 0"),
        (b"\x80\x04", "in the middle, at byte 2"),
        (b"\x80\x09.", "none of 2 to 5"),
        (b"\x80\x04.", "a value is missing"),
        (b"\x80\x04a.", "a value is missing"),
        (b"\x80\x04]e.", "a mark is missing"),
        (b"\x80\x04}(K\x01u.", "a key has no value"),
        (b"\x80\x04K\x01(K\x02e.", "no container"),
        (b"\x80\x04h\x05.", "refers to nothing"),
        (b"\x80\x04\xff.", "no such opcode|no protocol has such an opcode"),
    ];
    for (bytes, words) in cases {
        let error = Tree::read(bytes).unwrap_err().to_string();
        assert!(words.split('|').any(|words| error.contains(words)), "{bytes:?}: {error}");
    }
}
