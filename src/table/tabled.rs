//! A trait that leads from descriptors to their tables. It is a trait, so that layers above and below the code that builds
//! tables can use it.

/// A descriptor whose table is built on first use and kept with the descriptor.
pub(crate) trait Tabled {
    type Table<'d>
    where
        Self: 'd;

    fn table(&self) -> Self::Table<'_>;
}
