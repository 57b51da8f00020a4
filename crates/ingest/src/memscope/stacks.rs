//! Python stacks as dumps write them: a text with a frame a line, innermost first.

use super::texts::Texts;
use crate::torch::StackTable;
use model::{Frame, FrameExtra, StackId, StringId};

/// The stack that `text` writes down; `None` when there is none.
pub(super) fn python(text: &str, texts: &mut Texts, stacks: &mut StackTable) -> Option<StackId> {
    let text = text.trim();
    // Some collectors put the whole in quotes.
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if text.is_empty() || text == "NA" || text == "N/A" {
        return None;
    }
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let frames: Vec<u32> = lines
        .map(|line| {
            let (filename, number, name) = parts(line).unwrap_or(("", None, line));
            let mut string = |text: &str| StringId(texts.row(text.as_bytes()));
            let frame = Frame { name: string(name), filename: string(filename), line: number };
            stacks.frame(frame, FrameExtra::default())
        })
        .collect();
    Some(stacks.stack(&frames))
}

/// File, line and function of `file(line): function`.
fn parts(line: &str) -> Option<(&str, Option<u32>, &str)> {
    let (place, name) = line.rsplit_once("): ")?;
    let (filename, number) = place.rsplit_once('(')?;
    let number: i64 = number.trim().parse().ok()?;
    let number = u32::try_from(number).ok().filter(|number| *number != 0);
    Some((filename, number, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_line_and_odd_lines_are_kept_whole() {
        assert_eq!(parts("/a (b)/train.py(31): step"), Some(("/a (b)/train.py", Some(31), "step")));
        assert_eq!(parts("train.py(0): <lambda>"), Some(("train.py", None, "<lambda>")));
        assert_eq!(parts("<built-in method randn>"), None);
        assert_eq!(parts("a(b): c"), None);

        let (mut texts, mut stacks) = (Texts::new(), StackTable::new());
        let mut read = |text: &str| python(text, &mut texts, &mut stacks);
        let plain = read("a.py(1): f\nodd\nb.py(2): g\n");
        assert_eq!(plain, Some(StackId(1)));
        assert_eq!(read("\"a.py(1): f\nodd\nb.py(2): g\n\""), plain);
        assert_eq!(read("NA"), None);
        assert_eq!(read("\"\""), None);
        let stacks = stacks.into_stacks();
        let strings = texts.into_strings();
        let frames: Vec<_> = stacks.frames(StackId(1)).map(|(_, frame)| frame).collect();
        assert_eq!(frames.len(), 3);
        assert_eq!(strings.get(frames[0].name), "f");
        assert_eq!((strings.get(frames[1].name), strings.get(frames[1].filename)), ("odd", ""));
        assert_eq!((strings.get(frames[2].filename), frames[2].line), ("b.py", Some(2)));
    }
}
