//! Messages that are too large, too deep or broken, and compression.

use bytes::Bytes;
use http_body::Body;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tobu::{Category, DecodeOptions, DynamicMessage, Limits};
use tobu_tonic::codegen::Caller;
use tobu_tonic::{DynamicClient, TobuCodec};
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tobu_tonic_service::reading::v1::{Book, BorrowRequest, Line, Receipt};
use tokio_stream::iter;
use tonic::client::Grpc;
use tonic::codec::CompressionEncoding::Gzip;
use tonic::transport::Server;
use tonic::{Code, Request, Status};
use tower_service::Service;

use super::{book, borrow, line, room, serve};

fn path(method: &str) -> http::uri::PathAndQuery {
    format!("/reading.v1.ReadingRoom/{method}").parse().unwrap()
}

#[tokio::test]
async fn a_large_request_is_refused() {
    let server = ReadingRoomServer::new(Room::default()).max_decoding_message_size(10);
    let mut client = ReadingRoomClient::new(serve(Server::builder().add_service(server)).await);
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));
    let status = client.borrow(borrow("The Count")).await.unwrap_err();
    let text = "Error, decoded message length too large: found 11 bytes, the limit is: 10 bytes";
    assert_eq!((status.code(), status.message()), (Code::OutOfRange, text));
}

#[tokio::test]
async fn a_large_answer_is_refused() {
    let channel = room().await;
    let mut client = ReadingRoomClient::new(channel).max_decoding_message_size(1000);
    let status = client.borrow(borrow("Atlas")).await.unwrap_err();
    let text = "Error, decoded message length too large: found 100013 bytes, the limit is: 1000 bytes";
    assert_eq!((status.code(), status.message()), (Code::OutOfRange, text));

    let server = ReadingRoomServer::new(Room::default()).max_encoding_message_size(1000);
    let mut client = ReadingRoomClient::new(serve(Server::builder().add_service(server)).await);
    let status = client.borrow(borrow("Atlas")).await.unwrap_err();
    let text = "Error, encoded message length too large: found 100013 bytes, the limit is: 1000 bytes";
    assert_eq!((status.code(), status.message()), (Code::OutOfRange, text));
}

#[tokio::test]
async fn limits_of_the_codec() {
    let options = DecodeOptions::new().limits(Limits::default().input(7));
    let channel = room().await;
    let mut client = ReadingRoomClient::new(channel.clone()).decode_options(options);
    let status = client.borrow(borrow("Dune")).await.unwrap_err();
    let text = "reading.v1.Book: input of 9 bytes is larger than the limit of 7 bytes";
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, text));

    let method = reading_room_server::descriptor().method("Borrow").unwrap();
    let request = DynamicMessage::from_json(&method.input(), r#"{"title":"Dune"}"#).unwrap();
    let mut client = DynamicClient::new(channel).decode_options(options);
    let status = client.unary(&method, request).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, text));

    let server = ReadingRoomServer::new(Room::default()).decode_options(options);
    let mut client = ReadingRoomClient::new(serve(Server::builder().add_service(server)).await);
    assert_eq!(client.borrow(borrow("Emma")).await.unwrap().into_inner(), book("Emma", 474, "green"));
    let status = client.borrow(borrow("Ulysses")).await.unwrap_err();
    let text = "reading.v1.BorrowRequest: input of 9 bytes is larger than the limit of 7 bytes";
    assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, text));
}

/// A message of any bytes: a type that is bound to no message of the service.
#[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "reading.test")]
struct Raw {
    #[tobu(1)]
    title: Vec<u8>,
}

#[tokio::test]
async fn a_broken_request_names_the_field() {
    let mut client = Grpc::new(room().await);
    client.ready().await.unwrap();
    let raw = || Raw { title: b"\xff".to_vec() };
    let codec = TobuCodec::<Raw, Book>::new();
    let status = client.unary(Request::new(raw()), path("Borrow"), codec).await.unwrap_err();
    let text = "reading.v1.BorrowRequest.title: invalid UTF-8 in a string (at byte 2)";
    assert_eq!((status.code(), status.message()), (Code::Internal, text));

    // In a stream, after one that is well.
    let codec = TobuCodec::<Raw, Line>::new();
    client.ready().await.unwrap();
    let lines = iter([Raw { title: b"hear".to_vec() }, raw()]);
    let lines = client.streaming(Request::new(lines), path("Talk"), codec).await.unwrap();
    let mut lines = lines.into_inner();
    assert_eq!(lines.message().await.unwrap(), Some(line("hear, hear")));
    let status = lines.message().await.unwrap_err();
    let text = "reading.v1.Line.text: invalid UTF-8 in a string (at byte 2)";
    assert_eq!((status.code(), status.message()), (Code::Internal, text));
}

