//! The types that can be encoded, in each format.
//!
//! Layer 7: names the serializer and the codecs.

use crate::codec::{json as json_codec, text as text_codec, wire as wire_codec};
use crate::dynamic::Draft;
use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::message::Message;
use crate::options::EncodeOptions;
use crate::serde::{Schema, Written, write, write_message};
use crate::{json, text};
use serde::Serialize;

/// Types that can be encoded in each format: typed messages, `dyn Reflect`,
/// [`DynamicMessage`](crate::DynamicMessage).
///
/// The trait is sealed: a type has it when it derives [`Message`] and [`Serialize`].
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
    use crate::error::Result;
    use crate::options::EncodeOptions;
    use crate::{json, text};

    /// The formats, one method each.
    pub trait Encode {
        /// Appends the wire format; on an error the vector is unchanged.
        fn append_wire(&self, options: EncodeOptions, buf: &mut Vec<u8>) -> Result<()>;

        /// The number of bytes of the wire format.
        fn wire_len(&self, options: EncodeOptions) -> Result<usize>;

        /// Appends JSON; on an error the vector is unchanged.
        fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()>;

        /// Appends text; on an error the vector is unchanged.
        fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()>;
    }
}

impl<T: Message + Serialize> sealed::Encode for T {
    #[inline]
    fn append_wire(&self, options: EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
        let done =
            write_message(self, options, Draft::of_bytes, &mut |message| write_wire(message, options, buf));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }

    fn wire_len(&self, options: EncodeOptions) -> Result<usize> {
        let mut size = Ok(0);
        let done = write_message(self, options, Draft::of_bytes, &mut |message| {
            size = checked_len(match message {
                Written::Typed(message) => wire_codec::encoded_len(message, options.settings())? as u64,
                Written::Draft(message, table) => message.take_bytes(table).len() as u64,
            });
            Ok(())
        });
        done.and(size).map_err(|error| Schema::Shape(T::shape()).name(error))
    }

    #[inline]
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        let encoding = encoding(options.limits, options.partial);
        let done =
            write_message(self, encoding, Draft::in_arena, &mut |message| write_json(message, options, buf));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }

    #[inline]
    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        let encoding = encoding(options.limits, options.partial);
        let done =
            write_message(self, encoding, Draft::in_arena, &mut |message| write_text(message, options, buf));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }
}

/// The length of a message, unless it exceeds the limit of the wire format.
pub(crate) fn checked_len(size: u64) -> Result<usize> {
    match usize::try_from(size) {
        Ok(len) if len <= i32::MAX as usize => Ok(len),
        _ => Err(Error::limit(LimitError::Length(size))),
    }
}

/// Appends an encoded value to a buffer, which is as it was where that fails.
#[inline]
pub(crate) fn append_wire<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: EncodeOptions,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let done =
        write(value, schema, options, Draft::of_bytes, &mut |message| write_wire(message, options, buf));
    done.map_err(|error| schema.name(error))
}

/// Appends a value as JSON to a buffer, which is as it was where that fails.
pub(crate) fn append_json<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &json::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let encoding = encoding(options.limits, options.partial);
    let done =
        write(value, schema, encoding, Draft::in_arena, &mut |message| write_json(message, options, buf));
    done.map_err(|error| schema.name(error))
}

/// The same as text.
pub(crate) fn append_text<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &text::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let encoding = encoding(options.limits, options.partial);
    let done =
        write(value, schema, encoding, Draft::in_arena, &mut |message| write_text(message, options, buf));
    done.map_err(|error| schema.name(error))
}

/// The encode options that the serializer needs.
fn encoding(limits: Limits, partial: bool) -> EncodeOptions {
    EncodeOptions::new().limits(limits).partial(partial)
}

#[inline]
fn write_wire(message: Written<'_>, options: EncodeOptions, buf: &mut Vec<u8>) -> Result<()> {
    match message {
        Written::Typed(message) => wire_codec::encode(message, options.settings(), buf),
        Written::Draft(message, table) => {
            append(message.take_bytes(table), buf);
            Ok(())
        }
    }
}

/// Appends to a buffer, or replaces one that has less room.
pub(crate) fn append(bytes: Vec<u8>, buf: &mut Vec<u8>) {
    match buf.is_empty() && buf.capacity() < bytes.len() {
        true => *buf = bytes,
        false => buf.extend_from_slice(&bytes),
    }
}

fn write_json(message: Written<'_>, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
    match message {
        Written::Typed(message) => json_codec::print(message, options, buf),
        Written::Draft(message, table) => match message.message(table) {
            Some(message) => json_codec::print(message, options, buf),
            None => Ok(()),
        },
    }
}

fn write_text(message: Written<'_>, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
    match message {
        Written::Typed(message) => text_codec::print(message, options, buf),
        Written::Draft(message, table) => match message.message(table) {
            Some(message) => text_codec::print(message, options, buf),
            None => Ok(()),
        },
    }
}
