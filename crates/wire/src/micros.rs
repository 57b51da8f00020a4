//! Moments as answers: microseconds.

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Nanoseconds, which travel as microseconds: a whole number wherever they are, else a fraction.
///
/// A fraction is exact to the nanosecond up to some days, and times that have one count from the
/// recording's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Micros(pub i64);

impl Micros {
    /// Whole microseconds.
    pub fn whole(self) -> i64 {
        self.0.div_euclid(1_000)
    }
}

impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1_000 == 0 {
            serializer.serialize_i64(self.0 / 1_000)
        } else {
            serializer.serialize_f64(self.0 as f64 / 1e3)
        }
    }
}

impl<'de> Deserialize<'de> for Micros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

/// Reads a whole number or a fraction.
struct Either;

impl Visitor<'_> for Either {
    type Value = Micros;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of microseconds")
    }

    fn visit_i64<E>(self, micros: i64) -> Result<Micros, E> {
        Ok(Micros(micros.saturating_mul(1_000)))
    }

    fn visit_u64<E: serde::de::Error>(self, micros: u64) -> Result<Micros, E> {
        self.visit_i64(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    fn visit_f64<E>(self, micros: f64) -> Result<Micros, E> {
        Ok(Micros((micros * 1e3).round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::Micros;

    #[test]
    fn whole_microseconds_are_whole_numbers() {
        let written = |time| serde_json::to_string(&Micros(time)).unwrap();
        assert_eq!(written(1_700_000_000_000_000_000), "1700000000000000");
        assert_eq!(written(-1_000), "-1");
        assert_eq!(written(48_511_511_080_123), "48511511080.123");
        for time in [0, 1_700_000_000_000_000_000, 48_511_511_080_123, -1] {
            assert_eq!(serde_json::from_str::<Micros>(&written(time)).unwrap(), Micros(time));
        }
    }
}
