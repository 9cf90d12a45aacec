//! Decodes elements from the chunks of the enclosing message.

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::descriptor::{FieldDescriptor, Kind, MessageDescriptor};
use crate::error::{Error, LimitError, Result, WireError};
use crate::message::Message;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::{MapKey, MapKeyRef, Value, ValueRef};
use crate::options::DecodeOptions;
use crate::wire::{Reader, Source, Tag, WireType, Writer, header, skip_number, unzigzag32, unzigzag64, utf8};

/// A decoder for the elements of one repeated field of a message that comes in chunks. It does no I/O, so it fits
/// streams of any kind. It keeps only the incomplete element in memory.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::{Book, Shelf};
/// use tobu::{ElementDecoder, Message};
///
/// let shelf = Shelf { books: vec![Book { title: "Dune".into(), ..Book::default() }; 2], ..Shelf::default() };
/// let mut books = ElementDecoder::new(&Shelf::descriptor(), "books")?;
/// let mut titles = Vec::new();
/// for chunk in tobu::to_vec(&shelf)?.chunks(3) {
///     books.push(chunk);
///     while let Some(book) = books.next_element::<Book>()? {
///         titles.push(book.title);
///     }
/// }
/// books.finish();
/// assert!(books.next_element::<Book>()?.is_none() && books.is_finished());
/// assert_eq!(titles, ["Dune", "Dune"]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The decoder returns the elements that the field would have if the whole message was decoded. Elements of a list
/// (packed or not) and entries of a map come in the order of the input, from all occurrences of the enclosing messages.
/// A later entry may have the same key as an earlier entry.
///
/// The decoder skips other fields as they arrive. It checks only that their wire data is well-formed, and that their lengths do
/// not exceed the enclosing message. It returns an element before it knows later input. So if later input sets another field of
/// a oneof, and thereby replaces a message of the path, the decoder has already returned elements of the replaced message.
#[derive(Debug)]
pub struct ElementDecoder {
    message: MessageDescriptor,
    /// The fields that lead to the elements: singular message fields, and then the repeated field.
    path: Vec<FieldDescriptor>,
    options: DecodeOptions,
    source: Source,
    /// The open messages of the path.
    levels: Vec<OpenMessage>,
    /// The numbers of the open groups inside of these messages: groups that are skipped, or an element that is a group.
    groups: Vec<u32>,
    /// The end of the packed run that is being read.
    run: Option<u64>,
    count: usize,
    failed: bool,
}

#[derive(Clone, Copy, Debug)]
struct OpenMessage {
    /// The latest possible end of the message.
    end: u64,
    /// The field number of the message if it is a group, or 0.
    group: u32,
}

/// The range of an element in the stream.
type Span = (u64, u64);

enum Next {
    Element(Span),
    Nothing,
    /// More input is needed.
    Wait,
}

impl ElementDecoder {
    /// Creates a decoder for the elements of the field at `path`. A path is a list of field names joined by dots. Each
    /// name is the name in the schema or the JSON name. All fields but the last must be singular message fields.
    ///
    /// # Errors
    /// The path does not lead to a repeated field.
    pub fn new(descriptor: &MessageDescriptor, path: &str) -> Result<Self> {
        Self::with_options(descriptor, path, DecodeOptions::new())
    }

    /// Creates a decoder with options. The limits apply to each element, except for the depth, which applies to the
    /// whole message.
    ///
    /// # Errors
    /// The path does not lead to a repeated field.
    pub fn with_options(descriptor: &MessageDescriptor, path: &str, options: DecodeOptions) -> Result<Self> {
        let path = resolve(descriptor, path).map_err(|error| error.within_message(descriptor.full_name()))?;
        Ok(ElementDecoder {
            message: descriptor.clone(),
            path,
            options,
            source: Source::default(),
            levels: vec![OpenMessage { end: u64::MAX, group: 0 }],
            groups: Vec::new(),
            run: None,
            count: 0,
            failed: false,
        })
    }

    /// Adds a chunk of the message.
    pub fn push(&mut self, chunk: &[u8]) {
        self.source.push(chunk);
    }

    /// Marks the end of the message.
    pub fn finish(&mut self) {
        self.source.finish();
    }

