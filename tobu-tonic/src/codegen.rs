//! The items that generated clients and servers use. Do not use them in your own code.
//!
//! Generated code works with the version of this crate that equals the version of `tobu-build`.

pub use futures_core::Stream;
pub use tonic::codec::CompressionEncoding;
pub use tonic::server::NamedService;
pub use tonic::service::interceptor::{InterceptedService, Interceptor};
pub use tower_service::Service;
pub use {http, tonic};

pub use crate::__connect as connect;
pub use crate::client::{Caller, StdError, Transport, no_side_effects};
pub use crate::server::{Answer, BoxStream, Calls, RequestBody, Settings, not_implemented, unimplemented};

/// Adds `connect` to a generated client. This macro, not the generated code, depends on the feature `channel`.
#[cfg(feature = "channel")]
#[doc(hidden)]
#[macro_export]
macro_rules! __connect {
    ($client:ident) => {
        impl $client<$crate::codegen::tonic::transport::Channel> {
            /// Connects to a server, and creates a client for the connection. An address looks like
            /// `http://[::1]:50051`.
            ///
            /// # Errors
            /// The address is not valid, or no server accepts the connection.
            pub async fn connect<A>(
                address: A,
            ) -> ::core::result::Result<Self, $crate::codegen::tonic::transport::Error>
            where
                A: ::core::convert::TryInto<$crate::codegen::tonic::transport::Endpoint>,
                A::Error: ::core::convert::Into<$crate::codegen::StdError>,
            {
                let inner = $crate::codegen::Caller::connect(address).await?;
                ::core::result::Result::Ok(Self { inner })
            }
        }
    };
}

/// Adds nothing to a generated client, because `connect` needs the feature `channel`.
#[cfg(not(feature = "channel"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __connect {
    ($client:ident) => {};
}
