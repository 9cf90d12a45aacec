//! Encoding where the defaults do not serve.

use super::scratch::with_buffer;
use crate::encode::Encode;
use crate::error::{Error, Result};
use crate::options::EncodeOptions;
use crate::wire::put_varint;
use bytes::BufMut;
use std::io::Write;

impl EncodeOptions {
    /// Encodes a message.
    ///
    /// # Errors
    /// A required field has no value, messages nest too deep, a length exceeds 2 GiB, or the type and its schema do
    /// not fit together.
    #[inline]
    pub fn to_vec<M: Encode + ?Sized>(&self, message: &M) -> Result<Vec<u8>> {
        message.to_wire(self)
    }

    /// Appends an encoded message to a vector; on an error the vector is unchanged.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    #[inline]
    pub fn append<M: Encode + ?Sized>(&self, message: &M, bytes: &mut Vec<u8>) -> Result<()> {
        message.append_wire(self, bytes)
    }

    /// Encodes a message and writes it to a stream, without a length.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), and when writing fails.
    pub fn to_writer<M: Encode + ?Sized>(&self, message: &M, mut writer: impl Write) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            Ok(writer.write_all(bytes)?)
        })
    }

    /// Encodes a message to the end of a buffer; on an error the buffer is unchanged.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec), and when the buffer has less room than the message takes.
    pub fn to_buf<M: Encode + ?Sized>(&self, message: &M, buf: &mut impl BufMut) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            put(buf, &[bytes])
        })
    }

    /// Encodes a message to the end of a buffer, after its length as a varint; on an error the buffer is unchanged.
    ///
    /// # Errors
    /// As [`to_buf`](Self::to_buf).
    pub fn to_buf_delimited<M: Encode + ?Sized>(&self, message: &M, buf: &mut impl BufMut) -> Result<()> {
        with_buffer(|bytes| {
            message.append_wire(self, bytes)?;
            let mut length = [0; 10];
            let taken = put_varint(&mut length, bytes.len() as u64);
            put(buf, &[length.get(..taken).unwrap_or_default(), bytes])
        })
    }

    /// The number of bytes that [`to_vec`](Self::to_vec) would give.
    ///
    /// # Errors
    /// As [`to_vec`](Self::to_vec).
    pub fn encoded_len<M: Encode + ?Sized>(&self, message: &M) -> Result<usize> {
        message.wire_len(self)
    }
}

/// Puts slices into a buffer, all or nothing.
fn put(buf: &mut impl BufMut, slices: &[&[u8]]) -> Result<()> {
    let (room, size) = (buf.remaining_mut(), slices.iter().map(|slice| slice.len()).sum());
    if room < size {
        return Err(Error::io(std::io::Error::new(
            std::io::ErrorKind::WriteZero,
            format!("the buffer has room for {room} bytes, but the message takes {size}"),
        )));
    }
    slices.iter().for_each(|slice| buf.put_slice(slice));
    Ok(())
}
