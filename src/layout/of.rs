//! The type to which the functions of containers belong.

use std::marker::PhantomData;

/// A container `T` whose values are stored as `V` says. The associated functions of this type are the functions in the
/// storage of the container.
///
/// Options, lists, maps and oneofs share this one type, although each has a separate file. Therefore the compiler puts all of
/// their functions into one codegen unit. Each further unit would have its own copy of the code that drops messages.
pub(super) struct Of<T, V>(PhantomData<(T, V)>);
