//! The differences between two messages.

use crate::descriptor::FieldDescriptor;
use crate::message::reflect::algebra::{Equality, MAX_DEPTH, Path, equal, print, unknown};
use crate::message::reflect::{ListRef, MapRef, MessageRef, Reflect, ValueRef};
use crate::sort::sort_by;
use std::fmt;

/// The differences between two messages. [`diff`](trait.Reflect.html#method.diff) returns them.
///
/// A `Diff` prints a line for each change: `pages: 412 -> 413`, `authors[1]: none -> "Ann"`.
#[derive(Default)]
pub struct Diff<'a> {
    changes: Vec<Change<'a>>,
}

/// One difference.
pub struct Change<'a> {
    /// The path of the value.
    pub path: Path,
    /// The old value; `None` if there was no value.
    pub old: Option<ValueRef<'a>>,
    /// The new value; `None` if there is no value.
    pub new: Option<ValueRef<'a>>,
    /// The field of the value; `None` for unknown fields.
    pub field: Option<FieldDescriptor>,
}

impl<'a> Diff<'a> {
    /// True if the messages are equal.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the changes, in the order of field numbers.
    pub fn changes(&self) -> &[Change<'a>] {
        &self.changes
    }
}

impl<'r> dyn Reflect + 'r {
    /// Returns the changes that turn this message into `other`, a message of the same type.
    ///
    /// Elements of lists are compared by their indices, entries of maps by their keys. If only one of the messages has a
    /// nested message, this is one change. NaN equals NaN.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let old = Book { title: "Dune".into(), pages: 412, ..Book::default() };
    /// let new = Book { title: "Dune".into(), authors: vec!["F. Herbert".into()], ..Book::default() };
    /// let diff = old.as_reflect().diff(new.as_reflect());
    /// assert_eq!(diff.to_string(), "authors[0]: none -> \"F. Herbert\"\npages: 412 -> none\n");
    /// ```
    pub fn diff<'a>(&'a self, other: &'a dyn Reflect) -> Diff<'a> {
        let mut walk = Walk { changes: Vec::new(), path: Path::default() };
        walk.messages(MessageRef::new(self), MessageRef::new(other), MAX_DEPTH);
        Diff { changes: walk.changes }
    }
}

/// The equality that a diff uses.
const HOW: fn() -> Equality = || Equality::new().nan(true);

struct Walk<'a> {
    changes: Vec<Change<'a>>,
    path: Path,
}

impl<'a> Walk<'a> {
    fn change(
        &mut self,
        field: Option<&FieldDescriptor>,
        old: Option<ValueRef<'a>>,
        new: Option<ValueRef<'a>>,
    ) {
        self.changes.push(Change { path: self.path.clone(), old, new, field: field.cloned() });
    }

    fn messages(&mut self, old: MessageRef<'a>, new: MessageRef<'a>, depth: u32) {
        let (mut olds, mut news) = (old.fields().peekable(), new.fields().peekable());
        loop {
            let next_old = olds.peek().map_or(u32::MAX, |(field, _)| field.number());
            let next_new = news.peek().map_or(u32::MAX, |(field, _)| field.number());
            let old = if next_old <= next_new { olds.next() } else { None };
            let new = if next_new <= next_old { news.next() } else { None };
            let Some((field, _)) = old.as_ref().or(new.as_ref()) else { break };
            let field = field.clone();
            let (old, new) = (old.map(|(_, value)| value), new.map(|(_, value)| value));
            self.path.field(field.name());
            match (old, new) {
                // For a hidden field, the keys and indices that differ are not shown, because they would reveal something
                // about its value.
                _ if !field.debug_redact() => self.values(&field, old, new, depth),
                (Some(old), Some(new)) if equal::values(old, new, HOW(), depth - 1) => {}
                _ => self.change(Some(&field), old, new),
            }
            self.path.pop();
        }
        let (old, new) = (old.unknown_fields(), new.unknown_fields());
        if !unknown::equal(old, new) {
            let side = |bytes: &'a [u8]| (!bytes.is_empty()).then_some(ValueRef::Bytes(bytes));
            self.path.field("(unknown fields)");
            self.change(None, side(old), side(new));
            self.path.pop();
        }
    }

    fn values(
        &mut self,
        field: &FieldDescriptor,
        old: Option<ValueRef<'a>>,
        new: Option<ValueRef<'a>>,
        depth: u32,
    ) {
        match (old, new) {
            (Some(ValueRef::Message(old)), Some(ValueRef::Message(new))) if depth > 1 => {
                self.messages(old, new, depth - 1);
            }
            (Some(ValueRef::List(old)), Some(ValueRef::List(new))) => {
                self.lists(field, Some(old), Some(new), depth);
            }
            (Some(ValueRef::List(old)), None) => self.lists(field, Some(old), None, depth),
            (None, Some(ValueRef::List(new))) => self.lists(field, None, Some(new), depth),
            (Some(ValueRef::Map(old)), Some(ValueRef::Map(new))) => {
                self.maps(field, Some(old), Some(new), depth);
            }
            (Some(ValueRef::Map(old)), None) => self.maps(field, Some(old), None, depth),
            (None, Some(ValueRef::Map(new))) => self.maps(field, None, Some(new), depth),
            (Some(a), Some(b)) if equal::values(a, b, HOW(), depth - 1) => {}
            (None, None) => {}
            (old, new) => self.change(Some(field), old, new),
        }
    }

    fn lists(
        &mut self,
        field: &FieldDescriptor,
        old: Option<ListRef<'a>>,
        new: Option<ListRef<'a>>,
        depth: u32,
    ) {
        let len = |list: Option<ListRef<'a>>| list.map_or(0, |list| list.len());
        for index in 0..len(old).max(len(new)) {
            self.path.index(index);
            let (old, new) = (old.and_then(|list| list.get(index)), new.and_then(|list| list.get(index)));
            self.values(field, old, new, depth);
            self.path.pop();
        }
    }

    fn maps(
        &mut self,
        field: &FieldDescriptor,
        old: Option<MapRef<'a>>,
        new: Option<MapRef<'a>>,
        depth: u32,
    ) {
        let mut all = Vec::new();
        for map in [old, new].into_iter().flatten() {
            for (key, _) in map.entries() {
                all.push(key);
            }
        }
        sort_by(&mut all, Ord::cmp);
        all.dedup();
        let value_field = field.map_value();
        for key in all {
            self.path.key(key);
            let (old, new) = (old.and_then(|map| map.get(key)), new.and_then(|map| map.get(key)));
            self.values(value_field.as_ref().unwrap_or(field), old, new, depth);
            self.path.pop();
        }
    }
}

impl fmt::Display for Diff<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.iter().try_for_each(|change| writeln!(f, "{change}"))
    }
}

impl fmt::Debug for Diff<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.changes.iter().map(|change| change.to_string())).finish()
    }
}

impl fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path)?;
        self.side(f, self.old)?;
        f.write_str(" -> ")?;
        self.side(f, self.new)
    }
}

impl fmt::Debug for Change<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Change<'_> {
    fn side(&self, f: &mut fmt::Formatter<'_>, value: Option<ValueRef<'_>>) -> fmt::Result {
        // Unknown fields may be secret.
        let shown = self.field.as_ref().filter(|field| !field.debug_redact());
        match (value, shown) {
            (None, _) => f.write_str("none"),
            (Some(_), None) => f.write_str(print::REDACTED),
            (Some(ValueRef::Message(message)), _) => print::braces(f, &*message),
            (Some(value), Some(field)) => print::scalar(f, &field.kind(), value),
        }
    }
}
