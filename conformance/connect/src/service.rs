//! The service that the suite describes: each request says what is to be answered.

use std::pin::Pin;
use std::time::Duration;

use serde::Serialize;
use tobu::Message;
use tobu::types::Any;
use tobu_tonic::rpc::StatusExt;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::{KeyAndValueRef, MetadataMap};
use tonic::{Code, Request, Response, Status, Streaming};

use crate::proto::connectrpc::conformance::v1 as api;
use api::conformance_payload::{ConnectGetInfo, RequestInfo};
use api::conformance_service_server::ConformanceService;
use api::unary_response_definition::Response as Wanted;

/// What stands before the name of a header that is to be a trailer.
pub(crate) const TRAILER: &str = "x-to-be-trailer-";

pub(crate) struct Conformance;

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

impl ConformanceService for Conformance {
    async fn unary(
        &self,
        request: Request<api::UnaryRequest>,
    ) -> Result<Response<api::UnaryResponse>, Status> {
        let asked = Asked::of(&request);
        let message = request.into_inner();
        let requests = vec![packed(&message)?];
        let (head, payload) = one(message.response_definition, asked.info(requests, None)).await?;
        Ok(answer(head, api::UnaryResponse { payload: Some(payload), ..Default::default() }))
    }

    async fn idempotent_unary(
        &self,
        request: Request<api::IdempotentUnaryRequest>,
    ) -> Result<Response<api::IdempotentUnaryResponse>, Status> {
        let asked = Asked::of(&request);
        let message = request.into_inner();
        let requests = vec![packed(&message)?];
        let get = Some(ConnectGetInfo::default());
        let (head, payload) = one(message.response_definition, asked.info(requests, get)).await?;
        Ok(answer(head, api::IdempotentUnaryResponse { payload: Some(payload), ..Default::default() }))
    }

    async fn unimplemented(
        &self,
        _: Request<api::UnimplementedRequest>,
    ) -> Result<Response<api::UnimplementedResponse>, Status> {
        Err(Status::unimplemented("this method is not implemented"))
    }

    async fn client_stream(
        &self,
        request: Request<Streaming<api::ClientStreamRequest>>,
    ) -> Result<Response<api::ClientStreamResponse>, Status> {
        let asked = Asked::of(&request);
        let mut messages = request.into_inner();
        let (mut definition, mut requests) = (None, Vec::new());
        while let Some(message) = messages.message().await? {
            requests.push(packed(&message)?);
            if requests.len() == 1 {
                definition = message.response_definition;
            }
        }
        let (head, payload) = one(definition, asked.info(requests, None)).await?;
        Ok(answer(head, api::ClientStreamResponse { payload: Some(payload), ..Default::default() }))
    }

    type ServerStreamStream = Answers<api::ServerStreamResponse>;

    async fn server_stream(
        &self,
        request: Request<api::ServerStreamRequest>,
    ) -> Result<Response<Self::ServerStreamStream>, Status> {
        let asked = Asked::of(&request);
        let message = request.into_inner();
        let info = asked.info(vec![packed(&message)?], None);
        let definition = message.response_definition.unwrap_or_default();
        let head = head(&definition.response_headers, &definition.response_trailers)?;
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            let wrap = |payload| api::ServerStreamResponse { payload: Some(payload), ..Default::default() };
            rest(&definition, 0, info, wrap, &sender).await
        });
        Ok(answer(head, Box::pin(ReceiverStream::new(receiver))))
    }

    type BidiStreamStream = Answers<api::BidiStreamResponse>;

    async fn bidi_stream(
        &self,
        request: Request<Streaming<api::BidiStreamRequest>>,
    ) -> Result<Response<Self::BidiStreamStream>, Status> {
        let asked = Asked::of(&request);
        let mut messages = request.into_inner();
        let first = messages.message().await?;
        let is_full = first.as_ref().is_some_and(|first| first.full_duplex);
        let mut requests = first.as_ref().map(packed).transpose()?.into_iter().collect::<Vec<_>>();
        let definition = first.and_then(|first| first.response_definition).unwrap_or_default();
        let head = head(&definition.response_headers, &definition.response_trailers)?;
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            let wrap = |payload| api::BidiStreamResponse { payload: Some(payload), ..Default::default() };
            let mut sent = 0;
            loop {
                if is_full {
                    let Some(data) = definition.response_data.get(sent) else { break };
                    let seen = std::mem::take(&mut requests);
                    let info = match sent {
                        0 => asked.info(seen, None),
                        _ => RequestInfo { requests: seen, ..Default::default() },
                    };
                    sleep(Duration::from_millis(u64::from(definition.response_delay_ms))).await;
                    let payload = payload(data, Some(info));
                    if sender.send(Ok(wrap(payload))).await.is_err() {
                        return;
                    }
                    sent += 1;
                }
                match messages.message().await {
                    Ok(Some(message)) => match packed(&message) {
                        Ok(message) => requests.push(message),
                        Err(status) => return drop(sender.send(Err(status)).await),
                    },
                    Ok(None) => break,
                    Err(status) => return drop(sender.send(Err(status)).await),
                }
            }
            rest(&definition, sent, asked.info(requests, None), wrap, &sender).await;
        });
        Ok(answer(head, Box::pin(ReceiverStream::new(receiver))))
    }
}

