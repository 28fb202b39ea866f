//! Specification against implementation: generators of histories, comparisons, vectors.
