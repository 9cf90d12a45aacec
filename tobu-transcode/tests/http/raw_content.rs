//! Bytes of a type that the service tells, and what browsers may do with them.

use super::serve::{Answer, Server};
use tobu_transcode::RawContent;

const COVER: &str = "GET /v1/shelves/1/books/2/cover";
const METHOD: &str = "library.v1.Library.GetCover";

/// The headers that say what may be done with the bytes.
fn safety(answer: &Answer) -> [&str; 3] {
    ["x-content-type-options", "content-security-policy", "content-disposition"]
        .map(|name| answer.header(name))
}

#[tokio::test]
async fn are_files_unless_it_is_said() {
    let file = ["nosniff", "sandbox; default-src 'none'", "attachment; filename=\"cover.png\""];
    let sandboxed = ["nosniff", "sandbox; default-src 'none'", ""];
    let trusted = ["nosniff", "", ""];
    let server = Server::start().await;
    let answer = server.ask(COVER, "").await;
    assert_eq!((safety(&answer), answer.header("content-type")), (file, "image/png"));
    assert_eq!(safety(&server.ask(&COVER.replace("GET", "HEAD"), "").await), file);
    // JSON is nothing else.
    assert_eq!(safety(&server.ask("GET /v1/shelves/1", "").await), trusted);
    assert_eq!(safety(&server.ask("GET /v1/shelves/denied", "").await), trusted);
    assert_eq!(safety(&server.ask("GET /v1/shelves/1/books:watch", "").await), trusted);

    let server = Server::with(|builder| builder.raw_content(RawContent::Sandboxed)).await;
    assert_eq!(safety(&server.ask(COVER, "").await), sandboxed);
    let server = Server::with(|builder| builder.raw_content_of(METHOD, RawContent::Trusted)).await;
    assert_eq!(safety(&server.ask(COVER, "").await), trusted);
    // A method by another name changes nothing.
    let server = Server::with(|builder| builder.raw_content_of("GetCover", RawContent::Trusted)).await;
    assert_eq!(safety(&server.ask(COVER, "").await), file);
}

#[tokio::test]
async fn metadata_becomes_headers_where_it_is_said() {
    let names = ["served-by", "cost", "connection", "x-content-type-options"];
    let server = Server::with(|builder| {
        names.into_iter().fold(builder, |builder, name| builder.response_header(name.parse().unwrap()))
    })
    .await;
    let answer = server.ask("GET /v1/shelves/1", "").await;
    let headers = ["served-by", "grpc-metadata-served-by", "cost", "grpc-metadata-cost", "connection"];
    assert_eq!(headers.map(|name| answer.header(name)), ["desk", "", "3", "", ""]);
    // What the service does not say stays.
    assert_eq!(answer.header("x-content-type-options"), "nosniff");

    let server = Server::with(|builder| builder.response_header("extra".parse().unwrap())).await;
    let answer = server.ask("GET /v1/shelves/missing", "").await;
    assert_eq!((answer.status.as_u16(), answer.header("extra")), (404, "1"));
}
