//! Who may depend on whom, as `ARCHITECTURE.md` draws it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Our crates, and which of ours each may use in its product. Adding an edge here is a decision
/// about the architecture.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("job", &[]),
    ("model", &[]),
    ("pickle", &[]),
    ("ingest", &["job", "model", "pickle"]),
    ("index", &["job", "model"]),
    ("layout", &["job", "model", "index"]),
    ("table", &["job", "model"]),
    ("projects", &[]),
    ("store", &["job", "model", "index"]),
    ("session", &["job", "model", "ingest", "index", "layout", "table", "store"]),
    ("wire", &["session"]),
    ("tidemark-cli", &["session", "wire"]),
    ("tidemark-app", &["session", "wire", "projects"]),
    // An oracle: it knows no reader of ours.
    ("sample", &[]),
    ("bench", &["session", "sample"]),
    ("acceptance", &["session", "tidemark-cli", "wire", "sample"]),
    ("xtask", &["sample"]),
];

/// What must not be reachable at all, by any path. `session` does reach `serde` and `serde_json`,
/// because `ingest` reads snapshots that were saved as JSON.
const NEVER_REACHES: &[(&str, &[&str])] = &[
    ("pickle", &["serde", "rayon", "flate2"]),
    ("projects", &["serde", "tauri"]),
    ("session", &["specta", "tauri"]),
    ("tidemark-cli", &["gtk", "tauri", "tao", "webkit2gtk", "wry"]),
    ("tidemark-app", &["hyper", "openssl", "reqwest", "rustls"]),
    ("xtask", &["ingest", "tauri", "tokio"]),
];

/// What only some of our crates may name.
const ONLY: &[(&str, &[&str])] = &[
    ("tauri", &["tidemark-app"]),
    ("tauri-plugin-dialog", &["tidemark-app"]),
    ("tauri-specta", &["tidemark-app"]),
    ("memmap2", &["ingest", "store"]),
    ("arrow-ipc", &["store"]),
];

#[test]
fn crates_depend_only_on_what_they_may() {
    let metadata = metadata();
    let ours = ours(&metadata);
    let mut wrong = Vec::new();
    for (name, uses) in &ours {
        let Some((_, may)) = MAY_DEPEND_ON.iter().find(|(listed, _)| listed == name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        let names = uses.iter().filter(|used| ours.contains_key(*used));
        for used in names.filter(|used| !may.contains(&used.as_str())) {
            wrong.push(format!("{name} may not depend on {used}"));
        }
    }
    for (name, _) in MAY_DEPEND_ON.iter().filter(|(name, _)| !ours.contains_key(*name)) {
        wrong.push(format!("{name} is in the table, but there is no such crate"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_things_are_out_of_reach() {
    let metadata = metadata();
    let graph = Graph::new(&metadata);
    let mut wrong = Vec::new();
    for (from, never) in NEVER_REACHES {
        for (reached, way) in graph.reachable(from) {
            if never.contains(&reached.as_str()) {
                wrong.push(format!("{from} reaches {reached}, through {}", way.join(" → ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_things_have_one_home() {
    let metadata = metadata();
    let mut wrong = Vec::new();
    for (name, uses) in ours(&metadata) {
        for (thing, homes) in ONLY {
            if !homes.contains(&name.as_str()) && uses.contains(*thing) {
                let homes = homes.join(" and ");
                wrong.push(format!("{name} may not name {thing}: only {homes} does"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What cargo knows of the workspace, for this machine's kind.
fn metadata() -> Value {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform", &target])
        .current_dir(top)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// The packages of the workspace with what each names as a normal or build dependency.
fn ours(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: Vec<_> = list(&metadata["workspace_members"]).iter().map(text).collect();
    let packages = list(&metadata["packages"]).iter();
    packages
        .filter(|package| members.contains(&text(&package["id"])))
        .map(|package| {
            let uses = list(&package["dependencies"]).iter().filter(|used| used["kind"] != "dev");
            (text(&package["name"]), uses.map(|used| text(&used["name"])).collect())
        })
        .collect()
}

/// The resolved packages and the normal dependencies between them.
struct Graph {
    names: BTreeMap<String, String>,
    uses: BTreeMap<String, Vec<String>>,
}

impl Graph {
    fn new(metadata: &Value) -> Self {
        let packages = list(&metadata["packages"]).iter();
        let names = packages.map(|package| (text(&package["id"]), text(&package["name"])));
        let nodes = list(&metadata["resolve"]["nodes"]).iter();
        let uses = nodes.map(|node| {
            let normal =
                |used: &&Value| list(&used["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let uses = list(&node["deps"]).iter().filter(normal);
            (text(&node["id"]), uses.map(|used| text(&used["pkg"])).collect())
        });
        Self { names: names.collect(), uses: uses.collect() }
    }

    /// The name of every package reachable from `from`, with the way there.
    fn reachable(&self, from: &str) -> Vec<(String, Vec<String>)> {
        let start = self.names.iter().find(|(_, name)| *name == from);
        let (start, _) = start.unwrap_or_else(|| panic!("no package {from}"));
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![(start.clone(), Vec::new())];
        let mut found = Vec::new();
        while let Some((id, way)) = open.pop() {
            for next in &self.uses[&id] {
                if seen.insert(next.clone()) {
                    let mut way = way.clone();
                    way.push(self.names[next].clone());
                    found.push((self.names[next].clone(), way.clone()));
                    open.push((next.clone(), way));
                }
            }
        }
        found
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
