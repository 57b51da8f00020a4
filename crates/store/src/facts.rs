//! What is not a column: a few numbers and texts, one after the other.

/// Numbers and texts on their way out.
#[derive(Debug, Default, Clone)]
pub struct Facts(Vec<u8>);

impl Facts {
    /// Adds a number.
    pub fn put(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a number that may be missing.
    pub fn put_some(&mut self, value: Option<u64>) {
        self.put(u64::from(value.is_some()));
        self.put(value.unwrap_or(0));
    }

    /// Adds a text.
    pub fn put_text(&mut self, text: &str) {
        self.put(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Numbers and texts on their way back, in the order they were put.
#[derive(Debug, Clone, Copy)]
pub struct FactReader<'a>(&'a [u8]);

impl<'a> FactReader<'a> {
    /// Reads what [`Facts::bytes`] gave.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next number; `None` when there is none.
    pub fn take(&mut self) -> Option<u64> {
        let (value, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*value))
    }

    /// The next number that may be missing.
    pub fn take_some(&mut self) -> Option<Option<u64>> {
        let is_some = self.take()?;
        let value = self.take()?;
        Some((is_some == 1).then_some(value))
    }

    /// The next number as what it was: `None` also when it does not fit.
    pub fn take_as<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.take()?).ok()
    }

    /// The next text.
    pub fn take_text(&mut self) -> Option<String> {
        let length: usize = self.take_as()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    /// As many as the next number says, each by `one`.
    pub fn take_list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.take_as()?;
        // None takes less than a byte: a wrong count ends here.
        if count > self.0.len() {
            return None;
        }
        (0..count).map(|_| one(self)).collect()
    }
}
