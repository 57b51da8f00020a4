//! Addresses as people type them.

/// Which addresses are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressFilter {
    /// This one.
    Exact(u64),
    /// Of whatever holds this byte: the block around it; an event about such a block, or about a
    /// segment around it.
    Holds(u64),
    /// Those whose hex digits contain these.
    Digits(HexDigits),
    /// Any of several.
    Any(Vec<Self>),
}

impl AddressFilter {
    /// What `text` can mean while somebody types it: hex digits anywhere in the address, with
    /// `0x` from its beginning, or an address in hex or decimal that is held. `None` when it is
    /// none of them.
    pub fn typed(text: &str) -> Option<Self> {
        let digits = HexDigits::parse(text).map(Self::Digits);
        let held = parse_address(text).map(Self::Holds);
        let any: Vec<Self> = digits.into_iter().chain(held).collect();
        (!any.is_empty()).then_some(Self::Any(any))
    }
}

/// Hex digits in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexDigits {
    value: u64,
    count: u32,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    Start,
}

impl HexDigits {
    /// One to sixteen hex digits; after `0x` they are the first of an address, and `0x` alone is
    /// before all of them.
    pub fn parse(text: &str) -> Option<Self> {
        let (digits, place) = match strip_0x(text) {
            Some(digits) => (digits, Place::Start),
            None => (text.trim(), Place::Anywhere),
        };
        let digits = dense(digits);
        if digits.is_empty() && place == Place::Start {
            return Some(Self { value: 0, count: 0, place });
        }
        let is_hex = digits.len() <= 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = is_hex.then(|| u64::from_str_radix(&digits, 16).ok())??;
        Some(Self { value, count: digits.len() as u32, place })
    }

    /// Whether the hex digits of `address`, without leading zeros, have these in a row.
    pub fn are_in(self, address: u64) -> bool {
        let all = (67 - (address | 1).leading_zeros()) / 4;
        let Some(most) = all.checked_sub(self.count) else { return false };
        let mask = match self.count {
            0 => return true,
            count => u64::MAX >> (64 - 4 * count),
        };
        let is_at = |place: u32| address >> (4 * place) & mask == self.value;
        match self.place {
            Place::Start => is_at(most),
            Place::Anywhere => (0..=most).any(is_at),
        }
    }
}

/// An address in hex, after `0x` or with a letter among its digits, else in decimal; spaces and
/// `_` between digits are allowed.
pub fn parse_address(text: &str) -> Option<u64> {
    let digits = dense(strip_0x(text).unwrap_or(text.trim()));
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_decimal = strip_0x(text).is_none() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let radix = if is_decimal { 10 } else { 16 };
    is_plain.then(|| u64::from_str_radix(&digits, radix).ok())?
}

fn strip_0x(text: &str) -> Option<&str> {
    let text = text.trim();
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn dense(digits: &str) -> String {
    digits.chars().filter(|digit| !matches!(digit, ' ' | '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_read_in_both_notations_up_to_the_last_bit() {
        assert_eq!(parse_address("0x7F12_0000"), Some(0x7f12_0000));
        assert_eq!(parse_address(" 20697531023360 "), Some(20_697_531_023_360));
        assert_eq!(parse_address("12d3ab00"), Some(0x12d3_ab00));
        assert_eq!(parse_address("0xfffffe0000000000"), Some(0xffff_fe00_0000_0000));
        assert_eq!(parse_address("18446720620317114368"), Some(18_446_720_620_317_114_368));
        assert_eq!(parse_address("18446744073709551616"), None);
        assert_eq!(parse_address("0x"), None);
        assert_eq!(parse_address("+5"), None);
        assert_eq!(parse_address("0x+5"), None);
        assert_eq!(parse_address("seven"), None);
    }

    #[test]
    fn digits_after_0x_are_the_first_ones() {
        let are_in = |text: &str, address| HexDigits::parse(text).unwrap().are_in(address);
        assert!(are_in("0x12d", 0x12d3_0000));
        assert!(!are_in("0x2d3", 0x12d3_0000));
        assert!(are_in("2D3", 0x12d3_0000));
        assert!(are_in("0x", 0));
        assert_eq!(HexDigits::parse(""), None);
        assert_eq!(HexDigits::parse("0x12d3000000000000f"), None);
    }

    proptest! {
        #[test]
        fn digits_are_found_as_in_text(address: u64, cut in 0u32..64, text in "[0-3a-f]{1,4}") {
            let address = address >> cut;
            let digits = HexDigits::parse(&text).unwrap();
            prop_assert_eq!(digits.are_in(address), format!("{address:x}").contains(&text));
            let first = HexDigits::parse(&format!("0x{text}")).unwrap();
            prop_assert_eq!(first.are_in(address), format!("{address:x}").starts_with(&text));
        }
    }
}
