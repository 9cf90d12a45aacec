//! Encoding where the defaults do not serve.

use crate::codec::wire;
use crate::error::{Error, LimitError, Result};
use crate::message::Message;
use crate::options::EncodeOptions;
use crate::serde::{Schema, Written, write, write_message};
use serde::Serialize;

impl EncodeOptions {
    /// Encodes a message.
    ///
    /// # Errors
    /// A required field has no value, messages nest too deep, a length goes past 2 GiB, or the type and its schema do
    /// not fit together.
    #[inline]
    pub fn to_vec<T: Message + Serialize>(&self, message: &T) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.append(message, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends an encoded message to a vector; on an error the vector is as it was.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    #[inline]
    pub fn append<T: Message + Serialize>(&self, message: &T, bytes: &mut Vec<u8>) -> Result<()> {
        let done = write_message(message, *self, &mut |message| self.append_written(message, bytes));
        done.map_err(|error| Schema::Shape(T::shape()).name(error))
    }

    /// The number of bytes that [`to_vec`](Self::to_vec) would give.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn encoded_len<T: Message + Serialize>(&self, message: &T) -> Result<usize> {
        let mut size = 0;
        let schema = Schema::Shape(T::shape());
        let done = write_message(message, *self, &mut |message| {
            size = match message {
                Written::Typed(message) => wire::encoded_len(message, self.settings())? as u64,
                Written::Arena(message, table) => message.encoded_len(table, *self)?,
            };
            Ok(())
        });
        done.map_err(|error| schema.name(error))?;
        match usize::try_from(size) {
            Ok(len) if len <= i32::MAX as usize => Ok(len),
            _ => Err(schema.name(Error::limit(LimitError::Length(size)))),
        }
    }

    /// Appends an encoded value to a vector, which is as it was where that fails.
    #[inline]
    pub(crate) fn append_value<T: Serialize + ?Sized>(
        &self,
        value: &T,
        schema: Schema<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let done = write(value, schema, *self, &mut |message| self.append_written(message, bytes));
        done.map_err(|error| schema.name(error))
    }

    #[inline]
    fn append_written(&self, message: Written<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        match message {
            Written::Typed(message) => wire::encode(message, self.settings(), bytes),
            Written::Arena(message, table) => message.encode(table, *self, bytes),
        }
    }
}
