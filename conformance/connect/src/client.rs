//! The client: it makes the calls that the suite describes, and reports what it saw.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use api::client_compat_request::Cancel;
use api::client_compat_request::cancel::CancelTiming;
use api::client_compat_response::Result as Outcome;
use api::conformance_service_client::ConformanceServiceClient;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, Request as HttpRequest, Response as HttpResponse, Version};
use http_body::Frame;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde::de::DeserializeOwned;
use tobu::Message;
use tobu_tonic::Connect;
use tobu_tonic::codegen::StdError;
use tobu_tonic::rpc::StatusExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status, Streaming};
use tower::{Service, ServiceExt};

use crate::pipe;
use crate::proto::connectrpc::conformance::v1 as api;
use crate::service::{headers, metadata};

pub(crate) async fn run() -> Result<(), Box<dyn Error>> {
    let slots = Arc::new(Semaphore::new(16));
    let output = Arc::new(tokio::sync::Mutex::new(()));
    let mut calls = JoinSet::new();
    while let Some(wanted) = pipe::read::<api::ClientCompatRequest>().await? {
        let slot = Arc::clone(&slots).acquire_owned().await?;
        let output = Arc::clone(&output);
        calls.spawn_local(async move {
            let test_name = wanted.test_name.clone();
            let result = Some(match call(wanted).await {
                Ok(result) => Outcome::Response(result),
                Err(error) => Outcome::Error(api::ClientErrorResult {
                    message: error.to_string(),
                    ..Default::default()
                }),
            });
            let response = api::ClientCompatResponse { test_name, result, ..Default::default() };
            let _output = output.lock().await;
            pipe::write(&response).await.expect("the runner reads");
            drop(slot);
        });
    }
    while let Some(done) = calls.join_next().await {
        done?;
    }
    Ok(())
}

type Transport = tower::util::BoxCloneService<HttpRequest<Body>, HttpResponse<Seen>, StdError>;

/// What came besides messages.
#[derive(Default)]
struct Told {
    head: HeaderMap,
    trailers: HeaderMap,
    http: Option<i32>,
}

async fn call(
    wanted: api::ClientCompatRequest,
) -> Result<api::ClientResponseResult, Box<dyn Error + Send + Sync>> {
    let told = Arc::new(Mutex::new(Told::default()));
    let http = Http::new(&wanted, &told)?;
    let transport: Transport = match wanted.protocol {
        api::Protocol::CONNECT => {
            // The limit of the whole is that of the message that comes.
            let connect = match wanted.message_receive_limit {
                0 => Connect::new(http),
                limit => Connect::new(http).max_answer_size(limit as usize),
            };
            match wanted.use_get_http_method {
                true => recording(connect.get_up_to(8 << 10), &told),
                false => recording(connect, &told),
            }
        }
        _ => recording(http, &told),
    };
    let scheme = if wanted.server_tls_cert.is_empty() { "http" } else { "https" };
    let origin = format!("{scheme}://{}:{}", wanted.host, wanted.port).parse()?;
    let mut client = ConformanceServiceClient::with_origin(transport, origin);
    if wanted.compression == api::Compression::GZIP {
        client =
            client.send_compressed(CompressionEncoding::Gzip).accept_compressed(CompressionEncoding::Gzip);
    }
    if wanted.message_receive_limit > 0 {
        client = client.max_decoding_message_size(wanted.message_receive_limit as usize);
    }
    let limit = wanted.timeout_ms.map_or(Duration::from_secs(60), |ms| Duration::from_millis(u64::from(ms)));
    let seen = Mutex::new(Seeing::default());
    let start = Instant::now();
    let done = {
        let made = make(&wanted, client, &seen);
        timeout(limit, made)
            .await
            .unwrap_or_else(|_| Ok(Err(Status::deadline_exceeded("the time is over"))))?
    };
    // A server that keeps the same deadline may break the call off a moment earlier.
    let done = match start.elapsed() + Duration::from_millis(20) >= limit && done.is_err() {
        true => Err(Status::deadline_exceeded("the time is over")),
        false => done,
    };
    let seen = seen.into_inner().expect("no panic");
    let told = std::mem::take(&mut *told.lock().expect("no panic"));
    let error = done.err().map(|status| {
        let details = status.to_rpc().map(|rpc| rpc.details).unwrap_or_default();
        let code = api::Code(i32::from(status.code()));
        api::Error { code, message: Some(status.message().into()), details, ..Default::default() }
    });
    Ok(api::ClientResponseResult {
        response_headers: headers(&MetadataMap::from_headers(told.head)),
        payloads: seen.payloads,
        error,
        response_trailers: headers(&MetadataMap::from_headers(told.trailers)),
        num_unsent_requests: seen.unsent,
        http_status_code: told.http,
        ..Default::default()
    })
}

