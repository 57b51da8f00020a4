//! The stack machine.

use crate::cursor::long;
use crate::value::{pop, push};
use crate::{Cursor, Entry, Error, Heap, Input, Memo, Node, NodeId, Thing, Value, Visitor, code};

/// Memory the machine may take for each byte of input, beside the memo.
const MEMORY_FACTOR: usize = 16;
/// Memory any input may take, so that small ones are not held to the factor.
const MEMORY_FREE: usize = 64 << 20;
/// Longest text or byte string.
const LONGEST: usize = 1 << 28;
/// Bytes of input between two looks at the memory.
const STRIDE: usize = 1 << 16;

/// How far [`Machine::run`] came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Status {
    /// There is more to read.
    More,
    /// The pickle is complete.
    Stopped(Value),
}

/// A stack machine over one pickle.
///
/// It stands at the first byte that was not read whenever [`Machine::run`] returns, errors
/// included, and what it read is still there: see [`Machine::salvage`].
#[derive(Debug)]
pub struct Machine<'a, V> {
    cursor: Cursor<'a>,
    memo: Memo,
    heap: Heap<'a>,
    stack: Vec<Value>,
    /// Lengths of the stack at each open `MARK`.
    marks: Vec<usize>,
    protocol: Option<u8>,
    visitor: V,
    /// Offset of the opcode at work, for messages.
    opcode_at: usize,
}

