//! What may be asked of `tidemark diff`.

use super::moment;
use crate::commands::decompose::nanoseconds;
use clap::{Args, ValueEnum};
use session::At;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// A recording, under any name
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// What it is compared with: growth is from A to B; may be the same file
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// When: an event's number, `peak` (of the allocated bytes), `start`, `end`, or a time
    #[arg(
        long,
        value_name = "EVENT|TIME|peak|start|end",
        default_value = "peak",
        value_parser = Moment::parse,
        allow_negative_numbers = true
    )]
    pub(crate) at: Moment,
    /// When in B [default: as --at]
    #[arg(
        long,
        value_name = "EVENT|TIME|peak|start|end",
        value_parser = Moment::parse,
        allow_negative_numbers = true
    )]
    pub(crate) at_b: Option<Moment>,
    /// What a row is [default: owner between dumps that have owners, else stack]
    #[arg(long, value_enum, value_name = "KEY")]
    pub(crate) by: Option<By>,
    /// Which device: its name such as `cuda:0`, or its row in `info`, from 0 [default: the busiest]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device: Option<String>,
    /// Which device of B [default: as --device]
    #[arg(long, value_name = "NAME|ROW")]
    pub(crate) device_b: Option<String>,
    /// How many rows and steps to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: u32,
    /// Answer in JSON: one object
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 when what is held grows by more than this
    #[arg(long, value_name = "BYTES|PERCENT%", value_parser = Growth::parse)]
    pub(crate) max_growth: Option<Growth>,
    /// Exit with 1 when the allocated bytes of B ever exceed this
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_peak: Option<u64>,
}

/// What makes two blocks belong to one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Files, lines and functions of the stack
    Stack,
    /// Files and functions of the stack
    FileFunction,
    /// Functions of the stack
    Function,
    /// The owner, in dumps
    Owner,
}

/// A moment of a recording of any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// By name or event.
    At(At),
    /// Nanoseconds since the start.
    Nanoseconds(i64),
}

impl Moment {
    /// A bare number is an event's, a time has a unit.
    fn parse(words: &str) -> Result<Self, String> {
        let time = || nanoseconds(words).map(Self::Nanoseconds);
        moment(words).map(Self::At).ok().or_else(time).ok_or_else(|| {
            "neither peak, start, end nor an event's number nor a time such as 20.5s".to_owned()
        })
    }
}

/// How much more may be held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Growth {
    /// This many bytes.
    Bytes(u64),
    /// This share of what A holds.
    Percent(f64),
}

impl Growth {
    fn parse(words: &str) -> Result<Self, String> {
        let Some(share) = words.strip_suffix('%') else { return bytes(words).map(Self::Bytes) };
        let share = share.trim_end().parse::<f64>().ok();
        let share = share.filter(|share| share.is_finite() && *share >= 0.0);
        share.map(Self::Percent).ok_or_else(|| format!("{words} is no share"))
    }
}

/// Bytes of a whole number, or of a number with a unit.
fn bytes(words: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 5] =
        [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("B", 1)];
    if let Ok(whole) = words.parse() {
        return Ok(whole);
    }
    let of_unit = |(name, unit): (&str, u64)| {
        let number = words.strip_suffix(name)?.trim_end().parse::<f64>().ok()?;
        let bytes = number * unit as f64;
        (bytes.is_finite() && (0.0..9e18).contains(&bytes)).then(|| bytes.round() as u64)
    };
    let found = UNITS.into_iter().find_map(of_unit);
    found.ok_or_else(|| "not a size such as 134217728, 128MiB or 1.5GiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::EventId;

    #[test]
    fn sizes_are_bytes_or_have_a_unit() {
        assert_eq!(bytes("134217728"), Ok(128 << 20));
        assert_eq!(bytes("128MiB"), Ok(128 << 20));
        assert_eq!(bytes("1.5 GiB"), Ok(3 << 29));
        assert_eq!(bytes("7B"), Ok(7));
        for wrong in ["-1", "1.5", "MiB", "NaNMiB", "1e300GiB", "12 MB", ""] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn growth_is_a_size_or_a_share() {
        assert_eq!(Growth::parse("5%"), Ok(Growth::Percent(5.0)));
        assert_eq!(Growth::parse("250 %"), Ok(Growth::Percent(250.0)));
        assert_eq!(Growth::parse("64KiB"), Ok(Growth::Bytes(65536)));
        for wrong in ["-5%", "NaN%", "%", "much"] {
            assert!(Growth::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_bare_number_is_an_event_and_a_time_has_a_unit() {
        assert_eq!(Moment::parse("12"), Ok(Moment::At(At::Event(EventId(12)))));
        assert_eq!(Moment::parse("12ms"), Ok(Moment::Nanoseconds(12_000_000)));
        assert_eq!(Moment::parse("-1"), Ok(Moment::At(At::Start)));
        assert!(Moment::parse("soon").is_err());
    }
}
