//! Lets clients make calls with the Connect protocol instead of gRPC, over any version of HTTP.
//!
//! This module is in layer 2 of the crate: it uses the client and the details of errors.
//!
//! Specification: <https://connectrpc.com/docs/protocol>.

mod error;
mod response;
mod send;

use std::mem;
use std::task::{Context, Poll};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, TE};
use http::{HeaderMap, Method, Request, Response, Uri, Version};
use tonic::Status;
use tonic::body::Body;
use tower_service::Service;

use self::response::{Whole, collect};
use self::send::{BoxFuture, SendOutsideBrowsers};
use crate::client::{Kind, NoSideEffects, StdError};

const PROTO: &str = "application/proto";
const STREAM: &str = "application/connect+proto";
const VERSION: HeaderName = HeaderName::from_static("connect-protocol-version");
const GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const GRPC_ACCEPT: HeaderName = HeaderName::from_static("grpc-accept-encoding");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const STREAM_ENCODING: HeaderName = HeaderName::from_static("connect-content-encoding");
const STREAM_ACCEPT: HeaderName = HeaderName::from_static("connect-accept-encoding");

/// Lets generated clients, and [`DynamicClient`](crate::DynamicClient), speak Connect through an HTTP client.
///
/// Connect needs no trailers, so HTTP/1.1 is enough for unary calls and for streams of answers. If the server answers while
/// the client still sends a stream of requests, the call needs HTTP/2. Metadata, errors with details, timeouts and
/// compression work the same as with gRPC.
///
/// In a browser (`wasm32-unknown-unknown`), the HTTP client and its futures need not be [`Send`], because clients that use
/// `fetch` are not. The body of a response must be `Send`.
///
/// ```no_run
/// # use tobu_tonic_service::reading::v1::{self as reading, reading_room_client::ReadingRoomClient};
/// # async fn call<C>(http_client: C) -> Result<(), Box<dyn std::error::Error>>
/// # where
/// #     C: tower_service::Service<http::Request<tonic::body::Body>, Response = http::Response<tonic::body::Body>>
/// #         + Clone + Send + 'static,
/// #     C::Future: Send, C::Error: Into<tobu_tonic::codegen::StdError>,
/// # {
/// use tobu_tonic::Connect;
///
/// // Such as `hyper_util::client::legacy::Client`.
/// let transport = Connect::new(http_client);
/// let mut client = ReadingRoomClient::with_origin(transport, "http://127.0.0.1:8080".parse()?);
/// let request = reading::BorrowRequest { title: "Dune".into(), ..reading::BorrowRequest::default() };
/// println!("{}", client.borrow(request).await?.into_inner().pages);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Connect<T> {
    inner: T,
    limit: usize,
    max_url: Option<usize>,
}

impl<T> Connect<T> {
    /// Creates a transport that speaks Connect through an HTTP client.
    pub fn new(inner: T) -> Self {
        Connect { inner, limit: 4 << 20, max_url: None }
    }

    /// Sets how many bytes the answer of a unary call may have before it is decompressed; 4 MiB by default. The
    /// `max_decoding_message_size` of the client limits the decompressed answer, and each message of a stream.
    #[must_use]
    pub fn max_answer_size(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Sends a unary call by `GET` if its method has the option `idempotency_level = NO_SIDE_EFFECTS`, so that caches may keep
    /// the answer. The message is then in the URL. If the URL would have more than `max_url` bytes, the call is a `POST`, like
    /// all calls without this setting. Most servers and proxies accept URLs of 8,000 bytes.
    ///
    /// A cache may answer a later call only if the server says so, for instance by the metadata `cache-control`.
    #[must_use]
    pub fn get_up_to(mut self, max_url: usize) -> Self {
        self.max_url = Some(max_url);
        self
    }
}

impl<T, R> Service<Request<Body>> for Connect<T>
where
    T: Service<Request<Body>, Response = Response<R>> + Clone + SendOutsideBrowsers + 'static,
    T::Future: SendOutsideBrowsers,
    T::Error: Into<StdError>,
    R: http_body::Body<Data = Bytes> + Send + 'static,
    R::Error: Into<StdError>,
{
    type Response = Response<Body>;
    type Error = StdError;
    type Future = BoxFuture<Result<Response<Body>, StdError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // Tower requires that the instance that reported readiness is called, not its clone.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let (limit, max_url) = (self.limit, self.max_url);
        Box::pin(async move {
            let Some(kind) = request.extensions().get::<Kind>().copied() else {
                let text = "only clients of tobu-tonic say what kind a call is, which Connect depends on";
                return Ok(Status::internal(text).into_http());
            };
            match kind {
                Kind::Unary => {
                    let request = unary(request, max_url).await?;
                    let response = inner.call(request).await.map_err(Into::into)?;
                    Ok(response::unary(response, limit).await)
                }
                Kind::Stream => {
                    let response = inner.call(stream(request)).await.map_err(Into::into)?;
                    Ok(response::stream(response).await)
                }
            }
        })
    }
}

