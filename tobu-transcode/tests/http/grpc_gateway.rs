//! The choices of grpc-gateway that are about HTTP.

use http::header::{COOKIE, HeaderName};
use tobu_transcode::TranscodeOptions;

use super::serve::Server;

async fn gateway() -> Server {
    Server::with(|builder| builder.options(TranscodeOptions::grpc_gateway())).await
}

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// Lines of the type of JSON, and the error of a call in a line of its own, whenever it comes.
#[tokio::test]
async fn streams_are_lines() {
    let server = gateway().await;
    let book = |title: &str| {
        let unset = r#""author":null,"pageCount":0,"tags":[],"acquireTime":null,"copies":{},"others":[]"#;
        format!("{{\"result\":{{\"name\":\"\",\"title\":\"{title}\",{unset}}}}}\n")
    };
    for accept in ["application/json", "text/event-stream", "*/*"] {
        let answer = server.send("GET /v1/shelves/1/books:watch", &[("accept", accept)], b"").await;
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.text(), format!("200 {}{}", book("Dune"), book("Emma")));
    }
    let answer = server.ask("GET /v1/shelves/denied/books:watch", "").await;
    assert_eq!(answer.text(), "403 {\"error\":{\"code\":7,\"message\":\"not for you\",\"details\":[]}}\n");
    assert_eq!(answer.header("content-type"), "application/json");
    let answer = server.ask("GET /v1/shelves/half/books:watch", "").await;
    let last = answer.text().lines().last().unwrap().to_owned();
    assert_eq!(last, r#"{"error":{"code":14,"message":"too busy","details":[]}}"#);
    // One that never was a call, and one that is no stream.
    let answer = server.ask("GET /v1/shelves/1/books:watch?pageSize=x", "").await;
    assert!(answer.text().starts_with("400 {\"code\":3,"), "{}", answer.text());
    let answer = server.ask("GET /v1/shelves/denied", "").await;
    assert_eq!(answer.text(), r#"403 {"code":7,"message":"not for you","details":[]}"#);
}

/// JSON values without lines, cut anywhere.
#[tokio::test]
async fn streams_of_requests_are_values() {
    let server = gateway().await;
    for (body, wanted) in [
        (r#"{"title":"a"}{"title":"b"}"#, r#"{"title":"a"} {"title":"b"}"#),
        ("{\"title\":\n\"a\"}\n\n {\"title\":\"}\\\"{\"}", r#"{"title":"a"} {"title":"}\"{"}"#),
        ("{\"tags\":[\"]\",\"{\"]}{}", r#"{"tags":["]","{"]} {}"#),
    ] {
        for at in 0..=body.len() {
            let parts = [&body[..at], &body[at..]].map(|part| match part.len() {
                0 => String::new(),
                len => format!("{len:x}\r\n{part}\r\n"),
            });
            let head = "POST /v1/shelves/1/books:import HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
            let mut stream = server.raw(head.as_bytes()).await;
            for part in parts.into_iter().chain(["0\r\n\r\n".to_owned()]) {
                tokio::io::AsyncWriteExt::write_all(&mut stream, part.as_bytes()).await.unwrap();
            }
            let text = super::serve::read_until(&mut stream, "books\"").await;
            assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
            let call = server.desk.calls().last().unwrap().clone();
            let books: Vec<&str> = wanted.split("} {").collect();
            assert_eq!(call.matches("\"book\":").count(), books.len(), "{call}");
        }
    }
    let answer = server.send("POST /v1/shelves/1/books:import", &[JSON], br#"{"title":"a"}x"#).await;
    assert_eq!(answer.status, 400);
}

#[tokio::test]
async fn metadata_of_requests() {
    let server = gateway().await;
    let headers = [
        ("authorization", "a"),
        ("cookie", "b=1"),
        ("accept", "c"),
        ("user-agent", "d"),
        ("x-other", "e"),
        ("x-forwarded-host", "f"),
        ("grpc-metadata-tenant", "g"),
        JSON,
    ];
    server.send("GET /v1/shelves/1", &headers, b"").await;
    let told = |headers: http::HeaderMap| {
        let mut told: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        told.sort();
        told
    };
    let wanted = [
        "authorization: a",
        "content-type: application/grpc",
        "grpcgateway-accept: c",
        "grpcgateway-authorization: a",
        "grpcgateway-content-type: application/json",
        "grpcgateway-cookie: b=1",
        "grpcgateway-user-agent: d",
        "te: trailers",
        "tenant: g",
        "x-forwarded-host: f",
    ];
    assert_eq!(told(server.desk.headers()), wanted);
    server.send("GET /v1/shelves/1", &[], b"").await;
    let wanted = ["content-type: application/grpc", "te: trailers", "x-forwarded-host: localhost"];
    assert_eq!(told(server.desk.headers()), wanted);
}

/// Functions say which header is which metadata, both ways.
#[tokio::test]
async fn matchers() {
    let server = Server::with(|builder| {
        builder
            .header(COOKIE)
            .header_matcher(|name| match name.as_str() {
                "x-tenant" => Some(HeaderName::from_static("tenant")),
                "x-host" => Some(HeaderName::from_static("connection")),
                "x-status" => Some(HeaderName::from_static("grpc-status")),
                name => name.strip_prefix("meta-")?.parse().ok(),
            })
            .response_header_matcher(|name| match name.as_str() {
                "served-by" => Some(HeaderName::from_static("x-served-by")),
                "cost" => Some(HeaderName::from_static("content-length")),
                _ => None,
            })
    })
    .await;
    let headers = [
        ("authorization", "a"),
        ("cookie", "b"),
        ("x-tenant", "c"),
        ("x-host", "close"),
        ("x-status", "0"),
        ("meta-d", "e"),
        ("grpc-metadata-f", "g"),
    ];
    let answer = server.send("GET /v1/shelves/1", &headers, b"").await;
    let mut names: Vec<String> = server.desk.headers().keys().map(|name| name.to_string()).collect();
    names.sort();
    assert_eq!(names, ["authorization", "content-type", "d", "te", "tenant"]);
    assert_eq!((answer.header("x-served-by"), answer.header("content-length")), ("desk", "38"));
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("grpc-metadata-")));
}

/// Metadata at the end is trailers, for clients that take these.
#[tokio::test]
async fn trailers() {
    let server = gateway().await;
    let answer = server.ask("GET /v1/shelves/1", "").await;
    assert_eq!(answer.header("grpc-metadata-served-by"), "desk");
    assert!(answer.headers.keys().all(|name| !name.as_str().contains("cost") && name != "trailer"));
    let head = "GET /v1/shelves/1 HTTP/1.1\r\nhost: a\r\nte: trailers\r\nconnection: close\r\n\r\n";
    let mut stream = server.raw(head.as_bytes()).await;
    let text = super::serve::read_until(&mut stream, "grpc-trailer-cost: 3").await;
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("\r\ntrailer: grpc-trailer-cost") && !head.contains("content-length"), "{head}");
    assert!(
        body.contains(r#"{"name":"shelves/1","theme":"Fiction"}"#)
            && body.contains("grpc-trailer-cost: 3\r\n"),
        "{text}"
    );
    // The status is not among them.
    assert!(!body.contains("grpc-status"), "{body}");
}

#[tokio::test]
async fn bodies_of_any_type() {
    let server = gateway().await;
    for headers in
        [&[("content-type", "text/plain")][..], &[], &[("content-type", "application/xml")], &[FORM]]
    {
        let answer = server.send("POST /v1/shelves/1/books", headers, br#"{"title":"Dune"}"#).await;
        assert_eq!(answer.status, 200, "{headers:?}");
        let call = server.desk.calls().last().unwrap().clone();
        assert!(call.contains(r#""title":"Dune""#), "{call}");
    }
    // A form is more of the query where the rule has no body, and a POST that no rule has is a GET.
    let answer = server.send("POST /v1/shelves/1/books?pageToken=x", &[FORM], b"pageSize=%37&nope=1").await;
    assert_eq!(answer.status, 400);
    let answer = server.send("POST /v1/shelves/1/titles?pageToken=x", &[FORM], b"pageSize=%37&nope=1").await;
    assert_eq!(answer.status, 200);
    let call = server.desk.calls().last().unwrap().clone();
    assert_eq!(call, r#"ListBooks {"pageSize":7,"pageToken":"x","parent":"shelves/1"}"#);
    assert_eq!(server.outcomes().last().unwrap(), "POST /v1/{parent=shelves/*}/titles 200");
    let answer = server.send("POST /v1/shelves/1/titles", &[FORM], b"\xff").await;
    assert_eq!(answer.text(), r#"400 {"code":3,"message":"the form is not UTF-8","details":[]}"#);
    assert_eq!(server.send("POST /v1/shelves/1/titles", &[JSON], b"{}").await.status, 405);
    // Not without the option.
    let server = Server::start().await;
    assert_eq!(server.send("POST /v1/shelves/1/titles", &[FORM], b"pageSize=7").await.status, 405);
}