#[derive(Default)]
struct Seeing {
    payloads: Vec<api::ConformancePayload>,
    unsent: i32,
}

type Done = Result<Result<(), Status>, Box<dyn Error + Send + Sync>>;

async fn make(
    wanted: &api::ClientCompatRequest,
    mut client: ConformanceServiceClient<Transport>,
    seen: &Mutex<Seeing>,
) -> Done {
    match wanted.method.as_deref().unwrap_or_default() {
        "Unary" => {
            let call = client.unary(one(wanted)?);
            single(wanted, call, seen, |answer| answer.payload).await
        }
        "IdempotentUnary" => {
            let call = client.idempotent_unary(one(wanted)?);
            single(wanted, call, seen, |answer| answer.payload).await
        }
        "Unimplemented" => {
            let call = client.unimplemented(one(wanted)?);
            single(wanted, call, seen, |_: api::UnimplementedResponse| None).await
        }
        "ServerStream" => {
            let answers = match client.server_stream(one(wanted)?).await {
                Ok(answers) => answers,
                Err(status) => return Ok(Err(status)),
            };
            Ok(read(wanted, answers, seen, |answer| answer.payload).await)
        }
        "ClientStream" => {
            let (sender, request) = many(wanted)?;
            let send = send_all(wanted, sender, seen);
            let call = client.client_stream(request);
            // Who gives up before all was sent does not wait for an answer.
            if matches!(timing(wanted), Some(CancelTiming::BeforeCloseSend(_))) {
                tokio::select! {
                    done = call => return Ok(done.map(drop)),
                    held = send => drop(held?),
                }
                return Ok(Err(Status::cancelled("given up")));
            }
            let (sent, done) = tokio::join!(send, single(wanted, call, seen, |answer| answer.payload));
            sent?;
            done
        }
        "BidiStream" => bidi(wanted, client, seen).await,
        other => Err(format!("there is no method {other}").into()),
    }
}

async fn bidi(
    wanted: &api::ClientCompatRequest,
    mut client: ConformanceServiceClient<Transport>,
    seen: &Mutex<Seeing>,
) -> Done {
    let (sender, request) = many::<api::BidiStreamRequest>(wanted)?;
    let is_full = wanted.stream_type == api::StreamType::FULL_DUPLEX_BIDI_STREAM;
    if !is_full {
        let open = client.bidi_stream(request);
        let send = send_all(wanted, sender, seen);
        if matches!(timing(wanted), Some(CancelTiming::BeforeCloseSend(_))) {
            // An answer may begin before all is sent.
            let mut answers = None;
            let (mut open, mut send) = (std::pin::pin!(open), std::pin::pin!(send));
            let _held = loop {
                tokio::select! {
                    done = &mut open, if answers.is_none() => match done {
                        Ok(begun) => answers = Some(begun),
                        Err(status) => return Ok(Err(status)),
                    },
                    held = &mut send => break held?,
                }
            };
            return Ok(Err(Status::cancelled("given up")));
        }
        let (sent, answers) = tokio::join!(send, open);
        sent?;
        let answers = match answers {
            Ok(answers) => answers,
            Err(status) => return Ok(Err(status)),
        };
        return Ok(read(wanted, answers, seen, |answer| answer.payload).await);
    }
    let messages = messages::<api::BidiStreamRequest>(wanted)?;
    let mut unsent = i32::try_from(messages.len())?;
    let mut messages = messages.into_iter();
    // The head may come only after the first message.
    let open = client.bidi_stream(request);
    let first = async {
        let Some(first) = messages.next() else { return true };
        sleep(Duration::from_millis(u64::from(wanted.request_delay_ms))).await;
        sender.send(first).await.is_ok()
    };
    let (is_sent, answers) = tokio::join!(first, open);
    unsent -= i32::from(is_sent);
    let mut answers = match answers {
        Ok(answers) => answers.into_inner(),
        Err(status) => {
            seen.lock().expect("no panic").unsent = unsent;
            return Ok(Err(status));
        }
    };
    loop {
        match answers.message().await {
            Ok(Some(answer)) => {
                let mut seen = seen.lock().expect("no panic");
                seen.payloads.push(answer.payload.unwrap_or_default());
                if let Some(CancelTiming::AfterNumResponses(count)) = timing(wanted)
                    && seen.payloads.len() as u32 >= count
                {
                    return Ok(Err(Status::cancelled("given up")));
                }
            }
            Ok(None) => {
                seen.lock().expect("no panic").unsent = unsent;
                return Ok(Ok(()));
            }
            Err(status) => {
                seen.lock().expect("no panic").unsent = unsent;
                return Ok(Err(status));
            }
        }
        let Some(next) = messages.next() else { break };
        sleep(Duration::from_millis(u64::from(wanted.request_delay_ms))).await;
        if sender.send(next).await.is_err() {
            seen.lock().expect("no panic").unsent = unsent;
            break;
        }
        unsent -= 1;
    }
    if matches!(timing(wanted), Some(CancelTiming::BeforeCloseSend(_))) {
        return Ok(Err(Status::cancelled("given up")));
    }
    drop(sender);
    Ok(read(wanted, Response::new(answers), seen, |answer| answer.payload).await)
}

