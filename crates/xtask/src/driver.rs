//! The app's window as a person uses it, through `WebKitWebDriver`.
//!
//! `WebKitWebDriver` speaks the `WebDriver` protocol (JSON over HTTP/1.1) and starts the app itself; it
//! needs nothing in between. Two variables tell the app's web view that it may be driven.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use serde_json::{Value, json};

use crate::display::{Display, Ended};

/// How long anything in the window may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The key under which the protocol hides an element's id.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What the app finds on the system it is started on.
#[derive(Clone, Copy)]
pub(crate) struct System<'a> {
    /// The language it speaks.
    pub(crate) locale: &'a str,
    /// The folder of all that the app remembers; without one, it is forgotten with the window.
    pub(crate) home: Option<&'a Path>,
    /// The folder whose files the page may name without a choice of a person.
    pub(crate) may_open: &'a str,
    /// Where programs find each other; without it the app is by itself.
    pub(crate) bus: Option<&'a str>,
}

/// The app, opened.
pub(crate) struct Window {
    port: u16,
    session: String,
    /// Where a picture is left when waiting was in vain.
    pictures: PathBuf,
    /// Holds the app's data while it runs, unless that is kept elsewhere; nothing of the person's
    /// own is read or changed.
    _home: Option<tempfile::TempDir>,
    driver: Ended,
}

