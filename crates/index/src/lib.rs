//! (index)