    /// Returns the next element, if it is complete. Returns `None` if more input is needed, and at the end.
    ///
    /// # Errors
    /// The message or an element is malformed, exceeds a limit, or does not fit the type. After an error, the decoder
    /// returns no more elements.
    pub fn next_element<T: FromElement>(&mut self) -> Result<Option<T>> {
        while !self.failed {
            let element = match self.next_span() {
                Ok(Some(span)) => self.decode(span),
                Ok(None) => return Ok(None),
                Err(error) => Err(error),
            };
            match element {
                Ok(Some(element)) => {
                    self.count += 1;
                    return Ok(Some(element));
                }
                Ok(None) => {}
                Err(error) => {
                    self.failed = true;
                    let depth = self.options.max_depth();
                    return Err(error.of_max_depth(depth).within_message(self.message.full_name()));
                }
            }
        }
        Ok(None)
    }

    /// True if the whole message was read, or an error was found in it.
    pub fn is_finished(&self) -> bool {
        let is_whole = self.levels.len() == 1 && self.groups.is_empty() && self.run.is_none();
        let is_read = self.source.available(u64::MAX).0.is_empty() && self.source.to_skip() == 0;
        self.failed || self.source.has_ended() && is_whole && is_read
    }

    fn decode<T: FromElement>(&self, (start, end): Span) -> Result<Option<T>> {
        let Some(field) = self.path.last() else { return Ok(None) };
        let (limits, _) = self.options.parts();
        let left = limits.max_depth().saturating_sub(self.path.len() as u32);
        let options = self.options.limits(limits.depth(left));
        T::from_raw(Raw { field, bytes: self.source.bytes(start, end), options })
            .map_err(|error| self.in_element(error.shift_bytes(start)))
    }

    /// Adds the path and the index of the current element to an error.
    fn in_element(&self, error: Error) -> Error {
        let Some((field, above)) = self.path.split_last() else { return error };
        let error = if field.is_map() { error } else { error.in_index(self.count) };
        above.iter().rev().fold(error.in_field(field.name()), |error, field| error.in_field(field.name()))
    }

    /// Adds the path of the innermost open message to an error.
    fn in_level(&self, error: Error) -> Error {
        let open = self.path[..self.levels.len() - 1].iter().rev();
        open.fold(error, |error, field| error.in_field(field.name()))
    }

    fn level(&self) -> OpenMessage {
        *self.levels.last().expect("the outermost message is never closed")
    }

    /// Returns the range of the next element.
    fn next_span(&mut self) -> Result<Option<Span>> {
        loop {
            let skipped = self.source.skip_available();
            self.check_kept()?;
            if !skipped {
                return self.wait();
            }
            let next = match self.run {
                Some(end) if self.source.position() == end => {
                    self.run = None;
                    continue;
                }
                Some(end) => self.number(end)?,
                None => self.field()?,
            };
            match next {
                Next::Element(span) => return Ok(Some(span)),
                Next::Nothing => {}
                Next::Wait => return self.wait(),
            }
        }
    }

    /// Returns `None` if more input may come, or if the message is complete. Otherwise fails, because the input is
    /// truncated.
    fn wait(&self) -> Result<Option<Span>> {
        if !self.source.has_ended() || self.is_finished() {
            return Ok(None);
        }
        let position = self.source.position();
        if self.source.to_skip() > 0 {
            let cause = WireError::Truncated { wanted: self.source.to_skip(), left: 0 };
            return Err(self.in_level(Error::wire(cause, 0).shift_bytes(position)));
        }
        let open = self.groups.last().copied().unwrap_or(self.level().group);
        let cause = match open {
            0 => WireError::Truncated { wanted: self.level().end - position, left: 0 },
            group => WireError::OpenGroup(group),
        };
        Err(self.in_level(Error::wire(cause, 0).shift_bytes(position)))
    }

    /// Checks that an element that is a group is not larger than the limit for elements.
    fn check_kept(&self) -> Result<()> {
        let Some(start) = self.source.kept() else { return Ok(()) };
        let size = self.source.position() + self.source.to_skip() - start;
        // Some bytes of the element may be missing, so the error has the position of the element's start.
        self.check_size(size).map_err(|error| self.in_element(error.shift_bytes(start)))
    }

