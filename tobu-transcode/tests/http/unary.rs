//! One message for one message.

use super::serve::Server;
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};

#[tokio::test]
async fn from_json_to_a_call_and_back() {
    let server = Server::start().await;
    let book = r#"{"title":"Dune"}"#;
    #[rustfmt::skip]
    let rows = [
        ("GET /v1/shelves/1", "", r#"200 {"name":"shelves/1","theme":"Fiction"}"#, r#"GetShelf {"name":"shelves/1"}"#),
        ("GET /v1/shelf/a%2Fb", "", r#"200 {"name":"shelves/1","theme":"Fiction"}"#, r#"GetShelf {"name":"a/b"}"#),
        ("GET /v1/shelves/1/books/2?view=VIEW_FULL", "", r#"200 {"title":"Dune"}"#,
         r#"GetBook {"view":"VIEW_FULL","name":"shelves/1/books/2"}"#),
        ("POST /v1/shelves/1/books?bookId=dune", book, r#"200 {"title":"Dune"}"#,
         r#"CreateBook {"book":{"title":"Dune"},"bookId":"dune","parent":"shelves/1"}"#),
        ("PATCH /v1/shelves/1/books/2", book, r#"200 {"title":"Dune"}"#,
         r#"UpdateBook {"book":{"name":"shelves/1/books/2","title":"Dune"},"updateMask":"title"}"#),
        ("POST /v1/shelves/1/books/2:move", r#"{"otherShelf":"shelves/3"}"#, r#"200 {"title":"Dune"}"#,
         r#"MoveBook {"otherShelf":"shelves/3","name":"shelves/1/books/2"}"#),
        ("POST /v1/shelves/1/books/2:move", "", r#"200 {"title":"Dune"}"#, r#"MoveBook {"name":"shelves/1/books/2"}"#),
        ("DELETE /v1/shelves/1/books/2", "", "200 {}", r#"DeleteBook {"name":"shelves/1/books/2"}"#),
    ];
    for (line, body, wanted, call) in rows {
        let answer = server.ask(line, body).await;
        assert_eq!(answer.text(), wanted, "{line}");
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(server.desk.calls().last().unwrap(), call);
    }
    assert_eq!(server.outcomes()[0], "GET /v1/{name=shelves/*} 200");
}

#[tokio::test]
async fn bytes_of_any_type() {
    let server = Server::start().await;
    let answer = server.ask("GET /v1/shelves/1/books/2/cover", "").await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"\x89PNG"[..]));
    assert_eq!(answer.header("content-type"), "image/png");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"cover.png\"");

    let line = "PUT /v1/shelves/1/books/2/cover";
    let answer = server.send(line, &[("content-type", "image/png")], b"\x89PNG").await;
    assert_eq!(answer.text(), r#"200 {"title":"Dune"}"#);
    let wanted =
        r#"SetCover {"cover":{"contentType":"image/png","data":"iVBORw=="},"name":"shelves/1/books/2"}"#;
    assert_eq!(server.desk.calls(), [r#"GetCover {"name":"shelves/1/books/2"}"#, wanted]);
}

#[tokio::test]
async fn headers_and_metadata() {
    let server = Server::with(|builder| builder.header("x-request-id".parse().unwrap())).await;
    let headers = [
        ("authorization", "Bearer x"),
        ("x-request-id", "7"),
        ("cookie", "secret"),
        ("grpc-metadata-tenant", "a"),
        ("grpc-metadata-trace-bin", "AQI="),
        ("grpc-timeout", "5S"),
        ("te", "trailers"),
        ("x-http-method-override", "DELETE"),
    ];
    let answer = server.send("GET /v1/shelves/1", &headers, b"").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("grpc-metadata-served-by"), "desk");
    assert_eq!(answer.header("grpc-metadata-cost"), "3");
    assert_eq!(answer.header("grpc-metadata-connection"), "");
    assert_eq!(answer.header("grpc-status"), "");

    // Method overrides are not looked at.
    assert_eq!(server.desk.calls(), [r#"GetShelf {"name":"shelves/1"}"#]);
    let mut told: Vec<String> = server
        .desk
        .headers()
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    told.sort();
    let wanted = [
        "authorization: Bearer x",
        "content-type: application/grpc",
        "grpc-timeout: 5000000u",
        "te: trailers",
        "tenant: a",
        "trace-bin: AQI",
        "x-request-id: 7",
    ];
    assert_eq!(told, wanted);
}

#[tokio::test]
async fn other_requests_go_through() {
    let server = Server::start().await;
    let answer = server.ask("GET /page", "").await;
    assert_eq!((answer.text(), answer.header("content-type")), ("200 a page".into(), "text/plain"));

    // gRPC itself, on the same port.
    let headers = [("content-type", "application/grpc")];
    let answer = server.send("POST /library.v1.Library/GetShelf", &headers, b"\0\0\0\0\0").await;
    assert_eq!(answer.header("content-type"), "application/grpc");
    assert_eq!(&answer.body[..], b"\0\0\0\0\x14\x0a\x09shelves/1\x12\x07Fiction");
    // Also on a path that a rule has.
    let answer = server.send("POST /v1/shelves/1/books", &headers, b"").await;
    assert_eq!(answer.header("grpc-status"), "12");
    assert_eq!(server.outcomes(), ["POST /library.v1.Library/GetShelf 200", "POST - 200"]);
}

#[tokio::test]
async fn json_and_grpc_over_one_connection() {
    let server = Server::http2().await;
    let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let http = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    let (mut sender, connection) = http.handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let uri = |path: &str| format!("http://localhost{path}");

    let request = Request::get(uri("/v1/shelves/1")).body(Full::new(Bytes::new())).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.headers()["content-length"], "38");
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body, r#"{"name":"shelves/1","theme":"Fiction"}"#);

    let request = Request::post(uri("/library.v1.Library/GetShelf"))
        .header("content-type", "application/grpc")
        .body(Full::new(Bytes::from_static(b"\0\0\0\0\0")))
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    let body = response.into_body().collect().await.unwrap();
    // Trailers go through.
    assert_eq!(body.trailers().unwrap()["cost"], "3");
    assert_eq!(body.to_bytes(), b"\0\0\0\0\x14\x0a\x09shelves/1\x12\x07Fiction"[..]);
}
