//! Columns in less room: how values are packed, and how they come back.
//!
//! Whatever is packed can be read row by row without unpacking the rest. [`pack`] chooses the
//! smallest way: the difference to the least value in as few bytes as it needs; the place in a
//! table of the distinct values; the same two of the differences between neighbours.

use crate::element::Element;
use arrow_buffer::ScalarBuffer;
use model::Packed;
use rustc_hash::FxHashMap;

/// Rows between two values that are kept as they are where differences are packed.
pub(crate) const STRIDE: usize = 64;
/// Most distinct values of a table: their places take two bytes.
const MOST_DISTINCT: usize = 1 << 16;
/// Packed by as little as this, in per cent, values are better kept as they are.
const WORTH: usize = 85;

/// Numbers of few bytes, one a row.
#[derive(Debug, Clone)]
pub(crate) enum Codes {
    /// All are 0.
    Zero,
    One(ScalarBuffer<u8>),
    Two(ScalarBuffer<u16>),
    Four(ScalarBuffer<u32>),
}

impl Codes {
    /// `codes` of at most `most`.
    fn of(codes: impl ExactSizeIterator<Item = u64>, most: u64) -> Self {
        match width(most) {
            0 => Self::Zero,
            1 => Self::One(codes.map(|code| code as u8).collect()),
            2 => Self::Two(codes.map(|code| code as u16).collect()),
            _ => Self::Four(codes.map(|code| code as u32).collect()),
        }
    }

    /// Whether there are as many as `rows`.
    pub(crate) fn fit(&self, rows: usize) -> bool {
        match self {
            Self::Zero => true,
            Self::One(codes) => codes.len() == rows,
            Self::Two(codes) => codes.len() == rows,
            Self::Four(codes) => codes.len() == rows,
        }
    }
}

/// Bytes that a number of at most `most` takes; 8: more than [`Codes`] have.
fn width(most: u64) -> usize {
    match most {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// What a code stands for.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    /// `base + step × code`.
    Line { base: u64, step: u64 },
    /// The value in that place; 0 beyond the end.
    Table(ScalarBuffer<u64>),
}

/// Values by code.
#[derive(Debug, Clone)]
pub(crate) struct Coded {
    pub(crate) rows: usize,
    pub(crate) codes: Codes,
    pub(crate) meaning: Meaning,
}

impl Coded {
    fn read<T: Element>(&self, from: usize, into: &mut [T]) {
        let to = from + into.len();
        match &self.codes {
            Codes::Zero => into.fill(T::of_bits(self.meaning.of(0))),
            Codes::One(codes) => self.meaning.read(&codes[from..to], into),
            Codes::Two(codes) => self.meaning.read(&codes[from..to], into),
            Codes::Four(codes) => self.meaning.read(&codes[from..to], into),
        }
    }

    /// Bytes it takes, about.
    fn bytes(&self) -> usize {
        let codes = match self.codes {
            Codes::Zero => 0,
            Codes::One(_) => self.rows,
            Codes::Two(_) => 2 * self.rows,
            Codes::Four(_) => 4 * self.rows,
        };
        let table = if let Meaning::Table(values) = &self.meaning { values.len() * 8 } else { 0 };
        codes + table
    }
}

impl Meaning {
    fn of(&self, code: u64) -> u64 {
        match self {
            Self::Line { base, step } => base.wrapping_add(step.wrapping_mul(code)),
            Self::Table(values) => values.get(code as usize).copied().unwrap_or(0),
        }
    }

    fn read<C: Copy + Into<u64>, T: Element>(&self, codes: &[C], into: &mut [T]) {
        match self {
            Self::Line { base, step } => {
                for (value, code) in into.iter_mut().zip(codes) {
                    let code: u64 = (*code).into();
                    *value = T::of_bits(base.wrapping_add(step.wrapping_mul(code)));
                }
            }
            Self::Table(values) => {
                for (value, code) in into.iter_mut().zip(codes) {
                    let code: u64 = (*code).into();
                    *value = T::of_bits(values.get(code as usize).copied().unwrap_or(0));
                }
            }
        }
    }
}

impl<T: Element> Packed<T> for Coded {
    fn len(&self) -> usize {
        self.rows
    }

    fn unpack(&self, from: usize, into: &mut [T]) {
        self.read(from, into);
    }
}

/// Values by the difference to the one before.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    /// Every [`STRIDE`]th value.
    pub(crate) bases: ScalarBuffer<u64>,
    /// Differences; those at the bases stand for nothing.
    pub(crate) steps: Coded,
}

