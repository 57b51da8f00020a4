//! Every column of every kind of recording comes back as it was.

use super::{Sample, text};
use crate::FactReader;
use proptest::prelude::*;
use sample::memscope::{Dump, Format, Scope, Stacks};
use sample::{Features, Plan, Rounding, Writer};
use std::path::{Path, PathBuf};

fn comes_back(sample: &Sample) {
    let store = sample.store();
    let bytes = sample.write(&store).unwrap();
    assert_eq!(store.usage().bytes, bytes);
    let kept = sample.kept(&store).expect("nothing changed");
    let mut facts = FactReader::new(&kept.facts);
    assert_eq!(facts.take_text().as_deref(), Some("and more"));
    assert_eq!(facts.take(), None);
    // Row by row before any column is unpacked as a whole.
    for (table, read) in sample.recording.devices.iter().zip(&kept.recording.devices) {
        for row in (0..table.events.len()).step_by(7) {
            let event = model::EventId(row);
            assert_eq!(table.events.time_ns(event), read.events.time_ns(event));
            let row = event.row();
            assert_eq!(table.events.addr.value(row), read.events.addr.value(row));
            assert_eq!(table.events.size.value(row), read.events.size.value(row));
            let state = model::State::after(event);
            for counter in
                [model::Counter::Allocated, model::Counter::Active, model::Counter::Reserved]
            {
                assert_eq!(table.counters.at(counter, state), read.counters.at(counter, state));
            }
        }
        for row in (0..table.blocks.len()).map(model::BlockId) {
            assert_eq!(table.blocks.get(row), read.blocks.get(row));
        }
    }
    let (ours, read) = (sample.text(), text(&kept));
    if ours != read {
        let different = ours.lines().zip(read.lines()).find(|(one, other)| one != other);
        panic!("what was read is not what was written: {different:?}");
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let switches = any::<[bool; 8]>();
    (100_u64..3_000, any::<u64>(), switches, 1_u32..3, any::<bool>()).prop_map(
        |(events, seed, [npu, cpp, one, two, three, four, five, ring], devices, oom)| Plan {
            seed,
            device: if npu { Rounding::Npu } else { Rounding::Cuda },
            writer: if cpp { Writer::Cpp } else { Writer::CPython },
            features: Features {
                expandable: one,
                side_stream: two,
                private_pool: three,
                empty_cache: four,
                annotations: five,
                oom,
                devices,
                pending_at_end: two,
                workspaces: npu && one,
                ring: ring.then_some(events / 3),
                roundup_power2_divisions: if four { 4 } else { 0 },
                max_split_size: five.then_some(20 << 20),
                ..Features::default()
            },
            ..Plan::new(events)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_snapshot_comes_back_as_it_was(plan in plans()) {
        comes_back(&Sample::of(&plan));
    }
}

#[test]
fn dumps_come_back_as_they_were() {
    let plain = || Dump { layers: 2, ..Dump::new(2) };
    comes_back(&Sample::of_dump(&plain()));
    comes_back(&Sample::of_dump(&Dump { stacks: Stacks::None, processes: 2, ..plain() }));
    comes_back(&Sample::of_dump(&Dump { format: Format::Csv, ..plain() }));
    comes_back(&Sample::of_dump(&Dump { scope: Scope::FilePerDevice, processes: 2, ..plain() }));
}

#[test]
fn the_corpus_comes_back_as_it_was() {
    let Some(corpus) = std::env::var_os("TIDEMARK_CORPUS") else { return };
    let mut folders = vec![PathBuf::from(corpus)];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if is_small(&path) && ingest::open(&path, &job::Job::unwatched()).is_ok() {
                comes_back(&Sample::read(tempfile::tempdir().unwrap(), path));
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen} files of the corpus open");
}

fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() < 30 << 20)
}
