//! Responses of one message with a long list, whose text is made as it comes.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::{Body as _, Frame};
use http_body_util::BodyExt;
use tobu_transcode::{Body, BoxError, TranscodeOptions, Transcoder, TranscoderBuilder, frame_header};
use tower::{Layer, ServiceExt};

use super::serve::{Server, read_until};
use super::upstream::Details;

const BOOKS: &str = "/v1/shelves/1/books";
/// The same with the list alone as the body.
const TITLES: &str = "/v1/shelves/1/titles";
const BROKEN: &str = "the response of the service is not valid";

/// What a service behind sends, piece by piece, and how many of them it was asked for.
struct Upstream {
    pieces: VecDeque<Result<Frame<Bytes>, BoxError>>,
    asked: Arc<AtomicUsize>,
    /// There is no end.
    waits: bool,
}

impl http_body::Body for Upstream {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        match self.pieces.pop_front() {
            None if self.waits => Poll::Pending,
            piece => Poll::Ready(piece),
        }
    }
}

impl Upstream {
    /// These bytes in pieces of so many, and trailers.
    fn new(bytes: &[u8], size: usize, status: &'static str) -> Self {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from_static(status));
        trailers.insert("cost", HeaderValue::from_static("3"));
        let pieces = bytes.chunks(size).map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece))));
        let pieces = pieces.chain([Ok(Frame::trailers(trailers))]).collect();
        Upstream { pieces, asked: Arc::default(), waits: false }
    }

    fn cut(mut self, by: usize) -> Self {
        self.pieces.truncate(self.pieces.len() - by);
        self
    }

    fn then(mut self, piece: Result<&'static [u8], &str>) -> Self {
        let trailers = self.pieces.pop_back();
        self.pieces.push_back(piece.map(|bytes| Frame::data(Bytes::from_static(bytes))).map_err(Into::into));
        self.pieces.extend(trailers);
        self
    }
}

/// Streams lists of up to a MiB.
fn streaming(builder: TranscoderBuilder) -> TranscoderBuilder {
    builder.stream_lists(1 << 20)
}

/// What a client gets, and what it is not told.
async fn through(
    request: http::request::Builder,
    upstream: Upstream,
    change: impl FnOnce(TranscoderBuilder) -> TranscoderBuilder,
) -> (Response<Body>, Arc<Mutex<Vec<String>>>) {
    let details = Arc::new(Mutex::new(Vec::new()));
    let builder = Transcoder::builder()
        .pool(&tobu_transcode_schemas::pool())
        .service("library.v1.Library")
        .observer(Details(Arc::clone(&details)));
    let upstream = Arc::new(Mutex::new(Some(upstream)));
    let service = change(builder).build().unwrap().layer(tower::service_fn(move |_: Request<Body>| {
        let response = Response::builder().header("content-type", "application/grpc");
        let response = response.header("grpc-encoding", "gzip").header("served-by", "desk");
        std::future::ready(Ok::<_, Infallible>(
            response.body(upstream.lock().unwrap().take().unwrap()).unwrap(),
        ))
    }));
    (service.oneshot(request.body(Body::empty()).unwrap()).await.unwrap(), details)
}

fn framed(message: &[u8]) -> Vec<u8> {
    [&frame_header(message.len()).unwrap()[..], message].concat()
}

