//! Calls over loopback: a server in a task, a client with a connection of its own.

mod calls;
mod dynamic;
mod encoded;
mod get;
mod grpcurl;
mod health;
mod limits;
mod parsed;
mod pooled;
mod prost;
mod reflection;
mod reflection_client;
mod rpc;
mod stubs;
mod transport;
mod wire;

use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
use tobu_tonic_service::reading::v1::{Book, BorrowRequest, BrowseRequest, Line};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::server::Router;
use tonic::transport::{Channel, Endpoint, Server};

/// Serves on a port of its own until the test ends; a connection to it.
async fn serve(router: Router) -> Channel {
    Endpoint::from_shared(address_of(router).await).unwrap().connect().await.unwrap()
}

/// Serves on a port of its own until the test ends; its address.
async fn address_of(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    format!("http://{address}")
}

/// A reading room, and a connection to it.
async fn room() -> Channel {
    serve(Server::builder().add_service(ReadingRoomServer::new(Room::default()))).await
}

async fn client() -> ReadingRoomClient<Channel> {
    ReadingRoomClient::new(room().await)
}

fn borrow(title: &str) -> BorrowRequest {
    BorrowRequest { title: title.to_owned(), ..BorrowRequest::default() }
}

fn browse(titles: &[&str]) -> BrowseRequest {
    let titles = titles.iter().map(|&title| title.to_owned()).collect();
    BrowseRequest { titles, ..BrowseRequest::default() }
}

fn book(title: &str, pages: u32, cover: &'static str) -> Book {
    Book { title: title.to_owned(), pages, cover: cover.into(), ..Book::default() }
}

fn line(text: &str) -> Line {
    Line { text: text.to_owned(), ..Line::default() }
}
