//! Answers calls of methods whose messages are Rust types. Generated servers call the functions here.
//!
//! This file is in layer 1 of the crate: it uses the codec.

use std::convert::Infallible;
use std::error::Error;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::reuse::MessagePool;
use tobu::{DecodeOptions, EncodeOptions, Merge, Message};
use tonic::body::Body;
use tonic::codec::{Codec, CompressionEncoding, EnabledCompressionEncodings};
use tonic::server::Grpc;
use tonic::{Request, Response, Status, Streaming};
use tower_service::Service;

use crate::codec::{ParsedCodec, PooledCodec, TobuCodec};

/// A future of the response to a call.
pub type Answer = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// The stream of answers of a method that has a generated default body (`generate_default_stubs` of `tobu-build`).
pub type BoxStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// The body of a request to a server.
///
/// The trait is implemented for every type that fits.
pub trait RequestBody:
    http_body::Body<Error: Into<Box<dyn Error + Send + Sync>> + Send + 'static> + Send + 'static
{
}

impl<B> RequestBody for B where
    B: http_body::Body<Error: Into<Box<dyn Error + Send + Sync>> + Send + 'static> + Send + 'static
{
}

/// The settings of a server: compression, the limits on the sizes of messages, and how messages are encoded and decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    send: EnabledCompressionEncodings,
    accept: EnabledCompressionEncodings,
    max_decoding: Option<usize>,
    max_encoding: Option<usize>,
    encode: EncodeOptions,
    decode: DecodeOptions,
}

impl Settings {
    /// Compresses answers with `encoding` for clients that accept it.
    #[must_use]
    pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.send.enable(encoding);
        self
    }

    /// Accepts requests that are compressed with `encoding`.
    #[must_use]
    pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.accept.enable(encoding);
        self
    }

    /// Sets the maximum size of a request in bytes; 4 MiB by default.
    #[must_use]
    pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
        self.max_decoding = Some(limit);
        self
    }

    /// Sets the maximum size of an answer in bytes. By default there is no limit.
    #[must_use]
    pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
        self.max_encoding = Some(limit);
        self
    }

    /// Sets how answers are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// Sets how requests are decoded, with limits on the cost of decoding a request.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }

    /// Returns a value that answers the calls of a method.
    pub fn requests<Res, Req>(&self) -> Calls<TobuCodec<Res, Req>>
    where
        Req: Message + DeserializeOwned + Send + 'static,
        Res: Message + Serialize + Send + 'static,
    {
        self.calls(TobuCodec::new().encode_options(self.encode).decode_options(self.decode))
    }

    /// Returns a value that answers the calls of a method and takes the messages of requests from a pool.
    pub fn pooled_requests<Res, Req>(&self, pool: &MessagePool<Req>) -> Calls<PooledCodec<Res, Req>>
    where
        Req: Message + for<'de> Merge<'de> + Send + 'static,
        Res: Message + Serialize + Send + 'static,
    {
        self.calls(PooledCodec::new(pool).encode_options(self.encode).decode_options(self.decode))
    }

    /// Returns a value that answers the calls of a method and decodes requests as [`Parsed`](tobu::Parsed) messages.
    pub fn parsed_requests<Res, Req>(&self) -> Calls<ParsedCodec<Res, Req>>
    where
        Req: Message + 'static,
        Res: Message + Serialize + Send + 'static,
    {
        self.calls(ParsedCodec::new().encode_options(self.encode).decode_options(self.decode))
    }

    fn calls<C: Codec>(&self, codec: C) -> Calls<C> {
        let grpc = Grpc::new(codec)
            .apply_compression_config(self.accept, self.send)
            .apply_max_message_size_config(self.max_decoding, self.max_encoding);
        Calls { grpc }
    }
}

/// Answers the calls of a method.
pub struct Calls<C> {
    grpc: Grpc<C>,
}

