//! What tracing says of a frame of compiled code: its node, and the line of the model it is for.

use crate::Session;
use crate::frames::is_user;
use model::FrameId;

/// The node of a traced graph that a frame of compiled code belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traced<'a> {
    /// What kind of node: `call_function`, `call_module`, ….
    pub op: Option<&'a str>,
    /// Its name in the graph.
    pub name: Option<&'a str>,
    /// What it calls; `None` too where the file has Python's own `None`.
    pub target: Option<&'a str>,
    /// The line of the model it was made from.
    pub line: Option<TracedLine<'a>>,
    /// The stack at which it was traced, as the file has it: outermost first.
    pub trace: Option<&'a str>,
}

/// A line of the code that was traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedLine<'a> {
    /// File as recorded.
    pub file: &'a str,
    /// Line, when known.
    pub line: Option<u32>,
    /// Function; empty when it is not said.
    pub function: &'a str,
    /// The line itself, when the file has it.
    pub code: Option<&'a str>,
}

impl Session {
    /// What tracing says of `frame`; `None` for code that was not compiled.
    pub fn traced(&self, frame: FrameId) -> Option<Traced<'_>> {
        let recording = self.recording();
        let extra = recording.stacks.extra(frame)?;
        let text = |text: Option<model::StringId>| text.map(|text| recording.text(text));
        let trace = text(extra.original_trace);
        Some(Traced {
            op: text(extra.node_op),
            name: text(extra.node_name),
            target: text(extra.node_target).filter(|target| *target != "None"),
            line: trace.and_then(model_line),
            trace,
        })
    }
}

/// The innermost line of the user's code in a stack as Python prints it; failing that, the
/// innermost of all.
fn model_line(trace: &str) -> Option<TracedLine<'_>> {
    let mut best: Option<TracedLine<'_>> = None;
    let mut lines = trace.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let Some(mut place) = place(line) else { continue };
        // Under it Python prints the code, then perhaps marks what in it is meant.
        place.code = lines.next_if(|next| !next.is_empty() && self::place(next).is_none());
        let is_of_library = |line: &TracedLine<'_>| !is_user(line.file, line.function);
        if best.is_none_or(|best| is_of_library(&best) || !is_of_library(&place)) {
            best = Some(place);
        }
    }
    best
}

/// `File "net.py", line 7, in forward`.
fn place(line: &str) -> Option<TracedLine<'_>> {
    let (file, rest) = line.strip_prefix("File \"")?.split_once('"')?;
    let rest = rest.strip_prefix(", line ")?;
    let (number, function) = rest.split_once(", in ").unwrap_or((rest, ""));
    let line = number.trim().parse().ok().filter(|line| *line != 0);
    Some(TracedLine { file, line, function, code: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `file:line function | code` of the model's line.
    fn found(trace: &str) -> String {
        model_line(trace).map_or("none".into(), |found| {
            let line = found.line.map_or("?".into(), |line| line.to_string());
            let code = found.code.unwrap_or("-");
            format!("{}:{line} {} | {code}", found.file, found.function)
        })
    }

    #[test]
    fn the_model_line_is_the_innermost_of_the_users_code() {
        let trace = "  File \"/w/train.py\", line 3, in main\n    net(x)\n  \
                     File \"/w/net.py\", line 7, in forward\n    y = self.up(x)\n        ^^^^^^^^^^\n  \
                     File \"/v/lib/python3.11/site-packages/torch/nn/modules/linear.py\", line 125, \
                     in forward\n    return F.linear(input, self.weight, self.bias)\n";
        assert_eq!(found(trace), "/w/net.py:7 forward | y = self.up(x)");
    }

    #[test]
    fn without_code_of_the_user_it_is_the_innermost_of_all() {
        let trace = "File \"/v/site-packages/a.py\", line 1, in f\nFile \"/v/site-packages/b.py\", line 2, in g\n  h()";
        assert_eq!(found(trace), "/v/site-packages/b.py:2 g | h()");
    }

    #[test]
    fn odd_traces_say_what_they_can() {
        assert_eq!(found(""), "none");
        assert_eq!(found("no trace"), "none");
        assert_eq!(found("File \"a.py"), "none");
        assert_eq!(found("File \"a.py\", line 4"), "a.py:4  | -");
        assert_eq!(found("File \"a.py\", line x, in f\n\n  code"), "a.py:? f | -");
        assert_eq!(found("File \"é.py\", line 0, in ü"), "é.py:? ü | -");
    }
}
