//! (layout)
