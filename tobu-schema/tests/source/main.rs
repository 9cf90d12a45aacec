//! The compiler of sources: what it takes, with descriptors as protoc writes them, and what it says about the others.

#![cfg(feature = "source")]

mod api;
mod cases;
mod protobuf;
mod rows;
mod sets;