impl<T: Element> Packed<T> for Running {
    fn len(&self) -> usize {
        self.steps.rows
    }

    fn unpack(&self, from: usize, into: &mut [T]) {
        let mut steps = [0_u64; STRIDE];
        let (mut at, to) = (from, from + into.len());
        while at < to {
            let stride = at / STRIDE;
            let begin = stride * STRIDE;
            let end = to.min(begin + STRIDE);
            let steps = &mut steps[..end - begin];
            self.steps.read(begin, steps);
            let mut value = self.bases.get(stride).copied().unwrap_or(0);
            for (row, step) in (begin..end).zip(steps.iter()) {
                if row > begin {
                    value = value.wrapping_add(*step);
                }
                if row >= at {
                    into[row - from] = T::of_bits(value);
                }
            }
            at = end;
        }
    }
}

/// The smallest of the ways to keep values.
#[derive(Debug, Clone)]
pub(crate) enum Packing {
    /// As they are.
    Plain,
    Coded(Coded),
    Running(Running),
}

/// Chooses for `values`.
pub(crate) fn pack<T: Element>(values: &[T]) -> Packing {
    let plain = size_of_val(values);
    // What is this small costs more to describe than to keep.
    if plain < 256 {
        return Packing::Plain;
    }
    let coded = coded(values);
    let coded_bytes = coded.as_ref().map_or(usize::MAX, Coded::bytes);
    // Differences of bytes are no smaller.
    let running =
        (size_of::<T>() > 1 && coded_bytes > values.len()).then(|| running(values)).flatten();
    let running_bytes =
        running.as_ref().map_or(usize::MAX, |it| it.steps.bytes() + it.bases.len() * 8);
    if coded_bytes.min(running_bytes) > plain / 100 * WORTH {
        return Packing::Plain;
    }
    match (coded, running) {
        (_, Some(running)) if running_bytes < coded_bytes => Packing::Running(running),
        (Some(coded), _) => Packing::Coded(coded),
        _ => Packing::Plain,
    }
}

fn running<T: Element>(values: &[T]) -> Option<Running> {
    let bases = values.iter().step_by(STRIDE).map(|value| value.bits()).collect();
    let step = |pair: &[T]| pair[1].bits().wrapping_sub(pair[0].bits()) as i64;
    // The first has none before it: as if it went on like the second.
    let first = values.get(..2).map_or(0, step);
    let steps: Vec<i64> = std::iter::once(first).chain(values.windows(2).map(step)).collect();
    Some(Running { bases, steps: coded(&steps)? })
}

/// `values` by code, in as few bytes as can be; `None` when that is no less than they are.
fn coded<T: Element>(values: &[T]) -> Option<Coded> {
    let (least, most) = (*values.iter().min()?, *values.iter().max()?);
    let over = |value: &T| value.bits().wrapping_sub(least.bits());
    let step = values.iter().fold(0, |step, value| divisor(step, over(value))).max(1);
    let places = over(&most) / step;
    let wide = width(places);
    if wide > 1
        && size_of::<T>() > 1
        && let Some(tabled) = tabled(values).filter(|it| it.bytes() < wide * values.len())
    {
        return Some(tabled);
    }
    if wide >= size_of::<T>() {
        return None;
    }
    let codes = Codes::of(values.iter().map(|value| over(value) / step), places);
    Some(Coded { rows: values.len(), codes, meaning: Meaning::Line { base: least.bits(), step } })
}

