//! Visits every value of a message, with its path.

use crate::descriptor::FieldDescriptor;
use crate::error::{Error, Result};
use crate::message::reflect::algebra::{MAX_DEPTH, Path, in_place, too_deep};
use crate::message::reflect::{
    MapKey, MessageRef, Reflect, ReflectList, ReflectMap, Value, ValueMut, ValueRef,
};
use crate::sort::sort_by;

/// How a visit continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Continue with the next value. If the visited value is a message, enter it first.
    Continue,
    /// Continue with the next value, without entering the visited message.
    Skip,
    /// End the visit.
    Stop,
}

impl<'r> dyn Reflect + 'r {
    /// Calls `visit` with every value of this message and of all nested messages: single values, elements of lists, values
    /// of maps.
    ///
    /// Fields are visited in the order of their numbers, map entries in the order of their keys, and a message before its
    /// fields.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::{Book, Shelf};
    /// use tobu::{Message, reflect::Visit};
    ///
    /// let shelf = Shelf { books: vec![Book { title: "Dune".into(), ..Book::default() }], ..Shelf::default() };
    /// let mut paths = Vec::new();
    /// shelf.as_reflect().visit(|path, _, _| {
    ///     paths.push(path.to_string());
    ///     Visit::Continue
    /// })?;
    /// assert_eq!(paths, ["books[0]", "books[0].title"]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels.
    pub fn visit<'a>(
        &'a self,
        mut visit: impl FnMut(&Path, &FieldDescriptor, ValueRef<'a>) -> Visit,
    ) -> Result<()> {
        let mut walk = Walk { visit: &mut visit, path: Path::default() };
        walk.message(MessageRef::new(self), MAX_DEPTH).map(|_| ())
    }

    /// Visits every value in the same order as the method `visit`. The function `visit` can replace or clear the value.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::{Message, reflect::Visit};
    ///
    /// let mut book = Book { title: "Dune".into(), authors: vec!["F. Herbert".into()], ..Book::default() };
    /// book.as_reflect_mut().visit_mut(|visited| {
    ///     if let Some(text) = visited.value().and_then(|value| value.as_str()).map(str::to_uppercase) {
    ///         visited.set(text)?;
    ///     }
    ///     Ok(Visit::Continue)
    /// })?;
    /// assert_eq!((&*book.title, &*book.authors[0]), ("DUNE", "F. HERBERT"));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels, or `visit` fails.
    pub fn visit_mut(&mut self, mut visit: impl FnMut(&mut Visited<'_>) -> Result<Visit>) -> Result<()> {
        let mut path = Path::default();
        let full_name = self.descriptor();
        message_mut(self, &mut visit, &mut path, MAX_DEPTH)
            .map(|_| ())
            .map_err(|error| error.within_message(full_name.full_name()))
    }
}

struct Walk<'v, F> {
    visit: &'v mut F,
    path: Path,
}

impl<'a, F: FnMut(&Path, &FieldDescriptor, ValueRef<'a>) -> Visit> Walk<'_, F> {
    /// Visits the fields of a message. Returns false if the visit is over.
    fn message(&mut self, message: MessageRef<'a>, depth: u32) -> Result<bool> {
        let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
        for (field, value) in message.fields() {
            self.path.field(field.name());
            let on = match value {
                ValueRef::List(list) => self.each(list.iter().enumerate(), Path::index, &field, depth)?,
                ValueRef::Map(map) => {
                    let value_field = field.map_value();
                    let field = value_field.as_ref().unwrap_or(&field);
                    self.each(map.entries().into_iter(), Path::key, field, depth)?
                }
                single => self.value(&field, single, depth)?,
            };
            self.path.pop();
            if !on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn each<K>(
        &mut self,
        values: impl Iterator<Item = (K, ValueRef<'a>)>,
        step: fn(&mut Path, K),
        field: &FieldDescriptor,
        depth: u32,
    ) -> Result<bool> {
        for (key, value) in values {
            step(&mut self.path, key);
            let on = self.value(field, value, depth)?;
            self.path.pop();
            if !on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value(&mut self, field: &FieldDescriptor, value: ValueRef<'a>, depth: u32) -> Result<bool> {
        match ((self.visit)(&self.path, field, value), value) {
            (Visit::Continue, ValueRef::Message(message)) => self.message(message, depth),
            (Visit::Continue | Visit::Skip, _) => Ok(true),
            (Visit::Stop, _) => Ok(false),
        }
    }
}

/// A field, element or map value that is being visited, as [`visit_mut`](trait.Reflect.html#method.visit_mut) passes it
/// to the visitor.
pub struct Visited<'a> {
    path: &'a Path,
    /// The field of the message that has the value. For the value of a map entry, this is the map field.
    declared: &'a FieldDescriptor,
    field: &'a FieldDescriptor,
    owner: Owner<'a>,
    gone: bool,
}

enum Owner<'a> {
    Message(&'a mut (dyn Reflect + 'a)),
    List(&'a mut (dyn ReflectList + 'a), usize),
    Map(&'a mut (dyn ReflectMap + 'a), &'a MapKey),
}

