//! The files of a run, and which row goes into which.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::memscope::csv::Csv;
use crate::memscope::database::Database;
use crate::memscope::generation::{Host, Style};
use crate::memscope::plan::{Dump, Format, Scope};
use crate::memscope::row::{Place, Row, Slice};
use crate::memscope::truth::{FileTruth, Truth};

/// All files of a run.
pub(crate) struct Files {
    plan: Dump,
    style: Style,
    path: PathBuf,
    open: BTreeMap<Key, Output>,
    span: Option<(u64, u64)>,
    events: BTreeMap<String, u64>,
}

/// Process and place; none for the only file.
type Key = Option<(u32, Place)>;

struct Output {
    name: String,
    kind: Kind,
    rows: u64,
    trace_rows: u64,
}

enum Kind {
    Database(Box<Database>),
    Csv(Box<Csv>),
}

impl Files {
    pub(crate) fn new(plan: &Dump, path: &Path) -> Self {
        Self {
            plan: plan.clone(),
            style: plan.generation.style(),
            path: path.to_owned(),
            open: BTreeMap::new(),
            span: None,
            events: BTreeMap::new(),
        }
    }

    pub(crate) fn plan(&self) -> &Dump {
        &self.plan
    }

    pub(crate) fn style(&self) -> &Style {
        &self.style
    }

    /// Writes a row to the file of its process and device.
    pub(crate) fn row(&mut self, row: &Row<'_>) -> Result<()> {
        let key = self.key(row.process, row.place);
        self.see(row.time_ns);
        count(&mut self.events, row.event);
        self.output(key)?.row(row)
    }

    /// Writes a row that has no device to every file of its process.
    pub(crate) fn row_to_all(&mut self, row: &Row<'_>) -> Result<()> {
        self.see(row.time_ns);
        let own = |key: &Key| key.is_none_or(|(process, _)| process == row.process);
        if !self.open.keys().any(own) {
            let key = self.key(row.process, Place::Device(0));
            self.output(key)?;
        }
        for (_, output) in self.open.iter_mut().filter(|(key, _)| own(key)) {
            count(&mut self.events, row.event);
            output.row(row)?;
        }
        Ok(())
    }

    /// Makes sure that there is a place for the traces of `process`.
    pub(crate) fn trace(&mut self, process: u32, device: Place) -> Result<()> {
        let key = self.key(process, device);
        match &mut self.output(key)?.kind {
            Kind::Database(database) => database.trace(process),
            Kind::Csv(_) => Ok(()),
        }
    }

    /// Writes a row of a trace to the file of its process and `device`.
    pub(crate) fn slice(&mut self, slice: &Slice<'_>, device: Place) -> Result<()> {
        for time_ns in [slice.start_ns, slice.end_ns].into_iter().flatten() {
            self.see(time_ns);
        }
        let key = self.key(slice.process, device);
        let output = self.output(key)?;
        output.trace_rows += 1;
        match &mut output.kind {
            Kind::Database(database) => database.slice(slice),
            Kind::Csv(csv) => csv.slice(slice),
        }
    }

    /// Closes the files and says what they hold.
    pub(crate) fn finish(self, truth: &mut Truth) -> Result<()> {
        (truth.zero_ns, truth.end_ns) = self.span.unwrap_or_default();
        truth.events = self.events;
        for output in self.open.into_values() {
            match output.kind {
                Kind::Database(database) => database.finish()?,
                Kind::Csv(csv) => csv.finish()?,
            }
            truth.rows += output.rows;
            truth.files.push(FileTruth {
                name: output.name,
                rows: output.rows,
                trace_rows: output.trace_rows,
            });
        }
        Ok(())
    }

    fn see(&mut self, time_ns: u64) {
        let (first, last) = self.span.unwrap_or((time_ns, time_ns));
        self.span = Some((first.min(time_ns), last.max(time_ns)));
    }

    fn key(&self, process: u32, place: Place) -> Key {
        (self.plan.scope() == Scope::FilePerDevice).then_some((process, place))
    }

    fn output(&mut self, key: Key) -> Result<&mut Output> {
        if !self.open.contains_key(&key) {
            let output = self.create(key)?;
            self.open.insert(key, output);
        }
        self.open.get_mut(&key).context("a file that was just opened")
    }

    fn create(&self, key: Key) -> Result<Output> {
        let name = key.map_or(String::new(), |(process, device)| {
            format!(
                "msmemscope_{process}_{}_ascend/device_{}/dump/{}",
                self.style.date,
                place(device, &self.style),
                self.plan.file_name()
            )
        });
        let path = if name.is_empty() { self.path.clone() } else { self.path.join(&name) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let traced = key.is_none_or(|(_, place)| matches!(place, Place::Device(_)));
        let kind = match self.plan.format {
            Format::Database => Kind::Database(Box::new(Database::create(&path, &self.plan)?)),
            Format::Csv => {
                let mut csv = Csv::create(&path, self.style)?;
                if traced && self.plan.is_traced() {
                    csv.trace(&path)?;
                }
                Kind::Csv(Box::new(csv))
            }
        };
        Ok(Output { name, kind, rows: 0, trace_rows: 0 })
    }
}

impl Output {
    fn row(&mut self, row: &Row<'_>) -> Result<()> {
        self.rows += 1;
        match &mut self.kind {
            Kind::Database(database) => database.row(row),
            Kind::Csv(csv) => csv.row(row),
        }
    }
}

fn count(events: &mut BTreeMap<String, u64>, event: &str) {
    if let Some(count) = events.get_mut(event) {
        *count += 1;
    } else {
        events.insert(event.to_owned(), 1);
    }
}

/// A place as the column `Device Id` has it.
pub(crate) fn place(place: Place, style: &Style) -> Cow<'static, str> {
    match place {
        Place::Device(device) => Cow::Owned(device.to_string()),
        Place::Host if style.host == Host::Hal => Cow::Borrowed("host"),
        Place::Host => Cow::Borrowed("cpu"),
        Place::Nowhere => Cow::Borrowed("N/A"),
    }
}

/// A time as this version writes it.
pub(crate) fn time(ns: u64, style: &Style) -> u64 {
    if style.microseconds { ns / 1000 } else { ns }
}