    fn check_size(&self, size: u64) -> Result<()> {
        let limit = self.options.max_input();
        match size > limit {
            true => Err(Error::limit(LimitError::Input { size, limit }).at_byte(0)),
            false => Ok(()),
        }
    }

    /// Reads a number of a packed run.
    fn number(&mut self, end: u64) -> Result<Next> {
        let (bytes, may_grow) = self.source.available(end);
        let mut reader = Reader::new(bytes);
        let wire_type = self.path.last().map_or(WireType::Varint, |field| field.ty().wire_type());
        match skip_number(&mut reader, wire_type) {
            Ok(()) => {
                let start = self.source.position();
                let len = reader.position();
                self.source.take(len);
                Ok(Next::Element((start, start + len as u64)))
            }
            Err(_) if may_grow && bytes.len() < 10 => Ok(Next::Wait),
            Err(error) => Err(self.in_element(self.source.locate(error))),
        }
    }

    /// Reads the next field of the innermost open message.
    fn field(&mut self) -> Result<Next> {
        let level = self.level();
        if self.groups.is_empty() && level.group == 0 && self.source.position() == level.end {
            self.levels.pop();
            return Ok(Next::Nothing);
        }
        let (bytes, may_grow) = self.source.available(level.end);
        if bytes.is_empty() {
            let open = self.groups.last().copied().unwrap_or(level.group);
            if !may_grow && open != 0 {
                let error = Error::wire(WireError::OpenGroup(open), 0);
                return Err(self.in_level(self.source.locate(error)));
            }
            return Ok(Next::Wait);
        }
        let mut reader = Reader::new(bytes);
        let read = header(&mut reader, level.end - self.source.position());
        let (len, available) = (reader.position(), bytes.len());
        match read {
            Ok((tag, size)) => self.go_on(tag, size, len, available),
            // The longest tag and the longest varint have 15 bytes together.
            Err((_, error)) if may_grow && available < 15 && error.category() != crate::Category::Limit => {
                Ok(Next::Wait)
            }
            Err((tag, error)) => {
                let error = self.source.locate(error);
                let is_element = self.groups.is_empty()
                    && self.levels.len() == self.path.len()
                    && tag.is_some_and(|tag| {
                        Some(tag.number()) == self.path.last().map(FieldDescriptor::number)
                    });
                Err(if is_element { self.in_element(error) } else { self.in_level(error) })
            }
        }
    }

    /// Consumes a field. Its tag and its length or value take `len` of the available bytes. `size` bytes of payload
    /// follow.
    fn go_on(&mut self, tag: Tag, size: u64, len: usize, available: usize) -> Result<Next> {
        match tag.wire_type() {
            WireType::EndGroup => return self.end_group(tag, len),
            WireType::StartGroup => self.check_depth()?,
            _ => {}
        }
        if self.groups.is_empty()
            && let Some(next) = self.field_of_path(tag, size, len, available)?
        {
            return Ok(next);
        }
        self.source.take(len);
        self.source.skip(size);
        if tag.wire_type() == WireType::StartGroup {
            self.groups.push(tag.number());
        }
        Ok(Next::Nothing)
    }

    /// Consumes the next field of the path. Returns `None`, and consumes nothing, if the field is another one or has another
    /// wire type.
    fn field_of_path(&mut self, tag: Tag, size: u64, len: usize, available: usize) -> Result<Option<Next>> {
        let (level, start) = (self.level(), self.source.position());
        let value = start + len as u64;
        let field = &self.path[self.levels.len() - 1];
        if tag.number() != field.number() {
            return Ok(None);
        }
        let is_last = self.levels.len() == self.path.len();
        let own = if field.is_delimited() { WireType::StartGroup } else { field.ty().wire_type() };
        let next = match (tag.wire_type(), own) {
            (WireType::StartGroup, WireType::StartGroup) => {
                self.source.take(len);
                if is_last {
                    self.source.keep();
                    self.groups.push(tag.number());
                } else {
                    self.levels.push(OpenMessage { end: level.end, group: tag.number() });
                }
                Next::Nothing
            }
            (_, WireType::StartGroup) => return Ok(None),
            (WireType::Len, WireType::Len) if !is_last => {
                self.check_depth()?;
                self.source.take(len);
                self.levels.push(OpenMessage { end: value + size, group: 0 });
                Next::Nothing
            }
            (WireType::Len, WireType::Len) => {
                self.check_size(size).map_err(|error| self.in_element(error.shift_bytes(value)))?;
                let left = (available - len) as u64;
                if left < size {
                    return self.wait_for(size, left, value).map(Some);
                }
                self.source.take(len + size as usize);
                Next::Element((value, value + size))
            }
            (WireType::Len, _) => {
                self.source.take(len);
                self.run = Some(value + size);
                Next::Nothing
            }
            (wire_type, own) if wire_type == own => {
                let mut reader = Reader::new(self.source.available(level.end).0);
                reader.tag()?;
                let before = reader.position() as u64;
                self.source.take(len);
                Next::Element((start + before, value))
            }
            _ => return Ok(None),
        };
        Ok(Some(next))
    }

