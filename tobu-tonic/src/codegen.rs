//! What generated clients and servers name; the rest of the crate is for people.
//!
//! The output of `tobu-build` and this module have the same version.

pub use futures_core::Stream;
pub use tonic::codec::CompressionEncoding;
pub use tonic::server::NamedService;
pub use tower_service::Service;
pub use {http, tonic};

pub use crate::client::{
    Transport, call_client_streaming, call_server_streaming, call_streaming, call_unary,
};
pub use crate::server::{Answer, RequestBody, Settings, unimplemented};
