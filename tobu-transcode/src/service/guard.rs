//! Ends a call early: at its deadline, or on an error in a stream of requests.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep_until};

use super::reply::Failure;
use crate::code::Code;
use crate::status::Status;

/// A call ends at most this much before the client's deadline, to leave time for the answer. A server around this service
/// may end the call at the deadline. The service must be earlier, because the answer of the server would not be JSON.
const AHEAD: Duration = Duration::from_millis(5);

#[derive(Default)]
pub(super) struct Guard {
    deadline: Option<Pin<Box<Sleep>>>,
    request: Option<oneshot::Receiver<Failure>>,
}

impl Guard {
    /// Creates a guard for a call that began at `start`.
    pub(super) fn new(start: Instant, timeout: Option<Duration>) -> Self {
        let deadline = timeout.map(|timeout| start + (timeout - AHEAD.min(timeout / 8)));
        Guard { deadline: deadline.map(|deadline| Box::pin(sleep_until(deadline))), request: None }
    }

    /// Also ends the call if `request` receives a failure of the stream of requests.
    pub(super) fn watch(&mut self, request: oneshot::Receiver<Failure>) {
        self.request = Some(request);
    }

    /// Waits for a future. Returns a failure if the call ends early.
    pub(super) async fn run<F: Future>(&mut self, future: F) -> Result<F::Output, Failure> {
        let mut future = pin!(future);
        poll_fn(|cx| {
            let done = future.as_mut().poll(cx);
            // A malformed request makes the call fail, too. The error of the request is reported, because it is the
            // cause.
            match (self.poll(cx), done) {
                (Poll::Ready(failure), _) => Poll::Ready(Err(failure)),
                (Poll::Pending, Poll::Ready(done)) => Poll::Ready(Ok(done)),
                (Poll::Pending, Poll::Pending) => Poll::Pending,
            }
        })
        .await
    }

    /// Returns the failure with which the call must end early. Pending as long as the call may continue.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Failure> {
        if let Some(request) = &mut self.request {
            match Pin::new(request).poll(cx) {
                Poll::Ready(Ok(failure)) => {
                    self.request = None;
                    return Poll::Ready(failure);
                }
                // The stream of requests has ended without a failure.
                Poll::Ready(Err(_)) => self.request = None,
                Poll::Pending => {}
            }
        }
        let Some(deadline) = &mut self.deadline else { return Poll::Pending };
        // Timers fire late on a busy machine; data received after the deadline is too late anyway.
        if Instant::now() < deadline.deadline() {
            ready!(deadline.as_mut().poll(cx));
        }
        self.deadline = None;
        Poll::Ready(Status::new(Code::DeadlineExceeded, "the deadline of the call has passed").into())
    }
}
