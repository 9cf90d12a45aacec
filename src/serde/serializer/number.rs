//! Serializes one byte of a byte string that serde gives as a list of numbers.

use super::key::refuse_compound;
use crate::error::{Error, Result};
use serde::ser::{Serialize, Serializer};

/// Returns a number from 0 to 255.
pub(super) struct ByteSerializer;

impl ByteSerializer {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("a byte is a number from 0 to 255, not {what}"))
    }

    fn integer(self, value: i128) -> Result<u8> {
        u8::try_from(value).map_err(|_| self.refuse(&value.to_string()))
    }
}

impl Serializer for ByteSerializer {
    type Ok = u8;

    refuse_compound!();

    fn serialize_bool(self, _: bool) -> Result<u8> {
        Err(self.refuse("a bool"))
    }
    fn serialize_i8(self, value: i8) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_i16(self, value: i16) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_i32(self, value: i32) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_i64(self, value: i64) -> Result<u8> {
        self.integer(value.into())
    }
    #[inline]
    fn serialize_u8(self, value: u8) -> Result<u8> {
        Ok(value)
    }
    fn serialize_u16(self, value: u16) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_u32(self, value: u32) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_u64(self, value: u64) -> Result<u8> {
        self.integer(value.into())
    }
    fn serialize_char(self, _: char) -> Result<u8> {
        Err(self.refuse("a character"))
    }
    fn serialize_str(self, _: &str) -> Result<u8> {
        Err(self.refuse("a string"))
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<u8> {
        Err(self.refuse("an enum variant"))
    }
}
