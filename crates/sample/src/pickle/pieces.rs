//! Hand-made values, for the odd small inputs that tests need.

use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use super::emitter::{Emitter, FALSE, Kind, Memo, NONE, TRUE, Uses};
use crate::plan::Writer;

/// A Python value. Containers that are the same `Rc` are the same object: written once and then referred to.
///
/// A value cannot contain itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// Any integer that fits; the C++ writer keeps 64 bits.
    Int(i128),
    /// A float.
    Float(f64),
    /// A string. Equal strings are one object, as interned ones are.
    Str(Rc<str>),
    /// A list.
    List(Rc<Vec<Value>>),
    /// A tuple.
    Tuple(Rc<Vec<Value>>),
    /// A dict, in the order written.
    Dict(Rc<Vec<(Value, Value)>>),
}

impl Value {
    /// A string.
    pub fn text(text: &str) -> Self {
        Self::Str(text.into())
    }

    /// A list of its own.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(Rc::new(items.into_iter().collect()))
    }

    /// A tuple of its own.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Self {
        Self::Tuple(Rc::new(items.into_iter().collect()))
    }

    /// A dict of its own with strings as keys.
    pub fn dict<'a>(items: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        Self::Dict(Rc::new(
            items.into_iter().map(|(key, value)| (Self::text(key), value)).collect(),
        ))
    }

    /// The object's address, for what can be shared; an empty tuple is always the same and never memoised.
    fn identity(&self) -> Option<*const ()> {
        match self {
            Self::List(items) => Some(Rc::as_ptr(items).cast()),
            Self::Tuple(items) if !items.is_empty() => Some(Rc::as_ptr(items).cast()),
            Self::Dict(items) => Some(Rc::as_ptr(items).cast()),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

macro_rules! from_integer {
    ($($type:ty)*) => {$(
        impl From<$type> for Value {
            fn from(number: $type) -> Self {
                Self::Int(number.into())
            }
        }
    )*};
}
from_integer!(i32 i64 u32 u64 i128);

/// Writes `value` as a pickle. `protocol` is 2 to 5; the C++ writer always writes 2.
pub fn write(value: &Value, writer: Writer, protocol: u8, out: &mut dyn Write) -> io::Result<()> {
    let protocol = if writer == Writer::Cpp { 2 } else { protocol.clamp(2, 5) };
    let mut uses = HashMap::new();
    count(value, &mut uses);
    let mut pieces = Pieces {
        emitter: Emitter::new(out, writer, protocol)?,
        uses,
        memos: HashMap::new(),
        texts: HashMap::new(),
    };
    pieces.write(value)?;
    pieces.emitter.finish()?;
    Ok(())
}

/// Writes `value` as a pickle in memory.
pub fn bytes(value: &Value, writer: Writer, protocol: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, writer, protocol, &mut bytes).expect("a vector takes all bytes");
    bytes
}

/// How often each object is referred to.
fn count(value: &Value, uses: &mut HashMap<*const (), u32>) {
    if let Some(identity) = value.identity() {
        let uses = uses.entry(identity).or_default();
        *uses += 1;
        if *uses > 1 {
            return;
        }
    }
    match value {
        Value::List(items) | Value::Tuple(items) => items.iter().for_each(|item| count(item, uses)),
        Value::Dict(items) => items.iter().for_each(|(key, value)| {
            count(key, uses);
            count(value, uses);
        }),
        _ => {}
    }
}

struct Pieces<'a> {
    emitter: Emitter<'a>,
    uses: HashMap<*const (), u32>,
    memos: HashMap<*const (), Memo>,
    texts: HashMap<Rc<str>, Memo>,
}

impl Pieces<'_> {
    fn write(&mut self, value: &Value) -> io::Result<()> {
        let identity = value.identity();
        if let Some(&memo) = identity.and_then(|identity| self.memos.get(&identity)) {
            return self.emitter.get(memo);
        }
        match value {
            Value::None => self.emitter.constant(NONE),
            Value::Bool(flag) => self.emitter.constant(if *flag { TRUE } else { FALSE }),
            Value::Int(number) => self.emitter.int(*number),
            Value::Float(number) => self.emitter.float(*number),
            Value::Str(text) => self.text(text),
            Value::List(items) => {
                let mut open = self.emitter.open(Kind::List, items.len())?;
                for item in items.iter() {
                    self.emitter.item(&mut open);
                    self.write(item)?;
                }
                let memo = self.emitter.close(open, self.uses_of(identity));
                self.remember(identity, memo);
                Ok(())
            }
            Value::Dict(items) => {
                let mut open = self.emitter.open(Kind::Dict, items.len())?;
                for (key, value) in items.iter() {
                    self.emitter.item(&mut open);
                    self.write(key)?;
                    self.write(value)?;
                }
                let memo = self.emitter.close(open, self.uses_of(identity));
                self.remember(identity, memo);
                Ok(())
            }
            Value::Tuple(items) => {
                self.emitter.open_tuple(items.len())?;
                items.iter().try_for_each(|item| self.write(item))?;
                let memo = self.emitter.close_tuple(items.len(), self.uses_of(identity));
                self.remember(identity, memo);
                Ok(())
            }
        }
    }

    fn text(&mut self, text: &Rc<str>) -> io::Result<()> {
        if let Some(&memo) = self.texts.get(text) {
            return self.emitter.get(memo);
        }
        let memo = self.emitter.text(text)?;
        self.texts.insert(Rc::clone(text), memo);
        Ok(())
    }

    fn uses_of(&self, identity: Option<*const ()>) -> Uses {
        let uses = identity.and_then(|identity| self.uses.get(&identity));
        if uses.is_some_and(|&uses| uses > 1) { Uses::Again } else { Uses::Once }
    }

    fn remember(&mut self, identity: Option<*const ()>, memo: Option<Memo>) {
        if let (Some(identity), Some(memo)) = (identity, memo) {
            self.memos.insert(identity, memo);
        }
    }
}
