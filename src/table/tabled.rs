//! Descriptors lead to their tables: the method, for all that is above and below the code that builds tables.

/// A descriptor whose table is built on first use, and kept with the descriptor.
pub(crate) trait Tabled {
    type Table<'d>
    where
        Self: 'd;

    fn table(&self) -> Self::Table<'_>;
}
