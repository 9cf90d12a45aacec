//! Puts the values of a record.

use crate::descriptor::FieldDescriptor;
use crate::error::Error;
use crate::message::dynamic::encoder::field::{Field, Key};
use crate::message::dynamic::encoder::kind::{FieldType, KeyType, List, Map, Nested, ValueType};
use crate::message::dynamic::encoder::record::Record;
use crate::message::dynamic::encoder::sealed::Head;
use crate::message::dynamic::encoder::selection::{self, Selection};
use crate::message::reflect::check;
use crate::table::{Kind, Row};
use crate::wire::{Tag, WireType};

impl<'r> Record<'r> {
    /// True if a value for the field would be written now: the field is enabled, and has no value yet. Check this
    /// before you compute a costly value.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// encoder.disable("title")?;
    /// let title = encoder.field::<str>("title")?;
    /// let mut out = Vec::new();
    /// assert!(!encoder.record(&mut out).wants(&title));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    #[inline]
    pub fn wants<T: FieldType + ?Sized>(&self, field: &Field<T>) -> bool {
        field.key.message == self.message && self.open[word(&field.key)] & bit(&field.key) != 0
    }

    /// Puts the value of a field: a number, a string or a byte string.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let (title, pages) = (encoder.field::<str>("title")?, encoder.field::<u32>("pages")?);
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put(&title, "Dune");
    /// record.put(&pages, 412);
    /// record.finish()?;
    /// assert_eq!(out, b"\x0a\x04Dune\x18\x9c\x03");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    #[inline]
    pub fn put<T: ValueType + ?Sized>(&mut self, field: &Field<T>, value: T::Value<'_>) {
        if self.admits(field) {
            self.write(field, value);
        }
    }

    /// Not inlined, so that putting many fields does not generate much code.
    #[inline(never)]
    fn write<T: ValueType + ?Sized>(&mut self, field: &Field<T>, value: T::Value<'_>) {
        let key = &field.key;
        self.close(key);
        if key.is_closed
            && let Some(number) = T::enum_number(&value)
            && let Err(error) = check::member_of(self.row(key), number)
        {
            return self.fail(error.in_field(field.name()));
        }
        if !(key.is_implicit && T::is_default(&value)) {
            T::write(&mut self.cursor, key.head(), value);
        }
    }

