//! Types of your own as fields of messages.
//!
//! A member can have a type that the library knows, such as `u32`, `String`, `Vec<u8>` or a message. With a [`Convert`],
//! which `#[tobu(with = ...)]` names, it can have any other type `T`. Members may be a `T`, an `Option<T>`, a `Vec<T>` or a
//! map to `T`, and variants of a oneof may be a `T`.
//!
//! The conversion belongs to tobu's derive for the Rust type, not to the schema: dynamic messages, [`convert`](crate::convert)
//! and types with serde's own derive do not know the conversion. There, a field accepts every value of the proto type, and JSON
//! shows bytes as base64.

mod json_bytes;

pub use json_bytes::JsonBytes;

use crate::layout::Member;
pub use crate::layout::protos::Protos;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

/// How a Rust type stands for a field of messages. `#[tobu(with = ...)]` names an implementation.
///
/// Implement the trait for an empty marker type that you name in `with`, or for the type itself, as in this example:
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
/// # Proto types
///
/// | `Proto` | `as_proto` returns | `from_proto` takes | also required |
/// | --- | --- | --- | --- |
/// | `str`, `[u8]` | a reference to a part of the value | a reference | `T: Default`; an empty value is `T::default()` |
/// | `bool`, `i32`, `i64`, `u32`, `u64`, `f32`, `f64` | the number (for an enum, its `i32`) | the number | |
/// | `String`, `Vec<u8>`, a message, a `Vec`, a `HashMap`, a `BTreeMap` | a new value | an owned value | a member [`Protos`] in the message |
///
/// # Absent fields
///
/// The value of an absent field is the value that [`from_proto`](Convert::from_proto) makes of zero, or of an empty string,
/// message, list or map. For `str` and `[u8]` it is `T::default()`, and `from_proto` is not called.
/// [`as_proto`](Convert::as_proto) must return zero or an empty value for this value, so that all formats, reflection and
/// dynamic messages agree. If it does not, encoding, decoding and all other functions return an error for messages with such a
/// member.
///
/// If `from_proto` returns `None` for zero or an empty value, as for a `NonZeroU32`, the conversion must have an
/// [`initial`](Convert::initial) value. A plain member is then required: reading a message without it is an error. Options,
/// lists and maps need no initial value, unless the proto type is a number.
///
/// # Panics
///
/// If a conversion panics, the panic reaches the caller, for example of `decode`. The message stays valid, as it does after
/// an error.
pub trait Convert<T: 'static> {
    /// The proto type of the field.
    type Proto: Proto + ?Sized;

    /// Says what a value must be. Errors show this text after "expected": `"a trace id of 16 bytes"`.
    const EXPECTED: &'static str;

    /// How JSON shows the bytes of a field of type `bytes`. If this is `None`, JSON shows base64.
    const JSON: Option<&'static JsonBytes> = None;

    /// Converts a value to its proto value.
    fn as_proto(value: &T) -> <Self::Proto as Proto>::Lent<'_>;

    /// Converts a proto value to a value. Returns `None` if no value stands for the proto value.
    fn from_proto(proto: <Self::Proto as Proto>::Given<'_>) -> Option<T>;

    /// Returns any valid value; decoding replaces it. Implement this function if [`from_proto`](Self::from_proto) returns
    /// `None` for zero or an empty proto value.
    fn initial() -> Option<T> {
        Self::from_proto(Self::Proto::zero())
    }
}

/// Byte strings that JSON shows in hexadecimal digits.
///
/// This conversion is for members of type `Vec<u8>` and `bytes::Bytes`. Digits are written in lower case, and read in either
/// case.
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

/// Implements `Convert` on `Hex` for the types that own their bytes.
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

/// The proto type of a conversion. Only the types that [`Convert`] lists implement this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the proto type of a conversion",
    note = "that is `str`, `[u8]`, `bool`, a number of 32 or 64 bits, `String`, `Vec<u8>`, a message, or a list or a map of such types"
)]
pub trait Proto: sealed::Sealed + 'static {
    /// What [`Convert::as_proto`] returns: `&str`, `&[u8]`, or the type itself.
    type Lent<'a>
    where
        Self: 'a;

    /// What [`Convert::from_proto`] takes: `&str`, `&[u8]`, or the type itself.
    type Given<'a>
    where
        Self: 'a;

    /// Returns the value of an absent field.
    #[doc(hidden)]
    fn zero() -> Self::Given<'static>;
}

impl Proto for str {
    type Lent<'a> = &'a str;
    type Given<'a> = &'a str;

    fn zero() -> &'static str {
        ""
    }
}

impl Proto for [u8] {
    type Lent<'a> = &'a [u8];
    type Given<'a> = &'a [u8];

    fn zero() -> &'static [u8] {
        &[]
    }
}

impl<P: ByValue> Proto for P {
    type Lent<'a> = P;
    type Given<'a> = P;

    fn zero() -> P {
        <P as ByValue>::zero()
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for str {}
    impl Sealed for [u8] {}
    impl<P: super::ByValue> Sealed for P {}
}

/// The proto types that conversions return and take by value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the proto type of a conversion",
    note = "that is `str`, `[u8]`, `bool`, a number of 32 or 64 bits, `String`, `Vec<u8>`, a message, or a list or a map of such types"
)]
pub trait ByValue: Member + PartialEq + Send + Sync + 'static {
    /// Returns the value of an absent field.
    fn zero() -> Self;

    /// Returns the bits of a number; zero for a value of any other type.
    #[inline]
    fn bits(&self) -> u64 {
        0
    }

    /// Returns the number with these bits; `None` for any other type.
    #[inline]
    fn of_bits(_: u64) -> Option<Self> {
        None
    }
}

/// Implements [`ByValue`] for the numbers, with their conversions to and from 64 bits.
macro_rules! numbers {
    ($($ty:ty, |$value:ident| $bits:expr, |$of:ident| $of_bits:expr;)*) => {
        $(
            impl ByValue for $ty {
                fn zero() -> Self {
                    Self::default()
                }

                #[inline]
                fn bits(&self) -> u64 {
                    let $value = *self;
                    $bits
                }

                #[inline]
                fn of_bits($of: u64) -> Option<Self> {
                    Some($of_bits)
                }
            }
        )*
    };
}

numbers! {
    bool, |value| value.into(), |bits| bits != 0;
    i32, |value| u64::from(value as u32), |bits| bits as i32;
    i64, |value| value as u64, |bits| bits as i64;
    u32, |value| value.into(), |bits| bits as u32;
    u64, |value| value, |bits| bits;
    f32, |value| value.to_bits().into(), |bits| f32::from_bits(bits as u32);
    f64, |value| value.to_bits(), |bits| f64::from_bits(bits);
}

impl ByValue for String {
    fn zero() -> Self {
        String::new()
    }
}

impl ByValue for Vec<u8> {
    fn zero() -> Self {
        Vec::new()
    }
}

impl<T: Member + PartialEq + Send + Sync + 'static> ByValue for Vec<T> {
    fn zero() -> Self {
        Vec::new()
    }
}

impl<K, V, S> ByValue for HashMap<K, V, S>
where
    Self: Member,
    K: Eq + Hash + Send + Sync + 'static,
    V: PartialEq + Send + Sync + 'static,
    S: BuildHasher + Default + Send + Sync + 'static,
{
    fn zero() -> Self {
        HashMap::default()
    }
}

impl<K, V> ByValue for BTreeMap<K, V>
where
    Self: Member,
    K: Ord + Send + Sync + 'static,
    V: PartialEq + Send + Sync + 'static,
{
    fn zero() -> Self {
        BTreeMap::new()
    }
}
