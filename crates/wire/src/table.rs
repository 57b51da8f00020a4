//! The block table and the event table: filtered and sorted here, shown a page at a time.

mod cells;
mod columns;
mod query;
mod view;

pub use columns::TableColumn;
pub use query::{
    SortDirection, TableFilter, TableKind, TableOrder, TablePeriod, TableQuestion, TableSpan,
    TableTest, TableWithin,
};
pub use view::{
    RowsQuestion, TableBounds, TableCell, TableChoice, TableOpened, TablePage, TableRow,
    TableStatistics, TableView, table, table_choices,
};
