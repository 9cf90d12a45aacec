//! Converts text in paths and queries to fields in wire bytes.
//!
//! By default, the text has the form that a value has inside of a JSON string. [`Form`] names other forms.
//!
//! This file is in layer 1 (see DESIGN.md), and uses no other module of this crate.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod go;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use tobu::descriptor::Kind;
use tobu::wire::{Tag, WireType, zigzag32, zigzag64};
use tobu::{EnumDescriptor, FieldDescriptor, MessageDescriptor};

const ANY_PADDING: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, ANY_PADDING);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, ANY_PADDING);

/// The syntax in which a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The text of a JSON string or number.
    Json,
    /// The syntax in which grpc-gateway reads paths: booleans and numbers have the syntax of Go.
    GoPath,
    /// The syntax in which grpc-gateway reads queries: booleans, numbers and durations have the syntax of Go, and
    /// `google.protobuf.Struct` and `google.protobuf.Value` are JSON.
    GoQuery,
}

/// Writes one value of a field. If the field is singular and has no presence, its default value is written only if
/// `keep_default` is true.
///
/// # Errors
/// The text is not a value of the field. The error is a sentence that says why.
pub(crate) fn write(
    field: &FieldDescriptor,
    text: &str,
    form: Form,
    keep_default: bool,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let keep = keep_default || field.has_presence() || field.is_list();
    let number = field.number();
    match field.kind() {
        Kind::Double => {
            let bits = float::<f64>(text, form, "double")?.to_bits();
            fixed64(number, bits, keep, out);
        }
        Kind::Float => {
            let bits = float::<f32>(text, form, "float")?.to_bits();
            fixed32(number, bits, keep, out);
        }
        Kind::Int32 => varint(number, i64::from(signed::<i32>(text, form, "int32")?) as u64, keep, out),
        Kind::Int64 => varint(number, signed::<i64>(text, form, "int64")? as u64, keep, out),
        Kind::UInt32 => varint(number, u64::from(unsigned::<u32>(text, form, "uint32")?), keep, out),
        Kind::UInt64 => varint(number, unsigned::<u64>(text, form, "uint64")?, keep, out),
        Kind::SInt32 => varint(number, u64::from(zigzag32(signed(text, form, "sint32")?)), keep, out),
        Kind::SInt64 => varint(number, zigzag64(signed(text, form, "sint64")?), keep, out),
        Kind::Fixed32 => fixed32(number, unsigned(text, form, "fixed32")?, keep, out),
        Kind::Fixed64 => fixed64(number, unsigned(text, form, "fixed64")?, keep, out),
        Kind::SFixed32 => fixed32(number, signed::<i32>(text, form, "sfixed32")? as u32, keep, out),
        Kind::SFixed64 => fixed64(number, signed::<i64>(text, form, "sfixed64")? as u64, keep, out),
        Kind::Bool => varint(number, u64::from(boolean(text, form)?), keep, out),
        Kind::Enum(descriptor) => {
            varint(number, i64::from(enumeration(&descriptor, text, form)?) as u64, keep, out);
        }
        Kind::String => len_prefixed(number, text.as_bytes(), keep, out),
        Kind::Bytes => {
            // The two alphabets differ only in two characters.
            let engine = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
            let bytes = engine.decode(text).map_err(|_| format!("{text:?} is not base64"))?;
            len_prefixed(number, &bytes, keep, out);
        }
        Kind::Message(message) => {
            let start = out.len();
            known_message(field, &message, text, form, out)?;
            wrap(field, start, out);
        }
    }
    Ok(())
}

/// Writes a message field whose payload the function `write` writes. `guess` is the expected length of the payload. The
/// payload is moved only if the varint of its length is longer or shorter than the varint of `guess`.
///
/// # Errors
/// `write` fails.
pub(crate) fn around<E>(
    field: &FieldDescriptor,
    guess: usize,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let number = field.number();
    if field.is_delimited() {
        put(u64::from(Tag::new(number, WireType::StartGroup).value()), out);
        write(out)?;
        put(u64::from(Tag::new(number, WireType::EndGroup).value()), out);
        return Ok(());
    }
    put(u64::from(Tag::new(number, WireType::Len).value()), out);
    let at = out.len();
    put(guess as u64, out);
    let start = out.len();
    write(out)?;
    let (len, digits) = encode((out.len() - start) as u64);
    out.splice(at..start, len[..digits].iter().copied());
    Ok(())
}

/// Makes the bytes from `start` on the payload of a message field: inserts the tag and the length before them.
pub(crate) fn wrap(field: &FieldDescriptor, start: usize, out: &mut Vec<u8>) {
    let number = field.number();
    if field.is_delimited() {
        insert(start, u64::from(Tag::new(number, WireType::StartGroup).value()), out);
        put(u64::from(Tag::new(number, WireType::EndGroup).value()), out);
        return;
    }
    insert(start, (out.len() - start) as u64, out);
    insert(start, u64::from(Tag::new(number, WireType::Len).value()), out);
}

