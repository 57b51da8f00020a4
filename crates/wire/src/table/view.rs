//! An opened table, to be asked for pages of rows.

use super::cells::{self, Shown};
use super::columns::{Named, TableColumn};
use super::query::{TableKind, TableQuestion};
use crate::event::state;
use crate::{Number, WireError, error};
use serde::{Deserialize, Serialize};
use session::table::{
    BlockColumn, DumpBlockColumn, DumpEventColumn, EventColumn, Rows, Shape, Statistics,
    Thresholds, View, csv,
};
use session::{Job, OnDevice, Session};
use specta::Type;
use std::io::Write;

/// Rows one answer holds at most.
const MOST_ROWS: u32 = 500;

/// What the matching rows add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableStatistics {
    /// Matching rows.
    pub count: u32,
    /// Rows in all.
    pub of: u32,
    /// Their bytes.
    #[specta(type = Number)]
    pub size: u64,
    /// Bytes asked for.
    #[specta(type = Number)]
    pub requested: u64,
    /// Bytes of the smallest; absent when nothing matches.
    #[specta(type = Option<Number>)]
    pub smallest: Option<u64>,
    /// Bytes of the largest.
    #[specta(type = Option<Number>)]
    pub largest: Option<u64>,
}

/// A value to show; bytes, events and microseconds as numbers, addresses and streams in hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(untagged)]
pub enum TableCell {
    /// A number, by the column.
    Number(#[specta(type = Number)] i64),
    /// A text.
    Text(String),
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableRow {
    /// The block or the event.
    pub row: u32,
    /// The block it is, or is about.
    pub block: Option<u32>,
    /// The event of the device it is.
    pub event: Option<u32>,
    /// Row of the stack of the allocation or the event, among the recording's; absent: none.
    pub stack: Option<u32>,
    /// One a column asked for; absent: nothing to show.
    pub cells: Vec<Option<TableCell>>,
}

/// Some rows from the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TablePage {
    /// The place of the first.
    pub offset: u32,
    /// The rows.
    pub rows: Vec<TableRow>,
}

/// An opened table with its first rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableOpened {
    /// Its id in further questions.
    pub view: u32,
    /// What its rows add up to.
    pub statistics: TableStatistics,
    /// Whether the rows or their order change with the cursor.
    pub asks_state: bool,
    /// Its first rows.
    pub page: TablePage,
}

/// Rows that are wanted of an opened table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct RowsQuestion {
    /// Place of the first.
    pub offset: u32,
    /// Instead of it: from the first row that is this one or after it. Only of rows that are in
    /// the order of the recording.
    #[serde(default)]
    pub since: Option<u32>,
    /// How many.
    pub count: u32,
    /// Which cells.
    pub columns: Vec<TableColumn>,
    /// The event right after which states are looked at.
    #[specta(type = Number)]
    pub cursor: f64,
}

/// Least and most of a column's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableBounds {
    /// Which column.
    pub column: TableColumn,
    /// Least.
    #[specta(type = Number)]
    pub from: i64,
    /// Most.
    #[specta(type = Number)]
    pub to: i64,
}

/// A name that a column can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableChoice {
    /// As [`TableTest::Is`](super::TableTest) takes it.
    pub name: String,
    /// Rows that have it.
    pub count: u32,
}

/// A table that was opened; of the session it was opened of.
#[derive(Debug)]
pub struct TableView {
    device: u32,
    view: Kind,
}

#[derive(Debug)]
enum Kind {
    Blocks(View<BlockColumn>),
    Events(View<EventColumn>),
    DumpBlocks(View<DumpBlockColumn>, Thresholds),
    DumpEvents(View<DumpEventColumn>),
}

/// Evaluates `$body` with the view of `$table` and its rows, whatever they are.
macro_rules! with_rows {
    ($table:expr, $on:ident, $job:ident, |$view:ident, $rows:ident| $body:expr) => {
        match &$table.view {
            Kind::Blocks($view) => {
                let $rows = &$on.block_rows($job)?;
                $body
            }
            Kind::Events($view) => {
                let $rows = &$on.event_rows($job)?;
                $body
            }
            Kind::DumpBlocks($view, thresholds) => {
                let $rows = &of_dump($on.dump_block_rows(*thresholds, $job)?)?;
                $body
            }
            Kind::DumpEvents($view) => {
                let $rows = &of_dump($on.dump_event_rows($job)?)?;
                $body
            }
        }
    };
}

/// What only a dump has, or a refusal.
fn of_dump<T>(found: Option<T>) -> Result<T, WireError> {
    found.ok_or_else(|| WireError::nonsense("a snapshot has no such table".to_owned()))
}

/// Finds the rows that answer `question`.
pub fn table(
    session: &Session,
    question: &TableQuestion,
    job: &Job,
) -> Result<TableView, WireError> {
    let device = question.device;
    let on = error::device(session, device)?;
    let view = match question.kind {
        TableKind::Blocks => Kind::Blocks(on.block_view(question.blocks(on)?, job)?),
        TableKind::Events => Kind::Events(on.event_view(question.events(on)?, job)?),
        TableKind::DumpBlocks => {
            let thresholds = question.thresholds.map(Thresholds::from).unwrap_or_default();
            let view = on.dump_block_view(thresholds, question.blocks(on)?, job)?;
            Kind::DumpBlocks(of_dump(view)?, thresholds)
        }
        TableKind::DumpEvents => {
            Kind::DumpEvents(of_dump(on.dump_event_view(question.dump_events(on)?, job)?)?)
        }
    };
    Ok(TableView { device, view })
}

