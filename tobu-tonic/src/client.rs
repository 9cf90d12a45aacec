//! Calls methods whose messages are Rust types. The functions of generated clients call the functions here.
//!
//! This file is in layer 1 of the crate: it uses the codec.

use std::error::Error;

use bytes::Bytes;
use futures_core::Stream;
use http::Uri;
use http::uri::PathAndQuery;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::{DecodeOptions, EncodeOptions, Message, Parsed};
use tonic::client::{Grpc, GrpcService};
use tonic::codec::{CompressionEncoding, Decoder};
use tonic::{GrpcMethod, IntoRequest, IntoStreamingRequest, Request, Response, Status, Streaming};

use crate::codec::{
    CallCodec, Encoded, EncodedCodec, Messages, ParsedDecoder, TobuDecoder, is_shared, status,
};

/// Any error.
pub type StdError = Box<dyn Error + Send + Sync>;

/// A service through which a client can send its calls: a tonic `Channel`, a `Channel` with interceptors or layers, or a
/// server in the same process.
///
/// The trait is implemented for every type that fits. A bound by this trait replaces the bounds that clients of tonic repeat.
pub trait Transport:
    GrpcService<
        tonic::body::Body,
        Error: Into<StdError>,
        ResponseBody: http_body::Body<Data = Bytes, Error: Into<StdError> + Send> + Send + 'static,
    >
{
}

impl<T> Transport for T where
    T: GrpcService<
            tonic::body::Body,
            Error: Into<StdError>,
            ResponseBody: http_body::Body<Data = Bytes, Error: Into<StdError> + Send> + Send + 'static,
        >
{
}

/// Calls typed methods by their paths.
#[derive(Clone, Debug)]
pub struct Caller<T> {
    pub(crate) grpc: Grpc<T>,
    pub(crate) encode: EncodeOptions,
    pub(crate) decode: DecodeOptions,
}

impl<T: Transport> Caller<T> {
    /// Creates a caller that sends calls through a transport.
    pub fn new(transport: T) -> Self {
        Self::of(Grpc::new(transport))
    }

    /// Creates a caller for a transport that does not know the host, such as a plain HTTP client. `origin` has the scheme
    /// and the host of the requests.
    pub fn with_origin(transport: T, origin: Uri) -> Self {
        Self::of(Grpc::with_origin(transport, origin))
    }

    fn of(grpc: Grpc<T>) -> Self {
        Caller { grpc, encode: EncodeOptions::new(), decode: DecodeOptions::new() }
    }

