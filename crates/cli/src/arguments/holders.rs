//! What may be asked of `tidemark holders` and `tidemark stacks`.

use super::moment;
use clap::{Args, ValueEnum};
use session::At;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Holders {
    /// A recording, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What a row is [default: owner in a dump that has owners, else stack]
    #[arg(long, value_enum, value_name = "KEY")]
    pub(crate) by: Option<HoldersBy>,
    /// Right after which event: its number, `peak` (of the allocated bytes), `start` or `end`
    #[arg(
        long,
        value_name = "EVENT|peak|start|end",
        default_value = "peak",
        value_parser = moment,
        allow_negative_numbers = true
    )]
    pub(crate) at: At,
    /// Tell what changed, was allocated and was not freed in this stretch of events instead
    #[arg(long, value_name = "FROM..TO", value_parser = Period::parse, conflicts_with = "at")]
    pub(crate) period: Option<Period>,
    /// Which rows come first [default: now, of a period change]
    #[arg(long, value_enum, value_name = "COLUMN")]
    pub(crate) sort: Option<HoldersSort>,
    /// How many rows to list
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(..=1000)
    )]
    pub(crate) top: u32,
    /// Which device: its name such as `cuda:0`, or its row in `info`, from 0 [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// Answer in JSON: one object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What makes blocks belong to one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HoldersBy {
    /// Their allocation stack
    Stack,
    /// Their owner, in dumps
    Owner,
}

/// What decides which rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HoldersSort {
    /// Bytes allocated at the moment
    Now,
    /// Bytes allocated at the peak
    Peak,
    /// Bytes never freed
    Unfreed,
    /// Bytes allocated in the whole recording, or in the period
    All,
    /// The largest block
    Largest,
    /// What changed in the period, up or down
    Change,
}

#[derive(Debug, Args)]
pub(crate) struct Stacks {
    /// A recording, under any name
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Blocks allocated right after an event: its number, `peak`, `start` or `end`
    #[arg(
        long,
        value_name = "EVENT|peak|start|end",
        default_value = "peak",
        value_parser = moment,
        allow_negative_numbers = true
    )]
    pub(crate) at: At,
    /// The blocks that this stretch of events allocated instead
    #[arg(long, value_name = "FROM..TO", value_parser = Period::parse, conflicts_with = "at")]
    pub(crate) period: Option<Period>,
    /// Of those, the ones that it did not free
    #[arg(long, requires = "period")]
    pub(crate) unfreed: bool,
    /// Which device: its name such as `cuda:0`, or its row in `info`, from 0 [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// Answer in JSON: one object, the tree of frames
    #[arg(long)]
    pub(crate) json: bool,
}

/// A stretch of events, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    /// The first one.
    pub(crate) from: u32,
    /// The last one; nothing: of the recording.
    pub(crate) to: Option<u32>,
}

impl Period {
    /// `100..1000`; either end may be left out.
    fn parse(words: &str) -> Result<Self, String> {
        let (from, to) = words.split_once("..").ok_or("not a stretch such as 100..1000")?;
        let end = |text: &str| match text {
            "" => Ok(None),
            number => number.parse().map(Some).map_err(|_| format!("{number} is no event")),
        };
        let (from, to) = (end(from)?.unwrap_or(0), end(to)?);
        if to.is_some_and(|to| to < from) {
            return Err("it ends before it begins".to_owned());
        }
        Ok(Self { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_two_ends_that_may_be_left_out() {
        assert_eq!(Period::parse("3..7"), Ok(Period { from: 3, to: Some(7) }));
        assert_eq!(Period::parse("7..7"), Ok(Period { from: 7, to: Some(7) }));
        assert_eq!(Period::parse("..7"), Ok(Period { from: 0, to: Some(7) }));
        assert_eq!(Period::parse("3.."), Ok(Period { from: 3, to: None }));
        assert_eq!(Period::parse(".."), Ok(Period { from: 0, to: None }));
        for wrong in ["", "3", "3-7", "7..3", "a..7", "3..7.5", "-1..7", "1..4294967296"] {
            assert!(Period::parse(wrong).is_err(), "{wrong}");
        }
    }
}
