//! Framing of Connect and gRPC-Web that is cut, lies about lengths, or goes on where it has ended.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::Frame;
use http_body_util::BodyExt;
use tobu_transcode::{Body, BoxError, Transcoder};
use tower::{Layer, ServiceExt};

use super::connect::envelopes;
use super::serve::{Server, read_until};

/// A body of these frames.
struct Frames(VecDeque<Frame<Bytes>>);

impl http_body::Body for Frames {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}

fn data(bytes: &'static [u8]) -> Frame<Bytes> {
    Frame::data(Bytes::from_static(bytes))
}

fn trailers(status: &'static str) -> Frame<Bytes> {
    let mut map = HeaderMap::new();
    map.insert("grpc-status", status.parse().unwrap());
    Frame::trailers(map)
}

/// The answer to a request, before a service that gives back the first message, and then what it is told to.
async fn through(request: Request<Frames>, answer: Vec<Frame<Bytes>>) -> (u16, Bytes) {
    let answer = std::sync::Arc::new(std::sync::Mutex::new(Some(answer)));
    let grpc = tower::service_fn(move |request: Request<Body>| {
        let answer = answer.lock().unwrap().take().unwrap();
        async move {
            let sent = request.into_body().collect().await;
            let sent = sent.map(|sent| sent.to_bytes()).unwrap_or_default();
            let frames =
                [Frame::data(sent)].into_iter().filter(|frame| !frame.data_ref().unwrap().is_empty());
            let body = Frames(frames.chain(answer).collect());
            Ok::<_, Infallible>(
                Response::builder().header("content-type", "application/grpc").body(body).unwrap(),
            )
        }
    });
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let response = transcoder.layer(grpc).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, response.into_body().collect().await.unwrap().to_bytes())
}

fn request(method: &str, kind: &str, frames: Vec<Frame<Bytes>>) -> Request<Frames> {
    let request = Request::post(format!("/library.v1.Library/{method}")).header("content-type", kind);
    request.body(Frames(frames.into())).unwrap()
}

/// What a call fails with whose body is cut somewhere.
const CUT: &str = r#"2 {"error":{"code":"invalid_argument","message":"the body ends inside an envelope"}}"#;

#[tokio::test]
async fn cut_at_each_byte() {
    let server = Server::start().await;
    let body = b"\0\0\0\0\x10{\"title\":\"Dune\"}\0\0\0\0\x02{}";
    for len in 0..=body.len() {
        let headers = [("content-type", "application/connect+json")];
        let answer = server.send("POST /library.v1.Library/Sort", &headers, &body[..len]).await;
        let all = envelopes(&answer.body);
        assert_eq!(answer.status, 200, "{len}");
        let is_whole = [0, 21, 28].contains(&len);
        assert_eq!(all.last().unwrap(), if is_whole { "2 {}" } else { CUT }, "{len}");
        // Messages before the cut went through, or the call was given up before they did.
        assert!(all.len() <= 1 + usize::from(len >= 21) + usize::from(len == 28), "{len}: {all:?}");
        let answer = server.send("POST /library.v1.Library/WatchBooks", &headers, &body[..len.min(20)]).await;
        assert_eq!(envelopes(&answer.body).len(), 1, "{len}");
    }
    // What a service answers, cut: messages that came, and an error; one that lies about its length, too.
    let whole: &[u8] = b"\0\0\0\0\x06\x12\x04Dune\0\0\0\0\x06\x12\x04Emma";
    for len in 0..=whole.len() {
        let ask = request("WatchBooks", "application/connect+json", vec![data(b"\0\0\0\0\x02{}")]);
        let cut = Frame::data(Bytes::copy_from_slice(&whole[..len]));
        let (status, body) = through(ask, vec![cut, trailers("0")]).await;
        let all = envelopes(&body);
        // The service gives the request back first, whose message is empty.
        assert_eq!((status, &*all[0]), (200, "0 {}"));
        assert_eq!(all.len(), 2 + len / 11, "{len}");
        let end = match len % 11 {
            0 => "2 {}",
            _ => r#"2 {"error":{"code":"internal","message":"the response of the service is not valid"}}"#,
        };
        assert_eq!(all.last().unwrap(), end, "{len}");
    }
    let ask = request("WatchBooks", "application/connect+json", vec![data(b"\0\0\0\0\x02{}")]);
    let (_, body) = through(ask, vec![data(b"\0\xff\xff\xff\xff"), trailers("0")]).await;
    assert_eq!(
        envelopes(&body)[1],
        r#"2 {"error":{"code":"internal","message":"the response of the service is not valid"}}"#
    );
}

