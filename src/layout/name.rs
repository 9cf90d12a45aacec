//! The names of a type, as one string.

/// A name among those of a type: the byte at which it starts. It ends before the next NUL, or with the last name.
///
/// A reference to each name would take 40 bytes in a program: the address, the length, and an entry by which a loader sets
/// the address.
#[derive(Clone, Copy, Debug)]
pub struct Name(pub u32);

impl Name {
    /// That of the Rust type.
    pub(super) const FIRST: Name = Name(0);

    /// The name.
    #[inline(never)]
    pub(super) fn of(self, names: &'static str) -> &'static str {
        let start = self.0 as usize;
        let end = names.bytes().skip(start).position(|byte| byte == 0).map_or(names.len(), |len| start + len);
        names.get(start..end).unwrap_or_default()
    }
}
