//! Protobuf messages as bodies of axum requests and responses.
//!
//! [`ProtoJson`] is an extractor and a response of ProtoJSON, [`Protobuf`] of the binary format. Both answer a request that
//! is not valid with a [`Problem`], which names the field and the place in the body where the error is.
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
