//! What the shell remembers between two starts: the database, and which project a session is of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use projects::{NewProject, ProjectId, Projects, Stamp, Start};
use serde::Serialize;
use session::{Axis, ColorBy, Detail, Device, Family, Job, OnDevice, Session, Viewport};
use specta::Type;
use wire::{ErrorCode, WireError};

/// The folder of the database, in place of the system's; tests set it.
pub(crate) const FOLDER: &str = "TIDEMARK_DATA";

/// Columns of the curve that is kept of a recording.
const CURVE_PX: u32 = 120;

/// The app's memory. Opened when it is first asked: that reads a disk.
pub(crate) struct Remembering {
    folder: Option<PathBuf>,
    opened: OnceLock<Opened>,
    /// By session.
    sources: Mutex<BTreeMap<u32, Source>>,
}

struct Opened {
    projects: Projects,
    trouble: Option<Trouble>,
}

/// Why the list is not what it was, or will not be kept. The page says it in its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Trouble {
    /// It was damaged; a new one was begun.
    Damaged {
        /// Where the damaged one is now.
        aside: String,
    },
    /// A newer program wrote it; it was left alone.
    Newer,
    /// It cannot be kept.
    Unkept {
        /// What the system says.
        reason: String,
    },
}

/// The file a session was read from.
#[derive(Clone)]
struct Source {
    path: PathBuf,
    /// As it was right before it was read.
    stamp: Stamp,
}

impl Remembering {
    /// With the database in the folder that the environment names, or else in `system`.
    pub(crate) fn new(system: Option<PathBuf>) -> Self {
        let chosen = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
        Self::in_folder(chosen.map(PathBuf::from).or(system))
    }

    pub(crate) fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder, opened: OnceLock::new(), sources: Mutex::default() }
    }

    /// The database; where there can be none, one that lasts as long as the program.
    pub(crate) fn projects(&self) -> Result<&Projects, WireError> {
        Ok(&self.opened()?.projects)
    }

    /// What went wrong when the database was opened.
    pub(crate) fn trouble(&self) -> Result<Option<Trouble>, WireError> {
        Ok(self.opened()?.trouble.clone())
    }

    fn opened(&self) -> Result<&Opened, WireError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open(self.folder.as_deref()).map_err(refused)?;
        Ok(self.opened.get_or_init(|| opened))
    }

    /// `session` was read from `path`, which was as `stamp` says.
    pub(crate) fn was_read(&self, session: u32, path: PathBuf, stamp: Stamp) {
        self.sources().insert(session, Source { path, stamp });
    }

    /// Puts the recording in the list; nothing for one that has no place there: a sample.
    pub(crate) fn remember(
        &self,
        id: u32,
        session: &Session,
    ) -> Result<Option<projects::Remembered>, WireError> {
        let Some(source) = self.sources().get(&id).cloned() else { return Ok(None) };
        let real = std::fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone());
        let new = described(session, real, source);
        self.projects()?.remember(&new).map(Some).map_err(refused)
    }

    /// Keeps where a recording was left.
    pub(crate) fn save(&self, id: u32, project: ProjectId, state: &str) -> Result<(), WireError> {
        let Some(source) = self.sources().get(&id).cloned() else { return Ok(()) };
        self.projects()?.save_state(project, &source.stamp, state).map_err(refused)
    }

    fn sources(&self) -> MutexGuard<'_, BTreeMap<u32, Source>> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(folder: Option<&Path>) -> Result<Opened, projects::Error> {
    let Some(folder) = folder else {
        let reason = "the system names no folder for the data of programs".to_owned();
        return unkept(Trouble::Unkept { reason });
    };
    match Projects::open(folder) {
        Ok(Start { projects, moved_aside }) => {
            let trouble = moved_aside
                .map(|aside| Trouble::Damaged { aside: aside.to_string_lossy().into_owned() });
            Ok(Opened { projects, trouble })
        }
        Err(projects::Error::Newer { .. }) => unkept(Trouble::Newer),
        Err(error) => unkept(Trouble::Unkept { reason: error.to_string() }),
    }
}

/// A database that lasts as long as the program.
fn unkept(trouble: Trouble) -> Result<Opened, projects::Error> {
    Ok(Opened { projects: Projects::in_memory()?, trouble: Some(trouble) })
}

