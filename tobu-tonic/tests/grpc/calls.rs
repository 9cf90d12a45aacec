//! Typed clients and servers: the four kinds of methods, metadata, errors, cancellation.

use std::time::Duration;

use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::{self, ReadingRoomClient};
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tobu_tonic_service::reading::v1::{Book, Receipt};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_stream::{StreamExt, iter};
use tonic::client::Grpc;
use tonic::metadata::MetadataValue;
use tonic::server::NamedService;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::{Code, GrpcMethod, Request, Status};

use super::{book, borrow, browse, client, line, room, serve};

#[tokio::test]
async fn unary() {
    let mut client = client().await;
    assert_eq!(client.borrow(borrow("Emma")).await.unwrap().into_inner(), book("Emma", 474, "green"));
    // One client makes many calls.
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));
}

#[tokio::test]
async fn client_streaming() {
    let mut client = client().await;
    let books = iter([book("Dune", 412, ""), book("Emma", 474, "green")]);
    let receipt = client.r#return(books).await.unwrap().into_inner();
    assert_eq!(receipt, Receipt { books: 2, pages: 886, ..Receipt::default() });
    let receipt = client.r#return(iter([])).await.unwrap().into_inner();
    assert_eq!(receipt, Receipt::default());
}

#[tokio::test]
async fn server_streaming() {
    let mut client = client().await;
    let mut books = client.browse(browse(&["Emma", "Dune", "Lost"])).await.unwrap().into_inner();
    assert_eq!(books.message().await.unwrap(), Some(book("Emma", 474, "green")));
    assert_eq!(books.message().await.unwrap(), Some(book("Dune", 412, "")));
    let status = books.message().await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "there is no book \"Lost\""));
    assert_eq!(books.message().await.unwrap(), None);
    let books = client.browse(browse(&[])).await.unwrap().into_inner();
    assert_eq!(books.collect::<Vec<_>>().await.len(), 0);
}

#[tokio::test]
async fn streaming() {
    let mut client = client().await;
    let (send, receive) = tokio::sync::mpsc::channel(1);
    let mut lines =
        client.talk(tokio_stream::wrappers::ReceiverStream::new(receive)).await.unwrap().into_inner();
    // Each answer comes before the next question is asked.
    for text in ["hear", "look"] {
        send.send(line(text)).await.unwrap();
        let said = lines.message().await.unwrap();
        assert_eq!(said, Some(line(&format!("{text}, {text}"))));
    }
    drop(send);
    assert_eq!(lines.message().await.unwrap(), None);
}

#[tokio::test]
async fn metadata_goes_both_ways() {
    let mut client = client().await;
    let mut request = Request::new(borrow("Dune"));
    request.metadata_mut().insert("x-reader", "Ann".parse().unwrap());
    request.metadata_mut().insert_bin("x-card-bin", MetadataValue::from_bytes(&[0, 0xff, 7]));
    let answer = client.borrow(request).await.unwrap();
    assert_eq!(answer.metadata().get("x-reader").unwrap(), "Ann");
    assert_eq!(answer.metadata().get_bin("x-card-bin").unwrap().to_bytes().unwrap()[..], [0, 0xff, 7]);

    let status = client.borrow(borrow("Lost")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "there is no book \"Lost\""));
    assert_eq!(status.metadata().get("x-desk").unwrap(), "7");
}

#[tokio::test]
async fn interceptors_know_the_method() {
    let channel = InterceptedService::new(room().await, |mut request: Request<()>| {
        let method = request.extensions().get::<GrpcMethod<'static>>().unwrap();
        let name = format!("{} of {}", method.method(), method.service()).parse().unwrap();
        request.metadata_mut().insert("x-reader", name);
        Ok(request)
    });
    let answer = ReadingRoomClient::new(channel).borrow(borrow("Dune")).await.unwrap();
    assert_eq!(answer.metadata().get("x-reader").unwrap(), "Borrow of reading.v1.ReadingRoom");
}

#[tokio::test]
async fn interceptors_guard_a_server() {
    let guard = |_: Request<()>| Err(Status::unauthenticated("closed"));
    let server = InterceptedService::new(ReadingRoomServer::new(Room::default()), guard);
    let mut client = ReadingRoomClient::new(serve(Server::builder().add_service(server)).await);
    let status = client.borrow(borrow("Dune")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Unauthenticated, "closed"));
}

async fn permit(semaphore: &Semaphore) {
    timeout(Duration::from_secs(20), semaphore.acquire()).await.unwrap().unwrap().forget();
}

#[tokio::test]
async fn a_call_that_is_dropped_is_given_up() {
    let room = Room::default();
    let channel = serve(Server::builder().add_service(ReadingRoomServer::new(room.clone()))).await;
    let mut client = ReadingRoomClient::new(channel);
    tokio::select! {
        _ = client.borrow(borrow("Godot")) => panic!("there is an answer"),
        () = permit(&room.waiting) => {}
    }
    permit(&room.given_up).await;

    // A stream, after its first message.
    let mut books = client.browse(browse(&["Dune", "Godot"])).await.unwrap().into_inner();
    assert_eq!(books.message().await.unwrap(), Some(book("Dune", 412, "")));
    permit(&room.waiting).await;
    drop(books);
    permit(&room.given_up).await;

    // A deadline that the client sets.
    let mut request = Request::new(borrow("Godot"));
    request.set_timeout(Duration::from_millis(100));
    let status = client.borrow(request).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Cancelled, "Timeout expired"));
}

#[tokio::test]
async fn a_method_that_is_not_there() {
    let mut client = Grpc::new(room().await);
    client.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/reading.v1.ReadingRoom/Burn");
    let codec = tobu_tonic::TobuCodec::<Book, Book>::new();
    let status = client.unary(Request::new(Book::default()), path, codec).await.unwrap_err();
    let text = "there is no method /reading.v1.ReadingRoom/Burn";
    assert_eq!((status.code(), status.message()), (Code::Unimplemented, text));
}

#[tokio::test]
async fn a_server_is_a_transport() {
    let mut client = ReadingRoomClient::new(ReadingRoomServer::new(Room::default()));
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));
    let books = client.browse(browse(&["Dune", "Emma"])).await.unwrap().into_inner();
    let titles: Vec<_> = books.map(|book| book.unwrap().title).collect().await;
    assert_eq!(titles, ["Dune", "Emma"]);
}

#[test]
fn names_and_descriptors() {
    assert_eq!(ReadingRoomServer::<Room>::NAME, "reading.v1.ReadingRoom");
    assert_eq!(reading_room_server::SERVICE_NAME, "reading.v1.ReadingRoom");
    assert_eq!(reading_room_server::descriptor(), reading_room_client::descriptor());
    let methods = reading_room_server::descriptor();
    let methods: Vec<_> = methods.methods().map(|method| method.name().to_owned()).collect();
    assert_eq!(methods, ["Borrow", "Return", "Browse", "Talk"]);
}
