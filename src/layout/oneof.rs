//! Oneofs.

use super::{OneofFunctions, OneofShape};
use std::ptr;

/// The enum of a oneof, as its derive describes it.
///
/// # Safety
/// `value` and `value_mut` give the index of the variant among those of the shape and the address of its value;
/// `empty` makes the variant of an index.
pub unsafe trait OneofLayout: Sized {
    /// The variant and the address of its value; `None` for a variant that is skipped.
    fn value(&self) -> Option<(usize, *const u8)>;

    /// The same, to be changed.
    fn value_mut(&mut self) -> Option<(usize, *mut u8)>;

    /// A variant with an empty value; `None` where none can be made.
    fn empty(variant: usize) -> Option<Self>;

    /// True where a variant is skipped.
    const SKIPS: bool = false;

    /// The name of a variant that is skipped.
    fn skipped(&self) -> Option<&'static str> {
        None
    }
}

/// A member that holds a oneof: an option of its enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold a oneof",
    note = "write `Option<...>` of an enum that derives `tobu::Oneof`"
)]
pub trait OneofMember {
    /// The shape of the enum.
    fn shape() -> &'static OneofShape;
}

struct Of<T>(T);

// In all of these: SAFETY: the address is that of an `Option<T>`, by the contract of the functions.
impl<T: OneofLayout> Of<T> {
    const FUNCTIONS: OneofFunctions = OneofFunctions {
        // SAFETY: see above.
        get: |at| unsafe { &*at.cast::<Option<T>>() }.as_ref()?.value(),
        insert: |at, variant| {
            // SAFETY: see above.
            let option = unsafe { &mut *at.cast::<Option<T>>() };
            if option.as_ref().and_then(T::value).is_none_or(|(set, _)| set != variant) {
                match T::empty(variant) {
                    Some(empty) => *option = Some(empty),
                    None => return ptr::null_mut(),
                }
            }
            option.as_mut().and_then(T::value_mut).map_or(ptr::null_mut(), |(_, value)| value)
        },
        // SAFETY: see above.
        clear: |at| unsafe { *at.cast::<Option<T>>() = None },
        skipped: match T::SKIPS {
            // SAFETY: see above.
            true => Some(|at| unsafe { &*at.cast::<Option<T>>() }.as_ref()?.skipped()),
            false => None,
        },
    };
}

/// What can be done with a member that holds a oneof.
#[must_use]
pub const fn oneof_functions<T: OneofLayout>() -> OneofFunctions {
    Of::<T>::FUNCTIONS
}
