//! Types of your own as strings and bytes of messages.
//!
//! Strings and bytes are members of types that the library knows, as `String`, `Arc<str>` and `Vec<u8>`, or of any other type
//! by a [`Convert`], which `#[tobu(with = ...)]` names. Members may be a `T`, an `Option<T>`, a `Vec<T>` or a map to `T`, and
//! variants of a oneof may be a `T`.
//!
//! The conversion belongs to tobu's derive for the Rust type, not to the schema: dynamic messages, [`convert`](crate::convert)
//! and types with serde's own derive do not know it. They take every string and all bytes, and show bytes in JSON as base64.

mod json_bytes;

pub use json_bytes::JsonBytes;

use crate::layout::text::OfText;

/// How a Rust type stands for a string or bytes in messages: what `#[tobu(with = ...)]` names.
///
/// It is implemented for a type that exists only to be named, or for the type itself, as here:
///
/// ```
/// use tobu::member::{Convert, JsonBytes};
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct TraceId([u8; 16]);
///
/// impl Convert<TraceId> for TraceId {
///     type Proto = [u8];
///     const EXPECTED: &'static str = "a trace id of 16 bytes";
///     const JSON: Option<&'static JsonBytes> = Some(JsonBytes::HEX);
///
///     fn as_proto(id: &TraceId) -> &[u8] {
///         // The id of no trace is the default: an empty field.
///         if id.0 == [0; 16] { &[] } else { &id.0 }
///     }
///
///     fn from_proto(bytes: &[u8]) -> Option<TraceId> {
///         bytes.try_into().ok().map(TraceId)
///     }
/// }
///
/// #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Link {
///     #[tobu(1, with = TraceId)]
///     trace_id: TraceId,
///     #[tobu(2, with = TraceId)]
///     others: Vec<TraceId>,
/// }
///
/// let link = Link { trace_id: TraceId([0xab; 16]), others: vec![TraceId([1; 16])] };
/// let json = tobu::json::to_string(&link)?;
/// assert_eq!(
///     json,
///     r#"{"traceId":"abababababababababababababababab","others":["01010101010101010101010101010101"]}"#
/// );
/// assert_eq!(tobu::json::from_str::<Link>(&json)?, link);
///
/// let error = tobu::from_slice::<Link>(b"\x0a\x02\xab\xab").unwrap_err();
/// assert_eq!(error.to_string(), "Link.trace_id: expected a trace id of 16 bytes (at byte 4)");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Empty values
///
/// A field that is not there is `T::default()`, and `T::default()` is lent as an empty string or no bytes: so it is in
/// all formats, and reflection and dynamic messages see the same. The verbs fail for a message where it is not so. An empty
/// value that comes is `T::default()`, too, and [`from_proto`](Convert::from_proto) is not asked.
///
/// # Panics
///
/// A panic in a conversion goes to the caller of the verb. Messages are valid then, as after an error.
pub trait Convert<T: Default + 'static> {
    /// What the field is: `str` or `[u8]`.
    type Proto: Proto + ?Sized;

    /// What a value must be, as errors say it after "expected": `"a trace id of 16 bytes"`.
    const EXPECTED: &'static str;

    /// How JSON shows the bytes of a field of type `bytes`: in base64 where it is none.
    const JSON: Option<&'static JsonBytes> = None;

    /// The value as a string or bytes, a part of it; empty for the default.
    fn as_proto(value: &T) -> &Self::Proto;

    /// The value that a string or bytes stand for, which are not empty; `None` where there is none.
    fn from_proto(proto: &Self::Proto) -> Option<T>;
}

/// Byte strings that JSON shows in hexadecimal digits.
///
/// For members of type `Vec<u8>` and `bytes::Bytes`. Digits are written in lower case and read in either.
///
/// ```
/// use tobu::member::Hex;
///
/// #[derive(tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Blob {
///     #[tobu(1, with = Hex)]
///     digest: Vec<u8>,
/// }
///
/// assert_eq!(tobu::json::to_string(&Blob { digest: vec![0x0f, 0xa0] })?, r#"{"digest":"0fa0"}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hex;

/// Lists the types that own bytes as they are.
macro_rules! hex {
    ($($ty:ty, $copy:expr;)*) => {
        $(
            impl Convert<$ty> for Hex {
                type Proto = [u8];
                const EXPECTED: &'static str = "bytes";
                const JSON: Option<&'static JsonBytes> = Some(JsonBytes::HEX);

                fn as_proto(value: &$ty) -> &[u8] {
                    value
                }

                fn from_proto(bytes: &[u8]) -> Option<$ty> {
                    Some($copy(bytes))
                }
            }
        )*
    };
}

hex! {
    Vec<u8>, <[u8]>::to_vec;
    bytes::Bytes, bytes::Bytes::copy_from_slice;
}

/// `str` or `[u8]`: what a field is that a conversion is for. Sealed.
pub trait Proto: OfText {}

impl Proto for str {}
impl Proto for [u8] {}
