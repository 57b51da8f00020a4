//! Dumps with bytes changed, cut or said twice: refused in words, or every question is answered.

use proptest::prelude::*;
use proptest::sample::Index;
use sample::memscope::{Dump, Format, Generation, Stacks};
use session::{ImportError, Job, Session};
use std::path::Path;
use std::sync::OnceLock;
use wire::{
    Axis, ColorBy, DecomposeQuestion, Detail, Fit, FlameQuestion, FlameSearchQuestion, Highlight,
    InefficientQuestion, MomentQuestion, Narrow, RowsQuestion, SceneQuestion, SliceSearch,
    SliceStep, TableColumn, TableKind, TableQuestion, Threshold, Thresholds,
};

/// A small dump as bytes.
fn bytes(format: Format, generation: Generation) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let plan = Dump { format, generation, layers: 1, stacks: Stacks::Python, ..Dump::new(1) };
    let (path, _) = plan.write_in(folder.path()).unwrap();
    std::fs::read(path).unwrap()
}

fn database() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| bytes(Format::Database, Generation::May2026))
}

fn text() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| bytes(Format::Csv, Generation::April2025))
}

/// What is done to a file: bytes that change, letters that are exchanged for ones that mean
/// something, and where it is cut or said again.
#[derive(Debug, Clone)]
struct Harm {
    bytes: Vec<(Index, u8)>,
    letters: Vec<(Index, u8)>,
    cut: Option<Index>,
    again: Option<(Index, Index)>,
}

fn harm() -> impl Strategy<Value = Harm> {
    let bytes = prop::collection::vec((any::<Index>(), any::<u8>()), 0..12);
    let meaning = prop::sample::select(b"0123456789-,:\"{}@\n/AFM ".to_vec());
    let letters = prop::collection::vec((any::<Index>(), meaning), 0..40);
    let cut = prop::option::weighted(0.2, any::<Index>());
    let again = prop::option::weighted(0.2, any::<(Index, Index)>());
    (bytes, letters, cut, again).prop_map(|(bytes, letters, cut, again)| Harm {
        bytes,
        letters,
        cut,
        again,
    })
}

impl Harm {
    fn to(&self, sound: &[u8]) -> Vec<u8> {
        let mut harmed = sound.to_vec();
        for (place, byte) in &self.bytes {
            harmed[place.index(sound.len())] = *byte;
        }
        // The letter or digit that comes next to a place.
        for (place, letter) in &self.letters {
            let from = place.index(sound.len());
            let next = harmed[from..].iter().position(u8::is_ascii_alphanumeric);
            if let Some(next) = next {
                harmed[from + next] = *letter;
            }
        }
        if let Some((one, other)) = &self.again {
            let (one, other) = (one.index(sound.len()), other.index(sound.len()));
            harmed.extend_from_within(one.min(other)..one.max(other));
        }
        if let Some(cut) = &self.cut {
            harmed.truncate(cut.index(sound.len()));
        }
        harmed
    }
}

