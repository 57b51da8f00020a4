//! The wire's laws: scenes survive their encoding, types export, nonsense is answered.

mod compare;
mod diff;
mod dump;
mod flame;
mod holder;
mod nonsense;
mod pool;
mod scene;
mod table;
mod traced;
mod types;
