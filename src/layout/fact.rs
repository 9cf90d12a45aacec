//! Facts that the traits of members give, together with the type that they are about.

use super::Storage;
use std::marker::PhantomData;

/// A fact about values of exactly this type, with these lifetimes.
///
/// A derive passes it to a function together with the address of a member, from which the compiler finds the type. So it
/// cannot be the fact of another type, and the function needs no bound on the type. A bound would be one more error for a
/// type without the trait of members.
#[derive(Debug)]
pub struct FactOf<M, F>(F, PhantomData<fn(M) -> M>);

/// How values of a type lie in memory.
pub(crate) type StoredAs<M> = FactOf<M, Storage>;

impl<M, F: Copy> FactOf<M, F> {
    pub(super) const fn new(fact: F) -> Self {
        FactOf(fact, PhantomData)
    }

    /// Returns the fact without its type.
    pub(super) const fn fact(&self) -> F {
        self.0
    }
}

impl<M> StoredAs<M> {
    /// Refuses a struct without a member that keeps proto values, if the conversion makes some.
    ///
    /// # Panics
    /// If the struct has no such member.
    pub const fn is_kept(&self, keeps: bool) {
        assert!(
            keeps || !matches!(self.0, Storage::Made(_)),
            "the conversion in `with` makes its proto values: add `#[tobu(protos)] protos: tobu::member::Protos` to the struct, \
             where reflection keeps them"
        );
    }
}
