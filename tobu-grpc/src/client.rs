//! Calls of the four kinds, over a channel of `grpc`.

use std::time::Instant;

use grpc::client::{CallOptions, Invoke, RecvStream, ResponseStreamItem, SendOptions, SendStream};
use grpc::core::RequestHeaders;
use grpc::metadata::MetadataMap;
use grpc::{StatusCodeError, StatusError};
use tobu::{Merge, Message, Serialize};

use crate::message::{Received, Sent};

/// The method of a call, as `/library.v1.Library/GetBook`, and what goes with it.
#[derive(Clone)]
pub struct Call {
    headers: RequestHeaders,
    options: CallOptions,
}

impl Call {
    /// The call of a method.
    pub fn new(path: &str) -> Self {
        Call { headers: RequestHeaders::new().with_method_name(path), options: CallOptions::new() }
    }

    /// Sends metadata.
    #[must_use]
    pub fn metadata(mut self, metadata: MetadataMap) -> Self {
        *self.headers.metadata_mut() = metadata;
        self
    }

    /// Sets the time after which the call is given up, by channels that look at it.
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

/// A client of any services, over a channel of `grpc` or an interceptor before one.
#[derive(Clone, Debug)]
pub struct Client<C> {
    channel: C,
}

impl<C: Invoke> Client<C> {
    /// A client over a channel.
    pub fn new(channel: C) -> Self {
        Client { channel }
    }

    /// Sends a message and receives one, whose content replaces that of `answer`.
    ///
    /// # Errors
    /// The call fails, or is not answered with exactly one message. `answer` may have changed then.
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

    /// Sends a message and receives a stream.
    ///
    /// # Errors
    /// The request cannot be encoded. If the call fails, the stream says so.
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
        // The status of a call that has already failed is that of the stream.
        let _ = sender.send(&request, SendOptions::new().with_final_msg(true)).await;
        Ok(receiver)
    }

    /// Begins a call that sends and receives streams. Dropping the sender ends the stream that is sent. A call that is answered with one
    /// message receives it by [`Receiver::only`].
    pub async fn streaming(&self, call: impl Into<Call>) -> (Sender<C::SendStream>, Receiver<C::RecvStream>) {
        let Call { headers, options } = call.into();
        let (sender, receiver) = self.channel.invoke(headers, options).await;
        (Sender(sender), Receiver(receiver))
    }
}

fn encode<M: Message + Serialize>(message: &M) -> Result<Sent, StatusError> {
    Sent::new(message).map_err(|error| StatusError::new(StatusCodeError::Internal, error.to_string()))
}

/// The messages that a call sends.
#[derive(Debug)]
pub struct Sender<S>(S);

impl<S: SendStream> Sender<S> {
    /// Sends a message; false if the call is over, whose status the [`Receiver`] has.
    ///
    /// # Errors
    /// The message cannot be encoded.
    pub async fn send<M: Message + Serialize>(&mut self, message: &M) -> Result<bool, StatusError> {
        let message = encode(message)?;
        Ok(self.0.send(&message, SendOptions::new()).await.is_ok())
    }
}

/// The messages that a call receives.
#[derive(Debug)]
pub struct Receiver<R>(R);

impl<R: RecvStream> Receiver<R> {
    /// Receives the next message, whose content replaces that of `message`; false at the end of a call that went well.
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

    /// Receives the message of a call that is answered with exactly one.
    ///
    /// # Errors
    /// The call fails, or is answered with none, or with several.
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
