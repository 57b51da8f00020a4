//! Pages that `python -m torch.cuda._memory_viz` writes.

use super::{Refusal, listed};
use crate::Warnings;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use job::{Job, Progress};
use model::WarningKind;

/// Base64 characters between two looks at the job; a multiple of four.
const STRIDE: usize = 1 << 20;
/// Where a page keeps its snapshots.
const FILES: &[u8] = b"local_files";
const NAME: &[u8] = b"\"name\"";
const KEY: &[u8] = b"\"base64\"";

/// A snapshot in a page, still encoded.
struct Encoded<'a> {
    /// Its name as the page has it: without quotes, escaped as in JSON.
    name: &'a [u8],
    base64: &'a [u8],
}

/// The snapshot inside of the page.
pub(super) fn snapshot(page: &[u8], warnings: &Warnings, job: &Job) -> Result<Vec<u8>, Refusal> {
    job.check()?;
    let files = find(page, FILES, 0).map(|at| files(page, at)).unwrap_or_default();
    let Some((first, others)) = files.split_first() else {
        return Err(Refusal::SomethingElse(described(page).to_owned()));
    };
    warnings.add(WarningKind::TrailingBytes, "page", others.len() as u64, || {
        let names = others.iter().map(|file| unescaped(file.name));
        format!(
            "The page holds {} snapshots. The first, {:?}, is shown; not shown: {}.",
            files.len(),
            unescaped(first.name),
            listed(names)
        )
    });
    decode(first.base64, job)
}

/// The snapshots from `at` on.
fn files(page: &[u8], mut at: usize) -> Vec<Encoded<'_>> {
    let mut all = Vec::new();
    while let Some(key) = find(page, KEY, at) {
        // A file's name comes before its content.
        let name = find(&page[..key], NAME, at).and_then(|name| quoted(page, name + NAME.len()));
        at = key + KEY.len();
        if let Some(base64) = quoted(page, at) {
            all.push(Encoded { name: name.unwrap_or_default(), base64 });
            at += base64.len();
        }
    }
    all
}

/// The text between quotes that follows a key, up to the end of a page that was cut.
fn quoted(page: &[u8], at: usize) -> Option<&[u8]> {
    let value = page[at..].trim_ascii_start().strip_prefix(b":")?;
    let value = value.trim_ascii_start().strip_prefix(b"\"")?;
    let mut is_escaped = false;
    let end = value.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    Some(&value[..end.unwrap_or(value.len())])
}

/// What a JSON text without its quotes says.
fn unescaped(text: &[u8]) -> String {
    let whole = [b"\"", text, b"\""].concat();
    serde_json::from_slice(&whole).unwrap_or_else(|_| String::from_utf8_lossy(text).into_owned())
}

fn find(page: &[u8], what: &[u8], from: usize) -> Option<usize> {
    let rest = page.get(from..)?;
    let first = what[0];
    let mut at = 0;
    loop {
        at += rest.get(at..)?.iter().position(|byte| *byte == first)?;
        if rest[at..].starts_with(what) {
            return Some(from + at);
        }
        at += 1;
    }
}

fn decode(text: &[u8], job: &Job) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for (row, part) in text.chunks(STRIDE).enumerate() {
        let (done, total) = ((row * STRIDE) as u64, text.len() as u64);
        job.step(Progress { stage: "unpacking", done, total })?;
        if let Err(error) = STANDARD.decode_vec(part, &mut bytes) {
            // A page that was cut: what came before is as good as a pickle that was cut.
            if bytes.is_empty() && part.len() == text.len() {
                let whole = part.len() / 4 * 4;
                if STANDARD.decode_vec(&part[..whole], &mut bytes).is_ok() {
                    return Ok(bytes);
                }
                return Err(Refusal::Damaged("page with a snapshot", error.to_string()));
            }
            return Ok(bytes);
        }
    }
    Ok(bytes)
}

/// What a page without snapshots is, in words.
fn described(page: &[u8]) -> &'static str {
    if find(page, b"alloc_data", 0).is_some() {
        "it is a page of PyTorch 2.0, whose data has neither addresses nor times; open the \
         snapshot it was made from"
    } else if find(page, b"data:image/png;base64", 0).is_some() {
        "it is a page with a picture and no data, such as export_memory_timeline writes"
    } else {
        "it is a page without a snapshot in it"
    }
}
