//! What may be asked on the command line.

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
    /// The block table or the event table as CSV: filtered, sorted, every column on request
    #[command(after_help = "\
Examples:
  tidemark export snapshot.pickle blocks --sort size:desc > blocks.csv
  tidemark export snapshot.pickle blocks --period 100..1000 --within not_freed --count
  tidemark export snapshot.pickle events --contains action=segment --columns id,action,stack

An address contains the hex digits typed, or is that of the block around an address in hex or
decimal; a stack contains what a line of any of its frames does. Ranges include both ends, and
either may be left out. Bytes and microseconds are exact integers.")]
    Export(Export),
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
    /// Only what the rows add up to, in JSON
    #[arg(long)]
    pub(crate) count: bool,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
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
