//! Opcodes, the memo, batches and frames.

use std::collections::HashMap;
use std::io::{self, Write};

use super::words::Word;
use crate::plan::Writer;

const MARK: u8 = b'(';
const STOP: u8 = b'.';
const APPEND: u8 = b'a';
const APPENDS: u8 = b'e';
const SETITEM: u8 = b's';
const SETITEMS: u8 = b'u';
const EMPTY_LIST: u8 = b']';
const EMPTY_DICT: u8 = b'}';
const EMPTY_TUPLE: u8 = b')';
const TUPLE: u8 = b't';
const TUPLE1: u8 = 0x85;
const MEMOIZE: u8 = 0x94;
const FRAME: u8 = 0x95;
const PROTO: u8 = 0x80;
/// A frame is closed at the first value after this many bytes.
const FRAME_TARGET: usize = 64 * 1024;
/// A shorter frame has no header.
const FRAME_MIN: usize = 4;
/// Items in one `APPENDS` or `SETITEMS`.
const BATCH: usize = 1000;

/// `True`, `False` and `None`, by their opcodes.
pub(crate) const TRUE: u8 = 0x88;
pub(crate) const FALSE: u8 = 0x89;
pub(crate) const NONE: u8 = b'N';

/// A memo entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memo(u32);

/// What a container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Dict,
}

/// Whether a container is referred to again. Only the C++ writer asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uses {
    Once,
    Again,
}

/// A list or dict that is being written.
#[must_use]
pub(crate) struct Open {
    kind: Kind,
    len: usize,
    batch: usize,
    memo: Option<Memo>,
}

