//! Pages of other origins.

use std::time::Duration;

use http::HeaderName;
use tobu_transcode::{Cors, Transcoder};

use super::serve::{Answer, Server};

const SHOP: &str = "https://shop.example.com";

/// The CORS headers of an answer, and `vary`.
fn cors(answer: &Answer) -> Vec<String> {
    let of_cors = |name: &str| name.starts_with("access-control-") || name == "vary";
    let mut lines: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| of_cors(name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    lines.sort();
    lines
}

async fn preflight(server: &Server, origin: &str, path: &str) -> Answer {
    let headers = [("origin", origin), ("access-control-request-method", "PATCH")];
    server.send(&format!("OPTIONS {path}"), &headers, b"").await
}

#[tokio::test]
async fn without_the_setting_nothing_is_said() {
    let server = Server::start().await;
    let answer = server.send("GET /v1/shelves/1", &[("origin", SHOP)], b"").await;
    assert_eq!(answer.status, 200);
    assert!(!cors(&answer).iter().any(|line| line.starts_with("access-control-")));
}

#[tokio::test]
async fn any_origin() {
    let server = Server::with(|builder| builder.cors(Cors::any())).await;
    let answer = preflight(&server, SHOP, "/v1/shelves/1").await;
    assert_eq!(answer.status, 204);
    assert_eq!(
        cors(&answer),
        [
            "access-control-allow-headers: accept, authorization, connect-accept-encoding, connect-content-encoding, \
         connect-protocol-version, connect-timeout-ms, content-encoding, content-type, grpc-accept-encoding, \
         grpc-timeout, if-match, x-grpc-web, x-user-agent",
            "access-control-allow-methods: GET, HEAD, POST, PUT, PATCH, DELETE",
            "access-control-allow-origin: *",
        ]
    );
    assert!(server.desk.calls().is_empty());

    // Answers and errors of REST, and calls of gRPC-Web.
    let exposed = "access-control-expose-headers: connect-content-encoding, content-encoding, etag, grpc-encoding, grpc-message, grpc-status, \
                   grpc-status-details-bin";
    for (request, kind, status) in [
        ("GET /v1/shelves/1", "application/json", 200),
        ("GET /v1/nothing", "application/json", 404),
        ("POST /library.v1.Library/GetShelf", "application/grpc-web", 200),
    ] {
        let headers = [("origin", SHOP), ("content-type", kind)];
        let body: &[u8] =
            if status == 200 && kind.contains("grpc") { b"\0\0\0\0\x0b\x0a\x09shelves/1" } else { b"" };
        let answer = server.send(request, &headers, body).await;
        assert_eq!(answer.status.as_u16(), status, "{request}");
        let lines = cors(&answer);
        assert!(lines.contains(&"access-control-allow-origin: *".to_owned()), "{request}: {lines:?}");
        assert!(lines.contains(&exposed.to_owned()), "{request}: {lines:?}");
    }
    // A request of the same origin, and an OPTIONS that asks for nothing of CORS.
    let answer = server.send("GET /v1/shelves/1", &[], b"").await;
    assert!(!cors(&answer).iter().any(|line| line.starts_with("access-control-")));
    let answer = server.send("OPTIONS /v1/shelves/1", &[("origin", SHOP)], b"").await;
    assert_ne!(answer.status, 204);
}

#[tokio::test]
async fn listed_origins() {
    let allowed = Cors::origins([SHOP, "http://localhost:3000"])
        .credentials(true)
        .max_age(Duration::from_secs(600))
        .allow_header(HeaderName::from_static("x-client"))
        .expose_header(HeaderName::from_static("x-served-by"));
    let server = Server::with(|builder| {
        let builder = builder.header(HeaderName::from_static("x-tenant"));
        builder.response_header(HeaderName::from_static("retry-after")).cors(allowed)
    })
    .await;
    for origin in [SHOP, "http://localhost:3000"] {
        let answer = preflight(&server, origin, "/v1/shelves/1").await;
        assert_eq!(
            cors(&answer),
            [
                "access-control-allow-credentials: true".to_owned(),
                "access-control-allow-headers: accept, authorization, connect-accept-encoding, connect-content-encoding, \
         connect-protocol-version, connect-timeout-ms, content-encoding, content-type, \
             grpc-accept-encoding, grpc-timeout, if-match, x-client, x-grpc-web, x-tenant, x-user-agent"
                    .to_owned(),
                "access-control-allow-methods: GET, HEAD, POST, PUT, PATCH, DELETE".to_owned(),
                format!("access-control-allow-origin: {origin}"),
                "access-control-max-age: 600".to_owned(),
                "vary: origin".to_owned(),
            ]
        );
    }
    let answer = server.send("GET /v1/shelves/1", &[("origin", SHOP)], b"").await;
    let lines = cors(&answer);
    assert!(lines.contains(&format!("access-control-allow-origin: {SHOP}")), "{lines:?}");
    assert!(
        lines.iter().any(
            |line| line.starts_with("access-control-expose") && line.contains("retry-after, x-served-by")
        ),
        "{lines:?}"
    );
    // Others get no permission, and caches learn that it depends on the origin. A prefix of an origin is another one.
    for origin in
        ["https://evil.example.com", "https://shop.example.com.evil.com", "https://shop.example.co", "null"]
    {
        let answer = preflight(&server, origin, "/v1/shelves/1").await;
        assert_eq!(
            (answer.status.as_u16(), cors(&answer)),
            (204, vec!["vary: origin".to_owned()]),
            "{origin}"
        );
    }
    let answer = server.send("GET /v1/shelves/1", &[], b"").await;
    assert!(cors(&answer).contains(&"vary: origin".to_owned()));
}

#[test]
fn settings_that_make_no_sense() {
    let build = |cors: Cors| {
        let pool = tobu_transcode_schemas::pool();
        Transcoder::builder()
            .pool(&pool)
            .service("library.v1.Library")
            .cors(cors)
            .build()
            .unwrap_err()
            .to_string()
    };
    assert_eq!(build(Cors::any().credentials(true)), "CORS: credentials are for listed origins only");
    for origin in
        ["shop.example.com", "https://", "https://a.com/path", "https://*.a.com", "*", "https://a b"]
    {
        let expected = format!("CORS: {origin:?} is not an origin such as `https://example.com`");
        assert_eq!(build(Cors::origins([origin])), expected);
    }
}
