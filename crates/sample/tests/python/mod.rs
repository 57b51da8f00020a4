//! Asks `CPython`, the judge from outside.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a script beside the tests. Nothing if there is no `python3`, which is said on the terminal.
#[expect(clippy::print_stderr, reason = "a skipped judge must be seen")]
pub(crate) fn run(
    script: &str,
    arguments: &[&Path],
    options: &[&str],
    input: &str,
) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    let child = Command::new("python3")
        .arg(script)
        .args(arguments)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    // A script that fails early does not read all of it; what it says is more to the point.
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let output = child.wait_with_output().expect("python3 ends");
    let said = [output.stdout, output.stderr].concat();
    Some(String::from_utf8_lossy(&said).trim().to_owned())
}
