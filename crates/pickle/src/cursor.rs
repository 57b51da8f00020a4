//! A place in the input.

use crate::{Error, Value};

/// A place in the input, moved by reading.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// All of the input, read or not.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes to offset `at`, or to the end when that lies beyond.
    pub fn seek(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next `count` bytes.
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(count);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.at += count;
                Ok(bytes)
            }
            None => Err(Error::Truncated { offset: self.bytes.len() as u64 }),
        }
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(Error::Truncated { offset: self.bytes.len() as u64 }),
        }
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    /// A length of one byte and as many bytes.
    pub fn sized1(&mut self) -> Result<&'a [u8], Error> {
        let count = self.byte()?;
        self.take(usize::from(count))
    }

    /// A length of four bytes and as many bytes.
    pub fn sized4(&mut self) -> Result<&'a [u8], Error> {
        let count = u32::from_le_bytes(self.array()?);
        self.take(count as usize)
    }

    /// A length of eight bytes and as many bytes.
    pub fn sized8(&mut self) -> Result<&'a [u8], Error> {
        let count = u64::from_le_bytes(self.array()?);
        self.take(usize::try_from(count).unwrap_or(usize::MAX))
    }
}

/// The integer whose little-endian two's complement `bytes` are, if a [`Value`] can hold it.
pub(crate) fn long(bytes: &[u8]) -> Option<Value> {
    if bytes.len() > 16 {
        return None;
    }
    let negative = bytes.last().is_some_and(|top| top & 0x80 != 0);
    let mut wide = [if negative { 0xff } else { 0 }; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let wide = i128::from_le_bytes(wide);
    i64::try_from(wide).map(Value::Int).or_else(|_| u64::try_from(wide).map(Value::Uint)).ok()
}