fn timing(wanted: &api::ClientCompatRequest) -> Option<CancelTiming> {
    let Cancel { cancel_timing, .. } = wanted.cancel.clone()?;
    cancel_timing
}

/// Waits for one answer, unless the call is to be given up.
async fn single<T>(
    wanted: &api::ClientCompatRequest,
    call: impl Future<Output = Result<Response<T>, Status>>,
    seen: &Mutex<Seeing>,
    payload: impl Fn(T) -> Option<api::ConformancePayload>,
) -> Done {
    let done = match timing(wanted) {
        Some(CancelTiming::AfterCloseSendMs(ms)) => {
            let wait = Duration::from_millis(u64::from(ms));
            timeout(wait, call).await.unwrap_or_else(|_| Err(Status::cancelled("given up")))
        }
        _ => call.await,
    };
    Ok(done.map(|answer| {
        seen.lock().expect("no panic").payloads.push(payload(answer.into_inner()).unwrap_or_default())
    }))
}

/// Reads all answers, unless the call is to be given up.
async fn read<T: Message>(
    wanted: &api::ClientCompatRequest,
    answers: Response<Streaming<T>>,
    seen: &Mutex<Seeing>,
    payload: impl Fn(T) -> Option<api::ConformancePayload>,
) -> Result<(), Status> {
    let mut answers = answers.into_inner();
    let all = async {
        loop {
            if let Some(CancelTiming::AfterNumResponses(count)) = timing(wanted)
                && seen.lock().expect("no panic").payloads.len() as u32 >= count
            {
                return Err(Status::cancelled("given up"));
            }
            let Some(answer) = answers.message().await? else { return Ok(()) };
            seen.lock().expect("no panic").payloads.push(payload(answer).unwrap_or_default());
        }
    };
    match timing(wanted) {
        Some(CancelTiming::AfterCloseSendMs(ms)) => {
            let wait = Duration::from_millis(u64::from(ms));
            timeout(wait, all).await.unwrap_or_else(|_| Err(Status::cancelled("given up")))
        }
        _ => all.await,
    }
}

/// Sends all messages; returns what keeps the stream open.
async fn send_all<T: Message + DeserializeOwned>(
    wanted: &api::ClientCompatRequest,
    sender: mpsc::Sender<T>,
    seen: &Mutex<Seeing>,
) -> Result<Option<mpsc::Sender<T>>, Box<dyn Error + Send + Sync>> {
    let messages = messages(wanted)?;
    let mut unsent = i32::try_from(messages.len())?;
    for message in messages {
        sleep(Duration::from_millis(u64::from(wanted.request_delay_ms))).await;
        if sender.send(message).await.is_err() {
            seen.lock().expect("no panic").unsent = unsent;
            return Ok(None);
        }
        unsent -= 1;
    }
    let is_held = matches!(timing(wanted), Some(CancelTiming::BeforeCloseSend(_)));
    Ok(is_held.then_some(sender))
}

fn messages<T: Message + DeserializeOwned>(
    wanted: &api::ClientCompatRequest,
) -> Result<Vec<T>, Box<dyn Error + Send + Sync>> {
    let messages = wanted.request_messages.iter().map(|message| message.unpack::<T>());
    Ok(messages.collect::<Result<_, _>>()?)
}

fn one<T: Message + DeserializeOwned>(
    wanted: &api::ClientCompatRequest,
) -> Result<Request<T>, Box<dyn Error + Send + Sync>> {
    let message = messages(wanted)?.into_iter().next().ok_or("there is no message")?;
    with_head(wanted, message)
}

type Sent<T> = (mpsc::Sender<T>, Request<ReceiverStream<T>>);

fn many<T>(wanted: &api::ClientCompatRequest) -> Result<Sent<T>, Box<dyn Error + Send + Sync>> {
    let (sender, receiver) = mpsc::channel(1);
    Ok((sender, with_head(wanted, ReceiverStream::new(receiver))?))
}

