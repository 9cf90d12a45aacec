//! Field masks: parts of messages by paths such as `author.name`.

use super::{MAX_DEPTH, copy, other_type, too_deep};
use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::dynamic::DynamicMessage;
use crate::error::{Error, Result};
use crate::reflect::{Reflect, ValueMut, ValueRef};
use std::collections::BTreeMap;

/// The paths of a mask as a tree over field numbers; no children where a path ends, which is all of the field.
#[derive(Default)]
struct Mask(BTreeMap<u32, Mask>);

/// Checks that every path leads to a field of the message.
#[cfg(feature = "derive")]
pub(crate) fn validate<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P]) -> Result<()> {
    Mask::new(descriptor, paths).map(|_| ())
}

impl Mask {
    /// # Errors
    /// A path names no field, or goes through one that is no single message.
    fn new<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P]) -> Result<Self> {
        let mut mask = Mask::default();
        // Shorter paths last: they take away what longer ones asked for inside.
        for path in paths {
            mask.add(descriptor, path.as_ref())
                .map_err(|error| error.within_message(descriptor.full_name()))?;
        }
        Ok(mask)
    }

    fn add(&mut self, descriptor: &MessageDescriptor, path: &str) -> Result<()> {
        let mut node = self;
        let mut whole = false;
        for field in fields(descriptor, path) {
            let number = field?.number();
            if !whole {
                // A node without children that was there before is all of its field, whatever is asked for inside.
                let known = node.0.contains_key(&number);
                node = node.0.entry(number).or_default();
                whole = known && node.0.is_empty();
            }
        }
        if !whole {
            node.0.clear();
        }
        Ok(())
    }
}

/// The fields that a path names, from the outside in.
///
/// # Errors
/// A name is no field, or the field before it is no single message; nothing of use comes after.
pub(crate) fn fields<'a>(
    descriptor: &MessageDescriptor,
    path: &'a str,
) -> impl Iterator<Item = Result<FieldDescriptor>> + use<'a> {
    let mut message = Some(descriptor.clone());
    let mut before: Option<FieldDescriptor> = None;
    path.split('.').map(move |name| {
        let Some(within) = message.take() else {
            let field = before.as_ref().map_or("", FieldDescriptor::full_name);
            return Err(Error::schema(format!(
                "the path {path:?} goes into {field}, which is no single message"
            )));
        };
        let Some(field) = within.field_by_name(name) else {
            return Err(Error::schema(format!(
                "the path {path:?}: {} has no field {name:?}",
                within.full_name()
            )));
        };
        message = if field.is_list() || field.is_map() { None } else { field.message_type() };
        before = Some(field.clone());
        Ok(field)
    })
}

impl<'a> dyn Reflect + 'a {
    /// A copy of the fields that the paths name, and of nothing else: `title`, `author.name`.
    ///
    /// # Errors
    /// A path does not fit the message, or as `to_dynamic`.
    pub fn get_masked<P: AsRef<str>>(&self, paths: &[P]) -> Result<DynamicMessage> {
        let descriptor = self.descriptor();
        let mask = Mask::new(&descriptor, paths)?;
        let mut out = DynamicMessage::new(&descriptor)?;
        apply(&mut out, self, &mask, How::Merge, MAX_DEPTH)?;
        Ok(out)
    }

    /// Clears every field that no path names, unknown fields included.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::{Book, Loan, book::Place};
    /// use tobu::Message;
    ///
    /// let loan = Loan { reader: "Ann".into(), days: 3, ..Loan::default() };
    /// let mut book = Book { title: "Dune".into(), pages: 412, place: Some(Place::Loan(loan)), ..Book::default() };
    /// book.as_reflect_mut().trim(&["title", "loan.days"])?;
    /// assert_eq!(format!("{}", book.as_reflect()), r#"title: "Dune" loan { days: 3 }"#);
    ///
    /// let error = book.as_reflect_mut().trim(&["title.x"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"library.v1.Book: the path "title.x" goes into library.v1.Book.title, which is no single message"#
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A path does not fit the message.
    pub fn trim<P: AsRef<str>>(&mut self, paths: &[P]) -> Result<()> {
        let mask = Mask::new(&self.descriptor(), paths)?;
        trim(self, &mask)
    }

    /// Makes the fields that the paths name as they are in `other`: replaced where it has them, cleared where it has
    /// not. Everything else stays.
    ///
    /// This is what an update with a mask does.
    ///
    /// # Errors
    /// A path does not fit the message, or as `merge_from`.
    pub fn apply_masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P]) -> Result<()> {
        self.masked(other, paths, How::Replace)
    }

    /// `merge_from` of the fields that the paths name.
    ///
    /// # Errors
    /// A path does not fit the message, or as `merge_from`.
    pub fn merge_masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P]) -> Result<()> {
        self.masked(other, paths, How::Merge)
    }

    fn masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P], how: How) -> Result<()> {
        let (ours, theirs) = (self.descriptor(), other.descriptor());
        if ours.full_name() != theirs.full_name() {
            return Err(other_type(ours.full_name(), theirs.full_name()));
        }
        let mask = Mask::new(&ours, paths)?;
        apply(self, other, &mask, how, MAX_DEPTH).map_err(|error| error.within_message(ours.full_name()))
    }
}

/// What becomes of a field that is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Merge,
    Replace,
}

fn apply(into: &mut dyn Reflect, from: &dyn Reflect, mask: &Mask, how: How, depth: u32) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    let (ours, theirs) = (into.descriptor(), from.descriptor());
    for (&number, inner) in &mask.0 {
        let (Some(field), Some(other)) = (ours.field_by_number(number), theirs.field_by_number(number))
        else {
            continue;
        };
        let there = from.has(&other)?;
        if inner.0.is_empty() {
            if how == How::Replace {
                into.clear(&field)?;
            }
            if there {
                copy::field(into, &field, from.get(&other)?, depth)?;
            }
            continue;
        }
        // Where there is nothing, nothing is made only to stay empty.
        if !there && (how == How::Merge || !into.has(&field)?) {
            continue;
        }
        if let (ValueMut::Message(mut slot), ValueRef::Message(message)) =
            (into.get_mut(&field)?, from.get(&other)?)
        {
            apply(&mut *slot, &*message, inner, how, depth).map_err(|error| error.in_field(field.name()))?;
        }
    }
    Ok(())
}

fn trim(message: &mut dyn Reflect, mask: &Mask) -> Result<()> {
    let mut number = 0;
    while let Some(field) = message.next_field(number).map(|(field, _)| field) {
        number = field.number();
        match mask.0.get(&number) {
            None => message.clear(&field)?,
            Some(inner) if inner.0.is_empty() => {}
            Some(inner) => {
                if let ValueMut::Message(mut slot) = message.get_mut(&field)? {
                    trim(&mut *slot, inner)?;
                }
            }
        }
    }
    if !message.unknown_fields().is_empty() {
        message.set_unknown_fields(&[])?;
    }
    Ok(())
}