/// Writes opcodes as the chosen writer would.
pub(crate) struct Emitter<'a> {
    out: &'a mut dyn Write,
    writer: Writer,
    protocol: u8,
    /// The frame so far; without frames, what is not written yet.
    buffer: Vec<u8>,
    memo: u32,
    words: [Option<Memo>; Word::COUNT],
    /// The C++ writer knows strings by their value.
    texts: HashMap<String, Memo>,
    written: u64,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, writer: Writer, protocol: u8) -> io::Result<Self> {
        out.write_all(&[PROTO, protocol])?;
        Ok(Self {
            out,
            writer,
            protocol,
            buffer: Vec::with_capacity(FRAME_TARGET + 4096),
            memo: 0,
            words: [None; Word::COUNT],
            texts: HashMap::new(),
            written: 2,
        })
    }

    pub(crate) fn writer(&self) -> Writer {
        self.writer
    }

    /// Ends the pickle; returns its length in bytes.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.buffer.push(STOP);
        self.close_frame()?;
        self.out.flush()?;
        Ok(self.written)
    }

    fn close_frame(&mut self) -> io::Result<()> {
        if self.protocol >= 4 && self.buffer.len() >= FRAME_MIN {
            let mut header = [FRAME; 9];
            header[1..].copy_from_slice(&(self.buffer.len() as u64).to_le_bytes());
            self.out.write_all(&header)?;
            self.written += 9;
        }
        self.written += self.buffer.len() as u64;
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Before each value: here a full frame is closed.
    fn value(&mut self) -> io::Result<()> {
        if self.buffer.len() >= FRAME_TARGET { self.close_frame() } else { Ok(()) }
    }

    fn opcode_and(&mut self, opcode: u8, bytes: &[u8]) {
        self.buffer.push(opcode);
        self.buffer.extend_from_slice(bytes);
    }

    /// `None`, `True` or `False`.
    pub(crate) fn constant(&mut self, opcode: u8) -> io::Result<()> {
        self.value()?;
        self.buffer.push(opcode);
        Ok(())
    }

    pub(crate) fn int(&mut self, number: i128) -> io::Result<()> {
        self.value()?;
        if let Ok(byte) = u8::try_from(number) {
            self.opcode_and(b'K', &[byte]);
        } else if let Ok(short) = u16::try_from(number) {
            self.opcode_and(b'M', &short.to_le_bytes());
        } else if let Ok(word) = i32::try_from(number) {
            self.opcode_and(b'J', &word.to_le_bytes());
        } else {
            let bytes = number.to_le_bytes();
            let len = match self.writer {
                Writer::CPython => minimal(number),
                Writer::Cpp => 8,
            };
            self.opcode_and(0x8a, &[len as u8]);
            self.buffer.extend_from_slice(&bytes[..len]);
        }
        Ok(())
    }

    pub(crate) fn float(&mut self, number: f64) -> io::Result<()> {
        self.value()?;
        self.opcode_and(b'G', &number.to_be_bytes());
        Ok(())
    }

    /// A string that is its own object.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<Memo> {
        if self.writer == Writer::Cpp {
            return self.text_by_value(text);
        }
        self.value()?;
        let bytes = text.as_bytes();
        let mut header = Vec::with_capacity(9);
        if self.protocol >= 4 && bytes.len() < 256 {
            header.extend([0x8c, bytes.len() as u8]);
        } else {
            header.push(b'X');
            header.extend((bytes.len() as u32).to_le_bytes());
        }
        if self.protocol >= 4 && bytes.len() >= FRAME_TARGET {
            // Too long for a frame: written outside of any.
            self.close_frame()?;
            self.out.write_all(&header)?;
            self.out.write_all(bytes)?;
            self.written += (header.len() + bytes.len()) as u64;
        } else {
            self.buffer.extend(header);
            self.buffer.extend_from_slice(bytes);
        }
        Ok(self.memoize())
    }

    fn text_by_value(&mut self, text: &str) -> io::Result<Memo> {
        if let Some(&memo) = self.texts.get(text) {
            self.get(memo)?;
            return Ok(memo);
        }
        self.value()?;
        self.opcode_and(b'X', &(text.len() as u32).to_le_bytes());
        self.buffer.extend_from_slice(text.as_bytes());
        let memo = self.memoize();
        self.texts.insert(text.to_owned(), memo);
        Ok(memo)
    }

    /// A string that is one object throughout the file.
    pub(crate) fn word(&mut self, word: Word) -> io::Result<()> {
        if let Some(memo) = self.words[word as usize] {
            return self.get(memo);
        }
        let memo = self.text(word.text())?;
        self.words[word as usize] = Some(memo);
        Ok(())
    }

    /// Refers to a memoised value.
    pub(crate) fn get(&mut self, memo: Memo) -> io::Result<()> {
        self.value()?;
        push_get(&mut self.buffer, memo);
        Ok(())
    }

    /// Values that are ready in opcodes, if they lie within one frame; `false` if they would not.
    pub(crate) fn ready(&mut self, opcodes: &[u8]) -> bool {
        let fits = self.buffer.len() + opcodes.len() < FRAME_TARGET;
        if fits {
            self.buffer.extend_from_slice(opcodes);
        }
        fits
    }

    fn memoize(&mut self) -> Memo {
        let memo = Memo(self.memo);
        self.memo += 1;
        if self.protocol >= 4 {
            self.buffer.push(MEMOIZE);
        } else if let Ok(byte) = u8::try_from(memo.0) {
            self.opcode_and(b'q', &[byte]);
        } else {
            self.opcode_and(b'r', &memo.0.to_le_bytes());
        }
        memo
    }

    /// Begins a list or dict of `len` items. Each item is announced with [`Self::item`].
    pub(crate) fn open(&mut self, kind: Kind, len: usize) -> io::Result<Open> {
        self.value()?;
        self.buffer.push(if kind == Kind::List { EMPTY_LIST } else { EMPTY_DICT });
        let memo = match self.writer {
            Writer::CPython => Some(self.memoize()),
            Writer::Cpp => {
                self.buffer.push(MARK);
                None
            }
        };
        Ok(Open { kind, len, batch: 0, memo })
    }

    /// The next item, or the next key and value, follows.
    pub(crate) fn item(&mut self, open: &mut Open) {
        if self.writer == Writer::Cpp || open.len == 1 {
            return;
        }
        if open.batch == BATCH {
            self.end_batch(open.kind);
            open.batch = 0;
        }
        if open.batch == 0 {
            self.buffer.push(MARK);
        }
        open.batch += 1;
    }

    fn end_batch(&mut self, kind: Kind) {
        self.buffer.push(if kind == Kind::List { APPENDS } else { SETITEMS });
    }

    /// Ends a list or dict; the memo entry is there whenever it is used `Again`.
    #[expect(clippy::needless_pass_by_value, reason = "what is closed is not used again")]
    pub(crate) fn close(&mut self, open: Open, uses: Uses) -> Option<Memo> {
        if self.writer == Writer::Cpp {
            self.end_batch(open.kind);
            return (uses == Uses::Again).then(|| self.memoize());
        }
        match open.len {
            0 => {}
            1 => self.buffer.push(if open.kind == Kind::List { APPEND } else { SETITEM }),
            _ => self.end_batch(open.kind),
        }
        if open.kind == Kind::Dict && open.batch == BATCH {
            // CPython only sees that a dict has ended when it finds no more items for the next batch.
            self.buffer.push(MARK);
            self.end_batch(Kind::Dict);
        }
        open.memo
    }

    /// Begins a tuple of `len`.
    pub(crate) fn open_tuple(&mut self, len: usize) -> io::Result<()> {
        self.value()?;
        if self.writer == Writer::Cpp || len > 3 {
            self.buffer.push(MARK);
        }
        Ok(())
    }

    /// Ends a tuple of `len`.
    pub(crate) fn close_tuple(&mut self, len: usize, uses: Uses) -> Option<Memo> {
        match (self.writer, len) {
            (Writer::Cpp, _) => {
                self.buffer.push(TUPLE);
                return (uses == Uses::Again).then(|| self.memoize());
            }
            // The empty tuple is not memoised.
            (Writer::CPython, 0) => {
                self.buffer.push(EMPTY_TUPLE);
                return None;
            }
            (Writer::CPython, 1..=3) => self.buffer.push(TUPLE1 + len as u8 - 1),
            (Writer::CPython, _) => self.buffer.push(TUPLE),
        }
        Some(self.memoize())
    }
}

/// The opcodes that refer to a memo entry.
pub(crate) fn push_get(opcodes: &mut Vec<u8>, memo: Memo) {
    if let Ok(byte) = u8::try_from(memo.0) {
        opcodes.extend([b'h', byte]);
    } else {
        opcodes.push(b'j');
        opcodes.extend_from_slice(&memo.0.to_le_bytes());
    }
}

/// How many bytes two's complement needs for `number`.
fn minimal(number: i128) -> usize {
    let bits = 128 - if number < 0 { number.leading_ones() } else { number.leading_zeros() };
    bits as usize / 8 + 1
}