    /// Puts the values of a repeated field, packed if the schema says so.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::{Encoder, List};
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let authors = encoder.field::<List<str>>("authors")?;
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_list(&authors, ["Ann", "Bob"]);
    /// record.finish()?;
    /// assert_eq!(out, b"\x12\x03Ann\x12\x03Bob");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn put_list<'v, T: ValueType + ?Sized>(
        &mut self,
        field: &Field<List<T>>,
        values: impl IntoIterator<Item = T::Value<'v>>,
    ) {
        if !self.claim(field) {
            return;
        }
        self.state.unended += 1;
        let mut values = values.into_iter().enumerate().peekable();
        if field.key.is_packed && values.peek().is_some() {
            let open = self.cursor.short_and_open_again(field.key.tag, field.key.tag_len);
            self.elements::<T>(field, Head::untagged(field.key.kind), values);
            self.cursor.close(open);
        } else {
            self.elements::<T>(field, field.key.head(), values);
        }
        self.state.unended -= 1;
    }

    fn elements<'v, T: ValueType + ?Sized>(
        &mut self,
        field: &Field<List<T>>,
        head: Head,
        values: impl Iterator<Item = (usize, T::Value<'v>)>,
    ) {
        for (index, value) in values {
            if field.key.is_closed
                && let Some(number) = T::enum_number(&value)
                && let Err(error) = check::member_of(self.row(&field.key), number)
            {
                return self.fail(error.in_index(index).in_field(field.name()));
            }
            T::write(&mut self.cursor, head, value);
        }
    }

    /// Puts the entries of a map in their order. If two entries have the same key, decoders use the last one.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Shelf::descriptor();
    /// use tobu::dynamic::{Encoder, Map};
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let copies = encoder.field::<Map<str, u32>>("copies")?;
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_map(&copies, [("Oslo", 2)]);
    /// record.finish()?;
    /// assert_eq!(out, b"\x22\x08\x0a\x04Oslo\x10\x02");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn put_map<'k, 'v, K: KeyType + ?Sized, V: ValueType + ?Sized>(
        &mut self,
        field: &Field<Map<K, V>>,
        entries: impl IntoIterator<Item = (K::Value<'k>, V::Value<'v>)>,
    ) {
        if !self.claim(field) {
            return;
        }
        self.state.unended += 1;
        let rows = self.row(&field.key).map();
        for (key, value) in entries {
            let open = self.cursor.short_and_open(field.key.tag, field.key.tag_len);
            K::write(&mut self.cursor, Head::of(&rows.key), key);
            if rows.value.closed
                && let Some(number) = V::enum_number(&value)
                && let Err(error) = check::member_of(&rows.value, number)
            {
                self.fail(error.in_key(K::text(&key)).in_field(field.name()));
            }
            V::write(&mut self.cursor, Head::of(&rows.value), value);
            self.cursor.close(open);
        }
        self.state.unended -= 1;
    }

    /// Puts a message, whose fields the closure puts.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::{Encoder, Nested};
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let loan = encoder.field::<Nested>("loan")?;
    /// let (reader, days) = (loan.field::<str>("reader")?, loan.field::<i32>("days")?);
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_message(&loan, |loan| {
    ///     loan.put(&reader, "Ann");
    ///     loan.put(&days, 3);
    /// });
    /// record.finish()?;
    /// assert_eq!(out, b"\x3a\x07\x0a\x03Ann\x10\x06");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn put_message(&mut self, field: &Field<Nested>, write: impl FnOnce(&mut Record<'_>)) {
        if !self.claim(field) {
            return;
        }
        let part = self.selection.and_then(|selection| selection.part(field.key.index));
        if let Err(error) = self.message(self.row(&field.key), part, write) {
            self.fail(error.in_field(field.name()));
        }
    }

    /// Puts the messages of a repeated field. The closure puts the fields of a message for each item.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Shelf::descriptor();
    /// use tobu::dynamic::{Encoder, List, Nested};
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let books = encoder.field::<List<Nested>>("books")?;
    /// let title = books.field::<str>("title")?;
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_messages(&books, ["Dune", "Emma"], |book, text| book.put(&title, text));
    /// record.finish()?;
    /// assert_eq!(out, b"\x1a\x06\x0a\x04Dune\x1a\x06\x0a\x04Emma");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn put_messages<I: IntoIterator>(
        &mut self,
        field: &Field<List<Nested>>,
        items: I,
        mut write: impl FnMut(&mut Record<'_>, I::Item),
    ) {
        if !self.claim(field) {
            return;
        }
        self.state.unended += 1;
        for (index, item) in items.into_iter().enumerate() {
            if let Err(error) = self.message(self.row(&field.key), None, |record| write(record, item)) {
                self.fail(error.in_index(index).in_field(field.name()));
                break;
            }
        }
        self.state.unended -= 1;
    }

    /// Puts the entries of a map whose values are messages. The closure puts the fields of a message for each item.
    ///
    /// ```
    /// # use tobu::Message;
    /// use tobu::dynamic::{Encoder, Map, Nested};
    ///
    /// // A map from names to messages that each have one of several values.
    /// let mut encoder = Encoder::new(&tobu::types::Struct::descriptor())?;
    /// let fields = encoder.field::<Map<str, Nested>>("fields")?;
    /// let text = fields.field::<str>("string_value")?;
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_message_map(&fields, [("a", "one")], |value, item| value.put(&text, item));
    /// record.finish()?;
    /// assert_eq!(out, b"\x0a\x0a\x0a\x01a\x12\x05\x1a\x03one");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn put_message_map<'k, K: KeyType + ?Sized, T>(
        &mut self,
        field: &Field<Map<K, Nested>>,
        entries: impl IntoIterator<Item = (K::Value<'k>, T)>,
        mut write: impl FnMut(&mut Record<'_>, T),
    ) {
        if !self.claim(field) {
            return;
        }
        self.state.unended += 1;
        let rows = self.row(&field.key).map();
        for (key, item) in entries {
            let open = self.cursor.short_and_open_again(field.key.tag, field.key.tag_len);
            K::write(&mut self.cursor, Head::of(&rows.key), key);
            // The map entry is a message, so it counts as a level, too.
            let depth = self.depth;
            self.depth = depth.saturating_sub(1);
            let done = self.message(&rows.value, None, |record| write(record, item));
            self.depth = depth;
            self.cursor.close(open);
            if let Err(error) = done {
                self.fail(error.in_key(K::text(&key)).in_field(field.name()));
                break;
            }
        }
        self.state.unended -= 1;
    }

    /// Writes a message with its tag and its length or end tag. Does nothing if the record already has an error.
    ///
    /// # Errors
    /// The first error inside the message.
    fn message(
        &mut self,
        row: &'r Row,
        part: Option<&'r Selection>,
        write: impl FnOnce(&mut Record<'_>),
    ) -> Result<(), Error> {
        if self.state.error.is_some() {
            return Ok(());
        }
        if row.kind == Kind::Group {
            self.cursor.short(row.tag_bytes, row.tag_len);
            self.inside(row, part, write);
            self.cursor.varint(u64::from(Tag::new(row.number, WireType::EndGroup).value()));
        } else {
            let open = self.cursor.short_and_open_again(row.tag_bytes, row.tag_len);
            self.inside(row, part, write);
            self.cursor.close(open);
        }
        self.state.error.take().map_or(Ok(()), Err)
    }

    fn inside(
        &mut self,
        row: &'r Row,
        selection: Option<&'r Selection>,
        write: impl FnOnce(&mut Record<'_>),
    ) {
        let Some(depth) = self.depth.checked_sub(1) else { return self.too_deep() };
        let table = row.sub_table();
        let enabled = selection.map_or_else(|| selection::all(table), Selection::bits);
        let taken = self.taken + enabled.len();
        let mut more = Vec::new();
        let room = if self.rest.len() >= enabled.len() {
            &mut *self.rest
        } else {
            // The next record will have enough room.
            self.state.words = self.state.words.max(taken);
            more.resize(enabled.len(), 0);
            &mut more
        };
        let (open, rest) = room.split_at_mut(enabled.len());
        open.copy_from_slice(enabled);
        self.state.unended += 1;
        self.cursor.lend(|cursor| {
            let mut record = Record {
                cursor,
                open,
                enabled,
                message: std::ptr::from_ref(table).addr(),
                last: 0,
                is_unsorted: false,
                depth,
                table,
                selection,
                state: &mut *self.state,
                rest,
                taken,
                root: None,
            };
            write(&mut record);
            record.end();
        });
        self.state.unended -= 1;
    }

    fn row(&self, key: &Key) -> &'r Row {
        let table = self.table;
        &table.rows[usize::from(key.index)]
    }

    /// Checks that the field may be put, and marks it as put. Returns false if it must not be put.
    fn claim<T: ?Sized>(&mut self, field: &Field<T>) -> bool {
        let admitted = self.admits(field);
        if admitted {
            self.close(&field.key);
        }
        admitted
    }

    /// True if the field belongs to this message, is enabled and was not put yet.
    #[inline]
    fn admits<T: ?Sized>(&mut self, field: &Field<T>) -> bool {
        let key = &field.key;
        if key.message == self.message
            && let (Some(open), Some(enabled)) = (self.open.get(word(key)), self.enabled.get(word(key)))
        {
            if open & bit(key) != 0 {
                return true;
            }
            if enabled & bit(key) == 0 {
                return false;
            }
        }
        self.refuse(key, || field.descriptor());
        false
    }

    /// Records that the field was put.
    #[inline]
    fn close(&mut self, key: &Key) {
        self.open[word(key)] &= !bit(key);
        self.is_unsorted |= key.index < self.last;
        self.last = key.index;
        if key.is_in_oneof {
            self.close_oneof(key);
        }
    }

    #[inline(never)]
    fn close_oneof(&mut self, key: &Key) {
        let oneof = self.row(key).oneof.map(|oneof| &self.table.oneofs[usize::from(oneof)]);
        for &index in oneof.iter().flat_map(|oneof| &oneof.rows) {
            self.open[usize::from(index >> 6)] &= !(1 << (index & 63));
        }
    }

    /// Explains why an enabled field cannot be put.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, key: &Key, field: impl FnOnce() -> FieldDescriptor) {
        if key.message != self.message {
            return self.fail(check::foreign(&self.table.full_name, &field()));
        }
        let row = self.row(key);
        let error = match row.oneof.map(|oneof| &self.table.oneofs[usize::from(oneof)].name) {
            Some(oneof) => Error::ty(format!("the oneof {oneof} has a value already")),
            None => Error::ty("the field is put a second time"),
        };
        self.fail(error.in_field(&row.name));
    }
}

#[inline]
fn word(key: &Key) -> usize {
    usize::from(key.index >> 6)
}

#[inline]
fn bit(key: &Key) -> u64 {
    1 << (key.index & 63)
}