impl<'a, V: Visitor<'a>> Machine<'a, V> {
    /// A machine at the beginning of `bytes`.
    pub fn new(bytes: &'a [u8], visitor: V) -> Self {
        Self {
            cursor: Cursor::new(bytes),
            memo: Memo::new(bytes.len()),
            heap: Heap::default(),
            stack: Vec::new(),
            marks: Vec::new(),
            protocol: None,
            visitor,
            opcode_at: 0,
        }
    }

    /// Offset of the first byte that was not read.
    pub fn at(&self) -> usize {
        self.cursor.at()
    }

    /// Bytes of the whole input.
    pub fn len(&self) -> usize {
        self.cursor.bytes().len()
    }

    /// Whether there is no input.
    pub fn is_empty(&self) -> bool {
        self.cursor.bytes().is_empty()
    }

    /// All containers so far.
    pub fn heap(&self) -> &Heap<'a> {
        &self.heap
    }

    /// The protocol the pickle states.
    pub fn protocol(&self) -> Option<u8> {
        self.protocol
    }

    /// The visitor and the containers.
    pub fn into_parts(self) -> (V, Heap<'a>) {
        (self.visitor, self.heap)
    }

    /// Reads until the pickle stops or the input's byte `until` is reached (opcodes are not cut).
    pub fn run(&mut self, until: usize) -> Result<Status, Error> {
        while self.cursor.at() < until {
            self.look_at_memory()?;
            let stride = until.min(self.cursor.at().saturating_add(STRIDE));
            while self.cursor.at() < stride {
                self.opcode_at = self.cursor.at();
                let op = self.cursor.byte()?;
                if op == code::STOP {
                    return self.pop().map(Status::Stopped);
                }
                self.execute(op)?;
            }
        }
        Ok(Status::More)
    }

    /// Starts over with the pickle that follows the one just read; containers and texts stay.
    pub fn next_pickle(&mut self) {
        self.memo.renew();
        self.stack.clear();
        self.marks.clear();
    }

    /// Puts what is unfinished into the containers it was meant for, as far as that is clear, and
    /// gives the outermost value: what can be had of a pickle that ends in the middle.
    pub fn salvage(&mut self) -> Option<Value> {
        while let Some(start) = self.marks.pop() {
            let items = self.stack.split_off(start.min(self.stack.len()));
            if let Some(Value::Node(target)) = self.stack.last().copied() {
                self.salvage_into(target, items);
            }
        }
        let mut all = std::mem::take(&mut self.stack);
        self.fold_lists(&mut all);
        all.first().copied()
    }

    /// Adds the unfinished `items` to `target`.
    fn salvage_into(&mut self, target: NodeId, mut items: Vec<Value>) {
        if let Node::Dict(_) = self.heap.node(target) {
            let mut pairs = Vec::new();
            while items.len() >= 2 {
                let rest = items.split_off(2);
                // What follows a value and is no key waits to be appended to that value.
                let next_key = rest.iter().position(|value| matches!(value, Value::Text(_)));
                let mut waiting = rest;
                let after = waiting.split_off(next_key.unwrap_or(waiting.len()));
                waiting.insert(0, items[1]);
                self.fold_lists(&mut waiting);
                pairs.push((items[0], items[1]));
                items = after;
            }
            let _ = self.heap.insert(target, pairs.into_iter());
        } else {
            let _ = self.heap.append(target, items.into_iter());
        }
    }

    /// Appends each value to the list before it, from the last to the second.
    fn fold_lists(&mut self, chain: &mut Vec<Value>) {
        while chain.len() > 1 {
            let Some(last) = chain.pop() else { break };
            if let Some(Value::Node(list)) = chain.last() {
                let _ = self.heap.append(*list, [last].into_iter());
            }
        }
    }

    fn look_at_memory(&self) -> Result<(), Error> {
        let used = self.heap.bytes() + self.stack.len() * size_of::<Value>();
        let fair = self.cursor.bytes().len().saturating_mul(MEMORY_FACTOR);
        if used > fair.saturating_add(MEMORY_FREE) {
            return Err(self.limit("its values are far larger than the file"));
        }
        Ok(())
    }

    fn malformed(&self, problem: &'static str) -> Error {
        Error::Malformed { offset: self.opcode_at as u64, problem }
    }

    fn limit(&self, limit: &'static str) -> Error {
        Error::Limit { offset: self.opcode_at as u64, limit }
    }

    fn fence(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, value: Value) {
        let fence = self.fence();
        push(&mut self.stack, fence, value);
    }

    fn pop(&mut self) -> Result<Value, Error> {
        if self.stack.len() <= self.fence() {
            return Err(self.malformed("a value is missing"));
        }
        pop(&mut self.stack).ok_or(Error::Truncated { offset: self.opcode_at as u64 })
    }

    fn top(&self) -> Result<Value, Error> {
        match self.stack.get(self.fence()..).and_then(<[Value]>::last) {
            Some(Value::Rows { first, len }) => {
                Ok(Value::Thing(Thing { kind: 0, id: first + (len - 1) }))
            }
            Some(value) => Ok(*value),
            None => Err(self.malformed("a value is missing")),
        }
    }

    /// Takes off all values above the last mark.
    fn since_mark(&mut self) -> Result<Vec<Value>, Error> {
        let start = self.marks.pop().ok_or_else(|| self.malformed("a mark is missing"))?;
        Ok(self.stack.split_off(start))
    }

    #[inline]
    fn execute(&mut self, op: u8) -> Result<(), Error> {
        match op {
            code::BINGET => {
                let index = self.cursor.byte()?;
                self.get(usize::from(index))
            }
            code::LONG_BINGET => {
                let index = u32::from_le_bytes(self.cursor.array()?);
                self.get(index as usize)
            }
            code::MEMOIZE => {
                let entry = self.memo_entry()?;
                self.memo.push(entry);
                Ok(())
            }
            code::BINPUT => {
                let index = self.cursor.byte()?;
                self.put(usize::from(index))
            }
            code::LONG_BINPUT => {
                let index = u32::from_le_bytes(self.cursor.array()?);
                self.put(index as usize)
            }
            code::MARK => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            code::EMPTY_DICT | code::EMPTY_LIST => {
                self.begin(op);
                Ok(())
            }
            code::SETITEMS | code::SETITEM | code::APPENDS | code::APPEND | code::ADDITEMS => {
                self.grow(op)
            }
            code::FRAME => self.cursor.array::<8>().map(|_| ()),
            _ => match self.scalar(op)? {
                Some(value) => {
                    self.push(value);
                    Ok(())
                }
                None => self.rare(op),
            },
        }
    }

    fn get(&mut self, index: usize) -> Result<(), Error> {
        let entry = self.memo.get(index).ok_or_else(|| self.malformed("it refers to nothing"))?;
        let value = entry.value().ok_or_else(|| self.limit("it refers too far back"))?;
        let value = self.heap.resolve(value);
        self.push(value);
        Ok(())
    }

    fn put(&mut self, index: usize) -> Result<(), Error> {
        let entry = self.memo_entry()?;
        if self.memo.put(index, entry) {
            Ok(())
        } else {
            Err(self.limit("a number in its memo is larger than the file"))
        }
    }

    fn memo_entry(&mut self) -> Result<Entry, Error> {
        Ok(match self.top()? {
            Value::Text(id) => Entry::text(id),
            Value::Thing(thing) => Entry::thing(thing),
            Value::Node(id) => Entry::node(id),
            scalar => Entry::node(self.heap.add(Node::Scalar(scalar))),
        })
    }

    #[inline]
    fn begin(&mut self, op: u8) {
        let mut input =
            Input { cursor: &mut self.cursor, memo: &mut self.memo, heap: &mut self.heap };
        let (read, node) = if op == code::EMPTY_DICT {
            (self.visitor.dict_begins(&mut input), Node::Dict(Vec::new()))
        } else {
            (self.visitor.list_begins(&mut input), Node::List(Vec::new()))
        };
        let value = match read {
            Some(value) => value,
            None => Value::Node(self.heap.add(node)),
        };
        self.push(value);
    }

    /// Adds items to the container below them.
    fn grow(&mut self, op: u8) -> Result<(), Error> {
        let items = match op {
            code::APPEND => vec![self.pop()?],
            code::SETITEM => {
                let value = self.pop()?;
                vec![self.pop()?, value]
            }
            _ => self.since_mark()?,
        };
        let Value::Node(target) = self.top()? else {
            return Err(match self.top()? {
                Value::Thing(_) => Error::Taken { offset: self.opcode_at as u64 },
                _ => self.malformed("items are added to something that is no container"),
            });
        };
        let is_dict = op == code::SETITEMS || op == code::SETITEM;
        let fits = match (is_dict, self.heap.node(target)) {
            (_, Node::Taken(_)) => return Err(Error::Taken { offset: self.opcode_at as u64 }),
            (true, Node::Dict(_)) => {
                let pairs = self.pairs(items)?;
                self.heap.insert(target, pairs.into_iter())
            }
            (false, Node::List(_) | Node::Set(_)) => self.heap.append(target, items.into_iter()),
            _ => false,
        };
        if !fits {
            return Err(self.malformed("items are added to something that is no container"));
        }
        if is_dict && let Some(value) = self.visitor.dict_grew(target, &mut self.heap) {
            self.heap.take(target, value);
            self.stack.pop();
            self.push(value);
        }
        Ok(())
    }

    fn pairs(&self, items: Vec<Value>) -> Result<Vec<(Value, Value)>, Error> {
        let items = if items.iter().any(|item| matches!(item, Value::Rows { .. })) {
            crate::value::expand(&items).collect()
        } else {
            items
        };
        let (pairs, rest) = items.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(self.malformed("a key has no value"));
        }
        Ok(pairs.iter().map(|[key, value]| (*key, *value)).collect())
    }

    /// The value of an opcode that makes a scalar; `None` for other opcodes.
    fn scalar(&mut self, op: u8) -> Result<Option<Value>, Error> {
        Ok(Some(match op {
            code::BININT1 => Value::Int(i64::from(self.cursor.byte()?)),
            code::BININT2 => Value::Int(i64::from(u16::from_le_bytes(self.cursor.array()?))),
            code::BININT => Value::Int(i64::from(i32::from_le_bytes(self.cursor.array()?))),
            code::LONG1 => {
                let bytes = self.cursor.sized1()?;
                self.long(bytes)
            }
            code::LONG4 => {
                let bytes = self.cursor.sized4()?;
                self.long(bytes)
            }
            code::BINFLOAT => Value::Float(f64::from_be_bytes(self.cursor.array()?)),
            code::NONE => Value::None,
            code::NEWTRUE => Value::Bool(true),
            code::NEWFALSE => Value::Bool(false),
            code::SHORT_BINUNICODE => {
                let text = self.cursor.sized1()?;
                Value::Text(self.visitor.text(text))
            }
            code::BINUNICODE | code::BINUNICODE8 => {
                let long = op == code::BINUNICODE8;
                let text = if long { self.cursor.sized8()? } else { self.cursor.sized4()? };
                if text.len() > LONGEST {
                    return Err(self.limit("a text is too long"));
                }
                Value::Text(self.visitor.text(text))
            }
            _ => return Ok(None),
        }))
    }

    fn long(&mut self, bytes: &'a [u8]) -> Value {
        match long(bytes) {
            Some(value) => value,
            None => Value::Node(self.heap.add(Node::Long(bytes))),
        }
    }

    /// Opcodes that snapshots have rarely or never.
    fn rare(&mut self, op: u8) -> Result<(), Error> {
        let node = match op {
            code::EMPTY_TUPLE => Node::Tuple(Vec::new()),
            code::TUPLE1 | code::TUPLE2 | code::TUPLE3 => {
                let mut items = Vec::with_capacity(3);
                for _ in code::TUPLE1..=op {
                    items.insert(0, self.pop()?);
                }
                Node::Tuple(items)
            }
            code::TUPLE => Node::Tuple(self.since_mark()?),
            code::LIST => Node::List(self.since_mark()?),
            code::FROZENSET => Node::Set(self.since_mark()?),
            code::EMPTY_SET => Node::Set(Vec::new()),
            code::DICT => return self.dict(),
            code::SHORT_BINBYTES | code::SHORT_BINSTRING => Node::Bytes(self.cursor.sized1()?),
            code::BINBYTES | code::BINSTRING => Node::Bytes(self.cursor.sized4()?),
            code::BINBYTES8 | code::BYTEARRAY8 => Node::Bytes(self.cursor.sized8()?),
            code::POP => return self.discard(),
            code::POP_MARK => return self.since_mark().map(|_| ()),
            code::DUP => {
                let top = self.top()?;
                self.push(top);
                return Ok(());
            }
            code::PROTO => return self.proto(),
            _ => return Err(self.refused(op)),
        };
        let id = self.heap.add(node);
        self.push(Value::Node(id));
        Ok(())
    }

    fn dict(&mut self) -> Result<(), Error> {
        let items = self.since_mark()?;
        let pairs = self.pairs(items)?;
        let id = self.heap.add(Node::Dict(pairs));
        let mut value = Value::Node(id);
        if let Some(taken) = self.visitor.dict_grew(id, &mut self.heap) {
            self.heap.take(id, taken);
            value = taken;
        }
        self.push(value);
        Ok(())
    }

    /// `POP` takes off a value, or a mark when there is nothing above it.
    fn discard(&mut self) -> Result<(), Error> {
        if self.marks.last() == Some(&self.stack.len()) {
            self.marks.pop();
            return Ok(());
        }
        self.pop().map(|_| ())
    }

    fn proto(&mut self) -> Result<(), Error> {
        let protocol = self.cursor.byte()?;
        if !(2..=5).contains(&protocol) {
            return Err(self.malformed("its protocol is none of 2 to 5"));
        }
        self.protocol.get_or_insert(protocol);
        Ok(())
    }

    fn refused(&mut self, op: u8) -> Error {
        let offset = self.opcode_at as u64;
        match code::name(op) {
            Some(opcode) if code::wants_code(op) => {
                let target = self.target(op).unwrap_or_default();
                Error::WantsCode { opcode, offset, target }
            }
            Some(opcode) => Error::Unsupported { opcode, offset },
            None => self.malformed("no protocol has such an opcode"),
        }
    }

    /// What a `GLOBAL` or `INST` would import: two lines of text.
    fn target(&mut self, op: u8) -> Option<String> {
        if op != code::GLOBAL && op != code::INST {
            return None;
        }
        let mut lines = self.cursor.rest().splitn(3, |byte| *byte == b'\n');
        let (module, name) = (lines.next()?, lines.next()?);
        lines.next()?;
        let short = |text: &[u8]| {
            let text = String::from_utf8_lossy(&text[..text.len().min(80)]);
            text.chars().filter(|letter| !letter.is_control()).collect::<String>()
        };
        Some(format!(" {}.{}", short(module), short(name)))
    }
}
