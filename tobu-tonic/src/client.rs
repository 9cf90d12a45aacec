//! Calls of typed methods: what the functions of a generated client come down to.
//!
//! Layer 1: names the codec.

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

/// What a client can send its calls through: a tonic `Channel`, one with interceptors or layers around it, or a server
/// in the same process.
///
/// It is implemented for all that fits; a bound by this name says the same as five of tonic's.
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
    /// Sends calls through a transport.
    pub fn new(transport: T) -> Self {
        Self::of(Grpc::new(transport))
    }

    /// Sends calls through a transport that does not know which host it talks to.
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

    /// Sets the maximum size of a request in bytes; without a limit by default.
    #[must_use]
    pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
        self.grpc = self.grpc.max_encoding_message_size(limit);
        self
    }

    /// How requests are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// How answers are decoded, and how much one may cost.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }

    /// Calls the method of a path, by one message each way.
    ///
    /// # Errors
    /// The status that the call ends with.
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

    /// Calls the method of a path, by a stream of messages that one answers.
    ///
    /// # Errors
    /// The status that the call ends with.
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

    /// Calls the method of a path, by one message that a stream answers.
    ///
    /// # Errors
    /// The status that the call ends with, if it ends before the stream begins.
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

    /// Calls the method of a path, by a stream of messages each way.
    ///
    /// # Errors
    /// The status that the call ends with, if it ends before the stream begins.
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

    /// Calls methods whose answers are to be parsed ones.
    pub fn parsed_answers(&mut self) -> ParsedCaller<'_, T> {
        ParsedCaller(self)
    }

    /// Makes a call that one message answers.
    ///
    /// Neither this nor what tonic does in it depends on the types of messages: a program has it once for each transport.
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

    /// Makes a call that a stream answers.
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

    /// Waits until the transport takes a call.
    async fn ready(&mut self) -> Result<(), Status> {
        self.grpc.ready().await.map_err(|error| {
            let error: StdError = error.into();
            Status::unknown(format!("the service is not ready: {error}"))
        })
    }

    /// The request of one message, encoded.
    fn one<Req: Message + Serialize>(&self, request: Request<Req>) -> Result<Request<Messages>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let bytes = self.encode.to_vec(&message).map_err(status)?;
        Ok(Request::from_parts(metadata, extensions, Messages::one(bytes)))
    }

    /// The request of a stream of messages, which are encoded one by one.
    fn many<S>(&self, request: Request<S>) -> Request<Messages>
    where
        S: Stream<Item: Message + Serialize> + Send + 'static,
    {
        let options = self.encode;
        request
            .map(|messages| Messages::many(messages, move |message| options.to_vec(&message).map_err(status)))
    }

    /// The answer, decoded.
    fn read<Res: Message + DeserializeOwned>(
        &self,
        answer: Response<Encoded>,
    ) -> Result<Response<Res>, Status> {
        let options = self.decode;
        decoded(answer, |bytes| options.from_slice(bytes), |bytes| options.from_bytes(&bytes))
    }
}

/// Calls typed methods whose answers are parsed ones; [`Caller::parsed_answers`] gives it.
#[derive(Debug)]
pub struct ParsedCaller<'c, T>(&'c mut Caller<T>);

impl<T: Transport> ParsedCaller<'_, T> {
    /// As [`Caller::unary`].
    ///
    /// # Errors
    /// The status that the call ends with.
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

    /// As [`Caller::client_streaming`].
    ///
    /// # Errors
    /// The status that the call ends with.
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

    /// As [`Caller::server_streaming`].
    ///
    /// # Errors
    /// The status that the call ends with, if it ends before the stream begins.
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

    /// As [`Caller::streaming`].
    ///
    /// # Errors
    /// The status that the call ends with, if it ends before the stream begins.
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

/// The answer of a call, decoded; where that fails, the status has the metadata of the answer.
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

/// Whether a call has one message each way, which gRPC does not tell apart from a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unary,
    Stream,
}

impl Kind {
    /// Tells the transport, which may speak Connect.
    pub(crate) fn of<T>(self, mut request: Request<T>) -> Request<T> {
        if cfg!(feature = "connect") {
            request.extensions_mut().insert(self);
        }
        request
    }
}

/// Tells interceptors which method is called.
fn named<T>(mut request: Request<T>, path: &'static str) -> Request<T> {
    if let Some((service, method)) = path.trim_start_matches('/').split_once('/') {
        request.extensions_mut().insert(GrpcMethod::new(service, method));
    }
    request
}
