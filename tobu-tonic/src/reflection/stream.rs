//! Answers a stream of requests to the reflection service.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::catalog::{Catalog, Sent};
use super::v1::{ServerReflectionRequest, ServerReflectionResponse};
use super::{ReflectionService, v1, v1alpha};

/// A stream of answers, one for each request of a client, in the order of the requests.
pub struct Answers {
    catalog: Arc<Catalog>,
    /// The requests. `None` after an error, so that the stream ends.
    questions: Option<Streaming<ServerReflectionRequest>>,
    sent: Sent,
}

impl ReflectionService {
    fn answers(&self, request: Request<Streaming<ServerReflectionRequest>>) -> Response<Answers> {
        let questions = Some(request.into_inner());
        Response::new(Answers { catalog: Arc::clone(&self.0), questions, sent: Sent::new() })
    }
}

impl Stream for Answers {
    type Item = Result<ServerReflectionResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(questions) = &mut this.questions else { return Poll::Ready(None) };
        let answer = match ready!(Pin::new(questions).poll_next(context)) {
            Some(question) => question.and_then(|question| this.catalog.answer(question, &mut this.sent)),
            None => return Poll::Ready(None),
        };
        if answer.is_err() {
            this.questions = None;
        }
        Poll::Ready(Some(answer))
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").field("sent", &self.sent).finish_non_exhaustive()
    }
}

impl v1::server_reflection_server::ServerReflection for ReflectionService {
    type ServerReflectionInfoStream = Answers;

    async fn server_reflection_info(
        &self,
        request: Request<Streaming<ServerReflectionRequest>>,
    ) -> Result<Response<Answers>, Status> {
        Ok(self.answers(request))
    }
}

/// The generated code of `v1alpha` uses the message types of `v1`, because the messages are the same.
impl v1alpha::server_reflection_server::ServerReflection for ReflectionService {
    type ServerReflectionInfoStream = Answers;

    async fn server_reflection_info(
        &self,
        request: Request<Streaming<ServerReflectionRequest>>,
    ) -> Result<Response<Answers>, Status> {
        Ok(self.answers(request))
    }
}
