//! Compressed bodies, as the service for HTTP takes them.

use crate::counting;
use crate::rng::Rng;
use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::{Body as _, Frame};
use std::cell::RefCell;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io::Read;
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::task::{Context, Poll};
use tobu::wire::Reader;
use tobu_transcode::{Body, FrameDecoder, ServiceConfig, Transcoder, frame_header};
use tower_layer::Layer;
use tower_service::Service;

/// The most that a body may become.
const LIMIT: usize = 256 << 10;

/// A window of 8 MiB, which is kept twice while it is moved, and what a block becomes.
const WINDOW: usize = 24 << 20;

/// Each method takes raw bytes: whole, or as a stream.
static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| {
    let rules = "
http:
  rules:
  - selector: shapes.Shapes.Raw
    post: /whole
    body: '*'
  - selector: shapes.Shapes.Upload
    post: /stream
    body: '*'
";
    let pool = tobu_transcode_schemas::pool();
    let config = ServiceConfig::from_yaml(rules).expect("rules");
    let builder = Transcoder::builder().pool(&pool).service("shapes.Shapes").config(config);
    builder.max_body(LIMIT).build().expect("valid rules")
});

thread_local! {
    /// What came to [`Backend`] in the last call; `None` if there was no call.
    static RECEIVED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
}

/// A gRPC service that keeps the bytes that it is sent, and answers with an empty message.
#[derive(Clone)]
struct Backend;

impl Service<Request<Body>> for Backend {
    type Response = Response<Pieces>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Pieces>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(async move {
            RECEIVED.set(Some(Vec::new()));
            let mut body = pin!(request.into_body());
            let mut frames = FrameDecoder::new(2 * LIMIT);
            let mut status = "0";
            while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
                match frame.map(Frame::into_data) {
                    Ok(Ok(data)) => frames.push(data),
                    _ => status = "13",
                }
                while let Some(frame) = frames.next_frame().expect("well-formed frames") {
                    RECEIVED.with_borrow_mut(|bytes| take(&frame.message, bytes.as_mut().expect("a call")));
                }
            }
            let empty = Bytes::copy_from_slice(&frame_header(0).expect("an empty message"));
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", http::HeaderValue::from_static(status));
            let response = Response::builder().header("content-type", "application/grpc");
            Ok(response.body(Pieces::new([empty], Some(trailers))).expect("a response"))
        })
    }
}

/// Adds the `data` of a `google.api.HttpBody`; what is beyond a body that is taken whole is not kept.
fn take(message: &[u8], out: &mut Vec<u8>) {
    let mut reader = Reader::new(message);
    while !reader.is_empty() {
        let tag = reader.tag().expect("a well-formed message");
        match tag.number() {
            2 => {
                let data = reader.len_prefixed().expect("bytes");
                out.extend(&data[..data.len().min(LIMIT + 1 - out.len())]);
            }
            _ => reader.skip(tag, 1).map(drop).expect("a field"),
        }
    }
}

/// A body of chunks, and trailers.
struct Pieces(std::vec::IntoIter<Bytes>, Option<HeaderMap>);

impl Pieces {
    fn new(pieces: impl IntoIterator<Item = Bytes>, trailers: Option<HeaderMap>) -> Self {
        Pieces(pieces.into_iter().collect::<Vec<_>>().into_iter(), trailers)
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.0.next().map(Frame::data);
        let frame = piece.or_else(|| self.1.take().map(Frame::trailers));
        Poll::Ready(frame.map(Ok))
    }
}

/// How a body is compressed.
#[derive(Clone, Copy)]
enum Encoding {
    Zstd,
    Gzip,
}

impl Encoding {
    fn of(kind: u8) -> Self {
        if kind & 1 == 0 { Encoding::Zstd } else { Encoding::Gzip }
    }

