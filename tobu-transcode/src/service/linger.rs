//! Handles requests that are answered before their bodies were received.
//!
//! A server of HTTP/1.1 closes the connection if it does not read the whole request. If the client is still sending, it sees a
//! broken connection instead of the answer. Therefore the rest of the body is read and discarded, for a short time and up to a
//! small size.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::header::EXPECT;
use http::{Request, Version};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::BoxError;

/// How many bytes of a body are read and discarded, as in Go's server. `TIME` says for how long.
const SIZE: usize = 256 << 10;
const TIME: Duration = Duration::from_secs(1);

/// True for requests whose client may still be sending when it gets the answer. A client that waits for permission to send
/// (`Expect`) has not begun to send. With HTTP/2, a request can be ended without closing the connection.
pub(super) fn is_worth_it<B>(request: &Request<B>) -> bool {
    request.version() < Version::HTTP_2 && !request.headers().contains_key(EXPECT)
}

/// A body whose rest is read and discarded if it is dropped before its end.
pub(super) struct Linger {
    body: UnsyncBoxBody<Bytes, BoxError>,
    is_over: bool,
}

impl Linger {
    pub(super) fn new(body: UnsyncBoxBody<Bytes, BoxError>) -> Self {
        Linger { is_over: body.is_end_stream(), body }
    }

    pub(super) fn poll_frame(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.is_over = !matches!(frame, Some(Ok(_))) || self.body.is_end_stream();
        Poll::Ready(frame)
    }

    pub(super) fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    pub(super) fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Linger {
    fn drop(&mut self) {
        if self.is_over || self.body.size_hint().lower() > SIZE as u64 {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let body = std::mem::take(&mut self.body);
        runtime.spawn(timeout(TIME, throw_away(body)));
    }
}

async fn throw_away(mut body: UnsyncBoxBody<Bytes, BoxError>) {
    let mut left = SIZE;
    while let Some(Ok(frame)) = body.frame().await {
        let len = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(len) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
