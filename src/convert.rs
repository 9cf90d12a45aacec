//! Converts messages from one format to another. The schema is known at run time, and usually no message is built.
//!
//! The converters write fields in the order of the input. The memory that they use depends only on the nesting depth of
//! messages and the keys of a map. But some inputs are first read into a [`DynamicMessage`]: the text format, JSON that is
//! converted to the text format, and wire bytes that are not canonical, for example because a field occurs again after other
//! fields.
//!
//! ```
//! # use tobu::Message;
//! # let descriptor = tobu_schemas::library::v1::Book::descriptor();
//! use tobu::convert;
//!
//! let mut wire = Vec::new();
//! convert::json_to_wire(&descriptor, br#"{"title": "Dune", "genre": "GENRE_FICTION"}"#, &mut wire)?;
//!
//! let mut json = Vec::new();
//! convert::wire_to_json(&descriptor, &wire, &mut json)?;
//! assert_eq!(json, br#"{"title":"Dune","genre":"GENRE_FICTION"}"#);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! Only the schema matters. Conversions of Rust types ([`member`](crate::member)) are not applied, and bytes are base64 in
//! JSON.
//!
//! This module is in layer 8 (see DESIGN.md). It uses the codecs and dynamic messages.

#[cfg(feature = "streams")]
mod chunked;
#[cfg(all(test, feature = "derive"))]
mod tests;

use crate::codec::Source;
use crate::codec::json::{self as json_codec, ParseSettings, print_wire};
use crate::codec::text as text_codec;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::json::Options;
use crate::message::dynamic::DynamicMessage;
use crate::message::projection::Projection;
use crate::object::wire::sink::WireSink;
use crate::object::wire::sort::Sorter;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::serde::encode::sealed::Encode as _;
use crate::table::Tabled;
use crate::text;
use crate::wire::Writer;
#[cfg(feature = "streams")]
pub use chunked::WireToJson;

use bytes::Bytes;

/// Converts an encoded message to JSON, and appends the JSON to `out`. After an error, `out` is unchanged.
///
/// The output equals that of decoding the message and writing it as JSON. So unknown fields are omitted.
///
/// ```
/// # use tobu::Message;
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut json = Vec::new();
/// tobu::convert::wire_to_json(&descriptor, b"\x08\x05", &mut json)?;
/// assert_eq!(json, b"\"5s\"");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The bytes are malformed or exceed a limit, a required field is missing, or a value has no JSON form.
pub fn wire_to_json(descriptor: &MessageDescriptor, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    wire_to_json_with(descriptor, bytes, out, &Options::default())
}

/// Converts an encoded message to JSON, like [`wire_to_json`], with options.
///
/// # Errors
/// Fails if [`wire_to_json`] would fail.
pub fn wire_to_json_with(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    if print_wire(descriptor.table()?, bytes, options, out) {
        return Ok(());
    }
    let decode = DecodeOptions::new().limits(options.limits).partial(options.partial);
    DynamicMessage::decode_with(descriptor, bytes, decode)?.append_json(options, out)
}

/// Converts selected fields of an encoded message to JSON, like [`wire_to_json`], with options.
///
/// The output equals that of decoding these fields and printing them as JSON. With [`emit_defaults`](Options::emit_defaults),
/// the output has the defaults of the selected fields only.
///
/// ```
/// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
/// use tobu::prelude::*;
/// use tobu::{json, convert};
///
/// let title = descriptor.project(&["title"])?;
/// let mut json = Vec::new();
/// convert::wire_to_json_projected(&title, b"\x0a\x04Dune\x10\x9c\x03", &mut json, &json::Options::new())?;
/// assert_eq!(json, br#"{"title":"Dune"}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`wire_to_json`] would fail, except for errors in skipped fields.
pub fn wire_to_json_projected(
    projection: &Projection,
    bytes: &[u8],
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    let decode = DecodeOptions::new().limits(options.limits).partial(options.partial);
    let table = projection.table()?;
    if projection.check(bytes, decode).is_ok() && print_wire(table, bytes, options, out) {
        return Ok(());
    }
    DynamicMessage::decode_projected(projection, Bytes::copy_from_slice(bytes), decode)?
        .append_json_by(table, options, out)
}

/// Converts JSON to an encoded message, and appends the message to `out`. After an error, `out` is unchanged.
///
/// ```
/// # use tobu::Message;
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut wire = Vec::new();
/// tobu::convert::json_to_wire(&descriptor, b"\"5s\"", &mut wire)?;
/// assert_eq!(wire, b"\x08\x05");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The text is malformed or exceeds a limit, has a field or a value that the schema lacks, or lacks a required field. The error
/// has the line, the column and the field.
pub fn json_to_wire(descriptor: &MessageDescriptor, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
    json_to_wire_with(descriptor, text, out, &Options::default())
}

