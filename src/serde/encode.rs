//! Encodes values in each format.
//!
//! This file is in layer 7 (see DESIGN.md). It uses the serializer and the codecs.

use crate::codec::{json as json_codec, text as text_codec, wire as wire_codec};
use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::message::dynamic::Written;
use crate::message::{Message, described};
use crate::object::{Root, RootType, StructAddress, Typed};
use crate::options::EncodeOptions;
use crate::serde::{Schema, write};
use crate::table::Table;
use crate::wire::into_utf8;
use crate::{json, text};
use serde::Serialize;

/// Types that can be encoded in each format: typed messages, `dyn Reflect`, and
/// [`DynamicMessage`](crate::DynamicMessage).
///
/// The trait is sealed. A type has the trait if it derives [`Message`] and [`Serialize`].
///
/// ```
/// use tobu::{DynamicMessage, Encode, Message, types::StringValue};
///
/// fn sizes<M: Encode + ?Sized>(message: &M) -> tobu::Result<[usize; 2]> {
///     Ok([tobu::to_vec(message)?.len(), tobu::json::to_string(message)?.len()])
/// }
///
/// let typed = StringValue::from("hi");
/// assert_eq!(sizes(&typed)?, [4, 4]);
/// assert_eq!(sizes(typed.as_reflect())?, [4, 4]);
/// assert_eq!(sizes(&DynamicMessage::from_message(&typed)?)?, [4, 4]);
/// # Ok::<(), tobu::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded as a protobuf message",
    note = "derive `tobu::Message` and `tobu::Serialize` on it, or use a descriptor"
)]
pub trait Encode: sealed::Encode {}

impl<T: sealed::Encode + ?Sized> Encode for T {}

pub(crate) mod sealed {
    use super::json_text;
    use crate::error::Result;
    use crate::options::EncodeOptions;
    use crate::{json, text};

    /// Encodes to each of the formats.
    pub trait Encode {
        #[inline]
        fn to_wire(&self, options: &EncodeOptions) -> Result<Vec<u8>> {
            let mut buf = Vec::new();
            self.append_wire(options, &mut buf)?;
            Ok(buf)
        }

        /// Appends the message in the wire format. After an error, the vector is unchanged.
        fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()>;

        fn wire_len(&self, options: &EncodeOptions) -> Result<usize>;

        #[inline]
        fn to_json(&self, options: &json::Options) -> Result<String> {
            let mut buf = Vec::new();
            self.append_json(options, &mut buf)?;
            json_text(buf)
        }

        /// Appends the message as JSON. After an error, the vector is unchanged.
        fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()>;

        /// Appends the message in the text format. After an error, the vector is unchanged.
        fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()>;
    }
}

impl<T: Message + Serialize> sealed::Encode for T {
    #[inline]
    fn to_wire(&self, options: &EncodeOptions) -> Result<Vec<u8>> {
        if T::DIRECT {
            let Root { at, ty } = Root::of(self);
            return root_to_wire(at, ty, options);
        }
        wire_bytes(Schema::Shape(described::<T>()), self, *options)
    }

    #[inline]
    fn append_wire(&self, options: &EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        if T::DIRECT {
            let Root { at, ty } = Root::of(self);
            return append_root(at, ty, options, buf);
        }
        append_wire(Schema::Shape(described::<T>()), self, *options, buf)
    }

    #[inline]
    fn wire_len(&self, options: &EncodeOptions) -> Result<usize> {
        if T::DIRECT {
            return root_len(Root::of(self), options);
        }
        wire_len(Schema::Shape(described::<T>()), self, *options)
    }

    #[inline]
    fn to_json(&self, options: &json::Options) -> Result<String> {
        if T::DIRECT {
            let Root { at, ty } = Root::of(self);
            return root_to_json(at, ty, T::register, options);
        }
        json_string(Schema::Shape(described::<T>()), self, options)
    }

    #[inline]
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        if T::DIRECT {
            let Root { at, ty } = Root::of(self);
            return append_root_json(at, ty, T::register, options, buf);
        }
        append_json(Schema::Shape(described::<T>()), self, options, buf)
    }

    #[inline]
    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        if T::DIRECT {
            return append_root_text(Root::of(self), T::register, options, buf);
        }
        append_text(Schema::Shape(described::<T>()), self, options, buf)
    }
}

/// Encodes a message to the wire format. The `Serialize` of its type is derived by tobu, so this function need not call
/// `Serialize`.
fn root_to_wire(at: StructAddress<'_>, ty: RootType, options: &EncodeOptions) -> Result<Vec<u8>> {
    let mut buf = Vec::new();
    append_root(at, ty, options, &mut buf)?;
    Ok(buf)
}

/// Appends the wire format of a message with tobu's derive.
fn append_root(
    at: StructAddress<'_>,
    ty: RootType,
    options: &EncodeOptions,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let message = Root { at, ty };
    let typed = match message.linked() {
        Some(typed) => Ok(typed),
        None => first(message),
    };
    typed
        .and_then(|typed| wire_codec::encode(typed, options.settings(), buf))
        .map_err(|error| Schema::name_of_root(error, message.shape_fn()))
}

