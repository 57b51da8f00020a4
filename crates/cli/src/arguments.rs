//! What may be asked on the command line.

mod diff;
mod holders;

pub(crate) use diff::{By, Diff, Growth, Moment};
pub(crate) use holders::{Holders, HoldersBy, HoldersSort, Period, Stacks};

use crate::commands::decompose::nanoseconds;
use clap::{Args, Parser, Subcommand};
use session::{At, EventId};
use std::path::PathBuf;

/// Look into recordings of GPU and NPU memory.
#[derive(Debug, Parser)]
#[command(
    name = "tidemark",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 the answer is \"no\" or \"different\", 2 error.\n\
                  `tidemark help COMMAND` shows a command's examples."
)]
pub(crate) struct Arguments {
    /// Keep indexes of large recordings in this folder, and open them from there the next time
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,
    /// Say on standard error how each recording was opened, and in which time
    #[arg(long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What a recording holds: devices, events, span, steps, peaks, pools, remarks
    #[command(after_help = "\
Examples:
  tidemark info snapshot.pickle
  tidemark info rank*.pickle
  tidemark info --json snapshot.pickle | jq '.[0].recording.devices[0].peak.allocated'

With --json the answer is always one array with an element a file, in the order given:
  {\"file\": …, \"recording\": {…}} or {\"file\": …, \"error\": {\"code\": …, \"message\": …}}.
Bytes and microseconds are exact integers; \"event\": -1 means before the first event.
A file that is refused does not stop the others; the exit code is then 2.")]
    Info(Info),
    /// What holds memory at one moment: the whole set, then its largest blocks
    #[command(after_help = "\
Examples:
  tidemark blocks snapshot.pickle
  tidemark blocks snapshot.pickle --at 4311 --top 50
  tidemark blocks snapshot.pickle --at end --device cuda:1 --json | jq '.blocks[].address'

The set is what is there right after the event: blocks that are allocated, and blocks whose free
was requested and is not completed; both parts are counted apart.
With --json the answer is one object.")]
    Blocks(Blocks),
    /// Who holds memory at one moment of an msMemScope dump, or what changed between two
    #[command(after_help = "\
Examples:
  tidemark decompose memscope_dump_20260527062213.db
  tidemark decompose run.db --device 'npu:0 PTA' --at 23.584s
  tidemark decompose run.db --at 20s --then 40s --json | jq '.parts[] | select(.then_bytes > .bytes)'

Parts add up to the whole: all that the process took from the driver where the pool HAL was
recorded, else the sum of the pools. Times are nanoseconds from the recording's start, or since the
epoch, or have a unit: ns, us, ms, s. With --json the answer is one object; bytes and nanoseconds
are exact integers.")]
    Decompose(Decompose),
    /// How two recordings differ, or two moments of one: totals, stacks or owners, steps
    #[command(after_help = "\
Examples:
  tidemark diff before.pickle after.pickle
  tidemark diff before.pickle after.pickle --by file-function --max-growth 5%
  tidemark diff run.db run.db --at 20s --at-b end --by owner
  tidemark diff rank0.pickle rank1.pickle --json | jq '.rows[] | {change, lines}'

A row is what one stack or owner holds on both sides, blocks with a pending free included; blocks
without one are a row of their own, so that the rows add up. Files are called by their path below
site-packages, or below the folder that a run's code lies in; lines count only by stack.
Shares are of all that changed, up or down. \"Unknown\" is what the other recording has at no
moment. A bare number is an event's; a time has a unit (ns, us, ms, s) and counts from the
recording's start, in a snapshot from the device's first event. Sizes may have a unit: KiB to TiB.
Exit code 1: a limit is exceeded, which is said on standard error.
With --json the answer is one object; bytes are exact integers, stacks are whole.")]
    Diff(Diff),
    /// Who holds memory, by stack or owner: now, at the peak, never freed, in all; or in a period
    #[command(after_help = "\
Examples:
  tidemark holders snapshot.pickle
  tidemark holders snapshot.pickle --at end --sort unfreed --top 50
  tidemark holders snapshot.pickle --period 100..1000 --sort all
  tidemark holders run.db --by owner --json | jq '.rows[] | {name, bytes: .amounts.now.size}'

A row is what one stack or owner has of its own; blocks without one are a row, so that the rows and
\"more\" add up to all. A period includes both its ends, and either may be left out; what it
allocated is counted again as not freed where no event of it frees it.
With --json the answer is one object; bytes are exact integers.")]
    Holders(Holders),
    /// Where blocks were allocated: a line a stack with its bytes, as flame graph tools read it
    #[command(after_help = "\
Examples:
  tidemark stacks snapshot.pickle | inferno-flamegraph > peak.svg
  tidemark stacks snapshot.pickle --at end > end.folded
  tidemark stacks snapshot.pickle --period 100..1000 --unfreed | head
  tidemark stacks snapshot.pickle --json | jq '.nodes[] | select(.parent == null) | .name'

A line is the frames from the outermost to the innermost with semicolons between, a space, and the
bytes; the largest stack comes first, and all lines add up to all bytes. A semicolon in a name
becomes a colon. Such files open in flamegraph.pl, inferno and speedscope.
With --json the answer is one object: the tree of frames as the window draws it, parents before
children; frames with less than 1/4096 of the bytes are summed up beside their siblings.")]
    Stacks(Stacks),
    /// The block table or the event table as CSV: filtered, sorted, every column on request
    #[command(after_help = "\
Examples:
  tidemark export snapshot.pickle blocks --sort size:desc > blocks.csv
  tidemark export snapshot.pickle blocks --period 100..1000 --within not_freed --count
  tidemark export snapshot.pickle events --contains action=segment --columns id,action,stack

An address contains the hex digits typed, or is that of the block around an address in hex or
decimal; a stack contains what a line of any of its frames does. Ranges include both ends, and
either may be left out. Bytes, microseconds and nanoseconds are exact integers.
The tables of a dump are those of one device and pool; --lazy, --delayed and --idle say what its
column inefficient is about.")]
    Export(Export),
    /// Blocks of a dump that hold memory in vain: allocated early, freed late, idle for long
    #[command(after_help = "\
Examples:
  tidemark inefficient run.db --idle 10%
  tidemark inefficient run.db --lazy 5ms --delayed 5ms,20% --device 'npu:0 PTA' --top 50
  tidemark inefficient run.db --idle 1s --json | jq '.owners[] | {owner, bytes: .all.amount.size}'

Nothing counts until a threshold is set. A threshold is a time with its unit (ns, us, ms, s), a
share of the block's own life (%), or both with a comma between; more than either is too much.
Blocks without recorded accesses are not judged. The cost is bytes times the time not used.
With --json the answer is one object; bytes and nanoseconds are exact integers, and byte_ns is
text with all its digits.")]
    Inefficient(Inefficient),
    /// What ran in the Python threads of a dump: where time went, and calls by name
    #[command(after_help = "\
Examples:
  tidemark trace memscope_dump.db
  tidemark trace memscope_dump.db --thread 2622898 --top 50
  tidemark trace memscope_dump.db --search forward --search step --json | jq '.[0].search.hits'

Without --thread every thread is told. Times count from the recording's start. A search finds names
that hold any of the texts, whatever the case; with --exact, those that are one of them.
Exit code 1: a search found nothing.
With --json the answer is one array with an element a thread; times are microseconds.")]
    Trace(Trace),
    /// A script that lets a shell complete commands and options
    #[command(after_help = "\
Examples:
  tidemark completions bash > ~/.local/share/bash-completion/completions/tidemark
  tidemark completions zsh > ~/.zfunc/_tidemark
  tidemark completions fish > ~/.config/fish/completions/tidemark.fish

The packages for Linux bring them along.")]
    Completions(Completions),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Manual(Manual),
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// Recordings, under any name
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Answer in JSON: one array, an element a file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Blocks {
    /// A recording, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Right after which event: its number, `peak` (of the allocated bytes), `start` or `end`
    #[arg(
        long,
        value_name = "EVENT|peak|start|end",
        default_value = "peak",
        value_parser = moment,
        allow_negative_numbers = true
    )]
    pub(crate) at: At,
    /// How many of the largest blocks to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// Which device: its name such as `cuda:0`, or its row in `info`, from 0 [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// Answer in JSON: one object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Decompose {
    /// An msMemScope dump, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// When: `peak`, `start` or `end` of the device asked, or a time
    #[arg(long, value_name = "TIME|peak|start|end", default_value = "peak", value_parser = DumpMoment::parse)]
    pub(crate) at: DumpMoment,
    /// What it is compared with
    #[arg(long, value_name = "TIME|peak|start|end", value_parser = DumpMoment::parse)]
    pub(crate) then: Option<DumpMoment>,
    /// Which device: its name such as `npu:0 PTA`, or its row in `info` [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// Answer in JSON: one object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A moment of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DumpMoment {
    /// Of the device asked.
    Named(At),
    /// From the recording's start, or since the epoch.
    Nanoseconds(i64),
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A recording, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What a row is
    #[arg(value_name = "TABLE", value_parser = ["blocks", "events"])]
    pub(crate) table: String,
    /// Which columns, in this order, such as `id,size,stack` [default: the usual ones]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Sort by this column, then by the next; `:desc` begins with the largest
    #[arg(long, value_name = "COLUMN[:desc],…", value_delimiter = ',')]
    pub(crate) sort: Vec<String>,
    /// Only rows with this text in a column, whatever the case
    #[arg(long, value_name = "COLUMN=TEXT")]
    pub(crate) contains: Vec<String>,
    /// Only rows with a number in this range
    #[arg(long, value_name = "COLUMN=FROM..TO")]
    pub(crate) between: Vec<String>,
    /// Only rows of this stretch of events
    #[arg(long, value_name = "FROM..TO")]
    pub(crate) period: Option<String>,
    /// What a block has to do with the period
    #[arg(
        long,
        requires = "period",
        default_value = "overlapping",
        value_parser = ["overlapping", "inside", "not_freed"]
    )]
    pub(crate) within: String,
    /// Right after which event blocks' states are: its number, `peak`, `start` or `end`
    #[arg(
        long,
        value_name = "EVENT|peak|start|end",
        default_value = "end",
        value_parser = moment,
        allow_negative_numbers = true
    )]
    pub(crate) at: At,
    /// Which device: its name such as `cuda:0`, or its row in `info`, from 0 [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Only what the rows add up to, in JSON
    #[arg(long)]
    pub(crate) count: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inefficient {
    /// An msMemScope dump, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Which device: its name such as `npu:0 PTA`, or its row in `info` [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// How many owners, stacks and blocks to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: u32,
    /// Answer in JSON: one object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What counts as inefficient.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Limits {
    /// From allocation to first access: more than this is too early an allocation
    #[arg(long, value_name = "TIME|SHARE%", value_parser = limit)]
    pub(crate) lazy: Option<wire::Threshold>,
    /// From last access to free: more than this is too late a free
    #[arg(long, value_name = "TIME|SHARE%", value_parser = limit)]
    pub(crate) delayed: Option<wire::Threshold>,
    /// Between two consecutive accesses: more than this is too long an idle time
    #[arg(long, value_name = "TIME|SHARE%", value_parser = limit)]
    pub(crate) idle: Option<wire::Threshold>,
}