/// Writes a length-prefixed field. If `keep` is false, an empty value is not written.
pub(crate) fn len_prefixed(number: u32, bytes: &[u8], keep: bool, out: &mut Vec<u8>) {
    if keep || !bytes.is_empty() {
        put(u64::from(Tag::new(number, WireType::Len).value()), out);
        put(bytes.len() as u64, out);
        out.extend_from_slice(bytes);
    }
}

fn varint(number: u32, value: u64, keep: bool, out: &mut Vec<u8>) {
    if keep || value != 0 {
        put(u64::from(Tag::new(number, WireType::Varint).value()), out);
        put(value, out);
    }
}

fn fixed32(number: u32, value: u32, keep: bool, out: &mut Vec<u8>) {
    if keep || value != 0 {
        put(u64::from(Tag::new(number, WireType::Fixed32).value()), out);
        out.extend_from_slice(&value.to_le_bytes());
    }
}

fn fixed64(number: u32, value: u64, keep: bool, out: &mut Vec<u8>) {
    if keep || value != 0 {
        put(u64::from(Tag::new(number, WireType::Fixed64).value()), out);
        out.extend_from_slice(&value.to_le_bytes());
    }
}

fn put(value: u64, out: &mut Vec<u8>) {
    let (bytes, len) = encode(value);
    out.extend_from_slice(&bytes[..len]);
}

fn insert(at: usize, value: u64, out: &mut Vec<u8>) {
    let (bytes, len) = encode(value);
    let end = out.len();
    out.resize(end + len, 0);
    out.copy_within(at..end, at + len);
    out[at..at + len].copy_from_slice(&bytes[..len]);
}

fn encode(mut value: u64) -> ([u8; 10], usize) {
    let (mut bytes, mut len) = ([0; 10], 0);
    while value >= 0x80 {
        bytes[len] = value as u8 | 0x80;
        value >>= 7;
        len += 1;
    }
    bytes[len] = value as u8;
    (bytes, len + 1)
}

fn none_of(text: &str, kind: &str) -> String {
    let article = if kind.starts_with('i') { "an" } else { "a" };
    format!("{text:?} is not {article} {kind}")
}

/// Parses a boolean in the syntax of `form`.
fn boolean(text: &str, form: Form) -> Result<bool, String> {
    let value = match (form, text) {
        (Form::Json, "true") => Some(true),
        (Form::Json, "false") => Some(false),
        (Form::Json, _) => None,
        _ => go::boolean(text),
    };
    value.ok_or_else(|| none_of(text, "bool"))
}

/// Parses a signed integer that fits `T`. The syntax of JSON is `-?(0|[1-9][0-9]*)`. Other forms have the syntax of Go.
fn signed<T: TryFrom<i128>>(text: &str, form: Form, kind: &str) -> Result<T, String> {
    integer(text, form, true).and_then(|value| T::try_from(value).ok()).ok_or_else(|| none_of(text, kind))
}

/// Parses an unsigned integer that fits `T`. The syntax of JSON is `0|[1-9][0-9]*`. Other forms have the syntax of Go.
fn unsigned<T: TryFrom<i128>>(text: &str, form: Form, kind: &str) -> Result<T, String> {
    integer(text, form, false).and_then(|value| T::try_from(value).ok()).ok_or_else(|| none_of(text, kind))
}

fn integer(text: &str, form: Form, is_signed: bool) -> Option<i128> {
    match form {
        Form::Json => {
            let digits = if is_signed { text.strip_prefix('-').unwrap_or(text) } else { text };
            is_digits(digits).then(|| text.parse().ok()).flatten()
        }
        Form::GoPath | Form::GoQuery => go::integer(text, is_signed),
    }
}

