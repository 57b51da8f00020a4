//! Snapshots in a pickle.

use super::finish::{Ending, Unfit};
use super::raw::RawSnapshot;
use super::reader::{Mode, Reader};
use crate::Warnings;
use job::{Cancelled, Job, Progress};
use model::WarningKind;
use pickle::{Error, Machine, Node, Status, Value};

/// Bytes between two looks at the job: about a millisecond.
const STRIDE: usize = 1 << 20;
/// What `torch.save` wrote before it wrote zip archives begins with this integer.
const OLD_TORCH_SAVE: [u8; 10] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];
/// The object is the fourth of its pickles: magic, version, system, object.
const OLD_TORCH_SAVE_BEFORE: usize = 3;
/// A page of `_memory_viz` pads the pickle with up to three of these.
const PADDING: usize = 3;

/// A snapshot read from a pickle.
#[derive(Debug)]
pub(crate) struct Pickled {
    pub(crate) snapshot: RawSnapshot,
    pub(crate) protocol: Option<u8>,
    /// Whether the old `torch.save` wrote it.
    pub(crate) is_torch_save: bool,
}

/// Why there is no snapshot.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The pickle is unreadable before anything useful came.
    Pickle(Error),
    /// The JSON is unreadable before anything useful came.
    Json(String),
    /// The pickle holds nothing useful.
    Unfit(Unfit),
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Self::Unfit(Unfit::Cancelled)
    }
}

/// Reads the snapshot pickled in `bytes`.
pub(crate) fn read_pickle(bytes: &[u8], job: &Job) -> Result<(Pickled, Warnings), Failure> {
    let warnings = Warnings::default();
    match read(bytes, Mode::Streaming, &warnings, job) {
        Err(Failure::Pickle(Error::Taken { .. })) => {}
        done => return Ok((done?, warnings)),
    }
    let warnings = Warnings::default();
    let pickled = read(bytes, Mode::Whole, &warnings, job)?;
    Ok((pickled, warnings))
}

fn read(bytes: &[u8], mode: Mode, warnings: &Warnings, job: &Job) -> Result<Pickled, Failure> {
    let mut machine = Machine::new(bytes, Reader::new(mode, warnings));
    let mut is_torch_save = false;
    let (mut root, mut damage) = run(&mut machine, job)?;
    if let Value::Node(id) = root.unwrap_or(Value::None)
        && *machine.heap().node(id) == Node::Long(&OLD_TORCH_SAVE)
    {
        is_torch_save = true;
        for _ in 0..OLD_TORCH_SAVE_BEFORE {
            machine.next_pickle();
            (root, damage) = run(&mut machine, job)?;
        }
    }
    let (protocol, end) = (machine.protocol(), machine.at());
    if damage.is_none() && !is_torch_save {
        trailing(&bytes[end.min(bytes.len())..], warnings);
    }
    let root = match (root, &damage) {
        (Some(root), _) => root,
        (None, Some(error)) => return Err(Failure::Pickle(error.clone())),
        (None, None) => Value::None,
    };
    let (reader, heap) = machine.into_parts();
    let ending = if damage.is_none() { Ending::Whole } else { Ending::Cut };
    let finished = reader.finish(heap, root, ending, job);
    match (finished, damage) {
        (Ok(snapshot), damage) => {
            if let Some(error) = damage {
                cut(&error, bytes.len(), warnings);
            }
            Ok(Pickled { snapshot, protocol, is_torch_save })
        }
        (Err(Unfit::Cancelled), _) => Err(Failure::Unfit(Unfit::Cancelled)),
        // The damage explains best why there is nothing.
        (Err(_), Some(error)) => Err(Failure::Pickle(error)),
        (Err(unfit), None) => Err(Failure::Unfit(unfit)),
    }
}

/// Runs one pickle to its end, or to the damage, and gives what there is by then.
fn run<'a>(
    machine: &mut Machine<'a, Reader<'a, '_>>,
    job: &Job,
) -> Result<(Option<Value>, Option<Error>), Failure> {
    let total = machine.len();
    loop {
        let done = machine.at();
        job.step(Progress { stage: "reading", done: done as u64, total: total as u64 })?;
        match machine.run(done.saturating_add(STRIDE)) {
            Ok(Status::More) => {}
            Ok(Status::Stopped(root)) => return Ok((Some(root), None)),
            Err(error @ (Error::WantsCode { .. } | Error::Taken { .. })) => {
                return Err(Failure::Pickle(error));
            }
            Err(error) => return Ok((machine.salvage(), Some(error))),
        }
    }
}

fn cut(error: &Error, len: usize, warnings: &Warnings) {
    warnings.add(WarningKind::Truncated, "", 1, || match error {
        Error::Truncated { .. } => format!(
            "The file ends in the middle, after {len} bytes; everything before the cut is shown."
        ),
        damage => format!("Everything before the damage is shown: {damage}."),
    });
}

fn trailing(rest: &[u8], warnings: &Warnings) {
    if rest.len() <= PADDING && rest.iter().all(|byte| *byte == 0) {
        return;
    }
    warnings.add(WarningKind::TrailingBytes, "", 1, || {
        format!("{} bytes after the end of the pickle were passed over.", rest.len())
    });
}
