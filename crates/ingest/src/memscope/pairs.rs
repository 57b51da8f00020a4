//! Keys and values of an `Attr`, strict first, then whatever can be made of it.

/// Keys and values in the text's order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    pub(super) pairs: Vec<(String, String)>,
    /// Whether the text breaks the rules of its format, so that these are a guess.
    pub(super) is_broken: bool,
}

/// The keys and values of `text`: flat JSON (`{"size":"8"}`), the same without quotes (`{size:8}`,
/// as CSV files have it), or the remains of either.
pub(super) fn pairs(text: &str) -> Pairs {
    let text = text.trim();
    if text.is_empty() || text == "N/A" {
        return Pairs::default();
    }
    if let Some(pairs) = Json::read(text) {
        return Pairs { pairs, is_broken: false };
    }
    // Some writers put the whole in quotes once more.
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if let Some(body) = inner.strip_prefix('{').and_then(|text| text.strip_suffix('}'))
        && !body.trim_start().starts_with('"')
    {
        return Pairs { pairs: bare(body), is_broken: false };
    }
    Pairs { pairs: remains(inner), is_broken: true }
}

/// A strict reader of flat JSON objects; control characters stand for themselves.
struct Json<'a> {
    rest: &'a str,
}

impl<'a> Json<'a> {
    fn read(text: &'a str) -> Option<Vec<(String, String)>> {
        let mut json = Self { rest: text };
        let mut pairs = Vec::new();
        json.take('{')?;
        if json.take('}').is_none() {
            loop {
                let key = json.string()?;
                json.take(':')?;
                let value = json.value()?;
                pairs.push((key, value));
                if json.take(',').is_none() {
                    break;
                }
            }
            json.take('}')?;
        }
        json.rest.trim_start().is_empty().then_some(pairs)
    }

    fn take(&mut self, letter: char) -> Option<()> {
        self.rest = self.rest.trim_start_matches(' ').strip_prefix(letter)?;
        Some(())
    }

    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start_matches(' ');
        if self.rest.starts_with('"') {
            return self.string();
        }
        let len = self.rest.find([',', '}'])?;
        let (word, rest) = self.rest.split_at(len);
        self.rest = rest;
        let word = word.trim_end();
        let is_plain = !word.is_empty() && !word.contains(['"', '{', '[', ':', '\\', ' ']);
        is_plain.then(|| if word == "null" { String::new() } else { word.to_owned() })
    }

    fn string(&mut self) -> Option<String> {
        self.take('"')?;
        let mut out = String::new();
        loop {
            let plain = self.rest.find(['"', '\\'])?;
            out.push_str(&self.rest[..plain]);
            let is_end = self.rest[plain..].starts_with('"');
            self.rest = &self.rest[plain + 1..];
            if is_end {
                return Some(out);
            }
            out.push(self.escaped()?);
        }
    }

    /// What a backslash stands before.
    fn escaped(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits = self.rest.get(..4)?;
                let code = u32::from_str_radix(digits, 16).ok()?;
                self.rest = &self.rest[4..];
                // Halves of a pair are not put together: nobody writes such an owner.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return None,
        })
    }
}

/// The pairs of `size:8,shape:torch.Size([1, 3])`: a comma ends a value only where a key follows.
fn bare(body: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in body.split(',') {
        let pair = piece.split_once(':').filter(|(key, _)| is_key(key));
        match (pair, pairs.last_mut()) {
            (Some((key, value)), _) => pairs.push((key.trim().to_owned(), value.trim().to_owned())),
            (None, Some((_, value))) => {
                value.push(',');
                value.push_str(piece);
            }
            (None, None) => {}
        }
    }
    pairs
}

fn is_key(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ' '))
}

/// The pairs of broken JSON: cut at `","` where `":"` follows, so that quotes within a value stay.
fn remains(text: &str) -> Vec<(String, String)> {
    let body = text.trim_start_matches(['{', ' ', '"']);
    let body = body.trim_end_matches([',', ' ']);
    let body = body.strip_suffix('}').unwrap_or(body).trim_end_matches([',', ' ']);
    let body = body.strip_suffix('"').unwrap_or(body);
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in split(body, ',') {
        let mut halves = split(piece, ':');
        let key = halves.next().filter(|key| !key.contains('"'));
        match (key, halves.next(), pairs.last_mut()) {
            (Some(key), Some(value), _) => {
                let from = value.as_ptr() as usize - piece.as_ptr() as usize;
                pairs.push((key.to_owned(), piece[from..].to_owned()));
            }
            (_, _, Some((_, last))) => {
                last.push_str("\",\"");
                last.push_str(piece);
            }
            (_, _, None) => {}
        }
    }
    pairs
}

/// `text` cut where `separator` stands between two quotes.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = text.match_indices(separator).find_map(|(at, _)| {
            let before = text[..at].trim_end_matches(' ').strip_suffix('"')?;
            let after =
                text[at + separator.len_utf8()..].trim_start_matches(' ').strip_prefix('"')?;
            Some((before, after))
        });
        rest = cut.map(|(_, after)| after);
        Some(cut.map_or(text, |(before, _)| before))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let Pairs { pairs, is_broken } = pairs(text);
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        format!("{}{}", if is_broken { "! " } else { "" }, pairs.join(" | "))
    }

    #[test]
    fn json_is_read_strictly_and_anything_else_as_far_as_it_goes() {
        let cases = [
            ("", ""),
            ("{}", ""),
            (r#"{"size":"8","owner":"PTA@a"}"#, "size=8 | owner=PTA@a"),
            (r#"{"addr": "1", "size": 16, "x": null}"#, "addr=1 | size=16 | x="),
            (r#"{"owner":"a\"b\\c\u0041"}"#, r#"owner=a"b\cA"#),
            ("{addr:1,size:2,owner:,MID:7}", "addr=1 | size=2 | owner= | MID=7"),
            (
                "{size:2,shape:torch.Size([1, 3]),owner:PTA@a:b,inefficient type:x,y}",
                "size=2 | shape=torch.Size([1, 3]) | owner=PTA@a:b | inefficient type=x,y",
            ),
            (r#"{"size":"8","owner":"PTA@a"b","z":"1"}"#, r#"! size=8 | owner=PTA@a"b | z=1"#),
            (r#"{"size":"8","owner":"a","b","z":"1"}"#, r#"! size=8 | owner=a","b | z=1"#),
            (r#"{"size":"8","owner":"a\b"}"#, "size=8 | owner=a\u{8}"),
            (r#"{"size":"8","owner":"a\d"}"#, r"! size=8 | owner=a\d"),
            (r#"{"addr":"1","size":"2",}"#, "! addr=1 | size=2"),
            (r#"{"addr":"1","si"#, r#"! addr=1","si"#),
            (r#"{"a":{"b":"c"}}"#, "! "),
            ("nonsense", "! "),
        ];
        for (text, expected) in cases {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
