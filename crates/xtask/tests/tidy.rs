//! What a reviewer should not have to say.

use std::path::{Path, PathBuf};
use std::process::Command;

/// No source file is longer, in lines.
const LONGEST: usize = 800;

/// Files that may be longer, each with its reason.
const MAY_BE_LONG: &[(&str, &str)] = &[
    ("Cargo.lock", "written by cargo"),
    ("ui/package-lock.json", "written by npm"),
    ("LICENSE", "not ours to cut"),
    ("ui/src/wire/bindings.ts", "written by cargo xtask wire"),
];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

/// Files that are text.
const TEXT: &[&str] = &[
    "rs", "ts", "svelte", "css", "html", "js", "json", "jsonl", "md", "toml", "yml", "yaml", "svg",
    "lock", "txt", "snap",
];

struct File {
    /// From the top of the repository, with `/`.
    name: String,
    text: String,
}

impl File {
    fn is(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.name).extension().and_then(|text| text.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    }
}

#[test]
fn no_file_is_too_long() {
    let limited = |file: &&File| !MAY_BE_LONG.iter().any(|(name, _)| file.name == *name);
    let source = ["rs", "ts", "svelte", "css", "md", "js", "html"];
    let files = files();
    refuse(files.iter().filter(limited).filter(|file| file.is(&source)).filter_map(|file| {
        let lines = file.text.lines().count();
        (lines > LONGEST).then(|| format!("{}: {lines} lines, {LONGEST} at most", file.name))
    }));
}

#[test]
fn every_file_ends_with_one_newline() {
    // Recorded text, such as an empty snapshot, is as it was recorded.
    let written = |file: &&File| !file.name.starts_with("tests/data/") && !file.is(&["snap"]);
    refuse(files().iter().filter(written).filter_map(|file| {
        let ends = file.text.ends_with('\n') && !file.text.ends_with("\n\n");
        (!ends).then(|| format!("{} does not end with one newline", file.name))
    }));
}

#[test]
fn no_file_has_an_empty_name() {
    refuse(files().iter().filter_map(|file| {
        let empty = |part: &str| EMPTY_NAMES.contains(&part.split('.').next().unwrap_or(part));
        file.name.split('/').any(empty).then(|| format!("{}: name what is inside", file.name))
    }));
}

#[test]
fn nothing_is_left_to_do_without_an_issue() {
    // Put together here, so that this file does not find itself.
    let words = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"]].map(|halves| halves.concat());
    let macros = ["todo", "unimplemented", "dbg"].map(|name| format!("{name}!("));
    let files = files();
    refuse(files.iter().filter(|file| file.is(&["rs", "ts", "svelte", "css"])).flat_map(|file| {
        file.text.lines().enumerate().filter_map(|(row, line)| {
            let open = words.iter().any(|word| has_word(line, word) && !line.contains("(#"));
            let left = macros.iter().any(|name| line.contains(name.as_str()));
            (open || left).then(|| format!("{}:{}: {}", file.name, row + 1, line.trim()))
        })
    }));
}

#[test]
fn no_file_names_a_folder_of_one_machine() {
    // Put together here, so that this file does not find itself.
    let folders = ["work", "home", "Users", "root"].map(|folder| format!("/{folder}/"));
    let quoted = |line: &str, folder: &str| {
        ['"', ' ', '\'', '`', '(', '=']
            .iter()
            .any(|before| line.contains(&format!("{before}{folder}")))
    };
    let checked = |file: &&File| {
        !file.name.starts_with("tests/data/")
            && file.is(&["toml", "json", "md", "yml", "js"])
            && !file.name.ends_with("package-lock.json")
    };
    refuse(files().iter().filter(checked).flat_map(|file| {
        file.text.lines().enumerate().filter_map(|(row, line)| {
            let found = folders.iter().any(|folder| quoted(line, folder));
            found.then(|| format!("{}:{}: {}", file.name, row + 1, line.trim()))
        })
    }));
}

