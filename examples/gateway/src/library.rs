//! Implements the service: checks each request, and reads or changes the store.

use std::sync::Arc;

use tobu::Message;
use tobu::types::Empty;
use tobu_tonic::rpc::{BadRequest, StatusExt};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status};

use crate::names;
use crate::proto::google::api::HttpBody;
use crate::proto::library::v1::library_server;
use crate::proto::library::v1::*;
use crate::store::{Error, Store};

/// The largest size of a page. It is also the default size.
const PAGE: usize = 100;

/// The implementation of the library service.
pub(crate) struct Library {
    store: Arc<Store>,
}

impl Library {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Library { store }
    }

    /// Calls a function with the store on a thread that may block, because the store waits for the disk.
    async fn with<T, F>(&self, work: F) -> Result<Response<T>, Status>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, Error> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        let done = done.map_err(internal)?;
        Ok(Response::new(done.map_err(status)?))
    }
}

impl library_server::Library for Library {
    type StreamBooksStream = ReceiverStream<Result<Book, Status>>;

    async fn create_shelf(&self, request: Request<CreateShelfRequest>) -> Result<Response<Shelf>, Status> {
        let shelf = request.into_inner().shelf.ok_or_else(|| missing("shelf"))?;
        names::check_shelf(&shelf.name)?;
        self.with(move |store| store.create_shelf(&shelf).map(|()| shelf)).await
    }

    async fn get_shelf(&self, request: Request<GetShelfRequest>) -> Result<Response<Shelf>, Status> {
        let name = names::shelf(&request.into_inner().shelf)?;
        self.with(move |store| store.shelf(&name)).await
    }

    async fn list_shelves(
        &self,
        request: Request<ListShelvesRequest>,
    ) -> Result<Response<ListShelvesResponse>, Status> {
        let request = request.into_inner();
        let size = page_size(request.page_size);
        self.with(move |store| {
            let shelves = store.shelves(&request.page_token, size)?;
            let next_page_token = next(&shelves, size, |shelf| &shelf.name);
            Ok(ListShelvesResponse { shelves, next_page_token, ..ListShelvesResponse::default() })
        })
        .await
    }

    async fn create_book(&self, request: Request<CreateBookRequest>) -> Result<Response<Book>, Status> {
        let request = request.into_inner();
        let mut book = request.book.ok_or_else(|| missing("book"))?;
        book.name = names::book(&request.parent, &request.book_id)?;
        self.with(move |store| store.create_book(&request.parent, &book).map(|()| book)).await
    }

    async fn get_book(&self, request: Request<GetBookRequest>) -> Result<Response<Book>, Status> {
        let name = request.into_inner().name;
        names::split_book(&name)?;
        self.with(move |store| store.book(&name)).await
    }

    async fn list_books(
        &self,
        request: Request<ListBooksRequest>,
    ) -> Result<Response<ListBooksResponse>, Status> {
        let request = request.into_inner();
        names::check_shelf(&request.parent)?;
        let size = page_size(request.page_size);
        self.with(move |store| {
            let books = store.books(&request.parent, &request.page_token, size)?;
            let next_page_token = next(&books, size, |book| &book.name);
            Ok(ListBooksResponse { books, next_page_token, ..ListBooksResponse::default() })
        })
        .await
    }

    /// Reads the next page when the channel can hold more books. Reading ends when the client is gone.
    async fn stream_books(
        &self,
        request: Request<StreamBooksRequest>,
    ) -> Result<Response<Self::StreamBooksStream>, Status> {
        let parent = request.into_inner().parent;
        names::check_shelf(&parent)?;
        let (send, books) = tokio::sync::mpsc::channel(PAGE);
        let store = Arc::clone(&self.store);
        tokio::task::spawn_blocking(move || {
            let mut after = String::new();
            loop {
                let page = match store.books(&parent, &after, PAGE) {
                    Ok(page) => page,
                    // The error is the last item, so it does not matter whether the client receives it.
                    Err(error) => return drop(send.blocking_send(Err(status(error)))),
                };
                after = next(&page, PAGE, |book| &book.name);
                for book in page {
                    if send.blocking_send(Ok(book)).is_err() {
                        return;
                    }
                }
                if after.is_empty() {
                    return;
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(books)))
    }

    async fn update_book(&self, request: Request<UpdateBookRequest>) -> Result<Response<Book>, Status> {
        let UpdateBookRequest { book, update_mask, .. } = request.into_inner();
        let book = book.ok_or_else(|| missing("book"))?;
        names::split_book(&book.name)?;
        let name = book.name.clone();
        self.with(move |store| {
            store.update_book(&name, |known| {
                match update_mask.filter(|mask| !mask.paths.is_empty()) {
                    Some(mask) => known.as_reflect_mut().apply_masked(book.as_reflect(), &mask.paths)?,
                    None => *known = book,
                }
                // Only `MoveBook` changes names.
                known.name = name.clone();
                Ok(())
            })
        })
        .await
    }

    async fn move_book(&self, request: Request<MoveBookRequest>) -> Result<Response<Book>, Status> {
        let request = request.into_inner();
        let (_, id) = names::split_book(&request.name)?;
        let new_name = names::book(&request.other_shelf, id)?;
        self.with(move |store| store.move_book(&request.name, &request.other_shelf, &new_name)).await
    }

    async fn delete_book(&self, request: Request<DeleteBookRequest>) -> Result<Response<Empty>, Status> {
        let name = request.into_inner().name;
        names::split_book(&name)?;
        self.with(move |store| store.delete_book(&name).map(|()| Empty::default())).await
    }

    async fn set_cover(&self, request: Request<SetCoverRequest>) -> Result<Response<Empty>, Status> {
        let SetCoverRequest { name, cover, .. } = request.into_inner();
        names::split_book(&name)?;
        let cover = cover.ok_or_else(|| missing("cover"))?;
        self.with(move |store| store.set_cover(&name, &cover).map(|()| Empty::default())).await
    }

    async fn get_cover(&self, request: Request<GetCoverRequest>) -> Result<Response<HttpBody>, Status> {
        let name = request.into_inner().name;
        names::split_book(&name)?;
        self.with(move |store| store.cover(&name)).await
    }
}

fn page_size(asked: u32) -> usize {
    match asked as usize {
        0 => PAGE,
        size => size.min(PAGE),
    }
}

/// Returns the token of the next page: the last name of this page, or an empty string if the page is not full.
fn next<T>(page: &[T], size: usize, name: impl Fn(&T) -> &String) -> String {
    page.last().filter(|_| page.len() == size).map(name).cloned().unwrap_or_default()
}

fn missing(field: &str) -> Status {
    let wrong = BadRequest::new([(field, "it is not set")]);
    Status::with_error_details(Code::InvalidArgument, format!("{field} is not set"), [wrong])
}

fn status(error: Error) -> Status {
    let text = error.to_string();
    match error {
        Error::NotFound(_) => Status::not_found(text),
        Error::Exists(_) => Status::already_exists(text),
        Error::Change(_) => Status::invalid_argument(text),
        Error::Message(_) | Error::Database(_) => internal(text),
    }
}

/// Logs an internal error, and returns an error without details to the client.
fn internal(error: impl ToString) -> Status {
    tracing::error!(error = error.to_string(), "a request failed");
    Status::internal("something went wrong in the library")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_do_not_learn_of_the_database() {
        let error = redb::Error::Corrupted("page 7 of /var/lib/books".to_owned());
        let status = status(Error::Database(Box::new(error)));
        assert_eq!(
            (status.code(), status.message()),
            (tonic::Code::Internal, "something went wrong in the library")
        );
    }
}
