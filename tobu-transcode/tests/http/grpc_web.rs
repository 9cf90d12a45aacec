//! gRPC-Web in front of a service that knows nothing of it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tobu_transcode::{Body, BoxError, Transcoder, frame_header};
use tower::{Layer, ServiceExt};

use super::serve::{Answer, Server};

const CALL: &[u8] = b"\0\0\0\0\x0b\x0a\x09shelves/1";
const SHELF: &[u8] = b"\0\0\0\0\x14\x0a\x09shelves/1\x12\x07Fiction";
const BOOK: &[u8] = b"\0\0\0\0\x06\x12\x04Dune";
const EMMA: &[u8] = b"\0\0\0\0\x06\x12\x04Emma";

/// A frame of trailers.
fn trailers(text: &str) -> Vec<u8> {
    let mut frame = frame_header(text.len()).unwrap().to_vec();
    frame[0] = 0x80;
    [&frame, text.as_bytes()].concat()
}

/// The bytes of a body of base64, of which each segment ends for itself.
fn decoded(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for group in body.chunks(4) {
        out.extend(STANDARD.decode(group).unwrap());
    }
    out
}

async fn call(server: &Server, method: &str, kind: &str, message: &[u8]) -> Answer {
    let path = format!("POST /library.v1.Library/{method}");
    let body = if kind.contains("text") { STANDARD.encode(message).into_bytes() } else { message.to_vec() };
    server.send(&path, &[("content-type", kind), ("x-user-agent", "grpc-web/1")], &body).await
}

#[tokio::test]
async fn calls() {
    let server = Server::start().await;
    let ok = trailers("grpc-status: 0\r\ngrpc-message: \r\ncost: 3\r\n");
    for kind in [
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpc-web-text",
        "application/grpc-web-text+proto",
        "Application/gRPC-Web+Proto; charset=utf-8",
    ] {
        let answer = call(&server, "GetShelf", kind, CALL).await;
        let plain = kind.split(';').next().unwrap().to_ascii_lowercase();
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, &*plain));
        assert_eq!(answer.header("served-by"), "desk");
        let body = if kind.contains("text") { decoded(&answer.body) } else { answer.body.to_vec() };
        assert_eq!(body, [SHELF, &ok].concat(), "{kind}");
        // The service gets a call of gRPC, with the metadata of the request.
        let headers = server.desk.headers();
        let wanted = if kind.to_ascii_lowercase().contains("+proto") {
            "application/grpc+proto"
        } else {
            "application/grpc"
        };
        assert_eq!(headers["content-type"], wanted);
        assert_eq!(headers["te"], "trailers");
        assert_eq!(headers["x-user-agent"], "grpc-web/1");
        assert!(!headers.contains_key("content-length"));
        assert_eq!(server.desk.calls().last().unwrap(), r#"GetShelf {"name":"shelves/1"}"#);
    }
    // Streams both ways: frames as they are.
    let ok = trailers("grpc-status: 0\r\ngrpc-message: \r\n");
    for kind in ["application/grpc-web", "application/grpc-web-text"] {
        let answer = call(&server, "WatchBooks", kind, b"\0\0\0\0\0").await;
        let body = if kind.contains("text") { decoded(&answer.body) } else { answer.body.to_vec() };
        assert_eq!(body, [BOOK, EMMA, &ok].concat());
        let answer = call(&server, "Sort", kind, &[BOOK, EMMA].concat()).await;
        let body = if kind.contains("text") { decoded(&answer.body) } else { answer.body.to_vec() };
        assert_eq!(body, [BOOK, EMMA, &ok].concat());
    }
    // What a client takes may be another form than what it sends.
    for (kind, accept, wanted) in [
        ("application/grpc-web", "application/grpc-web-text", "application/grpc-web-text"),
        ("application/grpc-web-text", "application/grpc-web+proto", "application/grpc-web"),
        ("application/grpc-web-text", "*/*", "application/grpc-web-text"),
    ] {
        let headers = [("content-type", kind), ("accept", accept)];
        let body = if kind.ends_with("text") { STANDARD.encode(CALL).into_bytes() } else { CALL.to_vec() };
        let answer = server.send("POST /library.v1.Library/GetShelf", &headers, &body).await;
        assert_eq!(answer.header("content-type"), wanted);
        let body = if wanted.ends_with("text") { decoded(&answer.body) } else { answer.body.to_vec() };
        assert!(body.starts_with(SHELF));
    }
    // gRPC itself is as it was.
    let answer = call(&server, "GetShelf", "application/grpc", CALL).await;
    assert_eq!((answer.header("content-type"), &answer.body[..]), ("application/grpc", SHELF));
}

