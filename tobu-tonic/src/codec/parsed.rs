//! The codec that decodes messages as parsed messages.

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use tobu::{DecodeOptions, EncodeOptions, Message, Parsed};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder};

use super::TobuEncoder;

/// A tonic codec that encodes messages of the type `Enc`, and decodes messages of the type `Dec` as [`Parsed`] messages.
///
/// If a received message has 1 KiB or more, its strings and bytes share the received bytes. Everything else is the same as
/// with [`TobuCodec`](super::TobuCodec).
///
/// Generated servers and clients use this codec for the methods that `Config::parsed_requests` and
/// `Config::parsed_answers` of `tobu-build` select. You can also use it directly:
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
/// # use tobu_tonic_service::{Room, run};
/// use http::uri::PathAndQuery;
/// use tobu_tonic::ParsedCodec;
/// use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
///
/// # run(async {
/// # let channel = ReadingRoomServer::new(Room::default());
/// let mut client = tonic::client::Grpc::new(channel);
/// client.ready().await?;
/// let codec = ParsedCodec::<BorrowRequest, Book>::new();
/// let request = BorrowRequest { title: "Dune".into(), ..BorrowRequest::default() };
/// let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
/// let book = client.unary(tonic::Request::new(request), path, codec).await?.into_inner();
/// assert_eq!(book.get().title(), "Dune");
/// # Ok(())
/// # });
/// ```
pub struct ParsedCodec<Enc, Dec> {
    encode: EncodeOptions,
    decode: DecodeOptions,
    types: PhantomData<fn(Enc) -> Dec>,
}

impl<Enc, Dec> ParsedCodec<Enc, Dec> {
    /// Creates a codec with default options and limits.
    pub fn new() -> Self {
        let (encode, decode) = (EncodeOptions::new(), DecodeOptions::new());
        ParsedCodec { encode, decode, types: PhantomData }
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

impl<Enc, Dec> Codec for ParsedCodec<Enc, Dec>
where
    Enc: Message + Serialize + Send + 'static,
    Dec: Message + 'static,
{
    type Encode = Enc;
    type Decode = Parsed<Dec>;
    type Encoder = TobuEncoder<Enc>;
    type Decoder = ParsedDecoder<Dec>;

    fn encoder(&mut self) -> Self::Encoder {
        TobuEncoder::new(self.encode)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ParsedDecoder::new(self.decode)
    }
}

/// The decoder of a [`ParsedCodec`].
pub struct ParsedDecoder<T> {
    options: DecodeOptions,
    ty: PhantomData<fn() -> T>,
}

impl<T> ParsedDecoder<T> {
    pub(crate) fn new(options: DecodeOptions) -> Self {
        ParsedDecoder { options, ty: PhantomData }
    }
}

impl<T: Message> Decoder for ParsedDecoder<T> {
    type Item = Parsed<T>;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<Parsed<T>>, Status> {
        let options = self.options;
        super::read(
            src,
            |bytes| Parsed::decode_with(bytes, options),
            |bytes| Parsed::decode_bytes_with(bytes, options),
        )
    }
}

impl<T> Clone for ParsedDecoder<T> {
    fn clone(&self) -> Self {
        Self::new(self.options)
    }
}

impl<Enc, Dec> Clone for ParsedCodec<Enc, Dec> {
    fn clone(&self) -> Self {
        ParsedCodec { encode: self.encode, decode: self.decode, types: PhantomData }
    }
}

impl<Enc, Dec> Default for ParsedCodec<Enc, Dec> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Enc, Dec> fmt::Debug for ParsedCodec<Enc, Dec> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParsedCodec").field("encode", &self.encode).field("decode", &self.decode).finish()
    }
}

impl<T> fmt::Debug for ParsedDecoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParsedDecoder").field("options", &self.options).finish()
    }
}
