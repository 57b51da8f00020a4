//! The types export to TypeScript as the page expects them.

use crate::{
    Annotations, AnnotationsQuestion, BlockDetails, DiffQuestion, Difference, LiveSet, Opened,
    ProgressNow, SceneQuestion, WireError,
};
use specta::Types;
use specta_typescript::Typescript;

fn exported() -> String {
    let types = Types::default()
        .register::<Opened>()
        .register::<BlockDetails>()
        .register::<LiveSet>()
        .register::<Annotations>()
        .register::<SceneQuestion>()
        .register::<AnnotationsQuestion>()
        .register::<DiffQuestion>()
        .register::<Difference>()
        .register::<ProgressNow>()
        .register::<WireError>();
    Typescript::default().export(&types, specta_serde::Format).unwrap()
}

#[test]
fn numbers_are_plain_numbers_in_typescript() {
    let text = exported();
    assert!(text.contains("size: number"), "{text}");
    assert!(text.contains("first_us: number | null"), "{text}");
    assert!(text.contains("peak: Totals<Peak>"), "{text}");
    assert!(text.contains("start: Totals<number>"), "{text}");
    assert!(!text.contains("bigint"), "{text}");
    // A NaN would be null on the wire: no field that is always there may say so.
    assert!(text.contains("opened_ms: number\n") || text.contains("opened_ms: number,"), "{text}");
}
