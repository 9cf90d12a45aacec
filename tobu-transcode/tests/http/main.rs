//! The whole stack: an HTTP client and server on the loopback, with a gRPC service behind.
#![cfg(feature = "tower")]

mod channel;
mod connect;
#[cfg(feature = "remote")]
mod connect_client;
mod cors;
mod deadlines;
mod desk;
mod documents;
mod envoy;
mod errors;
mod grpc_gateway;
mod grpc_web;
#[cfg(feature = "gzip")]
mod gzip;
mod head;
mod hostile;
mod infer;
mod limits;
mod linger;
mod lists;
mod live;
mod metrics;
mod observe;
mod origin;
mod raw_content;
#[cfg(feature = "remote")]
mod remote;
mod serve;
mod streams;
#[cfg(feature = "opentelemetry")]
mod telemetry;
mod unary;
mod upstream;
#[cfg(feature = "zstd")]
mod zstd;
