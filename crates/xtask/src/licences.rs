//! Under which licences the programs' parts are: the list the About box and the packages show.
//!
//! Crates come from cargo, for all systems we build for; packages of the page from its build, which
//! says whose code is in it. What may be there at all is in `deny.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use spdx::{Expression, Licensee, ParseMode};

use crate::command::{cargo, output, root};
use crate::page;

/// Where the list is; the page takes it from there.
const FILE: &str = "ui/src/wire/licences.json";

/// The programs whose parts count.
const PROGRAMS: &[&str] = &["tidemark-app", "tidemark-cli"];

/// How files with a licence or a notice begin.
const NAMES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];

/// All parts, with the texts of their licences.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct Licences {
    parts: Vec<Part>,
    /// By the beginning of their sums: many parts share one.
    texts: BTreeMap<String, String>,
}

/// A crate, a package of the page, or a library inside a crate.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Part {
    name: String,
    version: String,
    /// As SPDX writes it.
    licence: String,
    authors: Vec<String>,
    /// Keys of the texts; none when the part brings none.
    texts: Vec<String>,
}

/// Fails when a part may not be there, or when the committed list is not of what is.
pub(crate) fn check() -> Result<()> {
    let fresh = gather()?;
    let committed: Licences = serde_json::from_str(&committed()?)?;
    if fresh == committed {
        println!("licences: {} parts, as listed in {FILE}", fresh.parts.len());
        return Ok(());
    }
    let names = |licences: &Licences| {
        let name = |part: &Part| format!("{} {}", part.name, part.version);
        licences.parts.iter().map(name).collect::<BTreeSet<_>>()
    };
    let (now, then) = (names(&fresh), names(&committed));
    let new: Vec<_> = now.difference(&then).collect();
    let gone: Vec<_> = then.difference(&now).collect();
    bail!("{FILE} is stale (new: {new:?}, gone: {gone:?}): run `cargo xtask licences`")
}

/// Writes the list.
pub(crate) fn write() -> Result<()> {
    page::build()?;
    let licences = gather()?;
    let mut text = serde_json::to_string_pretty(&licences)?;
    text.push('\n');
    std::fs::write(root().join(FILE), text)?;
    println!("{} parts, {} texts in {FILE}", licences.parts.len(), licences.texts.len());
    Ok(())
}

/// The list as a text to be read, for packages.
pub(crate) fn notices() -> Result<String> {
    let licences: Licences = serde_json::from_str(&committed()?)?;
    let mut notices = "Tidemark contains work of others, under these licences.\n\n".to_owned();
    for Part { name, version, licence, authors, .. } in &licences.parts {
        writeln!(notices, "{name} {version}: {licence} {}", authors.join(", "))?;
    }
    for (key, text) in &licences.texts {
        let of = licences.parts.iter().filter(|part| part.texts.contains(key));
        let of: Vec<_> = of.map(|part| format!("{} {}", part.name, part.version)).collect();
        writeln!(notices, "\n{}\n{}\n\n{text}", "=".repeat(80), of.join(", "))?;
    }
    Ok(notices)
}

fn committed() -> Result<String> {
    std::fs::read_to_string(root().join(FILE)).with_context(|| format!("no {FILE}"))
}

fn gather() -> Result<Licences> {
    let rules = std::fs::read_to_string(root().join("deny.toml"))?;
    let rules: toml::Table = toml::from_str(&rules)?;
    let strings = |part: &str, key: &str| -> Result<Vec<String>> {
        let list = rules.get(part).and_then(|part| part.get(key)).and_then(|list| list.as_array());
        let list = list.with_context(|| format!("deny.toml has no list {part}.{key}"))?;
        Ok(list.iter().filter_map(|word| word.as_str()).map(str::to_owned).collect())
    };
    let mut texts = BTreeMap::new();
    let mut parts = BTreeSet::new();
    for target in strings("graph", "targets")? {
        crates(&target, &mut parts, &mut texts)?;
    }
    packages(&strings("licenses", "allow")?, &mut parts, &mut texts)?;
    let own = text_of(&root().join("LICENSE"), &mut texts)?;
    parts.insert(Part {
        name: "Tidemark".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        licence: "Apache-2.0".to_owned(),
        authors: vec!["The Tidemark contributors".to_owned()],
        texts: vec![own],
    });
    parts.insert(Part {
        name: "SQLite".to_owned(),
        version: "in libsqlite3-sys".to_owned(),
        licence: "blessing".to_owned(),
        authors: vec!["D. Richard Hipp and others, who put it into the public domain".to_owned()],
        texts: Vec::new(),
    });
    Ok(Licences { parts: parts.into_iter().collect(), texts })
}

