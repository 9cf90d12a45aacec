//! Tests HTTP/1 requests that two servers could understand in two ways, and header sections without an end.

use super::Target;
use crate::serve::Guards;

/// A second request. A server must not find it inside of the body of the first request.
const HIDDEN: &str = "GET /v1/hidden HTTP/1.1\r\nhost: a\r\n\r\n";

/// Sends the request, and returns the statuses of all answers until the connection ends.
async fn statuses(target: &Target, request: &str) -> Vec<String> {
    let answer = target.talk(request).await;
    let lines = answer.lines().filter(|line| line.contains("HTTP/1.1 "));
    lines.map(|line| line.split("HTTP/1.1 ").nth(1).unwrap()[..3].to_owned()).collect()
}

#[tokio::test]
async fn no_request_is_hidden_in_another() {
    let target = Target::library(Guards::default()).await;
    let post = "POST /v1/shelves HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
    let chunk = "2\r\n{}\r\n0\r\n\r\n";
    let len = chunk.len();
    // Each request is refused with 400. If the server reads its body, the reason is that the shelf has no name.
    for (headers, body, wanted) in [
        // With both kinds of length, the chunks count. The server closes the connection after the answer, so it does not read
        // the rest as a request.
        (
            format!("content-length: {len}\r\ntransfer-encoding: chunked\r\n"),
            format!("{chunk}{HIDDEN}"),
            &["400"][..],
        ),
        (
            format!("transfer-encoding: chunked\r\ncontent-length: {len}\r\n"),
            format!("{chunk}{HIDDEN}"),
            &["400"],
        ),
        ("content-length: 2\r\ncontent-length: 40\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length: 2, 40\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length: +2\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length: 0x2\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length: -2\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length: 18446744073709551618\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("content-length : 2\r\n".into(), format!("{{}}{HIDDEN}"), &["400"]),
        ("transfer-encoding: chunked, identity\r\n".into(), format!("{chunk}{HIDDEN}"), &["400"]),
        ("transfer-encoding: xchunked\r\n".into(), format!("{chunk}{HIDDEN}"), &["400"]),
        ("transfer-encoding : chunked\r\n".into(), format!("{chunk}{HIDDEN}"), &["400"]),
        ("transfer-encoding:\r\n chunked\r\n".into(), format!("{chunk}{HIDDEN}"), &["400"]),
        ("transfer-encoding: chunked\r\n".into(), format!("fffffffffffffffff\r\n{HIDDEN}"), &["400"]),
        ("transfer-encoding: chunked\r\n".into(), format!("-2\r\n{{}}\r\n0\r\n\r\n{HIDDEN}"), &["400"]),
        ("transfer-encoding: chunked\r\n".into(), format!("2\n{{}}\n0\n\n{HIDDEN}"), &["400"]),
    ] {
        let end = "connection: close\r\n";
        let found = statuses(&target, &format!("{post}{headers}{end}\r\n{body}")).await;
        assert_eq!(found, wanted, "{headers:?} {body:?}");
        let found = statuses(&target, &format!("{post}{headers}\r\n{body}")).await;
        assert_eq!(found, wanted, "kept alive: {headers:?} {body:?}");
    }
    target.is_well().await;
}

#[tokio::test]
async fn heads_have_an_end() {
    let target = Target::library(Guards::default()).await;
    let get = "GET /v1/shelves HTTP/1.1\r\nhost: a\r\n";
    let close = "connection: close\r\n\r\n";
    assert_eq!(statuses(&target, &format!("{get}{}{close}", "a: b\r\n".repeat(90))).await, ["200"]);
    assert_eq!(statuses(&target, &format!("{get}{}{close}", "a: b\r\n".repeat(200))).await, ["431"]);
    // The headers are more than twice as long as the server's buffer, because one read may double what is in the buffer.
    assert_eq!(statuses(&target, &format!("{get}a: {}\r\n{close}", "b".repeat(1_000_000))).await, ["431"]);
    let long = format!("GET /v1/shelves?a={} HTTP/1.1\r\nhost: a\r\n{close}", "b".repeat(1_000_000));
    assert_eq!(statuses(&target, &long).await, ["431"]);
    // The server limits trailers like headers, so a client cannot send a flood of trailers.
    let post = "POST /v1/shelves HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n";
    let trailers = format!("{post}{close}2\r\n{{}}\r\n0\r\n{}\r\n", "a: b\r\n".repeat(100_000));
    assert_eq!(statuses(&target, &trailers).await, ["400"]);
    target.is_well().await;
}

/// No answer names the server software.
#[tokio::test]
async fn what_is_no_http_gets_no_words() {
    let target = Target::library(Guards::default()).await;
    for request in ["\x16\x03\x01\x02\0", "SSH-2.0-OpenSSH_9.6\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]
    {
        let answer = target.talk(request).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        assert_eq!((head.lines().next(), body), (Some("HTTP/1.1 400 Bad Request"), ""), "{request:?}");
        assert!(!head.to_lowercase().contains("server:"), "{head}");
    }
}
