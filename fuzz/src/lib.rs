//! Hostile input for every reader of tobu, and what must hold of each.
//!
//! A [`Target`] is a function of bytes that panics where something does not hold; [`targets`] says what does. `fuzz-loop` feeds
//! it with valid input and with what mutations make of that; `fuzz_targets/` has the same functions and mutations for
//! libFuzzer. [`subject`] says what an input is, [`known`] where ways through the library may differ.

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

// What makes random schemas and messages is that of the properties; the types are those of the corpus.
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

/// The messages of the tests as types with `Bytes`, `Box<str>` and `VecMap` members.
#[allow(missing_docs)]
pub mod shared {
    include!(concat!(env!("OUT_DIR"), "/shared.rs"));
}

pub use targets::{TARGETS, Target, target};

#[cfg(feature = "libfuzzer")]
pub mod libfuzzer;
