//! Tests of the linked schema, on descriptors built from the raw structs.

mod build;
mod features;
mod hostile;
mod numbers;
mod pool;
