//! The column `Attr`: the collector's inner text, and the JSON it makes of it.

use std::fmt::Write as _;

use crate::memscope::generation::Style;

/// Keys and values as the collector joins them: `allocation_id:4,addr:0x…,size:512`, with nothing escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attr {
    text: String,
}

impl Attr {
    pub(crate) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        let _ = write!(self.key(key), "{value}");
        self
    }

    pub(crate) fn number(&mut self, key: &str, value: i64) -> &mut Self {
        let _ = write!(self.key(key), "{value}");
        self
    }

    pub(crate) fn address(&mut self, key: &str, value: u64, style: &Style) -> &mut Self {
        write_address(self.key(key), value, style);
        self
    }

    pub(crate) fn inner(&self) -> &str {
        &self.text
    }

    fn key(&mut self, key: &str) -> &mut String {
        if !self.text.is_empty() {
            self.text.push(',');
        }
        self.text.push_str(key);
        self.text.push(':');
        &mut self.text
    }
}

/// An address as this version writes it.
pub(crate) fn write_address(out: &mut String, address: u64, style: &Style) {
    let _ = if style.decimal { write!(out, "{address}") } else { write!(out, "{address:#018x}") };
}

/// What the collector stores in the database: it cuts at every colon and takes a value to end at the last comma before
/// the next one, so a colon in a value shifts all that follows. Nothing is escaped.
pub(crate) fn json(inner: &str, style: &Style, out: &mut String) {
    let (colon, comma) = if style.modules { ("\": \"", "\", ") } else { ("\":\"", "\",") };
    out.push('{');
    let mut parts = inner.split(':');
    let mut key = parts.next().unwrap_or_default();
    let mut rest = parts.peekable();
    while let Some(part) = rest.next() {
        let is_last = rest.peek().is_none();
        // Without a comma the whole part is both the value and the next key.
        let (value, next) =
            if is_last { (part, "") } else { part.rsplit_once(',').unwrap_or((part, part)) };
        for piece in ["\"", key, colon, value] {
            out.push_str(piece);
        }
        out.push_str(if is_last { "\"" } else { comma });
        key = next;
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memscope::generation::Generation;

    fn json_of(inner: &str) -> String {
        let mut out = String::new();
        json(inner, &Generation::May2026.style(), &mut out);
        out
    }

    #[test]
    fn values_with_commas_are_whole() {
        assert_eq!(
            json_of("size:512,shape:torch.Size([1, 3]),format:ND"),
            r#"{"size":"512","shape":"torch.Size([1, 3])","format":"ND"}"#
        );
        assert_eq!(json_of(""), "{}");
        assert_eq!(json_of("owner:"), r#"{"owner":""}"#);
    }

    #[test]
    fn a_colon_in_a_value_shifts_what_follows() {
        assert_eq!(
            json_of("size:1,owner:PTA@a:b,page_type:huge"),
            r#"{"size":"1","owner":"PTA@a","PTA@a":"b","page_type":"huge"}"#
        );
    }
}
