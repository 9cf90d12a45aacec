//! Gives access to the extensions of messages, which are read from the unknown fields on access.

mod codec;

use crate::codec::wire;
use crate::descriptor::{ExtensionDescriptor, GeneratedFile, MessageDescriptor, OptionsRef};
use crate::error::{Error, Result};
use crate::layout::{FilledFrom, Member};
use crate::limits::Limits;
use crate::message::reflect::{Reflect, Value, check};
use crate::object::{ValueTable, unmakable};
use crate::options::EncodeOptions;
use crate::table::extension_fields;
use crate::wire::{Reader, message_set};
use once_cell::sync::OnceCell;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A type that the value of an extension can have: a type of message members that borrows nothing.
pub trait ExtensionValue: Member + for<'de> FilledFrom<'de> + 'static {}

// The bound `'static` is not enough: a `&'static str` borrows from an input that lives for `'static`.
impl<T: Member + for<'de> FilledFrom<'de> + 'static> ExtensionValue for T {}

/// An extension and the Rust type of its value. `tobu-build` writes one for each extension in a `.proto` file.
///
/// ```
/// # use tobu_schemas::corpus::corpus::v2::{Extensible, NOTE};
/// use tobu::reflect::Extensions;
///
/// let mut message = Extensible::default();
/// assert_eq!(message.extension(&NOTE)?, None);
///
/// message.set_extension(&NOTE, "hello".to_owned())?;
/// assert_eq!(message.extension(&NOTE)?.as_deref(), Some("hello"));
/// assert_eq!(tobu::to_vec(&message)?, b"\xa2\x06\x05hello");
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Extension<T> {
    file: &'static GeneratedFile,
    full_name: &'static str,
    resolved: OnceCell<Result<Resolved<T>, Box<str>>>,
    value: PhantomData<fn() -> T>,
}

/// An extension and the table of its values.
#[derive(Debug)]
struct Resolved<T> {
    extension: ExtensionDescriptor,
    table: ValueTable<T>,
}

impl<T> Extension<T> {
    /// Creates the extension with this full name. `file` declares it.
    pub const fn new(file: &'static GeneratedFile, full_name: &'static str) -> Self {
        Extension { file, full_name, resolved: OnceCell::new(), value: PhantomData }
    }

    /// Returns the full name.
    pub fn full_name(&self) -> &'static str {
        self.full_name
    }
}

impl<T: ExtensionValue> Extension<T> {
    fn resolved(&self) -> Result<&Resolved<T>> {
        let find = || {
            let Some(extension) = self.file.extension(self.full_name) else {
                return Err(format!("there is no extension named {:?}", self.full_name).into());
            };
            match ValueTable::new(&extension) {
                Ok(table) => Ok(Resolved { extension, table }),
                Err(error) => Err(error.to_string().into()),
            }
        };
        match self.resolved.get_or_init(find) {
            Ok(resolved) => Ok(resolved),
            Err(error) => Err(Error::schema(error.to_string())),
        }
    }
}

impl<T> fmt::Debug for Extension<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extension({})", self.full_name)
    }
}

/// Identifies an extension: a typed [`Extension`], or an [`ExtensionDescriptor`] whose values are [`Value`]s.
pub trait ExtensionKey {
    /// The type of the extension's value.
    type Value;

    /// Returns the descriptor of the extension.
    ///
    /// # Errors
    /// The file does not declare the extension, or the Rust type does not fit the extension.
    fn extension_descriptor(&self) -> Result<ExtensionDescriptor>;

    /// Returns the value of the extension from the fields of a message; `None` if it is absent.
    #[doc(hidden)]
    fn read(&self, fields: &[u8]) -> Result<Option<Self::Value>>;

    /// Returns an empty value of the Rust type; for an [`ExtensionDescriptor`], an empty list.
    #[doc(hidden)]
    fn empty(&self) -> Result<Self::Value>;

    /// Encodes the value as an ordinary field.
    #[doc(hidden)]
    fn write(&self, value: Self::Value) -> Result<Vec<u8>>;
}

impl<T: ExtensionValue> ExtensionKey for Extension<T> {
    type Value = T;

    fn extension_descriptor(&self) -> Result<ExtensionDescriptor> {
        Ok(self.resolved()?.extension.clone())
    }

    fn read(&self, fields: &[u8]) -> Result<Option<T>> {
        let Resolved { extension, table } = self.resolved()?;
        let fields = codec::readable(extension.field(), fields);
        if !codec::holds(extension.field(), &fields)? {
            return Ok(None);
        }
        let mut value = self.empty()?;
        let limits = Limits::default();
        let validated = wire::Validated::Never;
        let input = wire::Input { bytes: &fields, shared: None, limits: &limits, partial: true, validated };
        wire::decode(table.fill(&mut value), input, wire::Mode::Fresh)?;
        Ok(Some(value))
    }

    fn empty(&self) -> Result<T> {
        <T as Member>::empty().ok_or_else(unmakable)
    }

    fn write(&self, value: T) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let settings = EncodeOptions::new().partial(true).settings();
        wire::encode(self.resolved()?.table.read(&value), settings, &mut bytes)?;
        Ok(bytes)
    }
}

impl ExtensionKey for ExtensionDescriptor {
    type Value = Value;

    fn extension_descriptor(&self) -> Result<ExtensionDescriptor> {
        Ok(self.clone())
    }

    fn read(&self, fields: &[u8]) -> Result<Option<Value>> {
        codec::read(self.field(), fields)
    }

    fn empty(&self) -> Result<Value> {
        Ok(Value::List(Vec::new()))
    }

    fn write(&self, value: Value) -> Result<Vec<u8>> {
        codec::write(&extension_fields(self)?, self.field(), value)
    }
}