#[tokio::test]
async fn trailers_in_the_middle() {
    // Of a request they mean nothing.
    let frames =
        vec![data(b"\0\0\0\0\x02"), trailers("5"), data(b"{}\0\0"), trailers("0"), data(b"\0\0\x02{}")];
    let (_, body) = through(request("Sort", "application/connect+json", frames), vec![trailers("0")]).await;
    assert_eq!(envelopes(&body), ["0 {}", "0 {}", "2 {}"]);
    // Of a response they are the end, whatever follows.
    for kind in ["application/connect+json", "application/connect+proto"] {
        let message = if kind.ends_with("json") { "{}" } else { "" };
        let ask = match message {
            "{}" => vec![data(b"\0\0\0\0\x02{}")],
            _ => vec![data(b"\0\0\0\0\0")],
        };
        let answer = vec![trailers("0"), data(b"\0\0\0\0\x06\x12\x04Dune"), trailers("13")];
        let (_, body) = through(request("WatchBooks", kind, ask), answer).await;
        assert_eq!(envelopes(&body), [format!("0 {message}"), "2 {}".to_owned()]);
    }
    let ask = request("GetShelf", "application/json", vec![data(b"{}")]);
    let answer = vec![trailers("0"), data(b"\0\0\0\0\0"), trailers("13")];
    assert_eq!(through(ask, answer).await, (200, "{}".into()));
    let ask = request("GetShelf", "application/grpc-web", vec![data(b"\0\0\0\0\0")]);
    let answer = vec![trailers("0"), data(b"\0\0\0\0\0"), trailers("13")];
    let wanted = b"\0\0\0\0\0\x80\0\0\0\x10grpc-status: 0\r\n";
    assert_eq!(through(ask, answer).await, (200, Bytes::from_static(wanted)));
}

#[tokio::test]
async fn queries_of_a_megabyte() {
    let server = Server::start().await;
    let get = "GET /library.v1.Library/GetShelf?connect=v1&encoding=json&message=";
    // The library of HTTP takes no address that is longer than 64 KiB.
    for (name, status) in [("x".repeat(60_000), "HTTP/1.1 200 "), ("x".repeat(1 << 20), "HTTP/1.1 4")] {
        let text = format!("{get}%7B%22name%22:%22{name}%22%7D HTTP/1.1\r\nhost: x\r\n\r\n");
        let mut stream = server.raw(b"").await;
        // A server that has refused the head reads no more of it.
        let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, text.as_bytes()).await;
        let head = read_until(&mut stream, "\r\n\r\n").await;
        assert!(head.is_empty() && name.len() > 60_000 || head.starts_with(status), "{head}");
    }
    let parameters = "a=b&".repeat(10_000);
    let answer = server.send(&format!("{get}%7B%7D&{parameters}"), &[], b"").await;
    assert_eq!(answer.status, 200);
    let server = Server::with(|builder| builder.max_body(100)).await;
    let answer = server.send(&format!("{get}{}", "x".repeat(101)), &[], b"").await;
    let wanted =
        r#"429 {"code":"resource_exhausted","message":"the body is longer than the limit of 100 bytes"}"#;
    assert_eq!(answer.text(), wanted);
}
