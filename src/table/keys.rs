//! Finds fields by their keys in JSON objects, and by their names in the text format. This is fast even if the input omits
//! fields.

/// The first bytes of the keys of all fields. They are stored side by side, so that many are compared quickly.
#[derive(Debug)]
pub(crate) struct Keys(Box<[Start]>);

/// Up to eight bytes of a key (from its opening quote on) or of a name, with the first byte lowest, and a mask with ones at
/// these bytes.
#[derive(Debug)]
struct Start {
    bytes: u64,
    mask: u64,
}

impl Start {
    fn new(key: &[u8]) -> Self {
        match key.len().min(8) {
            // No bytes under the mask 0 equal 1, so an empty key matches nothing.
            0 => Start { bytes: 1, mask: 0 },
            len => Start { bytes: first_bytes(key), mask: first_bytes(&[0xff; 8][..len]) },
        }
    }
}

/// The number of fields that are compared before the name is looked up in a map.
const NEARBY: usize = 32;

impl Keys {
    /// Creates the keys of the fields. `key` returns the key of a field with a comma before it, as JSON writes it.
    pub(super) fn new<'a>(len: usize, key: &dyn Fn(usize) -> &'a [u8]) -> Self {
        Self::of_names(len, &|index| key(index).get(1..).unwrap_or_default())
    }

    /// Creates the keys from names. `name` returns an empty name for a field that the text format does not write by its name.
    pub(super) fn of_names<'a>(len: usize, name: &dyn Fn(usize) -> &'a [u8]) -> Self {
        let mut starts = Vec::with_capacity(len);
        for index in 0..len {
            starts.push(Start::new(name(index)));
        }
        Keys(starts.into())
    }

    /// Returns the fields whose keys may be at the start of `text`. Only the first [`NEARBY`] fields from `guess` on are
    /// candidates.
    #[inline]
    pub(crate) fn nearby(&self, guess: usize, text: &[u8]) -> Nearby<'_> {
        let end = self.0.len().min(guess.saturating_add(NEARBY));
        Nearby { starts: &self.0[..end], at: guess, bytes: first_bytes(text) }
    }
}

/// The fields whose keys may be at the start of a text.
pub(crate) struct Nearby<'k> {
    starts: &'k [Start],
    /// The index of the next field to compare.
    at: usize,
    bytes: u64,
}

impl Iterator for Nearby<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while let Some(start) = self.starts.get(self.at) {
            self.at += 1;
            if self.bytes & start.mask == start.bytes {
                return Some(self.at - 1);
            }
        }
        None
    }
}

#[inline]
fn first_bytes(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates keys from the first bytes of each text.
    fn keys(keys: &[&str]) -> Keys {
        Keys(keys.iter().map(|key| Start::new(key.as_bytes())).collect())
    }

    #[test]
    fn fields_from_the_guess_on_whose_keys_start_so() {
        let keys = keys(&["\"a\":", "\"bookTitle\":", "", "\"bookAuthor\":", "\"b\":", "\"bookTag\":"]);
        let rows: [(usize, &str, &[usize]); 9] = [
            (0, "\"a\":1}", &[0]),
            (0, "\"a\":", &[0]),
            (0, "\"a\"", &[]),
            (1, "\"a\":1", &[]),
            // Only the first bytes of a long key are compared here. The caller compares the rest.
            (0, "\"bookTi", &[]),
            (0, "\"bookTit", &[1]),
            (0, "\"bookTax\":", &[]),
            (2, "\"bookTag\":1", &[5]),
            (7, "\"a\":1", &[]),
        ];
        for (guess, text, found) in rows {
            assert_eq!(keys.nearby(guess, text.as_bytes()).collect::<Vec<_>>(), found, "{guess} {text}");
        }
        assert_eq!(keys.nearby(0, b"").count(), 0);
    }

    #[test]
    fn far_away_is_not_looked_at() {
        let keys = keys(&["\"a\":"; 2 * NEARBY]);
        assert_eq!(keys.nearby(3, b"\"a\":1   ").collect::<Vec<_>>(), Vec::from_iter(3..3 + NEARBY));
    }
}