impl Window {
    /// Opens `app` with `arguments` on `display`; pictures of failures go to `pictures`.
    pub(crate) fn open(
        display: &Display,
        system: System<'_>,
        app: &Path,
        arguments: &[&str],
        pictures: &Path,
    ) -> Result<Self> {
        let own = if system.home.is_none() { Some(tempfile::tempdir()?) } else { None };
        let home = system.home.or(own.as_ref().map(tempfile::TempDir::path)).context("a folder")?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let driver = driver(display, system, home, port)?;
        let (session, pictures) = (String::new(), pictures.to_path_buf());
        let mut window = Self { port, session, pictures, _home: own, driver };
        window.wait_for_driver()?;
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "webkitgtk:browserOptions": {"binary": app, "args": arguments}
        }}});
        let answer = window.ask("POST", "/session", &wanted).context("the app did not open")?;
        let session = answer["sessionId"].as_str().context("the driver opened no session")?;
        window.session = format!("/session/{session}");
        window.post("/timeouts", &json!({"script": PATIENCE.as_millis() as u64}))?;
        Ok(window)
    }

    /// The process that started the app.
    pub(crate) fn driver(&self) -> u32 {
        self.driver.0.id()
    }

    /// The windows of the app, by names of the driver's.
    pub(crate) fn windows(&self) -> Result<Vec<String>> {
        Ok(serde_json::from_value(self.get("/window/handles")?)?)
    }

    /// Looks at another window of the app from now on.
    pub(crate) fn look_at(&self, window: &str) -> Result<()> {
        self.post("/window", &json!({"handle": window}))?;
        self.post("/timeouts", &json!({"script": PATIENCE.as_millis() as u64})).map(drop)
    }

    /// Runs `script`, the body of a function, in the page.
    pub(crate) fn script(&self, script: &str) -> Result<Value> {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs `script`, an expression for a promise, and waits for it.
    pub(crate) fn promise(&self, script: &str) -> Result<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             ({script}).then((value) => done({{value}}), (error) => done({{error: String(error)}}));"
        );
        let answer = self.post("/execute/async", &json!({"script": script, "args": []}))?;
        match answer["error"].as_str() {
            Some(error) => bail!("in the page: {error}"),
            None => Ok(answer["value"].clone()),
        }
    }

    /// Waits until no question of the page is under way and the last answer is on the screen.
    ///
    /// Fails if the page tried what its policy forbids.
    pub(crate) fn idle(&self) -> Result<()> {
        self.until("the page runs", || {
            self.script("return typeof window.__tidemark === 'object'").map(|is| is == true)
        })?;
        self.promise("window.__tidemark.idle()")?;
        // What was drawn last is on the screen two frames later.
        self.promise(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        )?;
        self.promise("window.__tidemark.idle()")?;
        let refused = self.script("return window.__tidemark.refused()")?;
        ensure!(refused == json!([]), "the page was refused {refused}");
        Ok(())
    }

    /// Waits until `condition` holds.
    pub(crate) fn until(&self, what: &str, condition: impl Fn() -> Result<bool>) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if condition()? {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let seen = self.pictures.join("in-vain.png");
        let kept = self.picture().and_then(|picture| Ok(std::fs::write(&seen, picture)?));
        let where_to_look = kept.map_or(String::new(), |()| format!(" (see {})", seen.display()));
        bail!("waited {} s in vain until {what}{where_to_look}", PATIENCE.as_secs())
    }

    /// Whether an element with this `data-testid` can be seen.
    pub(crate) fn shows(&self, id: &str) -> Result<bool> {
        let seen = format!(
            "const found = document.querySelector('{}');
             return found !== null && found.getClientRects().length > 0;",
            selector(id)
        );
        Ok(self.script(&seen)? == true)
    }

    /// Waits until an element with this `data-testid` can be seen.
    pub(crate) fn wait_for(&self, id: &str) -> Result<()> {
        self.until(&format!("`{id}` is shown"), || self.shows(id))
    }

    /// The text of the element with this `data-testid`.
    pub(crate) fn text(&self, id: &str) -> Result<String> {
        let script =
            format!("return document.querySelector('{}')?.textContent ?? null;", selector(id));
        let text = self.script(&script)?;
        Ok(text.as_str().with_context(|| format!("the page has no `{id}`"))?.trim().to_owned())
    }

    /// The tooltip inside the element with this `data-testid`.
    pub(crate) fn tooltip(&self, id: &str) -> Result<String> {
        let script = format!(
            "return document.querySelector('{}')?.querySelector('[title]')?.title ?? null;",
            selector(id)
        );
        let tooltip = self.script(&script)?;
        Ok(tooltip.as_str().with_context(|| format!("`{id}` has no tooltip"))?.to_owned())
    }

    /// Clicks the element with this `data-testid`.
    pub(crate) fn click(&self, id: &str) -> Result<()> {
        let element = self.find(id)?;
        self.post(&format!("/element/{element}/click"), &json!({})).map(drop)
    }

    /// Chooses what has this value in the list with this `data-testid`.
    pub(crate) fn choose(&self, id: &str, value: &str) -> Result<()> {
        self.fill(id, value, "change")
    }

    /// Puts a text into the field with this `data-testid`.
    pub(crate) fn enter(&self, id: &str, text: &str) -> Result<()> {
        self.fill(id, text, "input")
    }

    fn fill(&self, id: &str, value: &str, event: &str) -> Result<()> {
        let filled = self.script(&format!(
            "const field = document.querySelector('{}');
             if (field === null) return false;
             field.value = {};
             field.dispatchEvent(new Event('{event}', {{ bubbles: true }}));
             return field.value !== '';",
            selector(id),
            json!(value)
        ))?;
        ensure!(filled == true, "`{id}` does not take {value:?}");
        Ok(())
    }

    /// Clicks at a place of the page, in CSS pixels.
    pub(crate) fn click_at(&self, x: f64, y: f64) -> Result<()> {
        self.click_holding(None, x, y)
    }

    /// Opens the menu of what is at a place of the page, in CSS pixels.
    pub(crate) fn menu_at(&self, x: f64, y: f64) -> Result<()> {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
        "actions": [
            {"type": "pointerMove", "duration": 50, "origin": "viewport", "x": x, "y": y},
            {"type": "pointerDown", "button": 2},
            {"type": "pointerUp", "button": 2},
        ]});
        self.post("/actions", &json!({"actions": [mouse]})).map(drop)
    }

    /// Clicks at a place of the page, in CSS pixels, while a key is held.
    pub(crate) fn click_with(&self, key: char, x: f64, y: f64) -> Result<()> {
        self.click_holding(Some(key), x, y)
    }

    fn click_holding(&self, key: Option<char>, x: f64, y: f64) -> Result<()> {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
        "actions": [
            {"type": "pointerMove", "duration": 50, "origin": "viewport", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
            {"type": "pause"},
        ]});
        let held = key.map(|key| {
            // One step of the keyboard for each of the mouse.
            let (down, up) =
                (json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key}));
            let rest = json!({"type": "pause"});
            json!({"type": "key", "id": "keyboard", "actions": [down, rest, rest, up]})
        });
        let sources: Vec<Value> = held.into_iter().chain([mouse]).collect();
        self.post("/actions", &json!({"actions": sources})).map(drop)
    }

    /// Drags the mouse along the middle of the element with this `data-testid`, from one share of
    /// its width to another.
    pub(crate) fn drag(&self, id: &str, from: f64, to: f64) -> Result<()> {
        let element = json!({ELEMENT: self.find(id)?});
        let width = self.script(&format!(
            "return document.querySelector('{}').getBoundingClientRect().width",
            selector(id)
        ))?;
        let width = width.as_f64().context("an element without a width")?;
        // Counted from the middle of it.
        let to_share = |share: f64| {
            let x = (width * (share - 0.5)).round() as i64;
            json!({"type": "pointerMove", "duration": 100, "origin": element, "x": x, "y": 0})
        };
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
        "actions": [
            to_share(from), {"type": "pointerDown", "button": 0},
            to_share(f64::midpoint(from, to)), to_share(to), {"type": "pointerUp", "button": 0},
        ]});
        self.post("/actions", &json!({"actions": [mouse]}))?;
        self.idle()
    }

    /// Presses and releases one key.
    pub(crate) fn press(&self, key: char) -> Result<()> {
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
        ]});
        self.post("/actions", &json!({"actions": [keyboard]})).map(drop)
    }

    /// Presses and releases one key while another is held.
    pub(crate) fn press_with(&self, held: char, key: char) -> Result<()> {
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": held},
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
            {"type": "keyUp", "value": held},
        ]});
        self.post("/actions", &json!({"actions": [keyboard]})).map(drop)
    }

    /// What a file dropped on the window does, as far as the page can tell: Tauri's own event.
    pub(crate) fn drop_file(&self, path: &Path) -> Result<()> {
        self.script(&format!("window.__tidemark.drop({})", json!([path]))).map(drop)
    }

    /// Makes the window so many pixels large.
    pub(crate) fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.post("/window/rect", &json!({"width": width, "height": height}))?;
        self.until("the window has its size", || {
            self.script(&format!("return Math.abs(innerWidth - {width}) < 40")).map(|is| is == true)
        })
    }

    /// A picture of the page, as PNG.
    pub(crate) fn picture(&self) -> Result<Vec<u8>> {
        decoded(&self.get("/screenshot")?)
    }

    fn find(&self, id: &str) -> Result<String> {
        let wanted = json!({"using": "css selector", "value": selector(id)});
        let found = self.post("/element", &wanted)?;
        Ok(found[ELEMENT].as_str().with_context(|| format!("the page has no `{id}`"))?.to_owned())
    }

    fn wait_for_driver(&self) -> Result<()> {
        self.until("WebKitWebDriver listens", || {
            Ok(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok())
        })
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.ask("POST", &format!("{}{path}", self.session), body)
    }

    fn get(&self, path: &str) -> Result<Value> {
        self.ask("GET", &format!("{}{path}", self.session), &Value::Null)
    }

    /// One request; the answer's `value`, or its error.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(2 * PATIENCE))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).with_context(|| format!("no answer to {path}"))?;
        let answer = String::from_utf8_lossy(&answer);
        let (_, text) = answer.split_once("\r\n\r\n").context("the driver's answer has no body")?;
        let answer: Value = serde_json::from_str(text)
            .with_context(|| format!("the driver answered no JSON to {path}: {text:.200}"))?;
        let value = &answer["value"];
        if let Some(error) = value["error"].as_str() {
            bail!("{path}: {error}: {}", value["message"].as_str().unwrap_or_default());
        }
        Ok(value.clone())
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // Ends the app; when it is gone already there is nothing to end.
        drop(self.ask("DELETE", &self.session, &Value::Null));
    }
}

