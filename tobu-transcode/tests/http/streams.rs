//! Case 21: streams of requests and of responses.

use super::serve::{Server, read_until};
use http::{HeaderValue, Request};
use http_body_util::{BodyExt, Full};
use tobu_transcode::{Body, HttpRule, ServiceConfig, Transcoder, frame_header};
use tokio::io::AsyncWriteExt;
use tower::{Layer, ServiceExt};

#[tokio::test]
async fn of_responses() {
    let server = Server::start().await;
    #[rustfmt::skip]
    let rows = [
        ("1", "", "application/x-ndjson", "200 {\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n"),
        ("1", "*/*", "application/x-ndjson", "200 {\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n"),
        ("1", "application/json", "application/json", "200 [{\"title\":\"Dune\"},{\"title\":\"Emma\"}]"),
        ("1", "text/event-stream", "text/event-stream", "200 data: {\"title\":\"Dune\"}\n\ndata: {\"title\":\"Emma\"}\n\n"),
        ("none", "application/json", "application/json", "200 []"),
        ("none", "", "application/x-ndjson", "200 "),
        // Before the first message, an error is the status of the response.
        ("denied", "application/json", "application/json", r#"403 {"code":7,"message":"not for you","details":[]}"#),
        ("bad", "application/json", "application/json",
         r#"500 {"code":13,"message":"the response of the service is not valid","details":[]}"#),
        // After it, the last element tells.
        ("half", "", "application/x-ndjson",
         "200 {\"title\":\"Dune\"}\n{\"error\":{\"code\":14,\"message\":\"too busy\",\"details\":[]}}\n"),
        ("half", "application/json", "application/json",
         "200 [{\"title\":\"Dune\"},{\"error\":{\"code\":14,\"message\":\"too busy\",\"details\":[]}}]"),
        ("half", "text/event-stream", "text/event-stream",
         "200 data: {\"title\":\"Dune\"}\n\nevent: error\ndata: {\"error\":{\"code\":14,\"message\":\"too busy\",\"details\":[]}}\n\n"),
        ("cut", "", "application/x-ndjson",
         "200 {\"title\":\"Dune\"}\n{\"error\":{\"code\":2,\"message\":\"the response of the service ends without a status\",\"details\":[]}}\n"),
        ("second", "", "application/x-ndjson",
         "200 {\"title\":\"Dune\"}\n{\"error\":{\"code\":13,\"message\":\"the response of the service is not valid\",\"details\":[]}}\n"),
    ];
    for (shelf, accept, kind, wanted) in rows {
        let headers = [("accept", accept)];
        let headers = if accept.is_empty() { &[][..] } else { &headers[..] };
        let answer = server.send(&format!("GET /v1/shelves/{shelf}/books:watch"), headers, b"").await;
        assert_eq!(
            (answer.text().as_str(), answer.header("content-type")),
            (wanted, kind),
            "{shelf} {accept}"
        );
    }
    let line = "GET /v1/shelves/forever/books:watch";
    let answer = server.send(line, &[("grpc-timeout", "50m")], b"").await;
    assert_eq!(
        answer.text(),
        "200 {\"title\":\"Dune\"}\n{\"error\":{\"code\":4,\"message\":\"the deadline of the call has passed\",\"details\":[]}}\n"
    );
    assert!(server.desk.wait_given_up(1).await);
}

#[tokio::test]
async fn wrapped_responses() {
    let server =
        Server::with(|builder| builder.options(tobu_transcode::TranscodeOptions::new().wrap_stream(true)))
            .await;
    let answer = server.ask("GET /v1/shelves/half/books:watch", "").await;
    assert_eq!(
        answer.text(),
        "200 {\"result\":{\"title\":\"Dune\"}}\n{\"error\":{\"code\":14,\"message\":\"too busy\",\"details\":[]}}\n"
    );
}

#[tokio::test]
async fn of_requests() {
    let server = Server::start().await;
    let line = "POST /v1/shelves/1/books:import";
    #[rustfmt::skip]
    let rows = [
        ("{\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n", "200 {\"nextPageToken\":\"2 books\"}",
         r#"ImportBooks {"book":{"title":"Dune"},"parent":"shelves/1"} {"book":{"title":"Emma"}}"#),
        ("\n{\"title\":\"Dune\"}", "200 {\"nextPageToken\":\"1 books\"}",
         r#"ImportBooks {"book":{"title":"Dune"},"parent":"shelves/1"}"#),
        ("", "200 {\"nextPageToken\":\"0 books\"}", r#"ImportBooks {"parent":"shelves/1"}"#),
    ];
    for (body, wanted, call) in rows {
        let answer = server.send(line, &[("content-type", "application/x-ndjson")], body.as_bytes()).await;
        assert_eq!(answer.text(), wanted);
        assert_eq!(server.desk.calls().last().unwrap(), call);
    }

    // What is wrong in the middle ends the call.
    let body = "{\"title\":\"Dune\"}\n{\"title\":1}\n";
    let answer = server.ask(line, body).await;
    assert_eq!(
        answer.text(),
        r#"400 {"code":3,"message":"the body: library.v1.Book.title: expected a string, but found the number 1 (at line 1 column 10)","details":[]}"#
    );
    assert!(server.desk.wait_given_up(1).await);
    assert_eq!(server.desk.calls().len(), 3);

    let answer = server.ask(&format!("{line}?nope=1"), body).await;
    assert_eq!(answer.status, 400);

    let small = Server::with(|builder| builder.max_body(10)).await;
    let answer = small.ask(line, body).await;
    assert_eq!(
        answer.text(),
        r#"413 {"code":8,"message":"a line is longer than the limit of 10 bytes","details":[]}"#
    );
}

#[tokio::test]
async fn a_stream_of_requests_that_breaks_off() {
    let server = Server::start().await;
    let head = "POST /v1/shelves/1/books:import HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut stream = server.raw(format!("{head}3\r\n{{}}\n\r\n9\r\n{{").as_bytes()).await;
    stream.shutdown().await.unwrap();
    let text = read_until(&mut stream, "details").await;
    assert!(text.starts_with("HTTP/1.1 400 "), "{text}");
    assert!(server.desk.wait_given_up(1).await);
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn both_ways_at_once() {
    let server = Server::start().await;
    let head = "POST /v1/books:sort HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut stream = server.raw(head.as_bytes()).await;
    // Each answer is there before the next request is sent.
    for title in ["Dune", "Emma"] {
        let line = format!("{{\"title\":\"{title}\"}}\n");
        stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await.unwrap();
        let text = read_until(&mut stream, title).await;
        assert!(text.contains(&line), "{text}");
    }
    let line = "{\"title\":2}\n";
    stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await.unwrap();
    let text = read_until(&mut stream, "details").await;
    let wanted = r#"{"error":{"code":3,"message":"the body: library.v1.Book.title: expected a string, but found the number 2 (at line 1 column 10)","details":[]}}"#;
    assert!(text.contains(wanted), "{text}");
    assert!(server.desk.wait_given_up(1).await);
}

/// The service of shapes: it sends back the pieces that it gets.
#[tokio::test]
async fn of_bytes() {
    let pool = tobu_transcode_schemas::pool();
    let rule = |selector: &str, rule: HttpRule| HttpRule { selector: selector.into(), ..rule };
    let config = ServiceConfig {
        rules: vec![
            rule("shapes.Shapes.Upload", HttpRule::new("PUT", "/bytes").body("*").response_body("data")),
            rule("shapes.Shapes.Download", HttpRule::new("GET", "/bytes")),
        ],
        ..ServiceConfig::default()
    };
    let transcoder =
        Transcoder::builder().pool(&pool).service("shapes.Shapes").config(config).build().unwrap();
    let service = tower::service_fn(|request: Request<Body>| async move {
        let is_upload = request.uri().path() == "/shapes.Shapes/Upload";
        let pieces = request.into_body().collect().await.unwrap().to_bytes();
        // The frames of the upload become the one answer; the download is two frames.
        let mut out = Vec::new();
        match is_upload {
            true => {
                // Field 16, bytes.
                let mut message = vec![0x82, 0x01, pieces.len() as u8];
                message.extend_from_slice(&pieces);
                out.extend_from_slice(&frame_header(message.len()).unwrap());
                out.extend_from_slice(&message);
            }
            false => out.extend_from_slice(b"\0\0\0\0\x08\x0a\x03a/b\x12\x01x\0\0\0\0\x03\x12\x01y"),
        }
        let trailers = [("grpc-status".parse().unwrap(), "0".parse().unwrap())].into_iter().collect();
        let body = Full::new(bytes::Bytes::from(out)).with_trailers(std::future::ready(Some(Ok(trailers))));
        let response = http::Response::builder().header("content-type", "application/grpc").body(body);
        Ok::<_, std::convert::Infallible>(response.unwrap())
    });
    let service = transcoder.layer(service);

    let response =
        service.clone().oneshot(Request::get("/bytes").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (200, &HeaderValue::from_static("a/b"))
    );
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "xy");

    let request = Request::put("/bytes").header("content-type", "c/d").body(Body::full("xyz")).unwrap();
    let response = service.clone().oneshot(request).await.unwrap();
    // One frame of ten bytes: the content type and the bytes.
    let json = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(json, r#""AAAAAAoKA2MvZBIDeHl6""#);
}

#[tokio::test]
async fn parts_of_responses() {
    let options = tobu_transcode::TranscodeOptions::new().fields(true);
    let server = Server::with(|builder| builder.options(options)).await;
    let rows = [
        ("GET /v1/shelves/1?fields=theme", "", r#"200 {"theme":"Fiction"}"#),
        ("GET /v1/shelves/1/books:watch?$fields=tags", "", "200 {}\n{}\n"),
        ("GET /v1/shelves/1/books:watch", "title", "200 {\"title\":\"Dune\"}\n{\"title\":\"Emma\"}\n"),
    ];
    for (line, mask, wanted) in rows {
        let headers = [("x-goog-fieldmask", mask)];
        let answer = server.send(line, if mask.is_empty() { &[] } else { &headers }, b"").await;
        assert_eq!(answer.text(), wanted, "{line}");
    }
    let calls = server.desk.calls().len();
    let answer = server.ask("GET /v1/shelves/1?fields=x", "").await;
    assert_eq!(
        answer.text(),
        r#"400 {"code":3,"message":"the query parameter \"fields\": library.v1.Shelf: the path \"x\": library.v1.Shelf has no field \"x\"","details":[]}"#
    );
    assert_eq!(server.desk.calls().len(), calls, "there was no call");
}

/// As Envoy has streams, whatever `Accept` says.
#[tokio::test]
async fn arrays_both_ways() {
    let server = Server::with(|builder| builder.options(tobu_transcode::TranscodeOptions::envoy())).await;
    let accept = [("accept", "text/event-stream")];
    let answer = server.send("GET /v1/shelves/1/books:watch", &accept, b"").await;
    assert_eq!(answer.text(), r#"200 [{"title":"Dune"},{"title":"Emma"}]"#);
    assert_eq!(answer.header("content-type"), "application/json");
    let answer = server.send("GET /v1/shelves/none/books:watch", &accept, b"").await;
    assert_eq!(answer.text(), "200 []");
    let answer = server.send("GET /v1/shelves/half/books:watch", &accept, b"").await;
    let error = r#"{"error":{"code":14,"message":"too busy","details":[]}}"#;
    assert_eq!(answer.text(), format!(r#"200 [{{"title":"Dune"}},{error}]"#));

    let line = "POST /v1/shelves/1/books:import";
    let answer = server.ask(line, "[{\"title\":\"Dune\"},\n {\"title\":\"Emma\"}]").await;
    assert_eq!(answer.text(), r#"200 {"nextPageToken":"2 books"}"#);
    for (body, text) in [
        (r#"[{"title":"Dune"}"#, "the JSON array does not end"),
        (r#"{"title":"Dune"}"#, "the stream is not a JSON array: there is `{`"),
    ] {
        let answer = server.ask(line, body).await;
        assert_eq!(answer.text(), format!(r#"400 {{"code":3,"message":"{text}","details":[]}}"#));
    }
}
