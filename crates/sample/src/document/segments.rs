//! The segments and blocks at the end of the recording.

use std::io;

use super::Document;
use crate::allocator::{self, Allocator, Block, Origin, State};
use crate::event::Trace;
use crate::pickle::emitter::{FALSE, Kind, Open, TRUE, Uses};
use crate::pickle::words::Word;
use crate::plan::Writer;

impl Document<'_> {
    /// `segments`, of all devices.
    pub(crate) fn segments(&mut self, devices: &[&Allocator], extra: &[Block]) -> io::Result<()> {
        let heads: Vec<_> = devices.iter().map(|device| device.blocks.segments()).collect();
        let count = heads.iter().map(Vec::len).sum::<usize>() + extra.len();
        let mut list = self.emitter.open(Kind::List, count)?;
        for (index, (device, heads)) in devices.iter().zip(&heads).enumerate() {
            for &head in heads {
                self.emitter.item(&mut list);
                let run: Vec<_> = device.blocks.run(head).copied().collect();
                self.segment(index as u32, &run)?;
            }
            if index == 0 {
                for block in extra {
                    self.emitter.item(&mut list);
                    self.segment(0, std::slice::from_ref(block))?;
                }
            }
        }
        self.emitter.close(list, Uses::Once);
        Ok(())
    }

    fn segment(&mut self, device: u32, run: &[Block]) -> io::Result<()> {
        let head = run[0];
        let sum = |of: fn(&Block) -> u64| run.iter().map(of).sum();
        let mut open = self.emitter.open(Kind::Dict, 12)?;
        let numbers = [
            (Word::Device, u64::from(device)),
            (Word::Address, head.address),
            (Word::TotalSize, sum(|block| block.size)),
            (
                Word::AllocatedSize,
                sum(|block| if block.state == State::Allocated { block.size } else { 0 }),
            ),
            (Word::ActiveSize, sum(|block| if block.is_active() { block.size } else { 0 })),
            (Word::RequestedSize, sum(|block| if block.is_active() { block.requested } else { 0 })),
            (Word::Stream, head.stream),
        ];
        for (key, number) in numbers {
            self.emitter.item(&mut open);
            self.int(key, number)?;
        }
        self.emitter.item(&mut open);
        let kind = if head.kind == allocator::Kind::Small { Word::Small } else { Word::Large };
        self.word(Word::SegmentType, kind)?;
        self.emitter.item(&mut open);
        self.pool(Word::SegmentPoolId, head.pool)?;
        self.emitter.item(&mut open);
        self.emitter.word(Word::IsExpandable)?;
        self.emitter.constant(if head.origin == Origin::Whole { FALSE } else { TRUE })?;
        // Python gets the frames after the dict is made, when there are any.
        if head.segment_trace.is_some() && self.emitter.writer() == Writer::CPython {
            self.blocks(&mut open, device, run)?;
            self.final_frames(&mut open, device, head.segment_trace)?;
        } else {
            self.final_frames(&mut open, device, head.segment_trace)?;
            self.blocks(&mut open, device, run)?;
        }
        self.emitter.close(open, Uses::Once);
        Ok(())
    }

    fn blocks(&mut self, segment: &mut Open, device: u32, run: &[Block]) -> io::Result<()> {
        self.emitter.item(segment);
        self.emitter.word(Word::Blocks)?;
        let mut list = self.emitter.open(Kind::List, run.len())?;
        for block in run {
            self.emitter.item(&mut list);
            let mut open = self.emitter.open(Kind::Dict, 5)?;
            self.emitter.item(&mut open);
            self.int(Word::Address, block.address)?;
            self.emitter.item(&mut open);
            self.int(Word::Size, block.size)?;
            self.emitter.item(&mut open);
            self.int(Word::RequestedSize, block.requested)?;
            self.emitter.item(&mut open);
            let state = match block.state {
                State::Allocated => Word::ActiveAllocated,
                State::Pending => Word::ActivePendingFree,
                State::Inactive | State::Vacant => Word::Inactive,
            };
            self.word(Word::State, state)?;
            self.final_frames(&mut open, device, block.trace)?;
            self.emitter.close(open, Uses::Once);
        }
        self.emitter.close(list, Uses::Once);
        Ok(())
    }

    /// The frames of a segment or block; without any, one empty list serves all.
    fn final_frames(
        &mut self,
        open: &mut Open,
        device: u32,
        trace: Option<Trace>,
    ) -> io::Result<()> {
        self.emitter.item(open);
        self.emitter.word(Word::Frames)?;
        let Some(trace) = trace else {
            if let Some(memo) = self.no_frames {
                return self.emitter.get(memo);
            }
            let empty = self.emitter.open(Kind::List, 0)?;
            self.no_frames = self.emitter.close(empty, Uses::Again);
            return Ok(());
        };
        // The call's events come later and refer to this list.
        if let Some(memo) = self.list_of(device, trace, Uses::Again)? {
            self.shared.insert((device, trace.call), memo);
        }
        Ok(())
    }
}
