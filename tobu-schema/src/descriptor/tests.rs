//! Tests of the linked schema, on descriptors built from the raw structs.

mod build;
mod builders;
mod enum_names;
mod features;
mod findings;
mod hostile;
mod numbers;
mod pool;
