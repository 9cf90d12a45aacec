//! A client that speaks Connect, through the layer, over HTTP/1.1.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper_util::rt::TokioIo;
use tobu::{DynamicMessage, MethodDescriptor};
use tobu_tonic::rpc::StatusExt;
use tobu_tonic::{Connect, DynamicClient};
use tokio::net::TcpStream;
use tonic::Code;
use tower::Service;

use super::serve::Server;

/// A connection for each call.
#[derive(Clone)]
struct Http(std::net::SocketAddr);

impl Service<Request<tonic::body::Body>> for Http {
    type Response = Response<hyper::body::Incoming>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<tonic::body::Body>) -> Self::Future {
        let address = self.0;
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
            tokio::spawn(connection);
            request.headers_mut().insert("host", "localhost".parse()?);
            Ok(sender.send_request(request).await?)
        })
    }
}

fn method(name: &str) -> MethodDescriptor {
    tobu_transcode_schemas::pool().method(&format!("library.v1.Library.{name}")).unwrap()
}

fn message(method: &MethodDescriptor, json: &str) -> DynamicMessage {
    DynamicMessage::from_json(&method.input(), json).unwrap()
}

fn text(message: &DynamicMessage) -> String {
    tobu::json::to_string(message).unwrap()
}

#[tokio::test]
async fn calls() {
    let server = Server::start().await;
    let mut client = DynamicClient::new(Connect::new(Http(server.address)));
    let get = method("GetShelf");
    let mut request = tonic::Request::new(message(&get, r#"{"name":"shelves/1"}"#));
    request.metadata_mut().insert("x-tenant", "7".parse().unwrap());
    request.set_timeout(std::time::Duration::from_secs(5));
    let answer = client.unary(&get, request).await.unwrap();
    assert_eq!(answer.metadata().get("served-by").unwrap(), "desk");
    assert_eq!(answer.metadata().get("cost").unwrap(), "3");
    assert_eq!(text(answer.get_ref()), r#"{"name":"shelves/1","theme":"Fiction"}"#);
    let headers = server.desk.headers();
    assert_eq!(
        (&headers["x-tenant"], &headers["grpc-timeout"]),
        (&"7".parse().unwrap(), &"5000000u".parse().unwrap())
    );

    let watch = method("WatchBooks");
    let mut books = client
        .server_streaming(&watch, message(&watch, r#"{"parent":"shelves/1"}"#))
        .await
        .unwrap()
        .into_inner();
    let mut titles = Vec::new();
    while let Some(book) = books.message().await.unwrap() {
        titles.push(text(&book));
    }
    assert_eq!(titles, [r#"{"title":"Dune"}"#, r#"{"title":"Emma"}"#]);

    let import = method("ImportBooks");
    let books = stream_of(vec![message(&import, r#"{"book":{"title":"Dune"}}"#); 3]);
    let answer = client.client_streaming(&import, books).await.unwrap().into_inner();
    assert_eq!(text(&answer), r#"{"nextPageToken":"3 books"}"#);
}

/// Methods without side effects are called by `GET` if the URL is short enough.
#[tokio::test]
async fn calls_by_get() {
    let server = Server::start().await;
    let get = method("GetShelf");
    let book = method("GetBook");
    assert!(get.has_no_side_effects() && !book.has_no_side_effects());
    let path = format!("http://{}/library.v1.Library/GetShelf", server.address);
    // The name has 9 bytes, and its field 2 more.
    let longest = format!("{path}?connect=v1&base64=1&encoding=proto&message=CglzaGVsdmVzLzE").len();
    let rows = [
        (None, &get, "POST"),
        (Some(longest), &get, "GET"),
        (Some(longest - 1), &get, "POST"),
        (Some(8000), &book, "POST"),
    ];
    for (max, method, wanted) in rows {
        let connect = Connect::new(Http(server.address));
        let connect = max.map_or(connect.clone(), |max| connect.get_up_to(max));
        let origin = format!("http://{}", server.address).parse().unwrap();
        let mut client = DynamicClient::with_origin(connect, origin);
        let mut request = tonic::Request::new(message(method, r#"{"name":"shelves/1"}"#));
        request.metadata_mut().insert("x-tenant", "7".parse().unwrap());
        request.set_timeout(std::time::Duration::from_secs(5));
        client.unary(method, request).await.unwrap();
        let headers = server.desk.headers();
        assert_eq!(headers["x-tenant"], "7");
        assert!(headers.contains_key("grpc-timeout"));
        let outcome = server.outcomes().pop().unwrap();
        assert!(outcome.starts_with(&format!("{wanted} ")), "{outcome} up to {max:?}");
    }
}

/// Errors of calls by `GET` have their details.
#[tokio::test]
async fn errors_by_get() {
    let server = Server::start().await;
    let get = method("GetShelf");
    let mut client = DynamicClient::new(Connect::new(Http(server.address)).get_up_to(8000));
    let status = client.unary(&get, message(&get, r#"{"name":"shelves/missing"}"#)).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "no such shelf"));
    assert_eq!(status.error_details().unwrap().error_info().unwrap().reason, "LENT");
    assert!(server.outcomes().pop().unwrap().starts_with("GET "));
}

/// A stream of messages that are there.
fn stream_of(messages: Vec<DynamicMessage>) -> Messages {
    Messages(messages.into_iter())
}

struct Messages(std::vec::IntoIter<DynamicMessage>);

impl futures_core::Stream for Messages {
    type Item = DynamicMessage;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<DynamicMessage>> {
        Poll::Ready(self.0.next())
    }
}

#[tokio::test]
async fn errors() {
    let server = Server::start().await;
    let mut client = DynamicClient::new(Connect::new(Http(server.address)).max_answer_size(10));
    let get = method("GetShelf");
    let status = client.unary(&get, message(&get, r#"{"name":"shelves/missing"}"#)).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "no such shelf"));
    assert_eq!(status.metadata().get("extra").unwrap(), "1");
    let details = status.error_details().unwrap();
    assert_eq!(details.error_info().unwrap().reason, "LENT");
    let status = client.unary(&get, message(&get, r#"{"name":"shelves/1"}"#)).await.unwrap_err();
    let wanted = "the answer is longer than the limit of 10 bytes";
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, wanted));

    let watch = method("WatchBooks");
    let request = message(&watch, r#"{"parent":"shelves/half"}"#);
    let mut books = client.server_streaming(&watch, request).await.unwrap().into_inner();
    assert_eq!(text(&books.message().await.unwrap().unwrap()), r#"{"title":"Dune"}"#);
    let status = books.message().await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Unavailable, "too busy"));
}

/// What answers with the same body, whatever is asked.
#[derive(Clone)]
struct Fixed(u16, &'static str, Bytes);

impl Service<Request<tonic::body::Body>> for Fixed {
    type Response = Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<tonic::body::Body>) -> Self::Future {
        let body = http_body_util::Full::new(self.2.clone()).map_err(|never| match never {});
        let response = Response::builder().status(self.0).header("content-type", self.1);
        std::future::ready(Ok(response
            .body(tonic::body::Body::new(body.map_err(|never: Infallible| match never {})))
            .unwrap()))
    }
}

/// Answers that are cut at each byte, or are none.
#[tokio::test]
async fn answers_that_are_wrong() {
    let get = method("GetShelf");
    let rows: &[(u16, &str, &str, Code, &str)] = &[
        (200, "text/html", "<p>", Code::Unknown, r#"the answer has the content type "text/html""#),
        (
            200,
            "application/json",
            "{}",
            Code::Internal,
            r#"the answer has the content type "application/json""#,
        ),
        (404, "text/plain", "no", Code::Unimplemented, "the server answered with HTTP status 404 Not Found"),
        (
            503,
            "application/json",
            "{",
            Code::Unavailable,
            "the server answered with HTTP status 503 Service Unavailable",
        ),
        (
            400,
            "application/json",
            "[]",
            Code::Internal,
            "the server answered with HTTP status 400 Bad Request",
        ),
        (500, "application/json", r#"{"code":"x","message":"y"}"#, Code::Unknown, "y"),
        (
            500,
            "application/json",
            r#"{"code":"aborted","details":[1,{"type":"a.B","value":"*"}]}"#,
            Code::Aborted,
            "",
        ),
    ];
    for (status, kind, body, code, text) in rows {
        let fixed = Fixed(*status, kind, Bytes::from_static(body.as_bytes()));
        let mut client = DynamicClient::new(Connect::new(fixed));
        let status = client.unary(&get, message(&get, "{}")).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (*code, *text), "{body}");
    }
    let watch = method("WatchBooks");
    let end = br#"{"metadata":{"a":["1"]}}"#;
    let body = [b"\0\0\0\0\x06\x12\x04Dune", &[2, 0, 0, 0, end.len() as u8][..], end].concat();
    for len in 0..=body.len() {
        let fixed = Fixed(200, "application/connect+proto", Bytes::copy_from_slice(&body[..len]));
        let mut client = DynamicClient::new(Connect::new(fixed));
        let mut books = client.server_streaming(&watch, message(&watch, "{}")).await.unwrap().into_inner();
        let mut count = 0;
        let done = loop {
            match books.message().await {
                Ok(Some(_)) => count += 1,
                other => break other.map(drop),
            }
        };
        assert_eq!(count, usize::from(len >= 11), "{len}");
        match done {
            Ok(()) => assert_eq!(len, body.len()),
            Err(status) => assert_eq!(status.code(), Code::Internal, "{len}: {status}"),
        }
    }
    let long_end = [b"\x02\xff\xff\xff\xff".to_vec(), vec![b' '; 100]].concat();
    for (body, code, text) in [
        (long_end, Code::ResourceExhausted, "the end of the stream has 4294967295 bytes"),
        (b"\x04\0\0\0\0".to_vec(), Code::Internal, "an envelope of the answer has the flags 4"),
        (b"\x02\0\0\0\x01[".to_vec(), Code::Internal, "the end of the stream is not a JSON object"),
        (b"\x03\0\0\0\x02{}".to_vec(), Code::Internal, "the end of the stream is malformed gzip"),
    ] {
        let mut client =
            DynamicClient::new(Connect::new(Fixed(200, "application/connect+proto", body.into())));
        let mut books = client.server_streaming(&watch, message(&watch, "{}")).await.unwrap().into_inner();
        let status = books.message().await.unwrap_err();
        assert_eq!((status.code(), status.message()), (code, text));
    }
    // A client that does not say what kind of call it makes.
    let mut connect = Connect::new(Fixed(200, "", Bytes::new()));
    let request = Request::new(tonic::body::Body::empty());
    let response = connect.call(request).await.unwrap();
    assert_eq!(response.headers()["grpc-status"], "13");
}
