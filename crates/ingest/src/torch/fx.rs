//! What FX tracing adds to a frame: the node of compiled code, and the line of the model it is for.

use super::reader::Reader;
use super::words as word;
use model::{FrameExtra, StringId};
use pickle::{Heap, Value, expand};

impl Reader<'_, '_> {
    /// Takes what `key` of a frame says of its node; false when it is about something else.
    pub(super) fn fx(
        &mut self,
        (key, value): (u32, Value),
        heap: &Heap<'_>,
        extra: &mut FrameExtra,
    ) -> bool {
        match key {
            word::FX_NODE_OP => extra.node_op = self.fx_text(value, heap),
            word::FX_NODE_NAME => extra.node_name = self.fx_text(value, heap),
            word::FX_NODE_TARGET => extra.node_target = self.fx_text(value, heap),
            word::FX_ORIGINAL_TRACE => extra.original_trace = self.fx_text(value, heap),
            _ => return false,
        }
        true
    }

    /// Fills in from `info`, the value of `fx_node_info`, what the keys beside it do not say.
    ///
    /// Its keys are those of the registry the node is described in, or those of the frame.
    pub(super) fn fx_info(&mut self, info: Value, heap: &Heap<'_>, extra: &mut FrameExtra) {
        let Some(pairs) = heap.pairs(info) else {
            extra.node_name = extra.node_name.or_else(|| self.fx_text(info, heap));
            return;
        };
        for (key, value) in pairs {
            let field = match heap.resolve(*key) {
                Value::Text(word::OP | word::FX_NODE_OP) => &mut extra.node_op,
                Value::Text(word::NAME | word::FX_NODE_NAME) => &mut extra.node_name,
                Value::Text(word::TARGET | word::FX_NODE_TARGET) => &mut extra.node_target,
                Value::Text(word::STACK_TRACE | word::FX_ORIGINAL_TRACE) => {
                    &mut extra.original_trace
                }
                _ => continue,
            };
            *field = field.or_else(|| self.fx_text(*value, heap));
        }
    }

    /// `value` as text: lists of texts are lines, what is no text is spelled as in JSON.
    fn fx_text(&mut self, value: Value, heap: &Heap<'_>) -> Option<StringId> {
        let value = heap.resolve(value);
        let text = match value {
            Value::Text(word::EMPTY) | Value::None => return None,
            Value::Text(text) => return Some(self.texts.string(text)),
            value => self.lines(value, heap).unwrap_or_else(|| {
                let mut text = String::new();
                self.spell(value, heap, 0, &mut text);
                text
            }),
        };
        let text = self.texts.number(text.as_bytes());
        (text != word::EMPTY).then(|| self.texts.string(text))
    }

    /// The lines of a list that holds nothing else.
    fn lines(&self, list: Value, heap: &Heap<'_>) -> Option<String> {
        let mut all = String::new();
        for item in expand(heap.items(list)?) {
            let Value::Text(text) = heap.resolve(item) else { return None };
            all.push_str(self.texts.text(text).trim_end_matches('\n'));
            all.push('\n');
        }
        Some(all)
    }
}
