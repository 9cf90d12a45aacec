//! Applies field masks, which select fields of messages by paths such as `author.name`.

use crate::descriptor::{FieldDescriptor, Mask, MessageDescriptor, Paths, Walk};
use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::algebra::{MAX_DEPTH, copy, other_type, too_deep};
use crate::message::reflect::{Reflect, ValueMut, ValueRef};
use crate::table::WellKnown;

/// Checks that every path leads to a field of the message.
#[cfg(feature = "derive")]
pub(crate) fn validate<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P]) -> Result<()> {
    Mask::new(descriptor, paths, Paths::Update).map(|_| ())
}

/// Returns the fields that a path names, from the outermost field to the innermost.
///
/// # Errors
/// A name is not a field, or the field before it is not a single message. Then the rest of the path is not checked.
pub(crate) fn fields(descriptor: &MessageDescriptor, path: &str) -> Result<Vec<FieldDescriptor>> {
    let mut walk = Walk::new(descriptor, path, Paths::Update);
    let mut fields = Vec::new();
    for name in path.split('.') {
        fields.push(walk.next(name)?.clone());
    }
    Ok(fields)
}

impl<'a> dyn Reflect + 'a {
    /// Returns a copy of the fields that the paths name: `title`, `author.name`.
    ///
    /// # Errors
    /// A path does not fit the message, or `to_dynamic` would fail.
    pub fn get_masked<P: AsRef<str>>(&self, paths: &[P]) -> Result<DynamicMessage> {
        let descriptor = self.descriptor();
        let mask = Mask::new(&descriptor, paths, Paths::Update)?;
        let mut out = DynamicMessage::new(&descriptor)?;
        apply(&mut out, self, &mask, How::Merge, MAX_DEPTH)?;
        Ok(out)
    }

    /// Clears every field that no path names, and the unknown fields, in this message and in the messages into which the paths
    /// lead. A message with a special JSON form, such as `google.protobuf.Duration`, is not changed.
    ///
    /// Paths may lead through the elements of lists and the values of maps, as in
    /// [`MessageDescriptorExt::project`](crate::MessageDescriptorExt::project), which decodes only the named fields.
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
    ///     r#"library.v1.Book: the path "title.x" goes into library.v1.Book.title, which holds no messages"#
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A path does not fit the message.
    pub fn trim<P: AsRef<str>>(&mut self, paths: &[P]) -> Result<()> {
        let mask = Mask::new(&self.descriptor(), paths, Paths::Read)?;
        trim(self, &mask)
    }

    /// Sets the fields that the paths name to the values of `other`. A named field that is not set in `other` is cleared. All
    /// other fields are unchanged.
    ///
    /// This implements an update with a mask.
    ///
    /// # Errors
    /// A path does not fit the message, or `merge_from` would fail.
    pub fn apply_masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P]) -> Result<()> {
        self.masked(other, paths, How::Replace)
    }

    /// Merges the fields of `other` that the paths name into this message, by the rules of `merge_from`. All other fields
    /// are unchanged.
    ///
    /// # Errors
    /// A path does not fit the message, or `merge_from` would fail.
    pub fn merge_masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P]) -> Result<()> {
        self.masked(other, paths, How::Merge)
    }

    fn masked<P: AsRef<str>>(&mut self, other: &dyn Reflect, paths: &[P], how: How) -> Result<()> {
        let (ours, theirs) = (self.descriptor(), other.descriptor());
        if ours.full_name() != theirs.full_name() {
            return Err(other_type(ours.full_name(), theirs.full_name()));
        }
        let mask = Mask::new(&ours, paths, Paths::Update)?;
        apply(self, other, &mask, how, MAX_DEPTH).map_err(|error| error.within_message(ours.full_name()))
    }
}

/// How a named field changes if the message already has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Merge,
    Replace,
}

fn apply(into: &mut dyn Reflect, from: &dyn Reflect, mask: &Mask, how: How, depth: u32) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    let (ours, theirs) = (into.descriptor(), from.descriptor());
    let Mask::Fields(fields) = mask else { return Ok(()) };
    for (number, inner) in fields {
        let (Some(field), Some(other)) = (ours.field_by_number(*number), theirs.field_by_number(*number))
        else {
            continue;
        };
        let there = from.has(&other)?;
        if *inner == Mask::Whole {
            if how == How::Replace {
                into.clear(&field)?;
            }
            if there {
                copy::field(into, &field, from.get(&other)?, copy::How::exact(depth))?;
            }
            continue;
        }
        // A message that would stay empty is not created.
        if !there && (how == How::Merge || !into.has(&field)?) {
            continue;
        }
        let value = from.get(&other)?;
        copy::in_place(into, &field, |into| match (into.get_mut(&field)?, value) {
            (ValueMut::Message(mut slot), ValueRef::Message(message)) => {
                apply(&mut *slot, &*message, inner, how, depth).map_err(|error| error.in_field(field.name()))
            }
            _ => Ok(()),
        })?;
    }
    Ok(())
}

fn trim(message: &mut dyn Reflect, mask: &Mask) -> Result<()> {
    let Mask::Fields(fields) = mask else { return Ok(()) };
    // A message with a special JSON form is treated as one value.
    if WellKnown::of(message.descriptor().full_name()) != WellKnown::No {
        return Ok(());
    }
    let mut number = 0;
    while let Some(field) = message.next_field(number).map(|(field, _)| field) {
        number = field.number();
        match Mask::find(fields, number) {
            None => message.clear(&field)?,
            Some(Mask::Whole) => {}
            Some(inner) => copy::in_place(message, &field, |message| match message.get_mut(&field)? {
                ValueMut::Message(mut slot) => trim(&mut *slot, inner),
                ValueMut::List(mut list) => {
                    for index in 0..list.len() {
                        trim(&mut *list.get_mut(index)?, inner)?;
                    }
                    Ok(())
                }
                ValueMut::Map(mut map) => {
                    let mut done = Ok(());
                    map.visit_mut(&mut |_, mut value| {
                        done = trim(&mut *value, inner);
                        done.is_ok()
                    });
                    done
                }
            })?,
        }
    }
    if !message.unknown_fields().is_empty() {
        message.set_unknown_fields(&[])?;
    }
    Ok(())
}
