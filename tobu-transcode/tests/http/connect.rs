//! Connect in front of a service that knows nothing of it.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use tobu_transcode::TranscodeOptions;

use super::serve::{Answer, Server};

const JSON: (&str, &str) = ("content-type", "application/json");
const PROTO: (&str, &str) = ("content-type", "application/proto");
const STREAM_JSON: (&str, &str) = ("content-type", "application/connect+json");
const STREAM_PROTO: (&str, &str) = ("content-type", "application/connect+proto");
const VERSION: (&str, &str) = ("connect-protocol-version", "1");

/// `shelves/1` as a request of the method GetShelf.
const NAME: &[u8] = b"\x0a\x09shelves/1";
const SHELF: &[u8] = b"\x0a\x09shelves/1\x12\x07Fiction";

fn envelope(flags: u8, content: &[u8]) -> Vec<u8> {
    let len = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&[flags], &len[..], content].concat()
}

/// The envelopes of a body, each as its flags and its content.
pub(crate) fn envelopes(mut body: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    while let Some((head, rest)) = body.split_first_chunk::<5>() {
        let len = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        all.push(
            format!("{} {}", head[0], rest[..len].escape_ascii()).replace("\\\"", "\"").replace("\\\\", "\\"),
        );
        body = &rest[len..];
    }
    assert_eq!(body, b"");
    all
}

async fn call(server: &Server, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    server.send(&format!("POST /library.v1.Library/{method}"), headers, body).await
}

