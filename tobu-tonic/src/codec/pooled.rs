//! The codec of messages that are borrowed from a pool.

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use tobu::reuse::{MessagePool, Pooled};
use tobu::{DecodeOptions, EncodeOptions, Merge, Message};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder};

use super::TobuEncoder;

/// A tonic codec that encodes messages of the type `Enc`, and decodes messages of the type `Dec` into messages of a pool.
///
/// It works like [`TobuCodec`](super::TobuCodec), but it returns a decoded message as [`Pooled`]. When the `Pooled` is
/// dropped, the message goes back to the pool.
///
/// Generated servers use this codec for the methods that `Config::pool_requests` of `tobu-build` selects. You can also use it
/// directly:
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
/// # use tobu_tonic_service::{Room, run};
/// use http::uri::PathAndQuery;
/// use tobu::reuse::MessagePool;
/// use tobu_tonic::PooledCodec;
/// use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
///
/// # run(async {
/// # let channel = ReadingRoomServer::new(Room::default());
/// let books = MessagePool::<Book>::new();
/// let mut client = tonic::client::Grpc::new(channel);
/// client.ready().await?;
/// let request = BorrowRequest { title: "Dune".into(), ..BorrowRequest::default() };
/// let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
/// let book = client.unary(tonic::Request::new(request), path, PooledCodec::new(&books)).await?;
/// assert_eq!(book.get_ref().title, "Dune");
///
/// drop(book);
/// assert_eq!(books.kept(), 1);
/// # Ok(())
/// # });
/// ```
pub struct PooledCodec<Enc, Dec> {
    encode: EncodeOptions,
    decode: DecodeOptions,
    pool: MessagePool<Dec>,
    types: PhantomData<fn(Enc)>,
}

impl<Enc, Dec> PooledCodec<Enc, Dec> {
    /// Creates a codec with default options and limits, which takes messages from `pool`.
    pub fn new(pool: &MessagePool<Dec>) -> Self {
        let (encode, decode) = (EncodeOptions::new(), DecodeOptions::new());
        PooledCodec { encode, decode, pool: pool.clone(), types: PhantomData }
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

impl<Enc, Dec> Codec for PooledCodec<Enc, Dec>
where
    Enc: Message + Serialize + Send + 'static,
    Dec: Message + for<'de> Merge<'de> + Send + 'static,
{
    type Encode = Enc;
    type Decode = Pooled<Dec>;
    type Encoder = TobuEncoder<Enc>;
    type Decoder = PooledDecoder<Dec>;

    fn encoder(&mut self) -> Self::Encoder {
        TobuEncoder::new(self.encode)
    }

    fn decoder(&mut self) -> Self::Decoder {
        PooledDecoder { options: self.decode, pool: self.pool.clone() }
    }
}

/// The decoder of a [`PooledCodec`].
pub struct PooledDecoder<T> {
    options: DecodeOptions,
    pool: MessagePool<T>,
}

impl<T: Message + for<'de> Merge<'de>> Decoder for PooledDecoder<T> {
    type Item = Pooled<T>;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<Pooled<T>>, Status> {
        let PooledDecoder { options, pool } = &*self;
        super::read(
            src,
            |bytes| pool.decode_with(bytes, *options),
            |bytes| pool.decode_bytes_with(&bytes, *options),
        )
    }
}

impl<Enc, Dec> Clone for PooledCodec<Enc, Dec> {
    fn clone(&self) -> Self {
        let (encode, decode, pool) = (self.encode, self.decode, self.pool.clone());
        PooledCodec { encode, decode, pool, types: PhantomData }
    }
}

impl<Enc, Dec> fmt::Debug for PooledCodec<Enc, Dec> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PooledCodec")
            .field("encode", &self.encode)
            .field("decode", &self.decode)
            .field("pool", &self.pool)
            .finish()
    }
}

impl<T> fmt::Debug for PooledDecoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PooledDecoder").field("options", &self.options).field("pool", &self.pool).finish()
    }
}
