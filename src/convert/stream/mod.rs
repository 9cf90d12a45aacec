//! The streaming path: for messages as writers write them.
//!
//! Fields go from the input to the output in input order, with no message in between. This path never fails: at a
//! repeated field, an unknown tag or name, or malformed input, it declines, and the buffered path starts over. So
//! semantics and errors are defined in one module. Its output equals that of the buffered path, with fields in input
//! order, and it counts memory as that path does.

mod map_keys;
mod to_json;
mod well_known_to_json;
mod wire_scalar;

pub(super) use to_json::ToJson;

/// Indices that were seen.
#[derive(Default)]
struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Records an index; false if it was seen before.
    #[inline]
    fn note(&mut self, index: usize) -> bool {
        if index >= 64 {
            return self.note_high(index);
        }
        let bit = 1 << index;
        let new = self.low & bit == 0;
        self.low |= bit;
        new
    }

    #[cold]
    fn note_high(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64 - 1, 1 << (index % 64));
        if self.high.len() <= word {
            self.high.resize(word + 1, 0);
        }
        let new = self.high[word] & bit == 0;
        self.high[word] |= bit;
        new
    }

    /// True when an index was seen.
    fn has(&self, index: u16) -> bool {
        let index = usize::from(index);
        let word = match (index / 64).checked_sub(1) {
            None => self.low,
            Some(word) => self.high.get(word).copied().unwrap_or(0),
        };
        word >> (index % 64) & 1 != 0
    }
}