fn described(session: &Session, real: PathBuf, Source { path, stamp }: Source) -> NewProject {
    let recording = session.recording();
    let busiest = session.device(recording.busiest_device());
    NewProject {
        path: real,
        shown: path,
        stamp,
        kind: kind(session).to_owned(),
        devices: session.devices().len() as u32,
        peak: busiest.map_or(0, |device| device.summary().peak[0].bytes),
        curve: busiest.map(curve).unwrap_or_default(),
    }
}

fn kind(session: &Session) -> &'static str {
    let recording = session.recording();
    if recording.dump.is_some() {
        return "msmemscope";
    }
    match recording.family {
        Family::Cuda => "cuda",
        Family::Npu => "npu",
        Family::Xpu => "xpu",
    }
}

/// Allocated bytes over the recording, at most in each column; 255 is the most.
fn curve(device: OnDevice<'_>) -> Vec<u8> {
    let axis = if device.table().device == Device::Track { Axis::Time } else { Axis::Event };
    let peak = device.summary().peak[0].bytes;
    let Some(x) = axis.range(device.table()).filter(|_| peak > 0) else { return Vec::new() };
    let viewport = Viewport {
        axis,
        x,
        y: (0.0, peak as f64),
        width_px: CURVE_PX,
        height_px: 1,
        color: ColorBy::Size,
        detail: Detail::Lines,
        selected: None,
        lit: None,
    };
    let Ok(scene) = device.scene(&viewport, &Job::unwatched()) else { return Vec::new() };
    curve_of(&scene.columns.edge, &scene.columns.allocated, peak as f64)
}

/// One number a pixel, of columns that may be wider than one.
fn curve_of(edge: &[f32], allocated: &[f64], peak: f64) -> Vec<u8> {
    let mut curve = vec![0_u8; CURVE_PX as usize];
    for (edges, bytes) in edge.windows(2).zip(allocated) {
        let level = (bytes / peak * 255.0).round().clamp(0.0, 255.0) as u8;
        let from = (edges[0].max(0.0) as usize).min(curve.len());
        let to = (edges[1].ceil().max(0.0) as usize).min(curve.len());
        for pixel in &mut curve[from..to.max(from)] {
            *pixel = level.max(*pixel);
        }
    }
    curve
}

/// A refusal of the database, for the page. What is gone, another window took away.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err calls")]
pub(crate) fn refused(error: projects::Error) -> WireError {
    let code = match error {
        projects::Error::Gone(_) => ErrorCode::Closed,
        projects::Error::NotJson => ErrorCode::Bug,
        _ => ErrorCode::Unwritable,
    };
    WireError { code, message: error.to_string() }
}

/// The app's memory as commands get it.
pub(crate) type Shared = Arc<Remembering>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_column_fills_its_pixels_and_the_peak_is_kept() {
        let curve = curve_of(&[0.0, 0.5, 1.0, 119.0, 120.0], &[10.0, 40.0, 20.0, 5.0], 40.0);
        assert_eq!(curve.len(), 120);
        assert_eq!(curve[0], 255);
        assert!(curve[1..119].iter().all(|level| *level == 128));
        assert_eq!(curve[119], 32);
    }

    #[test]
    fn where_the_database_cannot_be_kept_the_program_says_so_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let remembering = Remembering::in_folder(Some(file));
        assert!(matches!(remembering.trouble().unwrap(), Some(Trouble::Unkept { .. })));
        assert!(remembering.projects().unwrap().list().unwrap().is_empty());
    }

    #[test]
    fn a_recording_is_remembered_with_its_curve_and_left_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.pickle.gz");
        let session = Session::open(&bundled, &Job::unwatched()).unwrap();
        let remembering = Remembering::in_folder(Some(folder.path().to_owned()));
        assert_eq!(remembering.remember(1, &session).unwrap(), None, "a sample has no place");
        let stamp = Stamp::of(&bundled).unwrap();
        remembering.was_read(1, bundled.clone(), stamp);
        let first = remembering.remember(1, &session).unwrap().unwrap();
        remembering.save(1, first.id, "{}").unwrap();
        let again = remembering.remember(1, &session).unwrap().unwrap();
        assert_eq!((again.left, again.state.as_deref()), (projects::Left::Same, Some("{}")));
        let [project] = remembering.projects().unwrap().list().unwrap().try_into().unwrap();
        let peak = session.device(session.recording().busiest_device()).unwrap();
        assert_eq!(project.about.peak, peak.summary().peak[0].bytes);
        assert_eq!(project.about.curve.len(), 120);
        assert_eq!(project.about.curve.iter().max(), Some(&255), "the peak is in the curve");
    }
}
