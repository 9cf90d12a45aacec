//! Calls of typed methods: what the functions of a generated client come down to.
//!
//! Layer 1: names the codec.

use std::error::Error;

use bytes::Bytes;
use http::uri::PathAndQuery;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::Message;
use tonic::client::{Grpc, GrpcService};
use tonic::{GrpcMethod, IntoRequest, IntoStreamingRequest, Request, Response, Status, Streaming};

use crate::codec::TobuCodec;

type StdError = Box<dyn Error + Send + Sync>;

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

/// Calls the method of a path, by one message each way.
///
/// # Errors
/// The status that the call ends with.
pub async fn call_unary<T, Req, Res>(
    client: &mut Grpc<T>,
    path: &'static str,
    request: impl IntoRequest<Req>,
) -> Result<Response<Res>, Status>
where
    T: Transport,
    Req: Message + Serialize + Send + Sync + 'static,
    Res: Message + DeserializeOwned + Send + Sync + 'static,
{
    ready(client).await?;
    let request = named(request.into_request(), path);
    let (codec, failure) = TobuCodec::<Req, Res>::for_call();
    let answer = client.unary(request, PathAndQuery::from_static(path), codec).await;
    answer.map_err(|status| failure.or(status))
}

/// Calls the method of a path, by a stream of messages that one answers.
///
/// # Errors
/// The status that the call ends with.
pub async fn call_client_streaming<T, Req, Res>(
    client: &mut Grpc<T>,
    path: &'static str,
    request: impl IntoStreamingRequest<Message = Req>,
) -> Result<Response<Res>, Status>
where
    T: Transport,
    Req: Message + Serialize + Send + Sync + 'static,
    Res: Message + DeserializeOwned + Send + Sync + 'static,
{
    ready(client).await?;
    let request = named(request.into_streaming_request(), path);
    let (codec, failure) = TobuCodec::<Req, Res>::for_call();
    let answer = client.client_streaming(request, PathAndQuery::from_static(path), codec).await;
    answer.map_err(|status| failure.or(status))
}

/// Calls the method of a path, by one message that a stream answers.
///
/// # Errors
/// The status that the call ends with, if it ends before the stream begins.
pub async fn call_server_streaming<T, Req, Res>(
    client: &mut Grpc<T>,
    path: &'static str,
    request: impl IntoRequest<Req>,
) -> Result<Response<Streaming<Res>>, Status>
where
    T: Transport,
    Req: Message + Serialize + Send + Sync + 'static,
    Res: Message + DeserializeOwned + Send + Sync + 'static,
{
    ready(client).await?;
    let request = named(request.into_request(), path);
    let (codec, failure) = TobuCodec::<Req, Res>::for_call();
    let answer = client.server_streaming(request, PathAndQuery::from_static(path), codec).await;
    answer.map_err(|status| failure.or(status))
}

/// Calls the method of a path, by a stream of messages each way.
///
/// # Errors
/// The status that the call ends with, if it ends before the stream begins.
pub async fn call_streaming<T, Req, Res>(
    client: &mut Grpc<T>,
    path: &'static str,
    request: impl IntoStreamingRequest<Message = Req>,
) -> Result<Response<Streaming<Res>>, Status>
where
    T: Transport,
    Req: Message + Serialize + Send + Sync + 'static,
    Res: Message + DeserializeOwned + Send + Sync + 'static,
{
    ready(client).await?;
    let request = named(request.into_streaming_request(), path);
    let (codec, failure) = TobuCodec::<Req, Res>::for_call();
    let answer = client.streaming(request, PathAndQuery::from_static(path), codec).await;
    answer.map_err(|status| failure.or(status))
}

/// Waits until the transport takes a call.
pub(crate) async fn ready<T: Transport>(client: &mut Grpc<T>) -> Result<(), Status> {
    client.ready().await.map_err(|error| {
        let error: StdError = error.into();
        Status::unknown(format!("the service is not ready: {error}"))
    })
}

/// Tells interceptors which method is called.
fn named<T>(mut request: Request<T>, path: &'static str) -> Request<T> {
    if let Some((service, method)) = path.trim_start_matches('/').split_once('/') {
        request.extensions_mut().insert(GrpcMethod::new(service, method));
    }
    request
}
