//! Transports of one's own: what a client asks of them, and what it says when they fail.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use tobu::DynamicMessage;
use tobu_tonic::DynamicClient;
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tonic::body::Body;
use tonic::codec::CompressionEncoding::Gzip;
use tonic::transport::Server;
use tonic::{Code, Request, Status};
use tower_service::Service;

use super::{address_of, book, borrow, serve};

/// A room in this process that remembers where requests went, and is closed now and then.
#[derive(Clone)]
struct Remembering {
    room: ReadingRoomServer<Room>,
    uris: Arc<Mutex<Vec<String>>>,
    closed: bool,
}

impl Remembering {
    fn new() -> Self {
        let room = ReadingRoomServer::from_arc(Arc::new(Room::default()));
        Remembering { room, uris: Arc::default(), closed: false }
    }
}

impl Service<http::Request<Body>> for Remembering {
    type Response = http::Response<Body>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, std::io::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), std::io::Error>> {
        Poll::Ready(if self.closed { Err(std::io::Error::other("closed on Mondays")) } else { Ok(()) })
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        self.uris.lock().unwrap().push(request.uri().to_string());
        let answer = self.room.call(request);
        Box::pin(async move { Ok(answer.await.unwrap()) })
    }
}

#[tokio::test]
async fn an_origin_comes_before_the_path() {
    let transport = Remembering::new();
    let origin = || http::Uri::from_static("http://desk.example:81");
    let mut client = ReadingRoomClient::with_origin(transport.clone(), origin());
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));

    let method = reading_room_server::descriptor().method("Borrow").unwrap();
    let request = || DynamicMessage::from_json(&method.input(), r#"{"title":"Dune"}"#).unwrap();
    let mut client = DynamicClient::with_origin(transport.clone(), origin());
    client.unary(&method, request()).await.unwrap();
    DynamicClient::new(transport.clone()).unary(&method, request()).await.unwrap();
    assert_eq!(
        transport.uris.lock().unwrap()[..],
        [
            "http://desk.example:81/reading.v1.ReadingRoom/Borrow",
            "http://desk.example:81/reading.v1.ReadingRoom/Borrow",
            "/reading.v1.ReadingRoom/Borrow"
        ]
    );
}

#[tokio::test]
async fn a_transport_that_is_not_ready() {
    let mut client = ReadingRoomClient::new(Remembering { closed: true, ..Remembering::new() });
    let status = client.borrow(borrow("Dune")).await.unwrap_err();
    let text = "the service is not ready: closed on Mondays";
    assert_eq!((status.code(), status.message()), (Code::Unknown, text));
}

#[tokio::test]
async fn a_client_connects_by_an_address() {
    let room = ReadingRoomServer::new(Room::default());
    let address = address_of(Server::builder().add_service(room)).await;
    let mut client = ReadingRoomClient::connect(address).await.unwrap();
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));

    let error = ReadingRoomClient::connect("no address").await.unwrap_err();
    assert_eq!(error.to_string(), "transport error");
    // Nobody listens on a port that was given back.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = ReadingRoomClient::connect(address).await.unwrap_err();
    assert_eq!(error.to_string(), "transport error");
}

#[tokio::test]
async fn interceptors_see_requests_first() {
    let add = |mut request: Request<()>| {
        request.metadata_mut().insert("card", "17".parse().unwrap());
        Ok(request)
    };
    let check = |request: Request<()>| match request.metadata().get("card") {
        Some(card) if card == "17" => Ok(request),
        _ => Err(Status::unauthenticated("show your card")),
    };
    let server = ReadingRoomServer::with_interceptor(Room::default(), check);
    let channel = serve(Server::builder().add_service(server)).await;

    let mut client = ReadingRoomClient::with_interceptor(channel.clone(), add).accept_compressed(Gzip);
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));
    let status = ReadingRoomClient::new(channel).borrow(borrow("Dune")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Unauthenticated, "show your card"));
}
