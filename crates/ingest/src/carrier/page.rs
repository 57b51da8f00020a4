//! Pages that `python -m torch.cuda._memory_viz` writes.

use super::Refusal;
use crate::Warnings;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use job::{Job, Progress};
use model::WarningKind;

/// Base64 characters between two looks at the job; a multiple of four.
const STRIDE: usize = 1 << 20;
/// Where a page keeps its snapshots.
const FILES: &[u8] = b"local_files";
const KEY: &[u8] = b"\"base64\"";

/// The snapshot inside of the page.
pub(super) fn snapshot(page: &[u8], warnings: &Warnings, job: &Job) -> Result<Vec<u8>, Refusal> {
    job.check()?;
    let mut texts = find(page, FILES, 0).map(|at| texts(page, at)).unwrap_or_default();
    let (first, others) = match texts.split_first_mut() {
        Some((first, others)) => (*first, others.len()),
        None => return Err(Refusal::SomethingElse(described(page).to_owned())),
    };
    warnings.add(WarningKind::TrailingBytes, "page", others as u64, || {
        format!("The page holds {} snapshots; the first is shown.", others + 1)
    });
    decode(first, job)
}

/// The base64 texts from `at` on.
fn texts(page: &[u8], mut at: usize) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while let Some(key) = find(page, KEY, at) {
        at = key + KEY.len();
        let value = page[at..].trim_ascii_start();
        let value = value.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        if let Some(value) = value.and_then(|value| value.strip_prefix(b"\"")) {
            let end = value.iter().position(|byte| *byte == b'"').unwrap_or(value.len());
            all.push(&value[..end]);
            at = page.len() - value.len() + end;
        }
    }
    all
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
