//! Types of your own as fields of messages.
//!
//! Members are of types that the library knows, as `u32`, `String`, `Vec<u8>` and messages, or of any other type by a [`Convert`],
//! which `#[tobu(with = ...)]` names. Members may be a `T`, an `Option<T>`, a `Vec<T>` or a map to `T`, and variants of a oneof
//! may be a `T`.
//!
//! The conversion belongs to tobu's derive for the Rust type, not to the schema: dynamic messages, [`convert`](crate::convert)
//! and types with serde's own derive do not know it. They take every value of the proto type, and show bytes in JSON as base64.

mod json_bytes;

pub use json_bytes::JsonBytes;

use crate::layout::Member;
pub use crate::layout::protos::Protos;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

/// How a Rust type stands for a field of messages: what `#[tobu(with = ...)]` names.
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
/// # Proto types
///
/// | `Proto` | `as_proto` gives | `from_proto` takes | what else |
/// | --- | --- | --- | --- |
/// | `str`, `[u8]` | a part of the value | the same | `T: Default`; an empty value is `T::default()` |
/// | `bool`, `i32`, `i64`, `u32`, `u64`, `f32`, `f64` | the number; of an enum an `i32` | the number | |
/// | `String`, `Vec<u8>`, a message, a `Vec`, a `HashMap`, a `BTreeMap` | a new value | the same | a member [`Protos`] in the message |
///
/// # Absent fields
///
/// The value of a field that is not there is what [`from_proto`](Convert::from_proto) makes of zero, of an empty string, message, list
/// or map; of `str` and `[u8]` it is `T::default()`, and `from_proto` is not asked. [`as_proto`](Convert::as_proto) must give the
/// same empty value for it: so it is in all formats, and reflection and dynamic messages see the same. The verbs fail for a
/// message where it is not so.
///
/// If `from_proto` makes nothing of it, as of zero for a `NonZeroU32`, the member is an `Option`. Or the conversion has an
/// [`initial`](Convert::initial) value: then the field is required, and a message without it is an error when it is read.
///
/// # Panics
///
/// A panic in a conversion goes to the caller of the verb. Messages are valid then, as after an error.
pub trait Convert<T: 'static> {
    /// What the field is.
    type Proto: Proto + ?Sized;

    /// What a value must be, as errors say it after "expected": `"a trace id of 16 bytes"`.
    const EXPECTED: &'static str;

    /// How JSON shows the bytes of a field of type `bytes`: in base64 where it is none.
    const JSON: Option<&'static JsonBytes> = None;

    /// The proto value of a value.
    fn as_proto(value: &T) -> <Self::Proto as Proto>::Lent<'_>;

    /// The value of a proto value; `None` where there is none.
    fn from_proto(proto: <Self::Proto as Proto>::Given<'_>) -> Option<T>;

    /// Any value, which that of the field replaces: for a type without a value for zero or an empty proto value. A number in an
    /// option, a list, a map or a oneof needs it; a member by itself is required with it.
    fn initial() -> Option<T> {
        Self::from_proto(Self::Proto::zero())
    }
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

/// What a field is that a conversion is for. Sealed: `str`, `[u8]`, and the types that [`Convert`] lists.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the proto type of a conversion",
    note = "that is `str`, `[u8]`, `bool`, a number of 32 or 64 bits, `String`, `Vec<u8>`, a message, or a list or a map of such types"
)]
pub trait Proto: sealed::Sealed + 'static {
    /// What [`Convert::as_proto`] gives: `&str`, `&[u8]`, or the type itself.
    type Lent<'a>
    where
        Self: 'a;

    /// What [`Convert::from_proto`] takes: `&str`, `&[u8]`, or the type itself.
    type Given<'a>
    where
        Self: 'a;

    /// The value of a field that is not there.
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

/// The proto types that conversions make and take by value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the proto type of a conversion",
    note = "that is `str`, `[u8]`, `bool`, a number of 32 or 64 bits, `String`, `Vec<u8>`, a message, or a list or a map of such types"
)]
pub trait ByValue: Member + PartialEq + Send + Sync + 'static {
    /// The value of a field that is not there.
    fn zero() -> Self;

    /// The bits of a number; zero for all others.
    #[inline]
    fn bits(&self) -> u64 {
        0
    }

    /// The number with these bits; `None` for all others.
    #[inline]
    fn of_bits(_: u64) -> Option<Self> {
        None
    }
}

/// Lists the numbers, with their bits.
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
