//! What a page that was taken over could do: nothing that a person did not choose.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use sample::memscope::{Dump, Oddities};
use sample::{Features, MARKUP, Plan};
use serde_json::{Value, json};

use super::Stage;
use super::block::click_traced;
use super::leak::open_parts;
use crate::driver::Window;

const CONTROL: char = '\u{E009}';
const ENTER: char = '\u{E007}';
const ESCAPE: char = '\u{E00C}';

/// Where nobody is.
const ELSEWHERE: &str = "https://elsewhere.invalid";

/// What is tried, how, and what the page hears of it: the directive, and what it was applied to.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    (
        "a script in the page",
        "const it = document.createElement('script');
         it.textContent = 'window.taken = 1';
         document.body.append(it);",
        "script-src-elem inline",
    ),
    (
        "a script in an attribute",
        "const it = document.createElement('div');
         it.innerHTML = '<img src=\"x\" onerror=\"window.taken = 1\">';
         document.body.append(it);",
        "script-src-attr inline",
    ),
    (
        "a script in an address",
        "const it = document.createElement('a');
         it.href = 'javascript:window.taken=1';
         document.body.append(it);
         it.click();",
        "script-src-elem inline",
    ),
    (
        "eval",
        "try { (0, eval)('window.taken = 1'); } catch (error) {
             if (!(error instanceof EvalError)) throw error;
         }",
        "script-src eval",
    ),
    (
        "a function made of text",
        "try { new Function('window.taken = 1')(); } catch (error) {
             if (!(error instanceof EvalError)) throw error;
         }",
        "script-src eval",
    ),
    (
        "a script from elsewhere",
        "const it = document.createElement('script');
         it.src = 'ELSEWHERE/x.js';
         document.body.append(it);",
        "script-src-elem ELSEWHERE/x.js",
    ),
    (
        "a script made in the page",
        "const it = document.createElement('script');
         it.src = URL.createObjectURL(new Blob(['window.taken = 1'], { type: 'text/javascript' }));
         document.body.append(it);",
        "script-src-elem blob",
    ),
    (
        "a worker made in the page",
        "try { new Worker(URL.createObjectURL(new Blob(['0'], { type: 'text/javascript' }))); }
         catch { /* told by the event, too */ }",
        "worker-src blob",
    ),
    (
        "a style in the page",
        "const it = document.createElement('style');
         it.textContent = 'body { opacity: 0 }';
         document.body.append(it);",
        "style-src-elem inline",
    ),
    (
        "a style in an attribute",
        "const it = document.createElement('div');
         it.innerHTML = '<p style=\"opacity: 0\"></p>';
         document.body.append(it);",
        "style-src-attr inline",
    ),
    ("an image from elsewhere", "new Image().src = 'ELSEWHERE/x.png';", "img-src ELSEWHERE/x.png"),
    (
        "a request",
        "fetch('ELSEWHERE/fetch').catch(() => undefined);",
        "connect-src ELSEWHERE/fetch",
    ),
    (
        "a request to this machine",
        "fetch('http://127.0.0.1:9/').catch(() => undefined);",
        "connect-src http://127.0.0.1:9/",
    ),
    (
        "a message",
        "navigator.sendBeacon('ELSEWHERE/beacon', 'text');",
        "connect-src ELSEWHERE/beacon",
    ),
    (
        "a socket",
        "try { new WebSocket('wss://elsewhere.invalid/socket'); }
         catch { /* told by the event, too */ }",
        "connect-src wss://elsewhere.invalid/socket",
    ),
    (
        "a frame",
        "const it = document.createElement('iframe');
         it.src = 'ELSEWHERE/frame';
         document.body.append(it);",
        "frame-src ELSEWHERE",
    ),
    (
        "a form",
        "const it = document.createElement('form');
         it.action = 'ELSEWHERE/form';
         document.body.append(it);
         it.submit();",
        "form-action ELSEWHERE",
    ),
    (
        "another base for addresses",
        "const it = document.createElement('base');
         it.href = 'ELSEWHERE/';
         document.head.append(it);",
        "base-uri ELSEWHERE",
    ),
];

