//! Tests a proxy whose upstream server is missing, breaks off, or sends secrets. Clients get only a status and a fixed text.

use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Frame;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::time::{Sleep, sleep};
use tonic::transport::Endpoint;

use super::Target;
use crate::proto::library::v1::ListShelvesRequest;
use crate::proto::library::v1::library_client::LibraryClient;
use crate::serve::{self, Guards};
use crate::upstream::Upstream;
use crate::upstream::tests::library;

/// Starts a proxy for the server at this address.
async fn proxy(address: SocketAddr) -> Target {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), library()).unwrap();
    let path = Some(file.path().to_owned());
    let upstream = Upstream::new(&format!("http://{address}"), path, None).await.unwrap();
    Target::start(|listener| serve::proxy(listener, upstream, Guards::default(), pending())).await
}

/// Calls a method over JSON and over gRPC, and returns both outcomes.
async fn call(target: &Target) -> (String, String) {
    let (status, _, body) = target.ask("GET /v1/shelves HTTP/1.1", "", &[]).await;
    let channel =
        Endpoint::from_shared(format!("http://{}", target.address)).unwrap().connect().await.unwrap();
    let answer = LibraryClient::new(channel).list_shelves(ListShelvesRequest::default()).await;
    let grpc = match answer {
        Ok(_) => "OK".to_owned(),
        Err(status) => format!("{:?}: {}", status.code(), status.message()),
    };
    (format!("{status} {body}"), grpc)
}

fn unreachable() -> (String, String) {
    let json = r#"503 {"code":14,"message":"the service cannot be reached","details":[]}"#;
    (json.to_owned(), "Unavailable: the service cannot be reached".to_owned())
}

#[tokio::test]
async fn that_is_not_there() {
    let target = proxy("127.0.0.1:1".parse().unwrap()).await;
    assert_eq!(call(&target).await, unreachable());
}

/// If the upstream server does not speak gRPC, every client gets the same error, which does not repeat the server's words.
#[tokio::test]
async fn that_speaks_something_else() {
    for words in [
        &b""[..],
        b"HTTP/1.1 400 Bad Request\r\ncontent-length: 6\r\n\r\nsecret",
        b"SSH-2.0-secret\r\n",
        &[0xff; 100_000],
        // HTTP/2: a settings frame, and then a GOAWAY frame with an error and a debug text.
        b"\0\0\0\x04\0\0\0\0\0\0\0\x0e\x07\0\0\0\0\0\0\0\0\0\0\0\0\x02secret",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let words = words.to_vec();
        let server = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                drop(stream.write_all(&words).await);
            }
        });
        let target = proxy(address).await;
        assert_eq!(call(&target).await, unreachable());
        server.abort();
    }
}

/// The answer of an upstream server: headers, one empty message, and trailers. Without trailers, the server breaks off after
/// the message.
#[derive(Clone)]
struct Answer {
    headers: HeaderMap,
    trailers: Option<HeaderMap>,
}

/// The body of an answer. A pause comes after the message, so that the proxy reads the message before the end.
enum Talk {
    Message(Option<HeaderMap>),
    Pause(Option<HeaderMap>, Pin<Box<Sleep>>),
    End,
}

impl http_body::Body for Talk {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let trailers = match &mut *self {
            Talk::Message(trailers) => {
                *self = Talk::Pause(trailers.take(), Box::pin(sleep(Duration::from_millis(200))));
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"\0\0\0\0\0")))));
            }
            Talk::Pause(trailers, pause) => {
                ready!(pause.as_mut().poll(cx));
                trailers.take()
            }
            Talk::End => return Poll::Ready(None),
        };
        *self = Talk::End;
        Poll::Ready(Some(trailers.map(Frame::trailers).ok_or(io::Error::other("secret"))))
    }
}

/// Starts an HTTP/2 server that gives this answer to every request, and a proxy for it.
async fn behind(answer: Answer) -> Target {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let stream = TokioIo::new(listener.accept().await.unwrap().0);
            let answer = answer.clone();
            let service = service_fn(move |_: Request<Incoming>| {
                let mut response = Response::new(Talk::Message(answer.trailers.clone()));
                *response.headers_mut() = answer.headers.clone();
                std::future::ready(Ok::<_, Infallible>(response))
            });
            let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(async move { http.serve_connection(stream, service).await.ok() });
        }
    });
    proxy(address).await
}

fn headers(of: &[(&'static str, &str)]) -> HeaderMap {
    of.iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
        .collect()
}

#[tokio::test]
async fn that_says_too_much() {
    let grpc = ("content-type", "application/grpc");
    let ok = headers(&[("grpc-status", "0")]);
    let flood = "s".repeat(100_000);
    let fine = Answer { headers: headers(&[grpc]), trailers: Some(ok.clone()) };
    assert_eq!(call(&behind(fine).await).await, ("200 {}".to_owned(), "OK".to_owned()));

    // If the headers are too long, the proxy has no response at all.
    let long = Answer { headers: headers(&[grpc, ("secret", &flood)]), trailers: Some(ok) };
    assert_eq!(call(&behind(long).await).await.0, unreachable().0);
    // Trailers that are too long and a reset body break off a response that has begun.
    let broken = r#"503 {"code":14,"message":"the response of the service broke off","details":[]}"#;
    let long = headers(&[("grpc-status", "5"), ("grpc-message", &flood)]);
    let long = Answer { headers: headers(&[grpc]), trailers: Some(long) };
    assert_eq!(call(&behind(long).await).await.0, broken);
    let reset = Answer { headers: headers(&[grpc]), trailers: None };
    let (json, grpc) = call(&behind(reset).await).await;
    assert_eq!(json, broken);
    assert!(!grpc.contains("secret"), "{grpc}");
}
