//! `tidemark manual`: the manual pages, for those who make packages.

use anyhow::Context;
use clap::CommandFactory;

use crate::Exit;
use crate::arguments::{Arguments, Manual};

/// Writes a page for the program, and one for each command.
pub(crate) fn run(arguments: &Manual) -> anyhow::Result<Exit> {
    let folder = &arguments.folder;
    clap_mangen::generate_to(Arguments::command(), folder)
        .with_context(|| format!("cannot write the manual to {}", folder.display()))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let folder = std::env::temp_dir().join(format!("tidemark-manual-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert_eq!(run(&Manual { folder: folder.clone() }).unwrap(), Exit::Done);
        let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(page("tidemark.1").contains("Look into recordings"));
        assert!(page("tidemark-info.1").contains("rank*.pickle"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
