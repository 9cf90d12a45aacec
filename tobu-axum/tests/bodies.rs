//! Requests to handlers, with the status, the type and the body of the answer.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::{Request, header};
use axum::routing::post;
use axum::{Extension, Router};
use http_body_util::BodyExt;
use tobu::types::Duration;
use tobu::{DecodeOptions, Deserialize, DynamicMessage, Limits, Message, Serialize, json};
use tobu_axum::{Problem, ProtoJson, Protobuf};
use tower::ServiceExt;

#[derive(Debug, Default, Message, Serialize, Deserialize)]
#[tobu(package = "library.v1")]
struct ExtendRequest {
    #[tobu(1)]
    loan_id: u64,
    #[tobu(2)]
    by: Option<Duration>,
}

/// Its answer lacks a required field.
#[derive(Debug, Default, Message, Serialize, Deserialize)]
#[tobu(package = "library.v1")]
struct Lacking {
    #[tobu(1, required)]
    id: Option<u64>,
}

fn app() -> Router {
    Router::new()
        .route("/json", post(|ProtoJson(request): ProtoJson<ExtendRequest>| async { ProtoJson(request) }))
        .route("/binary", post(|Protobuf(request): Protobuf<ExtendRequest>| async { Protobuf(request) }))
        .route("/lacking", post(async || ProtoJson(Lacking::default())))
        .route(
            "/dynamic",
            post(async || {
                ProtoJson(DynamicMessage::decode(&ExtendRequest::descriptor(), b"\x08\x07").unwrap())
            }),
        )
        .route(
            "/maybe",
            post(|request: Option<ProtoJson<ExtendRequest>>| async move {
                request.map_or(0, |request| request.0.loan_id).to_string()
            }),
        )
        .route(
            "/own",
            post(async |text: String| -> Result<String, Problem> {
                Ok(json::from_str::<Duration>(&text)?.seconds.to_string())
            }),
        )
        .layer(DefaultBodyLimit::max(64))
}

/// A path, the type and the bytes of a body; the status with the type of the answer, and its body, if not empty.
type Row<'a> = (&'a str, Option<&'a str>, &'a [u8], String, &'a str);

/// Calls the app; the status with the type of the answer, and its body as text.
async fn call(app: Router, path: &str, ty: Option<&str>, body: &[u8]) -> (String, String) {
    let mut request = Request::post(path);
    if let Some(ty) = ty {
        request = request.header(header::CONTENT_TYPE, ty);
    }
    let response = app.oneshot(request.body(Body::from(body.to_vec())).unwrap()).await.unwrap();
    let ty = response.headers().get(header::CONTENT_TYPE).map_or("", |ty| ty.to_str().unwrap());
    let head = format!("{} {ty}", response.status().as_u16());
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (head, body.escape_ascii().to_string().replace("\\\"", "\""))
}

#[tokio::test]
async fn requests_are_answered() {
    let problem = "application/problem+json";
    let json = Some("application/json");
    let binary = Some("application/protobuf");
    #[rustfmt::skip]
    let rows: &[Row<'_>] = &[
        ("/json", json, br#"{"loanId":"7","by":"1.5s"}"#, "200 application/json".into(), r#"{"loanId":"7","by":"1.500s"}"#),
        ("/json", Some("Application/Vnd.Api+JSON; charset=utf-8"), b"{}", "200 application/json".into(), "{}"),
        ("/json", json, br#"{"loanId":"seven"}"#, format!("400 {problem}"),
            r#"{"column":11,"detail":"expected a uint64, but found the string \"seven\"","line":1,"path":"library.v1.ExtendRequest.loan_id","status":400,"title":"Bad Request","type":"about:blank"}"#),
        ("/json", json, b"{\n\"loanId\" 7}", format!("400 {problem}"),
            r#"{"column":10,"detail":"expected `:`, but found `7`","line":2,"path":"library.v1.ExtendRequest","status":400,"title":"Bad Request","type":"about:blank"}"#),
        ("/json", json, b"", format!("400 {problem}"), ""),
        ("/json", json, br#"{"due":1}"#, format!("400 {problem}"), ""),
        ("/json", binary, b"{}", format!("415 {problem}"),
            r#"{"detail":"expected a body of type application/json","status":415,"title":"Unsupported Media Type","type":"about:blank"}"#),
        ("/json", None, b"{}", format!("415 {problem}"), ""),
        ("/json", Some("text/json"), b"{}", format!("415 {problem}"), ""),
        ("/json", json, &[b' '; 65], format!("413 {problem}"),
            r#"{"detail":"Failed to buffer the request body: length limit exceeded","status":413,"title":"Payload Too Large","type":"about:blank"}"#),
        ("/binary", binary, b"\x08\x07", "200 application/protobuf".into(), r"\x08\x07"),
        ("/binary", Some("application/x-protobuf"), b"", "200 application/protobuf".into(), ""),
        ("/binary", binary, b"\x12\x02\x08", format!("400 {problem}"), ""),
        ("/binary", json, b"\x08\x07", format!("415 {problem}"), ""),
        ("/lacking", None, b"", format!("500 {problem}"), r#"{"status":500,"title":"Internal Server Error","type":"about:blank"}"#),
        ("/dynamic", None, b"", "200 application/json".into(), r#"{"loanId":"7"}"#),
        ("/maybe", None, b"", "200 text/plain; charset=utf-8".into(), "0"),
        ("/maybe", json, br#"{"loanId":9}"#, "200 text/plain; charset=utf-8".into(), "9"),
        ("/maybe", json, b"{", format!("400 {problem}"), ""),
        ("/own", None, br#""3s""#, "200 text/plain; charset=utf-8".into(), "3"),
        ("/own", None, br#""3""#, format!("400 {problem}"), ""),
    ];
    for (path, ty, body, head, answer) in rows {
        let got = call(app(), path, *ty, body).await;
        assert_eq!(&got.0, head, "{path} {} {}", body.escape_ascii(), got.1);
        if !answer.is_empty() {
            let answer =
                if answer.starts_with('{') { answer.replace("\\\"", "\\\\\"") } else { (*answer).to_owned() };
            assert_eq!(got.1, answer, "{path} {}", body.escape_ascii());
        }
        if head.ends_with(problem) {
            let body: serde_json::Value = serde_json::from_str(&got.1.replace("\\\\", "\\")).unwrap();
            assert_eq!(body["status"].to_string(), head[..3], "{body}");
        }
    }
}

#[tokio::test]
async fn options_are_extensions_of_the_request() {
    let lenient = app().layer(Extension(json::Options::new().ignore_unknown(true)));
    let got = call(lenient, "/json", Some("application/json"), br#"{"due":1,"loanId":2}"#).await;
    assert_eq!(got.1, r#"{"loanId":"2"}"#);
    let strict = app().layer(Extension(DecodeOptions::new().limits(Limits::default().depth(1))));
    let got = call(strict, "/binary", Some("application/protobuf"), b"\x12\x02\x08\x01").await;
    assert!(got.1.contains("nested deeper than 1 level"), "{}", got.1);
}

/// What could not be written is for a log, not for the client.
#[tokio::test]
async fn errors_of_answers_are_extensions_of_the_response() {
    let request = Request::post("/lacking").body(Body::empty()).unwrap();
    let response = app().oneshot(request).await.unwrap();
    let error = response.extensions().get::<Arc<tobu::Error>>().unwrap();
    assert_eq!(error.to_string(), "library.v1.Lacking.id: required field id has no value");
}
