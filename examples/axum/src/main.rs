//! A service that reads and writes messages as JSON with axum. A message implements serde's traits, so `axum::Json` reads and
//! writes canonical ProtoJSON. This example calls the service directly; a real server passes it to `axum::serve`, which listens
//! on a port.

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use axum::routing::post;
use axum::{Json, Router};
use std::error::Error;
use tobu::types::Duration;
use tobu::{Deserialize, Message, Serialize};
use tower::ServiceExt;

#[derive(Debug, Default, Message, Serialize, Deserialize)]
#[tobu(package = "library.v1")]
struct ExtendRequest {
    #[tobu(1)]
    loan_id: u64,
    #[tobu(2)]
    by: Option<Duration>,
}

#[derive(Debug, Default, Message, Serialize, Deserialize)]
#[tobu(package = "library.v1")]
struct Loan {
    #[tobu(1)]
    id: u64,
    #[tobu(2)]
    left: Option<Duration>,
}

async fn extend(Json(request): Json<ExtendRequest>) -> Json<Loan> {
    let by = request.by.unwrap_or_default();
    Json(Loan { id: request.loan_id, left: Some(Duration::new(3600 + by.seconds, by.nanos)) })
}

async fn call(app: Router, body: &'static str) -> Result<String, Box<dyn Error>> {
    let request = Request::post("/loans:extend")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body))?;
    let response = app.oneshot(request).await?;
    let status = response.status();
    let body = String::from_utf8(to_bytes(response.into_body(), 1 << 20).await?.to_vec())?;
    Ok(format!("{status}: {body}"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let app = Router::new().route("/loans:extend", post(extend));

    // In ProtoJSON, 64-bit numbers are strings, a duration is a number of seconds with an `s` after it, and names are in
    // lowerCamelCase.
    let answer = call(app.clone(), r#"{"loanId":"7","by":"86400s"}"#).await?;
    println!("{answer}");
    assert_eq!(answer, r#"200 OK: {"id":"7","left":"90000s"}"#);

    // If the request is wrong, axum answers with an error that has tobu's text.
    let answer = call(app, r#"{"loanId":"seven"}"#).await?;
    println!("{answer}");
    assert!(answer.starts_with("422 "), "{answer}");
    Ok(())
}
