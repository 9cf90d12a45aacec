//! The type to which the functions of containers belong.

use std::marker::PhantomData;

/// A container `T`, whose values are stored in the way `V`. The associated functions of this type are the functions
/// of its layout.
///
/// Options, lists, maps and oneofs share this one type although each has a file, because the compiler collects the
/// code for types of one module into one codegen unit, and every unit that drops a message has its own copy of the
/// drop code.
pub(super) struct Of<T, V>(PhantomData<(T, V)>);
