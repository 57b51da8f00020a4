//! Columns out of an Arrow IPC file that lies in memory, without a copy.
//!
//! Nothing here trusts the file: what does not fit gives `None`, and a recording is then read
//! anew.

use crate::bounds::Bound;
use crate::element::Element;
use crate::fuzz::List;
use crate::packing::{Coded, Codes, Meaning, Running, STRIDE};
use crate::writing::PACKING;
use arrow_array::ArrowPrimitiveType;
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_ipc::reader::read_footer_length;
use arrow_schema::{DataType, Schema};
use model::Column;
use rustc_hash::FxHashMap;

/// What stands behind the footer: its length and the format's name.
const TRAILER: usize = 10;
/// Before a message: a mark and the message's length.
const PREFIX: usize = 8;

/// One list of the file.
struct Stored {
    kind: DataType,
    bytes: Buffer,
    packing: Option<String>,
}

/// The columns of a file by name.
pub(crate) struct File(FxHashMap<String, Stored>);

impl File {
    /// The file that lies in `file`.
    pub(crate) fn new(file: &Buffer) -> Option<Self> {
        let trailer = file.len().checked_sub(TRAILER)?;
        let footer_len = read_footer_length(file.get(trailer..)?.try_into().ok()?).ok()?;
        let footer = file.get(trailer.checked_sub(footer_len)?..trailer)?;
        let footer = arrow_ipc::root_as_footer(footer).ok()?;
        let schema = arrow_ipc::convert::try_fb_to_schema(footer.schema()?).ok()?;
        let batches = footer.recordBatches()?;
        if batches.len() != 1 {
            return None;
        }
        let place = batches.get(0);
        let begin = usize::try_from(place.offset()).ok()?;
        let head = usize::try_from(place.metaDataLength()).ok()?;
        let body = usize::try_from(place.bodyLength()).ok()?;
        let message = file.get(begin.checked_add(PREFIX)?..begin.checked_add(head)?)?;
        let message = arrow_ipc::root_as_message(message).ok()?;
        let batch = message.header_as_record_batch()?;
        if batch.compression().is_some() {
            return None;
        }
        let body = part(file, begin.checked_add(head)?, body)?;
        Self::columns(&schema, &batch, &body)
    }

    fn columns(schema: &Schema, batch: &arrow_ipc::RecordBatch<'_>, body: &Buffer) -> Option<Self> {
        let (nodes, buffers) = (batch.nodes()?, batch.buffers()?);
        let fields = schema.fields();
        // A list is two nodes and, with what says which rows are missing, four buffers.
        if nodes.len() != 2 * fields.len() || buffers.len() != 4 * fields.len() {
            return None;
        }
        let mut columns = FxHashMap::default();
        for (at, field) in fields.iter().enumerate() {
            let DataType::LargeList(item) = field.data_type() else { return None };
            let buffer = buffers.get(4 * at + 3);
            let (offset, bytes) = (buffer.offset(), buffer.length());
            let bytes = part(body, usize::try_from(offset).ok()?, usize::try_from(bytes).ok()?)?;
            let kind = item.data_type().clone();
            let packing = field.metadata().get(PACKING).cloned();
            let rows = usize::try_from(nodes.get(2 * at + 1).length()).ok()?;
            if rows.checked_mul(kind.primitive_width()?)? != bytes.len() {
                return None;
            }
            columns.insert(field.name().clone(), Stored { kind, bytes, packing });
        }
        Some(Self(columns))
    }

    /// Whether there is a column of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Names of all columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Where the values of each list lie in `file`, which it is of.
    pub(crate) fn lists(&self, file: &Buffer) -> Vec<List> {
        let list = |(name, stored): (&String, &Stored)| {
            let from = stored.bytes.as_ptr() as usize - file.as_ptr() as usize;
            let bytes = from..from + stored.bytes.len();
            let width = stored.kind.primitive_width().unwrap_or(1);
            List { name: name.clone(), width, bytes }
        };
        self.0.iter().map(list).collect()
    }

