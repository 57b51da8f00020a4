//! Dumps of `msMemScope`, read back with nothing but SQLite and held against their truth.

mod faithful;
mod odd;
mod read;
mod shape;
mod truthful;
mod walk;
