//! Calls of typed methods: what the functions of a generated client come down to.
//!
//! Layer 1: names the codec and `stream`.

use std::error::Error;

use bytes::Bytes;
use http::Uri;
use http::uri::PathAndQuery;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::{DecodeOptions, EncodeOptions, Message};
use tonic::client::{Grpc, GrpcService};
use tonic::codec::CompressionEncoding;
use tonic::{GrpcMethod, IntoRequest, IntoStreamingRequest, Request, Response, Status, Streaming};

use crate::codec::{Failure, TobuCodec};
use crate::stream::Ready;

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

    /// Compresses requests; the server must understand it.
    #[must_use]
    pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.grpc = self.grpc.send_compressed(encoding);
        self
    }

    /// Takes compressed answers.
    #[must_use]
    pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.grpc = self.grpc.accept_compressed(encoding);
        self
    }

    /// The most bytes that an answer may have; 4 MiB by default.
    #[must_use]
    pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
        self.grpc = self.grpc.max_decoding_message_size(limit);
        self
    }

    /// The most bytes that a request may have; any number by default.
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
        self.client_streaming(path, request.into_request().map(|message| Ready::new([message]))).await
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
        self.ready().await?;
        let request = named(request.into_streaming_request(), path);
        let (codec, failure) = self.codec::<Req, Res>();
        let answer = self.grpc.client_streaming(request, PathAndQuery::from_static(path), codec).await;
        answer.map_err(|status| failure.or(status))
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
        self.streaming(path, request.into_request().map(|message| Ready::new([message]))).await
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
        self.ready().await?;
        let request = named(request.into_streaming_request(), path);
        let (codec, failure) = self.codec::<Req, Res>();
        let answer = self.grpc.streaming(request, PathAndQuery::from_static(path), codec).await;
        answer.map_err(|status| failure.or(status))
    }

    /// Waits until the transport takes a call.
    pub(crate) async fn ready(&mut self) -> Result<(), Status> {
        self.grpc.ready().await.map_err(|error| {
            let error: StdError = error.into();
            Status::unknown(format!("the service is not ready: {error}"))
        })
    }

    fn codec<Req, Res>(&self) -> (TobuCodec<Req, Res>, Failure) {
        TobuCodec::new().encode_options(self.encode).decode_options(self.decode).for_call()
    }
}

/// Tells interceptors which method is called.
fn named<T>(mut request: Request<T>, path: &'static str) -> Request<T> {
    if let Some((service, method)) = path.trim_start_matches('/').split_once('/') {
        request.extensions_mut().insert(GrpcMethod::new(service, method));
    }
    request
}
