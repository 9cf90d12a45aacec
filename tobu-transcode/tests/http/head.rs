//! `HEAD`: what a `GET` would answer, without its body.

use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::{TokioExecutor, TokioIo};

use super::serve::{Answer, Server};

#[tokio::test]
async fn has_the_headers_of_a_get() {
    let server = Server::start().await;
    for path in
        ["/v1/shelves/1", "/v1/shelves/1/books/2/cover", "/v1/shelves/1/titles", "/v1/shelves/denied", "/v2"]
    {
        let headers = [("accept-encoding", "gzip")];
        let got = server.send(&format!("GET {path}"), &headers, b"").await;
        let head = server.send(&format!("HEAD {path}"), &headers, b"").await;
        let without_date = |answer: &Answer| {
            let mut headers = answer.headers.clone();
            headers.remove("date");
            headers
        };
        assert_eq!((head.status, without_date(&head)), (got.status, without_date(&got)), "{path}");
        assert_eq!(head.header("content-length"), got.body.len().to_string(), "{path}");
        assert_eq!((got.body.is_empty(), head.body.is_empty()), (false, true), "{path}");
    }
    assert_eq!(server.desk.calls()[1], r#"GetShelf {"name":"shelves/1"}"#);

    let wrong = server.ask("HEAD /v1/books:sort", "").await;
    assert_eq!((wrong.text().as_str(), wrong.header("allow")), ("405 ", "POST"));
}

#[tokio::test]
async fn of_a_stream_is_its_head() {
    let server = Server::start().await;
    let answer = server.ask("HEAD /v1/shelves/forever/books:watch", "").await;
    assert_eq!((answer.text().as_str(), answer.header("content-type")), ("200 ", "application/x-ndjson"));
    assert!(server.desk.wait_given_up(1).await);
    assert_eq!(server.endings(1).await, ["HEAD /v1/{parent=shelves/*}/books:watch Ok"]);
}

#[tokio::test]
async fn over_http2() {
    let server = Server::http2().await;
    let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let http = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    let (mut sender, connection) = http.handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = Request::head("http://localhost/v1/shelves/1").body(Empty::<bytes::Bytes>::new()).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-length"]),
        (200, &"38".parse().unwrap())
    );
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "");
}
