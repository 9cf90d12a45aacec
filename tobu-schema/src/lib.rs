//! Protocol Buffers schemas, and the syntax of the wire format: the part of [`tobu`](https://docs.rs/tobu) that knows schemas
//! but no Rust types of messages.
//!
//! A program that encodes or decodes messages depends on `tobu`, which re-exports all modules of this crate. Use this
//! crate alone in programs that only read, build, compare or print schemas, and in build scripts: it contains no codec,
//! so it is smaller.
//!
//! | module | contents |
//! | --- | --- |
//! | [`descriptor`] | the linked schema: [`Pool`], descriptors, features of editions, building, comparing, printing |
//! | [`source`] | the compiler for `.proto` files of every edition |
//! | [`files`] | the files of `google/protobuf/`, as embedded descriptors |
//! | [`wire`] | tags, varints, a reader and a writer for wire bytes, without a schema |
//! | [`error`] | [`Error`]: category, message, field path and position |
//! | [`limits`] | [`Limits`], which protect against hostile input |
//!
//! The feature `source`, on by default, adds the compiler; `prost-types` adds conversions of prost's descriptors.
#![deny(unsafe_code)]

pub mod descriptor;
pub mod error;
pub mod files;
pub mod limits;
#[doc(hidden)]
pub mod sort;
#[cfg(feature = "source")]
pub mod source;
pub mod wire;

pub use descriptor::Pool;
pub use error::{Category, Error, Position, Result, Segment};
pub use limits::Limits;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
