//! Compares messages.

use crate::message::reflect::algebra::{MAX_DEPTH, unknown};
use crate::message::reflect::{MessageRef, Reflect, ValueRef};

/// The options of a comparison. The defaults are those of [`equals`](trait.Reflect.html#method.equals).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equality {
    nan: bool,
    unknown: bool,
}

impl Equality {
    /// Creates the default options: NaN differs from NaN, and unknown fields are compared.
    pub fn new() -> Self {
        Equality { nan: false, unknown: true }
    }

    /// Sets whether NaN equals NaN.
    #[must_use]
    pub fn nan(mut self, equal: bool) -> Self {
        self.nan = equal;
        self
    }

    /// Sets whether unknown fields, which include extensions, are compared.
    #[must_use]
    pub fn unknown_fields(mut self, count: bool) -> Self {
        self.unknown = count;
        self
    }
}

impl Default for Equality {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> dyn Reflect + 'a {
    /// True if both messages have the same type, and the same fields set to equal values.
    ///
    /// The order of map entries does not matter, nor the order of unknown fields with different numbers or wire types. A
    /// message that nests deeper than 100 levels equals no message.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let book = Book { title: "Dune".into(), ..Book::default() };
    /// assert!(book.as_reflect().equals(book.clone().as_reflect()));
    /// assert!(!book.as_reflect().equals(Book::default().as_reflect()));
    /// ```
    pub fn equals(&self, other: &dyn Reflect) -> bool {
        self.equals_with(other, Equality::new())
    }

    /// Does what `equals` does, with options.
    pub fn equals_with(&self, other: &dyn Reflect, how: Equality) -> bool {
        messages(MessageRef::new(self), MessageRef::new(other), how, MAX_DEPTH)
    }
}

fn messages(a: MessageRef<'_>, b: MessageRef<'_>, how: Equality, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let (ours, theirs) = (a.descriptor(), b.descriptor());
    if ours != theirs && ours.full_name() != theirs.full_name() {
        return false;
    }
    let mut others = b.fields();
    for (field, value) in a.fields() {
        match others.next() {
            Some((other, theirs)) if field.number() == other.number() => {
                if !values(value, theirs, how, depth) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    others.next().is_none() && (!how.unknown || unknown::equal(a.unknown_fields(), b.unknown_fields()))
}

/// True if two values of one field are equal.
pub(super) fn values(a: ValueRef<'_>, b: ValueRef<'_>, how: Equality, depth: u32) -> bool {
    match (a, b) {
        (ValueRef::Bool(a), ValueRef::Bool(b)) => a == b,
        (ValueRef::I32(a), ValueRef::I32(b)) | (ValueRef::Enum(a), ValueRef::Enum(b)) => a == b,
        (ValueRef::I64(a), ValueRef::I64(b)) => a == b,
        (ValueRef::U32(a), ValueRef::U32(b)) => a == b,
        (ValueRef::U64(a), ValueRef::U64(b)) => a == b,
        (ValueRef::F32(a), ValueRef::F32(b)) => a == b || (how.nan && a.is_nan() && b.is_nan()),
        (ValueRef::F64(a), ValueRef::F64(b)) => a == b || (how.nan && a.is_nan() && b.is_nan()),
        (ValueRef::Str(a), ValueRef::Str(b)) => a == b,
        (ValueRef::Bytes(a), ValueRef::Bytes(b)) => a == b,
        (ValueRef::Message(a), ValueRef::Message(b)) => messages(a, b, how, depth),
        (ValueRef::List(a), ValueRef::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| values(a, b, how, depth))
        }
        (ValueRef::Map(a), ValueRef::Map(b)) => {
            a.len() == b.len()
                && a.entries()
                    .into_iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| values(a, b, how, depth)))
        }
        _ => false,
    }
}
