//! The differences found, and the types still to compare.

use std::collections::{HashSet, VecDeque};
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

/// Pairs of a writer's and a reader's, each once, in the order in which they were met.
pub(super) struct Pairs<T> {
    seen: HashSet<(T, T)>,
    open: VecDeque<(T, T)>,
}

impl<T: Clone + Eq + Hash> Pairs<T> {
    fn new() -> Self {
        Pairs { seen: HashSet::new(), open: VecDeque::new() }
    }

    pub(super) fn add(&mut self, writer: &T, reader: &T) {
        let pair = (writer.clone(), reader.clone());
        if writer != reader && self.seen.insert(pair.clone()) {
            self.open.push_back(pair);
        }
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
