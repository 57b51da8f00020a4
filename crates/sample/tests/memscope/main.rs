//! Dumps of `msMemScope`, read back with nothing but SQLite and held against their truth.

mod faithful;
mod odd;
mod read;
mod truthful;
mod walk;
