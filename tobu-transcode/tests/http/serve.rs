//! A server on the loopback, and a client.

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tobu_transcode::{Ending, Observer, Outcome, TranscodeService, Transcoder, TranscoderBuilder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::Layer;

use super::desk::Desk;

pub(crate) struct Server {
    pub(crate) address: std::net::SocketAddr,
    pub(crate) desk: Desk,
    pub(crate) outcomes: Arc<Mutex<Vec<String>>>,
    pub(crate) endings: Arc<Mutex<Vec<String>>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.status.as_u16(), String::from_utf8_lossy(&self.body))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>, Arc<Mutex<Vec<String>>>);

impl Observer for Log {
    fn answered(&self, outcome: &Outcome<'_>) {
        let route = outcome.route.map_or("-", |route| route.template().as_str());
        self.0.lock().unwrap().push(format!("{} {route} {}", outcome.http_method, outcome.status.as_u16()));
    }

    fn ended(&self, ending: &Ending<'_>) {
        let route = ending.route.map_or("-", |route| route.template().as_str());
        self.1.lock().unwrap().push(format!("{} {route} {:?}", ending.http_method, ending.code));
    }
}

impl Server {
    /// Serves the library with its defaults.
    pub(crate) async fn start() -> Self {
        Self::with(|builder| builder).await
    }

    pub(crate) async fn with(change: impl FnOnce(TranscoderBuilder) -> TranscoderBuilder) -> Self {
        Self::build(change, false).await
    }

    /// Speaks HTTP/2 alone, as gRPC does.
    pub(crate) async fn http2() -> Self {
        Self::build(|builder| builder, true).await
    }

    async fn build(change: impl FnOnce(TranscoderBuilder) -> TranscoderBuilder, http2: bool) -> Self {
        let pool = tobu_transcode_schemas::pool();
        let log = Log::default();
        let builder = Transcoder::builder().pool(&pool).service("library.v1.Library").observer(log.clone());
        Server { outcomes: log.0, endings: log.1, ..Self::of(change(builder).build().unwrap(), http2).await }
    }

    /// Serves with this layer before the desk.
    pub(crate) async fn of(layer: impl Layer<Desk, Service = TranscodeService<Desk>>, http2: bool) -> Self {
        let desk = Desk::default();
        let service = layer.layer(desk.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let service = TowerToHyperService::new(service.clone());
                let stream = TokioIo::new(stream);
                // A client that goes away is no error of the server.
                if http2 {
                    let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    tokio::spawn(async move { http.serve_connection(stream, service).await.ok() });
                } else {
                    let http = hyper::server::conn::http1::Builder::new();
                    tokio::spawn(async move { http.serve_connection(stream, service).await.ok() });
                }
            }
        });
        Server { address, desk, outcomes: Arc::default(), endings: Arc::default() }
    }

    /// Sends a request without more headers: a JSON body where there is one.
    pub(crate) async fn ask(&self, line: &str, body: &str) -> Answer {
        let mut headers = vec![];
        if !body.is_empty() {
            headers.push(("content-type", "application/json"));
        }
        self.send(line, &headers, body.as_bytes()).await
    }

    pub(crate) async fn send(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let (method, path) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).unwrap();
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let response = sender.send_request(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: head.status, headers: head.headers, body }
    }

    /// A connection, on which these bytes were sent.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    /// How so many calls ended, waiting for them for ten seconds at the most.
    pub(crate) async fn endings(&self, count: usize) -> Vec<String> {
        for _ in 0..1000 {
            if self.endings.lock().unwrap().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.endings.lock().unwrap().clone()
    }

    pub(crate) fn outcomes(&self) -> Vec<String> {
        self.outcomes.lock().unwrap().clone()
    }
}

/// Reads until a text has come, for ten seconds at the most.
pub(crate) async fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut text = Vec::new();
    let read = async {
        while !String::from_utf8_lossy(&text).contains(wanted) {
            let mut piece = [0; 1024];
            let len = stream.read(&mut piece).await.unwrap_or(0);
            if len == 0 {
                break;
            }
            text.extend_from_slice(&piece[..len]);
        }
    };
    tokio::time::timeout(Duration::from_secs(10), read).await.ok();
    String::from_utf8_lossy(&text).into_owned()
}
