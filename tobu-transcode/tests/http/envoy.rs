//! The choices of Envoy that are seen in HTTP alone.

use http::HeaderName;
use tobu_transcode::{TranscodeOptions, TranscoderBuilder};

use super::serve::Server;

async fn server(
    options: TranscodeOptions,
    change: impl FnOnce(TranscoderBuilder) -> TranscoderBuilder,
) -> Server {
    Server::with(|builder| change(builder.options(options))).await
}

/// `stream_newline_delimited` and `stream_sse_style_delimited`; the default is an array.
#[tokio::test]
async fn forms_of_streams() {
    let watch = "GET /v1/shelves/1/books:watch";
    let envoy = TranscodeOptions::envoy;
    let lines = "{\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n";
    let events = "data: {\"title\":\"Dune\"}\n\ndata: {\"title\":\"Emma\"}\n\n";
    #[rustfmt::skip]
    let rows = [
        ("the default", envoy(), "text/event-stream", r#"[{"title":"Dune"},{"title":"Emma"}]"#, "application/json"),
        ("stream_newline_delimited", envoy().arrays(false).json_lines(true), "text/event-stream", lines, "application/json"),
        ("stream_sse_style_delimited", envoy().arrays(false), "text/event-stream", events, "text/event-stream"),
    ];
    for (setting, options, accept, body, kind) in rows {
        let server = server(options, |builder| builder).await;
        let answer = server.send(watch, &[("accept", accept)], b"").await;
        assert_eq!(
            (&*answer.text(), answer.header("content-type")),
            (&*format!("200 {body}"), kind),
            "{setting}"
        );
    }
}

/// `convert_grpc_status` is always on: the status is the body, with the details of `grpc-status-details-bin`.
#[tokio::test]
async fn statuses_are_bodies() {
    let server = server(TranscodeOptions::envoy(), |builder| builder).await;
    let answer = server.ask("GET /v1/shelves/missing", "").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let detail = r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"LENT""#;
    assert!(
        answer.text().starts_with(r#"404 {"code":5,"message":"no such shelf","details":["#),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains(detail), "{}", answer.text());
    // Without details, from `grpc-status` and `grpc-message`.
    let answer = server.ask("GET /v1/shelves/denied", "").await;
    assert_eq!(answer.text(), r#"403 {"code":7,"message":"not for you","details":[]}"#);
}

/// `auto_mapping`, `reject_unknown_method`, `max_request_body_size` and `max_response_body_size`.
#[tokio::test]
async fn methods_and_sizes() {
    let path = "POST /library.v1.Library/Count";
    let off = server(TranscodeOptions::envoy(), |builder| builder.connect(false)).await;
    assert_eq!(off.ask(path, "{}").await.status, 404);
    let on = server(TranscodeOptions::envoy().auto_mapping(true), |builder| builder.connect(false)).await;
    assert_eq!(on.ask(path, "{}").await.text(), r#"200 {"theme":"Dune"}"#);
    // What no rule has goes on to the service behind. If that is gRPC's, the answer is 404.
    assert_eq!(on.ask("GET /page", "").await.text(), "200 a page");
    assert_eq!(on.ask("GET /nowhere", "").await.status, 404);
    let small = server(TranscodeOptions::envoy(), |builder| builder.max_body(20).max_response(10)).await;
    let book = r#"{"title":"A title that is too long"}"#;
    assert_eq!(small.ask("POST /v1/shelves/1/books", book).await.status, 413);
    // Envoy answers 500.
    assert_eq!(small.ask("GET /v1/shelves/1", "").await.status, 500);
}

/// Envoy is a filter, which leaves headers unchanged; here matchers do so.
#[tokio::test]
async fn headers_keep_their_names() {
    let keep = |name: &HeaderName| Some(name.clone());
    let change = |builder: TranscoderBuilder| builder.header_matcher(keep).response_header_matcher(keep);
    let server = server(TranscodeOptions::envoy(), change).await;
    let answer = server.send("GET /v1/shelves/1", &[("x-tenant", "7")], b"").await;
    assert_eq!(server.desk.headers()["x-tenant"], "7");
    assert_eq!(answer.header("served-by"), "desk");
}
