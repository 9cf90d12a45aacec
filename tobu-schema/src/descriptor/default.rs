//! Parses the default values that fields declare. The type of the field decides how to parse the text of
//! `default_value`.

use std::iter::Peekable;
use std::sync::Arc;

use bytes::Bytes;
use once_cell::sync::OnceCell;

use super::Type;

/// The default value that a field declares.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultValue {
    /// For a `bool`.
    Bool(bool),
    /// For an `int32`, `sint32` or `sfixed32`.
    I32(i32),
    /// For an `int64`, `sint64` or `sfixed64`.
    I64(i64),
    /// For a `uint32` or `fixed32`.
    U32(u32),
    /// For a `uint64` or `fixed64`.
    U64(u64),
    /// For a `float`. The value may be infinite or NaN.
    F32(f32),
    /// For a `double`. The value may be infinite or NaN.
    F64(f64),
    /// For a `string`.
    String(Box<str>),
    /// For `bytes`. The value has no escapes.
    Bytes(Bytes),
    /// The number of an enum value.
    Enum(i32),
}

/// A declared default value, whose text was already checked. A float is parsed when it is read for the first time,
/// so that a program that reads no default values does not contain a parser for floats.
#[derive(Debug)]
pub struct Declared {
    value: OnceCell<DefaultValue>,
    float: Float,
}

#[derive(Debug)]
enum Float {
    No,
    F32(Box<str>),
    F64(Box<str>),
}

impl Declared {
    /// Parses the default value of a scalar type. Returns `None` if the text is not a value of the type.
    pub(super) fn parse(ty: Type, text: &str) -> Option<Arc<Self>> {
        let float = match ty {
            Type::Float if is_float(text) => Float::F32(text.into()),
            Type::Double if is_float(text) => Float::F64(text.into()),
            _ => return parse(ty, text).map(Self::new),
        };
        Some(Arc::new(Declared { value: OnceCell::new(), float }))
    }

    pub(super) fn new(value: DefaultValue) -> Arc<Self> {
        Arc::new(Declared { value: OnceCell::with_value(value), float: Float::No })
    }

    #[doc(hidden)]
    pub fn value(&self) -> &DefaultValue {
        self.value.get_or_init(|| match &self.float {
            Float::F64(text) => DefaultValue::F64(text.parse().unwrap_or_default()),
            Float::F32(text) => DefaultValue::F32(text.parse().unwrap_or_default()),
            Float::No => DefaultValue::Bool(false),
        })
    }
}

fn parse(ty: Type, text: &str) -> Option<DefaultValue> {
    Some(match ty {
        Type::Bool => DefaultValue::Bool(match text {
            "true" => true,
            "false" => false,
            _ => return None,
        }),
        Type::Int32 | Type::SInt32 | Type::SFixed32 => DefaultValue::I32(integer(text)?.try_into().ok()?),
        Type::Int64 | Type::SInt64 | Type::SFixed64 => DefaultValue::I64(integer(text)?.try_into().ok()?),
        Type::UInt32 | Type::Fixed32 => DefaultValue::U32(integer(text)?.try_into().ok()?),
        Type::UInt64 | Type::Fixed64 => DefaultValue::U64(integer(text)?.try_into().ok()?),
        Type::String => DefaultValue::String(text.into()),
        Type::Bytes => DefaultValue::Bytes(unescape(text)?.into()),
        Type::Float | Type::Double | Type::Message | Type::Enum => return None,
    })
}

/// Parses `'-'? (decimal | "0x" hex | "0" octal)`.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let value = i128::from(u64::from_str_radix(digits, radix).ok()?);
    Some(if negative { -value } else { value })
}

/// True for `'-'? ("inf" | "nan") | ('+' | '-')? (digit+ ('.' digit*)? | '.' digit+) (('e' | 'E') ('+' | '-')?
/// digit+)?`. This is what Rust parses as a float, without Rust's other words for infinity and NaN.
fn is_float(text: &str) -> bool {
    let digits = |text: &'_ str| text.bytes().take_while(u8::is_ascii_digit).count();
    if matches!(text, "inf" | "-inf" | "nan" | "-nan") {
        return true;
    }
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let whole = digits(rest);
    let mut rest = &rest[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        fraction = digits(after);
        rest = &after[fraction..];
    }
    if let Some(after) = rest.strip_prefix(['e', 'E']) {
        let after = after.strip_prefix(['+', '-']).unwrap_or(after);
        rest = match digits(after) {
            0 => return false,
            exponent => &after[exponent..],
        };
    }
    whole + fraction > 0 && rest.is_empty()
}

/// Replaces C escapes by the bytes for which they stand. Returns `None` if an escape is not valid.
///
/// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#string>.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes().peekable();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            quoted @ (b'\\' | b'\'' | b'"' | b'?') => quoted,
            digit @ b'0'..=b'7' => digits(&mut bytes, u32::from(digit - b'0'), 8, 2)?,
            b'x' | b'X' if bytes.peek().is_some_and(u8::is_ascii_hexdigit) => digits(&mut bytes, 0, 16, 2)?,
            _ => return None,
        });
    }
    Some(out)
}

/// Reads up to `most` more digits of an escape. `first` is the value of the digits before them. Returns the byte, or `None` if
/// the number is too large.
fn digits(bytes: &mut Peekable<std::str::Bytes<'_>>, first: u32, radix: u32, most: usize) -> Option<u8> {
    let mut value = first;
    for _ in 0..most {
        let Some(digit) = bytes.peek().and_then(|&b| char::from(b).to_digit(radix)) else { break };
        value = value * radix + digit;
        bytes.next();
    }
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::is_float;

    /// The test covers all texts of up to six of these characters.
    #[test]
    fn floats_are_those_of_rust() {
        let mut texts = vec![String::new()];
        let mut start = 0;
        for _ in 0..6 {
            let end = texts.len();
            for at in start..end {
                texts.extend(['1', '.', 'e', 'E', '+', '-'].map(|next| format!("{}{next}", texts[at])));
            }
            start = end;
        }
        for text in &texts {
            assert_eq!(is_float(text), text.parse::<f64>().is_ok(), "{text}");
        }
        for text in ["infinity", "NaN", "+inf", " 1", "1f", "0x1", "1_0", "\u{661}"] {
            assert!(!is_float(text), "{text}");
        }
    }
}
