//! gRPC for [`tobu`] messages, on [`tonic`].
//!
//! # Generated clients and servers
//!
//! In `build.rs`, `tobu-build` generates clients and servers together with the messages:
//!
//! ```ignore
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     tobu_build::Config::new().client(true).server(true).compile(&["proto/reading.proto"], &["proto"])?;
//!     Ok(())
//! }
//! ```
//!
//! For a service `ReadingRoom`, it generates the modules `reading_room_client` and `reading_room_server`. To write a server,
//! implement the trait `ReadingRoom` with `async fn`s. No macro is needed:
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
//! Layers, TLS and everything else come from tonic. To use an interceptor of tonic, create the client with
//! `ReadingRoomClient::with_interceptor(channel, f)`.
//!
//! # Contents
//!
//! | for | see |
//! | --- | --- |
//! | typed messages in tonic | [`TobuCodec`] |
//! | messages that come from a pool and go back to it | [`PooledCodec`] |
//! | messages that are read with accessors, without a struct | [`ParsedCodec`] |
//! | messages known only at run time | [`DynamicCodec`] |
//! | messages that borrow from the received bytes, or that stay encoded | [`Encoded`], [`EncodedCodec`] |
//! | calls of any method by its descriptor | [`DynamicClient`] |
//! | `grpcurl` and other clients without a schema | [`ReflectionService`] |
//! | the schema of another server | [`reflection::ReflectionClient`] |
//! | load balancers and probes that ask whether a server serves | [`HealthService`] |
//! | the details of errors in `google.rpc` | [`rpc`] |
//! | the channels and services through which a client can send calls | [`Transport`] |
//! | calls with the Connect protocol, also over HTTP/1.1 | `Connect`, with the feature `connect` |
//! | the items that generated code uses | [`codegen`] |
//!
//! # Features
//!
//! * `health`, on by default, adds the health checking service.
//! * `reflection`, on by default, adds the server reflection service, and a client of this service.
//! * `rpc`, on by default, adds the details of errors.
//! * `connect` lets clients use the Connect protocol instead of gRPC.
//! * `channel` adds the function `connect` to generated clients, which opens a `tonic::transport::Channel`:
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
//! To turn on features of tonic (`transport`, compression, TLS), add `tonic` to the dependencies of your program.

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

// The generated code of the services in this crate refers to this crate as `tobu_tonic`, like the code of users.
#[allow(unused_extern_crates)]
extern crate self as tobu_tonic;
