//! What is not whole is not used.

use super::{Sample, indexes};
use crate::checksum::checksum;
use crate::entry::Entry;
use crate::fuzz;
use proptest::prelude::*;
use std::fs;

#[test]
fn a_cut_index_is_never_used() {
    let sample = Sample::small();
    let store = sample.store();
    sample.write(&store).unwrap();
    let [path] = indexes(&store).try_into().unwrap();
    let whole = fs::read(&path).unwrap();
    // All ends of buffers are multiples of 64; and some that are not.
    let places = (0..whole.len()).step_by(64).chain((1..whole.len()).step_by(4_097));
    for length in places.chain(whole.len() - 12..whole.len()) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(sample.kept(&store).is_none(), "{length} of {} bytes", whole.len());
        assert!(!path.exists(), "it would be looked at again");
    }
    fs::write(&path, &whole).unwrap();
    assert!(sample.kept(&store).is_some());
    fs::write(&path, [whole.as_slice(), b"x"].concat()).unwrap();
    assert!(sample.kept(&store).is_none());
}

#[test]
fn an_index_with_a_wrong_bit_is_never_used() {
    let sample = Sample::small();
    let store = sample.store();
    sample.write(&store).unwrap();
    let [path] = indexes(&store).try_into().unwrap();
    let whole = fs::read(&path).unwrap();
    let mut at = 1_usize;
    for round in 0..400 {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut flipped = whole.clone();
        flipped[(at >> 16) % whole.len()] ^= 1 << (round % 8);
        fs::write(&path, flipped).unwrap();
        assert!(sample.kept(&store).is_none(), "round {round}");
    }
    fs::write(&path, &whole).unwrap();
    assert!(sample.kept(&store).is_some());
}

#[test]
fn an_index_of_another_recording_under_this_ones_name_is_never_used() {
    let (one, other) = (Sample::small(), Sample::of(&sample::Plan::new(700)));
    let store = one.store();
    one.write(&store).unwrap();
    let [path] = indexes(&store).try_into().unwrap();
    let elsewhere = other.store();
    other.write(&elsewhere).unwrap();
    let [foreign] = indexes(&elsewhere).try_into().unwrap();
    fs::copy(foreign, &path).unwrap();
    assert!(one.kept(&store).is_none());
}

#[test]
fn a_forged_index_with_the_right_checksum_does_not_panic() {
    let sample = Sample::small();
    let store = sample.store();
    sample.write(&store).unwrap();
    let [path] = indexes(&store).try_into().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let entry = Entry::of_name(name).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    // The end has the names and places of all columns; what stands in them is only looked at later.
    for at in (whole.len() - 20_000..whole.len()).step_by(13) {
        let mut forged = whole.clone();
        forged[at] ^= 0x55;
        let entry = Entry { checksum: checksum(&forged, |_, _| ()), ..entry };
        let path = store.folder().join(entry.name());
        fs::write(&path, forged).unwrap();
        drop(sample.kept(&store));
        fs::remove_file(path).unwrap();
    }
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_read(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..20),
    ) {
        fuzz::check(&bytes);
        let mut seed = fuzz::seed();
        for (at, byte) in flips {
            let at = at.index(seed.len());
            seed[at] = byte;
        }
        fuzz::check(&seed);
    }
}