/// Finds the table for the first message of a type.
#[cold]
#[inline(never)]
fn first(message: Root<'_>) -> Result<Typed<'_>> {
    message.bare()
}

/// Returns the number of bytes of a message with tobu's derive.
fn root_len(message: Root<'_>, options: &EncodeOptions) -> Result<usize> {
    message
        .bare()
        .and_then(|typed| typed_len(typed, *options))
        .map_err(|error| Schema::name_of_root(error, message.shape_fn()))
}

/// Returns a message with tobu's derive as JSON. `register` registers the file of its type.
fn root_to_json(
    at: StructAddress<'_>,
    ty: RootType,
    register: fn(),
    options: &json::Options,
) -> Result<String> {
    let mut buf = Vec::new();
    append_root_json(at, ty, register, options, &mut buf)?;
    json_text(buf)
}

/// Converts printed JSON to a string. All strings in it come from `str` values, and the rest is ASCII.
fn json_text(bytes: Vec<u8>) -> Result<String> {
    into_utf8(bytes).map_err(|_| Error::ty("the JSON is not valid UTF-8"))
}

/// Appends a message with tobu's derive as JSON. `register` registers the file of its type.
fn append_root_json(
    at: StructAddress<'_>,
    ty: RootType,
    register: fn(),
    options: &json::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let message = Root { at, ty };
    let done = message.described(register).and_then(|typed| json_codec::print(typed.into(), options, buf));
    done.map_err(|error| Schema::name_of_root(error, message.shape_fn()))
}

/// Appends a message with tobu's derive in the text format. `register` registers the file of its type.
fn append_root_text(
    message: Root<'_>,
    register: fn(),
    options: &text::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let done = message
        .described(register)
        .and_then(|typed| text_codec::print(typed.into(), options, text_codec::KNOWN, buf));
    done.map_err(|error| Schema::name_of_root(error, message.shape_fn()))
}

/// Returns the length of a message, unless it exceeds the limit of the wire format.
pub(crate) fn checked_len(size: u64) -> Result<usize> {
    match usize::try_from(size) {
        Ok(len) if len <= i32::MAX as usize => Ok(len),
        _ => Err(Error::limit(LimitError::Length(size))),
    }
}

fn typed_len(message: Typed<'_>, options: EncodeOptions) -> Result<usize> {
    checked_len(wire_codec::encoded_len(message, options.settings())? as u64)
}

fn wire_len<T: Serialize + ?Sized>(schema: Schema<'_>, value: &T, options: EncodeOptions) -> Result<usize> {
    let (mut written, mut len) = (Written::new(options), 0);
    let done = write(value, schema, &mut written, &mut |message| {
        len = typed_len(message, options)?;
        Ok(())
    });
    complete(done, schema, &mut written, |written, table| {
        len = written.take(table)?.len();
        Ok(())
    })?;
    Ok(len)
}

/// Appends an encoded value to a buffer. After an error, the buffer is unchanged.
#[inline]
pub(crate) fn append_wire<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: EncodeOptions,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let mut written = Written::new(options);
    let done = write(value, schema, &mut written, &mut |message| {
        wire_codec::encode(message, options.settings(), buf)
    });
    complete(done, schema, &mut written, |written, table| {
        append(written.take(table)?, buf);
        Ok(())
    })
}

#[inline]
pub(crate) fn wire_bytes<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: EncodeOptions,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append_wire(schema, value, options, &mut bytes)?;
    Ok(bytes)
}

pub(crate) fn json_string<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &json::Options,
) -> Result<String> {
    let mut buf = Vec::new();
    append_json(schema, value, options, &mut buf)?;
    json_text(buf)
}

/// Appends a value as JSON to a buffer. After an error, the buffer is unchanged.
pub(crate) fn append_json<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &json::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let mut written = Written::new(encoding(options.limits, options.partial));
    let done =
        write(value, schema, &mut written, &mut |message| json_codec::print(message.into(), options, buf));
    complete(done, schema, &mut written, |written, table| match written.build(table)?.message(table) {
        Some(message) => json_codec::print(message.into(), options, buf),
        None => Ok(()),
    })
}

/// Appends a value in the text format to a buffer. After an error, the buffer is unchanged.
pub(crate) fn append_text<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &text::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let mut written = Written::new(encoding(options.limits, options.partial));
    let done = write(value, schema, &mut written, &mut |message| {
        text_codec::print(message.into(), options, text_codec::KNOWN, buf)
    });
    complete(done, schema, &mut written, |written, table| match written.build(table)?.message(table) {
        Some(message) => text_codec::print(message.into(), options, text_codec::KNOWN, buf),
        None => Ok(()),
    })
}

/// If serde wrote a message, calls `on` with this message. A message of a type with tobu's derive was already encoded.
#[inline]
fn complete(
    done: Result<()>,
    schema: Schema<'_>,
    written: &mut Written,
    on: impl FnOnce(&mut Written, &Table) -> Result<()>,
) -> Result<()> {
    let done = match done {
        Ok(()) if written.is_begun() => schema.table().and_then(|table| on(written, table)),
        done => done,
    };
    done.map_err(|error| schema.name(error))
}

fn encoding(limits: Limits, partial: bool) -> EncodeOptions {
    EncodeOptions::new().limits(limits).partial(partial)
}

/// Appends bytes to a buffer. If the buffer is empty and too small, replaces the buffer by the bytes.
pub(crate) fn append(bytes: Vec<u8>, buf: &mut Vec<u8>) {
    match buf.is_empty() && buf.capacity() < bytes.len() {
        true => *buf = bytes,
        false => buf.extend_from_slice(&bytes),
    }
}
