//! What stands on the machine's stack and in its containers.

/// A row of the [`Heap`](crate::Heap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(pub(crate) u32);

/// Something the visitor made of a container and keeps by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// The visitor's kind of thing, 0 to 3. Things of kind 0 in a row are kept as
    /// [`Value::Rows`].
    pub kind: u8,
    /// The visitor's number for it.
    pub id: u32,
}

/// A value: 16 bytes, containers by reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// `None`.
    None,
    /// `True` and `False`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above `i64::MAX`; wider ones are [`Node::Long`](crate::Node::Long).
    Uint(u64),
    /// A float.
    Float(f64),
    /// A text, by the number [`Visitor::text`](crate::Visitor::text) gave it.
    Text(u32),
    /// A container, or a rare scalar.
    Node(NodeId),
    /// What the visitor made of a container.
    Thing(Thing),
    /// Several things of kind 0 with consecutive numbers, one after the other.
    Rows {
        /// Number of the first.
        first: u32,
        /// How many, at least two.
        len: u32,
    },
}

impl Value {
    /// The integer's low 64 bits as two's complement, if it is an integer.
    pub fn bits(self) -> Option<u64> {
        match self {
            Self::Int(value) => Some(value as u64),
            Self::Uint(value) => Some(value),
            _ => None,
        }
    }
}

/// `values` with each [`Value::Rows`] spelt out.
pub fn expand(values: &[Value]) -> impl Iterator<Item = Value> + '_ {
    values.iter().flat_map(|value| {
        let (rows, one) = match *value {
            Value::Rows { first, len } => (first..first.saturating_add(len), None),
            one => (0..0, Some(one)),
        };
        rows.map(|id| Value::Thing(Thing { kind: 0, id })).chain(one)
    })
}

/// Adds `value` to `values`, which are one container's or one stack section's from `fence` on;
/// merges consecutive rows.
#[inline]
pub(crate) fn push(values: &mut Vec<Value>, fence: usize, value: Value) {
    if let Value::Thing(Thing { kind: 0, id }) = value
        && values.len() > fence
        && let Some(top) = values.last_mut()
    {
        match top {
            Value::Rows { first, len } if first.checked_add(*len) == Some(id) => {
                *len += 1;
                return;
            }
            Value::Thing(Thing { kind: 0, id: before }) if before.checked_add(1) == Some(id) => {
                *top = Value::Rows { first: *before, len: 2 };
                return;
            }
            _ => {}
        }
    }
    values.push(value);
}

/// Adds all of `more` to `values`, merging rows at the seam.
pub(crate) fn extend(values: &mut Vec<Value>, more: impl Iterator<Item = Value>) {
    for value in more {
        if let (Value::Rows { first, len }, Some(top)) = (value, values.last_mut()) {
            match top {
                Value::Rows { first: start, len: before }
                    if start.checked_add(*before) == Some(first) =>
                {
                    *before = before.saturating_add(len);
                    continue;
                }
                Value::Thing(Thing { kind: 0, id }) if id.checked_add(1) == Some(first) => {
                    *top = Value::Rows { first: *id, len: len.saturating_add(1) };
                    continue;
                }
                _ => {}
            }
        }
        push(values, 0, value);
    }
}

/// Takes the last value off `values`.
#[inline]
pub(crate) fn pop(values: &mut Vec<Value>) -> Option<Value> {
    let top = values.pop()?;
    let Value::Rows { first, len } = top else { return Some(top) };
    let id = first + (len - 1);
    values.push(match len {
        2 => Value::Thing(Thing { kind: 0, id: first }),
        _ => Value::Rows { first, len: len - 1 },
    });
    Some(Value::Thing(Thing { kind: 0, id }))
}
