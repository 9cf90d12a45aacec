//! HTTP and JSON in front of gRPC services, by their `google.api.http` rules.
//!
//! Rules are read from the options of methods, whose pool may have been loaded at run time, or from a service
//! configuration. They are compiled once into a [`Router`]. A request then goes from path, query and JSON directly to
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
//! | parts of responses | [`TranscodeOptions::fields`], [`Route::response_fields`], [`Route::respond_fields`] |
//! | long lists, as they come | [`Route::respond_in_chunks`], `TranscoderBuilder::stream_lists` |
//! | choices that the specification leaves open | [`TranscodeOptions`] |
//! | streams of messages | [`Framing`], [`StreamEncoder`], [`LineDecoder`], [`FrameDecoder`] |
//! | headers and metadata | [`request_metadata`], [`response_metadata`], [`request_timeout`] |
//! | a description as OpenAPI | [`openapi`] |
//! | what went wrong | [`Error`], [`BadRule`], [`Status`], [`Code`] |
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
//! # let _ = tower::ServiceExt::oneshot(service, http::Request::new(Body::empty()));
//! # }
//! # Ok::<(), tobu_transcode::Error>(())
//! ```
//!
//! The layer also serves every method, with or without a rule, to clients of Connect and of gRPC-Web, and passes gRPC on, so that all
//! four share one port.
//!
//! `Live` is the same with rules that change while they serve: those of a descriptor set that is followed (`DescriptorFile`), of
//! what another server tells (`RemoteSchema`, with the feature `remote`), or of any other `SchemaSource`.
//!
//! The builder's `openapi` and `page` serve the description of the rules, and a page on which
//! people can try their operations.
//!
//! A channel whose requests have a body of its own type is put behind `map_request`, which turns `Body` into it.
//!
//! # Facing the internet
//!
//! Requests may be anything: what is malformed, too long or too deep is refused before there is a call, by limits that are on by
//! default (`TranscoderBuilder`, [`TranscodeOptions::max_query_parameters`]). What else you must know if strangers can reach the port:
//!
//! * *Every rule is open*, and so is every method: by gRPC, gRPC-Web and [Connect](https://connectrpc.com/docs/protocol).
//!   The layer carries `Authorization` to the service and knows no users. A layer behind it sees methods by their
//!   names, whether they were called as gRPC or as JSON: that is the place to ask for a token.
//! * *A browser adds cookies and nothing else.* By rules, `Cookie` does not cross unless it is listed by the builder's `header`; with cookies, or where
//!   it is enough to be in the same network, check `Origin`, too: a page elsewhere may send `GET`, and `POST` with a body of no type.
//! * *What is uploaded is given to others.* The bytes of a `google.api.HttpBody` have the type that the service says, which is often what a
//!   stranger said. They are files to save (`RawContent::Download`) and sandboxed by default; a method may say that a browser shows them. Everything
//!   that the layer writes has `X-Content-Type-Options: nosniff`, and the page a policy that lets its own script run and no other.
//! * *Headers of the service* come back under `Grpc-Metadata-`, where no browser acts on them; which of them are headers as they are is
//!   yours to say, by `response_header`. By gRPC, gRPC-Web and Connect all headers cross, both ways, because these protocols say so.
//! * *Clients do not see what goes on inside.* What a connection, a decoder or a response that is not valid failed with is in the log, and
//!   in `Ending::detail`, for an `Observer`. The messages of statuses are the service's, and go to clients.
//! * *Time.* A request that is one message has 30 seconds to come (`read_timeout`). A call without a deadline of its own has
//!   none unless there is a `timeout`. Streams are made as they are read, 64 KiB at a time: a client that
//!   reads nothing costs little, but for as long as the connection lasts.
//! * *The server around is the rest*: how many connections and calls there may be, how long heads may be and take. So are clients that give calls
//!   up as fast as they make them, read nothing, or call too often. `examples/gateway` in the repository sets all of these, and has an attack for each.
//!
//! The threat model of the whole project is in its
//! [`SECURITY.md`](https://github.com/tobu-rs/tobu/blob/main/SECURITY.md).
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `tower` | yes | the layer and its service, and rules that change |
//! | `gzip` | yes | requests that come compressed, and responses that go so |
//! | `zstd` | no | requests that come compressed with zstd |
//! | `opentelemetry` | no | `Telemetry`: an observer that records durations by a meter of OpenTelemetry |
//! | `remote` | no | `RemoteSchema`: what a server says of itself; codes and statuses of tonic; builds tonic, without a transport |
//!
//! Specification: <https://github.com/googleapis/googleapis/blob/master/google/api/http.proto>.

mod answer;
mod bind;
mod code;
mod error;
mod fields;
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
#[cfg(feature = "remote")]
mod tonic;
mod value;

pub use answer::Content;
pub use bind::Request;
pub use code::Code;
pub use error::{BadRule, Category, Error, Result};
pub use metadata::{METADATA_PREFIX, request_metadata, request_timeout, response_metadata};
pub use options::TranscodeOptions;
pub use percent::Decode;
pub use route::{HttpMethod, RequestBody, ResponseBody, Route};
pub use router::{Match, Router, RouterBuilder};
pub use rule::{CustomPattern, HTTP_EXTENSION, HttpRule, Pattern, ServiceConfig};
#[cfg(feature = "remote")]
pub use service::RemoteSchema;
#[cfg(feature = "opentelemetry")]
pub use service::Telemetry;
#[cfg(feature = "tower")]
pub use service::{
    Body, BoxError, Cors, DescriptorFile, Ending, Live, Metrics, Observer, Outcome, RawContent, SchemaSource,
    TranscodeService, Transcoder, TranscoderBuilder,
};
pub use status::Status;
pub use stream::{Frame, FrameDecoder, Framing, LineDecoder, StreamEncoder, frame_header};
pub use template::{Segment, Template, Variable};
#[doc(no_inline)]
pub use tobu::rpc;