/// Converts the request of a unary call. The message, without the frame of gRPC, becomes the body. If `max_url` is set and the
/// method has no side effects, the message goes into the URL, unless the URL would have more than `max_url` bytes.
async fn unary(request: Request<Body>, max_url: Option<usize>) -> Result<Request<Body>, StdError> {
    let (mut head, body) = request.into_parts();
    // The request comes from this program, so its size needs no limit.
    let mut frame = BytesMut::from(&collect(body, usize::MAX).await?[..]);
    if frame.len() < 5 {
        return Err("the call has no message".into());
    }
    let is_compressed = frame[0] == 1;
    let message = frame.split_off(5).freeze();
    let encoding = head.headers.remove(&GRPC_ENCODING).filter(|_| is_compressed);
    begin(&mut head.headers, PROTO, ACCEPT_ENCODING);
    head.version = Version::HTTP_11;
    let is_safe = head.extensions.get::<NoSideEffects>().is_some();
    if let Some(max) = max_url.filter(|_| is_safe)
        && let Some(url) = url_of(&head.uri, &message, encoding.as_ref(), max)
    {
        head.method = Method::GET;
        head.uri = url;
        // `CONTENT_TYPE` describes a body, and the URL already has the version.
        head.headers.remove(CONTENT_TYPE);
        head.headers.remove(VERSION);
        return Ok(Request::from_parts(head, Body::empty()));
    }
    if let Some(encoding) = encoding {
        head.headers.insert(CONTENT_ENCODING, encoding);
    }
    Ok(Request::from_parts(head, Body::new(Whole::new(message))))
}

/// Returns the URL of a call by `GET`, or `None` if the URL is longer than `max`. Its parameters are in the order of the
/// specification, so clients of other libraries share the answers in a cache.
fn url_of(uri: &Uri, message: &[u8], encoding: Option<&HeaderValue>, max: usize) -> Option<Uri> {
    if message.len() > max {
        return None;
    }
    let compression = match encoding {
        Some(encoding) => format!("compression={}&", encoding.to_str().ok()?),
        None => String::new(),
    };
    let message = URL_SAFE_NO_PAD.encode(message);
    let url = format!("{uri}?connect=v1&base64=1&{compression}encoding=proto&message={message}");
    // A URL that `Uri` cannot hold is too long, too.
    url.parse().ok().filter(|_| url.len() <= max)
}

/// Converts the request of a streaming call. The body stays the same, because a frame of gRPC is also an envelope of Connect.
fn stream(request: Request<Body>) -> Request<Body> {
    let (mut head, body) = request.into_parts();
    let encoding = head.headers.remove(&GRPC_ENCODING);
    begin(&mut head.headers, STREAM, STREAM_ACCEPT);
    if let Some(encoding) = encoding {
        head.headers.insert(STREAM_ENCODING, encoding);
    }
    head.version = Version::HTTP_11;
    Request::from_parts(head, body)
}

/// Converts the headers of a gRPC request to headers of Connect.
fn begin(headers: &mut HeaderMap, kind: &'static str, accept: HeaderName) {
    headers.remove(TE);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(VERSION, HeaderValue::from_static("1"));
    let accepted = headers.remove(&GRPC_ACCEPT);
    headers.insert(accept, accepted.unwrap_or(HeaderValue::from_static("identity")));
    let timeout = headers.remove(&GRPC_TIMEOUT).and_then(|timeout| millis(timeout.as_bytes()));
    if let Some(millis) = timeout {
        // Connect allows at most ten digits. The largest number is more than a hundred days, so a longer timeout does not
        // matter.
        headers.insert("connect-timeout-ms", HeaderValue::from(millis.min(9_999_999_999)));
    }
}

/// Converts a timeout of gRPC to milliseconds, rounded up. Returns `None` if the timeout is malformed.
fn millis(timeout: &[u8]) -> Option<u64> {
    let (unit, digits) = timeout.split_last()?;
    let amount: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(match unit {
        b'H' => amount.saturating_mul(3_600_000),
        b'M' => amount.saturating_mul(60_000),
        b'S' => amount.saturating_mul(1000),
        b'm' => amount,
        b'u' => amount.div_ceil(1000),
        b'n' => amount.div_ceil(1_000_000),
        _ => return None,
    })
}
