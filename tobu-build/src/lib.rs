//! Generates Rust types for [`tobu`](https://docs.rs/tobu) from `.proto` files.
//!
//! Messages become plain structs that derive `tobu::Message`, `tobu::Serialize` and `tobu::Deserialize`. The
//! descriptor of each file is embedded once. No encoder and no decoder is generated.
//!
//! # In a build script
//!
//! The generator needs no protoc. In `build.rs`:
//!
//! ```no_run
//! fn main() -> tobu_build::Result<()> {
//!     tobu_build::Config::new().compile(&["proto/library/v1/shelf.proto"], &["proto"])
//! }
//! ```
//!
//! In the crate, modules have the names of packages:
//!
//! ```ignore
//! mod proto {
//!     tobu::include_proto!();
//! }
//! use proto::library::v1::Shelf;
//! ```
//!
//! # What is generated
//!
//! From this schema
//!
//! ```text
//! syntax = "proto3";
//! package library.v1;
//!
//! // A shelf.
//! message Shelf {
//!   enum Kind { KIND_UNSPECIFIED = 0; KIND_WALL = 1; }
//!   string name = 1;
//!   optional string theme = 2;
//!   Kind kind = 3;
//!   oneof owner { string person = 4; fixed64 company = 5; }
//! }
//! ```
//!
//! the generator writes this code (here without the attributes and the descriptor):
//!
//! ```ignore
//! pub mod library {
//!     pub mod v1 {
//!         /// A shelf.
//!         pub struct Shelf {
//!             pub name: String,
//!             pub theme: Option<String>,
//!             pub kind: shelf::Kind,
//!             pub owner: Option<shelf::Owner>,
//!             pub unknown_fields: tobu::UnknownFields,
//!         }
//!         impl Shelf {
//!             /// `theme`, or its default where it is not set.
//!             pub fn theme(&self) -> &str { .. }
//!             // ... person, company
//!         }
//!         pub mod shelf {
//!             pub struct Kind(pub i32);
//!             impl Kind {
//!                 pub const UNSPECIFIED: Self = Self(0);
//!                 pub const WALL: Self = Self(1);
//!             }
//!             pub enum Owner { Person(String), Company(u64) }
//!         }
//!     }
//! }
//! ```
//!
//! Names follow Rust's conventions. Keywords are raw identifiers or get a trailing underscore. If two names would be
//! equal, the later one also gets an underscore. Messages that contain themselves are boxed. Messages store extensions
//! among their unknown fields. A service is only part of the descriptor, unless [`client`](Config::client) or
//! [`server`](Config::server) is set.
//!
//! Items have the attribute `#[rustfmt::skip]`, so that `cargo fmt` does not change a generated file in your repository.
//!
//! # Services
//!
//! With [`client`](Config::client) and [`server`](Config::server), and a dependency on `tobu-tonic`, the generator
//! turns a service
//!
//! ```text
//! // A desk.
//! service Desk {
//!   // Finds a shelf.
//!   rpc Find(FindRequest) returns (Shelf);
//!   rpc List(ListRequest) returns (stream Shelf);
//! }
//! ```
//!
//! into two modules next to the messages:
//!
//! ```ignore
//! pub mod desk_client {
//!     /// A desk.
//!     pub struct DeskClient<T> { .. }
//!     impl<T: Transport> DeskClient<T> {
//!         /// Finds a shelf.
//!         pub async fn find(&mut self, request: impl IntoRequest<FindRequest>) -> Result<Response<Shelf>, Status> { .. }
//!         // ...
//!     }
//! }
//! pub mod desk_server {
//!     /// A desk.
//!     pub trait Desk: Send + Sync + 'static {
//!         type ListStream: Stream<Item = Result<Shelf, Status>> + Send + 'static;
//!         /// Finds a shelf. An `async fn` will do.
//!         fn find(&self, request: Request<FindRequest>) -> impl Future<Output = Result<Response<Shelf>, Status>> + Send;
//!         // ...
//!     }
//!     pub struct DeskServer<T> { .. } // a service for tonic's `Server::add_service`
//! }
//! ```
//!
//! Both modules also contain the service's name and descriptor. Channels, interceptors and layers are the types of tonic.
//! With the feature `channel` of `tobu-tonic`, `DeskClient::connect(address)` opens a channel.
//!
//! # Other sources
//!
//! [`load`] returns the schema itself, for a program that uses the schema while it runs. [`load_sources`] returns the schema of
//! sources in memory. [`Config::compile_descriptor_set`] generates code from a `FileDescriptorSet`, and [`Config::generate`]
//! generates code from a [`tobu_schema::Pool`], without a build script. The program `protoc-gen-tobu` is a plugin for protoc
//! and buf, with the settings that [`run_plugin`] lists.
//!
//! By default, [`tobu_schema::source`] compiles the `.proto` files. With [`Config::protoc`], protoc compiles them.

mod compile;
mod config;
mod error;
mod generate;
mod hook;
mod names;
mod options;
mod output;
mod paths;
mod plugin;
mod protoc;

pub use compile::{load, load_sources};
pub use config::{Api, BytesType, Config, EnumType, MapType, StringType, Views};
pub use error::{Error, Result};
pub use generate::catalog;
pub use hook::{MessagePath, ServiceGenerator};
pub use paths::Paths;
pub use plugin::{SETTINGS, run_plugin, run_plugin_to};
/// The tokens that a [`ServiceGenerator`] returns.
pub use proc_macro2::TokenStream;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
