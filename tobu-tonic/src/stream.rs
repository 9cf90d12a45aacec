//! Streams of items that are there already.
//!
//! Layer 0: names nothing of this crate.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

/// The items of an iterator, as a stream that never waits.
pub(crate) struct Ready<I>(I);

impl<I: Iterator> Ready<I> {
    pub(crate) fn new(items: impl IntoIterator<IntoIter = I>) -> Self {
        Ready(items.into_iter())
    }
}

// Nothing in it is ever pinned.
impl<I> Unpin for Ready<I> {}

impl<I: Iterator> Stream for Ready<I> {
    type Item = I::Item;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I::Item>> {
        Poll::Ready(self.0.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
