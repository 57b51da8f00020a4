//! Python's calls as the collector sees them between `tracer.start()` and `tracer.stop()`.

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::Result;

use crate::memscope::files::Files;
use crate::memscope::row::{Place, Slice};
use crate::memscope::truth::ThreadTruth;

/// What is written of the traces of one process.
pub(crate) struct Tracer {
    process: u32,
    device: Place,
    records: bool,
    threads: BTreeMap<u32, Thread>,
}

#[derive(Default)]
struct Thread {
    stack: Vec<Call>,
    truth: ThreadTruth,
}

struct Call {
    name: Rc<str>,
    start_ns: u64,
    /// Called before the start: written at the start, and not when it returns.
    is_old: bool,
    /// How deep the calls inside of it were that have returned.
    inner: u64,
}

impl Tracer {
    pub(crate) fn new(process: u32, device: Place) -> Self {
        Self { process, device, records: true, threads: BTreeMap::new() }
    }

    /// The same, but nothing is written.
    pub(crate) fn silent(self) -> Self {
        Self { records: false, ..self }
    }

    /// A call that is open when the tracer starts.
    pub(crate) fn was_open(
        &mut self,
        files: &mut Files,
        thread: u32,
        name: &str,
        start_ns: u64,
    ) -> Result<()> {
        let of = self.threads.entry(thread).or_default();
        of.stack.push(Call { name: name.into(), start_ns, is_old: true, inner: 0 });
        of.truth.open += 1;
        self.write(files, thread, &format!("start: {name}"), (Some(start_ns), None))
    }

    /// A return whose call was before the start.
    pub(crate) fn returned(
        &mut self,
        files: &mut Files,
        thread: u32,
        name: &str,
        end_ns: u64,
    ) -> Result<()> {
        self.threads.entry(thread).or_default().truth.open += 1;
        self.write(files, thread, name, (None, Some(end_ns)))
    }

    pub(crate) fn enter(&mut self, thread: u32, name: impl Into<Rc<str>>, start_ns: u64) {
        let of = self.threads.entry(thread).or_default();
        of.stack.push(Call { name: name.into(), start_ns, is_old: false, inner: 0 });
    }

    pub(crate) fn leave(&mut self, files: &mut Files, thread: u32, end_ns: u64) -> Result<()> {
        let of = self.threads.entry(thread).or_default();
        let Some(call) = of.stack.pop() else { return Ok(()) };
        of.truth.slices += 1;
        let depth = call.inner + 1;
        of.truth.max_depth = of.truth.max_depth.max(depth);
        if let Some(outer) = of.stack.last_mut() {
            outer.inner = outer.inner.max(depth);
        }
        self.write(files, thread, &call.name, (Some(call.start_ns), Some(end_ns)))
    }

    /// The tracer stops: calls from before the start are written once more, others for the first time.
    pub(crate) fn stop(&mut self, files: &mut Files, end_ns: u64) -> Result<()> {
        for (thread, mut of) in std::mem::take(&mut self.threads) {
            for call in of.stack.drain(..).rev() {
                of.truth.open += 1;
                let name = format!("stop: {}", call.name);
                let times =
                    if call.is_old { (None, Some(end_ns)) } else { (Some(call.start_ns), None) };
                self.write(files, thread, &name, times)?;
            }
            self.threads.insert(thread, of);
        }
        Ok(())
    }

    /// The calls that are open, innermost first, as a call stack has them: without modules and C functions.
    pub(crate) fn python_stack(&self, thread: u32) -> String {
        let stack = self.threads.get(&thread).map_or(&[][..], |of| &of.stack);
        let is_frame = |name: &str| name.starts_with('/');
        let frames = stack.iter().rev().map(|call| &call.name).filter(|name| is_frame(name));
        let mut text = String::new();
        for frame in frames {
            text.push_str(frame);
            text.push('\n');
        }
        if text.is_empty() { "NA".to_owned() } else { text }
    }

    pub(crate) fn finish(self) -> Vec<ThreadTruth> {
        if !self.records {
            return Vec::new();
        }
        let process = self.process;
        let truths = self.threads.into_iter().map(|(thread, of)| ThreadTruth {
            process,
            thread,
            ..of.truth
        });
        truths.collect()
    }

    fn write(
        &self,
        files: &mut Files,
        thread: u32,
        name: &str,
        (start_ns, end_ns): (Option<u64>, Option<u64>),
    ) -> Result<()> {
        if !self.records {
            return Ok(());
        }
        let slice = Slice { name, start_ns, end_ns, thread, process: self.process };
        files.slice(&slice, self.device)
    }
}
