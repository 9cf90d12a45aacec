//! Serializes keys of maps: the names of members, and keys that come as text.

use crate::error::{Error, Result};
use crate::table::Kind;
use serde::ser::{Serialize, Serializer};

/// Parses a key that is a number or bool from text, for types that only have text keys.
///
/// # Errors
/// The text is not a key of this kind.
#[cold]
pub(super) fn parse(kind: Kind, text: &str) -> Result<i128> {
    let key = match kind {
        Kind::Bool => text.parse().ok().map(|key: bool| i128::from(key)),
        Kind::UInt32 | Kind::UInt64 | Kind::Fixed32 | Kind::Fixed64 => {
            text.parse().ok().map(|key: u64| i128::from(key))
        }
        _ => text.parse().ok().map(|key: i64| i128::from(key)),
    };
    key.ok_or_else(|| Error::ty(format!("the map key is a {}, which {text:?} does not fit", kind.as_str())))
}

/// Implements the methods that serializers of keys and of bytes share. Most of them refuse the value.
macro_rules! refuse_compound {
    () => {
        type Error = Error;
        type SerializeSeq = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeTuple = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeTupleStruct = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeTupleVariant = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeMap = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeStruct = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeStructVariant = serde::ser::Impossible<Self::Ok, Error>;

        fn serialize_f32(self, _: f32) -> Result<Self::Ok> {
            Err(self.refuse("a floating-point number"))
        }
        fn serialize_f64(self, _: f64) -> Result<Self::Ok> {
            Err(self.refuse("a floating-point number"))
        }
        fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok> {
            Err(self.refuse("bytes"))
        }
        fn serialize_none(self) -> Result<Self::Ok> {
            Err(self.refuse("none"))
        }
        fn serialize_unit(self) -> Result<Self::Ok> {
            Err(self.refuse("a unit"))
        }
        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok> {
            Err(self.refuse("a unit"))
        }
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok> {
            Err(self.refuse("an enum variant with a value"))
        }
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
            Err(self.refuse("a sequence"))
        }
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
            Err(self.refuse("a tuple"))
        }
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            Err(self.refuse("a tuple"))
        }
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant> {
            Err(self.refuse("an enum variant with values"))
        }
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
            Err(self.refuse("a map"))
        }
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
            Err(self.refuse("a struct"))
        }
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant> {
            Err(self.refuse("an enum variant with values"))
        }
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok> {
            value.serialize(self)
        }
        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<Self::Ok> {
            value.serialize(self)
        }
        fn is_human_readable(&self) -> bool {
            false
        }
    };
}
pub(super) use refuse_compound;

/// Serializes a key of a map that represents a message: the name of a field. Returns the name.
pub(super) struct NameSerializer;

impl NameSerializer {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("the names of a message's fields are strings, not {what}"))
    }
}

impl Serializer for NameSerializer {
    type Ok = String;

    refuse_compound!();

    fn serialize_bool(self, _: bool) -> Result<String> {
        Err(self.refuse("bools"))
    }
    fn serialize_i8(self, _: i8) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_i16(self, _: i16) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_i32(self, _: i32) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_i64(self, _: i64) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_u8(self, _: u8) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_u16(self, _: u16) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_u32(self, _: u32) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_u64(self, _: u64) -> Result<String> {
        Err(self.refuse("numbers"))
    }
    fn serialize_char(self, value: char) -> Result<String> {
        Ok(value.into())
    }
    fn serialize_str(self, value: &str) -> Result<String> {
        Ok(value.into())
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<String> {
        Ok(variant.into())
    }
}
