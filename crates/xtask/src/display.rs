//! A display and a bus of our own, so that tests open windows on no desk and talk to no program on it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::command::ask_to_end;

/// An X server without a screen; ends when dropped.
pub(crate) struct Display {
    name: String,
    _server: Ended,
}

impl Display {
    /// Starts one under a number nobody uses.
    pub(crate) fn start() -> Result<Self> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "3840x2160x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Xvfb")?;
        let says = server.stdout.take().context("Xvfb has no output")?;
        let server = Ended(server);
        let mut number = String::new();
        BufReader::new(says).read_line(&mut number)?;
        ensure!(!number.trim().is_empty(), "Xvfb found no free display");
        Ok(Self { name: format!(":{}", number.trim()), _server: server })
    }

    /// What `DISPLAY` is to be.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A bus of our own, on which programs find each other; ends when dropped.
pub(crate) struct Bus {
    address: String,
    _daemon: Ended,
}

impl Bus {
    /// Starts one.
    pub(crate) fn start() -> Result<Self> {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start dbus-daemon")?;
        let says = daemon.stdout.take().context("dbus-daemon has no output")?;
        let daemon = Ended(daemon);
        let mut address = String::new();
        BufReader::new(says).read_line(&mut address)?;
        ensure!(!address.trim().is_empty(), "dbus-daemon tells no address");
        Ok(Self { address: address.trim().to_owned(), _daemon: daemon })
    }

    /// What `DBUS_SESSION_BUS_ADDRESS` is to be.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

/// A program that is asked to end when this is dropped.
///
/// Asked, not killed: a killed `WebKitWebDriver` leaves the app behind, a killed Xvfb its lock.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        if ask_to_end(&self.0) {
            for _ in 0..100 {
                if !matches!(self.0.try_wait(), Ok(None)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        drop(self.0.kill().and_then(|()| self.0.wait()));
    }
}