/// Each of [`FORBIDDEN`] is refused, and so are other pages and changes of what all objects inherit.
pub(super) fn refused(stage: &Stage) -> Result<()> {
    let window = stage.start(&[])?;
    window.wait_for("open-button")?;
    window.idle()?;
    window.script(
        "window.heard = [];
         addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
             window.heard.push(`${effectiveDirective} ${blockedURI}`));",
    )?;
    for (what, attempt, told) in FORBIDDEN {
        let attempt = attempt.replace("ELSEWHERE", ELSEWHERE);
        let told = told.replace("ELSEWHERE", ELSEWHERE);
        window.script(&format!("window.heard = []; {attempt}"))?;
        let heard = || {
            let heard = window.script("return window.heard")?;
            let heard = heard.as_array().context("no list")?;
            Ok(heard.iter().filter_map(Value::as_str).any(|one| one.starts_with(&told)))
        };
        window
            .until(&format!("{what} is refused: `{told}`"), heard)
            .with_context(|| format!("heard {:?}", window.script("return window.heard")))?;
    }
    leaves_nowhere(&window)?;
    let inherited = window.script(
        "'use strict';
         try { Object.prototype.polluted = 1; } catch (error) { return error.name; }
         return ({}).polluted ?? null;",
    )?;
    ensure!(inherited == "TypeError", "what all objects inherit was changed: {inherited}");
    nothing_ran(&window)
}

/// The page cannot be left, nor can another window be opened.
fn leaves_nowhere(window: &Window) -> Result<()> {
    let opened = window.script(&format!("return open('{ELSEWHERE}/window') === null"))?;
    ensure!(opened == true, "a window was opened");
    window.script(&format!("location.href = '{ELSEWHERE}/page'"))?;
    // The program tells in its log that it refused.
    window.until("another page is refused", || {
        let told = window.promise("window.__TAURI_INTERNALS__.invoke('diagnostics')")?;
        Ok(told.as_str().is_some_and(|told| told.contains("refused to show a page from elsewhere")))
    })?;
    ensure!(window.shows("open-button")?, "the page is gone");
    Ok(())
}

/// No text became a script or an element.
fn nothing_ran(window: &Window) -> Result<()> {
    let traces = window.script(
        "return { taken: window.taken ?? null,
                  elements: document.querySelectorAll('[data-hostile]').length };",
    )?;
    ensure!(traces == json!({"taken": null, "elements": 0}), "something ran: {traces}");
    Ok(())
}

/// Only what was named at the start is opened, nothing is written, and the system is asked for
/// nothing; what was opened before opens from the list.
pub(super) fn unchosen(stage: &Stage) -> Result<()> {
    let data = tempfile::tempdir()?;
    let chosen = stage.recording(10_000)?;
    let other = stage.files.path().join("unchosen.pickle");
    std::fs::copy(&chosen, &other)?;
    let target = stage.files.path().join("unchosen.csv");
    let window = stage.start_strict(data.path(), &[chosen.to_str().context("Unicode")?])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;

    let opening = |path: &Path| {
        let asked = json!({"request": 900, "path": path, "progress": "__CHANNEL__:900"});
        asked_for(&window, "open", &asked)
    };
    let refusal = opening(&other)?;
    ensure!(refusal["error"]["code"] == "unreadable", "the other file: {refusal}");
    let climbing = chosen.with_file_name("..").join("etc/passwd");
    let refusal = opening(&climbing)?;
    ensure!(refusal["error"]["code"] == "unreadable", "a path that climbs: {refusal}");
    let opened = opening(&chosen)?;
    ensure!(opened["value"]["session"].is_u64(), "the file named at the start: {opened}");

    let writing = json!({"request": 901, "view": 1, "columns": ["id"], "path": target,
                         "progress": "__CHANNEL__:901"});
    let refusal = asked_for(&window, "table_export", &writing)?;
    ensure!(refusal["error"]["code"] == "unwritable", "a target: {refusal}");
    ensure!(!target.exists(), "{} was written", target.display());

    for (command, asked) in SYSTEM_COMMANDS {
        let refusal = asked_for(&window, command, &serde_json::from_str(asked)?)?;
        let told = refusal["error"].as_str().unwrap_or_default();
        ensure!(told.contains("not allowed") || told.contains("not found"), "{command}: {refusal}");
    }
    window.click("tab-close")?;
    window.wait_for("recent")?;
    window.idle()?;
    drop(window);

    let window = stage.start_strict(data.path(), &[])?;
    window.wait_for("recent")?;
    window.click("recent")?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()
}

