//! Converts messages for sending and receiving with the crate `grpc`.
//!
//! This file is in layer 0 of the crate: it uses tobu and the traits of `grpc`, but no other file.

use bytes::{Buf, Bytes};
use grpc::core::{RecvMessage, SendMessage};
use tobu::{Merge, Message, Result, Serialize};

/// An encoded message to send.
///
/// If a channel cannot encode a message, the channel only reports that the stream is closed. Therefore this type encodes the
/// message beforehand, and can report the error.
///
/// ```
/// use bytes::Buf;
/// use grpc::core::SendMessage;
/// use tobu::types::StringValue;
/// use tobu_grpc::Sent;
///
/// let sent = Sent::new(&StringValue { value: "Dune".into(), ..StringValue::default() })?;
/// assert_eq!(sent.encode()?.chunk(), b"\x0a\x04Dune");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent(Bytes);

impl Sent {
    /// Encodes a message.
    ///
    /// # Errors
    /// A required field is missing, or the message is longer than 2 GiB.
    pub fn new<M: Message + Serialize>(message: &M) -> Result<Self> {
        Ok(Sent(message.encode_to_vec()?.into()))
    }
}

impl SendMessage for Sent {
    fn encode(&self) -> std::result::Result<Box<dyn Buf + Send + Sync>, String> {
        Ok(Box::new(self.0.clone()))
    }
}

/// Receives the next message into an existing message. Replaces its content, and reuses its memory.
///
/// ```
/// use grpc::core::RecvMessage;
/// use tobu::types::StringValue;
/// use tobu_grpc::Received;
///
/// let mut message = StringValue { value: "a title that was there before".into(), ..StringValue::default() };
/// let before = message.value.as_ptr();
/// Received(&mut message).decode(&mut &b"\x0a\x04Dune"[..])?;
/// assert_eq!((&*message.value, message.value.as_ptr()), ("Dune", before));
///
/// let error = Received(&mut message).decode(&mut &b"\x0a\x04Du"[..]).unwrap_err();
/// assert_eq!(error, "google.protobuf.StringValue.value: length of 4 bytes, but only 2 bytes are left (at byte 2)");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Received<'m, M>(pub &'m mut M);

impl<M: Message + for<'de> Merge<'de> + Send + Sync> RecvMessage for Received<'_, M> {
    fn decode(&mut self, data: &mut dyn Buf) -> std::result::Result<(), String> {
        let size = data.remaining();
        let done = match data.chunk() {
            whole if whole.len() == size => {
                let done = tobu::from_slice_in_place(self.0, whole);
                data.advance(size);
                done
            }
            _ => tobu::from_slice_in_place(self.0, &data.copy_to_bytes(size)),
        };
        done.map_err(|error| error.to_string())
    }
}
