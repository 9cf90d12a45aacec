//! The codec of messages whose types are known only at run time.

use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, MessageDescriptor, MethodDescriptor};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

use super::Outgoing;

/// A tonic codec that encodes and decodes [`DynamicMessage`]s.
///
/// If a message does not have the type that the method declares, the codec refuses to send it. The codec compares types by
/// their full names, so the message may have a descriptor of another pool.
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
/// # use tobu_tonic_service::{Room, run};
/// use http::uri::PathAndQuery;
/// use tobu::DynamicMessage;
/// use tobu_tonic::DynamicCodec;
///
/// # run(async {
/// # let channel = ReadingRoomServer::new(Room::default());
/// let method = reading_room_server::descriptor().method("Borrow").unwrap();
/// let mut request = DynamicMessage::new(&method.input())?;
/// request.set_by_name("title", "Dune")?;
///
/// let mut client = tonic::client::Grpc::new(channel);
/// client.ready().await?;
/// let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
/// let answer = client.unary(tonic::Request::new(request), path, DynamicCodec::client(&method)).await?;
/// assert_eq!(answer.into_inner().get_by_name("title")?.as_str(), Some("Dune"));
/// # Ok(())
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct DynamicCodec {
    method: MethodDescriptor,
    side: Side,
    encode_options: EncodeOptions,
    decode_options: DecodeOptions,
}

/// The end of a call at which the codec is used.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Client,
    Server,
}

impl DynamicCodec {
    /// Creates the codec for a client of a method. A client sends messages of the input type, and receives messages of
    /// the output type.
    pub fn client(method: &MethodDescriptor) -> Self {
        Self::new(method, Side::Client)
    }

    /// Creates the codec for a server of a method. A server receives messages of the input type, and sends messages of
    /// the output type.
    pub fn server(method: &MethodDescriptor) -> Self {
        Self::new(method, Side::Server)
    }

    fn new(method: &MethodDescriptor, side: Side) -> Self {
        let (encode_options, decode_options) = (EncodeOptions::new(), DecodeOptions::new());
        DynamicCodec { method: method.clone(), side, encode_options, decode_options }
    }

    /// Sets how messages are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.encode_options = options;
        self
    }

    /// Sets how messages are decoded, with limits on the cost of decoding a message.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.decode_options = options;
        self
    }

    /// Encodes a message. Refuses a message that does not have the type that the method declares.
    pub(crate) fn encoded(&self, message: &DynamicMessage) -> Outgoing {
        self.check(message)?;
        let mut bytes = Vec::new();
        message.append(&mut bytes, self.encode_options).map_err(super::status)?;
        Ok(bytes)
    }

    fn check(&self, message: &DynamicMessage) -> Result<(), Status> {
        let (verb, wanted) = match self.side {
            Side::Client => ("takes", self.method.input()),
            Side::Server => ("answers with", self.method.output()),
        };
        let (wanted, found) = (wanted.full_name(), message.descriptor().full_name());
        if wanted == found {
            return Ok(());
        }
        let method = self.method.full_name();
        Err(Status::invalid_argument(format!("{method} {verb} {wanted}, not {found}")))
    }
}

impl Codec for DynamicCodec {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = DynamicEncoder;
    type Decoder = DynamicDecoder;

    fn encoder(&mut self) -> DynamicEncoder {
        DynamicEncoder { codec: self.clone() }
    }

    fn decoder(&mut self) -> DynamicDecoder {
        let client = self.side == Side::Client;
        let descriptor = if client { self.method.output() } else { self.method.input() };
        DynamicDecoder { descriptor, options: self.decode_options }
    }
}

/// The encoder of a [`DynamicCodec`].
#[derive(Clone, Debug)]
pub struct DynamicEncoder {
    codec: DynamicCodec,
}

impl Encoder for DynamicEncoder {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, message: DynamicMessage, dst: &mut EncodeBuf<'_>) -> Result<(), Status> {
        let options = self.codec.encode_options;
        let fits = self.codec.check(&message);
        fits.and_then(|()| super::scratch::encode(dst, |bytes| message.append(bytes, options)))
    }
}

/// The decoder of a [`DynamicCodec`].
#[derive(Clone, Debug)]
pub struct DynamicDecoder {
    descriptor: MessageDescriptor,
    options: DecodeOptions,
}

impl Decoder for DynamicDecoder {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, src: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let DynamicDecoder { descriptor, options } = self;
        super::read(
            src,
            |bytes| DynamicMessage::decode_with(descriptor, bytes, *options),
            |bytes| DynamicMessage::decode_bytes_with(descriptor, bytes, *options),
        )
    }
}
