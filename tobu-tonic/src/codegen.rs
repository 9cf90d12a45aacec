//! What generated clients and servers name; the rest of the crate is for people.
//!
//! The output of `tobu-build` and this module have the same version.

pub use futures_core::Stream;
pub use tonic::codec::CompressionEncoding;
pub use tonic::server::NamedService;
pub use tower_service::Service;
pub use {http, tonic};

pub use crate::client::{Caller, Transport};
pub use crate::server::{Answer, RequestBody, Settings, unimplemented};
