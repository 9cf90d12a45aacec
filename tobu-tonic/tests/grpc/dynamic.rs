//! A dynamic client against a typed server.

use tobu::{DynamicMessage, MethodDescriptor, json};
use tobu_tonic::DynamicClient;
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tokio_stream::{StreamExt, iter};
use tonic::codec::CompressionEncoding::Gzip;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Status};

use super::{room, serve};

fn method(name: &str) -> MethodDescriptor {
    reading_room_server::descriptor().method(name).unwrap()
}

fn input(method: &MethodDescriptor, json: &str) -> DynamicMessage {
    DynamicMessage::from_json(&method.input(), json).unwrap()
}

async fn client() -> DynamicClient<Channel> {
    DynamicClient::new(room().await)
}

#[tokio::test]
async fn unary() {
    let borrow = method("Borrow");
    let mut request = Request::new(input(&borrow, r#"{"title":"Emma"}"#));
    request.metadata_mut().insert("x-reader", "Ann".parse().unwrap());
    let answer = client().await.unary(&borrow, request).await.unwrap();
    assert_eq!(answer.metadata().get("x-reader").unwrap(), "Ann");
    let text = r#"{"title":"Emma","pages":474,"cover":"Z3JlZW4="}"#;
    assert_eq!(json::to_string(answer.get_ref()).unwrap(), text);
}

#[tokio::test]
async fn client_streaming() {
    let give_back = method("Return");
    let books = [r#"{"pages":1}"#, r#"{"pages":2}"#].map(|json| input(&give_back, json));
    let receipt = client().await.client_streaming(&give_back, iter(books)).await.unwrap().into_inner();
    assert_eq!(json::to_string(&receipt).unwrap(), r#"{"books":2,"pages":3}"#);
}

#[tokio::test]
async fn server_streaming() {
    let browse = method("Browse");
    let request = input(&browse, r#"{"titles":["Dune","Lost"]}"#);
    let mut books = client().await.server_streaming(&browse, request).await.unwrap().into_inner();
    let book = books.message().await.unwrap().unwrap();
    assert_eq!(json::to_string(&book).unwrap(), r#"{"title":"Dune","pages":412}"#);
    let status = books.message().await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "there is no book \"Lost\""));
}

#[tokio::test]
async fn streaming() {
    let talk = method("Talk");
    let lines = [r#"{"text":"a"}"#, r#"{"text":"b"}"#].map(|json| input(&talk, json));
    let lines = client().await.streaming(&talk, iter(lines)).await.unwrap().into_inner();
    let lines: Vec<_> = lines.map(|line| json::to_string(&line.unwrap()).unwrap()).collect().await;
    assert_eq!(lines, [r#"{"text":"a, a"}"#, r#"{"text":"b, b"}"#]);
}

#[tokio::test]
async fn settings() {
    let server = ReadingRoomServer::new(Room::default()).send_compressed(Gzip).accept_compressed(Gzip);
    let channel = serve(Server::builder().add_service(server)).await;
    let borrow = method("Borrow");
    let mut client = DynamicClient::new(channel.clone()).send_compressed(Gzip).accept_compressed(Gzip);
    let answer = client.unary(&borrow, input(&borrow, r#"{"title":"Dune"}"#)).await.unwrap();
    assert_eq!(answer.metadata().get("grpc-encoding").unwrap(), "gzip");

    let mut client = DynamicClient::new(channel).max_decoding_message_size(8).max_encoding_message_size(12);
    let status = client.unary(&borrow, input(&borrow, r#"{"title":"Dune"}"#)).await.unwrap_err();
    let text = "Error, decoded message length too large: found 9 bytes, the limit is: 8 bytes";
    assert_eq!((status.code(), status.message()), (Code::OutOfRange, text));
    let status = client.unary(&borrow, input(&borrow, r#"{"title":"The Count of"}"#)).await.unwrap_err();
    // What tonic says of a body that it does not send.
    assert_eq!((status.code(), status.message()), (Code::Internal, "h2 protocol error: http2 error"));
}

fn text(result: Result<impl Sized, Status>) -> (Code, String) {
    match result {
        Ok(_) => panic!("the call should be refused"),
        Err(status) => (status.code(), status.message().to_owned()),
    }
}

#[tokio::test]
async fn methods_of_another_kind_are_refused() {
    let mut client = client().await;
    let refused = |text: &str| (Code::InvalidArgument, text.to_owned());
    let (borrow, talk) = (method("Borrow"), method("Talk"));
    let (title, line) = (input(&borrow, "{}"), input(&talk, "{}"));
    assert_eq!(
        text(client.unary(&talk, line.clone()).await),
        refused("reading.v1.ReadingRoom.Talk is called by `streaming`, not by `unary`")
    );
    assert_eq!(
        text(client.server_streaming(&borrow, title.clone()).await),
        refused("reading.v1.ReadingRoom.Borrow is called by `unary`, not by `server_streaming`")
    );
    assert_eq!(
        text(client.client_streaming(&method("Browse"), iter([line.clone()])).await),
        refused("reading.v1.ReadingRoom.Browse is called by `server_streaming`, not by `client_streaming`")
    );
    assert_eq!(
        text(client.streaming(&method("Return"), iter([line])).await),
        refused("reading.v1.ReadingRoom.Return is called by `client_streaming`, not by `streaming`")
    );
}

#[tokio::test]
async fn messages_of_another_type_are_refused() {
    let mut client = client().await;
    let refused = |text: &str| (Code::InvalidArgument, text.to_owned());
    let (borrow, browse, talk) = (method("Borrow"), method("Browse"), method("Talk"));
    let (title, line) = (input(&borrow, "{}"), input(&talk, "{}"));
    assert_eq!(
        text(client.unary(&borrow, line.clone()).await),
        refused("reading.v1.ReadingRoom.Borrow takes reading.v1.BorrowRequest, not reading.v1.Line")
    );
    assert_eq!(
        text(client.server_streaming(&browse, line.clone()).await),
        refused("reading.v1.ReadingRoom.Browse takes reading.v1.BrowseRequest, not reading.v1.Line")
    );
    // In a stream, where it is found when it is sent.
    let books = iter([title.clone()]);
    assert_eq!(
        text(client.client_streaming(&method("Return"), books).await),
        refused("reading.v1.ReadingRoom.Return takes reading.v1.Book, not reading.v1.BorrowRequest")
    );
    let said = match client.streaming(&talk, iter([title])).await {
        Ok(lines) => text(lines.into_inner().message().await),
        Err(status) => text(Err::<(), _>(status)),
    };
    assert_eq!(
        said,
        refused("reading.v1.ReadingRoom.Talk takes reading.v1.Line, not reading.v1.BorrowRequest")
    );
}

#[tokio::test]
async fn a_message_of_another_type_after_the_answer_began() {
    let (borrow, talk) = (method("Borrow"), method("Talk"));
    let (send, receive) = tokio::sync::mpsc::channel(1);
    let lines = tokio_stream::wrappers::ReceiverStream::new(receive);
    let mut lines = client().await.streaming(&talk, lines).await.unwrap().into_inner();
    send.send(input(&talk, r#"{"text":"a"}"#)).await.unwrap();
    let line = lines.message().await.unwrap().unwrap();
    assert_eq!(json::to_string(&line).unwrap(), r#"{"text":"a, a"}"#);
    send.send(input(&borrow, "{}")).await.unwrap();
    // The answer is tonic's by now, which does not know why the body ended.
    let broken = "h2 protocol error: error reading a body from connection";
    assert_eq!(text(lines.message().await), (Code::Internal, broken.to_owned()));
}
