//! Finite state entropy (FSE): the tables of codes, and the readers of bits in both directions.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8878#section-4.1>.

/// A table of states. Each state has a code, and says how to find the next state.
pub(super) struct Table {
    /// The number of bits that select the first state.
    pub(super) accuracy: u32,
    states: Vec<State>,
}

#[derive(Clone, Copy, Default)]
struct State {
    code: u8,
    bits: u8,
    base: u16,
}

impl Table {
    /// Creates a table with a single code, which takes no bits.
    pub(super) fn of_one(code: u8) -> Self {
        Table { accuracy: 0, states: vec![State { code, ..State::default() }] }
    }

    /// Creates a table from the frequencies of codes. The frequency -1 means "less than one". Returns `None` if the frequencies
    /// do not fill the table exactly.
    pub(super) fn new(frequencies: &[i16], accuracy: u32) -> Option<Self> {
        let size = 1_usize << accuracy;
        let mut states = vec![State::default(); size];
        let mut seen = vec![0_u16; frequencies.len()];
        let mut end = size;
        for (code, _) in frequencies.iter().enumerate().filter(|(_, frequency)| **frequency == -1) {
            end = end.checked_sub(1)?;
            states[end].code = code as u8;
            seen[code] = 1;
        }
        let (step, mut at) = ((size >> 1) + (size >> 3) + 3, 0);
        let mut left = end;
        for (code, &frequency) in frequencies.iter().enumerate().filter(|(_, frequency)| **frequency > 0) {
            seen[code] = frequency as u16;
            left = left.checked_sub(frequency as usize)?;
            for _ in 0..frequency {
                states[at].code = code as u8;
                at = (at + step) & (size - 1);
                while at >= end && end > 0 {
                    at = (at + step) & (size - 1);
                }
            }
        }
        if left != 0 {
            return None;
        }
        for state in &mut states {
            let next = &mut seen[usize::from(state.code)];
            state.bits = (accuracy - next.ilog2()) as u8;
            state.base = ((u32::from(*next) << state.bits) - size as u32) as u16;
            *next += 1;
        }
        Some(Table { accuracy, states })
    }

    pub(super) fn code(&self, state: usize) -> u8 {
        self.states[state].code
    }

    /// Returns the state that follows `state`.
    pub(super) fn next(&self, state: usize, bits: &mut Backward<'_>) -> Option<usize> {
        let state = self.states[state];
        Some(usize::from(state.base) + bits.take(u32::from(state.bits))? as usize)
    }
}

/// A reader of bits that begins at the first byte. It reads the lowest bit of a byte first.
pub(super) struct Forward<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Forward<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Forward { bytes, at: 0 }
    }

    pub(super) fn take(&mut self, count: u32) -> Option<u32> {
        let value = bits(self.bytes, self.at, count)?;
        self.at += count as usize;
        Some(value)
    }

    /// Reads the frequencies of at most `max` codes. Their sum is `1 << accuracy`.
    pub(super) fn frequencies(&mut self, accuracy: u32, max: usize) -> Option<Vec<i16>> {
        let mut left = 1_u32 << accuracy;
        let mut frequencies = Vec::new();
        while left > 0 {
            let count = (left + 1).ilog2() + 1;
            let short = (1 << (count - 1)) - 1;
            let threshold = (1 << count) - 1 - (left + 1);
            // Small values take one bit less than other values.
            let mut value = bits_or_zeros(self.bytes, self.at, count);
            self.at += count as usize;
            if value & short < threshold {
                self.at -= 1;
                value &= short;
            } else if value > short {
                value -= threshold;
            }
            let frequency = value as i16 - 1;
            left = left.checked_sub(u32::from(frequency.unsigned_abs()))?;
            frequencies.push(frequency);
            if frequency == 0 {
                loop {
                    let zeros = self.take(2)?;
                    frequencies.extend((0..zeros).map(|_| 0));
                    if zeros < 3 {
                        break;
                    }
                }
            }
            if frequencies.len() > max {
                return None;
            }
        }
        (self.at <= self.bytes.len() * 8).then_some(frequencies)
    }

    /// Returns the bytes after the last byte from which bits were read.
    pub(super) fn rest(&self) -> Option<&'b [u8]> {
        self.bytes.get(self.at.div_ceil(8)..)
    }
}

/// A reader of bits that begins at the last byte. It reads the highest bit of a byte first. The highest bit that is set in
/// the last byte marks the start.
pub(super) struct Backward<'b> {
    bytes: &'b [u8],
    left: usize,
}

impl<'b> Backward<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let top = bytes.last()?.checked_ilog2()? as usize;
        Some(Backward { bytes, left: (bytes.len() - 1) * 8 + top })
    }

    pub(super) fn take(&mut self, count: u32) -> Option<u32> {
        self.left = self.left.checked_sub(count as usize)?;
        bits(self.bytes, self.left, count)
    }

    pub(super) fn is_over(&self) -> bool {
        self.left == 0
    }
}

/// Returns up to 31 bits from the bit `at` on, or `None` if they go past the end.
fn bits(bytes: &[u8], at: usize, count: u32) -> Option<u32> {
    (at + count as usize <= bytes.len() * 8).then(|| bits_or_zeros(bytes, at, count))
}

/// Returns up to 31 bits from the bit `at` on. Bits past the end are zeros.
fn bits_or_zeros(bytes: &[u8], at: usize, count: u32) -> u32 {
    let mut word = [0; 8];
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let len = rest.len().min(8);
    word[..len].copy_from_slice(&rest[..len]);
    (u64::from_le_bytes(word) >> (at % 8) & ((1 << count) - 1)) as u32
}
