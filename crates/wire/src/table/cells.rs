//! Cells as JSON.

use super::view::{TableCell, TableRow};
use crate::names;
use session::table::{
    BlockRows, Cell, Column, DumpBlockRows, DumpEventRows, EventColumn, EventRows, Rows,
};
use session::{EventId, State};

/// Rows that know which block each is about.
pub(super) trait Shown: Rows {
    /// The block `row` is, or is about.
    fn block_of(&self, row: u32) -> Option<u32>;

    /// The event of the device that `row` is.
    fn event_of(&self, _row: u32) -> Option<u32> {
        None
    }

    /// The row that is `row` of the device's blocks or events.
    fn row_of(&self, row: u32) -> Option<u32> {
        (row < self.len()).then_some(row)
    }
}

impl Shown for BlockRows<'_> {
    fn block_of(&self, row: u32) -> Option<u32> {
        Some(row)
    }
}

impl Shown for EventRows<'_> {
    fn block_of(&self, row: u32) -> Option<u32> {
        match self.cell(row, EventColumn::Block, State(0)) {
            Cell::Block { id, .. } => Some(id.0),
            _ => None,
        }
    }

    fn event_of(&self, row: u32) -> Option<u32> {
        Some(row)
    }
}

impl Shown for DumpBlockRows<'_> {
    fn block_of(&self, row: u32) -> Option<u32> {
        Some(row)
    }
}

impl Shown for DumpEventRows<'_> {
    fn block_of(&self, row: u32) -> Option<u32> {
        self.block(row).map(|block| block.0)
    }

    fn event_of(&self, row: u32) -> Option<u32> {
        self.event(row).map(|event| event.0)
    }

    fn row_of(&self, row: u32) -> Option<u32> {
        self.of_event(EventId(row))
    }
}

/// `row` with its cells in `columns`, states as of `cursor`.
pub(super) fn row<R: Shown>(rows: &R, row: u32, columns: &[R::Column], cursor: State) -> TableRow
where
    R::Column: Column,
{
    let cell = |column: &R::Column| cell(&rows.cell(row, *column, cursor));
    let (block, event) = (rows.block_of(row), rows.event_of(row));
    let stack = rows.stack(row as usize).map(|stack| stack.0).filter(|stack| *stack != 0);
    TableRow { row, block, event, stack, cells: columns.iter().map(cell).collect() }
}

fn cell(cell: &Cell<'_>) -> Option<TableCell> {
    Some(match cell {
        Cell::Empty => return None,
        Cell::Int(value)
        | Cell::Time(value)
        | Cell::Span(value)
        | Cell::Moment(value)
        | Cell::Nanos(value) => TableCell::Number(*value),
        Cell::Bytes(value) => TableCell::Number(i64::try_from(*value).unwrap_or(i64::MAX)),
        Cell::Event(event) => TableCell::Number(event.0.into()),
        Cell::Block { number, .. } => TableCell::Number(*number),
        Cell::Address(value) | Cell::Stream(value) => TableCell::Text(names::hex(*value)),
        Cell::Text(text) => TableCell::Text(text.clone().into_owned()),
    })
}
