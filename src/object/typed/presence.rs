//! Which fields of a message are set.

use crate::table::Part;

impl Part {
    /// The bits of the steps that a message needs.
    ///
    /// # Safety
    /// A live struct of the type whose steps these are is at the address.
    #[inline]
    pub(crate) unsafe fn needed(&self, base: *const u8) -> u64 {
        // SAFETY: the function is that of the type.
        self.always | unsafe { (self.presence)(base, self.masks) }
    }
}
