//! Owns a proto value that is filled before a conversion takes it.

use super::functions::Refused;
use super::shape::MadeFunctions;
use std::mem::forget;
use std::ptr::NonNull;

/// The proto value of a member, while a decoder fills it.
#[derive(Debug)]
pub(crate) struct Opened {
    functions: &'static MadeFunctions,
    proto: NonNull<u8>,
}

impl Opened {
    /// Makes the proto value of the member at `at`, or an empty proto value if `at` is null. Returns `None` if no proto
    /// value can be made.
    ///
    /// # Safety
    /// `at` is null, or the address of a live member of the type that `functions` are for.
    pub(crate) unsafe fn new(functions: &'static MadeFunctions, at: *const u8) -> Option<Self> {
        // SAFETY: the caller promises that `at` is null or the address of a live member of the type.
        let proto = NonNull::new(unsafe { (functions.open)(at) })?;
        Some(Opened { functions, proto })
    }

    pub(crate) fn address(&self) -> *mut u8 {
        self.proto.as_ptr()
    }

    /// Converts the proto value. Then calls `member` for the address of the member, and replaces the member unless the
    /// address is null.
    ///
    /// # Errors
    /// The conversion rejects the proto value. Then the member is unchanged.
    ///
    /// # Safety
    /// `member` returns null, or the address of a live member of the type that the functions are for, to which nothing
    /// else refers.
    pub(crate) unsafe fn close(self, member: &mut dyn FnMut() -> *mut u8) -> Result<(), Refused> {
        let (functions, proto) = (self.functions, self.address());
        forget(self);
        // SAFETY: `new` got the proto value from these functions. This call gives the proto value back, and `drop` does not do
        // so again, because `forget` ended `self`. The caller promises that `member` returns null or the address of a live
        // member.
        unsafe { (functions.close)(proto, member) }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: `new` got the proto value from these functions. `close` did not give it back before, because `close` forgets
        // `self`.
        unsafe { (self.functions.drop)(self.address()) };
    }
}