#[tokio::test]
async fn unary_calls() {
    let server = Server::start().await;
    let answer = call(&server, "GetShelf", &[JSON, VERSION], br#"{"name":"shelves/1"}"#).await;
    assert_eq!(answer.text(), r#"200 {"name":"shelves/1","theme":"Fiction"}"#);
    let mut headers: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "date")
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    let wanted = [
        "content-length: 38",
        "content-type: application/json",
        "served-by: desk",
        "trailer-cost: 3",
        "x-content-type-options: nosniff",
    ];
    assert_eq!(headers, wanted);

    let answer = call(&server, "GetShelf", &[PROTO], NAME).await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, SHELF));
    assert_eq!((answer.header("content-type"), answer.header("trailer-cost")), ("application/proto", "3"));

    // A method without a rule; a member that is not known; other ways to write the type.
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        let answer = call(&server, "Count", &[("content-type", kind)], br#"{"new":1}"#).await;
        assert_eq!(answer.text(), r#"200 {"theme":"Dune"}"#, "{kind}");
    }
    // The bytes of a file are a member, as in any JSON.
    let answer = call(&server, "GetCover", &[JSON], b"{}").await;
    assert_eq!(answer.text(), r#"200 {"contentType":"image/png","data":"iVBORw=="}"#);
    let calls = server.desk.calls();
    assert_eq!(calls[..2], [r#"GetShelf {"name":"shelves/1"}"#; 2]);
    assert_eq!(calls[5], "GetCover {}");
    assert_eq!(server.outcomes()[0], "POST /library.v1.Library/GetShelf 200");
    assert_eq!(server.endings(6).await[0], "POST /library.v1.Library/GetShelf Ok");
}

#[tokio::test]
async fn headers_are_metadata() {
    let server = Server::start().await;
    let headers = [
        JSON,
        VERSION,
        ("authorization", "Bearer x"),
        ("connect-timeout-ms", "5000"),
        ("connection", "x-hop"),
        ("x-hop", "1"),
        ("te", "trailers"),
        ("grpc-timeout", "1n"),
        ("x-tenant", "7"),
        ("x-tenant", "8"),
        ("trace-bin", "AQI="),
        ("accept-encoding", "br"),
        ("cookie", "a=b"),
        ("user-agent", "connect-es/2"),
        ("x-city", "Z\u{fc}rich"),
    ];
    let answer = call(&server, "GetShelf", &headers, b"{}").await;
    assert_eq!(answer.status, 200);
    let headers = server.desk.headers();
    let mut told: Vec<String> =
        headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    told.sort();
    let wanted = [
        "authorization: Bearer x",
        "content-type: application/grpc",
        "cookie: a=b",
        "grpc-timeout: 5000000u",
        "te: trailers",
        "trace-bin: AQI",
        "user-agent: connect-es/2",
        "x-tenant: 7",
        "x-tenant: 8",
    ];
    assert_eq!(told, wanted);
}

#[tokio::test]
async fn messages_in_the_query() {
    let server = Server::start().await;
    let proto = URL_SAFE_NO_PAD.encode(NAME);
    let padded = URL_SAFE.encode(br#"{"name":"shelves/1"}"#);
    let json = "%7B%22name%22:%22shelves/1%22%7D";
    let rows = [
        format!("connect=v1&encoding=json&message={json}"),
        format!("message={json}&encoding=json"),
        format!("connect=v1&base64=1&encoding=proto&message={proto}"),
        format!("connect=v1&base64=1&encoding=json&message={}", padded.replace('=', "%3D")),
        format!("connect=v1&base64=0&encoding=json&message={json}&other=1"),
        format!("connect=v1&compression=identity&encoding=json&message={json}"),
    ];
    for query in &rows {
        for method in ["GET", "HEAD"] {
            let line = format!("{method} /library.v1.Library/GetShelf?{query}");
            let answer = server.send(&line, &[("connect-timeout-ms", "1000")], b"").await;
            let is_proto = query.contains("encoding=proto");
            let kind = if is_proto { "application/proto" } else { "application/json" };
            let len = if is_proto { "20" } else { "38" };
            assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, kind), "{query}");
            assert_eq!((answer.header("trailer-cost"), answer.header("content-length")), ("3", len));
            let wanted: &[u8] = match (method, is_proto) {
                ("HEAD", _) => b"",
                (_, true) => SHELF,
                _ => br#"{"name":"shelves/1","theme":"Fiction"}"#,
            };
            assert_eq!(answer.body, wanted, "{query}");
            assert_eq!(server.desk.calls().last().unwrap(), r#"GetShelf {"name":"shelves/1"}"#);
            assert_eq!(server.desk.headers()["grpc-timeout"], "1000000u");
        }
    }
    // No message has no fields, in binary.
    let answer = server.send("GET /library.v1.Library/GetShelf?encoding=proto&message=", &[], b"").await;
    assert_eq!(answer.body, SHELF);

    let bad = r#"400 {"code":"invalid_argument","message":"#;
    #[rustfmt::skip]
    let rows = [
        ("connect=v2&encoding=json&message=%7B%7D", r#""the query: connect must be \"v1\", not \"v2\""}"#),
        ("connect=v1&encoding=json", r#""the query has no message"}"#),
        ("connect=v1&encoding=%zz&message=", r#""the query: encoding: a % is not followed by two hexadecimal digits"}"#),
        ("connect=v1&encoding=json&encoding=json&message=", r#""the query: encoding is given twice"}"#),
        ("connect=v1&encoding=json&message=", r#""the message: library.v1.GetShelfRequest: expected a message of type library.v1.GetShelfRequest, but the input ends (at line 1 column 1)"}"#),
        ("connect=v1&encoding=json&message=%7B&message=%7B", r#""the query: message is given twice"}"#),
        ("connect=v1&encoding=json&message=%zz", r#""the query: message: a % is not followed by two hexadecimal digits"}"#),
        ("connect=v1&encoding=proto&message=%ff", r#""the query: message: the escapes are not valid UTF-8"}"#),
        ("connect=v1&encoding=proto&message=%00", r#""the query: message: there is a NUL character"}"#),
        ("connect=v1&encoding=proto&base64=1&message=*", r#""the query: the message is not base64 for URLs"}"#),
        ("connect=v1&encoding=json&base64=1&message=e30+", r#""the query: the message is not base64 for URLs"}"#),
    ];
    let calls = server.desk.calls().len();
    for (query, wanted) in rows {
        let answer = server.send(&format!("GET /library.v1.Library/GetShelf?{query}"), &[], b"").await;
        assert_eq!(answer.text(), format!("{bad}{wanted}"), "{query}");
        assert_eq!(answer.header("content-type"), "application/json");
    }
    assert_eq!(server.desk.calls().len(), calls);
}

#[tokio::test]
async fn requests_that_call_no_method() {
    let server = Server::start().await;
    let kinds = "application/json, application/proto, application/connect+json, application/connect+proto";
    let get = "GET /library.v1.Library/GetShelf";
    #[rustfmt::skip]
    let rows = [
        ("DELETE /library.v1.Library/GetShelf", PROTO, "405 the method library.v1.Library.GetShelf is called with GET, HEAD, POST, not DELETE", "GET, HEAD, POST"),
        ("GET /library.v1.Library/GetBook?connect=v1&encoding=json&message=%7B%7D", JSON, "405 the method library.v1.Library.GetBook is called with POST, not GET", "POST"),
        ("GET /library.v1.Library/WatchBooks", JSON, "405 the method library.v1.Library.WatchBooks is called with POST, not GET", "POST"),
        ("POST /library.v1.Library/GetShelf", ("content-type", "image/jpeg"), "415 the messages of library.v1.Library.GetShelf have the type application/json or application/proto, not \"image/jpeg\"", ""),
        ("POST /library.v1.Library/GetShelf", ("x", ""), "415 the messages of library.v1.Library.GetShelf have the type application/json or application/proto, not \"\"", ""),
        ("POST /library.v1.Library/GetShelf", STREAM_PROTO, "415 the messages of library.v1.Library.GetShelf have the type application/json or application/proto, not \"application/connect+proto\"", ""),
        ("POST /library.v1.Library/WatchBooks", JSON, "415 the messages of library.v1.Library.WatchBooks have the type application/connect+json or application/connect+proto, not \"application/json\"", ""),
        (get, JSON, "415 the messages of library.v1.Library.GetShelf have the encoding json or proto, not \"\"", ""),
    ];
    for (line, header, wanted, allow) in rows {
        let answer = server.send(line, &[header, VERSION], b"").await;
        assert_eq!(answer.text(), wanted, "{line}");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        assert_eq!(answer.header("allow"), allow);
        assert_eq!(answer.header("accept-post"), if allow.is_empty() { kinds } else { "" });
    }
    // A method that nobody knows, for clients that say that they are of Connect, and for others.
    let unknown = r#"404 {"code":"unimplemented","message":"there is no method \"/a.B/C\""}"#;
    for headers in [&[VERSION, JSON][..], &[STREAM_JSON]] {
        assert_eq!(server.send("POST /a.B/C", headers, b"").await.text(), unknown);
    }
    assert_eq!(server.send("GET /a.B/C?connect=v1", &[], b"").await.text(), unknown);
    let rest = r#"404 {"code":5,"message":"no rule has the path \"/a.B/C\"","details":[]}"#;
    assert_eq!(server.send("POST /a.B/C", &[JSON], b"").await.text(), rest);
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn errors() {
    let server = Server::start().await;
    let name = |name: &str| format!(r#"{{"name":"shelves/{name}"}}"#).into_bytes();
    let answer = call(&server, "GetShelf", &[JSON], &name("missing")).await;
    let details = r#"[{"type":"google.rpc.ErrorInfo","value":"CgRMRU5U","debug":{"reason":"LENT"}},{"type":"unknown.Type","value":"CAE"}]"#;
    let wanted = format!(r#"{{"code":"not_found","message":"no such shelf","details":{details}}}"#);
    assert_eq!(answer.text(), format!("404 {wanted}"));
    assert_eq!((answer.header("content-type"), answer.header("trailer-extra")), ("application/json", "1"));
    assert_eq!(answer.header("grpc-status-details-bin"), "");
    // In binary, errors are JSON as well.
    let answer = call(&server, "GetShelf", &[PROTO], b"\x0a\x0eshelves/denied").await;
    assert_eq!(answer.text(), r#"403 {"code":"permission_denied","message":"not for you"}"#);
    assert_eq!(answer.header("content-type"), "application/json");

    let internal = r#"500 {"code":"internal","message":"the response of the service is not valid"}"#;
    let rows = [
        (
            "html",
            r#"503 {"code":"unavailable","message":"the service answered with HTTP status 502 Bad Gateway, not with gRPC"}"#,
        ),
        ("nothing", internal),
        ("bad", internal),
        ("two", internal),
        ("cut", r#"500 {"code":"unknown","message":"the response of the service ends without a status"}"#),
        ("broken", r#"503 {"code":"unavailable","message":"the response of the service broke off"}"#),
    ];
    for (shelf, wanted) in rows {
        assert_eq!(call(&server, "GetShelf", &[JSON], &name(shelf)).await.text(), wanted, "{shelf}");
    }
    // What a message is made of is the client's to check, in binary.
    let answer = call(&server, "GetShelf", &[PROTO], b"\x0a\x0bshelves/bad").await;
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"\x0a\x09"[..]));

    let bad = r#"400 {"code":"invalid_argument","message":"#;
    #[rustfmt::skip]
    let rows = [
        (("x", ""), "{", r#""the message: library.v1.GetShelfRequest: expected the name of a member, but the input ends (at line 1 column 2)"}"#),
        (("x", ""), "", r#""the message: library.v1.GetShelfRequest: expected a message of type library.v1.GetShelfRequest, but the input ends (at line 1 column 1)"}"#),
        (("x", ""), "{}{}", r#""the message: library.v1.GetShelfRequest: expected the end of the input, but found `{` (at line 1 column 3)"}"#),
        (("connect-protocol-version", "2"), "{}", r#""the header connect-protocol-version must be \"1\", not \"2\""}"#),
        (("connect-timeout-ms", "soon"), "{}", r#""the header connect-timeout-ms: \"soon\" is not a number of milliseconds"}"#),
        (("connect-timeout-ms", "12345678901"), "{}", r#""the header connect-timeout-ms: \"12345678901\" is not a number of milliseconds"}"#),
        (("connect-timeout-ms", "-1"), "{}", r#""the header connect-timeout-ms: \"-1\" is not a number of milliseconds"}"#),
        (("trace-bin", "*"), "{}", r#""the header trace-bin is not base64"}"#),
        (("authorization", "\u{e9}"), "{}", r#""the header authorization has characters that metadata cannot have"}"#),
    ];
    let calls = server.desk.calls().len();
    for (header, body, wanted) in rows {
        let answer = call(&server, "GetShelf", &[JSON, header], body.as_bytes()).await;
        assert_eq!(answer.text(), format!("{bad}{wanted}"), "{header:?} {body}");
    }
    let answer = call(&server, "GetShelf", &[JSON, ("content-encoding", "br")], b"{}").await;
    let known = if cfg!(feature = "zstd") { "identity, gzip, zstd" } else { "identity, gzip" };
    let wanted = format!(
        r#"501 {{"code":"unimplemented","message":"\"br\" is not a known compression; known are {known}"}}"#
    );
    assert_eq!(answer.text(), wanted);
    assert_eq!(server.desk.calls().len(), calls);
}

#[tokio::test]
async fn deadlines() {
    let server = Server::with(|builder| builder.timeout(Duration::from_secs(10))).await;
    let slow = br#"{"name":"shelves/slow","parent":"shelves/slow"}"#;
    let wanted = r#"{"code":"deadline_exceeded","message":"the deadline of the call has passed"}"#;
    let timeout = ("connect-timeout-ms", "50");
    let answer = call(&server, "GetShelf", &[JSON, timeout], slow).await;
    assert_eq!(answer.text(), format!("504 {wanted}"));
    let answer = call(&server, "WatchBooks", &[STREAM_JSON, timeout], &envelope(0, slow)).await;
    assert_eq!(
        (answer.status.as_u16(), envelopes(&answer.body)),
        (200, vec![format!(r#"2 {{"error":{wanted}}}"#)])
    );
    let forever = br#"{"parent":"shelves/forever"}"#;
    let answer = call(&server, "WatchBooks", &[STREAM_JSON, timeout], &envelope(0, forever)).await;
    let wanted = [r#"0 {"title":"Dune"}"#.to_owned(), format!(r#"2 {{"error":{wanted}}}"#)];
    assert_eq!(envelopes(&answer.body), wanted);
    assert!(server.desk.wait_given_up(3).await);
    // The shorter one counts.
    assert_eq!(
        call(&server, "GetShelf", &[JSON, ("connect-timeout-ms", "9999999999")], b"{}").await.status,
        200
    );
    assert_eq!(server.desk.headers()["grpc-timeout"], "10000000u");
    assert_eq!(call(&server, "GetShelf", &[JSON, ("connect-timeout-ms", "0")], b"{}").await.status, 504);
}

#[tokio::test]
async fn streams() {
    let server = Server::start().await;
    let watch = |name: &str| envelope(0, format!(r#"{{"parent":"shelves/{name}"}}"#).as_bytes());
    let (dune, emma) = (r#"0 {"title":"Dune"}"#, r#"0 {"title":"Emma"}"#);
    let answer = call(&server, "WatchBooks", &[STREAM_JSON, VERSION], &watch("1")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/connect+json"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(envelopes(&answer.body), [dune, emma, "2 {}"]);
    let answer = call(&server, "WatchBooks", &[STREAM_PROTO], &envelope(0, b"\x0a\x09shelves/1")).await;
    assert_eq!(answer.header("content-type"), "application/connect+proto");
    assert_eq!(envelopes(&answer.body), [r"0 \x12\x04Dune", r"0 \x12\x04Emma", "2 {}"]);

    let details = r#"[{"type":"google.rpc.ErrorInfo","value":"CgRMRU5U","debug":{"reason":"LENT"}},{"type":"unknown.Type","value":"CAE"}]"#;
    let missing = format!(
        r#"2 {{"error":{{"code":"not_found","message":"no such shelf","details":{details}}},"metadata":{{"extra":["1"]}}}}"#
    );
    let not_valid = r#"2 {"error":{"code":"internal","message":"the response of the service is not valid"}}"#;
    let no_status =
        r#"2 {"error":{"code":"unknown","message":"the response of the service ends without a status"}}"#;
    let cases: [(&str, Vec<&str>); 8] = [
        ("none", vec!["2 {}"]),
        ("nothing", vec!["2 {}"]),
        ("missing", vec![&missing]),
        ("half", vec![dune, r#"2 {"error":{"code":"unavailable","message":"too busy"}}"#]),
        ("second", vec![dune, not_valid]),
        ("cut", vec![dune, no_status]),
        (
            "broken",
            vec![r#"2 {"error":{"code":"unavailable","message":"the response of the service broke off"}}"#],
        ),
        (
            "html",
            vec![
                r#"2 {"error":{"code":"unavailable","message":"the service answered with HTTP status 502 Bad Gateway, not with gRPC"}}"#,
            ],
        ),
    ];
    for (name, wanted) in cases {
        let answer = call(&server, "WatchBooks", &[STREAM_JSON], &watch(name)).await;
        assert_eq!(
            (answer.status.as_u16(), envelopes(&answer.body)),
            (200, wanted.into_iter().map(str::to_owned).collect()),
            "{name}"
        );
        assert_eq!(answer.header("content-type"), "application/connect+json");
    }
    // Several requests, and none.
    let books = [
        envelope(0, br#"{"parent":"a","book":{"title":"Dune"}}"#),
        envelope(0, br#"{"book":{"title":"Emma"}}"#),
    ];
    let answer = call(&server, "ImportBooks", &[STREAM_JSON], &books.concat()).await;
    assert_eq!(envelopes(&answer.body), [r#"0 {"nextPageToken":"2 books"}"#, "2 {}"]);
    let answer = call(&server, "ImportBooks", &[STREAM_JSON], b"").await;
    assert_eq!(envelopes(&answer.body), [r#"0 {"nextPageToken":"0 books"}"#, "2 {}"]);
    // Both ways.
    let books = [envelope(0, br#"{"title":"Dune"}"#), envelope(0, b"{}")];
    let answer = call(&server, "Sort", &[STREAM_JSON], &books.concat()).await;
    assert_eq!(envelopes(&answer.body), [dune, "0 {}", "2 {}"]);
    let endings = server.endings(13).await;
    assert_eq!(endings.iter().filter(|ending| ending.ends_with(" Ok")).count(), 7, "{endings:?}");
    assert!(endings.contains(&"POST /library.v1.Library/WatchBooks NotFound".to_owned()));
}

#[tokio::test]
async fn envelopes_that_are_wrong() {
    let server = Server::start().await;
    let failed = |code: &str, message: &str| {
        vec![format!(r#"2 {{"error":{{"code":"{code}","message":{}}}}}"#, serde_json::Value::from(message))]
    };
    let argument = |message: &str| failed("invalid_argument", message);
    let inside = "the body ends inside an envelope";
    let rows: Vec<(&str, Vec<u8>, Vec<String>)> = vec![
        ("WatchBooks", vec![], failed("unimplemented", "the request has no message")),
        (
            "WatchBooks",
            [envelope(0, b"{}"), envelope(0, b"{}")].concat(),
            failed("unimplemented", "the request has more than one message"),
        ),
        (
            "WatchBooks",
            [envelope(0, b"{}"), vec![0]].concat(),
            failed("unimplemented", "the request has more than one message"),
        ),
        ("WatchBooks", vec![0], argument(inside)),
        ("WatchBooks", b"\0\0\0\0\x03{}".to_vec(), argument(inside)),
        (
            "WatchBooks",
            b"\0\xff\xff\xff\xff".to_vec(),
            failed(
                "resource_exhausted",
                "a message of 4294967295 bytes is longer than the limit of 4194304 bytes",
            ),
        ),
        (
            "WatchBooks",
            envelope(2, b"{}"),
            argument("an envelope of a request has the flags 2, but only 0 and 1 are defined"),
        ),
        (
            "WatchBooks",
            envelope(0, b""),
            argument(
                "the message: library.v1.ListBooksRequest: expected a message of type library.v1.ListBooksRequest, but the input ends (at line 1 column 1)",
            ),
        ),
        (
            "WatchBooks",
            envelope(1, b"{}"),
            failed(
                "internal",
                "an envelope is compressed, but connect-content-encoding names no compression",
            ),
        ),
        ("ImportBooks", vec![0, 0, 0], argument(inside)),
        ("ImportBooks", [envelope(0, b"{}"), b"\0\0\0\0\x03{}".to_vec()].concat(), argument(inside)),
        (
            "ImportBooks",
            [envelope(0, b"{}"), envelope(0, b"[]")].concat(),
            argument(
                "the message: library.v1.CreateBookRequest: expected a message of type library.v1.CreateBookRequest, but found a list (at line 1 column 1)",
            ),
        ),
        (
            "ImportBooks",
            [envelope(0, b"{}"), envelope(3, b"{}")].concat(),
            argument("an envelope of a request has the flags 3, but only 0 and 1 are defined"),
        ),
        (
            "ImportBooks",
            b"\0\x00\x40\x00\x01".to_vec(),
            failed(
                "resource_exhausted",
                "a message of 4194305 bytes is longer than the limit of 4194304 bytes",
            ),
        ),
    ];
    for (method, body, wanted) in rows {
        let answer = call(&server, method, &[STREAM_JSON], &body).await;
        assert_eq!(
            (answer.status.as_u16(), envelopes(&answer.body)),
            (200, wanted),
            "{method} {}",
            body.escape_ascii()
        );
    }
    let answer = call(&server, "Sort", &[STREAM_JSON, ("connect-content-encoding", "br")], b"").await;
    let known = if cfg!(feature = "zstd") { "identity, gzip, zstd" } else { "identity, gzip" };
    let wanted = failed("unimplemented", &format!("\"br\" is not a known compression; known are {known}"));
    assert_eq!(envelopes(&answer.body), wanted);
    assert_eq!(server.desk.calls(), [] as [&str; 0]);
}

#[tokio::test]
async fn rules_and_methods_by_name() {
    // Without the option, JSON by the name of a method is Connect; with it, REST, unless the client says that it is Connect.
    let missing = br#"{"name":"shelves/missing"}"#;
    let server = Server::with(|builder| builder.options(TranscodeOptions::new().auto_mapping(true))).await;
    let answer = call(&server, "Count", &[JSON], b"{}").await;
    assert_eq!(answer.text(), r#"200 {"theme":"Dune"}"#);
    assert_eq!(call(&server, "Count", &[JSON], br#"{"new":1}"#).await.status, 400);
    assert_eq!(call(&server, "Count", &[JSON, VERSION], br#"{"new":1}"#).await.status, 200);
    assert_eq!(call(&server, "Count", &[PROTO, VERSION], b"").await.body, b"\x12\x04Dune"[..]);
    // A method that has a rule is called by it, or by Connect.
    let answer = call(&server, "GetShelf", &[JSON], missing).await;
    assert!(answer.text().starts_with(r#"404 {"code":"not_found""#), "{}", answer.text());

    let server = Server::with(|builder| builder.connect(false)).await;
    let wanted =
        r#"404 {"code":5,"message":"no rule has the path \"/library.v1.Library/GetShelf\"","details":[]}"#;
    for headers in [&[JSON][..], &[JSON, VERSION]] {
        assert_eq!(call(&server, "GetShelf", headers, b"{}").await.text(), wanted);
    }
}

/// Services without any rule are served if that is said.
#[test]
fn services_without_rules() {
    let of = |connect: Option<bool>| {
        let mut builder = tobu_transcode::Transcoder::builder().pool(&tobu::Pool::new()).all_services();
        if let Some(connect) = connect {
            builder = builder.connect(connect);
        }
        builder.build().map(|_| ()).unwrap_err().to_string()
    };
    // There is nothing to call in an empty pool.
    for connect in [None, Some(false), Some(true)] {
        assert_eq!(of(connect), "no method of the pool has a google.api.http rule");
    }
    // One file with one service of one method.
    let file =
        b"\x0a\x07a.proto\x12\x01a\x22\x03\x0a\x01M\x32\x12\x0a\x01S\x12\x0d\x0a\x01C\x12\x03a.M\x1a\x03a.M";
    let set = [&[0x0a, file.len() as u8], &file[..]].concat();
    let bare = tobu::Pool::from_descriptor_set(&set).unwrap();
    let builder = || tobu_transcode::Transcoder::builder().pool(&bare).all_services();
    assert!(builder().build().is_err());
    assert_eq!(builder().connect(true).build().unwrap().router().routes().len(), 0);
}

#[cfg(feature = "gzip")]
mod compressed {
    use std::io::{Read, Write};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn gunzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
        out
    }

    #[tokio::test]
    async fn messages() {
        let server = Server::start().await;
        let request = gzip(br#"{"parent":"shelves/1"}"#);
        let plain = call(&server, "ListBooks", &[JSON], br#"{"parent":"shelves/1"}"#).await;
        assert!(plain.body.len() > 1024 && plain.header("content-encoding").is_empty());
        // A client that says nothing takes what it sends.
        for (headers, is_compressed) in [
            (&[JSON, ("content-encoding", "gzip")][..], true),
            (&[JSON, ("content-encoding", "gzip"), ("accept-encoding", "identity")], false),
            (&[JSON, ("content-encoding", "gzip"), ("accept-encoding", "br, gzip")], true),
        ] {
            let answer = call(&server, "ListBooks", headers, &request).await;
            let body = match is_compressed {
                true => gunzip(&answer.body),
                false => answer.body.to_vec(),
            };
            assert_eq!(body, plain.body, "{headers:?}");
            let (encoding, vary) = if is_compressed { ("gzip", "accept-encoding") } else { ("", "") };
            assert_eq!((answer.header("content-encoding"), answer.header("vary")), (encoding, vary));
        }
        // No bytes are no gzip, and no message in JSON.
        let answer = call(&server, "ListBooks", &[PROTO, ("content-encoding", "gzip")], b"").await;
        assert_eq!(answer.status, 200);
        let query = URL_SAFE_NO_PAD.encode(gzip(br#"{"name":"shelves/1"}"#));
        let line = format!(
            "GET /library.v1.Library/GetShelf?connect=v1&encoding=json&base64=1&compression=gzip&message={query}"
        );
        assert_eq!(
            server.send(&line, &[], b"").await.text(),
            r#"200 {"name":"shelves/1","theme":"Fiction"}"#
        );
        let standard = STANDARD.encode(b"\xff\xef");
        assert!(standard.contains('/'));
    }

    #[tokio::test]
    async fn streams() {
        let server = Server::start().await;
        let title = "long ".repeat(1000);
        let book = format!(r#"{{"title":"{title}"}}"#);
        let body = [envelope(1, &gzip(book.as_bytes())), envelope(0, b"{}")].concat();
        let headers = [STREAM_JSON, ("connect-content-encoding", "gzip")];
        let answer = call(&server, "Sort", &headers, &body).await;
        assert_eq!(answer.header("connect-content-encoding"), "gzip");
        let len = u32::from_be_bytes(answer.body[1..5].try_into().unwrap()) as usize;
        assert_eq!(answer.body[0], 1);
        assert_eq!(gunzip(&answer.body[5..5 + len]), book.as_bytes());
        // Little is not worth it.
        assert_eq!(envelopes(&answer.body[5 + len..]), ["0 {}", "2 {}"]);
        let headers = [headers[0], headers[1], ("connect-accept-encoding", "identity")];
        let answer = call(&server, "Sort", &headers, &body).await;
        assert_eq!(answer.header("connect-content-encoding"), "");
        assert_eq!(envelopes(&answer.body), [format!("0 {book}").as_str(), "0 {}", "2 {}"]);
    }

    #[tokio::test]
    async fn bombs() {
        let server = Server::with(|builder| builder.max_body(1000)).await;
        let bomb = gzip(&[b' '; 100_000]);
        assert!(bomb.len() < 1000);
        let too_long = "the body is longer than the limit of 1000 bytes";
        let answer = call(&server, "GetShelf", &[JSON, ("content-encoding", "gzip")], &bomb).await;
        let wanted = format!(r#"{{"code":"resource_exhausted","message":"{too_long}"}}"#);
        assert_eq!(answer.text(), format!("429 {wanted}"));
        let malformed = r#"{"code":"invalid_argument","message":"the compressed body is malformed"}"#;
        let answer = call(&server, "GetShelf", &[JSON, ("content-encoding", "gzip")], b"{}").await;
        assert_eq!(answer.text(), format!("400 {malformed}"));
        for method in ["WatchBooks", "Sort"] {
            let headers = [STREAM_JSON, ("connect-content-encoding", "gzip")];
            let answer = call(&server, method, &headers, &envelope(1, &bomb)).await;
            assert_eq!(envelopes(&answer.body), [format!(r#"2 {{"error":{wanted}}}"#)], "{method}");
            let answer = call(&server, method, &headers, &envelope(1, b"{}")).await;
            assert_eq!(envelopes(&answer.body), [format!(r#"2 {{"error":{malformed}}}"#)], "{method}");
        }
        let query = URL_SAFE_NO_PAD.encode(&bomb);
        let line = format!(
            "GET /library.v1.Library/GetShelf?encoding=json&base64=1&compression=gzip&message={query}"
        );
        assert_eq!(server.send(&line, &[], b"").await.text(), format!("429 {wanted}"));
    }
}
