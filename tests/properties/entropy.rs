//! Choices made by bytes, so that fewer bytes make smaller cases.

/// Gives numbers until its bytes are used up, and then zeros.
pub(crate) struct Entropy<'a>(&'a [u8]);

impl<'a> Entropy<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Entropy(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// True once in `n` times; never at the end.
    pub(crate) fn chance(&mut self, n: u8) -> bool {
        self.byte() % n == n - 1
    }

    /// A number of up to eight bytes, often near an end of its range.
    pub(crate) fn number(&mut self) -> u64 {
        let bits = self.byte();
        let near = u64::from(self.byte() % 3);
        match bits % 4 {
            0 => u64::from(self.byte() % 5),
            1 => (1u64 << (bits / 4)).wrapping_add(near).wrapping_sub(1),
            2 => (1u64 << (bits / 4)).wrapping_neg().wrapping_add(near),
            _ => (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte())),
        }
    }
}

/// Changes bytes: overwrites, removes, inserts, repeats and cuts.
pub(crate) fn tamper(bytes: &mut Vec<u8>, damage: &[u8]) {
    let mut entropy = Entropy::new(damage);
    while !entropy.is_empty() && !bytes.is_empty() {
        let at = (entropy.below(256) << 8 | entropy.below(256)) % bytes.len();
        match entropy.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, entropy.byte()),
            3 => bytes[at] ^= 1 << entropy.below(8),
            4 => {
                let piece = bytes[at..bytes.len().min(at + 8)].to_vec();
                bytes.extend(piece);
            }
            _ => bytes[at] = entropy.byte(),
        }
    }
}
