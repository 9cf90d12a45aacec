//! The OpenAPI description and the page, next to the calls.

use super::serve::Server;
use tobu_transcode::Transcoder;
use tobu_transcode::openapi::Document;

#[tokio::test]
async fn are_served_where_it_was_said() {
    let server = Server::with(|builder| builder.openapi("/docs/openapi.json").page("/docs")).await;
    let answer = server.ask("GET /docs/openapi.json", "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/json"));
    let document: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    // Named after the service; its version is that of the package.
    let info = serde_json::json!({"title": "library.v1.Library", "version": "v1"});
    assert_eq!((&document["openapi"], &document["info"]), (&"3.1.0".into(), &info));
    assert_eq!(document["paths"].as_object().unwrap().len(), 10);

    let answer = server.ask("GET /docs", "").await;
    let headers = (answer.header("content-type"), answer.header("x-content-type-options"));
    assert_eq!((answer.status.as_u16(), headers), (200, ("text/html; charset=utf-8", "nosniff")));
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; connect-src 'self'; img-src data:; script-src 'sha256-"));
    assert!(policy.ends_with("; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"), "{policy}");
    let page = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains(r#"<link rel="service-desc" type="application/json" href="/docs/openapi.json">"#));

    // Other methods, other paths and calls are as without them.
    let answer = server.ask("POST /docs", "").await;
    assert_eq!(answer.status, 404);
    let answer = server.ask("GET /", "").await;
    assert_eq!(answer.text(), r#"404 {"code":5,"message":"no rule has the path \"/\"","details":[]}"#);
    let answer = server.ask("GET /v1/shelves/1", "").await;
    assert_eq!(answer.status, 200);
    let answer = server.send("HEAD /docs", &[], b"").await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
}

#[tokio::test]
async fn have_the_title_that_is_given() {
    let document = Document::new("Books & more", "2024-05").server("https://example.com");
    let server = Server::with(|builder| builder.openapi("/a\"b&c").document(document).page("/")).await;
    let answer = server.ask("GET /a%22b&c", "").await;
    assert_eq!(answer.status, 404, "paths are compared as they come");
    let page = server.ask("GET /", "").await;
    let page = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(page.contains(r#"href="/a&quot;b&amp;c""#), "{page}");

    let document = Document::new("Books", "2024-05").server("https://example.com");
    let server = Server::with(|builder| builder.openapi("/openapi.json").document(document)).await;
    let answer = server.ask("GET /openapi.json", "").await;
    let document: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(document["info"], serde_json::json!({"title": "Books", "version": "2024-05"}));
    assert_eq!(document["servers"], serde_json::json!([{"url": "https://example.com"}]));
}

#[tokio::test]
async fn are_not_there_unless_asked_for() {
    let server = Server::start().await;
    for path in ["/", "/openapi.json"] {
        assert_eq!(server.ask(&format!("GET {path}"), "").await.status, 404, "{path}");
    }
}

#[test]
fn need_paths_that_make_sense() {
    let build = |openapi: Option<&str>, page: Option<&str>| {
        let mut builder = Transcoder::builder().pool(&tobu_transcode_schemas::pool());
        builder = builder.service("library.v1.Library");
        if let Some(path) = openapi {
            builder = builder.openapi(path);
        }
        if let Some(path) = page {
            builder = builder.page(path);
        }
        builder.build().map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(build(Some("/openapi.json"), Some("/")), Ok(()));
    for (openapi, page, wanted) in [
        (None, Some("/"), "the page is made from the OpenAPI description, which has no path"),
        (
            Some("openapi.json"),
            None,
            "the path of the OpenAPI description is \"openapi.json\": it begins with no slash",
        ),
        (Some("/a"), Some(""), "the path of the page is \"\": it begins with no slash"),
        (Some("/a"), Some("/a"), "the OpenAPI description and the page have the same path \"/a\""),
    ] {
        assert_eq!(build(openapi, page), Err(wanted.to_owned()));
    }
}
