//! How long a key or a value of a map will be, where it tells at once: strings and bytes.

use serde::ser::{Error, Impossible, Serialize, Serializer};
use std::fmt;

/// The length of a value that is a string or bytes; none where it is anything else, which is not looked into.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn length<T: Serialize + ?Sized>(value: &T) -> Option<usize> {
    value.serialize(Length).ok()
}

struct Length;

/// The value is something else.
#[derive(Debug)]
struct Other;

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither a string nor bytes")
    }
}

impl std::error::Error for Other {}

impl Error for Other {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Other
    }
}

/// Methods for values that are something else.
macro_rules! other {
    ($($method:ident($($ty:ty),*) -> $ok:ty;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self, $(_: $ty),*) -> Result<$ok, Other> {
                Err(Other)
            }
        )*
    };
}

impl Serializer for Length {
    type Ok = usize;
    type Error = Other;
    type SerializeSeq = Impossible<usize, Other>;
    type SerializeTuple = Impossible<usize, Other>;
    type SerializeTupleStruct = Impossible<usize, Other>;
    type SerializeTupleVariant = Impossible<usize, Other>;
    type SerializeMap = Impossible<usize, Other>;
    type SerializeStruct = Impossible<usize, Other>;
    type SerializeStructVariant = Impossible<usize, Other>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<usize, Other> {
        Ok(value.len())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<usize, Other> {
        Ok(value.len())
    }

    // A message is a newtype, too: none is looked into, and other newtypes need not be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<usize, Other> {
        Err(Other)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<usize, Other> {
        Err(Other)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<usize, Other> {
        Err(Other)
    }

    // What comes piece by piece is not asked for its pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<usize, Other> {
        Err(Other)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, _: I) -> Result<usize, Other> {
        Err(Other)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(
        self,
        _: I,
    ) -> Result<usize, Other> {
        Err(Other)
    }

    other! {
        serialize_bool(bool) -> usize;
        serialize_i8(i8) -> usize;
        serialize_i16(i16) -> usize;
        serialize_i32(i32) -> usize;
        serialize_i64(i64) -> usize;
        serialize_i128(i128) -> usize;
        serialize_u8(u8) -> usize;
        serialize_u16(u16) -> usize;
        serialize_u32(u32) -> usize;
        serialize_u64(u64) -> usize;
        serialize_u128(u128) -> usize;
        serialize_f32(f32) -> usize;
        serialize_f64(f64) -> usize;
        serialize_char(char) -> usize;
        serialize_none() -> usize;
        serialize_unit() -> usize;
        serialize_unit_struct(&'static str) -> usize;
        serialize_unit_variant(&'static str, u32, &'static str) -> usize;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}