/// What Tauri and its plugins could be asked for, were it allowed.
const SYSTEM_COMMANDS: &[(&str, &str)] = &[
    ("plugin:fs|read_text_file", r#"{"path": "/etc/passwd"}"#),
    ("plugin:shell|open", r#"{"path": "https://elsewhere.invalid"}"#),
    ("plugin:dialog|open", r#"{"options": {}}"#),
    ("plugin:dialog|save", r#"{"options": {}}"#),
    ("plugin:event|emit", r#"{"event": "asked", "payload": null}"#),
    ("plugin:window|close", r#"{"label": "main"}"#),
    ("plugin:webview|create_webview_window", r#"{"options": {"label": "w-9", "url": "x"}}"#),
    ("plugin:path|resolve_directory", r#"{"directory": 21}"#),
];

/// What the program answers to `command`: a `value` or an `error`.
fn asked_for(window: &Window, command: &str, asked: &Value) -> Result<Value> {
    window.promise(&format!(
        "window.__TAURI_INTERNALS__.invoke('{command}', {asked})
             .then((value) => ({{ value }}), (error) => ({{ error }}))"
    ))
}

/// Recordings whose names are markup, in files whose names are: all views show them as text, and
/// need nothing that the policy forbids ([`Window::idle`] fails there).
pub(super) fn markup(stage: &Stage) -> Result<()> {
    let snapshot = stage.files.path().join(format!("{MARKUP}.pickle"));
    let features = Features { markup: true, ..Features::default() };
    sample::write_files(&Plan { seed: 5, features, ..Plan::new(10_000) }, &snapshot)?;
    let dump = stage.files.path().join(format!("{MARKUP}.db"));
    let oddities = Oddities { markup: true, ..Oddities::default() };
    Dump { oddities, ..Dump::new(2) }.write(&dump)?;

    let window = stage.open(&snapshot)?;
    says(&window, "tab")?;
    click_traced(&window)?;
    says(&window, "details-stack")?;
    for tab in ["blocks", "events", "stacks", "map", "pools"] {
        show_tab(&window, tab)?;
    }
    show_tab(&window, "blocks")?;
    says(&window, "tables")?;
    show_tab(&window, "stacks")?;
    says(&window, "stacks")?;
    search(&window, "onerror")?;
    says(&window, "palette")?;
    stage.keep(&window, "markup-palette")?;
    window.press(ESCAPE)?;
    nothing_ran(&window)?;
    window.press('?')?;
    window.wait_for("help-about")?;
    window.click("help-about")?;
    window.idle()?;
    window.press(ESCAPE)?;
    compare_with_itself(&window)?;
    says(&window, "diff-table")?;
    stage.keep(&window, "markup-compare")?;
    nothing_ran(&window)?;
    drop(window);

    let window = stage.open(&dump)?;
    let drawn = window
        .script("return document.querySelector('[data-testid=\"treemap\"] canvas') !== null")?;
    ensure!(drawn == true, "the decomposition is not drawn");
    open_parts(&window)?;
    says(&window, "parts")?;
    search(&window, "leaks_mem")?;
    says(&window, "palette")?;
    window.press(ENTER)?;
    window.wait_for("owner-facts")?;
    window.idle()?;
    says(&window, "owner-facts")?;
    show_tab(&window, "blocks")?;
    says(&window, "tables")?;
    stage.keep(&window, "markup-dump")?;
    ensure!(!window.shows("notice")?, "a notice: {:?}", window.text("notice")?);
    nothing_ran(&window)
}

/// An element shows the markup as text.
fn says(window: &Window, id: &str) -> Result<()> {
    window.until(&format!("`{id}` shows the markup"), || {
        window.shows(id).and_then(|is| Ok(is && window.text(id)?.contains(MARKUP)))
    })
}

/// Brings a tab of the tables to the front: a click on the one that is there would fold it.
fn show_tab(window: &Window, tab: &str) -> Result<()> {
    let is_front = window.script(&format!(
        "return document.querySelector('[data-testid=\"tab-{tab}\"]')?.ariaSelected === 'true'"
    ))?;
    if is_front != true {
        window.click(&format!("tab-{tab}"))?;
    }
    window.idle()
}

/// Looks for `text` in the palette, which stays open.
fn search(window: &Window, text: &str) -> Result<()> {
    window.press_with(CONTROL, 'k')?;
    window.wait_for("palette-field")?;
    for letter in text.chars() {
        window.press(letter)?;
    }
    window.idle()
}

/// Compares the recording with itself, at another moment.
fn compare_with_itself(window: &Window) -> Result<()> {
    window.click("compare-button")?;
    window.wait_for("compare-choice")?;
    window.script(
        "[...document.querySelectorAll('[data-testid=\"compare-choice\"]')].at(-1).click()",
    )?;
    window.wait_for("diff-total")?;
    window.idle()
}
