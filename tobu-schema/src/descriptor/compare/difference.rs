//! The differences found, and the types still to compare.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;

use crate::descriptor::{EnumDescriptor, MessageDescriptor};

/// The effect of a difference on reading messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// All values are read; some are called otherwise, or are unknown fields.
    Note,
    /// Some values are changed or lost, or the messages that have them are refused; all others are read.
    Lossy,
    /// A field cannot be read, or would be read as something else.
    Breaking,
}

/// A difference between the descriptor of a writer and that of a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    severity: Severity,
    path: String,
    message: String,
}

impl Difference {
    /// How severe the difference is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The full name of the element that differs: the writer's, or the reader's if the writer does not have it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Describes the difference.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// A walk over pairs of messages and of enums, and the differences found.
pub(super) struct Walk {
    pub(super) found: Vec<Difference>,
    /// Less severe differences are left out.
    least: Severity,
    /// The maximum number of differences.
    pub(super) most: usize,
    pub(super) messages: Pairs<MessageDescriptor>,
    pub(super) enums: Pairs<EnumDescriptor>,
}

/// Pairs of a writer's and a reader's type to compare, in the order in which they were met.
///
/// Types that were compared are in one set, those that they were compared with included. A pair within one set is left out,
/// because its differences follow from those of the pairs that made the set. So there are fewer pairs than types, while two
/// rings of types could meet in all their combinations.
pub(super) struct Pairs<T> {
    open: VecDeque<(T, T)>,
    /// The index of each type into `sets`.
    indices: HashMap<T, usize>,
    /// The index of another member of the set of a type; its own for one that stands for the set.
    sets: Vec<usize>,
}

impl<T: Clone + Eq + Hash> Pairs<T> {
    fn new() -> Self {
        Pairs { open: VecDeque::new(), indices: HashMap::new(), sets: Vec::new() }
    }

    pub(super) fn add(&mut self, writer: &T, reader: &T) {
        let (one, other) = (self.set(writer), self.set(reader));
        if one != other {
            self.sets[one] = other;
            self.open.push_back((writer.clone(), reader.clone()));
        }
    }

    /// The index of the type that stands for the set of a type.
    fn set(&mut self, of: &T) -> usize {
        let mut index = *self.indices.entry(of.clone()).or_insert_with(|| {
            self.sets.push(self.sets.len());
            self.sets.len() - 1
        });
        while self.sets[index] != index {
            // Halves the way for the next search.
            self.sets[index] = self.sets[self.sets[index]];
            index = self.sets[index];
        }
        index
    }

    pub(super) fn next(&mut self) -> Option<(T, T)> {
        self.open.pop_front()
    }
}

impl Walk {
    pub(super) fn new(least: Severity, most: usize) -> Self {
        Walk { found: Vec::new(), least, most, messages: Pairs::new(), enums: Pairs::new() }
    }

    /// Records a difference, if it is of interest.
    pub(super) fn add(&mut self, severity: Severity, path: &str, message: fmt::Arguments<'_>) {
        if severity >= self.least && self.found.len() < self.most {
            self.found.push(Difference { severity, path: path.to_owned(), message: message.to_string() });
        }
    }
}