#[tokio::test]
async fn calls_that_fail() {
    let server = Server::start().await;
    let message =
        |name: &str| [&[0, 0, 0, 0, name.len() as u8 + 2, 0x0a, name.len() as u8], name.as_bytes()].concat();
    // A status among the headers stays there.
    let answer = call(&server, "GetShelf", "application/grpc-web+proto", &message("shelves/denied")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/grpc-web+proto"));
    assert_eq!((answer.header("grpc-status"), answer.header("grpc-message")), ("7", "not%20for you"));
    assert_eq!(answer.body, "");
    // In the trailers, after messages; and where the connection to the service ends without any.
    let cut = "grpc-status: 2\r\ngrpc-message: the response of the service ends without a status\r\n";
    let broken = "grpc-status: 14\r\ngrpc-message: the response of the service broke off\r\n";
    for (method, name, data, wanted) in [
        ("WatchBooks", "shelves/half", BOOK, "grpc-status: 14\r\ngrpc-message: too busy\r\n"),
        ("GetShelf", "shelves/cut", BOOK, cut),
        ("GetShelf", "shelves/broken", b"\0\0\0\0\x09ab", broken),
    ] {
        for kind in ["application/grpc-web", "application/grpc-web-text"] {
            let answer = call(&server, method, kind, &message(name)).await;
            let body = if kind.contains("text") { decoded(&answer.body) } else { answer.body.to_vec() };
            assert_eq!(body, [data, &trailers(wanted)].concat(), "{name}");
        }
    }
    // What is not gRPC's goes through.
    let answer = call(&server, "GetShelf", "application/grpc-web", &message("shelves/html")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (502, ""));
}

/// A service that keeps the body of a call.
async fn received(chunks: Vec<Bytes>) -> Result<Vec<u8>, String> {
    let kept = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&kept);
    let service = tower::service_fn(move |request: Request<Body>| {
        let keep = Arc::clone(&keep);
        async move {
            let body = request.into_body().collect().await;
            *keep.lock().unwrap() =
                Some(body.map(|body| body.to_bytes().to_vec()).map_err(|error| error.to_string()));
            Ok::<_, Infallible>(Response::new(Body::empty()))
        }
    });
    let builder = Transcoder::builder().pool(&tobu_transcode_schemas::pool()).service("library.v1.Library");
    let frames = chunks.into_iter().map(|chunk| Ok::<_, BoxError>(Frame::data(chunk)));
    let body = StreamBody::new(tokio_stream_iter(frames));
    let request =
        Request::post("/library.v1.Library/GetShelf").header("content-type", "application/grpc-web-text");
    let request = request.body(Body::new(body)).unwrap();
    builder.build().unwrap().layer(service).oneshot(request).await.unwrap();
    let body = kept.lock().unwrap().take();
    body.unwrap()
}

fn tokio_stream_iter<T: Send + 'static>(
    items: impl Iterator<Item = T> + Send + Unpin + 'static,
) -> impl futures_core::Stream<Item = T> + Send + 'static {
    struct Iter<I>(I);
    impl<I: Iterator + Unpin> futures_core::Stream for Iter<I> {
        type Item = I::Item;
        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<I::Item>> {
            std::task::Poll::Ready(self.0.next())
        }
    }
    Iter(items)
}

#[tokio::test]
async fn text_in_every_two_pieces() {
    // Segments that are padded each for itself.
    for segments in [&[CALL][..], &[&CALL[..1], &CALL[1..3], &CALL[3..]], &[b""], &[b"a"], &[b"ab", b"abc"]] {
        let text: String = segments.iter().map(|segment| STANDARD.encode(segment)).collect();
        let wanted = segments.concat();
        for at in 0..=text.len() {
            let chunks = vec![text[..at].to_owned().into(), Bytes::new(), text[at..].to_owned().into()];
            assert_eq!(received(chunks).await.as_deref(), Ok(&wanted[..]), "{text} at {at}");
        }
        let chunks = text.bytes().map(|byte| Bytes::from(vec![byte])).collect();
        assert_eq!(received(chunks).await.as_deref(), Ok(&wanted[..]));
    }
    for text in ["A", "AA", "AAA", "AAAAA", "A===", "AA=A", "*AAA", "AAAA\n", "=AAA", "AAAA=", "_-8="] {
        for at in 0..=text.len() {
            let chunks = vec![text[..at].to_owned().into(), text[at..].to_owned().into()];
            assert_eq!(received(chunks).await, Err("the body is not base64".to_owned()), "{text:?} at {at}");
        }
    }
}

#[tokio::test]
async fn other_methods_of_http() {
    let server = Server::start().await;
    for method in ["DELETE", "GET", "PUT"] {
        let line = format!("{method} /library.v1.Library/GetShelf");
        let answer = server.send(&line, &[("content-type", "application/grpc-web")], CALL).await;
        assert_eq!((answer.text(), answer.header("allow")), ("405 ".to_owned(), "POST"));
    }
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}
