//! The codec of messages that are decoded to parsed ones.

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use tobu::{DecodeOptions, EncodeOptions, Message, Parsed};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder};

use super::TobuEncoder;

/// Encodes messages of one type and decodes those of another to [`Parsed`] ones, for tonic.
///
/// Strings and bytes of a message of 1 KiB and more share what came over the network. Everything else is as with
/// [`TobuCodec`](super::TobuCodec).
///
/// Generated servers and clients use it for the methods that `Config::parsed_requests` and `Config::parsed_answers` of
/// `tobu-build` name. By hand:
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
    /// A codec with default options and limits.
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

    /// Sets how messages are decoded, and how much one may cost.
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

/// Decodes messages of one type to [`Parsed`] ones; a [`ParsedCodec`] makes it.
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
