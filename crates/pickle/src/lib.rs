//! (pickle)
