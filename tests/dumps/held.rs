//! What pools and owners hold, by the command line and the wire, beside what is true.

use super::expected::{Expected, Key, PoolSums};
use super::{answered, exported};
use acceptance::{info, open};
use sample::memscope::Truth;
use session::{At, Counter, EventId, OnDevice, Session};
use std::collections::BTreeMap;
use std::path::Path;
use wire::{DecomposeQuestion, Decomposition, DeviceSummary, MomentQuestion, PartKind, Whole};

/// Pools of other memory than the framework's: they are decomposed alone.
const ALONE: [&str; 2] = ["HAL", "HOST_PINNED"];

/// A dump that is open, and what must be found in it.
pub(super) struct Held<'a> {
    pub(super) path: &'a Path,
    pub(super) truth: &'a Truth,
    pub(super) expected: &'a Expected,
    pub(super) session: Session,
    devices: Vec<DeviceSummary>,
}

impl<'a> Held<'a> {
    /// Opens the dump at `path`.
    pub(super) fn new(path: &'a Path, truth: &'a Truth, expected: &'a Expected) -> Self {
        let summary = info(path);
        let dump = summary.dump.as_ref().unwrap();
        assert_eq!(dump.zero_ns, truth.zero_ns.to_string());
        assert_eq!(dump.length_us.0 as u64, truth.end_ns - truth.zero_ns);
        Self { path, truth, expected, session: open(path), devices: summary.devices }
    }

    /// The row of a pool.
    pub(super) fn row(&self, (process, device, pool): &Key) -> usize {
        let is_it = |summary: &DeviceSummary| {
            summary.track.as_ref().is_some_and(|track| {
                (track.process, &track.device, &track.pool) == (i64::from(*process), device, pool)
            })
        };
        self.devices.iter().position(is_it).unwrap_or_else(|| panic!("no {device} {pool}"))
    }

    /// Every pool, every moment and every owner agrees.
    pub(super) fn agrees(&self) {
        let pools = self.expected.pools();
        assert_eq!(self.devices.len(), pools.len());
        for (key, sums) in &pools {
            let (row, name) = (self.row(key), format!("{key:?}"));
            self.sums(row, sums, &name);
            let on = self.session.device(row).unwrap();
            for moment in &self.truth.moments {
                if moment.process != key.0 {
                    continue;
                }
                let held = held(on, moment.at_ns);
                assert_eq!(held, self.expected.held(key, moment.at_ns), "{name} {}", moment.at_ns);
            }
            self.owners(row, key);
        }
    }

    /// Every pool of an accelerator has so many steps.
    pub(super) fn steps_are(&self, steps: u32) {
        for device in &self.devices {
            let track = device.track.as_ref().unwrap();
            if track.device.parse::<u32>().is_ok() {
                assert_eq!(device.steps, steps, "{}", device.name);
            }
        }
    }

    fn sums(&self, row: usize, sums: &PoolSums, name: &str) {
        let ours = &self.devices[row];
        let action = |word: &str| {
            let found = ours.actions.iter().find(|action| action.action == word);
            found.map_or(0, |action| u64::from(action.count))
        };
        let peak = ours.peak.allocated;
        let found = PoolSums {
            mallocs: action("alloc"),
            frees: action("free_completed"),
            never_freed: u64::from(ours.end_active.count),
            end_bytes: ours.end.allocated,
            peak_bytes: peak.bytes,
            peak_ns: peak.time_us.map_or(0, |time| time.0 as u64),
        };
        assert_eq!(found, *sums, "{name}");
    }

