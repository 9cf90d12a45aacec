//! The codec of messages that stay encoded until the program decodes them.

use bytes::{Buf, BufMut, Bytes};
use serde::{Deserialize, Serialize};
use tobu::{DecodeOptions, Message};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// The bytes of a message, which [`read`](Self::read) decodes.
///
/// The decoded message may be of a type with a lifetime, whose strings and bytes borrow from the encoded message:
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
/// # use tobu_tonic_service::{Room, run};
/// use http::uri::PathAndQuery;
/// use tobu::{Deserialize, Message};
/// use tobu_tonic::{Encoded, EncodedCodec};
/// use tobu_tonic_service::reading::v1::BorrowRequest;
///
/// #[derive(Message, Deserialize)]
/// struct Title<'a> {
///     #[tobu(1)]
///     title: &'a str,
/// }
///
/// # run(async {
/// # let channel = ReadingRoomServer::new(Room::default());
/// let mut client = tonic::client::Grpc::new(channel);
/// client.ready().await?;
/// let request = Encoded::of(&BorrowRequest { title: "Dune".into(), ..BorrowRequest::default() })?;
/// let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
/// let book = client.unary(tonic::Request::new(request), path, EncodedCodec).await?.into_inner();
/// let book: Title<'_> = book.read()?;
/// assert_eq!(book.title, "Dune");
/// # Ok(())
/// # });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Encoded(Bytes);

impl Encoded {
    /// Encodes a message.
    ///
    /// # Errors
    /// [`tobu::to_vec`] fails. The source of the status is the error.
    pub fn of<T: Message + Serialize>(message: &T) -> Result<Self, Status> {
        tobu::to_vec(message).map(|bytes| Encoded(bytes.into())).map_err(super::status)
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }

    /// Decodes the message, which may borrow from the bytes.
    ///
    /// # Errors
    /// [`tobu::from_slice`] fails. Other codecs of this crate would end the call with the same status.
    pub fn read<'de, T: Message + Deserialize<'de>>(&'de self) -> Result<T, Status> {
        self.read_with(DecodeOptions::new())
    }

    /// Decodes the message with options, for example with limits on the cost of decoding it.
    ///
    /// # Errors
    /// Fails if [`read`](Self::read) would fail.
    pub fn read_with<'de, T: Message + Deserialize<'de>>(
        &'de self,
        options: DecodeOptions,
    ) -> Result<T, Status> {
        options.from_slice(&self.0).map_err(super::status)
    }
}

impl From<Bytes> for Encoded {
    fn from(bytes: Bytes) -> Self {
        Encoded(bytes)
    }
}

/// A tonic codec that neither encodes nor decodes messages: it forwards their bytes. Use it to decode messages into types
/// with a lifetime, or not to decode them at all.
///
/// A codec of tonic returns values that outlive the buffer of the call, so they must own everything in them. A type with a
/// lifetime borrows from that buffer. Without `unsafe`, no value can own the buffer and also borrow from it. Therefore this
/// codec returns the buffer itself, without a copy, as an [`Encoded`]. A message that [`Encoded::read`] returns borrows from
/// the `Encoded`.
///
/// Generated clients and servers use [`TobuCodec`](super::TobuCodec), whose messages own their contents. If a message has 1 KiB
/// or more, its members of type [`Bytes`] also share the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedCodec;

impl Codec for EncodedCodec {
    type Encode = Encoded;
    type Decode = Encoded;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for EncodedCodec {
    type Item = Encoded;
    type Error = Status;

    fn encode(&mut self, message: Encoded, dst: &mut EncodeBuf<'_>) -> Result<(), Status> {
        dst.put(message.0);
        Ok(())
    }
}

impl Decoder for EncodedCodec {
    type Item = Encoded;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<Encoded>, Status> {
        Ok(Some(Encoded(src.copy_to_bytes(src.remaining()))))
    }
}