impl<C> Calls<C>
where
    C: Codec<
            Encode: Send + 'static,
            Decode: Send + 'static,
            Encoder: Send + 'static,
            Decoder: Send + 'static,
        > + Send
        + 'static,
{
    /// Answers a call whose request and answer are one message each.
    pub fn unary<T, B, F, Fut>(mut self, request: http::Request<B>, service: &Arc<T>, method: F) -> Answer
    where
        T: Send + Sync + 'static,
        B: RequestBody,
        F: Fn(Arc<T>, Request<C::Decode>) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Response<C::Encode>, Status>> + Send + 'static,
    {
        if let Some(refusal) = refusal(&request) {
            return refusal;
        }
        let method = Called { service: Arc::clone(service), method };
        Box::pin(async move { Ok(self.grpc.unary(method, request).await) })
    }

    /// Answers a call whose request is a stream of messages, and whose answer is one message.
    pub fn client_streaming<T, B, F, Fut>(
        mut self,
        request: http::Request<B>,
        service: &Arc<T>,
        method: F,
    ) -> Answer
    where
        T: Send + Sync + 'static,
        B: RequestBody,
        F: Fn(Arc<T>, Request<Streaming<C::Decode>>) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Response<C::Encode>, Status>> + Send + 'static,
    {
        if let Some(refusal) = refusal(&request) {
            return refusal;
        }
        let method = Called { service: Arc::clone(service), method };
        Box::pin(async move { Ok(self.grpc.client_streaming(method, request).await) })
    }

    /// Answers a call whose request is one message, and whose answer is a stream of messages.
    pub fn server_streaming<T, B, S, F, Fut>(
        mut self,
        request: http::Request<B>,
        service: &Arc<T>,
        method: F,
    ) -> Answer
    where
        T: Send + Sync + 'static,
        B: RequestBody,
        S: Stream<Item = Result<C::Encode, Status>> + Send + 'static,
        F: Fn(Arc<T>, Request<C::Decode>) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Response<S>, Status>> + Send + 'static,
    {
        if let Some(refusal) = refusal(&request) {
            return refusal;
        }
        let method = Called { service: Arc::clone(service), method };
        Box::pin(async move { Ok(self.grpc.server_streaming(method, request).await) })
    }

    /// Answers a call whose request and answer are streams of messages.
    pub fn streaming<T, B, S, F, Fut>(
        mut self,
        request: http::Request<B>,
        service: &Arc<T>,
        method: F,
    ) -> Answer
    where
        T: Send + Sync + 'static,
        B: RequestBody,
        S: Stream<Item = Result<C::Encode, Status>> + Send + 'static,
        F: Fn(Arc<T>, Request<Streaming<C::Decode>>) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Response<S>, Status>> + Send + 'static,
    {
        if let Some(refusal) = refusal(&request) {
            return refusal;
        }
        let method = Called { service: Arc::clone(service), method };
        Box::pin(async move { Ok(self.grpc.streaming(method, request).await) })
    }
}

/// Refuses a request that is not a call of gRPC with binary messages. Decoding other messages, such as JSON, would give wrong
/// values. Returns `None` if the request is such a call.
///
/// Specification: <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>.
fn refusal<B>(request: &http::Request<B>) -> Option<Answer> {
    let kind = request.headers().get(CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
    let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is_grpc = kind.eq_ignore_ascii_case(b"application/grpc")
        || kind.eq_ignore_ascii_case(b"application/grpc+proto");
    let (status, allow) = match (request.method() == Method::POST, is_grpc) {
        (true, true) => return None,
        (false, _) => (StatusCode::METHOD_NOT_ALLOWED, Some(HeaderValue::from_static("POST"))),
        (true, false) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, None),
    };
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().extend(allow.map(|allow| (ALLOW, allow)));
    Some(Box::pin(ready(Ok(response))))
}

/// Returns the answer to a call of a method that the service does not have.
pub fn unimplemented(path: &str) -> Answer {
    let status = Status::unimplemented(format!("there is no method {path}"));
    Box::pin(ready(Ok(status.into_http())))
}

/// Returns the answer of a method that the service has, but the program does not implement.
pub fn not_implemented<T>(path: &str) -> Ready<Result<Response<T>, Status>> {
    ready(Err(Status::unimplemented(format!("{path} is not implemented"))))
}

/// A method of a service, in the form in which tonic calls methods.
struct Called<T, F> {
    service: Arc<T>,
    method: F,
}

impl<T, F, Req, Res, Fut> Service<Request<Req>> for Called<T, F>
where
    F: Fn(Arc<T>, Request<Req>) -> Fut,
    Fut: Future<Output = Result<Response<Res>, Status>>,
{
    type Response = Response<Res>;
    type Error = Status;
    type Future = Fut;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Req>) -> Fut {
        (self.method)(Arc::clone(&self.service), request)
    }
}
