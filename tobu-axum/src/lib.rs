//! Protobuf messages as the bodies of axum requests and responses.
//!
//! [`ProtoJson`] is an extractor and a response for messages in ProtoJSON. [`Protobuf`] is an extractor and a response for
//! messages in the binary format. Both types reject an invalid request with a [`Problem`], which names the field and the
//! position of the error in the body.
//!
//! ```
//! use axum::{Router, routing::post};
//! use tobu::types::Duration;
//! use tobu_axum::ProtoJson;
//!
//! async fn double(ProtoJson(duration): ProtoJson<Duration>) -> ProtoJson<Duration> {
//!     ProtoJson(Duration::new(2 * duration.seconds, 0))
//! }
//!
//! let app: Router = Router::new().route("/double", post(double));
//! # let _ = app;
//! ```
#![forbid(unsafe_code)]

mod body;
mod problem;

pub use body::{ProtoJson, Protobuf};
pub use problem::Problem;
