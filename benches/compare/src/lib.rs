//! The peers' types of the schemas that tobu's tests use, next to tobu's.

/// `tests/schemas/proto/corpus/`, by prost.
#[allow(missing_docs)]
pub mod prost_corpus {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
    pub use corpus::{v2, v3};
}

/// The benchmarks' data sets, by prost.
#[cfg(tobu_datasets)]
#[allow(missing_docs)]
pub mod prost_datasets {
    include!(concat!(env!("OUT_DIR"), "/datasets/datasets.rs"));
}

/// tobu's types.
pub use tobu_schemas;