    /// Waits for the rest of an element, of which `left` bytes were received. Fails if the input has ended.
    fn wait_for(&self, wanted: u64, left: u64, at: u64) -> Result<Next> {
        match self.source.has_ended() {
            true => {
                let error = Error::wire(WireError::Truncated { wanted, left }, 0);
                Err(self.in_element(error.shift_bytes(at)))
            }
            false => Ok(Next::Wait),
        }
    }

    /// Checks that one more message or group may be opened.
    fn check_depth(&self) -> Result<()> {
        let depth = self.options.max_depth();
        match self.levels.len() + self.groups.len() < depth as usize {
            true => Ok(()),
            false => {
                let error = self.source.locate(Error::limit(LimitError::Depth(depth)).at_byte(0));
                Err(self.in_level(error))
            }
        }
    }

    fn end_group(&mut self, tag: Tag, len: usize) -> Result<Next> {
        let (start, found) = (self.source.position(), tag.number());
        let open = self.groups.last().copied().unwrap_or(self.level().group);
        if open != found {
            let cause = match open {
                0 => WireError::StrayEndGroup(found),
                wanted => WireError::WrongEndGroup { wanted, found },
            };
            return Err(self.in_level(self.source.locate(Error::wire(cause, 0))));
        }
        self.source.take(len);
        if self.groups.pop().is_none() {
            self.levels.pop();
        }
        match self.source.kept() {
            Some(content) if self.groups.is_empty() => {
                self.source.let_go();
                Ok(Next::Element((content, start)))
            }
            _ => Ok(Next::Nothing),
        }
    }
}

fn resolve(descriptor: &MessageDescriptor, path: &str) -> Result<Vec<FieldDescriptor>> {
    let (mut fields, mut within) = (Vec::<FieldDescriptor>::new(), Some(descriptor.clone()));
    for name in path.split('.') {
        let Some(message) = within else {
            let field = fields.last().map_or("", FieldDescriptor::full_name);
            return Err(Error::schema(format!(
                "the path {path:?} goes into {field}, which is not a single message"
            )));
        };
        let found = message.field_by_name(name).or_else(|| message.field_by_json_name(name));
        let Some(field) = found else {
            let message = message.full_name();
            return Err(Error::schema(format!("the path {path:?}: {message} has no field {name:?}")));
        };
        within = if field.is_list() || field.is_map() { None } else { field.message_type() };
        fields.push(field);
    }
    match fields.last() {
        Some(field) if field.is_list() || field.is_map() => Ok(fields),
        field => {
            let field = field.map_or("", FieldDescriptor::full_name);
            Err(Error::schema(format!("the path {path:?} leads to {field}, which is not repeated")))
        }
    }
}

/// An element of a repeated field of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// An element of a list.
    Value(Value),
    /// An entry of a map. A later entry with the same key replaces this entry.
    Entry(MapKey, Value),
}

/// The types of decoded elements: messages of Rust types, [`Element`], or [`Bytes`]. A `Bytes` contains the bytes that
/// encode the element. If the element is a message, these bytes are its fields. The decoder does not check these bytes.
pub trait FromElement: Sized + FromRaw {}

impl<T: FromRaw> FromElement for T {}

impl<T: Message + DeserializeOwned> FromRaw for T {
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>> {
        let (ours, message) = (T::descriptor(), raw.field.message_type());
        if raw.field.is_map() || message.is_none_or(|message| message.full_name() != ours.full_name()) {
            let field = raw.field.full_name();
            return Err(Error::schema(format!("the elements of {field} are not {}", ours.full_name())));
        }
        raw.options.from_slice(raw.bytes).map(Some)
    }
}