fn is_digits(text: &str) -> bool {
    text == "0"
        || (text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0') && !text.is_empty())
}

trait Float: std::str::FromStr + Copy {
    const NAN: Self;
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    fn is_finite(self) -> bool;
}

impl Float for f64 {
    const NAN: Self = f64::NAN;
    const INFINITY: Self = f64::INFINITY;
    const NEG_INFINITY: Self = f64::NEG_INFINITY;
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

impl Float for f32 {
    const NAN: Self = f32::NAN;
    const INFINITY: Self = f32::INFINITY;
    const NEG_INFINITY: Self = f32::NEG_INFINITY;
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

/// Parses a number, or one of the words for infinity and NaN. In the syntax of JSON, these words are `NaN`, `Infinity` and
/// `-Infinity`.
fn float<T: Float>(text: &str, form: Form, kind: &str) -> Result<T, String> {
    if form != Form::Json {
        let value = go::is_float(text).then(|| text.parse::<T>().ok()).flatten();
        // Rust parses a number that is too large as infinity. Only a word may mean infinity.
        let is_word = text.contains(['i', 'I', 'n', 'N']);
        return value.filter(|value| value.is_finite() || is_word).ok_or_else(|| none_of(text, kind));
    }
    match text {
        "NaN" => return Ok(T::NAN),
        "Infinity" => return Ok(T::INFINITY),
        "-Infinity" => return Ok(T::NEG_INFINITY),
        _ => {}
    }
    let value = is_number(text).then(|| text.parse::<T>().ok()).flatten();
    value.filter(|value| value.is_finite()).ok_or_else(|| none_of(text, kind))
}

/// True for a number in the syntax of JSON: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
fn is_number(text: &str) -> bool {
    let some_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (text, exponent) = match text.split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (text, "0"),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    is_digits(whole) && some_digits(fraction) && some_digits(exponent)
}

/// Returns the number of the enum value whose name or number is `text`.
fn enumeration(descriptor: &EnumDescriptor, text: &str, form: Form) -> Result<i32, String> {
    if let Some(value) = descriptor.value_by_json_name(text) {
        return Ok(value.number());
    }
    if text == "null" && descriptor.full_name() == "google.protobuf.NullValue" {
        return Ok(0);
    }
    let number = signed::<i32>(text, form, "enum").ok();
    let any = form == Form::Json && !descriptor.is_closed();
    let known = |number: &i32| any || descriptor.value_by_number(*number).is_some();
    number.filter(known).ok_or_else(|| format!("{text:?} is not a value of {}", descriptor.full_name()))
}

/// True for messages that ProtoJSON writes as one scalar value. In paths and queries, this value is written as text.
pub(crate) fn has_text_form(message: &MessageDescriptor) -> bool {
    let name = message.full_name().strip_prefix("google.protobuf.").unwrap_or_default();
    matches!(name, "Timestamp" | "Duration" | "FieldMask") || is_wrapper(name)
}

fn is_wrapper(name: &str) -> bool {
    let value = name.strip_suffix("Value").unwrap_or_default();
    matches!(
        value,
        "Bool" | "Int32" | "Int64" | "UInt32" | "UInt64" | "Float" | "Double" | "String" | "Bytes"
    )
}

/// Writes the payload of a message that `text` gives as one value.
fn known_message(
    field: &FieldDescriptor,
    message: &MessageDescriptor,
    text: &str,
    form: Form,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    match message.full_name().strip_prefix("google.protobuf.").unwrap_or_default() {
        "Duration" if form == Form::GoQuery => {
            let json = go::duration(text).ok_or_else(|| none_of(text, "duration"))?;
            known_message(field, message, &json, Form::Json, out)
        }
        "Struct" | "Value" if form == Form::GoQuery => {
            tobu::convert::json_to_wire(message, text.as_bytes(), out).map_err(|error| error.message())
        }
        "Timestamp" | "Duration" => {
            let quoted = serde_json::to_string(text).map_err(|error| error.to_string())?;
            tobu::convert::json_to_wire(message, quoted.as_bytes(), out).map_err(|error| error.message())
        }
        "FieldMask" => field_mask(text, out),
        name if is_wrapper(name) => match message.field_by_number(1) {
            Some(value) => write(&value, text, form, false, out),
            None => Err(not_plain(field, message)),
        },
        _ => Err(not_plain(field, message)),
    }
}

fn not_plain(field: &FieldDescriptor, message: &MessageDescriptor) -> String {
    let name = message.full_name();
    // No path can name a field inside the elements of a list or a map.
    let is_closed = field.is_list()
        || field.message().is_map_entry()
        || matches!(name, "google.protobuf.Struct" | "google.protobuf.ListValue");
    let instead = if is_closed { "it goes into the body" } else { "name a field in it" };
    format!("a {name} has no form in a path or query; {instead}")
}

/// Writes the paths of a field mask. The names may be in lowerCamelCase, as in JSON, or in snake_case, as in the schema.
fn field_mask(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    for path in text.split(',').filter(|_| !text.is_empty()) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
        if path.split('.').any(str::is_empty) || !path.bytes().all(plain) {
            return Err(format!("{path:?} is not a path of a field mask"));
        }
        let mut snake = String::with_capacity(path.len() + 4);
        for letter in path.chars() {
            if letter.is_ascii_uppercase() && !path.contains('_') {
                snake.push('_');
                snake.push(letter.to_ascii_lowercase());
            } else {
                snake.push(letter);
            }
        }
        len_prefixed(1, snake.as_bytes(), true, out);
    }
    Ok(())
}