/// Greatest common divisor; of 0 and another the other.
fn divisor(mut one: u64, mut other: u64) -> u64 {
    // Mostly nothing changes.
    if one != 0 && other.is_multiple_of(one) {
        return one;
    }
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// `values` by their place among the distinct ones, if those are few.
fn tabled<T: Element>(values: &[T]) -> Option<Coded> {
    let mut places: FxHashMap<u64, u32> = FxHashMap::default();
    let mut table = Vec::new();
    let mut last = None;
    for value in values {
        if last == Some(*value) {
            continue;
        }
        last = Some(*value);
        places.entry(value.bits()).or_insert_with(|| {
            table.push(value.bits());
            table.len() as u32 - 1
        });
        if table.len() > MOST_DISTINCT {
            return None;
        }
    }
    let code = |value: &T| u64::from(places[&value.bits()]);
    let codes = Codes::of(values.iter().map(code), table.len() as u64 - 1);
    Some(Coded { rows: values.len(), codes, meaning: Meaning::Table(table.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Column;
    use proptest::prelude::*;

    fn back<T: Element>(values: &[T]) -> Column<T> {
        match pack(values) {
            Packing::Plain => values.to_vec().into(),
            Packing::Coded(coded) => Column::packed(coded),
            Packing::Running(running) => Column::packed(running),
        }
    }

    fn same<T: Element>(values: &[T], from: usize, len: usize) -> Result<(), TestCaseError> {
        let column = back(values);
        prop_assert_eq!(column.len(), values.len());
        let from = from.min(values.len());
        let len = len.min(values.len() - from);
        let mut part = vec![T::default(); len];
        column.copy(from, &mut part);
        prop_assert_eq!(&part[..], &values[from..from + len]);
        prop_assert_eq!(&column[..], values);
        Ok(())
    }

    /// Numbers as they come in recordings: few, near each other, rising, or anything.
    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let few = proptest::collection::vec(0_usize..5, 0..700).prop_map(|places| {
            let table = [0, u64::MAX, 1 << 40, 512, 7];
            places.into_iter().map(|place| table[place]).collect()
        });
        let near = (any::<u64>(), 1_u64..2_000, proptest::collection::vec(0_u64..300, 0..700))
            .prop_map(|(base, step, codes): (u64, u64, Vec<u64>)| {
                codes.into_iter().map(|code| base.wrapping_add(code * step)).collect()
            });
        let rising = (any::<u64>(), proptest::collection::vec(0_u64..70_000, 0..700)).prop_map(
            |(base, steps): (u64, Vec<u64>)| {
                let sum = |at: &mut u64, step: u64| {
                    *at = at.wrapping_add(step);
                    Some(*at)
                };
                steps.into_iter().scan(base, sum).collect()
            },
        );
        prop_oneof![few, near, rising, proptest::collection::vec(any::<u64>(), 0..300)]
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back_whole_and_in_parts(
            values in numbers(),
            from in 0_usize..700,
            len in 0_usize..200,
        ) {
            same(&values, from, len)?;
            same(&values.iter().map(|value| *value as i64).collect::<Vec<_>>(), from, len)?;
            same(&values.iter().map(|value| *value as u32).collect::<Vec<_>>(), from, len)?;
            same(&values.iter().map(|value| *value as u16).collect::<Vec<_>>(), from, len)?;
            same(&values.iter().map(|value| *value as u8).collect::<Vec<_>>(), from, len)?;
        }
    }

    #[test]
    fn packing_takes_the_room_that_differences_need() {
        let bytes = |values: &[u64]| match pack(values) {
            Packing::Plain => size_of_val(values),
            Packing::Coded(coded) => coded.bytes(),
            Packing::Running(running) => running.steps.bytes() + running.bases.len() * 8,
        };
        let addresses: Vec<u64> = (0..1_000).map(|at| 0x7f00_0000_0000 + at * 512).collect();
        assert_eq!(bytes(&addresses[..]), 16 * 8);
        let sizes: Vec<u64> = (0..1_000).map(|at| 1 << (at % 40)).collect();
        assert_eq!(bytes(&sizes), 1_000 + 40 * 8);
        assert_eq!(bytes(&[7; 1_000]), 0);
        let random: Vec<u64> = (1..=1_000_u64).map(|at| at.wrapping_pow(21) ^ at << 57).collect();
        assert_eq!(bytes(&random), 8_000);
    }
}