/// What finds an element by its `data-testid` outside of the tabs behind.
fn selector(id: &str) -> String {
    format!("[data-testid=\"{id}\"]:not([inert] *)")
}

fn driver(display: &Display, system: System<'_>, home: &Path, port: u16) -> Result<Ended> {
    let log = std::fs::File::create(home.join("driver.log"))?;
    let mut driver = Command::new("WebKitWebDriver");
    driver.args([format!("--port={port}"), "--host=127.0.0.1".to_owned()]);
    surround(&mut driver, display, system, home);
    let driver = driver
        .env("TAURI_AUTOMATION", "true")
        .env("TAURI_WEBVIEW_AUTOMATION", "true")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .context("cannot start WebKitWebDriver")?;
    Ok(Ended(driver))
}

/// Tells a program that starts the app, or the app itself, of the system it is to find.
pub(crate) fn surround(program: &mut Command, display: &Display, system: System<'_>, home: &Path) {
    program
        .env("DISPLAY", display.name())
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        .env("LANG", system.locale)
        .env_remove("LC_ALL")
        .env("TZ", "UTC")
        // Without this renderer (WebKitGTK 2.50) a picture of the page never arrives.
        .env_remove("WEBKIT_DISABLE_DMABUF_RENDERER")
        .env_remove("WEBKIT_DISABLE_COMPOSITING_MODE")
        .env("NO_AT_BRIDGE", "1")
        .env("XDG_DATA_HOME", home.join("data"))
        // Nothing a test opens was chosen in a dialog.
        .env("TIDEMARK_MAY_OPEN", system.may_open)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_CACHE_HOME", home.join("cache"));
    match system.bus {
        Some(bus) => program.env("DBUS_SESSION_BUS_ADDRESS", bus).env_remove("TIDEMARK_DATA"),
        // No other app is to hear of it.
        None => program.env("TIDEMARK_DATA", home.join("tidemark")),
    };
}

fn decoded(picture: &Value) -> Result<Vec<u8>> {
    let text = picture.as_str().context("the driver sent no picture")?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text)?;
    ensure!(bytes.starts_with(b"\x89PNG"), "the driver's picture is no PNG");
    Ok(bytes)
}
