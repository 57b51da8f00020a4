//! Columns on their way into an Arrow IPC file.
//!
//! The file is one record batch of one row: each column of each table of a recording is a list in
//! it, so that tables of different lengths lie in one file and each column in one stretch of it.
//! A column that is packed is one or two lists; what they mean stands in the field's metadata.

use crate::element::Element;
use crate::packing::{Coded, Codes, Meaning, Packing, pack};
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, LargeListArray, PrimitiveArray, RecordBatch};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, Field, Schema};
use model::Column;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// In a field's metadata: how the column is packed.
pub(crate) const PACKING: &str = "packing";
/// Columns start at multiples of this: any processor may read them in place.
const ALIGNMENT: usize = 64;

/// Columns by name, in the order they were put.
#[derive(Default)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    /// Keeps `values` as they are, without a copy.
    pub(crate) fn plain<T: Element>(&mut self, name: &str, values: &Column<T>) {
        let values = values.plain().cloned().unwrap_or_else(|| values.to_vec().into());
        self.push(name, values, None);
    }

    /// Keeps `values` in as little room as they need.
    pub(crate) fn packed<T: Element>(&mut self, name: &str, values: &Column<T>) {
        match pack::<T>(values) {
            Packing::Plain => self.plain(name, values),
            Packing::Coded(coded) => self.coded::<T>(name, "coded", &coded),
            Packing::Running(running) => {
                self.coded::<T>(name, "running", &running.steps);
                self.push(&format!("{name}.bases"), running.bases, None);
            }
        }
    }

    /// The same of values that are not a column yet.
    pub(crate) fn rows<T: Element>(&mut self, name: &str, values: impl Iterator<Item = T>) {
        self.packed(name, &values.collect());
    }

    /// Keeps the values of `rows` that nothing else tells, under names of `name`.
    ///
    /// The rest follow from other columns, as `how` says.
    pub(crate) fn rest<T: Element>(
        &mut self,
        name: &str,
        how: &str,
        (rows, values): (Vec<u32>, Vec<T>),
    ) {
        self.push::<u8>(name, Vec::new().into(), Some(how.to_owned()));
        self.packed(&format!("{name}.rest"), &rows.into());
        self.packed(&format!("{name}.rest_values"), &values.into());
    }

    fn coded<T: Element>(&mut self, name: &str, way: &str, coded: &Coded) {
        let rows = coded.rows;
        let meaning = match &coded.meaning {
            Meaning::Line { base, step } => format!("{way} {rows} line {base} {step}"),
            Meaning::Table(_) => format!("{way} {rows} table"),
        };
        match &coded.codes {
            Codes::Zero => self.push::<u8>(name, Vec::new().into(), Some(meaning)),
            Codes::One(places) => self.push(name, places.clone(), Some(meaning)),
            Codes::Two(places) => self.push(name, places.clone(), Some(meaning)),
            Codes::Four(places) => self.push(name, places.clone(), Some(meaning)),
        }
        if let Meaning::Table(values) = &coded.meaning {
            self.push(&format!("{name}.table"), values.clone(), None);
        }
    }

    fn push<T: Element>(&mut self, name: &str, values: ScalarBuffer<T>, packing: Option<String>) {
        let item = Arc::new(Field::new("item", T::Arrow::DATA_TYPE, false));
        let offsets = OffsetBuffer::from_lengths([values.len()]);
        let values: ArrayRef = Arc::new(PrimitiveArray::<T::Arrow>::new(values, None));
        let list = LargeListArray::new(Arc::clone(&item), offsets, values, None);
        let field = Field::new_large_list(name, item, false);
        let metadata: HashMap<_, _> =
            packing.map(|packing| (PACKING.to_owned(), packing)).into_iter().collect();
        self.fields.push(field.with_metadata(metadata));
        self.arrays.push(Arc::new(list));
    }

    /// How many bytes the columns have.
    pub(crate) fn bytes(&self) -> u64 {
        self.arrays.iter().map(|array| array.get_buffer_memory_size() as u64).sum()
    }

    /// Writes the file.
    pub(crate) fn write(self, into: impl Write) -> Result<(), ArrowError> {
        let schema = Arc::new(Schema::new(self.fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), self.arrays)?;
        let version = arrow_ipc::MetadataVersion::V5;
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, version)?;
        let mut writer = FileWriter::try_new_with_options(into, &schema, options)?;
        writer.write(&batch)?;
        writer.finish()
    }
}
