//! Methods of serializers that accept only some of serde's types.

/// Implements methods of `serde::Serializer` that report that a value does not fit.
macro_rules! refuse {
    ($($method:ident)*) => { $(refuse!(@ $method);)* };
    (@ bool) => { fn serialize_bool(self, _: bool) -> Result<Self::Ok> { Err(self.refuse("a bool")) } };
    (@ numbers) => {
        fn serialize_i8(self, _: i8) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i16(self, _: i16) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i32(self, _: i32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i64(self, _: i64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u8(self, _: u8) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u16(self, _: u16) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u32(self, _: u32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u64(self, _: u64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_f32(self, _: f32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_f64(self, _: f64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_char(self, _: char) -> Result<Self::Ok> { Err(self.refuse("a character")) }
    };
    (@ str) => { fn serialize_str(self, _: &str) -> Result<Self::Ok> { Err(self.refuse("a string")) } };
    (@ bytes) => { fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok> { Err(self.refuse("bytes")) } };
    (@ none) => { fn serialize_none(self) -> Result<Self::Ok> { Err(self.refuse("none")) } };
    (@ unit) => {
        fn serialize_unit(self) -> Result<Self::Ok> { Err(self.refuse("a unit")) }
        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok> { Err(self.refuse("a unit")) }
    };
    (@ unit_variant) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Self::Ok> {
            Err(self.refuse("an enum variant"))
        }
    };
    (@ newtype_variant) => {
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self, _: &'static str, _: u32, _: &'static str, _: &T,
        ) -> Result<Self::Ok> {
            Err(self.refuse("an enum variant"))
        }
    };
    (@ seq) => {
        type SerializeSeq = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> { Err(self.refuse("a sequence")) }
    };
    (@ tuple) => {
        type SerializeTuple = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeTupleStruct = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> { Err(self.refuse("a tuple")) }
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            Err(self.refuse("a tuple"))
        }
    };
    (@ tuple_variant) => {
        type SerializeTupleVariant = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_tuple_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> Result<Self::SerializeTupleVariant> {
            Err(self.refuse("an enum variant with several values"))
        }
    };
    (@ map) => {
        type SerializeMap = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> { Err(self.refuse("a map")) }
    };
    (@ struct_) => {
        type SerializeStruct = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
            Err(self.refuse("a struct"))
        }
    };
    (@ struct_variant) => {
        type SerializeStructVariant = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_struct_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> Result<Self::SerializeStructVariant> {
            Err(self.refuse("an enum variant with named members"))
        }
    };
    (@ transparent) => {
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok> { value.serialize(self) }
        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Self::Ok> {
            value.serialize(self)
        }
    };
    (@ binary) => {
        fn is_human_readable(&self) -> bool { false }
    };
}
pub(super) use refuse;
