//! Presence bits say which members of a struct are set. They are stored together, outside of the members.

use std::fmt;

/// The presence bits of a message: one bit for each field with presence that is stored without an `Option`, in words of 32
/// bits.
///
/// Generated messages with the opaque API have such a member, and accessors that set the bits together with the values. A
/// type that is written by hand may have such a member, too. For its field, a set bit means what `Some` means for an
/// `Option`. If a bit is clear, the value of its field is ignored, except by derived equality and hashing.
///
/// ```
/// use tobu::Presence;
///
/// #[derive(Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Book {
///     #[tobu(1, bit = 0)]
///     title: String,
///     #[tobu(2, bit = 1)]
///     pages: u32,
///     #[tobu(presence)]
///     presence: Presence<1>,
/// }
///
/// let mut book = Book::default();
/// assert_eq!(tobu::to_vec(&book)?, b"");
/// book.presence.set(1);
/// assert_eq!(tobu::to_vec(&book)?, b"\x10\x00");
///
/// let book: Book = tobu::from_slice(b"\x0a\x04Dune")?;
/// assert!(book.presence.has(0) && !book.presence.has(1));
/// assert_eq!(book.title, "Dune");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Presence<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Presence<WORDS> {
    /// Creates bits that are all clear.
    pub const fn new() -> Self {
        Presence([0; WORDS])
    }

    /// True if the bit is set.
    ///
    /// # Panics
    /// If `bit` is 32 times `WORDS` or more.
    #[inline]
    pub const fn has(&self, bit: usize) -> bool {
        self.0[bit / 32] >> (bit % 32) & 1 != 0
    }

    /// Sets the bit.
    ///
    /// # Panics
    /// If `bit` is 32 times `WORDS` or more.
    #[inline]
    pub const fn set(&mut self, bit: usize) {
        self.0[bit / 32] |= 1 << (bit % 32);
    }

    /// Clears the bit, and returns its old value.
    ///
    /// # Panics
    /// If `bit` is 32 times `WORDS` or more.
    #[inline]
    pub const fn take(&mut self, bit: usize) -> bool {
        let was = self.has(bit);
        self.0[bit / 32] &= !(1 << (bit % 32));
        was
    }
}

impl<const WORDS: usize> Default for Presence<WORDS> {
    fn default() -> Self {
        Presence::new()
    }
}

impl<const WORDS: usize> fmt::Debug for Presence<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries((0..32 * WORDS).filter(|&bit| self.has(bit))).finish()
    }
}

/// A type that consists of words of bits.
///
/// # Safety
/// A value lies in memory as an array of `u32` with at least `BITS` bits, and every bit pattern is a valid value.
pub unsafe trait PresenceWords {
    /// The number of bits.
    const BITS: usize;
}

// SAFETY: a `Presence` is an array of `WORDS` words.
unsafe impl<const WORDS: usize> PresenceWords for Presence<WORDS> {
    const BITS: usize = 32 * WORDS;
}

/// A presence bit of a member. The offsets are in bytes from the start of the struct.
#[derive(Clone, Copy, Debug)]
pub struct PresenceBit {
    /// The offset of the member.
    pub(super) member: usize,
    /// The offset of the words with the bits.
    words: usize,
    /// The number of the bit.
    bit: u16,
}

impl PresenceBit {
    /// Creates the bit with the number `bit` for the member at the offset `member`. The words at the offset `words` are a
    /// member of the same struct.
    ///
    /// # Panics
    /// If the words do not have this bit.
    pub const fn of<W: PresenceWords>(member: usize, words: usize, bit: u16) -> Self {
        assert!((bit as usize) < W::BITS, "there are fewer presence bits: a word of `Presence` has 32");
        PresenceBit { member, words, bit }
    }

    /// Returns the offset of the word with the bit, in bytes from the start of the struct.
    #[inline]
    pub(crate) const fn word(self) -> usize {
        self.words + self.bit as usize / 32 * 4
    }

    /// Returns the number of the bit in its word.
    #[inline]
    pub(crate) const fn shift(self) -> u8 {
        (self.bit % 32) as u8
    }

    /// Returns a mask with only this bit of its word.
    #[inline]
    pub(crate) const fn mask(self) -> u32 {
        1 << self.shift()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BitOption, Member};
    use super::{Presence, PresenceBit};

    #[test]
    fn bits_are_set_and_taken() {
        let mut presence = Presence::<2>::new();
        presence.set(0);
        presence.set(63);
        assert_eq!(format!("{presence:?}"), "{0, 63}");
        assert!(presence.take(63) && !presence.take(63) && presence.has(0) && !presence.has(32));
    }

    #[test]
    #[should_panic = "there are fewer presence bits"]
    fn a_bit_is_one_of_its_words() {
        PresenceBit::of::<Presence<1>>(0, 8, 32);
    }

    #[test]
    #[should_panic = "`bit` is for a number, a string, bytes or an enumeration"]
    fn a_bit_is_of_a_single_value() {
        BitOption::with_bit(PresenceBit::of::<Presence<1>>(0, 24, 0), <Vec<i32> as Member>::WITH_BIT.fact());
    }
}
