//! What a list of any length takes that is converted as it comes.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::BodyExt;
use tobu_transcode::{Body, Transcoder};
use tower::{Layer, ServiceExt};

use super::counting;

/// The length of the message: its books are 16 KiB, with tag and length.
const LEN: usize = 64 << 20;
const BOOK: usize = 16 << 10;

/// A message of many books, made as it is read.
struct Books {
    /// What is still to come of it; nothing where its head is.
    left: Option<usize>,
}

impl http_body::Body for Books {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let (frame, left) = match self.left {
            None => {
                let head = [&[0][..], &(LEN as u32).to_be_bytes()].concat();
                (Frame::data(head.into()), LEN)
            }
            Some(0) => {
                let status = ("grpc-status".parse().unwrap(), HeaderValue::from_static("0"));
                (Frame::trailers(HeaderMap::from_iter([status])), 0)
            }
            Some(left) => {
                let mut book = vec![b'x'; BOOK];
                book[..8].copy_from_slice(b"\x0a\xfc\xff\x00\x12\xf8\xff\x00");
                (Frame::data(book.into()), left - BOOK)
            }
        };
        self.left = Some(left);
        Poll::Ready(Some(Ok(frame)))
    }
}

#[tokio::test]
async fn a_list_of_any_length_takes_the_memory_of_a_piece() {
    let transcoder = Transcoder::builder()
        .pool(&tobu_transcode_schemas::pool())
        .service("library.v1.Library")
        .stream_lists(LEN)
        .build()
        .unwrap();
    let service = transcoder.layer(tower::service_fn(|_: Request<Body>| {
        let response = Response::builder().header("content-type", "application/grpc");
        std::future::ready(Ok::<_, Infallible>(response.body(Books { left: None }).unwrap()))
    }));
    let request = || Request::get("/v1/shelves/1/books").body(Body::empty()).unwrap();
    let response = service.clone().oneshot(request()).await.unwrap();
    // All of it is read on this thread, which is the one that is counted.
    let runtime = tokio::runtime::Handle::current();
    let read = std::thread::spawn(move || {
        counting::peak(|| {
            runtime.block_on(async {
                let (mut body, mut len) = (response.into_body(), 0);
                while let Some(frame) = body.frame().await {
                    len += frame.unwrap().into_data().unwrap().len();
                }
                len
            })
        })
    });
    let (held, len) = read.join().unwrap();
    assert_eq!(len, r#"{"books":[]}"#.len() + (BOOK - 8 + r#"{"title":""},"#.len()) * (LEN / BOOK) - 1);
    assert!(held < 600_000, "{held} bytes were held");
}