    /// Who holds the memory of a pool at each moment.
    fn owners(&self, row: usize, key: &Key) {
        let is_alone = ALONE.contains(&key.2.as_str());
        let pools: Vec<Key> = self
            .expected
            .pools()
            .into_keys()
            .filter(|(process, device, pool)| {
                let is_kin = (process, device) == (&key.0, &key.1);
                if is_alone {
                    *pool == key.2 && is_kin
                } else {
                    is_kin && !ALONE.contains(&pool.as_str())
                }
            })
            .collect();
        let process =
            self.expected.pools().into_keys().find(|(process, device, pool)| {
                (process, device) == (&key.0, &key.1) && pool == "HAL"
            });
        for (number, moment) in self.truth.moments.iter().enumerate() {
            if moment.process != key.0 {
                continue;
            }
            let at_ns = moment.at_ns;
            let at = MomentQuestion::Time { us: at_ns as f64 / 1e3 };
            let question = DecomposeQuestion { session: 0, device: row as u32, at, then: None };
            let found = wire::decompose(&self.session, &question).unwrap();
            if number == 0 {
                let (device, at) = (row.to_string(), at_ns.to_string());
                let words = ["--device", &device, "--at", &at];
                assert_eq!(answered::<Decomposition>("decompose", self.path, &words), found);
                // The same moment as the clock had it.
                let at = (self.truth.zero_ns + at_ns).to_string();
                let words = ["--device", &device, "--at", &at];
                assert_eq!(answered::<Decomposition>("decompose", self.path, &words), found);
            }
            assert_eq!(found.at_ns as u64, at_ns);
            add_up(&found);
            let name = format!("{key:?} at {at_ns}");
            let owners = self.expected.owners(&pools, at_ns);
            assert_eq!(of_kind(&found, PartKind::Owner), owners, "{name}");
            let rest = self.expected.unclassified(&pools, at_ns);
            assert_eq!(of_kind(&found, PartKind::Unclassified), rest, "{name}");
            let whole = found.parts[0].bytes;
            let sum: u64 = pools.iter().map(|key| self.expected.held(key, at_ns).0).sum();
            let given = process.as_ref().map(|key| self.expected.held(key, at_ns).0);
            match given.filter(|given| !is_alone && *given >= sum) {
                Some(given) => assert_eq!((found.whole, whole), (Whole::Process, given), "{name}"),
                // Not recorded, or less than its parts, which are then believed.
                None => {
                    assert_eq!((found.whole, whole), (Whole::Pools, sum + free(&found)), "{name}");
                }
            }
        }
    }
}

impl Held<'_> {
    /// What each pool keeps is the `total` of its last row less what its blocks hold.
    pub(super) fn pools_keep_what_rows_say(&self) {
        let pools: Vec<Key> = self.expected.pools().into_keys().collect();
        let asked = pools.iter().find(|key| key.2 == "PTA").unwrap();
        let row = self.row(asked);
        let rows = exported(self.path, "events", row, "event_type,time_ns,attr");
        let total = |attr: &str| -> Option<u64> {
            let attr: serde_json::Value = serde_json::from_str(attr).ok()?;
            attr["total"].as_str()?.parse().ok()
        };
        for at_ns in self.truth.moments.iter().map(|moment| moment.at_ns) {
            let at = MomentQuestion::Time { us: at_ns as f64 / 1e3 };
            let question = DecomposeQuestion { session: 0, device: row as u32, at, then: None };
            let found = wire::decompose(&self.session, &question).unwrap();
            let mut expected = BTreeMap::new();
            for key in pools.iter().filter(|key| key.1 == asked.1 && key.2 != "HAL") {
                let until =
                    |row: &&Vec<String>| row[0] == key.2 && row[1].parse::<u64>().unwrap() <= at_ns;
                let last = rows.iter().filter(until).filter_map(|row| total(&row[2])).next_back();
                let kept = last.unwrap_or(0) - self.expected.held(key, at_ns).0;
                if kept > 0 {
                    expected.insert(key.2.clone(), (kept, 0));
                }
            }
            assert_eq!(of_kind(&found, PartKind::PoolFree), expected, "{at_ns}");
        }
    }
}

/// Bytes and blocks right after a moment.
fn held(on: OnDevice<'_>, at_ns: u64) -> (u64, u64) {
    let state = on.state_at_ns(at_ns as i64);
    let at = if state.0 == 0 { At::Start } else { At::Event(EventId(state.0 - 1)) };
    let set = on.live_set(at, 0).unwrap();
    assert_eq!(on.table().counters.at(Counter::Allocated, state), set.allocated.size);
    (set.allocated.size, u64::from(set.allocated.count))
}

/// Every part is what the parts below it are.
pub(super) fn add_up(found: &Decomposition) {
    for (place, part) in found.parts.iter().enumerate() {
        let below = || found.parts.iter().filter(|it| it.parent == Some(place as u32));
        if below().next().is_some() {
            assert_eq!(below().map(|part| part.bytes).sum::<u64>(), part.bytes, "{}", part.tag);
            assert_eq!(below().map(|part| part.blocks).sum::<u32>(), part.blocks, "{}", part.tag);
        }
        assert_eq!(part.parent.is_none(), place == 0);
        assert!(part.parent.is_none_or(|parent| (parent as usize) < place));
    }
}

fn free(found: &Decomposition) -> u64 {
    let parts = found.parts.iter().filter(|part| part.kind == PartKind::PoolFree);
    parts.map(|part| part.bytes).sum()
}

/// Bytes and blocks by tag.
pub(super) fn of_kind(found: &Decomposition, kind: PartKind) -> BTreeMap<String, (u64, u64)> {
    let parts = found.parts.iter().filter(|part| part.kind == kind);
    parts.map(|part| (part.tag.clone(), (part.bytes, u64::from(part.blocks)))).collect()
}
