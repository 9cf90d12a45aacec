//! Paths from a message to a value or message inside it.

use crate::error::{Segment, write_path};
use crate::message::reflect::MapKeyRef;
use std::fmt;

/// The steps from a message to a value inside it. A path prints as `books[3].title`; a map key prints as `copies["x"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Segment>);

impl Path {
    /// Returns the steps, beginning with the outermost step.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    pub(super) fn field(&mut self, name: &str) {
        self.0.push(Segment::Field(name.into()));
    }

    pub(super) fn index(&mut self, index: usize) {
        self.0.push(Segment::Index(index));
    }

    pub(super) fn key(&mut self, key: MapKeyRef<'_>) {
        self.0.push(Segment::Key(key.to_string().into()));
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_path(self.0.iter(), f, true)
    }
}