impl FromRaw for Element {
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>> {
        if raw.field.is_map() {
            return entry(raw);
        }
        if let Some(message) = raw.field.message_type() {
            let bytes = Bytes::copy_from_slice(raw.bytes);
            let message = DynamicMessage::decode_bytes_with(&message, bytes, raw.options)?;
            return Ok(Some(Element::Value(Value::Message(message))));
        }
        Ok(value(raw)?.map(Element::Value))
    }
}

impl FromRaw for Bytes {
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>> {
        Ok(Some(Bytes::copy_from_slice(raw.bytes)))
    }
}

/// Decodes an entry as a map with only this entry.
fn entry(raw: Raw<'_>) -> Result<Option<Element>> {
    let mut alone = Writer::new();
    alone.tag(Tag::new(raw.field.number(), WireType::Len));
    alone.len_prefixed(raw.bytes);
    let alone = alone.finish()?;
    let before = alone.len() - raw.bytes.len();
    // The level of the outer message was already counted.
    let (limits, _) = raw.options.parts();
    let options = raw.options.partial(true).limits(limits.depth(limits.max_depth() + 1));
    let parent = raw.field.message();
    let message = DynamicMessage::decode_with(&parent, &alone, options)
        .map_err(|error| error.outside_field().shift_bytes((before as u64).wrapping_neg()))?;
    let mut found = None;
    if let Some(map) = crate::message::reflect::Reflect::get(&message, raw.field)?.as_map() {
        map.visit(&mut |key: MapKeyRef<'_>, value: ValueRef<'_>| {
            found = Some(value.to_value().map(|value| Element::Entry(key.to_key(), value)));
            false
        });
    }
    found.transpose()
}

/// Decodes a number or a text.
fn value(raw: Raw<'_>) -> Result<Option<Value>> {
    let mut reader = Reader::new(raw.bytes);
    Ok(Some(match raw.field.kind() {
        Kind::Double => Value::F64(f64::from_bits(reader.fixed64()?)),
        Kind::Float => Value::F32(f32::from_bits(reader.fixed32()?)),
        Kind::Int32 => Value::I32(reader.varint()? as i32),
        Kind::Int64 => Value::I64(reader.varint()? as i64),
        Kind::UInt32 => Value::U32(reader.varint()? as u32),
        Kind::UInt64 => Value::U64(reader.varint()?),
        Kind::SInt32 => Value::I32(unzigzag32(reader.varint()? as u32)),
        Kind::SInt64 => Value::I64(unzigzag64(reader.varint()?)),
        Kind::Fixed32 => Value::U32(reader.fixed32()?),
        Kind::Fixed64 => Value::U64(reader.fixed64()?),
        Kind::SFixed32 => Value::I32(reader.fixed32()? as i32),
        Kind::SFixed64 => Value::I64(reader.fixed64()? as i64),
        Kind::Bool => Value::Bool(reader.varint()? != 0),
        Kind::Enum(known) => {
            let number = reader.varint()? as i32;
            if known.is_closed() && known.value_by_number(number).is_none() {
                return Ok(None);
            }
            Value::Enum(number)
        }
        Kind::String => match utf8(raw.bytes) {
            Ok(text) => Value::String(text.to_owned()),
            Err(_) if !raw.field.validates_utf8() => Value::Bytes(Bytes::copy_from_slice(raw.bytes)),
            Err(error) => return Err(Error::wire(WireError::Utf8, error.valid_up_to())),
        },
        Kind::Bytes => Value::Bytes(Bytes::copy_from_slice(raw.bytes)),
        Kind::Message(_) => return Ok(None),
    }))
}

/// One encoded element.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    pub(super) field: &'a FieldDescriptor,
    /// The bytes of a number, or the payload of a string, byte string or message.
    pub(super) bytes: &'a [u8],
    pub(super) options: DecodeOptions,
}

/// Converts an element to a value. Returns `None` for an unknown number of a closed enum, because such a number is an unknown
/// field.
pub trait FromRaw: Sized {
    /// # Errors
    /// The element is malformed, or does not fit the type.
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>>;
}
