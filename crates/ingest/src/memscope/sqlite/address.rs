//! A file's address as SQLite takes it (<https://www.sqlite.org/uri.html>).

use std::fmt::Write as _;

/// How a system writes its paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `/home/me/run.db`.
    Unix,
    /// `C:\run.db`, `\\server\share\run.db`, `\\?\C:\run.db`.
    Windows,
}

impl Form {
    /// That of the system the program is made for.
    pub(super) const OURS: Self = if cfg!(windows) { Self::Windows } else { Self::Unix };

    fn is_separator(self, byte: u8) -> bool {
        byte == b'/' || self == Self::Windows && byte == b'\\'
    }
}

/// The address of the file at `path`, which does not change: SQLite then neither locks it nor looks
/// for, or makes, files beside it.
pub(super) fn address(path: &[u8], form: Form) -> String {
    let mut address = String::from(beginning(path, form));
    let is_as_it_is = is_verbatim(path, form);
    for byte in path {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                address.push(char::from(*byte));
            }
            b'\\' if form == Form::Windows && !is_as_it_is => address.push('/'),
            b':' if form == Form::Windows => address.push(':'),
            _ => {
                let written = write!(address, "%{byte:02X}");
                debug_assert!(written.is_ok(), "a string takes everything");
            }
        }
    }
    address.push_str("?mode=ro&immutable=1");
    address
}

/// What stands before the path. Two slashes at its own beginning would make what follows them the
/// name of a host, so a host that is not named stands before every path from a root; a drive gets
/// the slash that SQLite takes off again.
fn beginning(path: &[u8], form: Form) -> &'static str {
    match path {
        [letter, b':', rest @ ..]
            if form == Form::Windows
                && letter.is_ascii_alphabetic()
                && rest.first().is_some_and(|byte| form.is_separator(*byte)) =>
        {
            "file:///"
        }
        _ if is_verbatim(path, form) => "file:",
        [first, ..] if form.is_separator(*first) => "file://",
        _ => "file:",
    }
}

