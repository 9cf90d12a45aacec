//! The type to which the functions of containers belong.

use std::marker::PhantomData;

/// A container `T` whose values are stored as `V` says. The associated functions of this type are the functions in the
/// storage of the container.
///
/// Options, lists, maps and oneofs share this one type, although each has a file. The reason is that the compiler puts the
/// code for the types of one module into one codegen unit, and each unit that drops a message has its own copy of the drop
/// code.
pub(super) struct Of<T, V>(PhantomData<(T, V)>);
