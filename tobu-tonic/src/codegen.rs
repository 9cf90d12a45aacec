//! What generated clients and servers name; the rest of the crate is for people.
//!
//! The output of `tobu-build` and this module have the same version.

pub use futures_core::Stream;
pub use tonic::codec::CompressionEncoding;
pub use tonic::server::NamedService;
pub use tonic::service::interceptor::{InterceptedService, Interceptor};
pub use tower_service::Service;
pub use {http, tonic};

pub use crate::__connect as connect;
pub use crate::client::{Caller, StdError, Transport};
pub use crate::server::{Answer, BoxStream, Calls, RequestBody, Settings, not_implemented, unimplemented};

/// Gives a generated client `connect`. Whether it has one is decided here, by the feature, and not in generated code.
#[cfg(feature = "channel")]
#[doc(hidden)]
#[macro_export]
macro_rules! __connect {
    ($client:ident) => {
        impl $client<$crate::codegen::tonic::transport::Channel> {
            /// A client with a connection of its own to a server: `http://[::1]:50051`.
            ///
            /// # Errors
            /// The address is none, or nobody answers there.
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

/// Without the feature `channel`, clients have no `connect`.
#[cfg(not(feature = "channel"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __connect {
    ($client:ident) => {};
}
