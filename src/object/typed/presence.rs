//! Finds out which fields of a message are set.

use crate::table::Part;

impl Part {
    /// Returns the bits of the steps that the encoder must take for a message.
    ///
    /// # Safety
    /// `base` is the address of a live struct of the type to which this part belongs.
    #[inline]
    pub(crate) unsafe fn needed(&self, base: *const u8) -> u64 {
        // SAFETY: `self.presence` is the function for this type, and the caller promises that the struct at `base` is
        // live.
        self.always | unsafe { (self.presence)(base, self.masks) }
    }
}
