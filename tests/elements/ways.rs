//! The elements of a stream by an iterator and by a codec, from streams that give few bytes at a time.

use std::io::{self, Read};
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use tobu::Error;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::runtime::{Builder, Runtime};
use tokio_stream::StreamExt;
use tokio_util::codec::{Decoder, FramedRead};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().unwrap());

/// A stream that gives at most this many bytes at a time. As an asynchronous one it is ready every other time.
pub(crate) struct Slow<R> {
    inner: R,
    size: usize,
    ready: bool,
}

impl<R> Slow<R> {
    pub(crate) fn new(inner: R, size: usize) -> Self {
        Slow { inner, size, ready: true }
    }
}

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = buf.len().min(self.size);
        self.inner.read(&mut buf[..len])
    }
}

impl<R: Read + Unpin> AsyncRead for Slow<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.ready = !self.ready;
        if !self.ready {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let len = buf.remaining().min(self.size);
        let read = self.inner.read(buf.initialize_unfilled_to(len))?;
        buf.advance(read);
        Poll::Ready(Ok(()))
    }
}

/// The elements of an iterator, and the error that ends them.
pub(crate) fn iterated<T>(mut elements: impl Iterator<Item = Result<T, Error>>) -> (Vec<T>, Option<String>) {
    let mut all = Vec::new();
    loop {
        match elements.next() {
            Some(Ok(element)) => all.push(element),
            Some(Err(error)) => {
                assert!(elements.next().is_none(), "an error is the end");
                return (all, Some(error.to_string()));
            }
            None => return (all, None),
        }
    }
}

/// The elements that a codec finds in an asynchronous stream, and the error that ends them.
pub(crate) fn framed<C: Decoder<Error = Error>>(
    codec: C,
    stream: impl AsyncRead + Unpin,
) -> (Vec<C::Item>, Option<String>) {
    RUNTIME.block_on(async {
        let (mut stream, mut all) = (FramedRead::new(stream, codec), Vec::new());
        loop {
            match stream.next().await {
                Some(Ok(element)) => all.push(element),
                Some(Err(error)) => {
                    assert!(stream.next().await.is_none(), "an error is the end");
                    return (all, Some(error.to_string()));
                }
                None => return (all, None),
            }
        }
    })
}
