//! What tracing says of a frame reaches the page.

use super::nonsense::recording;
use crate::{ModelLine, TracedNode, block::stack_of};
use model::{Frame, FrameExtra, FrameId, Stacks, StringId, Strings};
use session::{Job, Session, StackId};

/// Texts by their rows.
fn strings(texts: &[&str]) -> Strings {
    let ends = texts.iter().scan(0, |end, text| {
        *end += u32::try_from(text.len()).unwrap();
        Some(*end)
    });
    let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
    Strings::new(offsets, texts.concat().into_bytes()).unwrap()
}

#[test]
fn a_frame_of_compiled_code_says_its_node_and_the_line_of_the_model() {
    let trace = "  File \"/w/net.py\", line 7, in forward\n    y = self.up(x)\n";
    let texts = ["", "forward", "<eval_with_key>.1", "call_function", "linear", "None", trace];
    let text = |row: u32| Some(StringId(row));
    let frame = |line| Frame { name: StringId(1), filename: StringId(2), line: Some(line) };
    let extra = FrameExtra {
        node_op: text(3),
        node_name: text(4),
        node_target: text(5),
        original_trace: text(6),
    };
    let stacks =
        Stacks::new(vec![0, 0, 2], vec![0, 1], vec![frame(4), frame(5)], vec![(FrameId(0), extra)]);
    let recording = model::Recording {
        strings: strings(&texts),
        stacks: stacks.unwrap(),
        ..recording(Vec::new())
    };
    let session = Session::new(recording, &Job::unwatched()).unwrap();
    let view = stack_of(&session, Ok(StackId(1)));
    let expected = TracedNode {
        op: Some("call_function".into()),
        name: Some("linear".into()),
        // Python's own word for nothing.
        target: None,
        line: Some(ModelLine {
            file: "/w/net.py".into(),
            line: Some(7),
            name: "forward".into(),
            code: Some("y = self.up(x)".into()),
        }),
        trace: Some(trace.into()),
    };
    assert_eq!(view.frames[0].traced.as_ref(), Some(&expected));
    assert_eq!(view.frames[1].traced, None);
}
