//! The schemas of tobu's tests and examples, as generated types.

include!(concat!(env!("OUT_DIR"), "/tobu.rs"));

/// The messages of `tests/corpus/`.
pub mod corpus {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
}

/// The messages of the tests of JSON.
pub mod known {
    include!(concat!(env!("OUT_DIR"), "/known.rs"));
}

/// The messages of the benchmarks' data sets, where these are at hand.
#[cfg(tobu_datasets)]
pub mod datasets {
    include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
}
