//! gRPC for [`tobu`] messages, on [`tonic`].
//!
//! # Generated clients and servers
//!
//! `tobu-build` makes them next to the messages, in `build.rs`:
//!
//! ```ignore
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     tobu_build::Config::new().client(true).server(true).compile(&["proto/reading.proto"], &["proto"])?;
//!     Ok(())
//! }
//! ```
//!
//! A service `ReadingRoom` gives the modules `reading_room_client` and `reading_room_server`. A server implements the
//! trait; its functions are `async fn`s, without a macro:
//!
//! ```
//! # use tobu_tonic_service::{Lines, run};
//! use tobu_tonic_service::reading::v1::{self as reading, reading_room_client, reading_room_server};
//! use tonic::{Request, Response, Status, Streaming};
//!
//! struct Desk;
//!
//! impl reading_room_server::ReadingRoom for Desk {
//!     async fn borrow(
//!         &self,
//!         request: Request<reading::BorrowRequest>,
//!     ) -> Result<Response<reading::Book>, Status> {
//!         let title = request.into_inner().title;
//!         Ok(Response::new(reading::Book { title, pages: 412, ..reading::Book::default() }))
//!     }
//!     // ...
//! #   type BrowseStream = Lines<reading::Book>;
//! #   type TalkStream = Lines<reading::Line>;
//! #   async fn browse(&self, _: Request<reading::BrowseRequest>) -> Result<Response<Self::BrowseStream>, Status> {
//! #       Err(Status::aborted(""))
//! #   }
//! #   async fn r#return(&self, _: Request<Streaming<reading::Book>>) -> Result<Response<reading::Receipt>, Status> {
//! #       Err(Status::aborted(""))
//! #   }
//! #   async fn talk(&self, _: Request<Streaming<reading::Line>>) -> Result<Response<Self::TalkStream>, Status> {
//! #       Err(Status::aborted(""))
//! #   }
//! }
//!
//! # run(async {
//! let server = reading_room_server::ReadingRoomServer::new(Desk);
//!
//! // A server is a service like any other: it goes to `tonic::transport::Server::add_service`, and a client in the
//! // same process can call it directly. Over a network the client takes a `tonic::transport::Channel` instead.
//! let mut client = reading_room_client::ReadingRoomClient::new(server);
//! let request = reading::BorrowRequest { title: "Dune".into(), ..reading::BorrowRequest::default() };
//! assert_eq!(client.borrow(request).await?.into_inner().pages, 412);
//! # Ok(())
//! # });
//! ```
//!
//! Layers, TLS and all else are tonic's; interceptors, too, by `ReadingRoomClient::with_interceptor(channel, f)`.
//!
//! # What there is
//!
//! | for | see |
//! | --- | --- |
//! | typed messages in tonic | [`TobuCodec`] |
//! | messages that are borrowed from a pool | [`PooledCodec`] |
//! | messages that are read by accessors, without a struct | [`ParsedCodec`] |
//! | messages known only at run time | [`DynamicCodec`] |
//! | messages that borrow from what came, or stay bytes | [`Encoded`], [`EncodedCodec`] |
//! | calls of any method by its descriptor | [`DynamicClient`] |
//! | `grpcurl` and other clients without a schema | [`ReflectionService`] |
//! | the schema of another server | [`reflection::ReflectionClient`] |
//! | load balancers and probes that ask whether a server serves | [`HealthService`] |
//! | the details of errors, as `google.rpc` has them | [`rpc`] |
//! | what a client can send calls through | [`Transport`] |
//! | calls by Connect, also over HTTP/1.1 | `Connect`, with the feature `connect` |
//! | what generated code names | [`codegen`] |
//!
//! # Features
//!
//! `health`, on by default, is the health checking service. `reflection`, on by default, is the server reflection service and a client of it. `rpc`, on by default, is the details of
//! errors. `connect` lets clients speak Connect in place of gRPC. `channel` gives generated clients `connect`, which opens a `tonic::transport::Channel` for them:
//!
//! ```
//! # use tobu_tonic_service::{Room, reading::v1::{self as reading, reading_room_client, reading_room_server}, run};
//! # run(async {
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! # let address = format!("http://{}", listener.local_addr()?);
//! # let server = reading_room_server::ReadingRoomServer::new(Room::default());
//! # let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
//! # tokio::spawn(tonic::transport::Server::builder().add_service(server).serve_with_incoming(incoming));
//! let mut client = reading_room_client::ReadingRoomClient::connect(address).await?;
//! # let request = reading::BorrowRequest { title: "Dune".into(), ..reading::BorrowRequest::default() };
//! # assert_eq!(client.borrow(request).await?.into_inner().pages, 412);
//! # Ok(())
//! # });
//! ```
//!
//! The features of tonic (`transport`, compression, TLS) are turned on by a dependency on `tonic` of one's own.

#[cfg(feature = "channel")]
mod channel;
mod client;
pub mod codec;
pub mod codegen;
#[cfg(feature = "connect")]
mod connect;
mod dynamic;
#[cfg(feature = "health")]
pub mod health;
#[cfg(feature = "reflection")]
pub mod reflection;
#[cfg(feature = "rpc")]
pub mod rpc;
mod server;
#[cfg(feature = "reflection")]
mod stream;

pub use client::Transport;
pub use codec::{DynamicCodec, Encoded, EncodedCodec, ParsedCodec, PooledCodec, TobuCodec};
#[cfg(feature = "connect")]
pub use connect::Connect;
pub use dynamic::DynamicClient;
#[cfg(feature = "health")]
pub use health::HealthService;
#[cfg(feature = "reflection")]
pub use reflection::ReflectionService;

// The generated code of the services names this crate as others do.
#[allow(unused_extern_crates)]
extern crate self as tobu_tonic;
