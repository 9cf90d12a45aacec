//! How much memory a message may have come to, by what it was decoded from.

use crate::layout::{MessageShape, Storage};

/// How a type grows and what it holds on to, as far as measuring it after each decoding can be spared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// It has members that change without being decoded into, or of which nothing is known: skipped ones, those of users'
    /// types, and messages that are decoded when they are read.
    pub(super) unknown: bool,
    /// It has members that share an input.
    pub(super) shares: bool,
}

impl Growth {
    /// Looks at all types that are reachable from one.
    pub(super) fn of(shape: &'static MessageShape) -> Self {
        let mut growth = Growth::default();
        let (mut seen, mut open) = (vec![shape], vec![shape]);
        while let Some(shape) = open.pop() {
            growth.unknown |= shape.reset_skipped().is_some();
            for member in shape.members {
                for storage in member.storages() {
                    growth.add(storage);
                    if let Some(inner) = storage.message()
                        && !seen.iter().any(|seen| std::ptr::eq(*seen, inner))
                    {
                        seen.push(inner);
                        open.push(inner);
                    }
                }
            }
        }
        growth
    }

    fn add(&mut self, storage: Storage) {
        if storage.lazy().is_some() {
            (self.unknown, self.shares) = (true, true);
        }
        match storage {
            Storage::Text(functions) => {
                self.shares |= functions.shares;
                self.unknown |= functions.conversion.is_some();
            }
            Storage::Option(option) => self.add(option.value()),
            Storage::Box(boxed) => self.add(boxed.content),
            Storage::List(functions) => self.add(functions.element),
            Storage::Map(functions) => {
                self.add(functions.key);
                self.add(functions.value);
            }
            _ => {}
        }
    }

    /// An upper bound of what a message grows by when it is decoded from so many bytes, and its structs take so many.
    ///
    /// A list has at most twice the room that it needs. An element of two bytes takes up to 32, as an empty string does.
    /// An entry of a map is longer, because of its key, and takes no more for each of its bytes.
    pub(super) fn after(input: usize, structs: u64) -> usize {
        let structs = usize::try_from(structs).unwrap_or(usize::MAX);
        structs.saturating_mul(2).saturating_add(input.saturating_mul(32))
    }
}