impl Limits {
    /// As questions have them; nothing when none is set.
    pub(crate) fn thresholds(self) -> Option<wire::Thresholds> {
        let is_set = self.lazy.or(self.delayed).or(self.idle).is_some();
        is_set.then(|| wire::Thresholds {
            lazy: self.lazy.unwrap_or_default(),
            delayed: self.delayed.unwrap_or_default(),
            idle: self.idle.unwrap_or_default(),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// A dump, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Only this thread: its id, `PROCESS/THREAD`, or its row in the answer, from 0
    #[arg(long, value_name = "ID|ROW")]
    pub(crate) thread: Option<String>,
    /// Calls whose name holds this text; several are allowed
    #[arg(long, value_name = "TEXT", num_args = 1..)]
    pub(crate) search: Vec<String>,
    /// Names have to be what is searched for: as written, or the function alone
    #[arg(long, requires = "search")]
    pub(crate) exact: bool,
    /// How many functions and hits to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// Answer in JSON: one array, an element a thread
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Whose script
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// An existing folder
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

/// The moment in words, or an event by number; −1 is how answers write "before the first event".
fn moment(words: &str) -> Result<At, String> {
    match words {
        "peak" => Ok(At::Peak),
        "start" | "-1" => Ok(At::Start),
        "end" => Ok(At::End),
        number => match number.parse() {
            Ok(event) => Ok(At::Event(EventId(event))),
            Err(_) => Err("neither an event's number nor one of peak, start, end".to_owned()),
        },
    }
}

/// `10ms`, `20%`, `10ms,20%`.
fn limit(words: &str) -> Result<wire::Threshold, String> {
    let mut limit = wire::Threshold::default();
    for part in words.split(',').map(str::trim) {
        if let Some(share) = part.strip_suffix('%') {
            let share = share.trim_end().parse::<f64>().ok();
            let share = share.filter(|share| (0.0..=100.0).contains(share));
            limit.percent = Some(share.ok_or_else(|| format!("{part} is no share"))?);
        } else {
            let time = nanoseconds(part).ok_or_else(|| format!("{part} is no time"))?;
            limit.ns = Some(time as f64);
        }
    }
    Ok(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_threshold_is_a_time_a_share_or_both() {
        let of = |ns, percent| Ok(wire::Threshold { ns, percent });
        assert_eq!(limit("10ms"), of(Some(10e6), None));
        assert_eq!(limit("12.5 %"), of(None, Some(12.5)));
        assert_eq!(limit("1s, 20%"), of(Some(1e9), Some(20.0)));
        assert!(limit("101%").is_err());
        assert!(limit("soon").is_err());
        assert!(limit("").is_err());
    }

    #[test]
    fn a_moment_is_a_word_or_a_number() {
        assert_eq!(moment("peak"), Ok(At::Peak));
        assert_eq!(moment("-1"), Ok(At::Start));
        assert_eq!(moment("12"), Ok(At::Event(EventId(12))));
        assert!(moment("noon").is_err());
        assert!(moment("4294967296").is_err());
    }
}
