//! A whole pickle as a tree of values.

use crate::{Error, Heap, Machine, Status, Value, Visitor};

/// A whole pickle as a tree of values.
#[derive(Debug)]
pub struct Tree<'a> {
    /// The value that was pickled.
    pub root: Value,
    /// Its containers.
    pub heap: Heap<'a>,
    /// Texts by the number in [`Value::Text`]; UTF-8 unless the writer was broken.
    pub texts: Vec<&'a [u8]>,
    /// Offset of the first byte after the pickle.
    pub end: usize,
}

/// Numbers texts as they come.
#[derive(Debug, Default)]
struct Texts<'a>(Vec<&'a [u8]>);

impl<'a> Visitor<'a> for Texts<'a> {
    fn text(&mut self, text: &'a [u8]) -> u32 {
        self.0.push(text);
        (self.0.len() - 1) as u32
    }
}

impl<'a> Tree<'a> {
    /// Reads the pickle at the beginning of `bytes`.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut machine = Machine::new(bytes, Texts::default());
        loop {
            if let Status::Stopped(root) = machine.run(usize::MAX)? {
                let end = machine.at();
                let (Texts(texts), heap) = machine.into_parts();
                return Ok(Self { root, heap, texts, end });
            }
        }
    }

    /// The text behind a number; broken characters become U+FFFD.
    pub fn text(&self, id: u32) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.texts.get(id as usize).copied().unwrap_or_default())
    }
}
