//! A server behind the proxy that is not there, breaks off, or says what it should not: clients get a status and plain words.

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

/// A proxy in front of a server at this address.
async fn proxy(address: SocketAddr) -> Target {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), library()).unwrap();
    let path = Some(file.path().to_owned());
    let upstream = Upstream::new(&format!("http://{address}"), path, None).await.unwrap();
    Target::start(|listener| serve::proxy(listener, upstream, Guards::default(), pending())).await
}

/// What becomes of a call, in JSON and in gRPC.
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

/// Whoever connects is told this, and no more.
#[tokio::test]
async fn that_speaks_something_else() {
    for words in [
        &b""[..],
        b"HTTP/1.1 400 Bad Request\r\ncontent-length: 6\r\n\r\nsecret",
        b"SSH-2.0-secret\r\n",
        &[0xff; 100_000],
        // HTTP/2: settings, and then that something is wrong, with words about it.
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

/// What a server answers: headers, a message, and what comes after it; without trailers it breaks off.
#[derive(Clone)]
struct Answer {
    headers: HeaderMap,
    trailers: Option<HeaderMap>,
}

/// The body of an answer, and the time before its end: that what came before was seen.
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

/// A server of HTTP/2 that gives one answer, and the proxy in front of it.
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

    // Headers that are too long never become a response.
    let long = Answer { headers: headers(&[grpc, ("secret", &flood)]), trailers: Some(ok) };
    assert_eq!(call(&behind(long).await).await.0, unreachable().0);
    // Nor do trailers, or a body that is reset.
    let broken = r#"503 {"code":14,"message":"the response of the service broke off","details":[]}"#;
    let long = headers(&[("grpc-status", "5"), ("grpc-message", &flood)]);
    let long = Answer { headers: headers(&[grpc]), trailers: Some(long) };
    assert_eq!(call(&behind(long).await).await.0, broken);
    let reset = Answer { headers: headers(&[grpc]), trailers: None };
    let (json, grpc) = call(&behind(reset).await).await;
    assert_eq!(json, broken);
    assert!(!grpc.contains("secret"), "{grpc}");
}
