//! Rows 55 and 58 to 60: what is too much, too slow, or ends too early.

use super::serve::{Server, read_until};
use super::upstream::Details;
use http_body_util::BodyExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tobu_transcode::{HttpRule, ServiceConfig, Transcoder, frame_header};
use tower::{Layer, ServiceExt};

#[tokio::test]
async fn paths_and_queries() {
    let server = Server::start().await;
    let answer = server.ask(&format!("GET /v1/shelves/{}", "a".repeat(9000)), "").await;
    assert_eq!(
        answer.text(),
        r#"414 {"code":3,"message":"the path has 9012 bytes, and the limit is 8192 bytes","details":[]}"#
    );
    let line = format!("GET /v1/shelves/1/books?{}", "key=1&".repeat(10_000));
    let answer = server.ask(&line, "").await;
    let unknown = r#"400 {"code":3,"message":"the query parameter \"key\": library.v1.ListBooksRequest has no field \"key\"","details":[]}"#;
    assert_eq!(answer.text(), unknown);
    let options = tobu_transcode::TranscodeOptions::new().ignore_query(["key"]);
    let server = Server::with(|builder| builder.options(options)).await;
    let answer = server.ask(&line, "").await;
    let many = r#"400 {"code":3,"message":"the query has more than 1024 parameters","details":[]}"#;
    assert_eq!(answer.text(), many);
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn bodies() {
    let server = Server::with(|builder| builder.max_body(100)).await;
    let wanted = r#"413 {"code":8,"message":"the body is longer than the limit of 100 bytes","details":[]}"#;
    let line = "POST /v1/shelves/1/books";
    let answer = server.ask(line, &format!(r#"{{"title":"{}"}}"#, "a".repeat(100))).await;
    assert_eq!(answer.text(), wanted);

    // Without a length in advance.
    let mut stream = server
        .raw(b"POST /v1/shelves/1/books HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
        .await;
    let piece = format!("40\r\n{}\r\n", " ".repeat(64));
    for _ in 0..2 {
        tokio::io::AsyncWriteExt::write_all(&mut stream, piece.as_bytes()).await.unwrap();
    }
    let text = read_until(&mut stream, "details").await;
    assert!(text.starts_with("HTTP/1.1 413 "), "{text}");
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
    let answer = server.ask(line, r#"{"title":"Dune"}"#).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_body_that_ends_too_early() {
    let server = Server::start().await;
    let head = "POST /v1/shelves/1/books HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
    for rest in ["transfer-encoding: chunked\r\n\r\n10\r\n{}", "content-length: 10\r\n\r\n{}"] {
        let mut stream = server.raw(format!("{head}{rest}").as_bytes()).await;
        // No more is sent, and the response is still read.
        tokio::io::AsyncWriteExt::shutdown(&mut stream).await.unwrap();
        let text = read_until(&mut stream, "details").await;
        assert!(text.starts_with("HTTP/1.1 400 "), "{text}");
        assert!(
            text.contains(r#"{"code":3,"message":"the body did not come to its end","details":[]}"#),
            "{text}"
        );
    }
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn a_client_that_is_slow() {
    let server = Server::with(|builder| builder.read_timeout(Duration::from_millis(50))).await;
    let mut stream = server
        .raw(b"POST /v1/shelves/1/books HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{")
        .await;
    let text = read_until(&mut stream, "details").await;
    assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
    assert!(text.ends_with(r#"{"code":1,"message":"the body did not come in time","details":[]}"#), "{text}");
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn a_client_that_goes_away() {
    let server = Server::start().await;
    let stream = server.raw(b"GET /v1/shelves/slow HTTP/1.1\r\nhost: a\r\n\r\n").await;
    while server.desk.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(stream);
    assert!(server.desk.wait_given_up(1).await);

    // In the middle of a stream of responses, too.
    let mut stream = server.raw(b"GET /v1/shelves/forever/books:watch HTTP/1.1\r\nhost: a\r\n\r\n").await;
    let text = read_until(&mut stream, "Dune").await;
    assert!(text.contains(r#"{"title":"Dune"}"#), "{text}");
    drop(stream);
    assert!(server.desk.wait_given_up(2).await);
}

#[tokio::test]
async fn responses_that_are_too_deep_or_too_large() {
    let pool = tobu_transcode_schemas::pool();
    let details = Arc::new(Mutex::new(Vec::new()));
    let rule =
        |selector: &str, path: &str| HttpRule { selector: selector.into(), ..HttpRule::new("GET", path) };
    let config =
        ServiceConfig { rules: vec![rule("shapes.Shapes.Call", "/deep")], ..ServiceConfig::default() };
    let transcoder = Transcoder::builder()
        .pool(&pool)
        .service("shapes.Shapes")
        .config(config)
        .max_response(4000)
        .observer(Details(Arc::clone(&details)))
        .build()
        .unwrap();
    let ask = |levels: usize| {
        let mut wire: Vec<u8> = Vec::new();
        for _ in 0..levels {
            let mut outer = vec![0x12];
            let len = wire.len();
            outer.extend(if len < 128 { vec![len as u8] } else { vec![len as u8 | 0x80, (len >> 7) as u8] });
            outer.extend(wire);
            wire = outer;
        }
        let mut body = vec![0; 5];
        body.extend([0x32, wire.len() as u8 | 0x80, (wire.len() >> 7) as u8]);
        body.extend(wire);
        let header = frame_header(body.len() - 5).unwrap();
        body[..5].copy_from_slice(&header);
        let service = tower::service_fn(move |_| {
            let frames = [
                Ok::<_, std::convert::Infallible>(http_body::Frame::data(bytes::Bytes::from(body.clone()))),
                Ok(http_body::Frame::trailers(
                    [("grpc-status".parse().unwrap(), "0".parse().unwrap())].into_iter().collect(),
                )),
            ];
            let body = http_body_util::StreamBody::new(Frames(frames.into_iter()));
            let response = http::Response::builder().header("content-type", "application/grpc").body(body);
            std::future::ready(Ok::<_, std::convert::Infallible>(response.unwrap()))
        });
        let service = transcoder.clone().layer(service);
        async move {
            let request = http::Request::get("/deep").body(tobu_transcode::Body::empty()).unwrap();
            let response = service.oneshot(request).await.unwrap();
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            format!("{status} {}", String::from_utf8_lossy(&body))
        }
    };
    let text = ask(70).await;
    assert!(text.starts_with(r#"200 {"sub":{"inner":{"#), "{text}");
    // Which of them it is, is for those who run the service.
    let wanted = r#"500 {"code":13,"message":"the response of the service is not valid","details":[]}"#;
    assert_eq!(ask(150).await, wanted);
    assert_eq!(ask(1500).await, wanted);
    let ends = details.lock().unwrap();
    assert!(ends[0].starts_with("the response: shapes.Shape.sub.inner."), "{}", ends[0]);
    assert!(ends[0].ends_with("messages are nested deeper than 100 levels (at byte 286)"), "{}", ends[0]);
    assert_eq!(ends[1..], ["a message of 4439 bytes is longer than the limit of 4000 bytes"]);
}

/// A stream of what is there already.
struct Frames<I>(I);

impl<I: Iterator + Unpin> futures_core::Stream for Frames<I> {
    type Item = I::Item;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<I::Item>> {
        std::task::Poll::Ready(self.0.next())
    }
}