impl Visited<'_> {
    /// Returns the path of the value.
    pub fn path(&self) -> &Path {
        self.path
    }

    /// Returns the field of the value. For the value of a map entry, this is the field `value` of the entry.
    pub fn field(&self) -> &FieldDescriptor {
        self.field
    }

    /// Returns the field of the message that contains the value. For the value of a map entry, this is the map field.
    pub fn declared(&self) -> &FieldDescriptor {
        self.declared
    }

    /// Returns the value; `None` if it was cleared.
    pub fn value(&self) -> Option<ValueRef<'_>> {
        if self.gone {
            return None;
        }
        match &self.owner {
            Owner::Message(message) => message.get(self.field).ok(),
            Owner::List(list, index) => list.get(*index),
            Owner::Map(map, key) => map.get(key.as_ref()),
        }
    }

    /// Replaces the value.
    ///
    /// # Errors
    /// The value has another kind than the field, or the field was cleared before.
    pub fn set(&mut self, value: impl Into<Value>) -> Result<()> {
        if self.gone {
            return Err(Error::ty("the value was taken away"));
        }
        match &mut self.owner {
            Owner::Message(message) => message.set(self.field, value.into()),
            Owner::List(list, index) => list.set(*index, value.into()),
            Owner::Map(map, key) => map.insert((*key).clone(), value.into()),
        }
    }

    /// Clears the field, or removes the element or the entry.
    ///
    /// # Errors
    /// If the value was cleared before.
    pub fn clear(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.gone, true) {
            return Err(Error::ty("the value was taken away"));
        }
        match &mut self.owner {
            Owner::Message(message) => message.clear(self.field),
            Owner::List(list, index) => list.remove(*index),
            Owner::Map(map, key) => {
                map.remove(key.as_ref());
                Ok(())
            }
        }
    }
}

type Visitor<'v> = &'v mut dyn FnMut(&mut Visited<'_>) -> Result<Visit>;

/// Visits the fields of a message for changes. Returns false if the visit is over.
fn message_mut(message: &mut dyn Reflect, visit: Visitor<'_>, path: &mut Path, depth: u32) -> Result<bool> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    let mut number = 0;
    // The next field is looked up each time, because the visitor may have set or cleared fields.
    while let Some(field) = message.next_field(number).map(|(field, _)| field) {
        number = field.number();
        path.field(field.name());
        let on = in_place(message, &field, |message| {
            if field.is_list() {
                list_mut(message, &field, visit, path, depth)
            } else if let Some(value) = field.map_value() {
                map_mut(message, &field, &value, visit, path, depth)
            } else {
                single_mut(message, &field, visit, path, depth)
            }
        })?;
        path.pop();
        if !on {
            return Ok(false);
        }
    }
    Ok(true)
}

fn single_mut(
    message: &mut dyn Reflect,
    field: &FieldDescriptor,
    visit: Visitor<'_>,
    path: &mut Path,
    depth: u32,
) -> Result<bool> {
    let mut visited = Visited { path, declared: field, field, owner: Owner::Message(message), gone: false };
    match (visit(&mut visited)?, visited.gone) {
        (Visit::Stop, _) => return Ok(false),
        (Visit::Skip, _) | (_, true) => return Ok(true),
        (Visit::Continue, false) => {}
    }
    if field.message_type().is_none() || !message.has(field)? {
        return Ok(true);
    }
    match message.get_mut(field)? {
        ValueMut::Message(mut inner) => {
            message_mut(&mut *inner, visit, path, depth).map_err(|error| error.in_field(field.name()))
        }
        ValueMut::List(_) | ValueMut::Map(_) => Ok(true),
    }
}

fn list_mut(
    message: &mut dyn Reflect,
    field: &FieldDescriptor,
    visit: Visitor<'_>,
    path: &mut Path,
    depth: u32,
) -> Result<bool> {
    let ValueMut::List(mut list) = message.get_mut(field)? else { return Ok(true) };
    let mut index = 0;
    while index < list.len() {
        path.index(index);
        let mut visited =
            Visited { path, declared: field, field, owner: Owner::List(&mut *list, index), gone: false };
        let (how, gone) = (visit(&mut visited)?, visited.gone);
        let mut on = how != Visit::Stop;
        if how == Visit::Continue && !gone && field.message_type().is_some() {
            on = message_mut(&mut *list.get_mut(index)?, visit, path, depth)
                .map_err(|error| error.in_index(index).in_field(field.name()))?;
        }
        path.pop();
        if !on {
            return Ok(false);
        }
        index += usize::from(!gone);
    }
    Ok(true)
}

fn map_mut(
    message: &mut dyn Reflect,
    field: &FieldDescriptor,
    value: &FieldDescriptor,
    visit: Visitor<'_>,
    path: &mut Path,
    depth: u32,
) -> Result<bool> {
    let ValueMut::Map(mut map) = message.get_mut(field)? else { return Ok(true) };
    let mut keys = Vec::with_capacity(map.len());
    map.visit(&mut |key, _| {
        keys.push(key.to_key());
        true
    });
    sort_by(&mut keys, Ord::cmp);
    for key in &keys {
        path.key(key.as_ref());
        let mut visited =
            Visited { path, declared: field, field: value, owner: Owner::Map(&mut *map, key), gone: false };
        let (how, gone) = (visit(&mut visited)?, visited.gone);
        let mut on = how != Visit::Stop;
        if how == Visit::Continue && !gone && value.message_type().is_some() {
            on = message_mut(&mut *map.get_mut(key.clone())?, visit, path, depth)
                .map_err(|error| error.in_key(key).in_field(field.name()))?;
        }
        path.pop();
        if !on {
            return Ok(false);
        }
    }
    Ok(true)
}
