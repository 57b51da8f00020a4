//! A device's trace, entry by entry.

use std::io;

use super::Document;
use crate::allocator::Blocks;
use crate::event::{Action, Event, Observer, Totals, Trace};
use crate::pickle::emitter::{Kind, Memo, Open, Uses};
use crate::pickle::words::Word;
use crate::plan::{Rounding, Writer};
use crate::samples::Samples;

/// The second pass over one device: writes what the first one counted, and takes samples.
pub(crate) struct Entries<'d, 'a> {
    document: &'d mut Document<'a>,
    pub(crate) samples: Samples,
    device: u32,
    dropped: u64,
    seen: u64,
    list: Option<Open>,
    /// Written once the next one is known: then it is known whether they share a list.
    held: Option<Event>,
    /// The list of the call that wrote last.
    last: Option<(u64, Memo)>,
}

impl<'d, 'a> Entries<'d, 'a> {
    /// Begins the list of `count` entries; the first `dropped` events are not among them.
    pub(crate) fn new(
        document: &'d mut Document<'a>,
        samples: Samples,
        device: u32,
        (count, dropped): (u64, u64),
    ) -> io::Result<Self> {
        let list = Some(document.emitter.open(Kind::List, count as usize)?);
        Ok(Self { document, samples, device, dropped, seen: 0, list, held: None, last: None })
    }

    /// An entry that is no event of the run.
    pub(crate) fn extra(&mut self, event: Event) -> io::Result<()> {
        self.hold(Some(event))
    }

    /// Ends the list.
    pub(crate) fn finish(mut self) -> io::Result<Samples> {
        self.hold(None)?;
        if let Some(list) = self.list.take() {
            self.document.emitter.close(list, Uses::Once);
        }
        Ok(self.samples)
    }

    fn hold(&mut self, next: Option<Event>) -> io::Result<()> {
        let Some(event) = std::mem::replace(&mut self.held, next) else { return Ok(()) };
        let next_call = next.and_then(|next| next.trace).map(|trace| trace.call);
        let uses = match event.trace {
            Some(trace) if next_call == Some(trace.call) => Uses::Again,
            _ => Uses::Once,
        };
        self.write(&event, uses)
    }

    fn write(&mut self, event: &Event, uses: Uses) -> io::Result<()> {
        let list = self.list.as_mut().expect("the list is open until it is finished");
        self.document.emitter.item(list);
        let fields = if self.document.rounding == Rounding::Cuda { 8 } else { 4 };
        let fields = fields + usize::from(event.trace.is_some());
        let mut open = self.document.emitter.open(Kind::Dict, fields)?;
        self.head(&mut open, event)?;
        match (self.document.rounding, self.document.emitter.writer()) {
            (Rounding::Npu, _) => self.frames(&mut open, event.trace, uses)?,
            (Rounding::Cuda, Writer::CPython) => {
                self.time(&mut open, event)?;
                self.metadata(&mut open)?;
                self.pool(&mut open, event)?;
                self.frames(&mut open, event.trace, uses)?;
            }
            (Rounding::Cuda, Writer::Cpp) => {
                self.metadata(&mut open)?;
                self.frames(&mut open, event.trace, uses)?;
                self.time(&mut open, event)?;
                self.pool(&mut open, event)?;
            }
        }
        self.document.emitter.close(open, Uses::Once);
        Ok(())
    }

    fn head(&mut self, open: &mut Open, event: &Event) -> io::Result<()> {
        let document = &mut *self.document;
        document.emitter.item(open);
        document.word(Word::Action, event.action.word())?;
        document.emitter.item(open);
        let address = if event.action == Action::Oom { Word::DeviceFree } else { Word::Addr };
        document.int(address, event.address)?;
        document.emitter.item(open);
        document.int(Word::Size, event.size)?;
        document.emitter.item(open);
        document.int(Word::Stream, event.stream)
    }

    fn time(&mut self, open: &mut Open, event: &Event) -> io::Result<()> {
        self.document.emitter.item(open);
        self.document.int(Word::TimeUs, event.time_us)
    }

    fn metadata(&mut self, open: &mut Open) -> io::Result<()> {
        let emitter = &mut self.document.emitter;
        emitter.item(open);
        emitter.word(Word::CompileContext)?;
        emitter.text("N/A")?;
        emitter.item(open);
        emitter.word(Word::UserMetadata)?;
        emitter.word(Word::Nothing)
    }

    fn pool(&mut self, open: &mut Open, event: &Event) -> io::Result<()> {
        self.document.emitter.item(open);
        self.document.pool(Word::PoolId, event.pool)
    }

    fn frames(&mut self, open: &mut Open, trace: Option<Trace>, uses: Uses) -> io::Result<()> {
        let Some(trace) = trace else { return Ok(()) };
        self.document.emitter.item(open);
        self.document.emitter.word(Word::Frames)?;
        if let Some((call, memo)) = self.last
            && call == trace.call
        {
            return self.document.emitter.get(memo);
        }
        let memo = self.document.list_of(self.device, trace, uses)?;
        self.last = memo.map(|memo| (trace.call, memo));
        Ok(())
    }
}

impl Observer for Entries<'_, '_> {
    fn begin(&mut self, _: Totals, _: &Blocks) {}

    fn event(&mut self, event: &Event, totals: Totals, blocks: &Blocks) -> io::Result<()> {
        self.seen += 1;
        if self.seen <= self.dropped {
            return Ok(());
        }
        self.samples.after((self.seen - self.dropped) as i64 - 1, totals, blocks);
        self.hold(Some(*event))
    }
}