/// Whether Windows takes `path` letter by letter: then slashes are no separators in it.
fn is_verbatim(path: &[u8], form: Form) -> bool {
    form == Form::Windows && (path.starts_with(br"\\?\") || path.starts_with(br"\\.\"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rusqlite::{Connection, OpenFlags};

    const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_URI);

    /// The path that SQLite finds in `address`, as `sqlite3ParseUri` does.
    fn read(address: &str) -> Vec<u8> {
        let mut rest = address.strip_prefix("file:").unwrap();
        if let Some(after) = rest.strip_prefix("//") {
            let end = after.find('/').unwrap_or(after.len());
            let host = &after[..end];
            assert!(host.is_empty() || host == "localhost", "invalid uri authority: {host}");
            rest = &after[end..];
        }
        let rest = rest.split(['?', '#']).next().unwrap().as_bytes();
        let (mut path, mut at) = (Vec::new(), 0);
        while let Some(byte) = rest.get(at) {
            let digits = rest.get(at + 1..at + 3).filter(|_| *byte == b'%');
            let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
            if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                path.push(byte);
                at += 3;
            } else {
                path.push(*byte);
                at += 1;
            }
        }
        path
    }

    /// The same on Windows: what its VFS asks the system for.
    fn read_on_windows(address: &str) -> String {
        let path = String::from_utf8(read(address)).unwrap();
        let bytes = path.as_bytes();
        let is_drive = matches!(bytes, [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
        path[usize::from(is_drive)..].to_owned()
    }

    #[test]
    fn each_form_of_a_path_has_its_address() {
        let cases = [
            (r"C:\runs\a.db", "file:///C:/runs/a.db"),
            (r"d:\a b#1\50% ?.db", "file:///d:/a%20b%231/50%25%20%3F.db"),
            (r"\\server\share\x.db", "file:////server/share/x.db"),
            ("//server/share/x.db", "file:////server/share/x.db"),
            (r"\\server\share$\训练.db", "file:////server/share%24/%E8%AE%AD%E7%BB%83.db"),
            (r"\\?\C:\long\x.db", "file:%5C%5C%3F%5CC:%5Clong%5Cx.db"),
            (r"\\?\UNC\server\share\x.db", "file:%5C%5C%3F%5CUNC%5Cserver%5Cshare%5Cx.db"),
            (r"\rooted.db", "file:///rooted.db"),
            (r"run\x.db", "file:run/x.db"),
            (r"C:x.db", "file:C:x.db"),
        ];
        for (path, expected) in cases {
            let address = address(path.as_bytes(), Form::Windows);
            assert_eq!(address, format!("{expected}?mode=ro&immutable=1"), "{path}");
            let asked = read_on_windows(&address);
            let same = if is_verbatim(path.as_bytes(), Form::Windows) {
                path.to_owned()
            } else {
                path.replace('\\', "/")
            };
            assert_eq!(asked, same, "{path}");
        }
        let cases = [
            ("/home/me/run.db", "file:///home/me/run.db"),
            ("/a?b/c#d/50%25 &x=1", "file:///a%3Fb/c%23d/50%2525%20%26x%3D1"),
            (r"/back\slash:colon", "file:///back%5Cslash%3Acolon"),
            ("//two/x.db", "file:////two/x.db"),
            ("run.db", "file:run.db"),
        ];
        for (path, expected) in cases {
            let address = address(path.as_bytes(), Form::Unix);
            assert_eq!(address, format!("{expected}?mode=ro&immutable=1"), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn sqlite_opens_files_of_any_name_and_leaves_nothing_beside_them() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        let names: [&[u8]; 7] = [
            b"plain.db",
            b"50% off?.db",
            b"a#b&c=d;e+f.db",
            b"%41%00.db",
            br"C:\server\x.db",
            "训练 ü.db".as_bytes(),
            b"no utf-8 \xff.db",
        ];
        for name in names {
            let path = folder.path().join(std::ffi::OsStr::from_bytes(name));
            let made = folder.path().join("made");
            Connection::open(&made)
                .unwrap()
                .execute_batch("CREATE TABLE one (x); INSERT INTO one VALUES (7);")
                .unwrap();
            std::fs::rename(made, &path).unwrap();
            // With one slash before it, and with two.
            for lead in ["", "/"] {
                let bytes = [lead.as_bytes(), path.as_os_str().as_bytes()].concat();
                let address = address(&bytes, Form::Unix);
                let connection = Connection::open_with_flags(&address, FLAGS).unwrap();
                let value = connection.query_row("SELECT x FROM one", [], |row| row.get(0));
                assert_eq!(value, Ok(7), "{address}");
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), names.len());
    }

    proptest! {
        #[test]
        fn sqlite_finds_the_path_that_was_meant(path in proptest::collection::vec(1..=u8::MAX, 1..40)) {
            prop_assert_eq!(read(&address(&path, Form::Unix)), path);
        }

        #[test]
        fn sqlite_finds_a_path_of_windows(
            lead in prop_oneof![
                Just(r"C:\"),
                Just(r"z:/"),
                Just(r"\\server\share\"),
                Just(r"\\?\C:\"),
                Just(r"\\?\UNC\server\share\"),
                Just(""),
            ],
            name in r"[a-zA-Z0-9 %?#&=+;训练._/\\-]{1,20}",
        ) {
            prop_assume!(!lead.is_empty() || !name.starts_with(['/', '\\']));
            let path = format!("{lead}{name}");
            let asked = read_on_windows(&address(path.as_bytes(), Form::Windows));
            let same = |text: &str| text.replace('\\', "/");
            prop_assert_eq!(same(&asked), same(&path));
            prop_assert!(!lead.starts_with(r"\\?") || asked == path);
        }
    }
}
