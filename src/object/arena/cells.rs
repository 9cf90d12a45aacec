//! The memory of an arena: cells of four bytes. Positions and lengths count cells, unless a comment says otherwise.

use crate::table::Width;
use bytes::Bytes;

/// The cells of an arena: a vector, or shared bytes. Both are members, so that a reader of shared cells need not branch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    own: Vec<u8>,
    /// The cells of a parsed message, which its clones share. The first write moves them back into the vector.
    shared: Bytes,
}

/// Returns the 32 bits at the byte position `at` of cells.
#[inline(always)]
pub(crate) fn get(cells: &[u8], at: u32) -> u32 {
    let at = at as usize;
    let &[a, b, c, d] = &cells[at..at + 4] else { return 0 };
    u32::from_le_bytes([a, b, c, d])
}

/// Returns the value of the cell at `at`; zero if it is after the last cell.
#[inline(always)]
pub(crate) fn get_or_zero(cells: &[u8], at: u32) -> u32 {
    let at = 4 * at as usize;
    cells.get(at..at + 4).map_or(0, |bytes| get(bytes, 0))
}

/// Returns the value of the two cells at `at`; zero if they are after the last cell.
#[inline(always)]
pub(crate) fn get_wide_or_zero(cells: &[u8], at: u32) -> u64 {
    let from = 4 * at as usize;
    match cells.get(from..from + 8) {
        Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// Writes 32 bits at the byte position `at` of cells.
#[inline(always)]
pub(crate) fn set(cells: &mut [u8], at: u32, value: u32) {
    let at = at as usize;
    cells[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Writes 64 bits at the byte position `at` of cells.
#[inline(always)]
pub(crate) fn set_wide(cells: &mut [u8], at: u32, value: u64) {
    let at = at as usize;
    cells[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

impl Cells {
    pub(crate) const EMPTY: Cells = Cells { own: Vec::new(), shared: Bytes::new() };

    /// Replaces the cells by `count` zero cells. Reuses the memory if it is large enough; new memory of at most 32 KiB has
    /// capacity for `room` more bytes.
    #[inline]
    pub(crate) fn start(&mut self, count: usize, room: usize) {
        let all = self.own();
        if all.capacity() < 4 * count {
            *all = zeros(4 * count, room);
        } else {
            all.clear();
            all.resize(4 * count, 0);
        }
    }

    /// Makes clones share the cells.
    #[inline]
    pub(crate) fn share(&mut self) {
        let mut all = std::mem::take(&mut self.own);
        if all.is_empty() {
            return;
        }
        // `Bytes` without spare capacity need no reference count until they are cloned, so a small spare capacity is filled.
        if all.capacity() - all.len() <= 64 {
            all.resize(all.capacity(), 0);
        }
        self.shared = Bytes::from(all);
    }

    /// Returns the memory of these cells for new cells; `None` if a clone shares it.
    pub(crate) fn into_memory(mut self) -> Option<Self> {
        if !self.shared.is_empty() && !self.shared.is_unique() {
            return None;
        }
        self.own();
        Some(self)
    }

    #[inline(always)]
    pub(crate) fn all(&self) -> &[u8] {
        if self.shared.is_empty() { &self.own } else { &self.shared }
    }

    /// Returns the bytes of all cells if they are shared, and otherwise no bytes.
    #[inline(always)]
    pub(crate) fn shared(&self) -> &Bytes {
        &self.shared
    }

    /// Returns a mutable reference to the bytes of all cells.
    #[inline(always)]
    fn own(&mut self) -> &mut Vec<u8> {
        if !self.shared.is_empty() {
            self.take_back();
        }
        &mut self.own
    }

    #[cold]
    #[inline(never)]
    fn take_back(&mut self) {
        self.own = std::mem::take(&mut self.shared).into();
    }

    /// Returns the number of cells. After [`push_bytes`](Self::push_bytes) the last cell may be incomplete.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.all().len().div_ceil(4)
    }

    /// Returns the size of the memory in bytes, including spare capacity.
    pub(crate) fn held(&self) -> usize {
        self.own.capacity() + self.shared.len()
    }

    /// Sets the number of cells: appends zeros, or removes cells from the end.
    #[inline]
    pub(crate) fn resize(&mut self, count: usize) {
        self.own().resize(4 * count, 0);
    }

    #[inline(always)]
    pub(crate) fn truncate(&mut self, count: usize) {
        self.own().truncate(4 * count);
    }

    /// Appends `count` zero cells, and returns the position of the first.
    #[inline]
    pub(crate) fn push_zeros(&mut self, count: usize) -> u32 {
        let at = self.len();
        self.resize(at + count);
        at as u32
    }

    /// Appends bytes, and returns the byte position of the first.
    #[inline]
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) -> usize {
        let all = self.own();
        let at = all.len();
        all.extend_from_slice(bytes);
        at
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: u32) -> u32 {
        let at = 4 * at as usize;
        let &[a, b, c, d] = &self.all()[at..at + 4] else { return 0 };
        u32::from_le_bytes([a, b, c, d])
    }

    #[inline(always)]
    pub(crate) fn get_wide(&self, at: u32) -> u64 {
        let at = 4 * at as usize;
        let &[a, b, c, d, e, f, g, h] = &self.all()[at..at + 8] else { return 0 };
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Returns the number in one or two cells. `mask` selects the bits of one cell or of both. Reads both cells, unless
    /// there is only one.
    #[inline(always)]
    pub(crate) fn get_masked(&self, at: u32, mask: u64) -> u64 {
        let from = 4 * at as usize;
        match self.all().get(from..from + 8) {
            Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]) & mask,
            _ => u64::from(self.get(at)),
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, at: u32, value: u32) {
        let at = 4 * at as usize;
        self.own()[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    #[inline(always)]
    pub(crate) fn set_wide(&mut self, at: u32, value: u64) {
        let at = 4 * at as usize;
        self.own()[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    /// Returns a mutable reference to the bytes of `count` cells from the position `at` on.
    #[inline(always)]
    pub(crate) fn message_mut(&mut self, at: u32, count: u32) -> &mut [u8] {
        let at = 4 * at as usize;
        &mut self.own()[at..at + 4 * count as usize]
    }

    /// Returns the first `len` elements of the list at the position `at`.
    #[inline(always)]
    pub(crate) fn elements(&self, width: Width, at: u32, len: usize) -> Elements<'_> {
        let from = 4 * at as usize;
        let bytes = &self.all()[from..from + len * width.bytes()];
        match width {
            Width::One => Elements::One(bytes),
            Width::Four => Elements::Four(bytes.as_chunks().0),
            Width::Eight => Elements::Eight(bytes.as_chunks().0),
        }
    }

    /// Returns a mutable reference to the bytes of `len` elements of the list at `at`, from the element `first` on.
    #[inline(always)]
    pub(crate) fn elements_mut(&mut self, width: Width, at: u32, first: usize, len: usize) -> &mut [u8] {
        let from = 4 * at as usize + first * width.bytes();
        &mut self.own()[from..from + len * width.bytes()]
    }

    /// Writes an element of the list at the position `at`.
    #[inline(always)]
    pub(crate) fn set_element(&mut self, width: Width, at: u32, index: usize, word: u64) {
        match (width, self.elements_mut(width, at, index, 1)) {
            (Width::One, element) => element.copy_from_slice(&[word as u8]),
            (Width::Four, element) => element.copy_from_slice(&(word as u32).to_le_bytes()),
            (Width::Eight, element) => element.copy_from_slice(&word.to_le_bytes()),
        }
    }

    /// Copies the first `len` elements of the list at the position `from` to the position `to`.
    pub(crate) fn copy_elements(&mut self, width: Width, from: u32, len: usize, to: u32) {
        let (from, to) = (4 * from as usize, 4 * to as usize);
        self.own().copy_within(from..from + len * width.bytes(), to);
    }

    /// Removes an element of the list at the position `at`: moves all elements after it down by one.
    pub(crate) fn remove_element(&mut self, width: Width, at: u32, len: usize, index: usize) {
        let (start, size) = (4 * at as usize, width.bytes());
        self.own().copy_within(start + (index + 1) * size..start + len * size, start + index * size);
    }
}

/// Returns `count` zero bytes. If they are at most `MANY`, allocates capacity for `room` more bytes, and writes the zeros,
/// which for few bytes is faster than allocating zeroed memory.
#[inline]
#[allow(clippy::slow_vector_initialization, reason = "it is the faster one for a few cells")]
fn zeros(count: usize, room: usize) -> Vec<u8> {
    const MANY: usize = 32768;
    if count > MANY {
        return vec![0; count];
    }
    let mut all = Vec::with_capacity(count + room);
    all.resize(count, 0);
    all
}

/// The elements of a list. Each is read as a word: the bits of a number, the range of a string, or the position of a
/// message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elements<'a> {
    One(&'a [u8]),
    Four(&'a [[u8; 4]]),
    Eight(&'a [[u8; 8]]),
}

/// Evaluates an expression with an iterator over the words of a list. There is one copy of the expression for each width,
/// so its loop has no branch on the width.
macro_rules! for_each_width {
    ($elements:expr, $words:ident => $call:expr) => {
        match $elements {
            $crate::object::arena::cells::Elements::One(all) => {
                let $words = all.iter().map(|byte| u64::from(*byte));
                $call
            }
            $crate::object::arena::cells::Elements::Four(all) => {
                let $words = all.iter().map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
                $call
            }
            $crate::object::arena::cells::Elements::Eight(all) => {
                let $words = all.iter().map(|bytes| u64::from_le_bytes(*bytes));
                $call
            }
        }
    };
}
pub(crate) use for_each_width;

impl<'a> Elements<'a> {
    pub(crate) const EMPTY: Elements<'static> = Elements::One(&[]);

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        match self {
            Elements::One(all) => all.len(),
            Elements::Four(all) => all.len(),
            Elements::Eight(all) => all.len(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(self, index: usize) -> Option<u64> {
        match self {
            Elements::One(all) => all.get(index).map(|byte| u64::from(*byte)),
            Elements::Four(all) => all.get(index).map(|bytes| u64::from(u32::from_le_bytes(*bytes))),
            Elements::Eight(all) => all.get(index).map(|bytes| u64::from_le_bytes(*bytes)),
        }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Elements::One(all) => all,
            Elements::Four(all) => all.as_flattened(),
            Elements::Eight(all) => all.as_flattened(),
        }
    }

    /// Returns an iterator over the words of the elements. It branches on the width for each element, so it is for loops
    /// that do much for each element.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = u64> + use<'a> {
        (0..self.len()).map_while(move |index| self.get(index))
    }
}
