//! Calls of a server of tobu-tonic, by the client of the crate `grpc`.

use grpc::client::{
    CallOptions, Channel, ChannelOptions, Invoke, RecvStream, ResponseStreamItem, SendOptions, SendStream,
};
use grpc::core::RequestHeaders;
use grpc::credentials::LocalChannelCredentials;
use grpc::metadata::{AsciiMetadataValue, MetadataMap};
use grpc::{StatusCodeError, StatusError};
use tobu_grpc::{Call, Client, Received, Sent};
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
use tobu_tonic_service::reading::v1::{Book, BorrowRequest, BrowseRequest, Line, Receipt};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

const BORROW: &str = "/reading.v1.ReadingRoom/Borrow";
const BROWSE: &str = "/reading.v1.ReadingRoom/Browse";

/// A channel to a room, and the room.
async fn open() -> (Channel, Room) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let room = Room::default();
    let service = ReadingRoomServer::new(room.clone());
    let server = tonic::transport::Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let target = format!("dns:///{address}");
    (Channel::new(target, LocalChannelCredentials::new_arc(), ChannelOptions::default()), room)
}

fn borrow(title: &str) -> BorrowRequest {
    BorrowRequest { title: title.to_owned(), ..BorrowRequest::default() }
}

fn book(title: &str, pages: u32) -> Book {
    Book { title: title.to_owned(), pages, ..Book::default() }
}

fn text(error: StatusError) -> String {
    format!("{:?}: {}", error.code(), error.message())
}

#[tokio::test]
async fn one_message_for_another() {
    let (channel, _) = open().await;
    let client = Client::new(channel);
    let mut found = Book { title: "what was there before".to_owned(), ..book("", 1) };
    let before = found.title.as_ptr();
    client.unary(BORROW, &borrow("Dune"), &mut found).await.unwrap();
    assert_eq!(found, book("Dune", 412));
    assert_eq!(found.title.as_ptr(), before, "the memory of the title is used again");

    // Larger than a frame of HTTP/2, so that it comes in pieces.
    client.unary(BORROW, &borrow("Atlas"), &mut found).await.unwrap();
    assert_eq!((&*found.title, found.cover.len()), ("Atlas", 100_000));

    let lost = client.unary(BORROW, &borrow("Lost"), &mut found).await.unwrap_err();
    assert_eq!(text(lost), "NotFound: there is no book \"Lost\"");
    let unknown =
        client.unary("/reading.v1.ReadingRoom/Burn", &borrow("Dune"), &mut found).await.unwrap_err();
    assert_eq!(unknown.code(), StatusCodeError::Unimplemented);
}

#[tokio::test]
async fn streams() {
    let (channel, _) = open().await;
    let client = Client::new(channel);
    let titles = ["Dune", "Emma", "Lost"].map(str::to_owned).to_vec();
    let request = BrowseRequest { titles, ..BrowseRequest::default() };
    let mut books = client.server_streaming(BROWSE, &request).await.unwrap();
    let mut found = Book::default();
    assert!(books.next(&mut found).await.unwrap());
    assert_eq!(found, book("Dune", 412));
    assert!(books.next(&mut found).await.unwrap());
    assert_eq!((&*found.title, &*found.cover), ("Emma", &b"green"[..]));
    let lost = books.next(&mut found).await.unwrap_err();
    assert_eq!(text(lost), "NotFound: there is no book \"Lost\"");
    assert!(!books.next(&mut found).await.unwrap(), "a call that has failed is over");

    let (mut sender, mut receiver) = client.streaming("/reading.v1.ReadingRoom/Return").await;
    for _ in 0..3 {
        assert!(sender.send(&book("Dune", 412)).await.unwrap());
    }
    drop(sender);
    let mut receipt = Receipt::default();
    receiver.only(&mut receipt).await.unwrap();
    assert_eq!(receipt, Receipt { books: 3, pages: 1236, ..Receipt::default() });

    let (mut sender, mut receiver) = client.streaming("/reading.v1.ReadingRoom/Talk").await;
    let mut line = Line::default();
    for said in ["hello", "and again"] {
        assert!(sender.send(&Line { text: said.to_owned(), ..Line::default() }).await.unwrap());
        assert!(receiver.next(&mut line).await.unwrap());
        assert_eq!(line.text, format!("{said}, {said}"));
    }
    drop(sender);
    assert!(!receiver.next(&mut line).await.unwrap());
}

#[tokio::test]
async fn an_answer_must_be_one_message() {
    let (channel, _) = open().await;
    let client = Client::new(channel);
    let mut found = Book::default();
    for (titles, wanted) in [
        (vec![], "Internal: the answer has no message"),
        (vec!["Dune".to_owned(); 2], "Internal: the answer has more than one message"),
    ] {
        let request = BrowseRequest { titles, ..BrowseRequest::default() };
        assert_eq!(text(client.unary(BROWSE, &request, &mut found).await.unwrap_err()), wanted);
    }
    // What is received is not the message that the client takes it for.
    let mut other = tobu::types::Struct::default();
    let error = client.unary(BORROW, &borrow("Emma"), &mut other).await.unwrap_err();
    let wanted = "Internal: error decoding response: google.protobuf.Struct.fields: length of 4 bytes, but only 3 bytes are left (at byte 3)";
    assert_eq!(text(error), wanted);
}

/// A stream that is dropped is canceled, and the service gives up what it does for it.
#[tokio::test]
async fn streams_that_are_given_up() {
    let (channel, room) = open().await;
    let client = Client::new(channel);
    let titles = ["Dune", "Godot"].map(str::to_owned).to_vec();
    let request = BrowseRequest { titles, ..BrowseRequest::default() };
    let mut books = client.server_streaming(BROWSE, &request).await.unwrap();
    let mut found = Book::default();
    assert!(books.next(&mut found).await.unwrap());
    room.waiting.acquire().await.unwrap().forget();
    drop(books);
    room.given_up.acquire().await.unwrap().forget();
}

/// The traits alone, on a channel.
#[tokio::test]
async fn metadata() {
    let (channel, _) = open().await;
    let mut metadata = MetadataMap::new();
    metadata.insert("x-reader", AsciiMetadataValue::from_static("ann"));
    let headers = RequestHeaders::new().with_method_name(BORROW).with_metadata(metadata.clone());
    let (mut sender, mut receiver) = channel.invoke(headers, CallOptions::new()).await;
    let request = Sent::new(&borrow("Dune")).unwrap();
    sender.send(&request, SendOptions::new().with_final_msg(true)).await.unwrap();
    let mut found = Book::default();
    let ResponseStreamItem::Headers(headers) = receiver.recv(&mut Received(&mut found)).await else {
        panic!("there are no headers")
    };
    assert_eq!(headers.metadata().get("x-reader").unwrap().to_str(), "ann");
    let ResponseStreamItem::Message = receiver.recv(&mut Received(&mut found)).await else {
        panic!("there is no message")
    };
    assert_eq!(found, book("Dune", 412));

    let client = Client::new(channel);
    client.unary(Call::new(BORROW).metadata(metadata), &borrow("Emma"), &mut found).await.unwrap();
    assert_eq!(found.title, "Emma");
}
