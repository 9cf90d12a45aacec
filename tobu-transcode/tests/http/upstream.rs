//! What a service behind may send, and what becomes of it: clients get a status and a plain text, who runs the service gets the rest.

use std::future::ready;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, Full};
use tobu_transcode::{Body, Ending, Observer, Outcome, Transcoder, TranscoderBuilder, frame_header};
use tower::{Layer, ServiceExt};

use super::live::Written;

/// Keeps what clients are not told.
pub(crate) struct Details(pub(crate) Arc<Mutex<Vec<String>>>);

impl Observer for Details {
    fn answered(&self, _: &Outcome<'_>) {}

    fn ended(&self, ending: &Ending<'_>) {
        self.0.lock().unwrap().extend(ending.detail.map(str::to_owned));
    }
}

const SHELF: &str = "/v1/shelves/1";
const NOT_VALID: &str =
    r#"500 {"code":13,"message":"the response of the service is not valid","details":[]}"#;

/// What the service behind answers.
type Sent = Result<Response<Body>, Unreachable>;

/// Headers as they are written.
type Headers<'a> = &'a [(&'a str, &'a [u8])];

/// What a client gets where the service behind sends this: the answer, its headers, and what it is not told.
async fn through(path: &str, sent: Sent) -> (String, HeaderMap, Vec<String>) {
    through_with(path, sent, |builder| builder).await
}

async fn through_with(
    path: &str,
    sent: Sent,
    change: impl FnOnce(TranscoderBuilder) -> TranscoderBuilder,
) -> (String, HeaderMap, Vec<String>) {
    let details = Arc::new(Mutex::new(Vec::new()));
    let builder = Transcoder::builder()
        .pool(&tobu_transcode_schemas::pool())
        .service("library.v1.Library")
        .max_response(1000)
        .observer(Details(Arc::clone(&details)));
    let transcoder = change(builder).build().unwrap();
    let sent = Mutex::new(Some(sent));
    let service = transcoder.layer(Once(Arc::new(sent)));
    let request = Request::get(path).body(Body::empty()).unwrap();
    let (head, body) = service.oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let text = format!("{} {}", head.status.as_u16(), std::str::from_utf8(&body).unwrap());
    let details = details.lock().unwrap().clone();
    (text, head.headers, details)
}

/// A service that gives one answer.
#[derive(Clone)]
struct Once(Arc<Mutex<Option<Sent>>>);

impl tower::Service<Request<Body>> for Once {
    type Response = Response<Body>;
    type Error = Unreachable;
    type Future = std::future::Ready<Sent>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Unreachable>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        ready(self.0.lock().unwrap().take().unwrap())
    }
}

/// As clients of HTTP say it: a word, and what is behind it.
#[derive(Debug)]
struct Unreachable(io::Error);

impl std::fmt::Display for Unreachable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("transport error")
    }
}

impl std::error::Error for Unreachable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn map(headers: Headers<'_>) -> HeaderMap {
    let header = |(name, value): &(&str, &[u8])| {
        (HeaderName::try_from(*name).unwrap(), HeaderValue::from_bytes(value).unwrap())
    };
    headers.iter().map(header).collect()
}

/// A response of gRPC with this body, and these trailers after it.
fn grpc(data: &[u8], trailers: Headers<'_>) -> Response<Body> {
    let trailers = map(trailers);
    let body = Full::new(Bytes::copy_from_slice(data)).with_trailers(ready(Some(Ok(trailers))));
    Response::builder().header("content-type", "application/grpc").body(Body::new(body)).unwrap()
}

fn framed(message: &[u8]) -> Vec<u8> {
    [&frame_header(message.len()).unwrap()[..], message].concat()
}

const OK: Headers<'_> = &[("grpc-status", b"0")];

