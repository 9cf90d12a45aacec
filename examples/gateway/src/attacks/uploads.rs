//! Tests that a browser does not run an uploaded file as a page of the server.

use super::Target;
use crate::serve::Guards;

const PROGRAM: &str = "<script>fetch('/v1/shelves/a/books/b',{method:'DELETE'})</script>";
const SAFETY: &[&str] =
    &["content-type", "x-content-type-options", "content-security-policy", "content-disposition"];

#[tokio::test]
async fn are_no_programs() {
    let target = Target::library(Guards::default()).await;
    let json = "content-type: application/json";
    let cover = "/v1/shelves/a/books/b/cover HTTP/1.1";
    for (path, body) in
        [("/v1/shelves", r#"{"name":"shelves/a"}"#), ("/v1/shelves/a/books?bookId=b", r#"{"title":"B"}"#)]
    {
        let (status, ..) = target.ask(&format!("POST {path} HTTP/1.1\r\n{json}"), body, &[]).await;
        assert_eq!(status, 200, "{path}");
    }
    for kind in [
        "text/html",
        "text/html; charset=utf-8",
        "image/svg+xml",
        "application/xhtml+xml",
        "text/xml",
        "multipart/x-mixed-replace; boundary=a",
        // For these types, a browser looks at the content to guess the type.
        "unknown/unknown",
        "*/*",
    ] {
        let (status, ..) = target.ask(&format!("PUT {cover}\r\ncontent-type: {kind}"), PROGRAM, &[]).await;
        assert_eq!(status, 200, "{kind}");
        let (status, headers, body) = target.ask(&format!("GET {cover}"), "", SAFETY).await;
        let wanted = [kind, "nosniff", "sandbox; default-src 'none'", "attachment; filename=\"cover.bin\""];
        assert_eq!((status, body.as_str()), (200, PROGRAM));
        assert_eq!(headers, wanted);
    }
    // Errors repeat texts of the request. A browser must not run these texts either.
    let (status, headers, body) = target.ask("GET /v1/%3Cscript%3E'alert(1)' HTTP/1.1", "", SAFETY).await;
    assert_eq!((status, &headers[..2]), (404, &["application/json".to_owned(), "nosniff".to_owned()][..]));
    assert_eq!(
        body,
        r#"{"code":5,"message":"no rule has the path \"/v1/%3Cscript%3E'alert(1)'\"","details":[]}"#
    );
}

/// The page may run its own script, but no other.
#[tokio::test]
async fn the_page_has_a_policy() {
    let target = Target::library(Guards::default()).await;
    let (status, headers, _) = target.ask("GET / HTTP/1.1", "", SAFETY).await;
    assert_eq!(
        (status, headers[0].as_str(), headers[1].as_str()),
        (200, "text/html; charset=utf-8", "nosniff")
    );
    assert!(headers[2].starts_with("default-src 'none'; connect-src 'self'; "), "{}", headers[2]);
    assert!(!headers[2].contains("unsafe"), "{}", headers[2]);
}
