//! Tests slow clients that keep resources from others.

use std::convert::Infallible;
use std::future::{pending, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tobu::Pool;
use tobu_transcode::{Body, Live};
use tokio::io::AsyncWriteExt;
use tower_service::Service;

use super::frames::{END_HEADERS, END_STREAM, GET, HEADERS, PREFACE, SETTINGS, frame, head_of};
use super::{PATIENCE, Target, rest};
use crate::limits::Limits;
use crate::proto::library::v1::library_server;
use crate::schema;
use crate::serve::{self, Guards};

const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn who_says_nothing_is_hung_up_on() {
    let limits = Limits { start: SHORT, ..Limits::default() };
    let target = Target::library(Guards { limits, ..Guards::default() }).await;
    // The client sends nothing, the start of the HTTP/2 preface, or the beginning of an HTTP/1 header section.
    for start in ["", "PRI * HTTP/2.0", "GET / HTTP/1.1\r\na:"] {
        assert_eq!(target.talk(start).await, "", "{start:?}");
    }
    target.is_well().await;
}

/// The header section of a request must be complete after 30 seconds, even if bytes keep coming.
#[tokio::test]
async fn a_head_comes_in_time() {
    let target = Target::library(Guards::default()).await;
    let mut stream = target.send("GET /v1/shelves HTTP/1.1\r\nhost: a\r\n").await;
    // First the server begins to read the headers in real time. Only then the test stops the clock, and moves it by half a
    // minute.
    tokio::time::sleep(SHORT).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    drop(stream.write_all(b"b: c\r\n").await);
    assert_eq!(rest(&mut stream).await, "");
    target.is_well().await;
}

#[tokio::test]
async fn connections_end() {
    let limits = Limits { age: (SHORT, SHORT), ..Limits::default() };
    let target = Target::library(Guards { limits, ..Guards::default() }).await;
    // The server asks the client to close the connection, but the client does not.
    let mut stream = target.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await;
    rest(&mut stream).await;
    target.is_well().await;
}

#[tokio::test]
async fn there_are_so_many_connections() {
    let limits = Limits { connections: 2, start: SHORT, ..Limits::default() };
    let target = Target::library(Guards { limits, ..Guards::default() }).await;
    let start = tokio::time::Instant::now();
    let (_one, _other) = (target.send("").await, target.send("").await);
    // This request is served after the server has closed the two connections before it.
    target.is_well().await;
    assert!(start.elapsed() >= SHORT, "{:?}", start.elapsed());
}

/// A service whose response streams do not end.
#[derive(Clone, Default)]
struct Endless {
    sent: Arc<AtomicUsize>,
    given_up: Arc<AtomicUsize>,
}

struct Stream(Endless);

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.given_up.fetch_add(1, Ordering::SeqCst);
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.sent.fetch_add(1, Ordering::SeqCst);
        // A gRPC message with a book whose title has a thousand letters.
        let book = [&b"\0\0\0\x03\xeb\x12\xe8\x07"[..], &[b'a'; 1000]].concat();
        Poll::Ready(Some(Ok(Frame::data(book.into()))))
    }
}

impl Service<Request<Body>> for Endless {
    type Response = Response<Stream>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Response<Stream>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        let response = Response::builder().header("content-type", "application/grpc");
        ready(Ok(response.body(Stream(self.clone())).unwrap()))
    }
}

/// Starts a server with the service `Endless`.
async fn endless(limits: Limits) -> (Endless, Target) {
    library_server::descriptor();
    let endless = Endless::default();
    let (service, guards) = (endless.clone(), Guards { limits, ..Guards::default() });
    let live = Live::new(schema::recipe().pool(&Pool::global())).unwrap();
    let target = Target::start(|listener| serve::listen(listener, live, service, guards, pending())).await;
    (endless, target)
}

impl Endless {
    /// Waits until the server drops the stream. Returns how many messages it sent before.
    async fn sent(&self) -> usize {
        let over = async {
            while self.given_up.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(SHORT / 10).await;
            }
        };
        tokio::time::timeout(PATIENCE, over).await.expect("the stream goes on for ever");
        self.sent.load(Ordering::SeqCst)
    }
}

const STREAM: &str = "/v1/shelves/a/books:stream";

/// If the client does not read the response, the server fills only the buffers, and then drops the stream.
#[tokio::test]
async fn who_reads_nothing_gets_no_more() {
    let (endless, target) = endless(Limits { stall: Duration::from_secs(1), ..Limits::default() }).await;
    let stream = target.send(format!("GET {STREAM} HTTP/1.1\r\nhost: a\r\n\r\n")).await;
    let sent = endless.sent().await;
    // Each message has a kilobyte. The buffers of the two sockets have a few megabytes at most, and the server's own have 64
    // KiB each.
    assert!((64..32_000).contains(&sent), "{sent}");
    drop(stream);
}

/// An HTTP/2 client can stop the server without filling the buffers of the sockets: it declares a window of zero bytes.
#[tokio::test]
async fn who_has_no_room_gets_no_more() {
    let (endless, target) = endless(Limits { age: (SHORT, SHORT), ..Limits::default() }).await;
    // The setting SETTINGS_INITIAL_WINDOW_SIZE with the value 0.
    let settings = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]);
    let call = frame(HEADERS, END_HEADERS | END_STREAM, 1, &head_of(GET, STREAM));
    let mut stream = target.send([PREFACE, &settings, &call].concat()).await;
    let answered = rest(&mut stream).await;
    assert!(!answered.contains("aaaa"));
    let sent = endless.sent().await;
    assert!((1..1000).contains(&sent), "{sent}");
}