/// Opens `bytes` and, if they are a recording still, asks all there is to ask.
fn survives(bytes: &[u8], name: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    match open(&path) {
        Ok(session) => {
            ask(&session);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn open(path: &Path) -> Result<Session, ImportError> {
    Session::open(path, &Job::unwatched())
}

fn ask(session: &Session) {
    let summary = wire::summary(session);
    serde_json::to_string(&summary).unwrap();
    for device in 0..summary.devices.len() as u32 {
        pictures(session, device);
        holders(session, device);
        tables(session, device);
    }
    threads(session);
}

fn pictures(session: &Session, device: u32) {
    let job = Job::unwatched();
    let on = session.device(device as usize).unwrap();
    let (events, top) = (f64::from(on.table().events.len()), on.summary().peak[0].bytes as f64);
    let thresholds = thresholds();
    for (axis, right) in [(Axis::Event, events), (Axis::Time, 1e9)] {
        for highlight in [None, Some(Highlight::Inefficient { thresholds })] {
            let question = SceneQuestion {
                session: 0,
                device,
                axis,
                x0: -1.0,
                x1: right.max(1.0),
                y0: 0.0,
                y1: top.max(1.0),
                width_px: 200,
                height_px: 80,
                color: ColorBy::Size,
                detail: Detail::Full,
                selected: Some(0),
                highlight,
            };
            assert!(!wire::scene_bytes(session, &question, &job).unwrap().is_empty());
        }
    }
}

fn holders(session: &Session, device: u32) {
    for at in [
        MomentQuestion::Event { event: -1.0 },
        MomentQuestion::Event { event: 20.0 },
        MomentQuestion::Time { us: 5e3 },
        MomentQuestion::Time { us: 1e15 },
    ] {
        let then = Some(MomentQuestion::Time { us: 0.0 });
        let question = DecomposeQuestion { session: 0, device, at, then };
        let found = wire::decompose(session, &question).unwrap();
        super::held::add_up(&found);
    }
    let (thresholds, job) = (thresholds(), Job::unwatched());
    let question = InefficientQuestion { session: 0, device, thresholds, top: 5 };
    wire::inefficient(session, &question, &job).unwrap();
    let blocks = session.device(device as usize).unwrap().table().blocks.len();
    for block in (0..blocks).step_by(7) {
        wire::block(session, device, block).unwrap();
    }
    let events = session.device(device as usize).unwrap().table().events.len();
    for event in (0..events).step_by(11) {
        wire::event(session, device, event).unwrap();
    }
}

fn tables(session: &Session, device: u32) {
    use TableColumn as Is;
    let job = Job::unwatched();
    let of_blocks = [
        Is::Id,
        Is::Address,
        Is::Size,
        Is::MallocTimeNs,
        Is::FreeTimeNs,
        Is::Owner,
        Is::FirstAccessNs,
        Is::LastAccessNs,
        Is::LongestGapNs,
        Is::Attr,
        Is::LifetimeNs,
        Is::Stack,
        Is::Inefficient,
        Is::Shadow,
    ];
    let of_events = [
        Is::Id,
        Is::Event,
        Is::EventType,
        Is::Name,
        Is::TimeNs,
        Is::Process,
        Is::Thread,
        Is::Address,
        Is::Attr,
        Is::PythonStack,
        Is::CStack,
    ];
    for (kind, columns) in
        [(TableKind::DumpBlocks, &of_blocks[..]), (TableKind::DumpEvents, &of_events[..])]
    {
        let question = TableQuestion {
            session: 0,
            device,
            kind,
            order: Vec::new(),
            filters: Vec::new(),
            period: None,
            cursor: 3.0,
            thresholds: Some(thresholds()),
        };
        let view = wire::table(session, &question, &job).unwrap();
        let columns = columns.to_vec();
        let rows = RowsQuestion { offset: 0, since: None, count: 200, columns, cursor: 3.0 };
        let page = view.opened(session, 0, &rows, &job).unwrap();
        assert_eq!(page.page.rows.len() as u32, page.statistics.count.min(200));
        let mut csv = Vec::new();
        view.export(session, &rows.columns, &mut csv, &job).unwrap();
        assert_eq!(
            super::cells(&String::from_utf8(csv).unwrap()).len() as u32,
            page.statistics.count + 1
        );
    }
}

fn threads(session: &Session) {
    let job = Job::unwatched();
    let search = SliceSearch { terms: vec!["o".to_owned()], fit: Fit::Within };
    for thread in 0..wire::threads(session).len() as u32 {
        wire::thread_report(session, thread, 5, Some(&search), &job).unwrap();
        let question = FlameQuestion {
            session: 0,
            thread,
            x0: 0.0,
            x1: 1e6,
            first_depth: 0,
            depths: 50,
            width_px: 300,
            narrow: Narrow::Joined,
            selected: Some(0),
            search: Some(search.clone()),
        };
        assert!(!wire::flame_bytes(session, &question, &job).unwrap().is_empty());
        let step = SliceStep::From { at_us: 0.0 };
        let question = FlameSearchQuestion { session: 0, thread, search: search.clone(), step };
        wire::flame_search(session, &question, &job).unwrap();
    }
}

fn thresholds() -> Thresholds {
    let some = Threshold { ns: Some(1e5), percent: Some(10.0) };
    Thresholds { lazy: some, delayed: some, idle: some }
}

#[test]
fn what_is_sound_answers_every_question() {
    assert!(survives(database(), "sound.db"));
    assert!(survives(text(), "sound.csv"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_harmed_database_is_refused_or_answers_every_question(harm in harm()) {
        survives(&harm.to(database()), "harmed.db");
    }

    #[test]
    fn a_harmed_text_is_refused_or_answers_every_question(harm in harm()) {
        survives(&harm.to(text()), "harmed.csv");
    }
}