/// A message of so many books with what is around them.
fn books(count: usize) -> Vec<u8> {
    let books: Vec<String> = (0..count)
        .map(|at| {
            format!(
                r#"{{"name":"shelves/1/books/{at}","title":"Der {at}. \"Übergang\"","author":{{"fullName":"A","birthYear":{at}}},"tags":["a","","{at}"],"copies":{{"k{at}":1}}}}"#
            )
        })
        .collect();
    let json = format!(r#"{{"books":[{}],"nextPageToken":"next"}}"#, books.join(","));
    let descriptor = tobu_transcode_schemas::pool().message("library.v1.ListBooksResponse").unwrap();
    let mut wire = Vec::new();
    tobu::convert::json_to_wire(&descriptor, json.as_bytes(), &mut wire).unwrap();
    wire
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn the_text_is_that_of_the_whole() {
    let message = books(1500);
    assert!(message.len() > 64 << 10);
    let options: [fn() -> TranscodeOptions; 4] = [
        || TranscodeOptions::new().fields(true),
        || TranscodeOptions::grpc_gateway().fields(true),
        || TranscodeOptions::new().response_json(tobu::json::Options::new().pretty(true)).fields(true),
        || {
            TranscodeOptions::new()
                .response_json(tobu::json::Options::new().proto_field_names(true).deterministic(true))
                .fields(true)
        },
    ];
    let mut is_stream = Vec::new();
    for options in options {
        for (path, part) in
            [(BOOKS, "?$fields=books.title,nextPageToken"), (TITLES, "?$fields=title,author.birth_year")]
        {
            for query in ["", part, "?$fields=*"] {
                let get = || Request::get(format!("{path}{query}"));
                let upstream = |size| Upstream::new(&framed(&message), size, "0");
                let (whole, _) = through(get(), upstream(4096), |builder| builder.options(options())).await;
                let wanted = text(whole).await;
                for size in [999, 1 << 20] {
                    let (response, details) =
                        through(get(), upstream(size), |builder| streaming(builder).options(options())).await;
                    assert_eq!(response.status(), 200);
                    assert_eq!(response.headers()["content-type"], "application/json");
                    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
                    assert_eq!(response.headers()["grpc-metadata-served-by"], "desk");
                    is_stream.push(response.body().size_hint().exact().is_none());
                    assert!(text(response).await == wanted, "{path}{query} by {size}");
                    assert_eq!(*details.lock().unwrap(), [""; 0]);
                }
            }
        }
    }
    // Titles alone are short.
    let streams = is_stream.iter().filter(|is_stream| **is_stream).count();
    assert_eq!((streams, is_stream.len()), (42, 48));
}

/// What is short is answered as ever: with its length, compressed, with the metadata of its end, and errors as a status.
#[tokio::test]
async fn short_ones_are_whole() {
    let rows: [(&str, Vec<u8>, &str); 4] = [
        (BOOKS, framed(&books(3)), "three books"),
        // Long as it comes, short as JSON: the rest is nothing that is known.
        (BOOKS, framed(&[&books(3)[..], b"\xa2\x06\x80\x80\x0c", &[0; 3 << 16]].concat()), "three books"),
        (TITLES, framed(&[b"\x12\x80\x80\x0c", &[b'x'; 3 << 16][..]].concat()), "[]"),
        ("/v1/shelves/1", framed(&[b"\x0a\x80\x80\x0c", &[b'x'; 3 << 16][..]].concat()), "no list"),
    ];
    for (path, bytes, what) in rows {
        let get = || Request::get(path).header("accept-encoding", "gzip");
        let (whole, _) = through(get(), Upstream::new(&bytes, 9999, "0"), |builder| builder).await;
        let (response, _) = through(get(), Upstream::new(&bytes, 9999, "0"), streaming).await;
        assert_eq!(response.headers(), whole.headers(), "{what}");
        assert_eq!(response.headers()["grpc-metadata-cost"], "3");
        assert_eq!(response.body().size_hint().exact(), whole.body().size_hint().exact());
        let bytes =
            |response: Response<Body>| async { response.into_body().collect().await.unwrap().to_bytes() };
        assert_eq!(bytes(response).await, bytes(whole).await, "{what}");
    }
    let garbled = framed(&[&b"\x0a\x00\x0a\x00\x0a\x03\x12\x09\xff"[..], &[0x12; 1 << 17]].concat());
    let (response, details) =
        through(Request::get(BOOKS), Upstream::new(&garbled, 999, "0"), streaming).await;
    assert_eq!(response.status(), 500);
    assert_eq!(text(response).await, format!(r#"{{"code":13,"message":"{BROKEN}","details":[]}}"#));
    let wanted = "the response: library.v1.ListBooksResponse.books[2].title: length of 9 bytes, but only 1 bytes are left (at byte ";
    assert!(details.lock().unwrap()[0].starts_with(wanted), "{details:?}");
}

/// What goes wrong when the status line is sent: the body is an error, and what came of it is no JSON.
#[tokio::test]
async fn failures_break_off() {
    let whole = framed(&books(1500));
    let upstream = || Upstream::new(&whole, 4096, "0");
    let mut garbled = whole.clone();
    let middle = garbled.len() - 20_000;
    garbled[middle..middle + 64].fill(0xff);
    let again = framed(&[&books(1500)[..], &books(1)].concat());
    let not_valid = |detail: &str| (BROKEN.to_owned(), Some(detail.to_owned()));
    #[rustfmt::skip]
    let rows = [
        ("garbled", Upstream::new(&garbled, 4096, "0"), not_valid("the response: library.v1.ListBooksResponse")),
        ("failed at its end", Upstream::new(&whole, 4096, "14"), (String::new(), None)),
        ("two messages", upstream().then(Ok(b"\0\0\0\0\0")), not_valid("the service sent more than one message")),
        ("cut", upstream().cut(3), not_valid("the stream ends inside a frame")),
        ("without a status", upstream().cut(1), ("the response of the service ends without a status".to_owned(), None)),
        ("broken", upstream().cut(3).then(Err("reset by 10.0.0.7")),
         ("the response of the service broke off".to_owned(), Some("reset by 10.0.0.7".to_owned()))),
        ("again", Upstream::new(&again, 4096, "0"),
         not_valid("the response: library.v1.ListBooksResponse.books: the field comes again after other fields, but it is already converted (at byte ")),
    ];
    for (what, upstream, (public, detail)) in rows {
        let (response, details) = through(Request::get(BOOKS), upstream, streaming).await;
        assert_eq!(response.status(), 200, "{what}");
        let (mut body, mut came) = (response.into_body(), Vec::new());
        let error = loop {
            match body.frame().await {
                Some(Ok(frame)) => came.extend_from_slice(&frame.into_data().unwrap()),
                Some(Err(error)) => break error,
                None => panic!("{what}: an end that looks well"),
            }
        };
        assert_eq!(error.to_string(), public, "{what}");
        let descriptor = tobu_transcode_schemas::pool().message("library.v1.ListBooksResponse").unwrap();
        let read = tobu::convert::json_to_wire(&descriptor, &came, &mut Vec::new());
        assert!(came.starts_with(br#"{"books":[{"#) && read.is_err(), "{what}");
        assert!(body.frame().await.is_none());
        let details = details.lock().unwrap();
        assert_eq!(details.len(), usize::from(detail.is_some()), "{what}: {details:?}");
        assert!(
            details.iter().zip(detail).all(|(got, wanted)| got.starts_with(&wanted)),
            "{what}: {details:?}"
        );
    }
}

#[tokio::test]
async fn limits() {
    let not_valid = format!(r#"500 {{"code":13,"message":"{BROKEN}","details":[]}}"#);
    let told = async |upstream: Upstream, change: fn(TranscoderBuilder) -> TranscoderBuilder| {
        let (response, details) = through(Request::get(BOOKS), upstream, change).await;
        let answer = format!("{} {}", response.status().as_u16(), text(response).await);
        (answer, details.lock().unwrap().clone())
    };
    // More than a message may have.
    let long = b"\0\0\x20\0\0\x0a\x06";
    let detail = "a message of 2097152 bytes is longer than the limit of 1048576 bytes".to_owned();
    assert_eq!(told(Upstream::new(long, 9, "0"), streaming).await, (not_valid.clone(), vec![detail]));
    // More than may be held: an element, and another field.
    let small: fn(TranscoderBuilder) -> TranscoderBuilder = |builder| streaming(builder).max_response(1000);
    let rows = [
        (
            &b"\x0a\xe9\x07"[..],
            "books[0]: input of 1001 bytes is larger than the limit of 1000 bytes (at byte 0)",
        ),
        (
            b"\x12\xe9\x07",
            "next_page_token: input of 1001 bytes is larger than the limit of 1000 bytes (at byte 0)",
        ),
    ];
    for (field, detail) in rows {
        let message = [field, &[b'x'; 100_000]].concat();
        let detail = format!("the response: library.v1.ListBooksResponse.{detail}");
        let told = told(Upstream::new(&framed(&message), 99, "0"), small).await;
        assert_eq!(told, (not_valid.clone(), vec![detail]));
    }
    // Many small ones may be more than that, and those of other responses not.
    let (answer, _) = told(Upstream::new(&framed(&books(1500)), 999, "0"), small).await;
    assert!(answer.starts_with(r#"200 {"books":[{"#) && answer.ends_with(r#""}"#), "{}", answer.len());
}

#[cfg(feature = "gzip")]
#[tokio::test]
async fn messages_that_are_compressed() {
    use std::io::Write;
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        let mut frame = framed(&encoder.finish().unwrap());
        frame[0] = 1;
        frame
    };
    for count in [1, 1500] {
        let message = books(count);
        let get = || Request::get(BOOKS);
        let (whole, _) = through(get(), Upstream::new(&framed(&message), 999, "0"), |builder| builder).await;
        let wanted = text(whole).await;
        for size in [1, 999, 1 << 20] {
            let (response, _) = through(get(), Upstream::new(&gzip(&message), size, "0"), streaming).await;
            assert_eq!(response.headers().contains_key("grpc-metadata-cost"), count == 1);
            assert!(text(response).await == wanted, "{count} by {size}");
        }
    }
    // A bomb of 2 MiB, in what is passed over, and one in elements.
    let bombs = [[b"\xa2\x06\x80\x80\x80\x01", &[0; 1 << 21][..]].concat(), b"\x0a\x00".repeat(1 << 20)];
    for (bomb, status) in bombs.iter().zip([500, 200]) {
        let bomb = gzip(bomb);
        assert!(bomb.len() < 100_000);
        let (response, details) =
            through(Request::get(BOOKS), Upstream::new(&bomb, 999, "0"), streaming).await;
        assert_eq!(response.status(), status);
        assert_eq!(response.into_body().collect().await.is_err(), status == 200);
        let wanted = "the response: the body is longer than the limit of 1048576 bytes";
        assert_eq!(*details.lock().unwrap(), [wanted]);
    }
    let cut = gzip(&books(1500));
    let cut = [&frame_header(cut.len() - 15).unwrap()[..], &cut[5..cut.len() - 10]].concat();
    let cut = [&[1], &cut[1..]].concat();
    let (response, details) = through(Request::get(BOOKS), Upstream::new(&cut, 999, "0"), streaming).await;
    assert!(response.into_body().collect().await.is_err());
    assert!(details.lock().unwrap()[0].starts_with("the response: the compressed body is malformed"));
}

/// The service is asked for no more than a client reads.
#[tokio::test]
async fn a_client_that_reads_slowly_holds_the_service_back() {
    let whole = framed(&books(5000));
    let upstream = Upstream::new(&whole, 1000, "0");
    let (asked, all) = (Arc::clone(&upstream.asked), upstream.pieces.len());
    let (response, _) = through(Request::get(BOOKS), upstream, streaming).await;
    // Pieces of 64 KiB of text; a book is longer as JSON.
    let mut body = response.into_body();
    let mut before = asked.load(Ordering::SeqCst);
    assert!(before < 66, "{before} of {all} for the first piece");
    while let Some(frame) = body.frame().await {
        let len = frame.unwrap().into_data().unwrap().len();
        let now = asked.load(Ordering::SeqCst);
        assert!(len < 80_000 && now - before < 66, "{} pieces for {len} bytes", now - before);
        before = now;
    }
    assert_eq!(before, all);
}

#[tokio::test]
async fn deadlines_and_heads() {
    let whole = framed(&books(1500));
    let mut upstream = Upstream::new(&whole, 4096, "0").cut(2);
    upstream.waits = true;
    let timeout: fn(TranscoderBuilder) -> TranscoderBuilder =
        |builder| streaming(builder).timeout(Duration::from_millis(500));
    let (response, _) = through(Request::get(BOOKS), upstream, timeout).await;
    let error = response.into_body().collect().await.unwrap_err();
    assert_eq!(error.to_string(), "the deadline of the call has passed");

    let upstream = Upstream::new(&whole, 4096, "0");
    let (response, _) = through(Request::head(BOOKS), upstream, streaming).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!((response.status().as_u16(), text(response).await.as_str()), (200, ""));
}

/// What clients see on a connection.
#[tokio::test]
async fn over_http() {
    let server = Server::with(streaming).await;
    let plain = Server::start().await;
    for path in ["GET /v1/shelves/long/books", "GET /v1/shelves/long/titles"] {
        let (answer, wanted) = (server.ask(path, "").await, plain.ask(path, "").await);
        assert!(answer.body.len() > 100_000 && answer.body == wanted.body);
        assert_eq!((answer.header("transfer-encoding"), answer.header("content-length")), ("chunked", ""));
    }
    let request = b"GET /v1/shelves/longcut/books HTTP/1.1\r\nhost: a\r\n\r\n";
    let text = read_until(&mut server.raw(request).await, "\r\n0\r\n\r\n").await;
    // As much of it as was written by then.
    assert!(text.is_empty() || text.starts_with("HTTP/1.1 200 OK\r\n"), "{}", &text[..99]);
    assert!(!text.contains("\r\n0\r\n\r\n"), "the end looks well");
    assert_eq!(
        server.endings(3).await,
        [
            "GET /v1/{parent=shelves/*}/books Ok",
            "GET /v1/{parent=shelves/*}/titles Ok",
            "GET /v1/{parent=shelves/*}/books Unknown"
        ]
    );
}
