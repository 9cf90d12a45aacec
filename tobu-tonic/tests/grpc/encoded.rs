//! Messages that stay bytes until they are read.

use bytes::Bytes;
use http::uri::PathAndQuery;
use tobu::{DecodeOptions, Deserialize, Limits, Message};
use tobu_tonic::{Encoded, EncodedCodec};
use tobu_tonic_service::reading::v1::Book;
use tokio_stream::StreamExt;
use tonic::client::Grpc;
use tonic::{Code, Request};

use super::{book, borrow, browse, room};

/// What of a book is looked at.
#[derive(Message, Deserialize, Debug, PartialEq)]
struct Seen<'a> {
    #[tobu(1)]
    title: &'a str,
    #[tobu(2)]
    pages: u32,
}

#[tokio::test]
async fn are_read_without_a_copy() {
    let mut client = Grpc::new(room().await);
    client.ready().await.unwrap();
    let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
    let request = Request::new(Encoded::of(&borrow("Dune")).unwrap());
    let answer = client.unary(request, path, EncodedCodec).await.unwrap().into_inner();
    assert_eq!(answer.bytes(), &b"\x0a\x04Dune\x10\x9c\x03"[..]);
    let seen: Seen<'_> = answer.read().unwrap();
    assert_eq!(seen, Seen { title: "Dune", pages: 412 });
    assert_eq!(seen.title.as_ptr(), answer.bytes()[2..].as_ptr());
    // As a type that owns all it has, too.
    assert_eq!(answer.read::<Book>().unwrap(), book("Dune", 412, ""));
}

#[tokio::test]
async fn come_in_streams() {
    let mut client = Grpc::new(room().await);
    client.ready().await.unwrap();
    let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Browse");
    let request = Request::new(Encoded::of(&browse(&["Dune", "Dune"])).unwrap());
    let books = client.server_streaming(request, path, EncodedCodec).await.unwrap().into_inner();
    let books: Vec<Encoded> = books.map(Result::unwrap).collect().await;
    let seen: Vec<Seen<'_>> = books.iter().map(|book| book.read().unwrap()).collect();
    assert_eq!(seen, [Seen { title: "Dune", pages: 412 }, Seen { title: "Dune", pages: 412 }]);
}

#[test]
fn tell_what_is_wrong_where_they_are_read() {
    let broken = Encoded::from(Bytes::from_static(b"\x0a\x09Dune"));
    let error = broken.read::<Book>().unwrap_err();
    let text = "reading.v1.Book.title: length of 9 bytes, but only 4 bytes are left (at byte 2)";
    assert_eq!((error.code(), error.message()), (Code::Internal, text));
    let options = DecodeOptions::new().limits(Limits::default().input(4));
    let error = Encoded::of(&borrow("Dune")).unwrap().read_with::<Book>(options).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
}
