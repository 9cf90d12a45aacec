//! The whole stack: an HTTP client and server on the loopback, with a gRPC service behind.
#![cfg(feature = "tower")]

mod deadlines;
mod desk;
mod documents;
mod errors;
mod limits;
mod serve;
mod streams;
mod unary;
