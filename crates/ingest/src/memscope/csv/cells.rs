//! Lines and cells of CSV that nobody escaped.

use std::borrow::Cow;

/// One row's cells.
#[derive(Debug, Default)]
pub(super) struct Line<'a> {
    pub(super) cells: Vec<Cow<'a, [u8]>>,
}

impl Line<'_> {
    /// Makes one cell of that at `place` and the `more` that follow.
    pub(super) fn join(&mut self, place: usize, more: usize) {
        if place + more >= self.cells.len() {
            return;
        }
        let joined = self.cells[place..=place + more].join(&b','.to_owned());
        self.cells.splice(place..=place + more, [Cow::Owned(joined)]);
    }
}

/// Goes through a text row by row.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether rows begin as [`is_row_start`] says, so that a quote that is never closed spoils
    /// one row only.
    pub(super) has_starts: bool,
}

/// Whether `text` begins as rows do: `123,MALLOC`.
pub(super) fn is_row_start(text: &[u8]) -> bool {
    let digits = text.iter().take(20).take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0
        && text.get(digits) == Some(&b',')
        && text.get(digits + 1).is_some_and(u8::is_ascii_uppercase)
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, has_starts: true }
    }

    /// Bytes read.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Reads the next row that is not empty.
    pub(super) fn next(&mut self, line: &mut Line<'a>) -> bool {
        line.cells.clear();
        while matches!(self.text.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        if self.at >= self.text.len() {
            return false;
        }
        loop {
            line.cells.push(self.cell());
            match self.text.get(self.at) {
                Some(b',') => self.at += 1,
                _ => break,
            }
        }
        self.at += 1;
        true
    }

    /// Reads a cell, up to the comma or the end of line after it.
    fn cell(&mut self) -> Cow<'a, [u8]> {
        let rest = &self.text[self.at..];
        match rest {
            [b'"', b'"', third, ..] if !matches!(third, b'"' | b',' | b'\r' | b'\n') => {
                self.twice_quoted()
            }
            [b'"', ..] => self.quoted(),
            _ => {
                let len = memchr::memchr2(b',', b'\n', rest).unwrap_or(rest.len());
                self.at += len;
                Cow::Borrowed(rest[..len].strip_suffix(b"\r").unwrap_or(&rest[..len]))
            }
        }
    }

    /// A cell in quotes: two stand for one, and one that ends no cell for itself.
    fn quoted(&mut self) -> Cow<'a, [u8]> {
        let from = self.at + 1;
        let mut at = from;
        let mut has_pairs = false;
        loop {
            let Some(found) = memchr::memchr2(b'"', b'\n', &self.text[at..]) else {
                self.at = self.text.len();
                break;
            };
            at += found;
            if self.text[at] == b'\n' {
                if self.has_starts && is_row_start(&self.text[at + 1..]) {
                    self.at = at;
                    break;
                }
                at += 1;
            } else if self.text.get(at + 1) == Some(&b'"') {
                has_pairs = true;
                at += 2;
            } else if self.ends_cell(at + 1) {
                self.at = at;
                let cell = &self.text[from..at];
                self.at = self.end_of_line_or_cell(at + 1);
                return if has_pairs { Cow::Owned(unpaired(cell)) } else { Cow::Borrowed(cell) };
            } else {
                at += 1;
            }
        }
        Cow::Borrowed(self.text[from..self.at].trim_ascii_end())
    }

    /// A cell whose text is in quotes of its own: collectors put names in quotes once for each file
    /// that a row is written to.
    fn twice_quoted(&mut self) -> Cow<'a, [u8]> {
        let from = self.at;
        let line =
            memchr::memchr(b'\n', &self.text[from..]).map_or(self.text.len(), |end| from + end);
        let mut at = from + 2;
        while let Some(found) = memchr::memchr(b'"', &self.text[at..line]) {
            at += found;
            if self.text.get(at + 1) == Some(&b'"') && self.ends_cell(at + 2) {
                self.at = self.end_of_line_or_cell(at + 2);
                return Cow::Borrowed(&self.text[from + 1..=at]);
            }
            at += 1;
        }
        self.quoted()
    }

    fn ends_cell(&self, at: usize) -> bool {
        match self.text.get(at..) {
            None | Some([] | [b',' | b'\n', ..] | [b'\r'] | [b'\r', b'\n', ..]) => true,
            Some(_) => false,
        }
    }

    /// `at`, or behind a carriage return that stands there.
    fn end_of_line_or_cell(&self, at: usize) -> usize {
        if self.text.get(at) == Some(&b'\r') { at + 1 } else { at }
    }
}

/// `cell` with one quote for each two.
fn unpaired(cell: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(cell.len());
    let mut bytes = cell.iter().peekable();
    while let Some(byte) = bytes.next() {
        out.push(*byte);
        if *byte == b'"' {
            bytes.next_if_eq(&&b'"');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells in brackets, a row a line.
    fn read(text: &str) -> String {
        let mut reader = Reader::new(text.as_bytes());
        let mut line = Line::default();
        let mut out = String::new();
        while reader.next(&mut line) {
            for cell in &line.cells {
                out.push('[');
                out.push_str(std::str::from_utf8(cell).unwrap());
                out.push(']');
            }
            out.push(';');
        }
        out
    }

    #[test]
    fn cells_are_read_with_and_without_quotes() {
        let cases = [
            ("1,A,b\n", "[1][A][b];"),
            ("1,A,\r\n2,B,x", "[1][A][];[2][B][x];"),
            ("1,A,\"x,y\nz\",\"\"\n2,B,c\n", "[1][A][x,y\nz][];[2][B][c];"),
            ("1,A,\"say \"\"hi\"\", you\"\r\n", "[1][A][say \"hi\", you];"),
            ("1,A,\"\"start\"\",3\n", "[1][A][\"start\"][3];"),
            ("1,A,\"a\"b\",3\n", "[1][A][a\"b][3];"),
            ("1,A,\"never closed\n2,B,c\n", "[1][A][never closed];[2][B][c];"),
            ("1,A,\"never closed", "[1][A][never closed];"),
            ("\n\n1,A\n\n", "[1][A];"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn cells_that_a_comma_cut_are_joined() {
        let mut line =
            Line { cells: ["1", "a", "b", "c"].map(|cell| cell.as_bytes().into()).into() };
        line.join(1, 1);
        let cells: Vec<_> =
            line.cells.iter().map(|cell| std::str::from_utf8(cell).unwrap()).collect();
        assert_eq!(cells, ["1", "a,b", "c"]);
    }
}
