//! Values in words for a person at a terminal.

/// `1.50 GiB`, four digits at most; small sizes in bytes.
pub(crate) fn human(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    // What would round to 1024 belongs to the next unit.
    while value >= 1023.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `1.50 GiB (1610612736 bytes)`.
pub(crate) fn exact(bytes: u64) -> String {
    if bytes < 1024 {
        format!("{bytes} bytes")
    } else {
        format!("{} ({bytes} bytes)", human(bytes))
    }
}

/// `1 block`, `2 blocks`.
pub(crate) fn counted(count: impl Into<u64>, one: &str) -> String {
    let count = count.into();
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// `+128 MiB` and `+134217728`.
pub(crate) fn change(a: u64, b: u64) -> (String, String) {
    let words = human(a.abs_diff(b));
    match a.cmp(&b) {
        std::cmp::Ordering::Less => (format!("+{words}"), format!("+{}", b - a)),
        std::cmp::Ordering::Equal => ("0".to_owned(), "0".to_owned()),
        std::cmp::Ordering::Greater => (format!("-{words}"), format!("-{}", a - b)),
    }
}

/// `+3`, `-3`, `0`.
pub(crate) fn signed_count(change: i64) -> String {
    if change == 0 { "0".to_owned() } else { format!("{change:+}") }
}

/// Frames of a stack that are shown: what the telling one calls, itself, and outward.
const FRAMES: usize = 4;

/// `torch/functional.py:7 mm < train.py:20 grow < train.py:5 main < …` of a stack's lines, of which
/// the one in place `top` tells most.
pub(crate) fn stack(lines: &[String], top: usize) -> String {
    let is_python = |line: &str| line.contains(".py");
    // Around Python's frames lie those of its interpreter, which say nothing.
    let is_shown =
        |line: &str| is_python(line) || !lines.get(top).is_some_and(|top| is_python(top));
    let inner = lines.iter().take(top).rfind(|line| is_shown(line));
    let outer = lines.iter().skip(top).filter(|line| is_shown(line));
    let all: Vec<String> = inner.into_iter().chain(outer).map(|line| plain(line)).collect();
    let more = if all.len() > FRAMES { " < …" } else { "" };
    let shown = &all[..all.len().min(FRAMES)];
    format!("{}{more}", shown.join(" < "))
}

/// `2026-01-31 12:00:00.000001 UTC` of microseconds since the epoch.
pub(crate) fn date(time_us: i64) -> String {
    const DAY_US: i64 = 86_400_000_000;
    let (days, rest) = (time_us.div_euclid(DAY_US), time_us.rem_euclid(DAY_US));
    let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06} UTC")
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar, counted in eras of
/// 400 years that begin on the first of March (`https://howardhinnant.github.io/date_algorithms.html`).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// `37 µs`, `12.345 ms`, `3.210 s`, `1 h 2 min 3 s`.
pub(crate) fn span(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.3} ms", micros as f64 / 1e3),
        1_000_000..120_000_000 => format!("{:.3} s", micros as f64 / 1e6),
        _ if seconds < 3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min {} s", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// `text` on one line and without the power to move a terminal's cursor or turn its direction.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || is_direction(letter) {
            plain.extend(letter.escape_default());
        } else {
            plain.push(letter);
        }
    }
    plain
}

/// As [`plain`], with the lines kept.
pub(crate) fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// Marks that turn the direction of what follows them.
fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits_and_the_right_unit() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (1536, "1.50 KiB"),
            (20 << 20, "20.0 MiB"),
            (998 << 20, "998 MiB"),
            ((1 << 30) - 1, "1.00 GiB"),
            (79 << 30, "79.0 GiB"),
            (u64::MAX, "16.0 EiB"),
        ];
        for (bytes, words) in cases {
            assert_eq!(human(bytes), words);
        }
        assert_eq!(exact(2048), "2.00 KiB (2048 bytes)");
        assert_eq!(exact(7), "7 bytes");
    }

    #[test]
    fn dates_are_right_across_leap_years_and_before_the_epoch() {
        assert_eq!(date(0), "1970-01-01 00:00:00.000000 UTC");
        assert_eq!(date(-1), "1969-12-31 23:59:59.999999 UTC");
        assert_eq!(date(951_782_400_000_000), "2000-02-29 00:00:00.000000 UTC");
        assert_eq!(date(1_759_252_584_204_770), "2025-09-30 17:16:24.204770 UTC");
        assert!(date(i64::MAX).starts_with("294247-01-10"));
        assert!(date(i64::MIN).starts_with("-290308-12-21"));
    }

    #[test]
    fn spans_pick_their_unit() {
        assert_eq!(span(37), "37 µs");
        assert_eq!(span(12_345), "12.345 ms");
        assert_eq!(span(3_210_000), "3.210 s");
        assert_eq!(span(125_000_000), "2 min 5 s");
        assert_eq!(span(3_723_000_000), "1 h 2 min 3 s");
    }

    #[test]
    fn texts_cannot_steer_the_terminal() {
        assert_eq!(plain("a\x1b[2Jb\n"), "a\\u{1b}[2Jb\\n");
        assert_eq!(plain("\u{202e}gpj.exe"), "\\u{202e}gpj.exe");
        assert_eq!(plain("训练.py:3 前向"), "训练.py:3 前向");
        assert_eq!(plain_lines("one\ntwo\x07"), "one\ntwo\\u{7}");
    }
}
