//! The block table and the event table of a device, and those of a track of a dump.

pub use ::table::{
    AddressFilter, BlockColumn, BlockPeriod, BlockRows, BlockState, Cell, Choice, Column,
    DeviceRows, Direction, DumpBlockColumn, DumpBlockRows, DumpEventColumn, DumpEventRows,
    DumpTexts, EventColumn, EventRows, Filter, Flags, Inefficiency, Period, Query, Rows, Shape,
    StackTexts, Statistics, Steps, Test, Threshold, Thresholds, TimePeriod, Use, View, Within, csv,
    parse_address,
};

use crate::annotations::profiler_step;
use crate::{OnDevice, Session};
use job::{Cancelled, Job};
use model::EventId;

impl Session {
    /// What the stacks say, sorted when first asked for.
    fn stack_texts(&self, job: &Job) -> Result<&StackTexts, Cancelled> {
        let line = |stack| self.top_frame(stack).map(|top| self.frame_line(top.frame));
        if let Some(texts) = self.kept_texts().get() {
            return Ok(texts);
        }
        let texts = StackTexts::new(self.recording(), line, job)?;
        // Somebody else may have been quicker, with the same texts.
        Ok(self.kept_texts().get_or_init(|| texts))
    }

    /// The texts of the dump, sorted when first asked for; nothing in a snapshot.
    fn dump_texts(&self, job: &Job) -> Result<Option<&DumpTexts>, Cancelled> {
        let Some(dump) = self.recording().dump.as_deref() else { return Ok(None) };
        if let Some(texts) = self.kept_dump_texts().get() {
            return Ok(Some(texts));
        }
        let texts = DumpTexts::new(self.recording(), dump, job)?;
        // Somebody else may have been quicker, with the same texts.
        Ok(Some(self.kept_dump_texts().get_or_init(|| texts)))
    }
}

impl<'a> OnDevice<'a> {
    /// Its blocks as rows of a table.
    pub fn block_rows(self, job: &Job) -> Result<BlockRows<'a>, Cancelled> {
        let texts = self.session.stack_texts(job)?;
        Ok(BlockRows::new(self.session.recording(), self.row(), texts, self.steps()))
    }

    /// Its events as rows of a table.
    pub fn event_rows(self, job: &Job) -> Result<EventRows<'a>, Cancelled> {
        let texts = self.session.stack_texts(job)?;
        Ok(EventRows::new(self.session.recording(), self.row(), texts, self.steps()))
    }

    /// The blocks that answer `query`.
    pub fn block_view(
        self,
        query: Query<BlockColumn>,
        job: &Job,
    ) -> Result<View<BlockColumn>, Cancelled> {
        View::new(&self.block_rows(job)?, query, job)
    }

    /// The events that answer `query`.
    pub fn event_view(
        self,
        query: Query<EventColumn>,
        job: &Job,
    ) -> Result<View<EventColumn>, Cancelled> {
        View::new(&self.event_rows(job)?, query, job)
    }

    /// The blocks of its track as rows of a table, judged by `thresholds`; `None` in a snapshot.
    pub fn dump_block_rows(
        self,
        thresholds: Thresholds,
        job: &Job,
    ) -> Result<Option<DumpBlockRows<'a>>, Cancelled> {
        let Some(texts) = self.session.dump_texts(job)? else { return Ok(None) };
        let stacks = (self.session.stack_texts(job)?, self.steps());
        let recording = self.session.recording();
        Ok(DumpBlockRows::new(recording, self.row(), stacks, texts, thresholds))
    }

    /// The rows of the dump about the device of its track as rows of a table; `None` in a
    /// snapshot.
    pub fn dump_event_rows(self, job: &Job) -> Result<Option<DumpEventRows<'a>>, Cancelled> {
        let Some(texts) = self.session.dump_texts(job)? else { return Ok(None) };
        let stacks = (self.session.stack_texts(job)?, self.steps());
        let (recording, row) = (self.session.recording(), self.row());
        let kept = self.kept_device_rows();
        if kept.get().is_none() {
            // Somebody else may have been quicker, with the same rows.
            kept.set(DeviceRows::new(recording, row, job)?).ok();
        }
        let Some(rows) = kept.get() else { return Ok(None) };
        Ok(DumpEventRows::new(recording, row, stacks, texts, rows))
    }

    /// The blocks of its track that answer `query`; `None` in a snapshot.
    pub fn dump_block_view(
        self,
        thresholds: Thresholds,
        query: Query<DumpBlockColumn>,
        job: &Job,
    ) -> Result<Option<View<DumpBlockColumn>>, Cancelled> {
        let rows = self.dump_block_rows(thresholds, job)?;
        rows.map(|rows| View::new(&rows, query, job)).transpose()
    }

    /// The rows about the device of its track that answer `query`; `None` in a snapshot.
    pub fn dump_event_view(
        self,
        query: Query<DumpEventColumn>,
        job: &Job,
    ) -> Result<Option<View<DumpEventColumn>>, Cancelled> {
        let rows = self.dump_event_rows(job)?;
        rows.map(|rows| View::new(&rows, query, job)).transpose()
    }

    /// The profiler's steps, called by their numbers.
    fn steps(self) -> &'a Steps {
        self.kept_steps().get_or_init(|| {
            let Some(times) = &self.table().events.time_ns else { return Steps::default() };
            let recording = self.session.recording();
            let step = |range: &model::Annotation| {
                let number = profiler_step(recording.text(range.name))?;
                let start = range.start_ns?;
                let first = times.partition_point(|time| *time < start);
                // One that began after the last event holds none of them.
                (first < times.len()).then(|| (EventId(first as u32), number.to_string()))
            };
            Steps::new(self.annotations().filter_map(step).collect())
        })
    }
}
