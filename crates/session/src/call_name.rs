//! What the name of a call says: `file(line): function` and its other forms.

/// A call that was running when tracing began or when it stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// `start: …`
    AtStart,
    /// `stop: …`
    AtStop,
}

/// The parts of a call's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallName<'a> {
    /// Whether it was running at an end of the tracing.
    pub running: Option<Running>,
    /// `train_one_step`, `nn.Module: Conv2d`, `<built-in method …>`.
    pub function: &'a str,
    /// `/path/train.py`
    pub file: Option<&'a str>,
    /// In that file.
    pub line: Option<u32>,
}

impl<'a> CallName<'a> {
    /// Takes `text` apart; a name of no known form is a function.
    pub fn new(text: &'a str) -> Self {
        let (running, name) = match (text.strip_prefix("start: "), text.strip_prefix("stop: ")) {
            (Some(name), _) => (Some(Running::AtStart), name),
            (_, Some(name)) => (Some(Running::AtStop), name),
            (None, None) => (None, text),
        };
        match place(name) {
            Some((file, line, function)) => {
                Self { running, function, file: Some(file), line: Some(line) }
            }
            None => Self { running, function: name, file: None, line: None },
        }
    }
}

/// A number that is the same for a name wherever it is met: the colour's key.
pub(crate) fn stable_key(text: &str) -> u32 {
    let name = text.strip_prefix("start: ").or_else(|| text.strip_prefix("stop: "));
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    // FNV-1a, with the high bits folded in: keys are taken modulo the number of colours.
    let hash = name.unwrap_or(text).as_bytes().iter().fold(0x811c_9dc5, step);
    (hash ^ (hash >> 15)) & 0x7fff_ffff
}

/// File, line and function of `file(line): function`, where the first `(digits): ` stands.
fn place(name: &str) -> Option<(&str, u32, &str)> {
    let mut from = 0;
    loop {
        let close = from + name.get(from..)?.find("): ")?;
        let before = &name[..close];
        if let Some(open) = before.rfind('(') {
            let digits = &before[open + 1..];
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let function = &name[close + 3..];
            if is_number && open > 0 && !function.is_empty() {
                return Some((&name[..open], digits.parse().ok()?, function));
            }
        }
        from = close + 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<Running>, &str, Option<&str>, Option<u32>) {
        let CallName { running, function, file, line } = CallName::new(text);
        (running, function, file, line)
    }

    #[test]
    fn a_name_is_file_line_and_function() {
        let plain = parts("/path/train.py(31): train_one_step");
        assert_eq!(plain, (None, "train_one_step", Some("/path/train.py"), Some(31)));
        let odd = parts("/a (copy)/b(1): <lambda>(2): x");
        assert_eq!(odd, (None, "<lambda>(2): x", Some("/a (copy)/b"), Some(1)));
        let started = parts("start: /path/train.py(60): <module>");
        let module = (Some(Running::AtStart), "<module>", Some("/path/train.py"), Some(60));
        assert_eq!(started, module);
    }

    #[test]
    fn anything_else_is_a_function() {
        for text in ["nn.Module: Conv2d", "<built-in method f (x): y>", "", "(3): f", "a(3): "] {
            assert_eq!(parts(text), (None, text, None, None), "{text}");
        }
        let big = "a(99999999999): f";
        assert_eq!(parts(big), (None, big, None, None));
    }

    #[test]
    fn a_key_is_the_names_and_not_that_of_its_ends() {
        assert_eq!(stable_key("start: a(1): f"), stable_key("a(1): f"));
        assert_ne!(stable_key("a(1): f"), stable_key("a(1): g"));
    }
}
