//! Text that is looked for.

/// A text to be found in others, whatever the case of either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    lower: String,
}

impl Needle {
    /// Looks for `text`; the empty text is in every other.
    pub fn new(text: &str) -> Self {
        Self { lower: text.to_lowercase() }
    }

    /// Whether it is somewhere in `text`.
    pub fn is_in(&self, text: &str) -> bool {
        if !text.is_ascii() {
            return text.to_lowercase().contains(&self.lower);
        }
        let (needle, text) = (self.lower.as_bytes(), text.as_bytes());
        let Some(first) = needle.first() else { return true };
        let starts = text.len().saturating_sub(needle.len() - 1);
        (0..starts).any(|at| {
            text[at].to_ascii_lowercase() == *first
                && text[at..at + needle.len()].eq_ignore_ascii_case(needle)
        })
    }

    /// Whether it can lie on a number, decimal or in hex after `0x`, or across an edge of one.
    pub(crate) fn meets_numbers(&self) -> bool {
        // What reaches into a number from before it has its first digit or sign; what begins
        // within one begins with a letter of it.
        self.lower.contains(|letter: char| letter.is_ascii_digit() || letter == '-')
            || self.lower.starts_with(|letter: char| matches!(letter, 'a'..='f' | 'x'))
    }

    /// Whether `text` begins with it.
    pub(crate) fn begins(&self, text: &str) -> bool {
        text.to_lowercase().starts_with(&self.lower)
    }

    /// Without its spaces.
    pub(crate) fn dense(&self) -> Self {
        Self { lower: self.lower.replace(' ', "") }
    }

    /// Whether it is within the decimal digits of `value`.
    pub(crate) fn is_in_number(&self, value: i128) -> bool {
        let mut digits = [0; 24];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs() as u64;
        while rest >= 10 {
            start -= 2;
            let pair = (rest % 100) as usize * 2;
            digits[start..start + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
            rest /= 100;
        }
        if rest > 0 || value == 0 {
            start -= 1;
            digits[start] = b'0' + rest as u8;
        }
        if value < 0 {
            start -= 1;
            digits[start] = b'-';
        }
        let needle = self.lower.as_bytes();
        let Some(first) = needle.first() else { return true };
        let is_at = |part: &[u8]| part[0] == *first && part == needle;
        digits[start..].windows(needle.len()).any(is_at)
    }
}

/// `00`, `01`, … `99`: numbers are written two digits at a time.
const PAIRS: [u8; 200] = {
    let mut pairs = [0; 200];
    let mut pair = 0;
    while pair < 100 {
        pairs[2 * pair] = b'0' + (pair / 10) as u8;
        pairs[2 * pair + 1] = b'0' + (pair % 10) as u8;
        pair += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_in_any_script() {
        assert!(Needle::new("ALLOC").is_in("segment_alloc"));
        assert!(Needle::new("öl").is_in("ÖLWANNE.py:3 f"));
        assert!(Needle::new("").is_in(""));
        assert!(!Needle::new("allocs").is_in("alloc"));
        assert!(Needle::new("-32").is_in_number(-320));
        assert!(Needle::new("18446744073709551615").is_in_number(i128::from(u64::MAX)));
        assert!(Needle::new("0").is_in_number(0));
        assert!(!Needle::new("01").is_in_number(1));
        assert!(Needle::new("01").is_in_number(1017));
        assert!(Needle::new("10").is_in_number(10));
    }
}
