//! Rows as comma-separated values, RFC 4180.
//!
//! UTF-8 without a byte order mark, lines end in CR LF, a field with a comma, a quote, a line
//! break or space at its ends is quoted and quotes in it are doubled.
//!
//! A spreadsheet takes text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a
//! formula, and recorded texts come from whoever made the file. Such text gets an apostrophe in
//! front, which spreadsheets show as nothing and other readers as it is; numbers, `-320` too, are
//! written as they are.

use crate::Cell;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes lines to `out`, which should be buffered.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    field: String,
}

impl<W: Write> Writer<W> {
    /// Nothing written yet.
    pub fn new(out: W) -> Self {
        Self { out, field: String::new() }
    }

    /// A line of texts, such as the names of the columns.
    pub fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        for (at, text) in texts.into_iter().enumerate() {
            self.separate(at)?;
            self.field.clear();
            self.field.push_str(text);
            self.text()?;
        }
        self.out.write_all(b"\r\n")
    }

    /// A line of cells: whole numbers without units, addresses in hex.
    pub fn cells(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for (at, cell) in cells.iter().enumerate() {
            self.separate(at)?;
            self.field.clear();
            write!(self.field, "{cell}").map_err(io::Error::other)?;
            match cell {
                Cell::Text(_) => self.text()?,
                _ => self.out.write_all(self.field.as_bytes())?,
            }
        }
        self.out.write_all(b"\r\n")
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn separate(&mut self, at: usize) -> io::Result<()> {
        if at > 0 { self.out.write_all(b",") } else { Ok(()) }
    }

    fn text(&mut self) -> io::Result<()> {
        if self.field.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            self.field.insert(0, '\'');
        }
        let is_at_end = |end: Option<char>| end.is_some_and(char::is_whitespace);
        let needs_quotes = self.field.contains([',', '"', '\r', '\n'])
            || is_at_end(self.field.chars().next())
            || is_at_end(self.field.chars().next_back());
        if needs_quotes {
            let doubled = self.field.replace('"', "\"\"");
            write!(self.out, "\"{doubled}\"")
        } else {
            self.out.write_all(self.field.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{BlockId, EventId};

    #[test]
    fn fields_are_quoted_where_they_must_be_and_never_formulas() {
        let mut csv = Writer::new(Vec::new());
        csv.texts(["ID", "Call Stack, inner first", " x", "=HYPERLINK(\"a\")"]).unwrap();
        csv.cells(&[
            Cell::Block { id: BlockId(0), number: -320 },
            Cell::Text("a.py:1 f\nb.py:2 \"g\"".into()),
            Cell::Empty,
            Cell::Text("@sum".into()),
            Cell::Address(0xffff_fe00_0000_0000),
            Cell::Event(EventId(0)),
            Cell::Text("-1".into()),
        ])
        .unwrap();
        let text = String::from_utf8(csv.into_inner()).unwrap();
        assert_eq!(
            text,
            "ID,\"Call Stack, inner first\",\" x\",\"'=HYPERLINK(\"\"a\"\")\"\r\n\
             -320,\"a.py:1 f\nb.py:2 \"\"g\"\"\",,'@sum,0xfffffe0000000000,0,'-1\r\n"
        );
    }
}