    /// Compresses requests with `encoding`, which the server must support.
    #[must_use]
    pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.grpc = self.grpc.send_compressed(encoding);
        self
    }

    /// Accepts answers that are compressed with `encoding`.
    #[must_use]
    pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.grpc = self.grpc.accept_compressed(encoding);
        self
    }

    /// Sets the maximum size of an answer in bytes; 4 MiB by default.
    #[must_use]
    pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
        self.grpc = self.grpc.max_decoding_message_size(limit);
        self
    }

    /// Sets the maximum size of a request in bytes. By default there is no limit.
    #[must_use]
    pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
        self.grpc = self.grpc.max_encoding_message_size(limit);
        self
    }

    /// Sets how requests are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// Sets how answers are decoded, with limits on the cost of decoding an answer.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }

    /// Calls the method that `path` names. The request and the answer are one message each.
    ///
    /// # Errors
    /// The call fails. The error is the status of the call.
    pub async fn unary<Req, Res>(
        &mut self,
        path: &'static str,
        request: impl IntoRequest<Req>,
    ) -> Result<Response<Res>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + DeserializeOwned + Send + Sync + 'static,
    {
        let request = Kind::Unary.of(self.one(request.into_request())?);
        let answer = self.one_answer(PathAndQuery::from_static(path), named(request, path)).await?;
        self.read(answer)
    }

    /// Calls the method that `path` names. The request is a stream of messages, and the answer is one message.
    ///
    /// # Errors
    /// The call fails. The error is the status of the call.
    pub async fn client_streaming<Req, Res>(
        &mut self,
        path: &'static str,
        request: impl IntoStreamingRequest<Message = Req>,
    ) -> Result<Response<Res>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + DeserializeOwned + Send + Sync + 'static,
    {
        let request = Kind::Stream.of(self.many(request.into_streaming_request()));
        let answer = self.one_answer(PathAndQuery::from_static(path), named(request, path)).await?;
        self.read(answer)
    }

    /// Calls the method that `path` names. The request is one message, and the answer is a stream of messages.
    ///
    /// # Errors
    /// The call fails before the stream begins. The error is the status of the call.
    pub async fn server_streaming<Req, Res>(
        &mut self,
        path: &'static str,
        request: impl IntoRequest<Req>,
    ) -> Result<Response<Streaming<Res>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + DeserializeOwned + Send + Sync + 'static,
    {
        let request = Kind::Stream.of(self.one(request.into_request())?);
        let decoder = TobuDecoder::new(self.decode);
        self.answers(PathAndQuery::from_static(path), named(request, path), decoder).await
    }

    /// Calls the method that `path` names. The request and the answer are streams of messages.
    ///
    /// # Errors
    /// The call fails before the stream begins. The error is the status of the call.
    pub async fn streaming<Req, Res>(
        &mut self,
        path: &'static str,
        request: impl IntoStreamingRequest<Message = Req>,
    ) -> Result<Response<Streaming<Res>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + DeserializeOwned + Send + Sync + 'static,
    {
        let request = Kind::Stream.of(self.many(request.into_streaming_request()));
        let decoder = TobuDecoder::new(self.decode);
        self.answers(PathAndQuery::from_static(path), named(request, path), decoder).await
    }

    /// Returns a caller that returns answers as [`Parsed`] messages.
    pub fn parsed_answers(&mut self) -> ParsedCaller<'_, T> {
        ParsedCaller(self)
    }

    /// Makes a call whose answer is one message.
    ///
    /// This function and the functions of tonic that it calls do not depend on the types of messages. So a program
    /// contains them only once for each transport.
    pub(crate) async fn one_answer(
        &mut self,
        path: PathAndQuery,
        request: Request<Messages>,
    ) -> Result<Response<Encoded>, Status> {
        self.ready().await?;
        let (codec, failure) = CallCodec::new(EncodedCodec);
        let answer = self.grpc.client_streaming(request, path, codec).await;
        answer.map_err(|status| failure.or(status))
    }

    /// Makes a call whose answer is a stream of messages.
    pub(crate) async fn answers<D>(
        &mut self,
        path: PathAndQuery,
        request: Request<Messages>,
        decoder: D,
    ) -> Result<Response<Streaming<D::Item>>, Status>
    where
        D: Decoder<Item: Send + Sync + 'static, Error = Status> + Clone + Send + 'static,
    {
        self.ready().await?;
        let (codec, failure) = CallCodec::new(decoder);
        let answer = self.grpc.streaming(request, path, codec).await;
        answer.map_err(|status| failure.or(status))
    }

    async fn ready(&mut self) -> Result<(), Status> {
        self.grpc.ready().await.map_err(|error| {
            let error: StdError = error.into();
            Status::unknown(format!("the service is not ready: {error}"))
        })
    }

    fn one<Req: Message + Serialize>(&self, request: Request<Req>) -> Result<Request<Messages>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        // `Connect` may send such a request in the URL of a `GET`. Caches compare URLs, so equal messages need equal bytes.
        let encode = match extensions.get::<NoSideEffects>() {
            Some(_) => self.encode.deterministic(true),
            None => self.encode,
        };
        let bytes = encode.to_vec(&message).map_err(status)?;
        Ok(Request::from_parts(metadata, extensions, Messages::one(bytes)))
    }

    /// Converts a stream of messages to a stream that encodes each message when it is sent.
    fn many<S>(&self, request: Request<S>) -> Request<Messages>
    where
        S: Stream<Item: Message + Serialize> + Send + 'static,
    {
        let options = self.encode;
        request
            .map(|messages| Messages::many(messages, move |message| options.to_vec(&message).map_err(status)))
    }

    fn read<Res: Message + DeserializeOwned>(
        &self,
        answer: Response<Encoded>,
    ) -> Result<Response<Res>, Status> {
        let options = self.decode;
        decoded(answer, |bytes| options.from_slice(bytes), |bytes| options.from_bytes(&bytes))
    }
}

/// Calls typed methods by their paths, and returns the answers as [`Parsed`] messages. [`Caller::parsed_answers`] returns
/// a `ParsedCaller`.
#[derive(Debug)]
pub struct ParsedCaller<'c, T>(&'c mut Caller<T>);