/// The names in `column` of the rows that pass the other columns' filters.
pub fn table_choices(
    session: &Session,
    question: &TableQuestion,
    column: TableColumn,
    job: &Job,
) -> Result<Vec<TableChoice>, WireError> {
    let mut question = question.clone();
    question.filters.retain(|filter| filter.column != column);
    question.order.clear();
    let table = table(session, &question, job)?;
    let on = error::device(session, question.device)?;
    let choices =
        with_rows!(table, on, job, |view, rows| view.choices(rows, Named::of(column)?, job)?);
    let choice =
        |choice: session::table::Choice| TableChoice { name: choice.name, count: choice.count };
    Ok(choices.into_iter().map(choice).collect())
}

impl TableView {
    /// What is told of it as `view`, with its first rows.
    pub fn opened(
        &self,
        session: &Session,
        view: u32,
        first: &RowsQuestion,
        job: &Job,
    ) -> Result<TableOpened, WireError> {
        let on = error::device(session, self.device)?;
        let (statistics, of, asks_state) = with_rows!(self, on, job, |view, rows| {
            (view.statistics(), rows.len(), asks_state(view))
        });
        let Statistics { count, requested, size, smallest, largest } = statistics;
        Ok(TableOpened {
            view,
            statistics: TableStatistics { count, of, size, requested, smallest, largest },
            asks_state,
            page: self.rows(session, first, job)?,
        })
    }

    /// The rows that `question` wants.
    pub fn rows(
        &self,
        session: &Session,
        question: &RowsQuestion,
        job: &Job,
    ) -> Result<TablePage, WireError> {
        let on = error::device(session, self.device)?;
        with_rows!(self, on, job, |view, rows| page(view, rows, on, question, job))
    }

    /// The place of `row`; `None` when it does not match. Of the events of a dump, that of an event
    /// of its device.
    pub fn position(
        &self,
        session: &Session,
        row: u32,
        job: &Job,
    ) -> Result<Option<u32>, WireError> {
        let on = error::device(session, self.device)?;
        with_rows!(self, on, job, |view, rows| match rows.row_of(row) {
            Some(row) => Ok(view.position_of(rows, row, job)?),
            None => Ok(None),
        })
    }

    /// Least and most of `columns` over the matching rows; nothing of names and of what is empty.
    pub fn bounds(
        &self,
        session: &Session,
        columns: &[TableColumn],
        job: &Job,
    ) -> Result<Vec<TableBounds>, WireError> {
        let on = error::device(session, self.device)?;
        with_rows!(self, on, job, |view, rows| bounds(view, rows, columns, job))
    }

    /// Writes `columns` of all matching rows to `out`, which should be buffered, as CSV.
    pub fn export(
        &self,
        session: &Session,
        columns: &[TableColumn],
        out: impl Write,
        job: &Job,
    ) -> Result<(), WireError> {
        let on = error::device(session, self.device)?;
        with_rows!(self, on, job, |view, rows| export(view, rows, columns, out, job))
    }
}

/// Whether the rows of `view` or their order change with the cursor.
fn asks_state<C: Named>(view: &View<C>) -> bool {
    C::find(TableColumn::State).is_some_and(|state| view.query().asks_for(state))
}

fn page<R: Shown>(
    view: &View<R::Column>,
    rows: &R,
    on: OnDevice<'_>,
    question: &RowsQuestion,
    job: &Job,
) -> Result<TablePage, WireError>
where
    R::Column: Named,
{
    let columns = named(&question.columns)?;
    let cursor = state(on, question.cursor);
    let count = question.count.min(MOST_ROWS);
    let offset = match question.since {
        None => question.offset,
        Some(_) if !view.query().order.is_empty() => {
            return Err(WireError::nonsense("these rows are in an order of their own".to_owned()));
        }
        Some(row) => view.before(row),
    };
    let found = view.rows(rows, offset, count, job)?;
    let row = |row| cells::row(rows, row, &columns, cursor);
    Ok(TablePage { offset, rows: found.into_iter().map(row).collect() })
}

fn bounds<R: Rows>(
    view: &View<R::Column>,
    rows: &R,
    columns: &[TableColumn],
    job: &Job,
) -> Result<Vec<TableBounds>, WireError>
where
    R::Column: Named,
{
    let mut all = Vec::new();
    for column in columns {
        let own = R::Column::of(*column)?;
        if matches!(rows.shape(own), Shape::Named | Shape::Address | Shape::Text) {
            continue;
        }
        if let Some((from, to)) = view.bounds(rows, own, job)? {
            let fits = |value: i128| i64::try_from(value).unwrap_or(i64::MAX);
            all.push(TableBounds { column: *column, from: fits(from), to: fits(to) });
        }
    }
    Ok(all)
}

fn export<R: Rows>(
    view: &View<R::Column>,
    rows: &R,
    columns: &[TableColumn],
    out: impl Write,
    job: &Job,
) -> Result<(), WireError>
where
    R::Column: Named,
{
    let own: Vec<R::Column> = named(columns)?;
    let mut csv = csv::Writer::new(out);
    csv.texts(columns.iter().map(|column| column.name()))
        .map_err(|error| WireError::unwritten(&error))?;
    view.export(rows, &own, job, |cells| {
        csv.cells(cells).map_err(|error| WireError::unwritten(&error))
    })?;
    csv.into_inner().flush().map_err(|error| WireError::unwritten(&error))
}

fn named<C: Named>(columns: &[TableColumn]) -> Result<Vec<C>, WireError> {
    columns.iter().map(|column| C::of(*column)).collect()
}

impl WireError {
    /// The system would not write a file.
    pub fn unwritten(error: &std::io::Error) -> Self {
        Self { code: crate::ErrorCode::Unwritable, message: error.to_string() }
    }
}