#[tokio::test]
async fn a_broken_answer_has_the_error_as_its_source() {
    // A book where a line is wanted: its pages are not there, its title is text.
    #[derive(Debug, tobu::Message, tobu::Deserialize, tobu::Serialize)]
    #[tobu(package = "reading.test")]
    struct Numbers {
        #[tobu(1)]
        inner: Option<Raw>,
    }
    let mut client = Grpc::new(room().await);
    client.ready().await.unwrap();
    let codec = TobuCodec::<BorrowRequest, Numbers>::new();
    let status = client.unary(Request::new(borrow("Dune")), path("Borrow"), codec).await.unwrap_err();
    let text = "reading.test.Numbers.inner: end-group tag of field 8 without its start (at byte 2)";
    assert_eq!(status.code(), Code::Internal);
    let error = std::error::Error::source(&status).unwrap().downcast_ref::<tobu::Error>().unwrap();
    assert_eq!(error.category(), Category::Malformed);
    assert_eq!((error.to_string(), status.message()), (text.to_owned(), text));
}

#[tokio::test]
async fn what_does_not_encode_is_not_sent() {
    #[derive(Debug, tobu::Message, tobu::Deserialize, tobu::Serialize)]
    #[tobu(package = "reading.test")]
    struct Strict {
        #[tobu(1, required)]
        title: Option<String>,
    }
    let mut client = Caller::new(room().await);
    let call = client.unary::<Strict, Book>("/reading.v1.ReadingRoom/Borrow", Strict { title: None });
    let status = call.await.unwrap_err();
    let text = "reading.test.Strict.title: required field title has no value";
    assert_eq!((status.code(), status.message()), (Code::Internal, text));

    // In a stream, after one that is well.
    let books = iter([Strict { title: Some("Dune".into()) }, Strict { title: None }]);
    let call = client.client_streaming::<Strict, Receipt>("/reading.v1.ReadingRoom/Return", books);
    let status = call.await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Internal, text));
}

#[tokio::test]
async fn bytes_share_what_came_over_the_network() {
    #[derive(Debug, tobu::Message, tobu::Deserialize, tobu::Serialize)]
    #[tobu(package = "reading.test")]
    struct Shared {
        #[tobu(1)]
        title: Bytes,
        #[tobu(3)]
        cover: Bytes,
    }
    let mut client = Caller::new(room().await);
    let path = "/reading.v1.ReadingRoom/Borrow";
    let Shared { title, cover } = client.unary(path, borrow("Atlas")).await.unwrap().into_inner();
    assert_eq!((&title[..], cover.len()), (&b"Atlas"[..], 100_000));
    // As far from each other as in the message: the title, two bytes of pages, a tag and a length of three.
    assert_eq!((cover.as_ptr() as usize).wrapping_sub(title.as_ptr() as usize), 5 + 2 + 4);

    // Not where they would keep more than they are.
    let Shared { title, cover } = client.unary(path, borrow("Emma")).await.unwrap().into_inner();
    assert_eq!((&title[..], &cover[..]), (&b"Emma"[..], &b"green"[..]));
    assert_ne!((cover.as_ptr() as usize).wrapping_sub(title.as_ptr() as usize), 4 + 3 + 2);
}

/// Counts the bytes of the answers that come through.
#[derive(Clone)]
struct Counted<S>(S, Arc<AtomicUsize>);

struct CountedBody(tonic::body::Body, Arc<AtomicUsize>);

impl Body for CountedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.0).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.1.fetch_add(data.len(), Ordering::Relaxed);
        }
        frame
    }
}

impl<S> Service<http::Request<tonic::body::Body>> for Counted<S>
where
    S: Service<http::Request<tonic::body::Body>, Response = http::Response<tonic::body::Body>>,
    S::Future: Send + 'static,
{
    type Response = http::Response<CountedBody>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let (answer, count) = (self.0.call(request), Arc::clone(&self.1));
        Box::pin(async move { Ok(answer.await?.map(|body| CountedBody(body, count))) })
    }
}

#[tokio::test]
async fn compression() {
    let server = ReadingRoomServer::new(Room::default()).send_compressed(Gzip).accept_compressed(Gzip);
    let channel = serve(Server::builder().add_service(server)).await;
    let count = Arc::new(AtomicUsize::new(0));
    let mut plain = ReadingRoomClient::new(Counted(channel.clone(), count.clone()));
    let atlas = plain.borrow(borrow("Atlas")).await.unwrap().into_inner();
    assert_eq!(count.swap(0, Ordering::Relaxed), 100_018);

    let small = ReadingRoomClient::new(Counted(channel, count.clone()));
    let mut small = small.send_compressed(Gzip).accept_compressed(Gzip);
    let answer = small.borrow(borrow("Atlas")).await.unwrap();
    assert_eq!(answer.metadata().get("grpc-encoding").unwrap(), "gzip");
    assert_eq!(answer.into_inner(), atlas);
    let size = count.load(Ordering::Relaxed);
    assert!(size < 1000, "{size} bytes came");

    // Not to a server that does not take it.
    let mut client = ReadingRoomClient::new(room().await).send_compressed(Gzip);
    let status = client.borrow(borrow("Dune")).await.unwrap_err();
    let text = "Content is compressed with `gzip` which isn't supported";
    assert_eq!((status.code(), status.message()), (Code::Unimplemented, text));
}