/// What cargo puts into the programs for one system.
fn crates(
    target: &str,
    parts: &mut BTreeSet<Part>,
    texts: &mut BTreeMap<String, String>,
) -> Result<()> {
    let question = ["metadata", "--format-version=1", "--locked", "--filter-platform", target];
    let metadata: Value = serde_json::from_str(&output(&mut cargo(question))?)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let nodes: BTreeMap<_, _> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), list(&node["deps"])))
        .collect();
    let all = list(&metadata["packages"]);
    let is_program = |package: &&Value| PROGRAMS.contains(&text(&package["name"]).as_str());
    let mut open: Vec<_> = all.iter().filter(is_program).map(|one| text(&one["id"])).collect();
    ensure!(open.len() == PROGRAMS.len(), "cargo does not know {PROGRAMS:?}");
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !reached.insert(id.clone()) {
            continue;
        }
        let is_normal =
            |used: &&Value| list(&used["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        open.extend(nodes[&id].iter().filter(is_normal).map(|used| text(&used["pkg"])));
    }
    // Ours have no source.
    let is_theirs = |one: &&Value| reached.contains(&text(&one["id"])) && !one["source"].is_null();
    for package in all.iter().filter(is_theirs) {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().context("a manifest in a folder")?;
        parts.insert(Part {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: text(&package["license"]),
            authors: list(&package["authors"])
                .iter()
                .filter_map(Value::as_str)
                .map(without_address)
                .collect(),
            texts: texts_in(folder, texts)?,
        });
    }
    Ok(())
}

/// The packages whose code the page's build took in; fails when one's licence is not allowed.
fn packages(
    allowed: &[String],
    parts: &mut BTreeSet<Part>,
    texts: &mut BTreeMap<String, String>,
) -> Result<()> {
    let list = std::fs::read_to_string(root().join("ui/dist/packages.json"))?;
    let folders: Vec<String> = serde_json::from_str(&list)?;
    ensure!(!folders.is_empty(), "the page's build lists no packages");
    for folder in folders {
        let folder = root().join("ui").join(folder);
        let manifest = std::fs::read_to_string(folder.join("package.json"))
            .with_context(|| format!("no package in {}", folder.display()))?;
        let manifest: Value = serde_json::from_str(&manifest)?;
        let name = text(&manifest["name"]);
        let licence = said_or_read(&manifest["license"], &folder);
        let is_allowed = is_allowed(&licence, allowed).with_context(|| format!("of {name}"))?;
        ensure!(is_allowed, "{name} is under {licence:?}: see deny.toml");
        let author = &manifest["author"];
        let author = author.as_str().or_else(|| author["name"].as_str());
        parts.insert(Part {
            name,
            version: text(&manifest["version"]),
            licence,
            authors: author.map(without_address).into_iter().collect(),
            texts: texts_in(&folder, texts)?,
        });
    }
    Ok(())
}

/// The licence a package names; of one that names none but brings the MIT licence, that.
fn said_or_read(named: &Value, folder: &Path) -> String {
    let brought = std::fs::read_to_string(folder.join("LICENSE")).unwrap_or_default();
    match named.as_str() {
        Some(licence) => licence.to_owned(),
        None if brought.starts_with("MIT License\n") => "MIT".to_owned(),
        None => String::new(),
    }
}

/// Whether one of the `allowed` licences is enough for `licence`.
fn is_allowed(licence: &str, allowed: &[String]) -> Result<bool> {
    let expression = Expression::parse_mode(licence, ParseMode::LAX)
        .with_context(|| format!("{licence:?} is no licence"))?;
    let allowed = allowed.iter().map(|one| Licensee::parse(one));
    let allowed = allowed.collect::<Result<Vec<_>, _>>()?;
    Ok(expression.evaluate(|wanted| allowed.iter().any(|one| one.satisfies(wanted))))
}

/// Adds the licences in `folder` to `texts`; returns their keys.
fn texts_in(folder: &Path, texts: &mut BTreeMap<String, String>) -> Result<Vec<String>> {
    let mut keys = BTreeSet::new();
    let folder = std::fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    for entry in folder {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if !path.is_file() || !NAMES.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        keys.insert(text_of(&path, texts)?);
    }
    Ok(keys.into_iter().collect())
}

/// Adds the text at `path`; returns its key.
fn text_of(path: &Path, texts: &mut BTreeMap<String, String>) -> Result<String> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n").trim_matches('\n').to_owned();
    let sum = Sha256::digest(&text);
    let key = sum[..6].iter().fold(String::new(), |key, byte| format!("{key}{byte:02x}"));
    texts.insert(key.clone(), text);
    Ok(key)
}

/// Without the address: `A. Person <a@b.c>` is `A. Person`.
fn without_address(author: &str) -> String {
    author.split_once('<').map_or(author, |(name, _)| name).trim().to_owned()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_licence_of_a_choice_is_enough() {
        let allowed = ["MIT", "Apache-2.0"].map(str::to_owned);
        for (licence, is) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("MIT OR GPL-3.0-only", true),
            ("MIT AND GPL-3.0-only", false),
            ("(MIT AND Apache-2.0)", true),
        ] {
            assert_eq!(is_allowed(licence, &allowed).unwrap(), is, "{licence}");
        }
        assert!(is_allowed("ask me", &allowed).is_err());
    }

    #[test]
    fn an_author_is_named_without_an_address() {
        assert_eq!(without_address("A. Person <a@b.c>"), "A. Person");
        assert_eq!(without_address("A. Person"), "A. Person");
    }
}
