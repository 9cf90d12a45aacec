//! A connection with time limits for its client.
//!
//! A client that neither reads nor sends would otherwise cost the server memory without a time limit.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::{Connected, TcpConnectInfo};

use crate::limits::Limits;

/// The server needs at most this number of bytes to tell HTTP/2 from HTTP/1.
const PREFACE: usize = 24;

/// Accepts connections. If there are as many as the limit allows, it waits until one of them ends.
pub(crate) fn accept(listener: TcpListener, limits: Limits) -> impl Stream<Item = io::Result<Socket>> {
    let places = Arc::new(Semaphore::new(limits.connections));
    limits.incoming(listener).then(move |stream| {
        let (places, limits) = (Arc::clone(&places), limits.clone());
        async move {
            let stream = stream?;
            let place = places.acquire_owned().await.map_err(io::Error::other)?;
            Ok(Socket::new(stream, place, &limits))
        }
    })
}

/// A connection that fails if its client takes too long.
pub(crate) struct Socket {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
    /// How many bytes of the preface have not yet arrived, and the deadline for them. `None` after the preface.
    start: Option<(usize, Alarm)>,
    /// The deadline for the client to read. `None` while the socket takes data.
    stalled: Option<Alarm>,
    stall: Duration,
    end: Alarm,
}

type Alarm = Pin<Box<Sleep>>;

impl Socket {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, limits: &Limits) -> Self {
        let alarm = |time| Box::pin(sleep(time));
        Socket {
            stream,
            _place: place,
            start: Some((PREFACE, alarm(limits.start))),
            stalled: None,
            stall: limits.stall,
            end: alarm(limits.age.0 + limits.age.1),
        }
    }

    fn check_end(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        check(&mut self.end, cx, "the connection is too old")
    }

    /// Starts the timer if nothing could be written, and stops it otherwise. Returns an error when the time is over.
    fn written(&mut self, cx: &mut Context<'_>, done: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match done {
            Poll::Ready(done) => {
                self.stalled = None;
                Poll::Ready(done)
            }
            Poll::Pending => {
                let stall = self.stall;
                let alarm = self.stalled.get_or_insert_with(|| Box::pin(sleep(stall)));
                check(alarm, cx, "the client reads nothing")?;
                Poll::Pending
            }
        }
    }
}

fn check(alarm: &mut Alarm, cx: &mut Context<'_>, what: &str) -> io::Result<()> {
    match alarm.as_mut().poll(cx) {
        Poll::Ready(()) => Err(io::Error::new(io::ErrorKind::TimedOut, what)),
        Poll::Pending => Ok(()),
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_end(cx)?;
        if let Some((_, alarm)) = &mut self.start {
            check(alarm, cx, "the client says nothing")?;
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, into))?;
        let count = into.filled().len() - before;
        if let Some((left, _)) = &mut self.start {
            *left = left.saturating_sub(count);
            if *left == 0 {
                self.start = None;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check_end(cx)?;
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_end(cx)?;
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.written(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Connected for Socket {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}