#[test]
fn links_in_documents_lead_somewhere() {
    let files = files();
    refuse(files.iter().filter(|file| file.is(&["md"])).flat_map(|file| {
        let folder = top().join(&file.name);
        let folder = folder.parent().expect("a file is in a folder").to_path_buf();
        links(&file.text).into_iter().filter_map(move |link| {
            let path = link.split('#').next().unwrap_or_default();
            let outside = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
            let found = outside || folder.join(path).exists();
            (!found).then(|| format!("{}: no {link}", file.name))
        })
    }));
}

#[test]
fn paths_named_in_documents_exist() {
    let files = files();
    // A changelog names what was, and records name what was decided about then.
    let current = |file: &&File| {
        file.is(&["md"]) && file.name != "CHANGELOG.md" && !file.name.contains("/decisions/")
    };
    refuse(files.iter().filter(current).flat_map(|file| {
        paths(&file.text).into_iter().filter_map(|path| {
            let beside = top().join(&file.name).with_file_name(&path);
            let found = top().join(&path).exists() || beside.exists();
            (!found).then(|| format!("{}: no {path}", file.name))
        })
    }));
}

#[test]
fn only_the_wire_of_the_page_names_tauri() {
    const HOMES: &[&str] = &["ui/src/wire/tauri.ts", "ui/src/wire/bindings.ts"];
    let page = |file: &&File| file.name.starts_with("ui/src/") && file.is(&["ts", "svelte"]);
    refuse(files().iter().filter(page).filter_map(|file| {
        let named = file.text.contains("@tauri-apps/") && !HOMES.contains(&file.name.as_str());
        named.then(|| format!("{} names @tauri-apps", file.name))
    }));
}

#[test]
fn every_member_takes_the_lints_of_the_workspace() {
    let files = files();
    let manifests = files.iter().filter(|file| file.name.ends_with("Cargo.toml"));
    refuse(manifests.filter(|file| !file.name.starts_with("fuzz/")).filter_map(|file| {
        let takes = file.text.contains("[lints]\nworkspace = true");
        (!takes).then(|| format!("{} lacks `[lints] workspace = true`", file.name))
    }));
}

/// Fails with one line for each thing found.
fn refuse(found: impl Iterator<Item = String>) {
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text files git knows, without those that were deleted.
fn files() -> Vec<File> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(top())
        .output()
        .expect("git starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).expect("names in Unicode");
    let files = names.split_terminator('\0').map(str::to_owned).filter_map(|name| {
        let text = std::fs::read_to_string(top().join(&name)).ok()?;
        Some(File { name, text })
    });
    let files: Vec<_> = files.filter(|file| file.is(TEXT)).collect();
    assert!(!files.is_empty(), "git lists no file");
    files
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|letter: char| !letter.is_alphanumeric()).any(|found| found == word)
}

/// The targets of the links and pictures of a Markdown text, outside code.
fn links(text: &str) -> Vec<String> {
    prose(text)
        .flat_map(|line| line.split("](").skip(1).map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|rest| rest.split([')', ' ']).next().map(str::to_owned))
        .collect()
}

/// What stands between backticks and looks like a path into the repository.
fn paths(text: &str) -> Vec<String> {
    const FOLDERS: &[&str] = &["crates/", "src-tauri/", "ui/", "tests/", "docs/", "fuzz/", ".ci/"];
    let code = prose(text)
        .flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
    code.filter(|code| FOLDERS.iter().any(|folder| code.starts_with(folder)))
        // Of a pattern (`docs/formats/NAME.md`, `crates/*`), only the folder must exist.
        .map(|code| {
            let fixed = |part: &&str| {
                let pattern = part.contains(['*', '<', '{', '…', ' ']);
                let upper = part.split('.').next().unwrap_or_default();
                let placeholder = upper.len() > 1 && upper.chars().all(char::is_uppercase);
                !pattern && (!placeholder || upper == "README")
            };
            code.split('/').take_while(fixed).collect::<Vec<_>>().join("/")
        })
        .collect()
}

/// The lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}
