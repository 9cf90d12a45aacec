//! A generated client in a browser. It speaks Connect, because browsers let no page read the trailers of gRPC.
//!
//! `run` builds it and calls `examples/gateway` with it, from Node.js, which has `fetch` as well.

mod fetch;

use fetch::Fetch;
use library::v1::library_client::LibraryClient;
use library::v1::{Book, CreateBookRequest, CreateShelfRequest, GetBookRequest, Shelf, StreamBooksRequest};
use tobu_tonic::Connect;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

tobu::include_proto!();

/// A library at an address.
#[wasm_bindgen]
pub struct Library(LibraryClient<Connect<Fetch>>);

#[wasm_bindgen]
impl Library {
    /// Creates a client for an address, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// The address is none.
    #[wasm_bindgen(constructor)]
    pub fn new(origin: &str) -> Result<Library, JsError> {
        // The browser may keep the answers of methods without side effects, if the server allows that.
        let transport = Connect::new(Fetch).get_up_to(8000);
        Ok(Library(LibraryClient::with_origin(transport, origin.parse()?)))
    }

    /// Adds a shelf with books of these titles.
    ///
    /// # Errors
    /// The status of the call that failed.
    pub async fn add(&mut self, shelf: &str, titles: Vec<String>) -> Result<(), JsError> {
        let name = format!("shelves/{shelf}");
        let created = Shelf { name: name.clone(), ..Shelf::default() };
        self.0
            .create_shelf(CreateShelfRequest { shelf: Some(created), ..CreateShelfRequest::default() })
            .await?;
        for title in titles {
            let (parent, book_id) = (name.clone(), title.to_lowercase());
            let book = Some(Book { title, ..Book::default() });
            self.0
                .create_book(CreateBookRequest { parent, book_id, book, ..CreateBookRequest::default() })
                .await?;
        }
        Ok(())
    }

    /// Returns the title of a book.
    ///
    /// # Errors
    /// The status of the call.
    pub async fn title(&mut self, name: String) -> Result<String, JsError> {
        let book = self.0.get_book(GetBookRequest { name, ..GetBookRequest::default() }).await?;
        Ok(book.into_inner().title)
    }

    /// Returns the titles of the books of a shelf, which arrive in a stream.
    ///
    /// # Errors
    /// The status that the stream ends with.
    pub async fn titles(&mut self, shelf: &str) -> Result<Vec<String>, JsError> {
        let parent = format!("shelves/{shelf}");
        let request = StreamBooksRequest { parent, ..StreamBooksRequest::default() };
        let mut books = self.0.stream_books(request).await?.into_inner();
        let mut titles = Vec::new();
        while let Some(book) = books.message().await? {
            titles.push(book.title);
        }
        Ok(titles)
    }
}