impl<T: Transport> ParsedCaller<'_, T> {
    /// Does the same as [`Caller::unary`], with a parsed answer.
    ///
    /// # Errors
    /// The call fails. The error is the status of the call.
    pub async fn unary<Req, Res>(
        self,
        path: &'static str,
        request: impl IntoRequest<Req>,
    ) -> Result<Response<Parsed<Res>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + 'static,
    {
        let request = Kind::Unary.of(self.0.one(request.into_request())?);
        self.one_answer(path, request).await
    }

    /// Does the same as [`Caller::client_streaming`], with a parsed answer.
    ///
    /// # Errors
    /// The call fails. The error is the status of the call.
    pub async fn client_streaming<Req, Res>(
        self,
        path: &'static str,
        request: impl IntoStreamingRequest<Message = Req>,
    ) -> Result<Response<Parsed<Res>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + 'static,
    {
        let request = Kind::Stream.of(self.0.many(request.into_streaming_request()));
        self.one_answer(path, request).await
    }

    /// Does the same as [`Caller::server_streaming`], with parsed answers.
    ///
    /// # Errors
    /// The call fails before the stream begins. The error is the status of the call.
    pub async fn server_streaming<Req, Res>(
        self,
        path: &'static str,
        request: impl IntoRequest<Req>,
    ) -> Result<Response<Streaming<Parsed<Res>>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + 'static,
    {
        let request = Kind::Stream.of(self.0.one(request.into_request())?);
        let decoder = ParsedDecoder::new(self.0.decode);
        self.0.answers(PathAndQuery::from_static(path), named(request, path), decoder).await
    }

    /// Does the same as [`Caller::streaming`], with parsed answers.
    ///
    /// # Errors
    /// The call fails before the stream begins. The error is the status of the call.
    pub async fn streaming<Req, Res>(
        self,
        path: &'static str,
        request: impl IntoStreamingRequest<Message = Req>,
    ) -> Result<Response<Streaming<Parsed<Res>>>, Status>
    where
        Req: Message + Serialize + Send + Sync + 'static,
        Res: Message + 'static,
    {
        let request = Kind::Stream.of(self.0.many(request.into_streaming_request()));
        let decoder = ParsedDecoder::new(self.0.decode);
        self.0.answers(PathAndQuery::from_static(path), named(request, path), decoder).await
    }

    async fn one_answer<Res: Message>(
        self,
        path: &'static str,
        request: Request<Messages>,
    ) -> Result<Response<Parsed<Res>>, Status> {
        let options = self.0.decode;
        let answer = self.0.one_answer(PathAndQuery::from_static(path), named(request, path)).await?;
        decoded(
            answer,
            |bytes| Parsed::decode_with(bytes, options),
            |bytes| Parsed::decode_bytes_with(bytes, options),
        )
    }
}

/// Decodes the answer of a call. If decoding fails, the status has the metadata of the answer.
pub(crate) fn decoded<T>(
    answer: Response<Encoded>,
    from_slice: impl FnOnce(&[u8]) -> tobu::Result<T>,
    from_bytes: impl FnOnce(Bytes) -> tobu::Result<T>,
) -> Result<Response<T>, Status> {
    let (metadata, message, extensions) = answer.into_parts();
    let bytes = message.into_bytes();
    let message = if is_shared(bytes.len()) { from_bytes(bytes) } else { from_slice(&bytes) };
    match message {
        Ok(message) => Ok(Response::from_parts(metadata, message, extensions)),
        Err(error) => {
            let mut status = status(error);
            *status.metadata_mut() = metadata;
            Err(status)
        }
    }
}

/// The kind of a call: one message in each direction, or at least one stream. gRPC sends both kinds in the same form, but
/// Connect does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unary,
    Stream,
}

impl Kind {
    /// Stores the kind in the extensions of a request, for a transport that speaks Connect.
    pub(crate) fn of<T>(self, mut request: Request<T>) -> Request<T> {
        if cfg!(feature = "connect") {
            request.extensions_mut().insert(self);
        }
        request
    }
}

/// Marks the request of a method that has no side effects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSideEffects;

/// Marks the request of a method with the option `idempotency_level = NO_SIDE_EFFECTS`, which `Connect` can send by `GET`.
///
/// The return type hides the `Request<T>`, because the compiler could not infer `T` if a generated client passed it on.
pub fn no_side_effects<T>(request: impl IntoRequest<T>) -> impl IntoRequest<T> {
    let mut request = request.into_request();
    if cfg!(feature = "connect") {
        request.extensions_mut().insert(NoSideEffects);
    }
    request
}

/// Stores the service and the method in the extensions of a request, for interceptors.
fn named<T>(mut request: Request<T>, path: &'static str) -> Request<T> {
    if let Some((service, method)) = path.trim_start_matches('/').split_once('/') {
        request.extensions_mut().insert(GrpcMethod::new(service, method));
    }
    request
}
