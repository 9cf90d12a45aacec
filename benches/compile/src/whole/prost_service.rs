include!(concat!(env!("OUT_DIR"), "/types.rs"));

use library::v1::library_client::LibraryClient;
use library::v1::library_server::{Library, LibraryServer};
use library::v1::{Book, GetBookRequest, GetShelfRequest};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status};

struct Desk;

#[tonic::async_trait]
impl Library for Desk {
    async fn get_book(&self, request: Request<GetBookRequest>) -> Result<Response<Book>, Status> {
        let name = request.into_inner().name;
        Ok(Response::new(Book { name, title: "Dune".into(), pages: Some(412), ..Default::default() }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = Server::builder().add_service(LibraryServer::new(Desk));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));

    let mut client = LibraryClient::connect(format!("http://{address}")).await?;
    let request = GetBookRequest { name: "books/dune".into(), ..Default::default() };
    let book = client.get_book(request).await?.into_inner();
    assert_eq!((book.name.as_str(), book.pages), ("books/dune", Some(412)));
    let status = client.get_shelf(GetShelfRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    println!("{} has {} pages", book.title, book.pages.unwrap_or_default());
    Ok(())
}
