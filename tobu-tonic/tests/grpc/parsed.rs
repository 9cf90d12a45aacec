//! A server and a client that get parsed messages.

use tobu::{DecodeOptions, Parsed};
use tobu_tonic::codegen::BoxStream;
use tobu_tonic_service::parsed::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::parsed::reading::v1::reading_room_server::{ReadingRoom, ReadingRoomServer};
use tobu_tonic_service::reading::v1::{Book, BorrowRequest, BrowseRequest, Line, Receipt};
use tokio_stream::StreamExt;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Response, Status, Streaming};

use crate::{book, borrow, browse, line, serve};

struct Desk;

impl ReadingRoom for Desk {
    async fn borrow(&self, request: Request<Parsed<BorrowRequest>>) -> Result<Response<Book>, Status> {
        let request = request.into_inner();
        // It may stay on another task for as long as it likes.
        let title = tokio::spawn(async move { request.get().title().to_owned() }).await.unwrap();
        Ok(Response::new(book(&title, 412, "")))
    }

    async fn r#return(&self, request: Request<Streaming<Parsed<Book>>>) -> Result<Response<Receipt>, Status> {
        let mut books = request.into_inner();
        let mut receipt = Receipt::default();
        while let Some(book) = books.message().await? {
            receipt.books += 1;
            receipt.pages += book.get().pages() + book.get().cover().len() as u32;
        }
        Ok(Response::new(receipt))
    }

    async fn browse(
        &self,
        request: Request<Parsed<BrowseRequest>>,
    ) -> Result<Response<BoxStream<Book>>, Status> {
        let books: Vec<_> = request.get_ref().get().titles().iter().map(|title| book(title, 1, "")).collect();
        Ok(Response::new(Box::pin(tokio_stream::iter(books).map(Ok))))
    }

    async fn talk(
        &self,
        request: Request<Streaming<Parsed<Line>>>,
    ) -> Result<Response<BoxStream<Line>>, Status> {
        let lines = request.into_inner().map(|line| line?.to_message().map_err(|_| Status::internal("")));
        Ok(Response::new(Box::pin(lines)))
    }
}

async fn client(server: ReadingRoomServer<Desk>) -> ReadingRoomClient<Channel> {
    ReadingRoomClient::new(serve(Server::builder().add_service(server)).await)
}

#[tokio::test]
async fn calls_of_each_kind() {
    let mut client = client(ReadingRoomServer::new(Desk)).await;
    let answer = client.borrow(borrow("Dune")).await.unwrap().into_inner();
    assert_eq!((answer.get().title(), answer.get().pages()), ("Dune", 412));
    assert_eq!(answer.to_message().unwrap(), book("Dune", 412, ""));

    // The second is as large as to share its bytes.
    let cover: &'static str = "x".repeat(5000).leak();
    let books = (0..20).map(move |pages| book("", pages, if pages == 1 { cover } else { "" }));
    let receipt = client.r#return(tokio_stream::iter(books)).await.unwrap().into_inner();
    assert_eq!((receipt.get().books(), receipt.get().pages()), (20, 190 + 5000));

    let books = client.browse(browse(&["Dune", "Emma"])).await.unwrap().into_inner();
    let titles: Vec<_> = books.map(|book| book.unwrap().get().title().to_owned()).collect().await;
    assert_eq!(titles, ["Dune", "Emma"]);

    let lines = tokio_stream::iter(["a", "", "b"].map(line));
    let answers = client.talk(lines).await.unwrap().into_inner();
    let answers: Vec<_> = answers.map(|line| line.unwrap().to_message().unwrap()).collect().await;
    assert_eq!(answers, ["a", "", "b"].map(line));
}

#[tokio::test]
async fn limits_hold() {
    let options = DecodeOptions::new().limits(tobu::Limits::default().input(8));
    let mut client = client(ReadingRoomServer::new(Desk).decode_options(options)).await;
    let error = client.borrow(borrow("a long title")).await.unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert_eq!(
        error.message(),
        "reading.v1.BorrowRequest: input of 14 bytes is larger than the limit of 8 bytes"
    );
    let mut client = client.decode_options(options);
    let error = client.borrow(borrow("Dune")).await.unwrap_err();
    assert_eq!(error.message(), "reading.v1.Book: input of 9 bytes is larger than the limit of 8 bytes");
}
