//! Calls methods that are known only at run time.
//!
//! This file is in layer 2 of the crate: it uses the client and the codec.

use futures_core::Stream;
use http::Uri;
use http::uri::PathAndQuery;
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, MethodDescriptor};
use tonic::codec::{Codec, CompressionEncoding};
use tonic::{IntoRequest, IntoStreamingRequest, Request, Response, Status, Streaming};

use crate::client::{Caller, Kind, NoSideEffects, Transport, decoded, no_side_effects};
use crate::codec::{DynamicCodec, Messages};

/// Calls any method by its descriptor.
///
/// Each function calls one kind of method and refuses the other kinds. The functions also check that the messages of a
/// request have the type that the method takes. These errors have the status `InvalidArgument`.
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
/// # use tobu_tonic_service::{Room, run};
/// use tobu::DynamicMessage;
/// use tobu_tonic::DynamicClient;
///
/// # run(async {
/// # reading_room_server::descriptor();
/// # let channel = ReadingRoomServer::new(Room::default());
/// # let pool = tobu::Pool::global();
/// let method = pool.method("reading.v1.ReadingRoom.Borrow").unwrap();
/// let mut request = DynamicMessage::new(&method.input())?;
/// request.set_by_name("title", "Dune")?;
///
/// let mut client = DynamicClient::new(channel);
/// let book = client.unary(&method, request).await?.into_inner();
/// assert_eq!(tobu::json::to_string(&book)?, r#"{"title":"Dune","pages":412}"#);
/// # Ok(())
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct DynamicClient<T> {
    inner: Caller<T>,
}

impl<T: Transport> DynamicClient<T> {
    /// Creates a client that sends its calls through a channel, or through another service that takes requests.
    pub fn new(inner: T) -> Self {
        DynamicClient { inner: Caller::new(inner) }
    }

    /// Creates a client for a transport that does not know the host, such as a plain HTTP client. `origin` has the scheme and
    /// the host of the requests.
    pub fn with_origin(inner: T, origin: Uri) -> Self {
        DynamicClient { inner: Caller::with_origin(inner, origin) }
    }