#[tokio::test]
async fn trailers() {
    let shelf = framed(b"\x0a\x01a");
    let failed = |code: u8, status: u16, message: &str| {
        format!(r#"{status} {{"code":{code},"message":"{message}","details":[]}}"#)
    };
    let unknown = failed(2, 500, "");
    // base64 of bytes that are no message; of a Status whose one detail is an Any that is none.
    let (garbage, detail) = (b"//////8".as_slice(), b"GgL//w".as_slice());
    let long = vec![b'9'; 100_000];
    let deep = "%25".repeat(1000);
    let rows: &[(Headers<'_>, String)] = &[
        (OK, r#"200 {"name":"a"}"#.into()),
        (&[("grpc-status", b"abc")], unknown.clone()),
        (&[("grpc-status", b"")], unknown.clone()),
        (&[("grpc-status", b"17")], unknown.clone()),
        (&[("grpc-status", b"-1")], unknown.clone()),
        (&[("grpc-status", b"+0")], unknown.clone()),
        (&[("grpc-status", b"0, 0")], unknown.clone()),
        (&[("grpc-status", b"\xff")], unknown.clone()),
        (&[("grpc-status", &long)], unknown.clone()),
        // The first one counts.
        (&[("grpc-status", b"5"), ("grpc-status", b"0")], failed(5, 404, "")),
        // Line ends stay in the text, and make no header.
        (
            &[("grpc-status", b"5"), ("grpc-message", b"a%0d%0aset-cookie: b</script>%22")],
            failed(5, 404, r#"a\r\nset-cookie: b</script>\""#),
        ),
        (&[("grpc-status", b"5"), ("grpc-message", b"%zz%2")], failed(5, 404, "%zz%2")),
        (&[("grpc-status", b"5"), ("grpc-message", b"%ff%c0%af")], failed(5, 404, "%ff%c0%af")),
        (&[("grpc-status", b"5"), ("grpc-message", b"a%00b")], failed(5, 404, "a%00b")),
        (&[("grpc-status", b"5"), ("grpc-message", b"a\xff")], failed(5, 404, "a\u{fffd}")),
        // Decoded once.
        (&[("grpc-status", b"5"), ("grpc-message", deep.as_bytes())], failed(5, 404, &"%".repeat(1000))),
        (&[("grpc-status", b"5"), ("grpc-status-details-bin", b"!?")], failed(5, 404, "")),
        (&[("grpc-status", b"5"), ("grpc-status-details-bin", garbage)], failed(5, 404, "")),
        (&[("grpc-status", b"5"), ("grpc-status-details-bin", detail)], failed(5, 404, "")),
    ];
    for (trailers, wanted) in rows {
        let (text, headers, details) = through(SHELF, Ok(grpc(&shelf, trailers))).await;
        assert_eq!((&text, details), (wanted, vec![]), "{trailers:?}");
        let mut names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["content-type", "x-content-type-options"]);
    }
    // What is about a connection is about that one, and nothing is set that a browser acts on.
    let hostile: Headers<'_> = &[
        ("grpc-status", b"0"),
        ("transfer-encoding", b"chunked"),
        ("content-length", b"1"),
        ("content-encoding", b"gzip"),
        ("connection", b"secret, close"),
        ("secret", b"1"),
        ("set-cookie", b"a=b"),
        ("content-security-policy", b"default-src *"),
        ("access-control-allow-origin", b"*"),
    ];
    let (text, headers, _) = through(SHELF, Ok(grpc(&shelf, hostile))).await;
    assert_eq!(text, r#"200 {"name":"a"}"#);
    let mut names: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
    names.sort_unstable();
    let wanted = [
        "content-type",
        "grpc-metadata-access-control-allow-origin",
        "grpc-metadata-content-security-policy",
        "grpc-metadata-set-cookie",
        "x-content-type-options",
    ];
    assert_eq!(names, wanted);
}

/// What a service said at the start of a call is told whatever becomes of the call.
#[tokio::test]
async fn the_metadata_of_the_head_outlives_the_call() {
    const HEAD: Headers<'_> =
        &[("retry-after", b"3"), ("served-by", b"desk"), ("twice", b"head"), ("date", b"x")];
    const FAILED: Headers<'_> = &[("grpc-status", b"14"), ("cost", b"1"), ("twice", b"end")];
    let (shelf, bad) = (framed(b"\x0a\x01a"), framed(b"\x0a\x09"));
    let long = framed(&[b"\x0a\x05\x0a\x03abc".repeat(90), b"\x0a\x09".to_vec()].concat());
    let list = "/v1/shelves/1/books";
    let watch = "/v1/shelves/1/books:watch";
    #[rustfmt::skip]
    type Row<'a> = (&'a str, &'a [u8], Headers<'a>, u16, &'a [&'a str]);
    let rows: &[Row<'_>] = &[
        // The call failed with a message and without one.
        (SHELF, &shelf, FAILED, 503, &["cost: 1", "twice: head", "twice: end"]),
        (SHELF, b"", FAILED, 503, &["cost: 1", "twice: head", "twice: end"]),
        (watch, b"", FAILED, 503, &["cost: 1", "twice: head", "twice: end"]),
        (list, b"", FAILED, 503, &["cost: 1", "twice: head", "twice: end"]),
        // What came is not valid.
        (SHELF, &bad, OK, 500, &["twice: head"]),
        (watch, &bad, OK, 500, &["twice: head"]),
        (list, &long, OK, 500, &["twice: head"]),
        (SHELF, &bad, &[("grpc-status", b"0"), ("cost", b"1")], 500, &["cost: 1", "twice: head"]),
        (SHELF, b"\x02\0\0\0\0", OK, 500, &["twice: head"]),
        (SHELF, b"", OK, 500, &["twice: head"]),
        (SHELF, b"", &[], 500, &["twice: head"]),
        (SHELF, b"\0\xff\xff\xff\xff", OK, 500, &["twice: head"]),
    ];
    for (path, data, trailers, status, wanted) in rows {
        for stream in [false, true] {
            let mut sent = grpc(data, trailers);
            sent.headers_mut().extend(map(HEAD));
            let change = |builder: TranscoderBuilder| {
                let builder = builder.response_header(http::header::RETRY_AFTER);
                if stream { builder.stream_lists(100_000) } else { builder }
            };
            let (text, headers, _) = through_with(path, Ok(sent), change).await;
            assert!(text.starts_with(&status.to_string()), "{path} {data:?} {text}");
            assert_eq!(headers["retry-after"], "3", "{path} {data:?}");
            assert_eq!(headers["grpc-metadata-served-by"], "desk");
            let told = headers.iter().filter_map(|(name, value)| {
                let name =
                    name.as_str().strip_prefix("grpc-metadata-").filter(|name| *name != "served-by")?;
                Some(format!("{name}: {}", value.to_str().unwrap()))
            });
            let mut told: Vec<String> = told.collect();
            // Values of one name stay in their order.
            told.sort_by(|one, other| one.split(':').next().cmp(&other.split(':').next()));
            assert_eq!(told, *wanted, "{path} {data:?}");
        }
    }

    // Of a call that ran out of time, and of an answer that is not gRPC's: of the latter nothing but what is listed.
    let mut sent =
        Response::builder().header("content-type", "application/grpc").body(Body::new(Silent)).unwrap();
    sent.headers_mut().extend(map(HEAD));
    let short = |builder: TranscoderBuilder| {
        builder.response_header(http::header::RETRY_AFTER).timeout(std::time::Duration::from_millis(20))
    };
    let (text, headers, _) = through_with(SHELF, Ok(sent), short).await;
    assert!(text.starts_with("504 "), "{text}");
    assert_eq!(
        (&headers["retry-after"], &headers["grpc-metadata-twice"]),
        (&"3".parse().unwrap(), &"head".parse().unwrap())
    );
    let mut sent = Response::builder().status(503).body(Body::full("busy")).unwrap();
    sent.headers_mut().extend(map(HEAD));
    let (text, headers, _) = through_with(SHELF, Ok(sent), short).await;
    assert!(text.starts_with("503 "), "{text}");
    assert_eq!(headers["retry-after"], "3");
    assert!(!headers.contains_key("grpc-metadata-served-by"));
}

#[tokio::test]
async fn messages() {
    let cover = framed(b"\x0a\x15image/png\r\nset-cookie");
    let two = [framed(b""), framed(b"")].concat();
    let rows: &[(&str, &[u8], &str)] = &[
        (
            SHELF,
            &framed(b"\x0a\x09a"),
            "the response: library.v1.Shelf.name: length of 9 bytes, but only 1 bytes are left (at byte 2)",
        ),
        (SHELF, b"", "the service sent no message"),
        (SHELF, &two, "the service sent more than one message"),
        (SHELF, b"\x02\0\0\0\0", "a frame has the flag 2"),
        (SHELF, b"HTTP/1.1 200 OK\r\n\r\n", "a frame has the flag 72"),
        (
            SHELF,
            b"\0\xff\xff\xff\xff",
            "a message of 4294967295 bytes is longer than the limit of 1000 bytes",
        ),
        (SHELF, b"\0\0\0\0\x05ab", "the stream ends inside a frame"),
        (SHELF, b"\x01\0\0\0\x01a", "the response has an unknown compression"),
        (
            "/v1/shelves/1/books/2/cover",
            &cover,
            r#"the response has the content type "image/png\r\nset-cookie""#,
        ),
    ];
    for (path, data, detail) in rows {
        let (text, headers, details) = through(path, Ok(grpc(data, OK))).await;
        assert_eq!((text.as_str(), details), (NOT_VALID, vec![detail.to_string()]));
        assert_eq!(headers["content-type"], "application/json");
    }
    let mut page = Response::new(Body::full("<h1>10.0.0.7 is down</h1>"));
    page.headers_mut().insert("content-type", HeaderValue::from_static("text/html"));
    let wanted = r#"500 {"code":2,"message":"the service answered with HTTP status 200 OK, not with gRPC","details":[]}"#;
    assert_eq!(through(SHELF, Ok(page)).await.0, wanted);
}

#[cfg(feature = "gzip")]
#[tokio::test]
async fn messages_that_are_compressed() {
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let compressed = |bytes: &[u8]| {
        let mut frame = framed(bytes);
        frame[0] = 1;
        let mut response = grpc(&frame, OK);
        response.headers_mut().insert("grpc-encoding", HeaderValue::from_static("gzip"));
        response
    };
    let (text, _, _) = through(SHELF, Ok(compressed(&gzip(b"\x0a\x01a")))).await;
    assert_eq!(text, r#"200 {"name":"a"}"#);
    // Small as it comes, too large as it is meant.
    let bomb = gzip(&vec![0; 300_000]);
    assert!(bomb.len() < 1000);
    let rows = [
        (bomb, "the response: the body is longer than the limit of 1000 bytes"),
        (b"this is not gzip".to_vec(), "the response: the compressed body is malformed: invalid gzip header"),
    ];
    for (bytes, detail) in rows {
        let (text, _, details) = through(SHELF, Ok(compressed(&bytes))).await;
        assert_eq!((text.as_str(), details), (NOT_VALID, vec![detail.to_owned()]));
    }
}

/// A body that breaks off.
struct Broken;

impl http_body::Body for Broken {
    type Data = Bytes;
    type Error = Unreachable;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Unreachable>>> {
        Poll::Ready(Some(Err(Unreachable(io::Error::other("stream reset by 10.0.0.7\nat once")))))
    }
}

/// A body that never comes.
struct Silent;

impl http_body::Body for Silent {
    type Data = Bytes;
    type Error = Unreachable;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Unreachable>>> {
        Poll::Pending
    }
}

#[tokio::test]
async fn connections() {
    let refused = Unreachable(io::Error::other("10.0.0.7:50051 refused"));
    let (text, _, details) = through(SHELF, Err(refused)).await;
    assert_eq!(text, r#"503 {"code":14,"message":"the service cannot be reached","details":[]}"#);
    assert_eq!(details, ["transport error: 10.0.0.7:50051 refused"]);

    let broken = || {
        let response = Response::builder().header("content-type", "application/grpc");
        Ok(response.body(Body::new(Broken)).unwrap())
    };
    let wanted = r#"503 {"code":14,"message":"the response of the service broke off","details":[]}"#;
    let (text, _, details) = through(SHELF, broken()).await;
    assert_eq!(text, wanted);
    assert_eq!(details, ["transport error: stream reset by 10.0.0.7\nat once"]);
    let (text, _, details) = through("/v1/shelves/1/books:watch", broken()).await;
    assert_eq!((text.as_str(), details.len()), (wanted, 1));
}

/// A call that fails is a line in the log, whatever others wrote into it.
#[tokio::test]
async fn details_are_a_line_in_the_log() {
    let broken =
        || Response::builder().header("content-type", "application/grpc").body(Body::new(Broken)).unwrap();
    // Whether a line is ever logged is asked when it is reached for the first time: not while another test reaches it.
    through(SHELF, Ok(broken())).await;
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&log);
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false);
    let subscriber = subscriber.with_writer(move || Written(Arc::clone(&writer))).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    through(SHELF, Ok(broken())).await;
    // Not of what was wrong with a request.
    through("/v1/shelves/1?x=y", Ok(Response::default())).await;
    drop(guard);
    let text = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    let wanted =
        r#": a call failed code=Unavailable detail="transport error: stream reset by 10.0.0.7\nat once""#;
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with(" WARN transcode{") && text.trim_end().ends_with(wanted), "{text}");
}
