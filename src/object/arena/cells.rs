//! The memory of an arena: cells of four bytes. Positions and lengths count cells, unless they say otherwise.

use crate::table::Width;
use bytes::Bytes;

/// The cells of an arena: a vector, or shared bytes. Both are members, so that a reader of shared cells need not ask which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    own: Vec<u8>,
    /// The cells of a parsed message, whose clones share them. The first write takes them back into the vector.
    shared: Bytes,
}

/// What is at a position among the bytes of cells.
#[inline(always)]
pub(crate) fn get(cells: &[u8], at: u32) -> u32 {
    let at = at as usize;
    let &[a, b, c, d] = &cells[at..at + 4] else { return 0 };
    u32::from_le_bytes([a, b, c, d])
}

/// What is in a cell; zero behind the last one.
#[inline(always)]
pub(crate) fn get_or_zero(cells: &[u8], at: u32) -> u32 {
    let at = 4 * at as usize;
    cells.get(at..at + 4).map_or(0, |bytes| get(bytes, 0))
}

/// What is in two cells; zero behind the last one.
#[inline(always)]
pub(crate) fn get_wide_or_zero(cells: &[u8], at: u32) -> u64 {
    let from = 4 * at as usize;
    match cells.get(from..from + 8) {
        Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// Puts 32 bits at a position among the bytes of cells.
#[inline(always)]
pub(crate) fn set(cells: &mut [u8], at: u32, value: u32) {
    let at = at as usize;
    cells[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// Puts 64 bits at a position among the bytes of cells.
#[inline(always)]
pub(crate) fn set_wide(cells: &mut [u8], at: u32, value: u64) {
    let at = at as usize;
    cells[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

impl Cells {
    pub(crate) const EMPTY: Cells = Cells { own: Vec::new(), shared: Bytes::new() };

    /// Replaces the cells by zeros, in their own memory if that is enough. New memory can take `room` more bytes.
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
        // Bytes without spare capacity need no count until they are cloned.
        if all.capacity() - all.len() <= 64 {
            all.resize(all.capacity(), 0);
        }
        self.shared = Bytes::from(all);
    }

    /// The memory of these cells, to be written to; none if a clone shares it.
    pub(crate) fn into_memory(mut self) -> Option<Self> {
        if !self.shared.is_empty() && !self.shared.is_unique() {
            return None;
        }
        self.own();
        Some(self)
    }

    /// The bytes of all cells.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[u8] {
        if self.shared.is_empty() { &self.own } else { &self.shared }
    }

    /// The bytes of all cells, if these are shared.
    #[inline(always)]
    pub(crate) fn shared(&self) -> &Bytes {
        &self.shared
    }

    /// The bytes of all cells, to be changed.
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

    /// How many cells there are. The last one may not be whole, if bytes were added.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.all().len().div_ceil(4)
    }

    /// How many bytes there is memory for.
    pub(crate) fn held(&self) -> usize {
        self.own.capacity() + self.shared.len()
    }

    /// Adds zeros to the end, or takes cells from it.
    #[inline]
    pub(crate) fn resize(&mut self, count: usize) {
        self.own().resize(4 * count, 0);
    }

    #[inline(always)]
    pub(crate) fn truncate(&mut self, count: usize) {
        self.own().truncate(4 * count);
    }

    /// Adds zeros to the end, and returns where they start.
    #[inline]
    pub(crate) fn push_zeros(&mut self, count: usize) -> u32 {
        let at = self.len();
        self.resize(at + count);
        at as u32
    }

    /// Adds bytes to the end, and returns where they start among the bytes of all cells.
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

    /// The number in one or two cells: the mask has the bits of one, or all. Both are read, unless there is only one.
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

    /// The bytes of `count` cells.
    #[inline(always)]
    pub(crate) fn message_mut(&mut self, at: u32, count: u32) -> &mut [u8] {
        let at = 4 * at as usize;
        &mut self.own()[at..at + 4 * count as usize]
    }

    /// Elements of a list that starts at a cell.
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

    /// The bytes of some elements of a list that starts at a cell, from one of them on.
    #[inline(always)]
    pub(crate) fn elements_mut(&mut self, width: Width, at: u32, first: usize, len: usize) -> &mut [u8] {
        let from = 4 * at as usize + first * width.bytes();
        &mut self.own()[from..from + len * width.bytes()]
    }

    /// Puts an element into a list that starts at a cell.
    #[inline(always)]
    pub(crate) fn set_element(&mut self, width: Width, at: u32, index: usize, word: u64) {
        match (width, self.elements_mut(width, at, index, 1)) {
            (Width::One, element) => element.copy_from_slice(&[word as u8]),
            (Width::Four, element) => element.copy_from_slice(&(word as u32).to_le_bytes()),
            (Width::Eight, element) => element.copy_from_slice(&word.to_le_bytes()),
        }
    }

    /// Copies the first elements of a list to where another starts.
    pub(crate) fn copy_elements(&mut self, width: Width, from: u32, len: usize, to: u32) {
        let (from, to) = (4 * from as usize, 4 * to as usize);
        self.own().copy_within(from..from + len * width.bytes(), to);
    }

    /// Moves all elements behind one of a list that starts at a cell, over it.
    pub(crate) fn remove_element(&mut self, width: Width, at: u32, len: usize, index: usize) {
        let (start, size) = (4 * at as usize, width.bytes());
        self.own().copy_within(start + (index + 1) * size..start + len * size, start + index * size);
    }
}

/// Zeros, with capacity for `room` more bytes. For few of them, allocating and then writing zeros is faster than allocating zeroed memory.
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

/// The elements of a list, each as a word: the bits of a number, the range of a string, the position of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elements<'a> {
    One(&'a [u8]),
    Four(&'a [[u8; 4]]),
    Eight(&'a [[u8; 8]]),
}

/// Calls one function with an iterator of each width, so that its loop has no branch on the width.
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

    /// The bytes of all elements.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Elements::One(all) => all,
            Elements::Four(all) => all.as_flattened(),
            Elements::Eight(all) => all.as_flattened(),
        }
    }

    /// Its words, for loops that do much for each.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = u64> + use<'a> {
        (0..self.len()).map_while(move |index| self.get(index))
    }
}
