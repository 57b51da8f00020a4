//! The dump as text: `Attr` is the collector's inner text, not JSON.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::memscope::attr::write_address;
use crate::memscope::files::{place, time};
use crate::memscope::generation::Style;
use crate::memscope::row::{Row, Slice};

const HEADER: &str = "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,\
                      Call Stack(Python),Call Stack(C)\n";
const TRACE_HEADER: &str = "FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\n";

/// A dump and the trace beside it.
pub(crate) struct Csv {
    style: Style,
    dump: BufWriter<File>,
    trace: Option<BufWriter<File>>,
    line: String,
}

impl Csv {
    /// Begins a dump.
    pub(crate) fn create(path: &Path, style: Style) -> Result<Self> {
        Ok(Self { style, dump: create(path, HEADER)?, trace: None, line: String::new() })
    }

    /// Begins a trace beside the dump at `path`.
    pub(crate) fn trace(&mut self, path: &Path) -> Result<()> {
        let trace = path.with_file_name(format!("python_trace_{}.csv", self.style.date));
        self.trace = Some(create(&trace, TRACE_HEADER)?);
        Ok(())
    }

    pub(crate) fn row(&mut self, row: &Row<'_>) -> Result<()> {
        let Self { line, style, .. } = self;
        line.clear();
        cell(line, &row.id.to_string());
        for text in [row.event, row.kind, row.name, &time(row.time_ns, style).to_string()] {
            cell(line, text);
        }
        for number in [row.process, row.thread] {
            cell(line, &number.to_string());
        }
        cell(line, &place(row.place, style));
        match row.pointer {
            Some(address) => write_address(line, address, style),
            None => line.push_str("N/A"),
        }
        line.push(',');
        let inner = row.attr.inner();
        if !inner.is_empty() {
            line.push_str("\"{");
            line.push_str(inner);
            line.push_str("}\"");
        }
        line.push(',');
        quoted(line, row.python);
        line.push(',');
        quoted(line, row.c);
        line.push('\n');
        self.dump.write_all(line.as_bytes())?;
        Ok(())
    }

    pub(crate) fn slice(&mut self, slice: &Slice<'_>) -> Result<()> {
        let Some(trace) = &mut self.trace else { return Ok(()) };
        let time = |ns: Option<u64>| ns.map_or("N/A".to_owned(), |ns| ns.to_string());
        let (start, end) = (time(slice.start_ns), time(slice.end_ns));
        writeln!(trace, "{},{start},{end},{},{}", slice.name, slice.thread, slice.process)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.dump.flush()?;
        if let Some(trace) = &mut self.trace {
            trace.flush()?;
        }
        Ok(())
    }
}

fn create(path: &Path, header: &str) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::new(file);
    out.write_all(header.as_bytes())?;
    Ok(out)
}

/// The collector quotes nothing but stacks and `Attr`; names with literal quotes are quoted by them.
fn cell(line: &mut String, text: &str) {
    line.push_str(text);
    line.push(',');
}

fn quoted(line: &mut String, stack: &str) {
    if !stack.is_empty() {
        line.push('"');
        line.push_str(stack.trim_matches('"'));
        line.push('"');
    }
}
