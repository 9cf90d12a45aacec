//! A server whose requests are messages of pools.

use std::sync::{Arc, Mutex};

use tobu::DecodeOptions;
use tobu::reuse::{Bounds, Pooled};
use tobu_tonic::codegen::BoxStream;
use tobu_tonic_service::pooled::reading::v1::reading_room_server::{ReadingRoom, ReadingRoomServer};
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::{Book, BorrowRequest, Line, Receipt};
use tokio_stream::StreamExt;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request, Response, Status, Streaming};

use crate::{book, borrow, line, serve};

/// Notes where the titles of requests lie, and keeps a request for as long as it likes.
#[derive(Default)]
struct Desk {
    addresses: Mutex<Vec<usize>>,
    kept: Mutex<Option<Pooled<BorrowRequest>>>,
}

impl ReadingRoom for Desk {
    async fn borrow(&self, request: Request<Pooled<BorrowRequest>>) -> Result<Response<Book>, Status> {
        let request = request.into_inner();
        self.addresses.lock().unwrap().push(request.title.as_ptr().addr());
        let answer = book(&request.title, 412, "");
        if request.title == "keep" {
            *self.kept.lock().unwrap() = Some(request);
        }
        Ok(Response::new(answer))
    }

    async fn r#return(&self, request: Request<Streaming<Pooled<Book>>>) -> Result<Response<Receipt>, Status> {
        let mut books = request.into_inner();
        let mut receipt = Receipt::default();
        while let Some(book) = books.message().await? {
            receipt.books += 1;
            // The cover is a part of what came, and let go with the book.
            receipt.pages += book.pages + book.cover.len() as u32;
        }
        Ok(Response::new(receipt))
    }

    async fn talk(
        &self,
        request: Request<Streaming<Pooled<Line>>>,
    ) -> Result<Response<BoxStream<Line>>, Status> {
        let lines = request.into_inner().map(|line| line.map(Pooled::into_inner));
        Ok(Response::new(Box::pin(lines)))
    }
}

async fn client(server: ReadingRoomServer<Desk>) -> ReadingRoomClient<Channel> {
    ReadingRoomClient::new(serve(Server::builder().add_service(server)).await)
}

#[tokio::test]
async fn requests_are_used_again() {
    let desk = Arc::new(Desk::default());
    let mut client = client(ReadingRoomServer::from_arc(Arc::clone(&desk))).await;
    for title in ["a long title", "Dune", "keep", "Emma", ""] {
        assert_eq!(client.borrow(borrow(title)).await.unwrap().into_inner(), book(title, 412, ""));
    }
    let addresses = desk.addresses.lock().unwrap().clone();
    assert_eq!(addresses[0], addresses[1], "the memory of the first title");
    assert_eq!(addresses[1], addresses[2]);
    assert_ne!(addresses[2], addresses[3], "a request that is kept is not lent again");
    assert_eq!(desk.kept.lock().unwrap().as_ref().unwrap().title, "keep");
}

#[tokio::test]
async fn streams_of_requests() {
    let mut client = client(ReadingRoomServer::new(Desk::default())).await;
    // The second is as large as to share its bytes.
    let cover: &'static str = "x".repeat(5000).leak();
    let books = (0..20).map(move |pages| book("", pages, if pages == 1 { cover } else { "" }));
    let receipt = client.r#return(tokio_stream::iter(books)).await.unwrap().into_inner();
    assert_eq!(receipt, Receipt { books: 20, pages: 190 + 5000, ..Receipt::default() });
    let lines = tokio_stream::iter(["a", "", "b"].map(line));
    let answers = client.talk(lines).await.unwrap().into_inner();
    let answers: Vec<_> = answers.map(Result::unwrap).collect().await;
    assert_eq!(answers, ["a", "", "b"].map(line));
}

#[tokio::test]
async fn settings_of_the_pools() {
    let desk = Arc::new(Desk::default());
    let limits = tobu::Limits::default().input(8);
    let server = ReadingRoomServer::from_arc(Arc::clone(&desk))
        .pool_bounds(Bounds::new().count(0))
        .decode_options(DecodeOptions::new().limits(limits));
    let mut client = client(server).await;
    let error = client.borrow(borrow("a long title")).await.unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert_eq!(
        error.message(),
        "reading.v1.BorrowRequest: input of 14 bytes is larger than the limit of 8 bytes"
    );
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner().title, "Dune");
    assert_eq!(desk.addresses.lock().unwrap().len(), 1, "the first one did not arrive");
    // The other methods of the trait have bodies.
    let error = client.browse(crate::browse(&["Dune"])).await.unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);
}
