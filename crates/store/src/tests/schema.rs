//! Which columns there are: a change of that is another form on disk.

use super::{Sample, indexes};
use crate::FORMAT;
use crate::reading::File;
use std::collections::BTreeSet;
use std::fs;

/// What this form has.
const KNOWN: &str = include_str!("schema-1.txt");

#[test]
fn a_change_of_the_columns_is_another_format() {
    assert_eq!(FORMAT, 1, "take another file in KNOWN");
    let mut names = BTreeSet::new();
    let snapshot = Sample::of(&sample::bundled());
    let dump = Sample::of_dump(&sample::memscope::bundled());
    for sample in [snapshot, dump] {
        let store = sample.store();
        sample.write(&store).unwrap();
        let bytes = fs::read(&indexes(&store)[0]).unwrap();
        let mut aligned = arrow_buffer::MutableBuffer::with_capacity(bytes.len());
        aligned.extend_from_slice(&bytes);
        names.extend(File::new(&aligned.into()).unwrap().described());
    }
    let now = names.into_iter().collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("TIDEMARK_WRITE_SCHEMA").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/schema-1.txt");
        fs::write(file, &now).unwrap();
        return;
    }
    assert!(now == KNOWN, "raise FORMAT: the columns changed from\n{KNOWN}to\n{now}");
}
