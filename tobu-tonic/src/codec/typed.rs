//! The codec of messages that are Rust types.

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::{DecodeOptions, EncodeOptions, Message};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// A tonic codec that encodes messages of the type `Enc`, and decodes messages of the type `Dec`.
///
/// If a received message has 1 KiB or more, its members of type [`bytes::Bytes`] share the received bytes. If a message
/// cannot be decoded, the call ends with a status that names the field and the position of the error. The status has the
/// [`tobu::Error`] as its source.
///
/// `Dec` cannot be a type with a lifetime. [`EncodedCodec`](super::EncodedCodec) says why, and decodes such types.
///
/// Generated clients and servers use this codec. You can also use it directly:
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
/// # use tobu_tonic_service::{Room, run};
/// use http::uri::PathAndQuery;
/// use tobu_tonic::TobuCodec;
/// use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
///
/// # run(async {
/// # let channel = ReadingRoomServer::new(Room::default());
/// let mut client = tonic::client::Grpc::new(channel);
/// client.ready().await?;
/// let codec = TobuCodec::<BorrowRequest, Book>::new();
/// let request = BorrowRequest { title: "Dune".into(), ..BorrowRequest::default() };
/// let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
/// let book = client.unary(tonic::Request::new(request), path, codec).await?.into_inner();
/// assert_eq!(book.title, "Dune");
/// # Ok(())
/// # });
/// ```
pub struct TobuCodec<Enc, Dec> {
    encode: EncodeOptions,
    decode: DecodeOptions,
    types: PhantomData<fn(Enc) -> Dec>,
}

impl<Enc, Dec> TobuCodec<Enc, Dec> {
    /// Creates a codec with default options and limits.
    pub fn new() -> Self {
        let (encode, decode) = (EncodeOptions::new(), DecodeOptions::new());
        TobuCodec { encode, decode, types: PhantomData }
    }

    /// Sets how messages are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode = options;
        self
    }

    /// Sets how messages are decoded, with limits on the cost of decoding a message.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode = options;
        self
    }
}

impl<Enc, Dec> Codec for TobuCodec<Enc, Dec>
where
    Enc: Message + Serialize + Send + 'static,
    Dec: Message + DeserializeOwned + Send + 'static,
{
    type Encode = Enc;
    type Decode = Dec;
    type Encoder = TobuEncoder<Enc>;
    type Decoder = TobuDecoder<Dec>;

    fn encoder(&mut self) -> Self::Encoder {
        TobuEncoder::new(self.encode)
    }

    fn decoder(&mut self) -> Self::Decoder {
        TobuDecoder::new(self.decode)
    }
}

/// The encoder of a [`TobuCodec`].
pub struct TobuEncoder<T> {
    options: EncodeOptions,
    ty: PhantomData<fn(T)>,
}

impl<T> TobuEncoder<T> {
    pub(super) fn new(options: EncodeOptions) -> Self {
        TobuEncoder { options, ty: PhantomData }
    }
}

impl<T: Message + Serialize> Encoder for TobuEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, dst: &mut EncodeBuf<'_>) -> Result<(), Status> {
        super::scratch::encode(dst, |bytes| self.options.append(&message, bytes))
    }
}

/// The decoder of a [`TobuCodec`].
pub struct TobuDecoder<T> {
    options: DecodeOptions,
    ty: PhantomData<fn() -> T>,
}

impl<T> TobuDecoder<T> {
    pub(crate) fn new(options: DecodeOptions) -> Self {
        TobuDecoder { options, ty: PhantomData }
    }
}

impl<T> Clone for TobuDecoder<T> {
    fn clone(&self) -> Self {
        Self::new(self.options)
    }
}

impl<T: Message + DeserializeOwned> Decoder for TobuDecoder<T> {
    type Item = T;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<T>, Status> {
        let options = self.options;
        super::read(src, |bytes| options.from_slice(bytes), |bytes| options.from_bytes(&bytes))
    }
}

impl<Enc, Dec> Clone for TobuCodec<Enc, Dec> {
    fn clone(&self) -> Self {
        TobuCodec { encode: self.encode, decode: self.decode, types: PhantomData }
    }
}

impl<Enc, Dec> Default for TobuCodec<Enc, Dec> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Enc, Dec> fmt::Debug for TobuCodec<Enc, Dec> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TobuCodec").field("encode", &self.encode).field("decode", &self.decode).finish()
    }
}

impl<T> fmt::Debug for TobuEncoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TobuEncoder").field("options", &self.options).finish()
    }
}

impl<T> fmt::Debug for TobuDecoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TobuDecoder").field("options", &self.options).finish()
    }
}
