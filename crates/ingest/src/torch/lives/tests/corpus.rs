//! Corpus.
