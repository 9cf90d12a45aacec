//! The library as connect-rust serves it, in its own messages; until it is ended. Its first line says where it listens.

use std::sync::Arc;

use buffa::{EnumValue, MessageField};
use buffa_types::google::protobuf::Timestamp;
use connectrpc::server::Server;
use connectrpc::{
    ConnectError, RequestContext, Response, Router, ServiceRequest, ServiceResult, ServiceStream,
};
use tobu_gateway_bench::proto::library::v1 as made;
use tobu_gateway_bench::{Error, library};

#[allow(missing_docs)]
mod proto {
    connectrpc::include_generated!("connectrpc.rs");
}

use proto::library::v1::*;

struct Books;

/// The book that the other servers have, too.
fn of(book: made::Book) -> Book {
    Book {
        name: book.name,
        title: book.title,
        authors: book.authors,
        pages: book.pages,
        genre: EnumValue::Known(Genre::GENRE_FICTION),
        acquired: MessageField::some(Timestamp { seconds: 1_709_208_000, ..Timestamp::default() }),
        summary: book.summary,
        ..Book::default()
    }
}

fn not_measured<T>() -> ServiceResult<T> {
    Err(ConnectError::unimplemented("the method is not measured"))
}

// The trait lets methods hide which type they answer with.
#[allow(refining_impl_trait)]
impl Library for Books {
    async fn get_book(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, GetBookRequest>,
    ) -> ServiceResult<Book> {
        Response::ok(of(library::book(request.name)))
    }

    async fn list_books(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, ListBooksRequest>,
    ) -> ServiceResult<ListBooksResponse> {
        let books = library::books(request.parent, request.page_size).map(of).collect();
        Response::ok(ListBooksResponse { books, ..ListBooksResponse::default() })
    }

    async fn create_books(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, ListBooksResponse>,
    ) -> ServiceResult<ListBooksResponse> {
        Response::ok(request.to_owned_message())
    }

    async fn create_book(
        &self,
        _: RequestContext,
        _: ServiceRequest<'_, CreateBookRequest>,
    ) -> ServiceResult<Book> {
        not_measured()
    }

    async fn watch_books(
        &self,
        _: RequestContext,
        _: ServiceRequest<'_, ListBooksRequest>,
    ) -> ServiceResult<ServiceStream<Book>> {
        not_measured()
    }

    async fn import_books(
        &self,
        _: RequestContext,
        _: connectrpc::InboundStream<CreateBookRequest>,
    ) -> ServiceResult<ImportBooksResponse> {
        not_measured()
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    Server::from_listener(listener).serve(Router::new().add_service(Arc::new(Books))).await
}