    /// How the column is packed, if it is.
    pub(crate) fn packing(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.packing.as_deref()
    }

    /// The column of that name, whichever way it is kept.
    pub(crate) fn column<T: Element>(&self, name: &str) -> Option<Column<T>> {
        let Some(packing) = self.packing(name) else {
            return Some(self.plain::<T>(name)?.into());
        };
        let mut words = packing.split(' ');
        let way = words.next()?;
        let coded = self.coded(name, words)?;
        match way {
            "coded" => Some(Column::packed(coded)),
            "running" => {
                let bases = self.plain::<u64>(&format!("{name}.bases"))?;
                (bases.len() == coded.rows.div_ceil(STRIDE))
                    .then(|| Column::packed(Running { bases, steps: coded }))
            }
            _ => None,
        }
    }

    /// The same, if all its values are within `bound`.
    pub(crate) fn within<T: Element>(&self, name: &str, bound: Bound) -> Option<Column<T>> {
        let column = self.column(name)?;
        let is_table =
            self.packing(name).is_some_and(|it| it.starts_with("coded ") && it.ends_with(" table"));
        let fits = if is_table {
            // Whatever the codes are, there is nothing else; beyond the end is 0.
            let table = self.plain::<u64>(&format!("{name}.table"))?;
            table.iter().chain(&[0]).all(|value| bound.has(T::of_bits(*value)))
        } else {
            bound.has_column(&column)
        };
        fits.then_some(column)
    }

    fn coded<'a>(&self, name: &str, mut words: impl Iterator<Item = &'a str>) -> Option<Coded> {
        let rows: usize = words.next()?.parse().ok()?;
        let meaning = match words.next()? {
            "line" => Meaning::Line {
                base: words.next()?.parse().ok()?,
                step: words.next()?.parse().ok()?,
            },
            "table" => Meaning::Table(self.plain::<u64>(&format!("{name}.table"))?),
            _ => return None,
        };
        let stored = self.0.get(name)?;
        let codes = match &stored.kind {
            DataType::UInt8 if stored.bytes.is_empty() => Codes::Zero,
            DataType::UInt8 => Codes::One(self.plain(name)?),
            DataType::UInt16 => Codes::Two(self.plain(name)?),
            DataType::UInt32 => Codes::Four(self.plain(name)?),
            _ => return None,
        };
        (codes.fit(rows) && u32::try_from(rows).is_ok()).then_some(Coded { rows, codes, meaning })
    }

    fn plain<T: Element>(&self, name: &str) -> Option<ScalarBuffer<T>> {
        let stored = self.0.get(name)?;
        let aligned = stored.bytes.as_ptr().align_offset(align_of::<T>()) == 0;
        (stored.kind == T::Arrow::DATA_TYPE && aligned).then(|| stored.bytes.clone().into())
    }
}

/// `length` bytes of `of`.
fn part(of: &Buffer, from: usize, length: usize) -> Option<Buffer> {
    let fits = from.checked_add(length).is_some_and(|to| to <= of.len());
    fits.then(|| of.slice_with_length(from, length))
}

#[cfg(test)]
impl File {
    /// Each column's name, without numbers of devices and the like, and how it is kept.
    pub(crate) fn described(&self) -> Vec<String> {
        let numberless = |name: &str| {
            let is_number = |word: &str| word.bytes().all(|digit| digit.is_ascii_digit());
            let words = name.split('.').map(|word| if is_number(word) { "N" } else { word });
            words.collect::<Vec<_>>().join(".")
        };
        let described = |(name, stored): (&String, &Stored)| match &stored.packing {
            Some(packing) => {
                format!("{} {}", numberless(name), packing.split(' ').next().unwrap_or_default())
            }
            None => format!("{} {}", numberless(name), stored.kind),
        };
        self.0.iter().map(described).collect()
    }
}
