//! What the functions of containers belong to.

use std::marker::PhantomData;

/// A container `T`, the values in which are stored as `V` says: its associated functions are those of its layout.
///
/// It is one type for Rust's options, lists and maps and for oneofs, although each has a file of its own. A compiler collects
/// what belongs to types of one module into one unit of code, and every unit that drops a message has a copy of how that is
/// done.
pub(super) struct Of<T, V>(PhantomData<(T, V)>);
