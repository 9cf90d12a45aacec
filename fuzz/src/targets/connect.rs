//! Calls by Connect, whole and in chunks: framing, compression, JSON and queries.

use crate::counting;
use crate::rng::Rng;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::{Body as _, Frame};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::task::{Context, Poll};
use tobu_transcode::{Body, Transcoder};
use tower_layer::Layer;
use tower_service::Service;

/// The most that a message may become.
const LIMIT: usize = 64 << 10;

static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| {
    let pool = tobu_transcode_schemas::pool();
    Transcoder::builder()
        .pool(&pool)
        .service("library.v1.Library")
        .max_body(LIMIT)
        .build()
        .expect("valid rules")
});

thread_local! {
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
}

/// A gRPC service that gives back what it is sent.
#[derive(Clone)]
struct Echo;

impl Service<Request<Body>> for Echo {
    type Response = Response<Pieces>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Pieces>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut body = pin!(request.into_body());
            let (mut sent, mut status) = (BytesMut::new(), "0");
            while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
                match frame.map(Frame::into_data) {
                    Ok(Ok(data)) => sent.extend_from_slice(&data),
                    _ => status = "13",
                }
            }
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", http::HeaderValue::from_static(status));
            let response = Response::builder().header("content-type", "application/grpc");
            let body = Pieces(vec![sent.freeze()].into_iter(), Some(trailers));
            Ok(response.body(body).expect("a response"))
        })
    }
}

/// A body of chunks, and trailers.
struct Pieces(std::vec::IntoIter<Bytes>, Option<HeaderMap>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.0.next().map(Frame::data);
        Poll::Ready(piece.or_else(|| self.1.take().map(Frame::trailers)).map(Ok))
    }
}

/// A call, as the first byte of an input chooses it.
#[derive(Clone, Copy)]
struct Choice(u8);

impl Choice {
    fn method(self) -> &'static str {
        ["GetShelf", "GetShelf", "WatchBooks", "Sort"][usize::from(self.0 & 3)]
    }

    fn is_get(self) -> bool {
        self.0 & 3 == 1
    }

    fn is_stream(self) -> bool {
        self.0 & 2 != 0
    }

    fn is_json(self) -> bool {
        self.0 & 4 != 0
    }

    /// The request; none if the input is no query.
    fn request(self, bytes: &[u8], size: usize) -> Option<Request<Pieces>> {
        let path = format!("/library.v1.Library/{}", self.method());
        let codec = if self.is_json() { "json" } else { "proto" };
        if self.is_get() {
            let query = std::str::from_utf8(bytes).ok()?;
            let uri = format!("{path}?connect=v1&{query}");
            return Request::get(uri).body(Pieces(vec![].into_iter(), None)).ok();
        }
        let (kind, encoding) = match self.is_stream() {
            true => ("application/connect+", "connect-content-encoding"),
            false => ("application/", "content-encoding"),
        };
        let mut request = Request::post(path).header("content-type", format!("{kind}{codec}"));
        if self.0 & 8 != 0 {
            request = request.header(encoding, "gzip");
        }
        let pieces: Vec<Bytes> = bytes.chunks(size).map(Bytes::copy_from_slice).collect();
        request.body(Pieces(pieces.into_iter(), None)).ok()
    }
}

/// What a request is answered with.
fn ask(request: Request<Pieces>) -> (StatusCode, Vec<u8>) {
    let response = TRANSCODER.layer(Echo).call(request);
    RUNTIME.with(|runtime| {
        runtime.block_on(async {
            let response = response.await.unwrap_or_else(|never| match never {});
            let (head, body) = response.into_parts();
            let (mut body, mut out) = (pin!(body), Vec::new());
            while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
                out.extend_from_slice(frame.expect("no break").data_ref().map_or(&[][..], |data| data));
            }
            (head.status, out)
        })
    })
}

/// Every call is answered to its end, the same in chunks of any size: a stream by envelopes of which the last, and no other, is the
/// end, and an error by JSON.
pub(super) fn connect(data: &[u8]) {
    let Some((&[kind, size], bytes)) = data.split_first_chunk() else { return };
    let (choice, size) = (Choice(kind), usize::from(size).max(1));
    LazyLock::force(&TRANSCODER);
    let Some(request) = choice.request(bytes, size) else { return };
    let (held, (status, body)) = counting::peak(|| ask(request));
    let most = (1 << 20) + 64 * bytes.len() + 8 * LIMIT;
    assert!(held <= most, "{held} bytes for a body of {}", bytes.len());
    let whole = choice.request(bytes, bytes.len().max(1)).map(ask);
    // A stream that is refused in its middle may or may not have answered what came before.
    if !choice.is_stream() {
        assert_eq!(whole.map(|(status, _)| status), Some(status), "another status in one piece");
    }
    if choice.is_stream() {
        assert_eq!(status, StatusCode::OK);
        envelopes(&body, choice.is_json());
        return;
    }
    match status {
        StatusCode::OK if choice.is_get() || !choice.is_json() => {}
        StatusCode::OK => object(&body),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => assert!(choice.is_get()),
        StatusCode::BAD_REQUEST
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::NOT_IMPLEMENTED
        | StatusCode::INTERNAL_SERVER_ERROR => object(&body),
        status => panic!("the status is {status}"),
    }
}

fn object(text: &[u8]) {
    let value = serde_json::from_slice::<serde_json::Value>(text);
    assert!(value.is_ok_and(|value| value.is_object()), "{}", text.escape_ascii());
}

fn envelopes(mut body: &[u8], is_json: bool) {
    loop {
        let (head, rest) = body.split_first_chunk::<5>().expect("an envelope");
        let len = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let (content, rest) = rest.split_at(len);
        match head[0] {
            2 => {
                object(content);
                assert!(rest.is_empty(), "an envelope after the end");
                return;
            }
            0 if is_json => object(content),
            0 | 1 => {}
            flags => panic!("the flags are {flags}"),
        }
        body = rest;
    }
}

/// A body, envelopes or a query, as clients write them.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let kind = rng.next() as u8;
    let choice = Choice(kind);
    let mut seed = vec![kind, rng.next() as u8];
    let message = |rng: &mut Rng| -> Vec<u8> {
        let json = [r#"{"name":"shelves/1"}"#, r#"{"title":"Dune","tags":["a"]}"#, "{}", r#"{"new":[1,{}]}"#];
        let message = match choice.is_json() {
            true => rng.pick(&json).as_bytes().to_vec(),
            false => rng.pick(&[&b"\x0a\x09shelves/1"[..], b"\x12\x04Dune\x20\x9c\x03", b""]).to_vec(),
        };
        if kind & 8 == 0 {
            return message;
        }
        let mut out = Vec::new();
        let mut encoder = flate2::bufread::GzEncoder::new(&*message, flate2::Compression::fast());
        std::io::Read::read_to_end(&mut encoder, &mut out).expect("memory has no errors");
        out
    };
    if choice.is_get() {
        let queries = [
            "encoding=json&message=%7B%22name%22%3A%22a%22%7D",
            "encoding=proto&base64=1&message=CgE",
            "message=%7B%7D&encoding=json&compression=identity&x=y",
            "compression=gzip&encoding=json&base64=1&message=H4sI",
        ];
        seed.extend(rng.pick(&queries).bytes());
    } else if choice.is_stream() {
        for _ in 0..rng.below(4) {
            let message = message(rng);
            seed.push(u8::from(kind & 8 != 0));
            seed.extend((message.len() as u32).to_be_bytes());
            seed.extend(message);
        }
    } else {
        seed.extend(message(rng));
    }
    seed
}
