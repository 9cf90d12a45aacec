//! A stream of items that are known in advance.
//!
//! This file is in layer 0 of the crate: it uses no other module of the crate.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

/// A stream of the items of an iterator. It never waits.
pub(crate) struct Ready<I>(I);

impl<I: Iterator> Ready<I> {
    pub(crate) fn new(items: impl IntoIterator<IntoIter = I>) -> Self {
        Ready(items.into_iter())
    }
}

// The iterator is never pinned, so the stream may move.
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
