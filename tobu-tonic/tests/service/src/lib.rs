//! The service of tobu-tonic's tests and examples: a reading room.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use reading::v1::reading_room_server::ReadingRoom;
use reading::v1::{Book, BorrowRequest, BrowseRequest, Line, Receipt};

include!(concat!(env!("OUT_DIR"), "/tobu.rs"));

/// The server once more, whose methods have bodies that answer `UNIMPLEMENTED`.
pub mod stubs {
    tobu::include_proto!("stubs");
}

/// The same, with requests of pools.
pub mod pooled {
    tobu::include_proto!("pooled");
}

/// The same and the client, with parsed requests and answers.
pub mod parsed {
    tobu::include_proto!("parsed");
}

/// A stream of answers.
pub type Lines<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Runs an example to its end.
///
/// # Panics
/// When it fails.
pub fn run(example: impl Future<Output = Result<(), Box<dyn Error>>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if let Err(error) = runtime.block_on(example) {
        panic!("{error}");
    }
}

/// A room with one shelf.
#[derive(Clone, Debug)]
pub struct Room {
    /// Gets a permit when a call that would never end begins.
    pub waiting: Arc<Semaphore>,
    /// Gets one when it is given up.
    pub given_up: Arc<Semaphore>,
}

impl Default for Room {
    fn default() -> Self {
        let none = || Arc::new(Semaphore::new(0));
        Room { waiting: none(), given_up: none() }
    }
}

/// Adds a permit when it goes.
struct GivenUp(Arc<Semaphore>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

impl Room {
    async fn find(&self, title: &str) -> Result<Book, Status> {
        let (pages, cover) = match title {
            "Dune" => (412, ""),
            "Emma" => (474, "green"),
            // As large as a picture.
            "Atlas" => (64, &*"x".repeat(100_000)),
            // Never comes.
            "Godot" => {
                self.waiting.add_permits(1);
                let _given_up = GivenUp(Arc::clone(&self.given_up));
                tokio::time::sleep(Duration::from_secs(3600)).await;
                (0, "")
            }
            _ => return Err(Status::not_found(format!("there is no book {title:?}"))),
        };
        let cover = bytes::Bytes::copy_from_slice(cover.as_bytes());
        Ok(Book { title: title.to_owned(), pages, cover, ..Book::default() })
    }
}

impl ReadingRoom for Room {
    type BrowseStream = Lines<Book>;
    type TalkStream = Lines<Line>;

    /// Hands on the metadata `x-reader`, as text and as bytes.
    async fn borrow(&self, request: Request<BorrowRequest>) -> Result<Response<Book>, Status> {
        let metadata = request.metadata();
        let reader = metadata.get("x-reader").cloned();
        let card = metadata.get_bin("x-card-bin").cloned();
        let book = self.find(&request.get_ref().title).await;
        let mut answer = Response::new(book.map_err(|mut status| {
            status.metadata_mut().insert("x-desk", "7".parse().expect("ASCII"));
            status
        })?);
        if let Some(reader) = reader {
            answer.metadata_mut().insert("x-reader", reader);
        }
        if let Some(card) = card {
            answer.metadata_mut().insert_bin("x-card-bin", card);
        }
        Ok(answer)
    }

    async fn r#return(&self, request: Request<Streaming<Book>>) -> Result<Response<Receipt>, Status> {
        let mut books = request.into_inner();
        let mut receipt = Receipt::default();
        while let Some(book) = books.message().await? {
            receipt.books += 1;
            receipt.pages += book.pages;
        }
        Ok(Response::new(receipt))
    }

    async fn browse(&self, request: Request<BrowseRequest>) -> Result<Response<Lines<Book>>, Status> {
        let room = self.clone();
        let titles = tokio_stream::iter(request.into_inner().titles);
        let books = titles.then(move |title| {
            let room = room.clone();
            async move { room.find(&title).await }
        });
        Ok(Response::new(Box::pin(books)))
    }

    async fn talk(&self, request: Request<Streaming<Line>>) -> Result<Response<Lines<Line>>, Status> {
        let lines = request
            .into_inner()
            .map(|line| line.map(|line| Line { text: format!("{}, {0}", line.text), ..Line::default() }));
        Ok(Response::new(Box::pin(lines)))
    }
}
