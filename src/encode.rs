//! What can be written.
//!
//! Layer 7: names the serde pair and the codecs of the formats of text.

use crate::codec::{json as json_codec, text as text_codec};
use crate::error::Result;
use crate::limits::Limits;
use crate::message::Message;
use crate::options::EncodeOptions;
use crate::serde::{Schema, Written, write, write_message};
use crate::{json, text};
use serde::Serialize;

/// What can be written in a format: typed messages, `dyn Reflect`, [`DynamicMessage`](crate::DynamicMessage).
///
/// The trait is sealed: types come to it by deriving [`Message`] and [`Serialize`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded as a protobuf message",
    note = "derive `tobu::Message` and `tobu::Serialize` on it, or use a descriptor"
)]
pub trait Encode: sealed::Encode {}

impl<T: sealed::Encode + ?Sized> Encode for T {}

pub(crate) mod sealed {
    use crate::error::Result;
    use crate::{json, text};

    /// The formats, one method each.
    pub trait Encode {
        /// Appends JSON; on an error the vector is as it was.
        fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()>;

        /// Appends text; on an error the vector is as it was.
        fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()>;
    }
}

impl<T: Message + Serialize> sealed::Encode for T {
    #[inline]
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        let encoding = encoding(options.limits, options.partial);
        let done = write_message(self, encoding, &mut |message| write_json(message, options, buf));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }

    #[inline]
    fn append_text(&self, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
        let encoding = encoding(options.limits, options.partial);
        let done = write_message(self, encoding, &mut |message| write_text(message, options, buf));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }
}

/// Appends a value as JSON to a buffer, which is as it was where that fails.
pub(crate) fn append_json<T: Serialize + ?Sized>(
    schema: Schema<'_>,
    value: &T,
    options: &json::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let encoding = encoding(options.limits, options.partial);
    let done = write(value, schema, encoding, &mut |message| write_json(message, options, buf));
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
    let done = write(value, schema, encoding, &mut |message| write_text(message, options, buf));
    done.map_err(|error| schema.name(error))
}

/// What of the options the serializer asks for.
fn encoding(limits: Limits, partial: bool) -> EncodeOptions {
    EncodeOptions::new().limits(limits).partial(partial)
}

fn write_json(message: Written<'_>, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
    match message {
        Written::Typed(message) => json_codec::print(message, options, buf),
        Written::Arena(message, table) => match message.message(table) {
            Some(message) => json_codec::print(message, options, buf),
            None => Ok(()),
        },
    }
}

fn write_text(message: Written<'_>, options: &text::Options, buf: &mut Vec<u8>) -> Result<()> {
    match message {
        Written::Typed(message) => text_codec::print(message, options, buf),
        Written::Arena(message, table) => match message.message(table) {
            Some(message) => text_codec::print(message, options, buf),
            None => Ok(()),
        },
    }
}
