//! How long ten million events take; run by hand:
//! `TIDEMARK_SPEED=10000000 cargo test --release -p ingest lives::tests::speed -- --nocapture`.