    fn name(self) -> &'static str {
        match self {
            Encoding::Zstd => "zstd",
            Encoding::Gzip => "gzip",
        }
    }

    /// What the library of the encoding makes of a body that is known to be small.
    fn decompress(self, body: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Encoding::Zstd => {
                out.reserve(LIMIT + (128 << 10));
                ruzstd::decoding::FrameDecoder::new()
                    .decode_all_to_vec(body, &mut out)
                    .expect("it was accepted");
            }
            Encoding::Gzip => {
                flate2::bufread::MultiGzDecoder::new(body).read_to_end(&mut out).expect("it was accepted");
            }
        }
        out
    }
}

/// The status of a request, and what came to the service.
fn ask(path: &str, encoding: Encoding, body: &[u8], size: usize) -> (StatusCode, Option<Vec<u8>>) {
    RECEIVED.set(None);
    let pieces = body.chunks(size).map(Bytes::copy_from_slice);
    let request = Request::post(path).header("content-encoding", encoding.name());
    let request = request.body(Pieces::new(pieces, None)).expect("a request");
    let response = TRANSCODER.layer(Backend).call(request);
    let response = RUNTIME.with(|runtime| runtime.block_on(response)).unwrap_or_else(|never| match never {});
    (response.status(), RECEIVED.take())
}

/// A body becomes what the library of its encoding makes of it, in chunks of any size, or is refused without a call.
pub(super) fn body(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    let (encoding, size) = (Encoding::of(kind), usize::from(kind >> 1).max(1));
    LazyLock::force(&TRANSCODER);
    let (held, (status, received)) = counting::peak(|| ask("/whole", encoding, bytes, size));
    let most = WINDOW + 32 * bytes.len();
    assert!(held <= most, "{held} bytes for a body of {}", bytes.len());
    match status {
        StatusCode::OK => {
            let received = received.expect("a call");
            assert!(received.len() <= LIMIT, "{} bytes", received.len());
            if !bytes.is_empty() {
                assert!(received == encoding.decompress(bytes), "another content");
            }
            let (status, streamed) = ask("/stream", encoding, bytes, size);
            assert_eq!(status, StatusCode::OK, "only the whole body is accepted");
            assert!(streamed.expect("a call") == received, "another content as a stream");
        }
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => {
            assert_eq!(received, None, "a call before the body was read");
            let (held, (other, _)) = counting::peak(|| ask("/stream", encoding, bytes, size));
            assert!(held <= most, "{held} bytes for a body of {}, as a stream", bytes.len());
            if status == StatusCode::BAD_REQUEST {
                assert_eq!(other, status, "only the stream is accepted");
            }
        }
        status => panic!("the status is {status}"),
    }
}

/// What compressors write: of text, of the same byte, of nothing, in one frame or several.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let mut seed = vec![rng.next() as u8];
    for _ in 0..1 + rng.below(3) {
        let text = content(rng);
        seed.extend(match Encoding::of(seed[0]) {
            Encoding::Zstd => ruzstd::encoding::compress_to_vec(&*text, *rng.pick(&LEVELS)),
            Encoding::Gzip => {
                let level = flate2::Compression::new(rng.below(10) as u32);
                let mut out = Vec::new();
                flate2::bufread::GzEncoder::new(&*text, level)
                    .read_to_end(&mut out)
                    .expect("memory has no errors");
                out
            }
        });
        if rng.chance(6) {
            seed.extend(b"\x5a\x2a\x4d\x18\x03\0\0\0abc");
        }
    }
    seed
}

const LEVELS: [ruzstd::encoding::CompressionLevel; 2] =
    [ruzstd::encoding::CompressionLevel::Uncompressed, ruzstd::encoding::CompressionLevel::Fastest];

fn content(rng: &mut Rng) -> Vec<u8> {
    let most = *rng.pick(&[0, 10, 300, 3000]);
    match rng.below(3) {
        0 => vec![b'a'; rng.below(64 * most + 1)],
        1 => rng.bytes(most),
        _ => (0..rng.below(most + 1))
            .flat_map(|i| format!("{} of {}\n", i % 7, i * i % 97).into_bytes())
            .collect(),
    }
}
