//! What goes wrong, and what is told of it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use tobu_tonic::rpc::StatusExt;
use tobu_transcode::rpc::{BadRequest, ErrorDetails, ErrorInfo, RetryInfo};
use tobu_transcode::{Body, Transcoder};
use tower::{Layer, ServiceExt};

use super::live::Written;
use super::serve::{Server, read_until};

#[tokio::test]
async fn of_the_request() {
    let server = Server::start().await;
    #[rustfmt::skip]
    let rows = [
        ("GET /v2/shelves/1", "", r#"404 {"code":5,"message":"no rule has the path \"/v2/shelves/1\"","details":[]}"#),
        ("GET /v1/shelves/1/", "", r#"404 {"code":5,"message":"no rule has the path \"/v1/shelves/1/\"","details":[]}"#),
        ("GET /v1//shelves/1", "", r#"404 {"code":5,"message":"no rule has the path \"/v1//shelves/1\"","details":[]}"#),
        ("GET /v1/a/../shelves/1", "", r#"404 {"code":5,"message":"no rule has the path \"/v1/a/../shelves/1\"","details":[]}"#),
        ("PUT /v1/shelves/1", "", r#"405 {"code":12,"message":"the path \"/v1/shelves/1\" has GET, HEAD, not PUT","details":[]}"#),
        ("GET /v1/shelves/%zz", "", r#"400 {"code":3,"message":"the path \"/v1/shelves/%zz\": a % is not followed by two hexadecimal digits","details":[]}"#),
        ("GET /v1/shelves/%2", "", r#"400 {"code":3,"message":"the path \"/v1/shelves/%2\": a % is not followed by two hexadecimal digits","details":[]}"#),
        ("GET /v1/shelves/%00", "", r#"400 {"code":3,"message":"the path \"/v1/shelves/%00\": there is a NUL character","details":[]}"#),
        ("GET /v1/shelves/%c0%af", "", r#"400 {"code":3,"message":"the path \"/v1/shelves/%c0%af\": the escapes are not valid UTF-8","details":[]}"#),
        ("GET /v1/shelves/1?name=admin", "", r#"400 {"code":3,"message":"the query parameter \"name\": the field name is bound by the path","details":[]}"#),
        ("GET /v1/shelves/1?nope=1", "", r#"400 {"code":3,"message":"the query parameter \"nope\": library.v1.GetShelfRequest has no field \"nope\"","details":[]}"#),
        ("GET /v1/shelves/1/books?pageSize=1&page_size=1", "", r#"400 {"code":3,"message":"the query parameter \"page_size\" is given twice","details":[]}"#),
        ("GET /v1/shelves/1/books?pageSize=many", "", r#"400 {"code":3,"message":"the query parameter \"pageSize\": \"many\" is not an int32","details":[]}"#),
        ("GET /v1/shelves/1", "{}", r#"400 {"code":3,"message":"the request has a body, but the rule has none","details":[]}"#),
        ("POST /v1/shelves/1/books", "{", r#"400 {"code":3,"message":"the body: library.v1.Book: expected the name of a member, but the input ends (at line 1 column 2)","details":[]}"#),
        ("POST /v1/shelves/1/books?book.title=a", "{}", r#"400 {"code":3,"message":"the query parameter \"book.title\": the field book is bound by the body","details":[]}"#),
        ("POST /v1/shelves/1/books/2:move?strict=true", "{}", r#"400 {"code":3,"message":"the query parameter \"strict\": all fields that the path does not bind come from the body","details":[]}"#),
        ("POST /v1/shelves/1/books/2:move", r#"{"name":"shelves/1/books/3"}"#, r#"400 {"code":3,"message":"the field name is bound by the path, and the body has another value","details":[]}"#),
    ];
    for (line, body, wanted) in rows {
        let answer = server.ask(line, body).await;
        assert_eq!(answer.text(), wanted, "{line}");
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    let answer = server.ask("PUT /v1/shelves/1/books/2", "").await;
    assert_eq!(answer.header("allow"), "DELETE, GET, HEAD, PATCH");
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn of_the_headers() {
    let server = Server::start().await;
    #[rustfmt::skip]
    let rows = [
        ("POST /v1/shelves/1/books", ("content-type", "text/plain"), "{}",
         r#"415 {"code":3,"message":"the body must be JSON, not \"text/plain\"","details":[]}"#),
        ("GET /v1/shelves/1", ("grpc-timeout", "soon"), "",
         r#"400 {"code":3,"message":"the header grpc-timeout: \"soon\" is not a timeout","details":[]}"#),
        ("GET /v1/shelves/1", ("grpc-metadata-a-bin", "*"), "",
         r#"400 {"code":3,"message":"the header grpc-metadata-a-bin is not base64","details":[]}"#),
        ("GET /v1/shelves/1", ("authorization", "\u{e9}"), "",
         r#"400 {"code":3,"message":"the header authorization has characters that metadata cannot have","details":[]}"#),
    ];
    for (line, header, body, wanted) in rows {
        let answer = server.send(line, &[header], body.as_bytes()).await;
        assert_eq!(answer.text(), wanted, "{line}");
    }
    for kind in ["application/json; charset=utf-8", "Application/JSON", "application/vnd.book+json"] {
        let answer = server.send("POST /v1/shelves/1/books", &[("content-type", kind)], b"{}").await;
        assert_eq!(answer.status, 200, "{kind}");
    }
    // What no HTTP parser lets through.
    for byte in ["\0", "\r"] {
        let text = format!("GET /v1/shelves/1 HTTP/1.1\r\nhost: a\r\ngrpc-metadata-a: b{byte}c\r\n\r\n");
        let mut stream = server.raw(text.as_bytes()).await;
        let head = read_until(&mut stream, "\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 400 "), "{head}");
    }
    assert_eq!(server.desk.calls().len(), 3);
}

/// A header that cannot be metadata is in the log, not in the way of the call.
#[tokio::test]
async fn headers_that_are_no_metadata() {
    let server = Server::start().await;
    let headers =
        [("grpc-metadata-city", "Z\u{fc}rich"), ("grpc-metadata-a!b", "1"), ("grpc-metadata-tenant", "7")];
    let request = || {
        let request = http::Request::get("/v1/shelves/1");
        headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
            .body(Body::empty())
            .unwrap()
    };
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let service = transcoder.layer(server.desk.clone());
    // The place in the code is known to the log from the first time on, whatever other tests do.
    service.clone().oneshot(request()).await.unwrap();
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&log);
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false);
    let subscriber = subscriber.with_writer(move || Written(Arc::clone(&writer))).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let response = service.oneshot(request()).await.unwrap();
    drop(guard);
    assert_eq!(response.status(), 200);
    let metadata = server.desk.headers();
    assert_eq!((metadata["tenant"].to_str().unwrap(), metadata.contains_key("city")), ("7", false));
    let log = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = log.lines().map(|line| line.split_once("}: ").unwrap().1).collect();
    let line = |header: &str, why: &str| {
        format!("a header is left out of the metadata header={header:?} why={why:?}")
    };
    assert_eq!(
        lines,
        [
            line("grpc-metadata-city", "has characters that metadata cannot have"),
            line("grpc-metadata-a!b", "names no metadata"),
        ]
    );
}

/// What is wrong with it is for those who run the service: `upstream.rs` looks at that.
const NOT_VALID: &str =
    r#"500 {"code":13,"message":"the response of the service is not valid","details":[]}"#;

#[tokio::test]
async fn of_the_service() {
    let server = Server::start().await;
    let details = concat!(
        r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"LENT"},"#,
        r#"{"@type":"type.googleapis.com/unknown.Type","value":"CAE="}"#
    );
    #[rustfmt::skip]
    let rows = [
        ("missing", format!(r#"404 {{"code":5,"message":"no such shelf","details":[{details}]}}"#)),
        ("denied", r#"403 {"code":7,"message":"not for you","details":[]}"#.into()),
        ("html", r#"503 {"code":14,"message":"the service answered with HTTP status 502 Bad Gateway, not with gRPC","details":[]}"#.into()),
        ("nothing", NOT_VALID.into()),
        ("two", NOT_VALID.into()),
        ("bad", NOT_VALID.into()),
        ("cut", r#"500 {"code":2,"message":"the response of the service ends without a status","details":[]}"#.into()),
        ("broken", r#"503 {"code":14,"message":"the response of the service broke off","details":[]}"#.into()),
    ];
    for (name, wanted) in rows {
        let answer = server.ask(&format!("GET /v1/shelves/{name}"), "").await;
        assert_eq!(answer.text(), wanted, "{name}");
    }
    let answer = server.ask("GET /v1/shelves/missing", "").await;
    assert_eq!(answer.header("grpc-metadata-extra"), "1");
    assert_eq!(server.outcomes().last().unwrap(), "GET /v1/{name=shelves/*} 404");
}

#[tokio::test]
async fn deadlines() {
    let server = Server::start().await;
    let answer = server.send("GET /v1/shelves/slow", &[("grpc-timeout", "50m")], b"").await;
    let wanted = r#"504 {"code":4,"message":"the deadline of the call has passed","details":[]}"#;
    assert_eq!(answer.text(), wanted);
    assert!(server.desk.wait_given_up(1).await);

    let server = Server::with(|builder| builder.timeout(std::time::Duration::from_millis(50))).await;
    let answer = server.send("GET /v1/shelves/slow", &[("grpc-timeout", "10S")], b"").await;
    assert_eq!(answer.text(), wanted);
}

#[tokio::test]
async fn of_a_stream_that_is_compressed() {
    let server = Server::start().await;
    let answer = server.send("POST /v1/shelves/1/books:import", &[("content-encoding", "br")], b"x").await;
    assert_eq!(answer.text(), r#"415 {"code":3,"message":"\"br\" is not a known compression","details":[]}"#);
}

#[tokio::test]
async fn of_a_service_that_cannot_be_reached() {
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let service = tower::service_fn(|_: http::Request<Body>| async {
        Err::<http::Response<Body>, _>(std::io::Error::other("connection refused"))
    });
    let service = transcoder.layer(service);
    let ask = |path: &str| service.clone().oneshot(http::Request::get(path).body(Body::empty()).unwrap());
    let response = ask("/v1/shelves/1").await.unwrap();
    assert_eq!(response.status(), 503);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let wanted = r#"{"code":14,"message":"the service cannot be reached","details":[]}"#;
    assert_eq!(body, wanted);
    // What goes through fails as it would without the layer.
    assert_eq!(ask("/page").await.unwrap_err().to_string(), "connection refused");
}

/// What a service of tonic says in details, in types that the schema of the service need not have.
#[tokio::test]
async fn with_details() {
    let service = tower::service_fn(|_: http::Request<Body>| async {
        let details = ErrorDetails::new()
            .with(BadRequest::new([("shelf.theme", "it is empty"), ("shelf.name", "it is taken")]))
            .with(RetryInfo::new(Duration::from_millis(1500)))
            .with(ErrorInfo::new("LENT", "library.example.com").with_metadata("shelf", "12"));
        let status =
            tonic::Status::with_error_details(tonic::Code::InvalidArgument, "no such shelf can be", details);
        Ok::<_, Infallible>(status.into_http::<tonic::body::Body>())
    });
    let pool = tobu_transcode_schemas::pool();
    assert!(pool.message("google.rpc.BadRequest").is_none());
    let transcoder = Transcoder::builder().pool(&pool).service("library.v1.Library").build().unwrap();
    let request = http::Request::get("/v1/shelves/1").body(Body::empty()).unwrap();
    let response = transcoder.layer(service).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(response.headers()["content-type"], "application/json");
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let wanted = concat!(
        r#"{"code":3,"message":"no such shelf can be","details":["#,
        r#"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":["#,
        r#"{"field":"shelf.theme","description":"it is empty"},{"field":"shelf.name","description":"it is taken"}]},"#,
        r#"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1.500s"},"#,
        r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"LENT","domain":"library.example.com","metadata":{"shelf":"12"}}"#,
        "]}"
    );
    assert_eq!(body, wanted);
}

#[test]
fn of_what_is_to_be_served() {
    let pool = tobu_transcode_schemas::pool();
    let error = Transcoder::builder().pool(&pool).service("library.v1.Nope").build().unwrap_err();
    assert_eq!(error.to_string(), r#"the pool has no service "library.v1.Nope""#);
}

/// Bodies of one's own: of errors before a call and of it, but not of what a stream has begun, nor of other protocols.
#[tokio::test]
async fn bodies_of_ones_own() {
    let server = Server::with(|builder| {
        builder.error_body(|http, status| {
            let kind = http::HeaderValue::from_static("text/plain");
            let text = format!("{} {:?}: {}", http.as_u16(), status.code(), status.message());
            (http != 404 || status.message() != "no such shelf").then(|| (kind, text.into()))
        })
    })
    .await;
    let rows = [
        ("GET /v2/x", r#"404 404 NotFound: no rule has the path "/v2/x""#, "text/plain"),
        ("GET /v1/shelves/denied", "403 403 PermissionDenied: not for you", "text/plain"),
        (
            "PUT /v1/shelves/1",
            r#"405 405 Unimplemented: the path "/v1/shelves/1" has GET, HEAD, not PUT"#,
            "text/plain",
        ),
    ];
    for (line, wanted, kind) in rows {
        let answer = server.ask(line, "").await;
        assert_eq!((&*answer.text(), answer.header("content-type")), (wanted, kind));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
    assert_eq!(server.ask("PUT /v1/shelves/1", "").await.header("allow"), "GET, HEAD");
    // The function leaves it alone.
    let answer = server.ask("GET /v1/shelves/missing", "").await;
    assert!(answer.text().starts_with(r#"404 {"code":5,"#), "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/json");
    let answer = server.ask("GET /v1/shelves/half/books:watch", "").await;
    assert_eq!(
        answer.text().lines().last().unwrap(),
        r#"{"error":{"code":14,"message":"too busy","details":[]}}"#
    );
    let json = [("content-type", "application/json")];
    let answer =
        server.send("POST /library.v1.Library/GetShelf", &json, br#"{"name":"shelves/denied"}"#).await;
    assert_eq!(answer.text(), r#"403 {"code":"permission_denied","message":"not for you"}"#);
}
