//! Calls that take too long.

use std::convert::Infallible;
use std::time::Duration;

use http::{Request, Response};
use http_body_util::BodyExt;
use tobu_transcode::{Body, Transcoder};
use tokio::time::Instant;
use tower::{Layer, Service, ServiceExt, service_fn};

use super::serve::{Server, read_until};

const PASSED: &str = r#"504 {"code":4,"message":"the deadline of the call has passed","details":[]}"#;

#[tokio::test]
async fn a_body_that_does_not_come_is_part_of_the_call() {
    let server = Server::start().await;
    let head =
        "POST /v1/shelves/1/books HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\ngrpc-timeout: 50m\r\n\r\n{}";
    let text = read_until(&mut server.raw(head.as_bytes()).await, "details").await;
    assert!(text.starts_with("HTTP/1.1 504 "), "{text}");
    assert_eq!(format!("504 {}", text.lines().last().unwrap()), PASSED);
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

/// Other servers that go by the same header must not be faster, and an answer that comes too late is none.
#[tokio::test(start_paused = true)]
async fn deadlines_are_kept() {
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    for (timeout, after) in [("8m", 7), ("40m", 35), ("1S", 995)] {
        let never =
            service_fn(|_: Request<Body>| std::future::pending::<Result<Response<Body>, Infallible>>());
        let start = Instant::now();
        assert_eq!(ask(transcoder.layer(never), timeout).await, PASSED);
        assert_eq!(start.elapsed(), Duration::from_millis(after), "{timeout}");
    }
    tokio::time::resume();
    let late = service_fn(|_: Request<Body>| {
        // The timer has no turn in between.
        std::thread::sleep(Duration::from_millis(30));
        std::future::ready(Ok::<_, Infallible>(Response::new(Body::empty())))
    });
    assert_eq!(ask(transcoder.layer(late), "10m").await, PASSED);
}

/// Those of gRPC-Web could not read what a server around answers, nor could those of gRPC tell a channel behind that gives up from
/// a server that cannot be reached.
#[tokio::test(start_paused = true)]
async fn deadlines_of_calls_that_are_forwarded_are_kept() {
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    for kind in ["application/grpc", "application/grpc-web+proto", "application/grpc-web-text"] {
        let never =
            service_fn(|_: Request<Body>| std::future::pending::<Result<Response<Body>, Infallible>>());
        let request = Request::post("/library.v1.Library/GetShelf").header("content-type", kind);
        let request = request.header("grpc-timeout", "40m").body(Body::empty()).unwrap();
        let start = Instant::now();
        let (head, body) = transcoder.layer(never).call(request).await.unwrap().into_parts();
        assert_eq!(start.elapsed(), Duration::from_millis(35), "{kind}");
        let header = |name: &str| head.headers[name].to_str().unwrap().to_owned();
        assert_eq!(
            (head.status.as_u16(), header("content-type"), header("grpc-status"), header("grpc-message")),
            (
                200,
                kind.to_owned(),
                "4".to_owned(),
                "the%20deadline%20of%20the%20call%20has%20passed".to_owned()
            )
        );
        assert_eq!(body.collect().await.unwrap().to_bytes(), "");
    }
    // The service judges a timeout that is malformed.
    let echo = service_fn(|request: Request<Body>| {
        let mut response = Response::new(Body::empty());
        *response.headers_mut() = request.headers().clone();
        std::future::ready(Ok::<_, Infallible>(response))
    });
    let request = Request::post("/library.v1.Library/GetShelf").header("content-type", "application/grpc");
    let request = request.header("grpc-timeout", "soon").body(Body::empty()).unwrap();
    let response = transcoder.layer(echo).call(request).await.unwrap();
    assert_eq!(response.headers()["grpc-timeout"], "soon");
}

/// As tonic's server does it: first the call, then a timer of the same time, and the call is looked at first.
#[tokio::test]
async fn a_server_around_is_not_faster() {
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let never = service_fn(|_: Request<Body>| std::future::pending::<Result<Response<Body>, Infallible>>());
    let request = Request::get("/v1/shelves/1").header("grpc-timeout", "10m").body(Body::empty()).unwrap();
    let call = transcoder.layer(never).call(request);
    let around = tokio::time::sleep(Duration::from_millis(10));
    // The machine is busy before it goes on.
    std::thread::sleep(Duration::from_millis(30));
    tokio::select! {
        biased;
        answer = call => assert_eq!(answer.unwrap().status(), 504),
        () = around => panic!("the server around was faster"),
    }
}

async fn ask<S>(service: S, timeout: &str) -> String
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let request = Request::get("/v1/shelves/1").header("grpc-timeout", timeout).body(Body::empty()).unwrap();
    let (head, body) = service.oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    format!("{} {}", head.status.as_u16(), String::from_utf8_lossy(&body))
}
