//! The bodies of requests and responses.

use axum_core::body::Body;
use axum_core::extract::{FromRequest, OptionalFromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use tobu::{DecodeOptions, Deserialize, Encode, Message, json};

use crate::Problem;

/// A message as ProtoJSON.
///
/// As an argument of a handler, `ProtoJson` reads a body of type `application/json`, or of a type whose name ends in `+json`.
/// It rejects a body of another type with status 415, and a text that is not JSON of the message with status 400. Each
/// rejection is a [`Problem`]. As the result of a handler, `ProtoJson` writes a body of type `application/json`. The message
/// may also be a `DynamicMessage`.
///
/// If the request has JSON options in an extension, these options are used for reading:
///
/// ```
/// use axum::{Extension, Router, routing::post};
/// use tobu::{json, types::Duration};
/// use tobu_axum::ProtoJson;
///
/// async fn seconds(ProtoJson(duration): ProtoJson<Duration>) -> String {
///     duration.seconds.to_string()
/// }
///
/// let app: Router = Router::new()
///     .route("/seconds", post(seconds))
///     .layer(Extension(json::Options::new().ignore_unknown(true)));
/// # let _ = app;
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/json/>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProtoJson<M>(
    /// The message.
    pub M,
);

/// A message in the binary format.
///
/// As an argument of a handler, `Protobuf` reads a body of type `application/protobuf`, `application/x-protobuf` or
/// `application/vnd.google.protobuf`. It rejects a body of another type with status 415, and invalid bytes with status 400.
/// Each rejection is a [`Problem`]. As the result of a handler, `Protobuf` writes a body of type `application/protobuf`.
///
/// If the request has [`DecodeOptions`] in an extension, these options are used for reading. `Extension(DecodeOptions::new())`
/// is a layer that adds them.
///
/// ```
/// use axum::{Router, routing::post};
/// use tobu::types::Duration;
/// use tobu_axum::Protobuf;
///
/// async fn double(Protobuf(duration): Protobuf<Duration>) -> Protobuf<Duration> {
///     Protobuf(Duration::new(2 * duration.seconds, 0))
/// }
///
/// let app: Router = Router::new().route("/double", post(double));
/// # let _ = app;
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/encoding/>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Protobuf<M>(
    /// The message.
    pub M,
);

/// Returns the type of a body, without parameters and in lower case. Returns `None` if the request does not declare the type.
fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or(value).trim().to_ascii_lowercase())
}

fn is_json(ty: &str) -> bool {
    let subtype = ty.strip_prefix("application/");
    subtype.is_some_and(|subtype| subtype == "json" || subtype.ends_with("+json"))
}

fn is_protobuf(ty: &str) -> bool {
    ["application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"].contains(&ty)
}

/// Reads the bytes of a body, if its type is accepted. Also returns the options in the request's extensions.
async fn read<S: Send + Sync, O: Clone + Default + Send + Sync + 'static>(
    request: Request,
    state: &S,
    (fits, wanted): (fn(&str) -> bool, &str),
) -> Result<(Bytes, O), Problem> {
    if !content_type(request.headers()).is_some_and(|ty| fits(&ty)) {
        let detail = format!("expected a body of type {wanted}");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let options = request.extensions().get::<O>().cloned().unwrap_or_default();
    match Bytes::from_request(request, state).await {
        Ok(bytes) => Ok((bytes, options)),
        Err(rejection) => Err(Problem::new(rejection.status(), rejection.body_text())),
    }
}

impl<M: Message + for<'de> Deserialize<'de>, S: Send + Sync> FromRequest<S> for ProtoJson<M> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (body, options): (_, json::Options) = read(request, state, (is_json, "application/json")).await?;
        options.from_slice(&body).map(ProtoJson).map_err(Problem::from)
    }
}

/// Extracts `None` if the request has no content type.
impl<M: Message + for<'de> Deserialize<'de>, S: Send + Sync> OptionalFromRequest<S> for ProtoJson<M> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Problem> {
        match request.headers().contains_key(CONTENT_TYPE) {
            true => <Self as FromRequest<S>>::from_request(request, state).await.map(Some),
            false => Ok(None),
        }
    }
}

impl<M: Message + for<'de> Deserialize<'de>, S: Send + Sync> FromRequest<S> for Protobuf<M> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (body, options): (_, DecodeOptions) =
            read(request, state, (is_protobuf, "application/protobuf")).await?;
        options.from_bytes(&body).map(Protobuf).map_err(Problem::from)
    }
}

/// Extracts `None` if the request has no content type.
impl<M: Message + for<'de> Deserialize<'de>, S: Send + Sync> OptionalFromRequest<S> for Protobuf<M> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Problem> {
        match request.headers().contains_key(CONTENT_TYPE) {
            true => <Self as FromRequest<S>>::from_request(request, state).await.map(Some),
            false => Ok(None),
        }
    }
}

/// Creates a response with this body. If the message could not be written, for example because a required field is missing, the
/// response has the status 500.
fn respond(body: tobu::Result<Vec<u8>>, ty: &'static str) -> Response {
    match body {
        Ok(body) => ([(CONTENT_TYPE, ty)], Body::from(body)).into_response(),
        Err(error) => Problem::of_error(StatusCode::INTERNAL_SERVER_ERROR, error).into_response(),
    }
}

impl<M: Encode> ProtoJson<M> {
    /// Creates a response with options, for example to write unset fields with their default values.
    ///
    /// ```
    /// use http::StatusCode;
    /// use tobu::{json, types::Duration};
    /// use tobu_axum::ProtoJson;
    ///
    /// let response = ProtoJson(Duration::new(1, 0)).into_response_with(&json::Options::new().pretty(true));
    /// assert_eq!(response.status(), StatusCode::OK);
    /// ```
    pub fn into_response_with(self, options: &json::Options) -> Response {
        respond(options.to_vec(&self.0), "application/json")
    }
}

impl<M: Encode> IntoResponse for ProtoJson<M> {
    fn into_response(self) -> Response {
        self.into_response_with(&json::Options::new())
    }
}

impl<M: Encode> IntoResponse for Protobuf<M> {
    fn into_response(self) -> Response {
        respond(tobu::to_vec(&self.0), "application/protobuf")
    }
}
