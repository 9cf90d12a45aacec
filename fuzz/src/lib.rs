//! Hostile input for every reader of tobu, and the properties that must hold for each.
//!
//! A [`Target`] is a function of bytes that panics if a property does not hold; [`targets`] lists the properties.
//! `fuzz-loop` feeds it with valid input and mutations of it; `fuzz_targets/` has the same functions and mutations for
//! libFuzzer. [`subject`] defines the meaning of an input, [`known`] the allowed differences between paths of the
//! library.

pub mod corpus;
pub mod generate;
pub mod known;
pub mod mutate;
pub mod oracle;
pub mod pieces;
pub mod rng;
pub mod settings;
pub mod subject;
pub mod targets;
pub mod typed;

// The generators of random schemas and messages are those of the property tests; the types are those
// of the corpus.
#[path = "../../tests/memory/counting.rs"]
mod counting;
#[allow(dead_code, reason = "the properties need more of it")]
#[path = "../../tests/properties/entropy.rs"]
mod entropy;
#[allow(dead_code, reason = "only the differential runs want all kinds of schemas")]
#[path = "../../tests/properties/schema.rs"]
mod schema;
#[path = "../../tests/properties/tree.rs"]
mod tree;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "../../tests/corpus/types.rs"]
mod types;
#[allow(dead_code, reason = "as above")]
#[path = "../../tests/properties/wire.rs"]
mod wire;

/// The messages of the tests as types that borrow.
#[allow(missing_docs)]
pub mod views {
    include!(concat!(env!("OUT_DIR"), "/views.rs"));
}

/// The messages of the tests as types with private members.
#[allow(missing_docs)]
pub mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

/// The same with lazy fields.
#[allow(missing_docs)]
pub mod lazy {
    include!(concat!(env!("OUT_DIR"), "/lazy.rs"));
}

/// The messages of the tests as types with `Bytes`, `Box<str>` and `VecMap` members.
#[allow(missing_docs)]
pub mod shared {
    include!(concat!(env!("OUT_DIR"), "/shared.rs"));
}

pub use targets::{TARGETS, Target, target};

#[cfg(feature = "libfuzzer")]
pub mod libfuzzer;
