//! Proto values that are filled before a conversion takes them.

use super::functions::Refused;
use super::shape::MadeFunctions;
use std::mem::forget;
use std::ptr::NonNull;

/// The proto value of a member, while it is filled.
#[derive(Debug)]
pub(crate) struct Opened {
    functions: &'static MadeFunctions,
    proto: NonNull<u8>,
}

impl Opened {
    /// Opens the proto value of a member, or an empty one; `None` if none can be made.
    ///
    /// # Safety
    /// `at` is null, or the address of a live member of the type that `functions` are for.
    pub(crate) unsafe fn new(functions: &'static MadeFunctions, at: *const u8) -> Option<Self> {
        // SAFETY: the caller promises that `at` is null or the address of a live member of the type.
        let proto = NonNull::new(unsafe { (functions.open)(at) })?;
        Some(Opened { functions, proto })
    }

    /// Returns the address of the proto value.
    pub(crate) fn address(&self) -> *mut u8 {
        self.proto.as_ptr()
    }

    /// Converts the proto value, calls `member` for the address of the member, which may be null, and replaces the
    /// member.
    ///
    /// # Errors
    /// The conversion rejects the proto value; the member is unchanged.
    ///
    /// # Safety
    /// `member` returns null, or the address of a live member of the type that the functions are for, to which nothing
    /// else refers.
    pub(crate) unsafe fn close(self, member: &mut dyn FnMut() -> *mut u8) -> Result<(), Refused> {
        let (functions, proto) = (self.functions, self.address());
        forget(self);
        // SAFETY: `new` got the proto value from these functions, and it is given back once, because `self` ends here
        // without its `drop`. The caller promises that `member` returns null or the address of a live member.
        unsafe { (functions.close)(proto, member) }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: `new` got the proto value from these functions, and `close` would have ended `self` without this.
        unsafe { (self.functions.drop)(self.address()) };
    }
}
