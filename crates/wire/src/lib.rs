//! (wire)
