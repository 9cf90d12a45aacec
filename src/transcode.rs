//! From one format to another over a schema known at run time, with no message in between.
//!
//! Fields go from the input to the output as they come; what is held is bounded by how deep messages nest, and by the
//! keys of a map. Only where JSON could not say in one place what the wire has in several, a field that comes again
//! after others, the message concerned is read a second time with its fields gathered.
//!
//! ```
//! # use tobu::Message;
//! # let descriptor = tobu_schemas::library::v1::Book::descriptor();
//! use tobu::transcode;
//!
//! let mut wire = Vec::new();
//! transcode::json_to_wire(&descriptor, br#"{"title": "Dune", "genre": "GENRE_FICTION"}"#, &mut wire)?;
//!
//! let mut json = Vec::new();
//! transcode::wire_to_json(&descriptor, &wire, &mut json)?;
//! assert_eq!(json, br#"{"title":"Dune","genre":"GENRE_FICTION"}"#);
//! # Ok::<(), tobu::Error>(())
//! ```
//!
//! Layer 4: names `relay`, the sinks and the sources.

mod straight;

use crate::de::{JsonSettings, Source, Wire as FromWire};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, LimitError, Result};
use crate::json::Options;
use crate::json::lex::Cursor;
use crate::plan::PlanSet;
use crate::relay::Relay;
use crate::ser::{Json as ToJson, Sink, at_tip};
use crate::wire::Writer;

/// Turns an encoded message into JSON, appended to `out`; on an error `out` is as it was.
///
/// The result is what reading the message and writing it as JSON would give: unknown fields have no place in it.
///
/// ```
/// # use tobu::Message;
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut json = Vec::new();
/// tobu::transcode::wire_to_json(&descriptor, b"\x08\x05", &mut json)?;
/// assert_eq!(json, b"\"5s\"");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The bytes are malformed or go past a limit, a required field is missing, or there is a value without a form in JSON.
pub fn wire_to_json(descriptor: &MessageDescriptor, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    wire_to_json_with(descriptor, bytes, out, &Options::default())
}

/// [`wire_to_json`] with options.
///
/// # Errors
/// As [`wire_to_json`].
pub fn wire_to_json_with(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    let (size, limit) = (bytes.len() as u64, options.limits.max_input());
    let set = descriptor.plans()?;
    if size > limit {
        let error = Error::limit(LimitError::Input { size, limit });
        return Err(error.in_message(&set.root().full_name));
    }
    let start = out.len();
    let mut sink = ToJson::append_to(std::mem::take(out), options);
    let done = match straight_to_json(set, bytes, &mut sink, options) {
        true => Ok(()),
        false => relay(set, &mut FromWire::new(bytes, false), &mut sink, options),
    };
    *out = sink.out.into_vec();
    if done.is_err() {
        out.truncate(start);
    }
    done
}

/// Does it for messages as they mostly are; false where nothing was written, and the relay is to do it.
fn straight_to_json(set: &PlanSet, bytes: &[u8], sink: &mut ToJson<'_>, options: &Options) -> bool {
    if options.emit_defaults {
        return false;
    }
    let mark = sink.mark();
    let (depth, partial) = (options.limits.max_depth(), options.partial);
    let done = straight::ToJson { sink, set, max_depth: depth, partial }.message(set.root(), bytes, depth);
    if done.is_none() {
        sink.rewind(mark);
    }
    done.is_some()
}

/// Turns JSON into an encoded message, appended to `out`; on an error `out` is as it was.
///
/// ```
/// # use tobu::Message;
/// let descriptor = tobu::types::Duration::descriptor();
/// let mut wire = Vec::new();
/// tobu::transcode::json_to_wire(&descriptor, b"\"5s\"", &mut wire)?;
/// assert_eq!(wire, b"\x08\x05");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The text is malformed or goes past a limit, says what the schema does not have, or a required field is missing; the
/// error tells line, column and field.
pub fn json_to_wire(descriptor: &MessageDescriptor, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
    json_to_wire_with(descriptor, text, out, &Options::default())
}

/// [`json_to_wire`] with options.
///
/// # Errors
/// As [`json_to_wire`].
pub fn json_to_wire_with(
    descriptor: &MessageDescriptor,
    text: &[u8],
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    let set = descriptor.plans()?;
    let start = out.len();
    let (cursor, settings) = (Cursor::of_bytes(text), options.read_settings());
    if text.len() as u64 <= options.limits.max_input()
        && let Some(text) = cursor.whole()
        && straight_to_wire(set, text, out, &settings)
    {
        return Ok(());
    }
    let mut writer = Writer::append_to(std::mem::take(out));
    let done = options.source(cursor, text.len()).and_then(|mut source| {
        at_tip(&mut writer, |sink| relay(set, &mut source, sink, options))?;
        source.finish()
    });
    let whole;
    (*out, whole) = writer.take_or_truncate(start, done.is_ok());
    done.and(whole).map_err(|error| error.in_message(&set.root().full_name))
}

/// The same from JSON.
fn straight_to_wire(set: &PlanSet, text: &str, out: &mut Vec<u8>, settings: &JsonSettings) -> bool {
    let start = out.len();
    let mut writer = Writer::append_to(std::mem::take(out));
    let done = at_tip(&mut writer, |sink| {
        straight::ToWire { sink, set, text, settings }.whole(set.root(), settings.max_depth)
    });
    let whole;
    (*out, whole) = writer.take_or_truncate(start, done.is_some());
    done.is_some() && whole.is_ok()
}

fn relay<'de, S: Source<'de>, K: Sink>(
    set: &PlanSet,
    source: &mut S,
    sink: &mut K,
    options: &Options,
) -> Result<()> {
    let depth = options.limits.max_depth();
    // What the wire does not say need not be written to it.
    let defaults = options.emit_defaults && !K::MERGES;
    let mut relay = Relay { source, sink, set, depth, max_depth: depth, partial: options.partial, defaults };
    let done = relay.message(None, set.root());
    done.map_err(|error| error.of_max_depth(depth).in_message(&set.root().full_name))
}
