//! Names that a page must show as they are.

/// What the names of a recording end in where they are to be markup. Taken for markup, it leaves
/// an element and `window.taken` behind. Nothing in it has a meaning in a path, an owner or `Attr`.
pub const MARKUP: &str = "<img src=x onerror=window.taken=1 data-hostile>";
