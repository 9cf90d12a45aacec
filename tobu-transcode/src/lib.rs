//! HTTP and JSON in front of gRPC services, by their `google.api.http` rules.
//!
//! Rules are read from the options of methods, whose pool may have been loaded at run time, or from a service
//! configuration. They are compiled once into a [`Router`]; a request then goes from path, query and JSON straight to
//! the bytes of its message, and a response from bytes to JSON, with no message in between.
//!
//! ```
//! # let pool = tobu_transcode_schemas::pool();
//! use http::Method;
//! use tobu_transcode::{Request, Router};
//!
//! let router = Router::builder().service(&pool.service("library.v1.Library").unwrap()).build()?;
//!
//! let found = router.find(&Method::GET, "/v1/shelves/fiction/books/dune")?;
//! let mut message = Vec::new();
//! found.bind(&Request::new().query("view=VIEW_FULL"), &mut message)?;
//! assert_eq!(found.route().grpc_path(), "/library.v1.Library/GetBook");
//! assert_eq!(message, b"\x10\x02\x0a\x1ashelves/fiction/books/dune");
//!
//! let mut json = Vec::new();
//! found.route().respond(router.options(), b"\x12\x04Dune\x20\x9c\x03", &mut json)?;
//! assert_eq!(json, br#"{"title":"Dune","pageCount":412}"#);
//! # Ok::<(), tobu_transcode::Error>(())
//! ```
//!
//! # What there is
//!
//! | for | see |
//! | --- | --- |
//! | path templates | [`Template`] |
//! | rules | [`HttpRule`], [`ServiceConfig`] |
//! | finding the rule of a request | [`Router`], [`Route`], [`Match`] |
//! | request messages | [`Match::bind`], [`Match::bind_next`], [`Request`] |
//! | response bodies | [`Route::respond`], [`Content`] |
//! | choices that the specification leaves open | [`Options`] |
//! | streams of messages | [`Framing`], [`StreamEncoder`], [`LineDecoder`], [`FrameDecoder`] |
//! | headers and metadata | [`request_metadata`], [`response_metadata`], [`request_timeout`] |
//! | a description as OpenAPI | [`openapi`] |
//! | what went wrong | [`Error`], [`Status`], [`Code`] |
//!
//! # In front of a service
//!
//! With the feature `tower`, on by default, a `Transcoder` is a tower layer in front of any service that takes gRPC:
//!
//! ```
//! # #[cfg(feature = "tower")] {
//! # let pool = tobu_transcode_schemas::pool();
//! # let grpc = tower::service_fn(|_: http::Request<Body>| async {
//! #     Ok::<_, std::convert::Infallible>(http::Response::new(Body::empty()))
//! # });
//! use tobu_transcode::{Body, Transcoder};
//! use tower::Layer;
//!
//! let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build()?;
//! let service = transcoder.layer(grpc);
//! # let _ = tower::ServiceExt::<http::Request<Body>>::oneshot(service, http::Request::new(Body::empty()));
//! # }
//! # Ok::<(), tobu_transcode::Error>(())
//! ```
//!
//! `Live` is the same with rules that change while they serve: those of a descriptor set that is followed (`DescriptorFile`), of
//! what another server tells (`RemoteSchema`, with the feature `remote`), or of any other `SchemaSource`.
//!
//! The builder's `openapi` and `page` serve the description of the rules, and a page on which
//! people can try their operations.
//!
//! A channel whose requests have a body of its own type is put behind `map_request`, which turns `Body` into it.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `tower` | yes | the layer and its service, and rules that change |
//! | `gzip` | yes | requests that come compressed, and responses that go so |
//! | `zstd` | no | requests that come compressed with zstd |
//! | `remote` | no | `RemoteSchema`: what a server tells of itself; builds tonic, without a transport |
//!
//! Specification: <https://github.com/googleapis/googleapis/blob/master/google/api/http.proto>.

mod answer;
mod bind;
mod code;
mod error;
mod metadata;
pub mod openapi;
mod options;
mod percent;
mod route;
mod router;
mod rule;
#[cfg(feature = "tower")]
mod service;
mod status;
mod stream;
mod template;
mod value;

pub use answer::Content;
pub use bind::Request;
pub use code::Code;
pub use error::{Category, Error, Result};
pub use metadata::{METADATA_PREFIX, request_metadata, request_timeout, response_metadata};
pub use options::Options;
pub use percent::Decode;
pub use route::{HttpMethod, RequestBody, ResponseBody, Route};
pub use router::{Match, Router, RouterBuilder};
pub use rule::{CustomPattern, HTTP_EXTENSION, HttpRule, Pattern, ServiceConfig};
#[cfg(feature = "remote")]
pub use service::RemoteSchema;
#[cfg(feature = "tower")]
pub use service::{
    Body, BoxError, DescriptorFile, Ending, Live, Observer, Outcome, RawContent, SchemaSource,
    TranscodeService, Transcoder, TranscoderBuilder,
};
pub use status::Status;
pub use stream::{Frame, FrameDecoder, Framing, LineDecoder, StreamEncoder, frame_header};
pub use template::{Segment, Template, Variable};
