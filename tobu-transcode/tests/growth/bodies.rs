//! Compressed bodies as the service takes them, whole and as a stream, in one chunk and byte by byte.

use std::convert::Infallible;
use std::future::{Ready, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::{Body as _, Frame};
use tobu_transcode::{Body, HttpRule, ServiceConfig, Transcoder};
use tower::{Layer, Service};

use crate::family::{Family, Outcome, Verb, prepare, refused, run, taken};

/// More than any family becomes.
const LIMIT: usize = 64 << 20;

static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| {
    let rule = |method: &str, path| HttpRule {
        selector: format!("shapes.Shapes.{method}"),
        ..HttpRule::new("POST", path).body("*")
    };
    let rules = vec![rule("Raw", "/whole"), rule("Upload", "/stream")];
    let config = ServiceConfig { rules, ..ServiceConfig::default() };
    let pool = tobu_transcode_schemas::pool();
    let builder = Transcoder::builder().pool(&pool).service("shapes.Shapes").config(config);
    builder.max_body(LIMIT).build().expect("valid rules")
});

/// A body of chunks.
struct Chunks(std::vec::IntoIter<Bytes>);

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.next().map(|piece| Ok(Frame::data(piece))))
    }
}

/// A gRPC service that reads what it is sent, and has no such method.
#[derive(Clone)]
struct Reads;

impl Service<Request<Body>> for Reads {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let mut body = pin!(request.into_body());
        let mut context = Context::from_waker(std::task::Waker::noop());
        // It never waits: all of it is there, though it lets others have their turn.
        while let Poll::Ready(Some(Ok(_))) | Poll::Pending = body.as_mut().poll_frame(&mut context) {}
        let response = Response::builder().header("content-type", "application/grpc");
        let response = response.header("grpc-status", "12");
        ready(Ok(response.body(Body::empty()).expect("a response")))
    }
}

/// The outcome of a request: whether it came to the service.
fn ask(path: &str, encoding: &str, body: &[u8], size: usize) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let chunks: Vec<Bytes> = body.chunks(size).map(Bytes::copy_from_slice).collect();
    let request = Request::post(path).header("content-encoding", encoding);
    let request = request.body(Chunks(chunks.into_iter())).expect("a request");
    let response = runtime.block_on(TRANSCODER.layer(Reads).call(request)).expect("it does not fail");
    let status = response.status();
    let mut body = pin!(response.into_body());
    let text = runtime.block_on(poll_fn(|cx| body.as_mut().poll_frame(cx)));
    match status {
        StatusCode::NOT_IMPLEMENTED => Ok(0),
        _ => Err(format!("{status}: {:?}", text.and_then(|frame| frame.ok()?.into_data().ok()))),
    }
}

/// The ways of a body in an encoding.
macro_rules! verbs {
    ($encoding:literal) => {
        &[
            Verb {
                name: concat!("a body in ", $encoding),
                prepare: |body| Some(Box::new(move || ask("/whole", $encoding, body, body.len().max(1)))),
            },
            Verb {
                name: concat!("a body in ", $encoding, ", byte by byte"),
                prepare: |body| Some(Box::new(move || ask("/whole", $encoding, body, 1))),
            },
            Verb {
                name: concat!("a stream in ", $encoding),
                prepare: |body| Some(Box::new(move || ask("/stream", $encoding, body, body.len().max(1)))),
            },
            Verb {
                name: concat!("a stream in ", $encoding, ", byte by byte"),
                prepare: |body| Some(Box::new(move || ask("/stream", $encoding, body, 1))),
            },
        ]
    };
}

const MALFORMED: &str = "the compressed body is malformed";

/// A frame with a window of a kilobyte, of such blocks: a type, a size, and their bytes; an empty one is the last.
fn frame(blocks: usize, kind: u32, size: u32, bytes: &[u8]) -> Vec<u8> {
    let block = [&(size << 3 | kind << 1).to_le_bytes()[..3], bytes].concat();
    [b"\x28\xb5\x2f\xfd\x00\x00", &block.repeat(blocks)[..], b"\x01\0\0"].concat()
}

const SKIPPED: &[u8] = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";

#[test]
fn zstd() {
    prepare(|| LazyLock::force(&TRANSCODER));
    const FAMILIES: &[Family] = &[
        taken("frames", 16, |n| frame(1, 0, 3, b"abc").repeat(n)),
        taken("empty frames", 16, |n| frame(0, 0, 0, b"").repeat(n)),
        taken("frames to be passed over", 16, |n| SKIPPED.repeat(n)),
        taken("blocks", 16, |n| frame(n, 0, 3, b"abc")),
        taken("empty blocks", 16, |n| frame(n, 0, 0, b"")),
        taken("one long block", 64, |n| frame(1, 0, n as u32, &b"a".repeat(n))),
        taken("repetitions", 16, |n| frame(n, 1, 1000, b"a")),
        refused("blocks, and then none", 16, |n| frame(n, 0, 3, b"abc")[..6 + 6 * n].to_vec(), MALFORMED),
        refused(
            "blocks, and then what is none",
            16,
            |n| [&frame(n, 0, 3, b"abc")[..6 + 6 * n], b"\xff\xff\xff"].concat(),
            MALFORMED,
        ),
        refused("no frame", 16, |n| b"a".repeat(n), MALFORMED),
    ];
    run(FAMILIES, verbs!("zstd"));
}

/// A member of gzip: of stored blocks, each with its length and the complement of that.
fn member(blocks: usize, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let content = bytes.repeat(blocks);
    let mut writer = flate2::GzBuilder::new().write(&mut out, flate2::Compression::none());
    std::io::Write::write_all(&mut writer, &content).expect("memory has no errors");
    writer.finish().expect("memory has no errors");
    out
}

#[test]
fn gzip() {
    prepare(|| LazyLock::force(&TRANSCODER));
    const FAMILIES: &[Family] = &[
        taken("members", 16, |n| member(1, b"abc").repeat(n)),
        taken("empty members", 16, |n| member(0, b"").repeat(n)),
        taken("a long member", 64, |n| member(n, b"abc")),
        taken("a member of a long name", 16, |n| {
            [b"\x1f\x8b\x08\x08\0\0\0\0\0\0", &b"n".repeat(n)[..], b"\0\x03\0\0\0\0\0\0\0\0\0"].concat()
        }),
        refused(
            "a member that does not end",
            64,
            |n| {
                let whole = member(n, b"abc");
                whole[..whole.len() - 9].to_vec()
            },
            MALFORMED,
        ),
        refused("no member", 16, |n| b"a".repeat(n), MALFORMED),
    ];
    run(FAMILIES, verbs!("gzip"));
}
