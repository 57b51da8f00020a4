//! What a snapshot may be wrapped in, told by content.

mod compressed;
mod page;
mod zipped;

use crate::Warnings;
use job::{Cancelled, Job};
use model::Carrier;
use std::borrow::Cow;

/// Wrappers within wrappers; more are somebody's joke.
const DEEPEST: u8 = 4;
/// Names of files that a remark lists, and the longest of a name that it repeats.
const MOST_NAMES: usize = 8;
const LONGEST_NAME: usize = 80;

/// What is inside of all wrappers.
#[derive(Debug)]
pub(crate) struct Unwrapped<'a> {
    pub(crate) content: Content<'a>,
    /// The outermost wrapper.
    pub(crate) carrier: Carrier,
}

/// Bytes of a known kind.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    Pickle(Cow<'a, [u8]>),
    Json(Cow<'a, [u8]>),
}

/// Why there is nothing inside.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Something else; the words say what.
    SomethingElse(String),
    /// The wrapper is unreadable from its beginning.
    Damaged(&'static str, String),
    Cancelled,
}

impl From<Cancelled> for Refusal {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Kinds of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pickle,
    Json,
    Gzip,
    Zstd,
    Zip,
    Html,
    Other,
}

impl Kind {
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0x80, 2..=5, ..] => Self::Pickle,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            _ => match text_start(bytes) {
                [b'{' | b'[', ..] => Self::Json,
                [b'<', ..] => Self::Html,
                _ => Self::Other,
            },
        }
    }
}

/// `bytes` without a byte order mark and white space.
fn text_start(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Takes off all wrappers.
pub(crate) fn unwrap<'a>(
    bytes: &'a [u8],
    warnings: &Warnings,
    job: &Job,
) -> Result<Unwrapped<'a>, Refusal> {
    let mut bytes = Cow::Borrowed(bytes);
    let mut outermost = None;
    for _ in 0..DEEPEST {
        let kind = Kind::of(&bytes);
        let (inner, carrier) = match kind {
            Kind::Pickle => {
                let carrier = outermost.unwrap_or(Carrier::Pickle);
                return Ok(Unwrapped { content: Content::Pickle(bytes), carrier });
            }
            Kind::Json => {
                let carrier = outermost.unwrap_or(Carrier::Json);
                let content = match bytes {
                    Cow::Borrowed(bytes) => Cow::Borrowed(text_start(bytes)),
                    Cow::Owned(bytes) => Cow::Owned(text_start(&bytes).to_vec()),
                };
                return Ok(Unwrapped { content: Content::Json(content), carrier });
            }
            Kind::Gzip => (compressed::gzip(&bytes, warnings, job)?, Carrier::Gzip),
            Kind::Zstd => (compressed::zstd(&bytes, warnings, job)?, Carrier::Zstd),
            Kind::Zip => zipped::unzip(&bytes, warnings, job)?,
            Kind::Html => (page::snapshot(&bytes, warnings, job)?, Carrier::Html),
            Kind::Other => return Err(Refusal::SomethingElse(described(&bytes).to_owned())),
        };
        outermost.get_or_insert(carrier);
        bytes = Cow::Owned(inner);
    }
    Err(Refusal::SomethingElse("it is wrapped too many times".into()))
}

/// The first few of `names` with quotes around them, and how many more there are.
fn listed(names: impl ExactSizeIterator<Item: AsRef<str>>) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let quoted = names.take(MOST_NAMES).map(|name| {
        let short: String = name.as_ref().chars().take(LONGEST_NAME).collect();
        format!("{short:?}")
    });
    let list = quoted.collect::<Vec<_>>().join(", ");
    if more == 0 { list } else { format!("{list} and {more} more") }
}

/// What bytes of no known kind are, in words.
fn described(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "there is nothing in it",
        [0x80, 0..=1, ..] | [b'(', b'l' | b'd', ..] => {
            "it is a pickle of protocol 0 or 1; write it with protocol 2 or later"
        }
        [0x80, ..] => "it begins like a pickle of a protocol later than 5",
        _ if bytes.starts_with(b"SQLite format 3\0") => "it is an SQLite database",
        _ if bytes.starts_with(b"\x7fELF") => "it is a program",
        _ if bytes.starts_with(b"\x89PNG") => "it is a picture",
        _ => {
            let head = &bytes[..bytes.len().min(512)];
            let is_text = head.iter().all(|byte| *byte >= 0x20 || byte.is_ascii_whitespace());
            if is_text { "it is a text" } else { "its first bytes are of no format known here" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_first_bytes() {
        let cases: [(&[u8], Kind); 9] = [
            (b"\x80\x04\x95", Kind::Pickle),
            (b"\x80\x06\x95", Kind::Other),
            (b"\x1f\x8b\x08", Kind::Gzip),
            (b"\x28\xb5\x2f\xfd", Kind::Zstd),
            (b"PK\x03\x04", Kind::Zip),
            (b"\xef\xbb\xbf \n{\"segments\": []}", Kind::Json),
            (b"\n<!DOCTYPE html>", Kind::Html),
            (b"(lp0\n.", Kind::Other),
            (b"", Kind::Other),
        ];
        for (bytes, kind) in cases {
            assert_eq!(Kind::of(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn a_refusal_says_what_was_found() {
        assert!(described(b"(lp0\n.").contains("protocol 0"));
        assert!(described(b"SQLite format 3\0...").contains("SQLite"));
        assert!(described(b"step,bytes\n1,2\n").contains("a text"));
        assert!(described(b"\x80\x06").contains("later than 5"));
    }
}
