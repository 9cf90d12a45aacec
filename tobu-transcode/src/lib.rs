//! Serves gRPC services as HTTP and JSON. The `google.api.http` rules of a service say which requests call which methods.
//!
//! The rules come from the options of methods or from a service configuration. The pool with the methods may be loaded at
//! run time. The rules are compiled once into a [`Router`]. The path, the query and the JSON body of a request are converted
//! directly to the bytes of the request message, and the bytes of a response are converted to JSON. No message is built in
//! memory.
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
//! # Contents
//!
//! | for | see |
//! | --- | --- |
//! | path templates | [`Template`] |
//! | rules | [`HttpRule`], [`ServiceConfig`] |
//! | finding the rule of a request | [`Router`], [`Route`], [`Match`] |
//! | request messages | [`Match::bind`], [`Match::bind_next`], [`Request`] |
//! | response bodies | [`Route::respond`], [`Content`] |
//! | parts of responses | [`TranscodeOptions::fields`], [`Route::response_fields`], [`Route::respond_fields`] |
//! | long lists, converted while they are received | [`Route::respond_in_chunks`], `TranscoderBuilder::stream_lists` |
//! | choices that the specification leaves open | [`TranscodeOptions`] |
//! | streams of messages | [`Framing`], [`StreamEncoder`], [`LineDecoder`], [`FrameDecoder`] |
//! | headers and metadata | [`request_metadata`], [`response_metadata`], [`request_timeout`] |
//! | descriptions as OpenAPI documents | [`openapi`] |
//! | errors | [`Error`], [`BadRule`], [`Status`], [`Code`] |
//!
//! # In front of a service
//!
//! With the feature `tower`, on by default, a `Transcoder` is a tower layer for any service that takes gRPC requests:
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
//! The layer also serves every method, with or without a rule, to clients of Connect and of gRPC-Web. It forwards gRPC
//! requests unchanged. So clients of REST, Connect, gRPC-Web and gRPC can use one port.
//!
//! `Live` is such a layer with rules that change while the program runs. The rules come from a descriptor set that is read
//! again when its file changes (`DescriptorFile`), from the reflection service of another server (`RemoteSchema`, with the
//! feature `remote`), or from any other `SchemaSource`.
//!
//! The builder's `openapi` serves the OpenAPI document of the rules, and its `page` serves a page on which people can try
//! the operations.
//!
//! If a channel takes requests with a body type of its own, wrap the channel with `map_request`, and convert `Body` to that
//! type.
//!
//! # Facing the internet
//!
//! The layer refuses requests that are malformed, too long or nested too deep before it calls the service. The limits are on
//! by default (see `TranscoderBuilder` and [`TranscodeOptions::max_query_parameters`]). If strangers can reach the port, you
//! must also know the following:
//!
//! * *Every method is open*, by its rules and with gRPC, gRPC-Web and [Connect](https://connectrpc.com/docs/protocol). The
//!   layer forwards `Authorization` to the service, and does not authenticate users. Put a layer that checks tokens between
//!   this layer and the service. There, every call has the path of its gRPC method, whether the client sent gRPC or JSON.
//! * *A browser adds only cookies to a request.* For calls with rules, the layer does not forward `Cookie`, unless you list
//!   it with the builder's `header`. If you use cookies, or trust every client in your network, check the header `Origin`,
//!   too. A page of another origin can make a browser send a `GET`, or a `POST` whose body has no content type.
//! * *Uploaded files are sent to other users.* The service sets the content type of the bytes of a `google.api.HttpBody`, and
//!   often uses a type that a stranger sent. By default, the browser saves these bytes as a file, and if the browser shows them
//!   anyway, it does so in a sandbox (`RawContent::Download`). For single methods you can allow that the browser shows them.
//!   Responses that the layer writes have `X-Content-Type-Options: nosniff`. The policy of the OpenAPI page lets the browser
//!   run only that page's own script.
//! * *Headers of the service* get the prefix `Grpc-Metadata-`, so that no browser acts on them. With `response_header` you
//!   select headers that keep their names. With gRPC, gRPC-Web and Connect, all headers are forwarded in both directions,
//!   because these protocols require it.
//! * *Clients do not see internal errors.* If a connection or a decoder fails, or a response is not valid, the reason is in
//!   the log, and in `Ending::detail` for an `Observer`. The messages of the service's statuses are sent to clients.
//! * *Time.* A client must send a request of one message within 30 seconds (`read_timeout`). If the client sets no deadline,
//!   the call has none, unless you set a `timeout`. The layer converts streams only as fast as the client reads them, 64 KiB
//!   at a time. A client that does not read takes little memory, but for as long as its connection lasts.
//! * *Your server must do the rest*: limit the number of connections and calls, and the size and the time of the headers of
//!   a request. It must also handle clients that cancel calls as fast as they make them, that do not read, or that call too
//!   often. `examples/gateway` in the repository sets all of these limits, and has a test of an attack for each.
//!
//! The threat model of the whole project is in its
//! [`SECURITY.md`](https://github.com/tobu-rs/tobu/blob/main/SECURITY.md).
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `tower` | yes | the layer and its service, and rules that change |
//! | `gzip` | yes | requests and responses that are compressed with gzip |
//! | `zstd` | no | requests that are compressed with zstd |
//! | `opentelemetry` | no | `Telemetry`: an observer that records durations with a meter of OpenTelemetry |
//! | `remote` | no | `RemoteSchema`; conversions of tonic's codes and statuses; builds tonic, without a transport |
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
    Body, BoxError, Cors, DescriptorFile, Ending, Forwarded, Live, Metrics, Observer, Outcome, Peer,
    RawContent, RequestId, SchemaSource, TranscodeService, Transcoder, TranscoderBuilder,
};
pub use status::Status;
pub use stream::{Frame, FrameDecoder, Framing, LineDecoder, StreamEncoder, frame_header};
pub use template::{Segment, Template, Variable};
#[doc(no_inline)]
pub use tobu::rpc;
