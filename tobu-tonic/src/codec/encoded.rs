//! The codec of messages that stay bytes until somebody reads them.

use bytes::{Buf, BufMut, Bytes};
use serde::{Deserialize, Serialize};
use tobu::{DecodeOptions, Message};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// A message as its bytes, which is read where it is looked at.
///
/// Messages with a lifetime, whose strings and bytes are those of the input, are read from it:
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
    /// The bytes of a message.
    ///
    /// # Errors
    /// As [`tobu::to_vec`], as a status.
    pub fn of<T: Message + Serialize>(message: &T) -> Result<Self, Status> {
        tobu::to_vec(message).map(|bytes| Encoded(bytes.into())).map_err(super::status)
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }

    /// Reads the message, which may borrow from the bytes.
    ///
    /// # Errors
    /// As [`tobu::from_slice`], as the status that a codec would have ended the call with.
    pub fn read<'de, T: Message + Deserialize<'de>>(&'de self) -> Result<T, Status> {
        self.read_with(DecodeOptions::new())
    }

    /// Reads the message with options, which say how much it may cost.
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

/// Hands messages through as their bytes, for tonic: to read them as types that borrow, or not to read them at all.
///
/// What tonic's codecs decode is a value that owns all it is made of, and outlives the buffer that it came in. A type with a
/// lifetime does not, and a value that holds the buffer and what borrows from it at once cannot be without `unsafe`. So
/// the buffer itself is what comes, without a copy, and [`Encoded::read`] borrows from it for as long as it is held.
///
/// Generated clients and servers have types of their own, by [`TobuCodec`](super::TobuCodec): their members of type [`Bytes`] share
/// the buffer, too.
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
