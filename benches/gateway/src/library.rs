//! The service: books that are made up, so that nothing but the way to them costs time.

use std::time::Duration;

use tobu::types::Timestamp;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use crate::proto::library::v1::*;

/// How long `shelves/late` takes: longer than anybody waits.
const LATE: Duration = Duration::from_secs(60);
/// How many books `shelves/broken` sends before its error.
pub const BROKEN_AFTER: u32 = 3;

/// The library.
#[derive(Clone, Copy, Debug)]
pub struct Library;

/// The book of a name: title and pages follow from it.
pub fn book(name: &str) -> Book {
    let id = name.rsplit('/').next().unwrap_or_default();
    Book {
        name: name.to_owned(),
        title: format!("The book {id}"),
        authors: vec!["Frank Herbert".to_owned(), "Jane Austen".to_owned()],
        pages: 412,
        genre: Genre::FICTION,
        acquired: Some(Timestamp::new(1_709_208_000, 0)),
        ..Book::default()
    }
}

/// So many books of a shelf, of about 250 bytes each.
pub fn books(shelf: &str, count: u32) -> impl Iterator<Item = Book> + '_ {
    (0..count).map(move |number| Book {
        summary: "A desert planet, \"melange\", and a house that is sent there to fail: \u{00e9}pop\u{00e9}e in three parts."
            .to_owned(),
        ..book(&format!("{shelf}/books/{number}"))
    })
}

impl library_server::Library for Library {
    type WatchBooksStream = ReceiverStream<Result<Book, Status>>;

    async fn get_book(&self, request: Request<GetBookRequest>) -> Result<Response<Book>, Status> {
        let name = request.into_inner().name;
        if name.starts_with("shelves/late/") {
            tokio::time::sleep(LATE).await;
        }
        if name.ends_with("/lost") {
            return Err(Status::not_found(format!("there is no {name}")));
        }
        Ok(Response::new(book(&name)))
    }

    async fn list_books(
        &self,
        request: Request<ListBooksRequest>,
    ) -> Result<Response<ListBooksResponse>, Status> {
        let request = request.into_inner();
        let books = books(&request.parent, request.page_size.min(1000)).collect();
        Ok(Response::new(ListBooksResponse { books, ..ListBooksResponse::default() }))
    }

    async fn create_book(&self, request: Request<CreateBookRequest>) -> Result<Response<Book>, Status> {
        let request = request.into_inner();
        let mut book = request.book.ok_or_else(|| Status::invalid_argument("book is not set"))?;
        book.name = format!("{}/books/{}", request.parent, request.book_id);
        Ok(Response::new(book))
    }

    async fn create_books(
        &self,
        request: Request<ListBooksResponse>,
    ) -> Result<Response<ListBooksResponse>, Status> {
        Ok(Response::new(request.into_inner()))
    }

    async fn watch_books(
        &self,
        request: Request<ListBooksRequest>,
    ) -> Result<Response<Self::WatchBooksStream>, Status> {
        let ListBooksRequest { parent, page_size, .. } = request.into_inner();
        let (send, receive) = tokio::sync::mpsc::channel(4);
        tokio::spawn(async move {
            let is_broken = parent == "shelves/broken";
            let count = if is_broken { BROKEN_AFTER } else { page_size };
            for book in books(&parent, count) {
                // Nobody listens any more.
                if send.send(Ok(book)).await.is_err() {
                    return;
                }
            }
            if is_broken {
                drop(send.send(Err(Status::data_loss("the shelf broke"))).await);
            }
        });
        Ok(Response::new(ReceiverStream::new(receive)))
    }

    async fn import_books(
        &self,
        request: Request<Streaming<CreateBookRequest>>,
    ) -> Result<Response<ImportBooksResponse>, Status> {
        let mut requests = request.into_inner();
        let mut done = ImportBooksResponse::default();
        while let Some(request) = requests.message().await? {
            if done.count == 0 {
                done.parent = request.parent;
            }
            done.count += 1;
            done.titles.push(request.book.unwrap_or_default().title);
        }
        Ok(Response::new(done))
    }
}
