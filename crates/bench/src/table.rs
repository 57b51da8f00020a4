//! Prints the measurements as one Markdown table, with the budgets beside them.

use crate::child::{Opened, Scenes};
use crate::inspect::Inspected;

/// What was measured on one file.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) opened: Vec<Opened>,
    pub(crate) scenes: Scenes,
    pub(crate) inspected: Inspected,
    /// `pickle.load`, garbage collector on and off.
    pub(crate) collected: Option<f64>,
    pub(crate) uncollected: Option<f64>,
}

/// Budgets of `docs/budgets.md`.
const OF_COLLECTED: f64 = 1.0 / 12.0;
const OF_UNCOLLECTED: f64 = 1.0 / 4.0;
const BYTES_AN_EVENT: f64 = 90.0;
const SCENE_MS: f64 = 16.0;
const POOL_MS: f64 = 10.0;
const PAGE_MS: f64 = 100.0;

/// The middle value; sorts `values`.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints everything.
pub(crate) fn print(rows: &[Row]) {
    opening(rows);
    println!("\n| file | pool state ms p50 / p99 (≤ 10) |");
    println!("|---|--:|");
    for Row { name, inspected, .. } in rows {
        let p99 = percentile(&inspected.pool, 0.99);
        let p50 = percentile(&inspected.pool, 0.5);
        println!("| {name} | {p50:.2} / {p99:.2}{} |", mark(p99, POOL_MS));
    }
    println!("\n| two recordings | same are stacks with the same | difference ms |");
    println!("|---|---|--:|");
    for Row { name, inspected, .. } in rows {
        for (way, ms) in &inspected.differences {
            println!("| {name} | {way} | {ms:.1} |");
        }
    }
    println!("\n| file | first page of | ms (≤ 100) |");
    println!("|---|---|--:|");
    for Row { name, inspected, .. } in rows {
        for (table, ms) in &inspected.pages {
            println!("| {name} | {table} | {ms:.1}{} |", mark(*ms, PAGE_MS));
        }
    }
}

fn opening(rows: &[Row]) {
    println!(
        "| file | events | MB | open ms | pickle.load ms (gc on) | ratio (≤ 1/12) | pickle.load ms (gc off) | ratio (≤ 1/4) | peak anon B/event (≤ 90) | held B/event | scene ms p50 / p90 / p99 (≤ 16) / max | most bands |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{}", line(row));
    }
    if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
        let growth = percentile(&last.scenes.ms, 0.99) / percentile(&first.scenes.ms, 0.99);
        println!("\nscene p99, {} against {}: × {growth:.2}", last.name, first.name);
    }
}

fn line(row: &Row) -> String {
    let of =
        |pick: fn(&Opened) -> f64| median(&mut row.opened.iter().map(pick).collect::<Vec<_>>());
    let ms = of(|run| run.ms);
    let events = of(|run| run.events as f64);
    let (peak, held) = (of(|run| run.peak_bytes as f64), of(|run| run.held_bytes as f64));
    let p99 = percentile(&row.scenes.ms, 0.99);
    format!(
        "| {} | {events:.0} | {:.1} | {ms:.1} | {} | {} | {} | {} | {:.1}{} | {:.1} | {:.2} / {:.2} / {p99:.2}{} / {:.2} | {} |",
        row.name,
        row.bytes as f64 / 1e6,
        number(row.collected),
        ratio(ms, row.collected, OF_COLLECTED),
        number(row.uncollected),
        ratio(ms, row.uncollected, OF_UNCOLLECTED),
        peak / events,
        mark(peak / events, BYTES_AN_EVENT),
        held / events,
        percentile(&row.scenes.ms, 0.5),
        percentile(&row.scenes.ms, 0.9),
        mark(p99, SCENE_MS),
        percentile(&row.scenes.ms, 1.0),
        row.scenes.most_bands,
    )
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "no python3".to_owned(), |value| format!("{value:.0}"))
}

pub(crate) fn ratio(ours: f64, theirs: Option<f64>, budget: f64) -> String {
    theirs.map_or_else(
        || "–".to_owned(),
        |theirs| format!("1/{:.1}{}", theirs / ours, mark(ours, theirs * budget)),
    )
}

/// Whether `value` keeps to `budget`.
pub(crate) fn mark(value: f64, budget: f64) -> &'static str {
    if value <= budget { " ✓" } else { " ✗" }
}

/// Of ascending `values`; the nearest-rank percentile.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let rank = (values.len() as f64 * share).ceil() as usize;
    values.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
}
