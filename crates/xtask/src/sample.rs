//! `cargo xtask sample`: generated recordings with true answers.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder};
use sample::{Plan, Rounding, Writer};

use crate::command::root;

pub(crate) mod memscope;

/// Where the recording stands that ships with the app.
pub(crate) const BUNDLED: &str = "assets/sample.pickle.gz";

/// What to generate.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Arguments {
    /// How many events.
    #[arg(long, default_value_t = 10_000)]
    events: u64,
    /// Another seed gives another run of the same shape.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An Ascend NPU's rounding and keys instead of CUDA's.
    #[arg(long)]
    npu: bool,
    /// Pickled by torch's C++ writer instead of `CPython`.
    #[arg(long)]
    cpp: bool,
    /// Pickle protocol of the `CPython` writer, 2 to 5.
    #[arg(long, default_value_t = 4)]
    protocol: u8,
    /// Expandable segments.
    #[arg(long)]
    expandable: bool,
    /// Everything that can happen in a run: a private pool, out of memory, frees pending at the end.
    #[arg(long)]
    all: bool,
    /// Keep only the newest N events of each device, as a full ring does.
    #[arg(long, value_name = "N")]
    ring: Option<u64>,
    /// How many devices.
    #[arg(long, default_value_t = 1)]
    devices: u32,
    /// Names of functions, files and ranges that are markup.
    #[arg(long)]
    markup: bool,
    #[command(flatten)]
    memscope: memscope::Arguments,
    /// The file, `target/sample.pickle` if not said otherwise; its truth is written beside it.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write the recordings that ship with the app, in `assets/`, and nothing else.
    #[arg(long, exclusive = true)]
    bundled: bool,
}

impl Arguments {
    fn plan(&self) -> Plan {
        let mut plan = Plan::new(self.events);
        plan.seed = self.seed;
        plan.protocol = self.protocol;
        if self.npu {
            plan.device = Rounding::Npu;
            plan.features.workspaces = self.all;
        }
        if self.cpp {
            plan.writer = Writer::Cpp;
        }
        plan.features.expandable = self.expandable;
        plan.features.private_pool = self.all;
        plan.features.oom = self.all;
        plan.features.pending_at_end = self.all;
        plan.features.ring = self.ring;
        plan.features.devices = self.devices;
        plan.features.markup = self.markup;
        plan
    }
}

/// Writes what was asked for.
pub(crate) fn sample(arguments: &Arguments) -> Result<()> {
    if arguments.bundled {
        bundled(&root().join(BUNDLED))?;
        return memscope::write_bundled();
    }
    let out = arguments.out.as_deref();
    if arguments.memscope.memscope {
        return arguments.memscope.write(arguments.events, arguments.seed, out);
    }
    let out = out.unwrap_or(Path::new("target/sample.pickle"));
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let truth = sample::write_files(&arguments.plan(), out)?;
    println!("{}: {} events, {} bytes", out.display(), truth.events, truth.bytes);
    Ok(())
}

/// Writes the bundled sample to `path`, compressed; the same bytes every time.
pub(crate) fn bundled(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file in a folder")?)?;
    let file = BufWriter::new(File::create(path)?);
    let mut out = GzBuilder::new().mtime(0).write(file, Compression::best());
    let truth = sample::write(&sample::bundled(), &mut out)?;
    out.finish()?.flush()?;
    let bytes = std::fs::metadata(path)?.len();
    ensure!(bytes < 3 << 20, "{} is too large to commit: {bytes} bytes", path.display());
    println!("{}: {} events, {bytes} bytes", path.display(), truth.events);
    Ok(())
}
