//! What every carrier of a dump comes down to: rows of cells under known columns.

use std::borrow::Cow;

/// A column of a dump that means something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Field {
    Id,
    Event,
    EventType,
    Name,
    Time,
    Process,
    Thread,
    Device,
    Ptr,
    Attr,
    PythonStack,
    NativeStack,
}

/// How many there are.
pub(super) const FIELDS: usize = 12;

impl Field {
    const ALL: [Self; FIELDS] = [
        Self::Id,
        Self::Event,
        Self::EventType,
        Self::Name,
        Self::Time,
        Self::Process,
        Self::Thread,
        Self::Device,
        Self::Ptr,
        Self::Attr,
        Self::PythonStack,
        Self::NativeStack,
    ];

    /// The field a file calls `name`, in any generation's spelling.
    fn called(name: &str) -> Option<Self> {
        Some(match plain(name).as_str() {
            "id" => Self::Id,
            "event" => Self::Event,
            "eventtype" => Self::EventType,
            "name" => Self::Name,
            "timestamp" | "timestampns" => Self::Time,
            "processid" | "pid" => Self::Process,
            "threadid" | "tid" => Self::Thread,
            "deviceid" | "device" => Self::Device,
            "ptr" => Self::Ptr,
            "attr" => Self::Attr,
            "callstackpython" => Self::PythonStack,
            "callstackc" => Self::NativeStack,
            _ => return None,
        })
    }
}

/// `name` in lower case, letters and digits only: `Event Type`, `eventType` and `event_type` are
/// one.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// Where a file has the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fields([Option<usize>; FIELDS]);

impl Fields {
    /// The fields among `names`, or what is missing for them to be those of a dump.
    pub(super) fn among<'a>(
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Self, Vec<&'static str>> {
        let mut places = [None; FIELDS];
        for (place, name) in names.enumerate() {
            if let Some(field) = Field::called(name) {
                places[field as usize].get_or_insert(place);
            }
        }
        let needed = [
            (Field::Event, "Event"),
            (Field::EventType, "Event Type"),
            (Field::Time, "Timestamp(ns)"),
            (Field::Process, "Process Id"),
        ];
        let lacks = |field: Field| places[field as usize].is_none();
        let missing: Vec<_> =
            needed.into_iter().filter(|(field, _)| lacks(*field)).map(|(_, name)| name).collect();
        if missing.is_empty() { Ok(Self(places)) } else { Err(missing) }
    }

    /// Those that the file has, with their places.
    pub(super) fn present(&self) -> impl Iterator<Item = (Field, usize)> {
        Field::ALL.into_iter().filter_map(|field| Some((field, self.0[field as usize]?)))
    }

    /// Where the file has `field`.
    pub(super) fn place(&self, field: Field) -> Option<usize> {
        self.0[field as usize]
    }

    /// Whether the file has Python's stacks and C's.
    pub(super) fn has_stacks(&self) -> [bool; 2] {
        [Field::PythonStack, Field::NativeStack].map(|field| self.place(field).is_some())
    }
}

/// A value of a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Cell<'a> {
    #[default]
    Missing,
    Number(i64),
    Text(&'a [u8]),
}

impl<'a> Cell<'a> {
    /// As a number, whatever the file stored it as.
    pub(super) fn number(self) -> Option<i64> {
        match self {
            Self::Missing => None,
            Self::Number(number) => Some(number),
            Self::Text(text) => decimal(text.trim_ascii()),
        }
    }

    /// As a text; nothing is the empty one.
    pub(super) fn text(self) -> Cow<'a, [u8]> {
        match self {
            Self::Missing => Cow::Borrowed(b""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(number) => Cow::Owned(number.to_string().into_bytes()),
        }
    }

    /// As an address: `0x…`, decimal, or hexadecimal that cannot be decimal.
    pub(super) fn address(self) -> Option<u64> {
        match self {
            Self::Missing => None,
            Self::Number(number) => Some(number as u64),
            Self::Text(text) => address(text.trim_ascii()),
        }
    }
}

/// A row of a dump, by [`Field`].
pub(super) type Cells<'a> = [Cell<'a>; FIELDS];

/// A decimal number.
pub(super) fn decimal(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i64;
    for digit in digits {
        let digit = i64::from(digit.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        let signed = if is_negative { -digit } else { digit };
        value = value.checked_mul(10)?.checked_add(signed)?;
    }
    Some(value)
}

/// An address in any generation's spelling.
pub(super) fn address(text: &[u8]) -> Option<u64> {
    if let [b'0', b'x' | b'X', digits @ ..] = text {
        return hexadecimal(digits);
    }
    if text.iter().all(u8::is_ascii_digit) {
        let text = std::str::from_utf8(text).ok()?;
        return text.parse().ok();
    }
    // Some printf implementations leave `0x` out.
    if text.len() >= 8 { hexadecimal(text) } else { None }
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut value = 0;
    for digit in digits {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        value = value << 4 | u64::from(digit);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_addresses_are_read_in_all_spellings() {
        assert_eq!(decimal(b"-14336"), Some(-14336));
        assert_eq!(decimal(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(decimal(b"9223372036854775808"), None);
        assert_eq!(decimal(b"-"), None);
        assert_eq!(decimal(b"N/A"), None);
        assert_eq!(address(b"0x000012c041400000"), Some(0x12c0_4140_0000));
        assert_eq!(address(b"20615843020800"), Some(20_615_843_020_800));
        assert_eq!(address(b"12c041400000"), Some(0x12c0_4140_0000));
        assert_eq!(address(b"N/A"), None);
        assert_eq!(address(b""), None);
        assert_eq!(address(b"0x"), None);
        assert_eq!(Cell::Number(-1).address(), Some(u64::MAX));
    }

    #[test]
    fn a_column_is_known_by_any_generations_name() {
        let now = "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,\
                   Call Stack(Python),Call Stack(C)";
        let old = "id,event,eventType,name,timestamp,processId,threadId,deviceId,ptr,attr,\
                   callStackPython,callStackC";
        let short = "id,event,event_type,name,timestamp,pid,tid,device,ptr,attr,x,y";
        let fields = |line: &str| Fields::among(line.split(',')).unwrap();
        assert_eq!(fields(now), fields(old));
        assert_eq!(fields(now).has_stacks(), [true, true]);
        assert_eq!(fields(short).has_stacks(), [false, false]);
        assert_eq!(fields(short).present().count(), 10);
        assert_eq!(
            Fields::among("ID,Event,Name".split(',')),
            Err(vec!["Event Type", "Timestamp(ns)", "Process Id"])
        );
    }
}
