//! Keeps all names of a type in one string.

/// A name in the string of all names of a type: the index of its first byte. The name ends at the next NUL, or at the end
/// of the string.
///
/// Names are not references, because each reference would take 40 bytes of a program: the address, the length, and an entry
/// by which a loader sets the address.
#[derive(Clone, Copy, Debug)]
pub struct Name(pub u32);

impl Name {
    /// The name of the Rust type, which comes first.
    pub(super) const FIRST: Name = Name(0);

    #[inline(never)]
    pub(super) fn of(self, names: &'static str) -> &'static str {
        let start = self.0 as usize;
        let mut end = start;
        while names.as_bytes().get(end).is_some_and(|byte| *byte != 0) {
            end += 1;
        }
        names.get(start..end).unwrap_or_default()
    }

    /// True if this name is equal to `name`. The function does not search for the end of this name.
    pub(super) fn is(self, names: &'static str, name: &str) -> bool {
        let rest = names.as_bytes().get(self.0 as usize..).unwrap_or_default();
        let found = rest.strip_prefix(name.as_bytes());
        // The text may come from an input and contain NUL, so a match across two names must not count.
        found.is_some_and(|rest| matches!(rest, [] | [0, ..])) && !name.as_bytes().contains(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    const NAMES: &str = "Type\0one\0\0oneself\0last";

    #[test]
    fn a_name_ends_before_the_next() {
        for (start, name) in [(0, "Type"), (5, "one"), (9, ""), (10, "oneself"), (18, "last")] {
            assert_eq!(Name(start).of(NAMES), name);
            for other in
                ["Type", "one", "", "oneself", "last", "on", "ones", "one\0", "one\0\0oneself", "lasting"]
            {
                assert_eq!(Name(start).is(NAMES, other), name == other, "{name:?} {other:?}");
            }
        }
    }

    #[test]
    fn past_the_end_are_none() {
        assert_eq!((Name(22).of(NAMES), Name(1000).of(NAMES)), ("", ""));
        assert!(!Name(1000).is(NAMES, "one"));
    }
}