/// Converts JSON to an encoded message, like [`json_to_wire`], with options.
///
/// # Errors
/// Fails if [`json_to_wire`] would fail.
pub fn json_to_wire_with(
    descriptor: &MessageDescriptor,
    text: &[u8],
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    let table = descriptor.table()?;
    let start = out.len();
    let mut writer = Writer::append_to(std::mem::take(out));
    let mut cursor = writer.cursor();
    let message = WireSink::new(&mut cursor, table).into();
    let settings = ParseSettings { options, borrowed: false, partial: options.partial };
    let parsed = json_codec::parse(message, Source::Bytes(text), settings);
    let whole;
    (*out, whole) = cursor.take_or_truncate(start, parsed.is_ok());
    parsed.and(whole.map_err(|error| error.in_message(&table.full_name)))?;
    match options.deterministic {
        true => Sorter::with_keys().sort(table, &mut out[start..]),
        false => Ok(()),
    }
}

/// Converts an encoded message to the text format, and appends the text to `out`. After an error, `out` is unchanged.
///
/// ```
/// # use tobu::Message;
/// use tobu::{text, convert};
///
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut out = Vec::new();
/// convert::wire_to_text(&descriptor, b"\x08\x05", &mut out, &text::Options::new())?;
/// assert_eq!(out, b"seconds: 5\n");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The bytes are malformed or exceed a limit, or a required field is missing.
pub fn wire_to_text(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    out: &mut Vec<u8>,
    options: &text::Options,
) -> Result<()> {
    if text_codec::print_wire(descriptor.table()?, bytes, options, out) {
        return Ok(());
    }
    let decode = DecodeOptions::new().limits(options.limits).partial(options.partial);
    DynamicMessage::decode_with(descriptor, bytes, decode)?.append_text(options, out)
}

/// Converts the text format to an encoded message, and appends the message to `out`. After an error, `out` is unchanged.
///
/// ```
/// # use tobu::Message;
/// use tobu::{text, convert};
///
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut out = Vec::new();
/// convert::text_to_wire(&descriptor, b"seconds: 5", &mut out, &text::Options::new())?;
/// assert_eq!(out, b"\x08\x05");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The text is malformed or exceeds a limit, has a field or a value that the schema lacks, or lacks a required field. The error
/// has the line, the column and the field.
pub fn text_to_wire(
    descriptor: &MessageDescriptor,
    text: &[u8],
    out: &mut Vec<u8>,
    options: &text::Options,
) -> Result<()> {
    let encode = EncodeOptions::new().limits(options.limits).partial(options.partial);
    DynamicMessage::from_text_with(descriptor, text, options)?.append(out, encode)
}

/// Converts JSON to the text format, and appends the text to `out`. After an error, `out` is unchanged.
///
/// ```
/// # use tobu::Message;
/// use tobu::{json, text, convert};
///
/// let (descriptor, mut out) = (tobu::types::Duration::descriptor(), Vec::new());
/// convert::json_to_text(&descriptor, b"\"5s\"", &mut out, &json::Options::new(), &text::Options::new())?;
/// assert_eq!(out, b"seconds: 5\n");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`json_to_wire`] or [`wire_to_text`] would fail.
pub fn json_to_text(
    descriptor: &MessageDescriptor,
    json: &[u8],
    out: &mut Vec<u8>,
    from: &Options,
    to: &text::Options,
) -> Result<()> {
    DynamicMessage::from_json_with(descriptor, json, from)?.append_text(to, out)
}

/// Converts the text format to JSON, and appends the JSON to `out`. After an error, `out` is unchanged.
///
/// ```
/// # use tobu::Message;
/// use tobu::{json, text, convert};
///
/// let (descriptor, mut out) = (tobu::types::Duration::descriptor(), Vec::new());
/// convert::text_to_json(&descriptor, b"seconds: 5", &mut out, &text::Options::new(), &json::Options::new())?;
/// assert_eq!(out, b"\"5s\"");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// Fails if [`text_to_wire`] or [`wire_to_json`] would fail.
pub fn text_to_json(
    descriptor: &MessageDescriptor,
    text: &[u8],
    out: &mut Vec<u8>,
    from: &text::Options,
    to: &Options,
) -> Result<()> {
    DynamicMessage::from_text_with(descriptor, text, from)?.append_json(to, out)
}