fn with_head<T>(
    wanted: &api::ClientCompatRequest,
    message: T,
) -> Result<Request<T>, Box<dyn Error + Send + Sync>> {
    let mut request = Request::new(message);
    *request.metadata_mut() = metadata(&wanted.request_headers)?;
    if let Some(ms) = wanted.timeout_ms {
        request.set_timeout(Duration::from_millis(u64::from(ms)));
    }
    Ok(request)
}

/// A connection for each call.
#[derive(Clone)]
struct Http {
    host: String,
    port: u16,
    is_http2: bool,
    tls: Option<TlsConnector>,
    told: Arc<Mutex<Told>>,
}

impl Http {
    fn new(
        wanted: &api::ClientCompatRequest,
        told: &Arc<Mutex<Told>>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let is_http2 = wanted.http_version == api::HttpVersion::HTTP_VERSION_2;
        let mut tls = None;
        if !wanted.server_tls_cert.is_empty() {
            let mut roots = RootCertStore::empty();
            for cert in CertificateDer::pem_slice_iter(&wanted.server_tls_cert) {
                roots.add(cert?)?;
            }
            let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()?
                .with_root_certificates(roots);
            let mut config = match &wanted.client_tls_creds {
                None => config.with_no_client_auth(),
                Some(creds) => {
                    let certs = CertificateDer::pem_slice_iter(&creds.cert).collect::<Result<Vec<_>, _>>()?;
                    config.with_client_auth_cert(certs, PrivateKeyDer::from_pem_slice(&creds.key)?)?
                }
            };
            config.alpn_protocols = vec![if is_http2 { b"h2".to_vec() } else { b"http/1.1".to_vec() }];
            tls = Some(TlsConnector::from(Arc::new(config)));
        }
        let port = u16::try_from(wanted.port)?;
        Ok(Http { host: wanted.host.clone(), port, is_http2, tls, told: Arc::clone(told) })
    }

    async fn send(self, request: HttpRequest<Body>) -> Result<HttpResponse<Incoming>, StdError> {
        let stream = TcpStream::connect((&*self.host, self.port)).await?;
        stream.set_nodelay(true)?;
        let response = match self.tls {
            None => self::send(stream, self.is_http2, request).await?,
            Some(tls) => {
                let name = ServerName::try_from(self.host)?;
                self::send(tls.connect(name, stream).await?, self.is_http2, request).await?
            }
        };
        self.told.lock().expect("no panic").http = Some(i32::from(response.status().as_u16()));
        Ok(response)
    }
}

async fn send(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    is_http2: bool,
    mut request: HttpRequest<Body>,
) -> Result<HttpResponse<Incoming>, StdError> {
    let stream = TokioIo::new(stream);
    if is_http2 {
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await?;
        tokio::spawn(connection);
        *request.version_mut() = Version::HTTP_2;
        return Ok(sender.send_request(request).await?);
    }
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await?;
    tokio::spawn(connection);
    let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
    request.headers_mut().insert("host", host.parse()?);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).parse()?;
    *request.uri_mut() = path;
    Ok(sender.send_request(request).await?)
}

impl Service<HttpRequest<Body>> for Http {
    type Response = HttpResponse<Incoming>;
    type Error = StdError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse<Incoming>, StdError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest<Body>) -> Self::Future {
        Box::pin(self.clone().send(request))
    }
}

/// A transport whose heads and trailers are noted: tonic makes one of both where there is one answer.
fn recording<S, R>(inner: S, told: &Arc<Mutex<Told>>) -> Transport
where
    S: Service<HttpRequest<Body>, Response = HttpResponse<R>> + Clone + Send + 'static,
    S::Error: Into<StdError>,
    S::Future: Send,
    R: http_body::Body<Data = Bytes, Error: Into<StdError>> + Send + 'static,
{
    let told = Arc::clone(told);
    let seen = move |response: HttpResponse<R>| {
        told.lock().expect("no panic").head = response.headers().clone();
        let told = Arc::clone(&told);
        response.map(|body| Seen { body: Body::new(body), told })
    };
    tower::util::BoxCloneService::new(inner.map_response(seen).map_err(Into::into))
}

/// A body whose trailers are noted.
struct Seen {
    body: Body,
    told: Arc<Mutex<Told>>,
}

impl http_body::Body for Seen {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            let own = |name: &&HeaderName| name.as_str().starts_with("grpc-");
            let mut kept = trailers.clone();
            for name in trailers.keys().filter(own) {
                kept.remove(name);
            }
            self.told.lock().expect("no panic").trailers = kept;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
