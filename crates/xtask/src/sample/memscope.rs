//! `cargo xtask sample --memscope`: generated dumps of `msMemScope`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sample::memscope::{
    Dump, Format, Generation, Kept, Oddities, Scope, Stacks, Truth, bundled as plan_of_bundled,
    shape,
};

use crate::command::root;

/// Where the dump stands that ships with the app.
pub(crate) const BUNDLED: &str = "assets/memscope_sample.db";

/// What to generate.
#[derive(clap::Args)]
#[group(skip)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    /// A dump of `msMemScope` instead of a snapshot. `--events` is about how many rows.
    #[arg(long, conflicts_with_all = ["npu", "cpp", "protocol", "expandable", "all", "ring", "devices", "markup"])]
    pub(super) memscope: bool,
    /// Not a simulated run: a dump put together to have the sums of a well-known one.
    #[arg(long, requires = "memscope", conflicts_with_all = ["steps", "layers", "csv", "folder", "stacks", "allocations", "odd"])]
    shape: bool,
    /// Training steps, instead of as many as it takes for the events.
    #[arg(long, requires = "memscope")]
    steps: Option<u32>,
    /// Convolutions of the network.
    #[arg(long, requires = "memscope")]
    layers: Option<u32>,
    /// How many processes.
    #[arg(long, requires = "memscope", default_value_t = 1)]
    processes: u32,
    /// The version of the collector.
    #[arg(long, requires = "memscope", default_value = "may-2026", value_parser = generation)]
    generation: Generation,
    /// Text instead of a database.
    #[arg(long, requires = "memscope")]
    csv: bool,
    /// A folder with a file for each process and device.
    #[arg(long, requires = "memscope")]
    folder: bool,
    /// With call stacks of Python and C.
    #[arg(long, requires = "memscope")]
    stacks: bool,
    /// Only allocations.
    #[arg(long, requires = "memscope")]
    allocations: bool,
    /// Something out of the ordinary; may be given more than once.
    #[arg(long, requires = "memscope", value_name = "NAME", value_parser = oddity)]
    odd: Vec<&'static str>,
}

fn generation(text: &str) -> Result<Generation, String> {
    let found = Generation::ALL.into_iter().find(|generation| generation.name() == text);
    found.ok_or_else(|| format!("one of {}", Generation::ALL.map(Generation::name).join(", ")))
}

fn oddity(text: &str) -> Result<&'static str, String> {
    let found = Oddities::names().find(|name| *name == text);
    found.ok_or_else(|| format!("one of {}", Oddities::names().collect::<Vec<_>>().join(", ")))
}

impl Arguments {
    fn plan(&self, events: u64, seed: u64) -> Dump {
        let sized = Dump::of_rows(events / u64::from(self.processes.max(1)));
        let oddities = self.odd.iter().try_fold(Oddities::default(), |odd, name| odd.and(name));
        Dump {
            seed,
            steps: self.steps.unwrap_or(sized.steps),
            layers: self.layers.unwrap_or(sized.layers),
            processes: self.processes,
            generation: self.generation,
            format: if self.csv { Format::Csv } else { Format::Database },
            scope: if self.folder { Scope::FilePerDevice } else { Scope::OneFile },
            stacks: if self.stacks { Stacks::Both } else { Stacks::None },
            kept: if self.allocations { Kept::Allocations } else { Kept::All },
            oddities: oddities.unwrap_or_default(),
            ..sized
        }
    }

    /// Writes what was asked for to `out`, or under the collector's own name.
    pub(super) fn write(&self, events: u64, seed: u64, out: Option<&Path>) -> Result<()> {
        if self.shape {
            let path = out.unwrap_or(Path::new("target/leaks_dump_20250806104123.db"));
            let truth = shape::write_files(path)?;
            say(path, &truth);
            return Ok(());
        }
        let plan = self.plan(events, seed);
        let path: PathBuf = match out {
            Some(path) => path.to_owned(),
            None if self.folder => "target/memscope".into(),
            None => Path::new("target").join(plan.file_name()),
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        say(&path, &plan.write_files(&path)?);
        Ok(())
    }
}

/// Writes the bundled dump to `path`; the same bytes every time.
pub(crate) fn bundled(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file in a folder")?)?;
    let truth = plan_of_bundled().write(path)?;
    let bytes = std::fs::metadata(path)?.len();
    ensure!(bytes < 1 << 20, "{} is too large to commit: {bytes} bytes", path.display());
    say(path, &truth);
    Ok(())
}

/// What is true about the bundled dump.
pub(crate) fn truth_of_bundled() -> Result<Truth> {
    let folder = tempfile::tempdir()?;
    plan_of_bundled().write(&folder.path().join("dump.db"))
}

/// Writes the dump that ships with the app.
pub(super) fn write_bundled() -> Result<()> {
    bundled(&root().join(BUNDLED))
}

fn say(path: &Path, truth: &Truth) {
    let traced: u64 = truth.files.iter().map(|file| file.trace_rows).sum();
    println!("{}: {} rows, {traced} of traces", path.display(), truth.rows);
}