    /// Compresses requests with `encoding`, which the server must support.
    #[must_use]
    pub fn send_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.inner = self.inner.send_compressed(encoding);
        self
    }

    /// Accepts answers that are compressed with `encoding`.
    #[must_use]
    pub fn accept_compressed(mut self, encoding: CompressionEncoding) -> Self {
        self.inner = self.inner.accept_compressed(encoding);
        self
    }

    /// Sets the maximum size of an answer in bytes; 4 MiB by default.
    #[must_use]
    pub fn max_decoding_message_size(mut self, limit: usize) -> Self {
        self.inner = self.inner.max_decoding_message_size(limit);
        self
    }

    /// Sets the maximum size of a request in bytes. By default there is no limit.
    #[must_use]
    pub fn max_encoding_message_size(mut self, limit: usize) -> Self {
        self.inner = self.inner.max_encoding_message_size(limit);
        self
    }

    /// Sets how requests are encoded.
    #[must_use]
    pub fn encode_options(mut self, options: EncodeOptions) -> Self {
        self.inner = self.inner.encode_options(options);
        self
    }

    /// Sets how answers are decoded, with limits on the cost of decoding an answer.
    #[must_use]
    pub fn decode_options(mut self, options: DecodeOptions) -> Self {
        self.inner = self.inner.decode_options(options);
        self
    }

    /// Calls a method that takes one message and answers with one message.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
    /// # use tobu_tonic_service::{Room, run};
    /// # use tobu::{DynamicMessage, json};
    /// # run(async {
    /// # let mut client = tobu_tonic::DynamicClient::new(ReadingRoomServer::new(Room::default()));
    /// # let service = reading_room_server::descriptor();
    /// let method = service.method("Borrow").unwrap();
    /// let request = DynamicMessage::from_json(&method.input(), r#"{"title":"Dune"}"#)?;
    /// let book = client.unary(&method, request).await?.into_inner();
    /// assert_eq!(json::to_string(&book)?, r#"{"title":"Dune","pages":412}"#);
    ///
    /// let error = client.unary(&method, book).await.unwrap_err();
    /// let text = "reading.v1.ReadingRoom.Borrow takes reading.v1.BorrowRequest, not reading.v1.Book";
    /// assert_eq!(error.message(), text);
    /// # Ok(())
    /// # });
    /// ```
    ///
    /// # Errors
    /// The method is of another kind or takes another message type, or the call fails. The error is the status of the call.
    pub async fn unary(
        &mut self,
        method: &MethodDescriptor,
        request: impl IntoRequest<DynamicMessage>,
    ) -> Result<Response<DynamicMessage>, Status> {
        check_kind(method, Call { client_streaming: false, server_streaming: false })?;
        let request = match method.has_no_side_effects() {
            true => no_side_effects(request).into_request(),
            false => request.into_request(),
        };
        let request = Kind::Unary.of(self.one(method, request)?);
        self.one_answer(method, request).await
    }

    /// Calls a method that takes a stream of messages and answers with one message. If a message of the stream has the wrong
    /// type, the call ends with an error.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
    /// # use tobu_tonic_service::{Room, run};
    /// # use tobu::{DynamicMessage, json};
    /// # run(async {
    /// # let mut client = tobu_tonic::DynamicClient::new(ReadingRoomServer::new(Room::default()));
    /// # let service = reading_room_server::descriptor();
    /// let method = service.method("Return").unwrap();
    /// let book = DynamicMessage::from_json(&method.input(), r#"{"pages":412}"#)?;
    /// let books = tokio_stream::iter([book.clone(), book]);
    /// let receipt = client.client_streaming(&method, books).await?.into_inner();
    /// assert_eq!(json::to_string(&receipt)?, r#"{"books":2,"pages":824}"#);
    /// # Ok(())
    /// # });
    /// ```
    ///
    /// # Errors
    /// Fails for the same reasons as [`unary`](Self::unary).
    pub async fn client_streaming(
        &mut self,
        method: &MethodDescriptor,
        request: impl IntoStreamingRequest<Message = DynamicMessage>,
    ) -> Result<Response<DynamicMessage>, Status> {
        check_kind(method, Call { client_streaming: true, server_streaming: false })?;
        let request = Kind::Stream.of(self.many(method, request.into_streaming_request()));
        self.one_answer(method, request).await
    }

    /// Calls a method that takes one message and answers with a stream of messages.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
    /// # use tobu_tonic_service::{Room, run};
    /// # use tobu::{DynamicMessage, json};
    /// # run(async {
    /// # let mut client = tobu_tonic::DynamicClient::new(ReadingRoomServer::new(Room::default()));
    /// # let service = reading_room_server::descriptor();
    /// let method = service.method("Browse").unwrap();
    /// let request = DynamicMessage::from_json(&method.input(), r#"{"titles":["Dune"]}"#)?;
    /// let mut books = client.server_streaming(&method, request).await?.into_inner();
    /// let book = books.message().await?.unwrap();
    /// assert_eq!(json::to_string(&book)?, r#"{"title":"Dune","pages":412}"#);
    /// assert!(books.message().await?.is_none());
    /// # Ok(())
    /// # });
    /// ```
    ///
    /// # Errors
    /// Fails for the same reasons as [`unary`](Self::unary), if the call ends before the stream of answers begins.
    pub async fn server_streaming(
        &mut self,
        method: &MethodDescriptor,
        request: impl IntoRequest<DynamicMessage>,
    ) -> Result<Response<Streaming<DynamicMessage>>, Status> {
        check_kind(method, Call { client_streaming: false, server_streaming: true })?;
        let request = Kind::Stream.of(self.one(method, request.into_request())?);
        self.answers(method, request).await
    }

    /// Calls a method that takes a stream of messages and answers with a stream of messages. If a message of the request has
    /// the wrong type, the call ends with an error.
    ///
    /// ```
    /// # use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
    /// # use tobu_tonic_service::{Room, run};
    /// # use tobu::{DynamicMessage, json};
    /// # run(async {
    /// # let mut client = tobu_tonic::DynamicClient::new(ReadingRoomServer::new(Room::default()));
    /// # let service = reading_room_server::descriptor();
    /// let method = service.method("Talk").unwrap();
    /// let line = DynamicMessage::from_json(&method.input(), r#"{"text":"hear"}"#)?;
    /// let mut lines = client.streaming(&method, tokio_stream::iter([line])).await?.into_inner();
    /// let line = lines.message().await?.unwrap();
    /// assert_eq!(json::to_string(&line)?, r#"{"text":"hear, hear"}"#);
    /// # Ok(())
    /// # });
    /// ```
    ///
    /// # Errors
    /// Fails for the same reasons as [`unary`](Self::unary), if the call ends before the stream of answers begins.
    pub async fn streaming(
        &mut self,
        method: &MethodDescriptor,
        request: impl IntoStreamingRequest<Message = DynamicMessage>,
    ) -> Result<Response<Streaming<DynamicMessage>>, Status> {
        check_kind(method, Call { client_streaming: true, server_streaming: true })?;
        let request = Kind::Stream.of(self.many(method, request.into_streaming_request()));
        self.answers(method, request).await
    }

    /// Encodes the message of a request. The message must have the type that the method takes.
    fn one(
        &self,
        method: &MethodDescriptor,
        request: Request<DynamicMessage>,
    ) -> Result<Request<Messages>, Status> {
        let (metadata, extensions, message) = request.into_parts();
        let mut codec = self.codec(method);
        if extensions.get::<NoSideEffects>().is_some() {
            // A cache identifies a call by its bytes, so equal messages must have equal bytes.
            codec = codec.encode_options(self.inner.encode.deterministic(true));
        }
        let bytes = codec.encoded(&message)?;
        Ok(Request::from_parts(metadata, extensions, Messages::one(bytes)))
    }

    /// Converts a stream of messages to a stream that encodes each message when it is sent.
    fn many<S>(&self, method: &MethodDescriptor, request: Request<S>) -> Request<Messages>
    where
        S: Stream<Item = DynamicMessage> + Send + 'static,
    {
        let codec = self.codec(method);
        request.map(|messages| Messages::many(messages, move |message| codec.encoded(&message)))
    }

    async fn one_answer(
        &mut self,
        method: &MethodDescriptor,
        request: Request<Messages>,
    ) -> Result<Response<DynamicMessage>, Status> {
        let answer = self.inner.one_answer(path(method)?, request).await?;
        let (output, options) = (method.output(), self.inner.decode);
        decoded(
            answer,
            |bytes| DynamicMessage::decode_with(&output, bytes, options),
            |bytes| DynamicMessage::decode_bytes_with(&output, bytes, options),
        )
    }

    async fn answers(
        &mut self,
        method: &MethodDescriptor,
        request: Request<Messages>,
    ) -> Result<Response<Streaming<DynamicMessage>>, Status> {
        let decoder = self.codec(method).decoder();
        self.inner.answers(path(method)?, request, decoder).await
    }

    fn codec(&self, method: &MethodDescriptor) -> DynamicCodec {
        let Caller { encode, decode, .. } = self.inner;
        DynamicCodec::client(method).encode_options(encode).decode_options(decode)
    }
}

/// The kind of a call: which side sends a stream of messages.
#[derive(Clone, Copy, PartialEq)]
struct Call {
    client_streaming: bool,
    server_streaming: bool,
}

impl Call {
    /// Returns the name of the client's function for this kind of call.
    fn verb(self) -> &'static str {
        match (self.client_streaming, self.server_streaming) {
            (false, false) => "unary",
            (true, false) => "client_streaming",
            (false, true) => "server_streaming",
            (true, true) => "streaming",
        }
    }
}

fn check_kind(method: &MethodDescriptor, call: Call) -> Result<(), Status> {
    let own = Call {
        client_streaming: method.is_client_streaming(),
        server_streaming: method.is_server_streaming(),
    };
    if own == call {
        return Ok(());
    }
    let (name, own, call) = (method.full_name(), own.verb(), call.verb());
    Err(Status::invalid_argument(format!("{name} is called by `{own}`, not by `{call}`")))
}

fn path(method: &MethodDescriptor) -> Result<PathAndQuery, Status> {
    let path = format!("/{}/{}", method.service().full_name(), method.name());
    PathAndQuery::try_from(path).map_err(|error| {
        Status::invalid_argument(format!("{}: the name is not a path: {error}", method.full_name()))
    })
}
