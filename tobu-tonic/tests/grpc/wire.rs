//! The codecs, as tonic uses them: both ends dynamic, on paths of one's own.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use tobu::{DynamicMessage, MethodDescriptor, json};
use tobu_tonic::{DynamicClient, DynamicCodec};
use tobu_tonic_service::reading::v1::reading_room_server;
use tonic::server::{Grpc, UnaryService};
use tonic::{Code, Request, Response, Status};
use tower_service::Service;

/// Answers every call of a method with the same message.
#[derive(Clone)]
struct Always(MethodDescriptor, DynamicMessage);

impl UnaryService<DynamicMessage> for Always {
    type Response = DynamicMessage;
    type Future = std::future::Ready<Result<Response<DynamicMessage>, Status>>;

    fn call(&mut self, request: Request<DynamicMessage>) -> Self::Future {
        assert_eq!(request.get_ref().descriptor().full_name(), "reading.v1.BorrowRequest");
        std::future::ready(Ok(Response::new(self.1.clone())))
    }
}

/// Serves it.
#[derive(Clone)]
struct Server(Always);

impl Service<http::Request<tonic::body::Body>> for Server {
    type Response = http::Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let always = self.0.clone();
        let mut grpc = Grpc::new(DynamicCodec::server(&always.0));
        Box::pin(async move { Ok(grpc.unary(always, request).await) })
    }
}

fn borrow() -> MethodDescriptor {
    reading_room_server::descriptor().method("Borrow").unwrap()
}

#[tokio::test]
async fn a_dynamic_server() {
    let book = DynamicMessage::from_json(&borrow().output(), r#"{"title":"Emma"}"#).unwrap();
    let mut client = DynamicClient::new(Server(Always(borrow(), book)));
    let request = DynamicMessage::new(&borrow().input()).unwrap();
    let answer = client.unary(&borrow(), request).await.unwrap().into_inner();
    assert_eq!(json::to_string(&answer).unwrap(), r#"{"title":"Emma"}"#);
}

#[tokio::test]
async fn a_dynamic_server_with_another_answer() {
    let wrong = DynamicMessage::new(&borrow().input()).unwrap();
    let mut client = DynamicClient::new(Server(Always(borrow(), wrong.clone())));
    let status = client.unary(&borrow(), wrong).await.unwrap_err();
    let text = "Error encoding: code: 'Client specified an invalid argument', message: \
        \"reading.v1.ReadingRoom.Borrow answers with reading.v1.Book, not reading.v1.BorrowRequest\"";
    assert_eq!((status.code(), status.message()), (Code::Internal, text));
}