/// Gives access to the extensions of any message, typed or dynamic.
///
/// Extensions are kept as wire bytes among the unknown fields, and read on access. A typed message needs a member that
/// keeps unknown fields, which generated messages have.
pub trait Extensions: Reflect {
    /// Returns the value of an extension; `None` if it is not set.
    ///
    /// # Errors
    /// [`extension_descriptor`](ExtensionKey::extension_descriptor) fails, the extension extends another message, or its value
    /// is malformed.
    fn extension<E: ExtensionKey>(&self, extension: &E) -> Result<Option<E::Value>> {
        let found = extension.extension_descriptor()?;
        let message = self.message_descriptor();
        extends(&found, &message)?;
        of(extension, &message, self.unknown_fields())
    }

    /// Returns the value of an extension. If the extension is not set, returns its default value, an empty message or an empty
    /// list.
    ///
    /// # Errors
    /// Fails if [`extension`](Self::extension) would fail.
    fn extension_or_default<E: ExtensionKey>(&self, extension: &E) -> Result<E::Value> {
        match self.extension(extension)? {
            Some(value) => Ok(value),
            None => default(extension),
        }
    }

    /// True if an extension is set.
    ///
    /// # Errors
    /// Fails if [`extension`](Self::extension) would fail.
    fn has_extension<E: ExtensionKey>(&self, extension: &E) -> Result<bool> {
        Ok(self.extension(extension)?.is_some())
    }

    /// Sets an extension. An empty list clears the extension.
    ///
    /// # Errors
    /// [`extension_descriptor`](ExtensionKey::extension_descriptor) fails, the extension extends another message, the value has
    /// another kind, the unknown fields are malformed, or the type has no member that keeps unknown fields. In these cases the
    /// message is unchanged.
    fn set_extension<E: ExtensionKey>(&mut self, extension: &E, value: E::Value) -> Result<()> {
        let found = extension.extension_descriptor()?;
        let message = self.message_descriptor();
        extends(&found, &message)?;
        let mut value = extension.write(value)?;
        if message.is_message_set() {
            value = message_set::fields_to_items(&value)?;
        }
        let mut fields = without(&found, &message, self.unknown_fields())?;
        fields.extend_from_slice(&value);
        self.set_unknown_fields(&fields)
    }

    /// Clears an extension.
    ///
    /// # Errors
    /// [`extension_descriptor`](ExtensionKey::extension_descriptor) fails, the extension extends another message, the unknown
    /// fields are malformed, or the type has no member that keeps unknown fields.
    fn clear_extension<E: ExtensionKey>(&mut self, extension: &E) -> Result<()> {
        let found = extension.extension_descriptor()?;
        let message = self.message_descriptor();
        extends(&found, &message)?;
        let fields = without(&found, &message, self.unknown_fields())?;
        self.set_unknown_fields(&fields)
    }
}

impl<R: Reflect + ?Sized> Extensions for R {}

/// Returns the value of a custom option; `None` if it is not set.
pub(crate) fn extension_of_options<E: ExtensionKey>(
    options: &OptionsRef<'_>,
    extension: &E,
) -> Result<Option<E::Value>> {
    let found = extension.extension_descriptor()?;
    if found.extendee().full_name() != options.message_name() {
        return Err(other_extendee(&found, options.message_name()));
    }
    of(extension, &found.extendee(), options.encoded())
}

fn of<E: ExtensionKey>(
    extension: &E,
    message: &MessageDescriptor,
    fields: &[u8],
) -> Result<Option<E::Value>> {
    if fields.is_empty() {
        return Ok(None);
    }
    if message.is_message_set() {
        return extension.read(&message_set::items_to_fields(fields)?.0);
    }
    extension.read(fields)
}

fn default<E: ExtensionKey>(extension: &E) -> Result<E::Value> {
    let found = extension.extension_descriptor()?;
    let table = extension_fields(&found)?;
    let value = check::default_of(&table.rows[0]).to_value()?;
    if found.is_list() {
        return extension.empty();
    }
    // Writing and reading converts the value to the Rust type, which may be any type that fits the extension.
    match extension.read(&codec::write(&table, found.field(), value)?)? {
        Some(value) => Ok(value),
        None => extension.empty(),
    }
}

fn extends(extension: &ExtensionDescriptor, message: &MessageDescriptor) -> Result<()> {
    let extendee = extension.extendee();
    if extendee == *message || extendee.full_name() == message.full_name() {
        return Ok(());
    }
    Err(other_extendee(extension, message.full_name()))
}

#[cold]
fn other_extendee(extension: &ExtensionDescriptor, message: &str) -> Error {
    let extendee = extension.extendee();
    Error::ty(format!("{} extends {}, not {message}", extension.full_name(), extendee.full_name()))
}

/// Returns the unknown fields without those of an extension.
fn without(extension: &ExtensionDescriptor, message: &MessageDescriptor, fields: &[u8]) -> Result<Vec<u8>> {
    let (fields, rest): (Cow<'_, [u8]>, _) = if message.is_message_set() {
        let (fields, rest) = message_set::items_to_fields(fields)?;
        (fields.into(), rest)
    } else {
        (fields.into(), Vec::new())
    };
    let mut kept = Vec::with_capacity(fields.len());
    let mut reader = Reader::new(&fields);
    while !reader.is_empty() {
        let start = reader.position();
        let tag = reader.tag()?;
        reader.skip(tag, codec::DEPTH)?;
        if tag.number() != extension.number() {
            kept.extend_from_slice(&fields[start..reader.position()]);
        }
    }
    if message.is_message_set() {
        kept = message_set::fields_to_items(&kept)?;
        kept.extend_from_slice(&rest);
    }
    Ok(kept)
}
