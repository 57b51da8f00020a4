//! Whole files as `CPython` writes them.

use super::read;
use serde_json::Value as Json;
use std::process::Command;

/// Prints pickles of random values with sharing, in hexadecimal, each with the same value as JSON.
const WRITER: &str = r#"
import json, pickle, random, sys
random.seed(int(sys.argv[1]))
def scalar(protocol):
    return random.choice([
        None, True, False, 0, 255, 256, 65535, 65536, -1, 2**31 - 1, -2**31, 2**31, 2**63 - 1, -2**63,
        2**63, 2**64 - 1, 2**64, -2**63 - 1, 2**200, 0.5, -1e300, '', 'name', '\ud800x', 'äöü€' * 80,
        'x' * random.choice([300, 70000])] + ([b'', b'bytes\x00'] if protocol > 2 else []))
def make(protocol, depth, seen):
    """A value and how many values it has inside."""
    if seen and random.random() < .25:
        return random.choice(seen)
    kind = random.randrange(8 if depth else 1)
    if kind < 3:
        return scalar(protocol), 1
    if kind == 7:
        it = [random.randrange(300) for _ in range(random.choice([999, 1000, 1001, 2001]))], 40
    else:
        parts = [make(protocol, depth - 1, seen) for _ in range(random.choice([0, 1, 2, 3, 5]))]
        items, size = [part[0] for part in parts], 1 + sum(part[1] for part in parts)
        if kind == 3:
            it = tuple(items), size
        elif kind == 4:
            it = {random.choice(['action', 'addr', 'key%d' % i, i, (1, i)]): x for i, x in enumerate(items)}, size
        else:
            it = items, size
    if it[1] < 200:
        seen.append(it)
    return it
def plain(it):
    if it is None or isinstance(it, bool): return it
    if isinstance(it, int):
        if -2**63 <= it < 2**64: return it
        return {'long': pickle.encode_long(it).hex()}
    if isinstance(it, float): return {'float': None}
    if isinstance(it, str): return it.encode('utf-8', 'surrogatepass').decode('utf-8', 'replace')
    if isinstance(it, bytes): return {'bytes': it.hex()}
    if isinstance(it, list): return [plain(x) for x in it]
    if isinstance(it, tuple): return {'tuple': [plain(x) for x in it]}
    return {'dict': [[plain(k), plain(v)] for k, v in it.items()]}
for protocol in (2, 3, 4, 5):
    for dump in (pickle.dumps, pickle._dumps):
        it, _ = make(protocol, 5, [])
        print(dump(it, protocol).hex(), json.dumps(plain(it)))
"#;

/// Floats are compared by the other tests.
fn without_floats(value: &mut Json) {
    match value {
        Json::Array(items) => items.iter_mut().for_each(without_floats),
        Json::Object(fields) => {
            for (name, field) in fields {
                if name == "float" { *field = Json::Null } else { without_floats(field) }
            }
        }
        _ => {}
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digit).collect()
}

#[test]
#[allow(clippy::print_stdout, reason = "says that it was skipped")]
fn values_with_sharing_are_read_as_cpython_wrote_them() {
    let mut compared = 0;
    for seed in 0..30 {
        let run = Command::new("python3").args(["-c", WRITER, &seed.to_string()]).output();
        let Ok(run) = run else {
            println!("skipped: there is no python3");
            return;
        };
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        for line in String::from_utf8(run.stdout).unwrap().lines() {
            let (hex, text) = line.split_once(' ').unwrap();
            let mut ours = read(&bytes(hex));
            without_floats(&mut ours);
            let theirs: Json = serde_json::from_str(text).unwrap();
            assert!(ours == theirs, "seed {seed}: {ours} instead of {theirs}");
            compared += 1;
        }
    }
    assert!(compared == 240, "{compared} values");
}
