//! Makes calls of all four kinds over a channel of the crate `grpc`.

use std::time::Instant;

use grpc::client::{CallOptions, Invoke, RecvStream, ResponseStreamItem, SendOptions, SendStream};
use grpc::core::RequestHeaders;
use grpc::metadata::MetadataMap;
use grpc::{StatusCodeError, StatusError};
use tobu::{Merge, Message, Serialize};

use crate::message::{Received, Sent};

/// A call: the path of its method, such as `/library.v1.Library/GetBook`, its metadata and its options.
#[derive(Clone)]
pub struct Call {
    headers: RequestHeaders,
    options: CallOptions,
}

impl Call {
    /// Creates a call of the method with this path.
    pub fn new(path: &str) -> Self {
        Call { headers: RequestHeaders::new().with_method_name(path), options: CallOptions::new() }
    }

    /// Sets the metadata of the request.
    #[must_use]
    pub fn metadata(mut self, metadata: MetadataMap) -> Self {
        *self.headers.metadata_mut() = metadata;
        self
    }

    /// Sets the time at which the call fails if it is not complete. Only channels that support deadlines use it.
    #[must_use]
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.options.set_deadline(deadline);
        self
    }
}

impl From<&str> for Call {
    fn from(path: &str) -> Self {
        Call::new(path)
    }
}

/// A client for any service. It uses a channel of `grpc`, or an interceptor in front of a channel.
#[derive(Clone, Debug)]
pub struct Client<C> {
    channel: C,
}

impl<C: Invoke> Client<C> {
    /// Creates a client that uses `channel`.
    pub fn new(channel: C) -> Self {
        Client { channel }
    }

    /// Sends one message and receives one message, which replaces the content of `answer`.
    ///
    /// # Errors
    /// The call fails, or the server does not send exactly one message. Then `answer` may have changed.
    pub async fn unary<Q, A>(
        &self,
        call: impl Into<Call>,
        request: &Q,
        answer: &mut A,
    ) -> Result<(), StatusError>
    where
        Q: Message + Serialize,
        A: Message + for<'de> Merge<'de> + Send + Sync,
    {
        let mut answers = self.server_streaming(call, request).await?;
        answers.only(answer).await
    }

    /// Sends one message and receives a stream of messages.
    ///
    /// # Errors
    /// The request cannot be encoded. If the call fails, [`Receiver::next`] returns the error.
    pub async fn server_streaming<Q>(
        &self,
        call: impl Into<Call>,
        request: &Q,
    ) -> Result<Receiver<C::RecvStream>, StatusError>
    where
        Q: Message + Serialize,
    {
        let request = encode(request)?;
        let (Sender(mut sender), receiver) = self.streaming(call).await;
        // If sending fails, the receiver returns the status of the call.
        let _ = sender.send(&request, SendOptions::new().with_final_msg(true)).await;
        Ok(receiver)
    }

    /// Begins a call that sends and receives streams. To end the sent stream, drop the sender. If the server sends exactly one
    /// message, use [`Receiver::only`].
    pub async fn streaming(&self, call: impl Into<Call>) -> (Sender<C::SendStream>, Receiver<C::RecvStream>) {
        let Call { headers, options } = call.into();
        let (sender, receiver) = self.channel.invoke(headers, options).await;
        (Sender(sender), Receiver(receiver))
    }
}

fn encode<M: Message + Serialize>(message: &M) -> Result<Sent, StatusError> {
    Sent::new(message).map_err(|error| StatusError::new(StatusCodeError::Internal, error.to_string()))
}

/// Sends the messages of a call.
#[derive(Debug)]
pub struct Sender<S>(S);

impl<S: SendStream> Sender<S> {
    /// Sends a message. Returns false if the call is already over; then the [`Receiver`] returns its status.
    ///
    /// # Errors
    /// The message cannot be encoded.
    pub async fn send<M: Message + Serialize>(&mut self, message: &M) -> Result<bool, StatusError> {
        let message = encode(message)?;
        Ok(self.0.send(&message, SendOptions::new()).await.is_ok())
    }
}

/// Receives the messages of a call.
#[derive(Debug)]
pub struct Receiver<R>(R);

impl<R: RecvStream> Receiver<R> {
    /// Receives the next message, which replaces the content of `message`. Returns false at the end of a successful call.
    ///
    /// # Errors
    /// The call has failed.
    pub async fn next<M>(&mut self, message: &mut M) -> Result<bool, StatusError>
    where
        M: Message + for<'de> Merge<'de> + Send + Sync,
    {
        loop {
            match self.0.recv(&mut Received(message)).await {
                ResponseStreamItem::Headers(_) => {}
                ResponseStreamItem::Message => return Ok(true),
                ResponseStreamItem::Trailers(trailers) => return trailers.into_status().map(|()| false),
                ResponseStreamItem::StreamClosed => return Ok(false),
            }
        }
    }

    /// Receives the message of a call in which the server sends exactly one message.
    ///
    /// # Errors
    /// The call fails, or the server sends no message or several.
    pub async fn only<M>(&mut self, message: &mut M) -> Result<(), StatusError>
    where
        M: Message + for<'de> Merge<'de> + Send + Sync,
    {
        let wrong = |text| StatusError::new(StatusCodeError::Internal, text);
        if !self.next(message).await? {
            return Err(wrong("the answer has no message"));
        }
        match self.next(message).await? {
            false => Ok(()),
            true => Err(wrong("the answer has more than one message")),
        }
    }
}
