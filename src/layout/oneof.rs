//! The functions of oneofs.

use super::convert::Own;
use super::fact::FactOf;
use super::of::Of;
use super::{OneofFunctions, OneofShape, VariantValue};
use std::ptr::{self, NonNull};

/// The enum of a oneof, as its derive describes it.
///
/// # Safety
/// `value` and `value_mut` return the index of a variant in the shape, and the address of its value. `empty` makes the
/// variant with the index `variant`.
pub unsafe trait OneofLayout: Sized {
    /// Returns the index of the variant, and the address of its value; `None` for a skipped variant.
    fn value(&self) -> Option<(usize, *const u8)>;

    /// Returns the index of the variant, and the address for changing its value; `None` for a skipped variant.
    fn value_mut(&mut self) -> Option<(usize, *mut u8)>;

    /// Creates a variant with an empty value; `None` if the value cannot be made.
    fn empty(variant: usize) -> Option<Self>;

    /// True if the enum has skipped variants.
    const SKIPS: bool = false;

    /// Returns the name of the variant if it is skipped.
    fn skipped(&self) -> Option<&'static str> {
        None
    }
}

pub(super) type OneofFn = fn() -> &'static OneofShape;

/// A member that holds a oneof: an option of its enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold a oneof",
    note = "write `Option<...>` of an enum that derives `tobu::Oneof`"
)]
pub trait OneofMember: Sized {
    /// Returns the shape of the enum.
    fn shape() -> &'static OneofShape;

    /// The function that returns the shape, for messages that state their schemas ([`Schema::Stated`](super::Schema::Stated)).
    const STATED: FactOf<Self, OneofFn> = FactOf::new(Self::shape);

    /// The function that returns the shape, for all other messages.
    const DESCRIBED: FactOf<Self, OneofFn> = FactOf::new(Self::described);

    /// Registers the files of the types in the oneof that state their schemas.
    fn register();

    /// True if a variant is set.
    fn is_set(&self) -> bool;

    /// Returns the shape after registering the files. Messages that do not state their schemas use this function, because
    /// they need the descriptors of the types in the oneof.
    fn described() -> &'static OneofShape {
        Self::register();
        Self::shape()
    }
}

/// The type for the functions of an `Option<T>`, where `T` is the enum of a oneof.
struct Variants<T>(T);

// These are named functions, because for closures the compiler would generate a second function for each type.
impl<T: OneofLayout> Of<Variants<T>, Own> {
    const FUNCTIONS: OneofFunctions = OneofFunctions {
        value: Self::value,
        insert: Self::insert,
        clear: Self::clear,
        skipped: if T::SKIPS { Some(Self::skipped) } else { None },
    };

    unsafe fn value(at: *const u8) -> Option<VariantValue> {
        // SAFETY: `at` is the address of a live `Option<T>`, and nothing changes it meanwhile, by the contract of the
        // functions.
        let (variant, value) = unsafe { &*at.cast::<Option<T>>() }.as_ref()?.value()?;
        // SAFETY: `value` is the address of a value, so it is not null.
        Some((variant, unsafe { NonNull::new_unchecked(value.cast_mut()) }))
    }

    unsafe fn insert(at: *mut u8, variant: usize) -> *mut u8 {
        // SAFETY: `at` is the address of a live `Option<T>`, and nothing else refers to it, by the contract of the
        // functions.
        let option = unsafe { &mut *at.cast::<Option<T>>() };
        let set = option.as_ref().and_then(T::value).map(|(set, _)| set);
        if set != Some(variant) {
            let Some(empty) = T::empty(variant) else { return ptr::null_mut() };
            *option = Some(empty);
        }
        option.as_mut().and_then(T::value_mut).map_or(ptr::null_mut(), |(_, value)| value)
    }

    unsafe fn clear(at: *mut u8) {
        // SAFETY: `at` is the address of a live `Option<T>`, and nothing else refers to it, by the contract of the
        // functions.
        unsafe { *at.cast::<Option<T>>() = None };
    }

    unsafe fn skipped(at: *const u8) -> Option<&'static str> {
        // SAFETY: `at` is the address of a live `Option<T>`, and nothing changes it meanwhile, by the contract of the
        // functions.
        unsafe { &*at.cast::<Option<T>>() }.as_ref()?.skipped()
    }
}

impl OneofShape {
    /// Sets the oneof at `at` to `None`.
    ///
    /// # Safety
    /// `at` is the address of a live oneof of this type, and nothing else refers to it.
    pub(crate) unsafe fn clear(&self, at: *mut u8) {
        // SAFETY: `self.functions` are for this type, and the caller promises that `at` is the address of a live oneof of
        // this type.
        unsafe { (self.functions.clear)(at) }
    }

    /// Returns the address of the value of a variant. If another variant or none is set, an empty value of the variant is
    /// stored first. Returns null if no empty value can be made.
    ///
    /// # Safety
    /// `at` is the address of a live oneof of this type, and nothing else refers to it.
    #[inline]
    pub(crate) unsafe fn insert(&self, at: *mut u8, variant: usize) -> *mut u8 {
        // SAFETY: `self.functions` are for this type, and the caller promises that `at` is the address of a live oneof of
        // this type.
        unsafe { (self.functions.insert)(at, variant) }
    }
}

/// Returns the functions of a member that holds a oneof.
#[must_use]
pub const fn oneof_functions<T: OneofLayout>() -> OneofFunctions {
    Of::<Variants<T>, Own>::FUNCTIONS
}
