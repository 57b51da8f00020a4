//! Snapshots in JSON: tuples are lists, everything else as in a pickle.

use super::finish::{Ending, Unfit};
use super::pickled::{Failure, Pickled};
use super::reader::{FRAME, Mode, Reader, STACK};
use crate::Warnings;
use job::{Job, Progress};
use model::WarningKind;
use pickle::{Heap, Node, NodeId, Thing, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Items of a container between two looks at the job.
const STRIDE: u32 = 256;
/// Integers up to here are exact when a tool wrote them as floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads the snapshot written as JSON in `bytes`.
pub(crate) fn read_json(bytes: &[u8], job: &Job) -> Result<(Pickled, Warnings), Failure> {
    let warnings = Warnings::default();
    let mut work = Work {
        reader: Reader::new(Mode::Streaming, &warnings),
        heap: Heap::default(),
        job,
        unfinished: None,
        containers: 0,
    };
    let mut text = serde_json::Deserializer::from_slice(bytes);
    let read = One(&mut work).deserialize(&mut text);
    job.check()?;
    let (root, damage) = match read {
        Ok(root) => (root, None),
        Err(error) => (work.unfinished.unwrap_or(Value::None), Some(error)),
    };
    if damage.is_none() && text.end().is_err() {
        warnings.add(WarningKind::TrailingBytes, "", 1, || {
            "Text after the end of the JSON value was passed over.".into()
        });
    }
    let Work { reader, heap, .. } = work;
    let ending = if damage.is_none() { Ending::Whole } else { Ending::Cut };
    match (reader.finish(heap, root, ending, job), damage) {
        (Ok(snapshot), damage) => {
            if let Some(error) = damage {
                warnings.add(WarningKind::Truncated, "", 1, || {
                    format!("Everything before the damage is shown: {error}.")
                });
            }
            Ok((Pickled { snapshot, protocol: None, is_torch_save: false }, warnings))
        }
        (Err(Unfit::Cancelled), _) => Err(Failure::Unfit(Unfit::Cancelled)),
        (Err(_), Some(error)) => Err(Failure::Json(error.to_string())),
        (Err(unfit), None) => Err(Failure::Unfit(unfit)),
    }
}

/// What is shared while a text is read.
struct Work<'a, 'w> {
    reader: Reader<'a, 'w>,
    heap: Heap<'a>,
    job: &'w Job,
    /// The container whose reading failed, to be put into the one around it.
    unfinished: Option<Value>,
    containers: u32,
}

/// Reads one value.
struct One<'r, 'a, 'w>(&'r mut Work<'a, 'w>);

impl Work<'_, '_> {
    fn begin<E: Error>(&mut self, node: Node<'static>) -> Result<NodeId, E> {
        self.containers = self.containers.wrapping_add(1);
        if self.containers.is_multiple_of(STRIDE) {
            let progress = Progress { stage: "reading", done: 0, total: 0 };
            self.job.step(progress).map_err(E::custom)?;
        }
        Ok(self.heap.add(node))
    }

    /// Takes a container off again that became something else, with all that is in it: nothing
    /// else can refer to it.
    fn replace(&mut self, id: NodeId, value: Value) -> Value {
        self.heap.cut(id);
        value
    }
}

impl<'de> DeserializeSeed<'de> for One<'_, '_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<Value, D::Error> {
        text.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for One<'_, '_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Uint(value), Value::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        let is_whole = value.fract() == 0.0 && value.abs() <= EXACT;
        Ok(if is_whole { Value::Int(value as i64) } else { Value::Float(value) })
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(self.0.reader.texts.number(text.as_bytes())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let work = self.0;
        let list = work.begin(Node::List(Vec::new()))?;
        loop {
            match items.next_element_seed(One(work)) {
                Ok(Some(item)) => work.append(list, item),
                Ok(None) => break,
                Err(error) => {
                    if let Some(item) = work.unfinished {
                        work.append(list, item);
                    }
                    work.unfinished = Some(Value::Node(list));
                    return Err(error);
                }
            }
        }
        Ok(work.settle_list(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Value, A::Error> {
        let work = self.0;
        let dict = work.begin(Node::Dict(Vec::new()))?;
        loop {
            // A key is never unfinished: what is left there is of an earlier failure.
            let key = match pairs.next_key_seed(One(work)) {
                Ok(Some(key)) => key,
                Ok(None) => break,
                Err(error) => {
                    work.unfinished = Some(Value::Node(dict));
                    return Err(error);
                }
            };
            match pairs.next_value_seed(One(work)) {
                Ok(value) => work.insert(dict, key, value),
                Err(error) => {
                    if let Some(value) = work.unfinished {
                        work.insert(dict, key, value);
                    }
                    work.unfinished = Some(Value::Node(dict));
                    return Err(error);
                }
            }
        }
        Ok(match work.reader.settle(dict, &mut work.heap) {
            Some(value) => work.replace(dict, value),
            None => Value::Node(dict),
        })
    }
}

impl Work<'_, '_> {
    fn append(&mut self, list: NodeId, item: Value) {
        let fits = self.heap.append(list, [item].into_iter());
        debug_assert!(fits, "made as a list");
    }

    fn insert(&mut self, dict: NodeId, key: Value, value: Value) {
        let fits = self.heap.insert(dict, [(key, value)].into_iter());
        debug_assert!(fits, "made as a dict");
    }

    /// A list of frames becomes a stack.
    fn settle_list(&mut self, list: NodeId) -> Value {
        let items = self.heap.items(Value::Node(list)).unwrap_or_default();
        let frames: Option<Vec<u32>> = items
            .iter()
            .map(|item| match item {
                Value::Thing(Thing { kind: FRAME, id }) => Some(*id),
                _ => None,
            })
            .collect();
        match frames {
            Some(frames) if !frames.is_empty() => {
                let id = self.reader.stacks.stack(&frames).0;
                self.replace(list, Value::Thing(Thing { kind: STACK, id }))
            }
            _ => Value::Node(list),
        }
    }
}
