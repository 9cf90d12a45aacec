//! The guide to tobu: `src/` is an mdbook, and this crate makes each of its code blocks a test.
//!
//! It has the generated types that the code blocks use.

use std::sync::Mutex;

use library::v1::{AddBookRequest, Book, GetBookRequest, ListBooksRequest};
use tonic::{Request, Response, Status};

include!(concat!(env!("OUT_DIR"), "/tobu.rs"));

/// The types of `library.v1` with accessors and Rust enums.
pub mod accessors {
    include!(concat!(env!("OUT_DIR"), "/accessors.rs"));
}

/// The types of `library.v1` with private members and a lazy field.
pub mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

/// The types of `library.v1`, and types that borrow next to them.
pub mod views {
    include!(concat!(env!("OUT_DIR"), "/views.rs"));
}

/// The types of `library.v1`, with references to parsed messages.
pub mod parsed {
    include!(concat!(env!("OUT_DIR"), "/parsed.rs"));
}

/// A list of books, for the chapter on rows.
pub mod listing {
    use crate::library::v1::{Book, Genre, Loan, book::Place};

    /// What a service answers: some books, and where the next ones are.
    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "guide")]
    pub struct ListBooks {
        /// The books.
        #[tobu(1)]
        pub books: Vec<Book>,
        /// Where the next ones are.
        #[tobu(2)]
        pub next_page: String,
    }

    /// Two books, one of which is lent.
    ///
    /// # Panics
    /// It does not.
    pub fn bytes() -> Vec<u8> {
        let book = |title: &str, pages, place| Book {
            title: title.into(),
            pages,
            genre: Genre::FICTION,
            place,
            ..Book::default()
        };
        let loan = Loan { reader: "Ann".into(), ..Loan::default() };
        let books = vec![book("Dune", 412, None), book("Emma", 165, Some(Place::Loan(loan)))];
        tobu::to_vec(&ListBooks { books, next_page: "2".into() }).expect("it is small")
    }
}

/// The service of the chapter on gRPC, for later blocks.
#[derive(Default)]
pub struct Shelves {
    books: Mutex<Vec<Book>>,
}

impl library::v1::library_server::Library for Shelves {
    async fn get_book(&self, request: Request<GetBookRequest>) -> Result<Response<Book>, Status> {
        let name = request.into_inner().name;
        let books = self.books.lock().expect("nothing panics under the lock");
        let found = books.iter().find(|book| format!("books/{}", book.title.to_lowercase()) == name);
        found.cloned().map(Response::new).ok_or_else(|| Status::not_found(name))
    }

    async fn add_book(&self, request: Request<AddBookRequest>) -> Result<Response<Book>, Status> {
        let book = request.into_inner().book.ok_or_else(|| Status::invalid_argument("there is no book"))?;
        self.books.lock().expect("nothing panics under the lock").push(book.clone());
        Ok(Response::new(book))
    }

    type ListBooksStream = tokio_stream::Iter<std::vec::IntoIter<Result<Book, Status>>>;

    async fn list_books(
        &self,
        request: Request<ListBooksRequest>,
    ) -> Result<Response<Self::ListBooksStream>, Status> {
        let genre = request.into_inner().genre;
        let books = self.books.lock().expect("nothing panics under the lock").clone();
        let chosen: Vec<_> =
            books.into_iter().filter(|book| genre.0 == 0 || book.genre == genre).map(Ok).collect();
        Ok(Response::new(tokio_stream::iter(chosen)))
    }
}

/// The chapters as documentation, so that `cargo test` runs their code blocks.
#[cfg(doctest)]
mod chapters {
    #[doc = include_str!("src/start.md")]
    mod start {}
    #[doc = include_str!("src/three-ways.md")]
    mod three_ways {}
    #[doc = include_str!("src/messages.md")]
    mod messages {}
    #[doc = include_str!("src/opaque.md")]
    mod opaque {}
    #[doc = include_str!("src/parsed.md")]
    mod parsed {}
    #[doc = include_str!("src/json.md")]
    mod json {}
    #[doc = include_str!("src/text.md")]
    mod text {}
    #[doc = include_str!("src/rows.md")]
    mod rows {}
    #[doc = include_str!("src/streams.md")]
    mod streams {}
    #[doc = include_str!("src/described-format.md")]
    mod described_format {}
    #[doc = include_str!("src/reflection.md")]
    mod reflection {}
    #[doc = include_str!("src/schemas.md")]
    mod schemas {}
    #[doc = include_str!("src/editions.md")]
    mod editions {}
    #[doc = include_str!("src/grpc.md")]
    mod grpc {}
    #[doc = include_str!("src/http.md")]
    mod http {}
    #[doc = include_str!("src/security.md")]
    mod security {}
    #[doc = include_str!("src/performance.md")]
    mod performance {}
    #[doc = include_str!("src/sound.md")]
    mod sound {}
    #[doc = include_str!("src/wishes.md")]
    mod wishes {}
    #[doc = include_str!("src/features.md")]
    mod features {}
    #[doc = include_str!("src/places.md")]
    mod places {}
    #[doc = include_str!("src/compared.md")]
    mod compared {}
    #[doc = include_str!("src/from-prost.md")]
    mod from_prost {}
    #[doc = include_str!("src/from-rust-protobuf.md")]
    mod from_rust_protobuf {}
    #[doc = include_str!("src/from-protobuf-go.md")]
    mod from_protobuf_go {}
    #[doc = include_str!("src/from-serde.md")]
    mod from_serde {}
    #[doc = include_str!("src/to-accessors.md")]
    mod to_accessors {}
    #[doc = include_str!("src/how-it-works.md")]
    mod how_it_works {}
}

/// The page of the format is a copy of the document beside the code, so that it renders wherever the guide is read.
#[test]
fn the_format_of_described_streams_is_that_of_the_code() {
    let (page, document) =
        (include_str!("src/described-format.md"), include_str!("../src/stream/described/FORMAT.md"));
    assert_eq!(page, document, "cp src/stream/described/FORMAT.md guide/src/described-format.md");
}
