//! What is uploaded and given to others must not run in their browsers as if the server had written it.

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
        // What a browser would look at to guess.
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
    // Nor are texts, which errors say again.
    let (status, headers, body) = target.ask("GET /v1/%3Cscript%3E'alert(1)' HTTP/1.1", "", SAFETY).await;
    assert_eq!((status, &headers[..2]), (404, &["application/json".to_owned(), "nosniff".to_owned()][..]));
    assert_eq!(
        body,
        r#"{"code":5,"message":"no rule has the path \"/v1/%3Cscript%3E'alert(1)'\"","details":[]}"#
    );
}

/// The page runs its own script and no other.
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