/// Sends the responses that were not sent yet, and the error at the end.
async fn rest<T>(
    definition: &api::StreamResponseDefinition,
    mut sent: usize,
    info: RequestInfo,
    wrap: impl Fn(api::ConformancePayload) -> T,
    sender: &mpsc::Sender<Result<T, Status>>,
) {
    let mut info = Some(info);
    for data in definition.response_data.iter().skip(sent) {
        sleep(Duration::from_millis(u64::from(definition.response_delay_ms))).await;
        let info = if sent == 0 { info.take() } else { None };
        if sender.send(Ok(wrap(payload(data, info)))).await.is_err() {
            return;
        }
        sent += 1;
    }
    if let Some(error) = &definition.error {
        let info = if sent == 0 { info.take() } else { None };
        let _ = sender.send(Err(status(error, info, MetadataMap::new()))).await;
    }
}

/// What a call says besides its messages.
struct Asked {
    headers: Vec<api::Header>,
    timeout_ms: Option<i64>,
}

impl Asked {
    fn of<T>(request: &Request<T>) -> Self {
        let timeout = request.metadata().get("grpc-timeout").and_then(|timeout| timeout.to_str().ok());
        let mut headers = http::HeaderMap::new();
        if let Some(Ok(timeout)) = timeout.map(str::parse) {
            headers.insert("grpc-timeout", timeout);
        }
        let timeout = tobu_transcode::request_timeout(&headers).ok().flatten();
        let timeout_ms = timeout.map(|timeout| i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX));
        Asked { headers: self::headers(request.metadata()), timeout_ms }
    }

    fn info(&self, requests: Vec<Any>, get: Option<ConnectGetInfo>) -> RequestInfo {
        RequestInfo {
            request_headers: self.headers.clone(),
            timeout_ms: self.timeout_ms,
            requests,
            connect_get_info: get,
            ..Default::default()
        }
    }
}

/// The one answer that is wanted, with its metadata.
async fn one(
    definition: Option<api::UnaryResponseDefinition>,
    info: RequestInfo,
) -> Result<(MetadataMap, api::ConformancePayload), Status> {
    let definition = definition.unwrap_or_default();
    sleep(Duration::from_millis(u64::from(definition.response_delay_ms))).await;
    match definition.response {
        Some(Wanted::Error(error)) => {
            let mut metadata = MetadataMap::new();
            add(&definition.response_headers, "", &mut metadata)?;
            add(&definition.response_trailers, "", &mut metadata)?;
            Err(status(&error, Some(info), metadata))
        }
        Some(Wanted::ResponseData(data)) => Ok((
            head(&definition.response_headers, &definition.response_trailers)?,
            payload(&data, Some(info)),
        )),
        None => {
            Ok((head(&definition.response_headers, &definition.response_trailers)?, payload(&[], Some(info))))
        }
    }
}

fn payload(data: &[u8], info: Option<RequestInfo>) -> api::ConformancePayload {
    api::ConformancePayload { data: data.into(), request_info: info, ..Default::default() }
}

fn answer<T>(head: MetadataMap, message: T) -> Response<T> {
    Response::from_parts(head, message, tonic::Extensions::default())
}

fn packed<T: Message + Serialize>(message: &T) -> Result<Any, Status> {
    Any::pack(message).map_err(Status::from_tobu)
}

fn status(error: &api::Error, info: Option<RequestInfo>, metadata: MetadataMap) -> Status {
    let mut details = error.details.clone();
    details.extend(info.and_then(|info| packed(&info).ok()));
    let mut rpc = tobu_tonic::rpc::Status::new(
        tobu_tonic::rpc::Code(error.code.0),
        error.message.clone().unwrap_or_default(),
    );
    rpc.details = details;
    let mut status = Status::from_rpc(rpc);
    debug_assert_eq!(status.code(), Code::from_i32(error.code.0));
    for entry in metadata.iter() {
        match entry {
            KeyAndValueRef::Ascii(name, value) => {
                status.metadata_mut().append(name.clone(), value.clone());
            }
            KeyAndValueRef::Binary(name, value) => {
                status.metadata_mut().append_bin(name.clone(), value.clone());
            }
        }
    }
    status
}

fn head(headers: &[api::Header], trailers: &[api::Header]) -> Result<MetadataMap, Status> {
    let mut metadata = MetadataMap::new();
    add(headers, "", &mut metadata)?;
    add(trailers, TRAILER, &mut metadata)?;
    Ok(metadata)
}

/// Headers as metadata.
pub(crate) fn metadata(headers: &[api::Header]) -> Result<MetadataMap, Status> {
    let mut metadata = MetadataMap::new();
    add(headers, "", &mut metadata)?;
    Ok(metadata)
}

fn add(headers: &[api::Header], prefix: &str, metadata: &mut MetadataMap) -> Result<(), Status> {
    let wrong = |name: &str| Status::invalid_argument(format!("{name} is not metadata"));
    // Through headers: values of names that end in `-bin` are base64 already.
    let mut map = std::mem::take(metadata).into_headers();
    for header in headers {
        let name = http::HeaderName::try_from(format!("{prefix}{}", header.name));
        let name = name.map_err(|_| wrong(&header.name))?;
        for value in &header.value {
            map.append(name.clone(), value.parse().map_err(|_| wrong(&header.name))?);
        }
    }
    *metadata = MetadataMap::from_headers(map);
    Ok(())
}

pub(crate) fn headers(metadata: &MetadataMap) -> Vec<api::Header> {
    let map = metadata.clone().into_headers();
    let names = map.keys();
    names
        .map(|name| {
            let values = map.get_all(name).iter();
            let value = values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            api::Header { name: name.as_str().into(), value: value.collect(), ..Default::default() }
        })
        .collect()
}
