//! Facts about the types of members, together with the type that each fact is about.

use super::Storage;
use std::marker::PhantomData;

/// A fact about values of exactly the type `M`, including its lifetimes.
///
/// A derive macro passes the fact to a function together with the address of a member. The compiler infers `M` from the member,
/// so a fact about another type does not compile. The function itself needs no bound on the type. With a bound, the compiler
/// would report one more error for a type that cannot be a member.
#[derive(Debug)]
pub struct FactOf<M, F>(F, PhantomData<fn(M) -> M>);

/// How values of the type `M` are stored in memory.
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
    /// Fails to compile if the conversion makes proto values and the struct has no member that keeps them.
    ///
    /// # Panics
    /// The struct has no such member.
    pub const fn is_kept(&self, keeps: bool) {
        assert!(
            keeps || !matches!(self.0, Storage::Made(_)),
            "the conversion in `with` makes its proto values: add `#[tobu(protos)] protos: tobu::member::Protos` to the struct, \
             where reflection keeps them"
        );
    }
}
