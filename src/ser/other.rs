//! Serializers that look for one sort of value, and at nothing else.

use serde::ser::Error;
use std::fmt;

/// The value is something else.
#[derive(Debug)]
pub(super) struct Other;

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of another sort")
    }
}

impl std::error::Error for Other {}

impl Error for Other {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Other
    }
}

/// The methods of such a serializer for values that it does not look for: of these groups.
macro_rules! other {
    ($ok:ty: $($group:ident)+) => { $(other!(@$group $ok);)+ };
    (@strings $ok:ty) => {
        other! { @methods
            serialize_str(&str) -> $ok;
            serialize_bytes(&[u8]) -> $ok;
        }
    };
    (@numbers $ok:ty) => {
        other! { @methods
            serialize_bool(bool) -> $ok;
            serialize_i32(i32) -> $ok;
            serialize_i64(i64) -> $ok;
            serialize_u32(u32) -> $ok;
            serialize_u64(u64) -> $ok;
            serialize_f32(f32) -> $ok;
            serialize_f64(f64) -> $ok;
        }
    };
    (@rest $ok:ty) => {
        type Ok = $ok;
        type Error = Other;
        type SerializeSeq = serde::ser::Impossible<$ok, Other>;
        type SerializeTuple = serde::ser::Impossible<$ok, Other>;
        type SerializeTupleStruct = serde::ser::Impossible<$ok, Other>;
        type SerializeTupleVariant = serde::ser::Impossible<$ok, Other>;
        type SerializeMap = serde::ser::Impossible<$ok, Other>;
        type SerializeStruct = serde::ser::Impossible<$ok, Other>;
        type SerializeStructVariant = serde::ser::Impossible<$ok, Other>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn is_human_readable(&self) -> bool {
            false
        }

        // A message is a newtype, too: none is looked into, and other newtypes need not be.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<$ok, Other> {
            Err(Other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<$ok, Other> {
            Err(Other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$ok, Other> {
            Err(Other)
        }

        // What comes piece by piece is not asked for its pieces.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn collect_str<T: std::fmt::Display + ?Sized>(self, _: &T) -> Result<$ok, Other> {
            Err(Other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn collect_seq<I: IntoIterator<Item: Serialize>>(self, _: I) -> Result<$ok, Other> {
            Err(Other)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(
            self,
            _: I,
        ) -> Result<$ok, Other> {
            Err(Other)
        }

        other! { @methods
            serialize_i8(i8) -> $ok;
            serialize_i16(i16) -> $ok;
            serialize_i128(i128) -> $ok;
            serialize_u8(u8) -> $ok;
            serialize_u16(u16) -> $ok;
            serialize_u128(u128) -> $ok;
            serialize_char(char) -> $ok;
            serialize_none() -> $ok;
            serialize_unit() -> $ok;
            serialize_unit_struct(&'static str) -> $ok;
            serialize_unit_variant(&'static str, u32, &'static str) -> $ok;
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_tuple(usize) -> Self::SerializeTuple;
            serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_struct(&'static str, usize) -> Self::SerializeStruct;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
        }
    };
    (@methods $($method:ident($($ty:ty),*) -> $ok:ty;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self, $(_: $ty),*) -> Result<$ok, Other> {
                Err(Other)
            }
        )*
    };
}

pub(super) use other;
