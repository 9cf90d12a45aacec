//! How much a pool keeps.

/// How much a pool keeps at most of what is given back; the rest is dropped.
///
/// ```
/// use tobu::pool::{Bounds, MessagePool};
/// use tobu::types::StringValue;
///
/// let pool = MessagePool::<StringValue>::bounded(Bounds::new().each(1024));
/// pool.lend().value = "short".into();
/// pool.lend().value = "long".repeat(1000);
/// assert_eq!(pool.kept(), 0, "the message has grown beyond 1 KiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub(super) count: usize,
    pub(super) each: usize,
    pub(super) total: usize,
}

impl Bounds {
    /// The defaults: 64 items, of 1 MiB each, and of 16 MiB together.
    pub const fn new() -> Self {
        Bounds { count: 64, each: 1 << 20, total: 16 << 20 }
    }

    /// How many items are kept. With 0 the pool keeps none.
    #[must_use]
    pub const fn count(mut self, items: usize) -> Self {
        self.count = items;
        self
    }

    /// How many bytes of memory an item may hold that is kept: its own size, and the heap that it owns.
    #[must_use]
    pub const fn each(mut self, bytes: usize) -> Self {
        self.each = bytes;
        self
    }

    /// How many bytes of memory all that are kept may hold together.
    #[must_use]
    pub const fn total(mut self, bytes: usize) -> Self {
        self.total = bytes;
        self
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new()
    }
}
