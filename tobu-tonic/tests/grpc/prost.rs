//! Generated messages where tonic's codec for prost asks for messages of prost, and services of prost's messages beside
//! generated ones.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::{borrow, client, room, serve};
use bytes::Bytes;
use http::uri::PathAndQuery;
use http_body::Body as _;
use tobu_tonic::HealthService;
use tobu_tonic::health::ServingStatus;
use tobu_tonic::health::v1::health_client::HealthClient;
use tobu_tonic::reflection::ReflectionClient;
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
use tonic::client::Grpc;
use tonic::transport::Server;
use tonic::{Code, Request};
use tonic_prost::ProstCodec;
use tower_service::Service as _;

#[tokio::test]
async fn a_client_by_prost_calls_a_server_of_tobu() {
    let mut grpc = Grpc::new(room().await);
    let path = PathAndQuery::from_static("/reading.v1.ReadingRoom/Borrow");
    for title in ["Dune", "Emma", ""] {
        let codec = ProstCodec::<BorrowRequest, Book>::default();
        grpc.ready().await.unwrap();
        let theirs = grpc.unary(Request::new(borrow(title)), path.clone(), codec).await;
        let ours = client().await.borrow(borrow(title)).await;
        let parts = |status: tonic::Status| (status.code(), status.message().to_owned());
        assert_eq!(
            theirs.map(|reply| reply.into_inner()).map_err(parts),
            ours.map(|reply| reply.into_inner()).map_err(parts)
        );
    }
}

/// The messages of tonic-health, as a program writes them that has left prost.
mod health {
    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "grpc.health.v1")]
    pub(super) struct HealthCheckRequest {
        #[tobu(1)]
        pub(super) service: String,
    }

    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "grpc.health.v1")]
    pub(super) struct HealthCheckResponse {
        #[tobu(1)]
        pub(super) status: i32,
    }

    tobu::prost::message!(HealthCheckRequest, "grpc.health.v1", "HealthCheckRequest");
    tobu::prost::message!(HealthCheckResponse, "grpc.health.v1", "HealthCheckResponse");
}

#[tokio::test]
async fn tonic_health_reports_a_generated_server() {
    let (reporter, health) = tonic_health::server::health_reporter();
    let room = ReadingRoomServer::new(Room::default());
    let channel = serve(Server::builder().add_service(room).add_service(health)).await;
    let name = "reading.v1.ReadingRoom";

    let mut ours = HealthClient::new(channel.clone());
    let mut status = async || {
        let request =
            tobu_tonic::health::v1::HealthCheckRequest { service: name.to_owned(), ..Default::default() };
        ours.check(request).await.map(|reply| reply.into_inner().status).map_err(|status| status.code())
    };
    assert_eq!(status().await, Err(Code::NotFound));
    reporter.set_serving::<ReadingRoomServer<Room>>().await;
    assert_eq!(status().await, Ok(ServingStatus::SERVING));

    // The same call by the codec of prost, with messages of tobu.
    let request = health::HealthCheckRequest { service: name.to_owned() };
    let path = PathAndQuery::from_static("/grpc.health.v1.Health/Check");
    let codec = ProstCodec::<_, health::HealthCheckResponse>::default();
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    let reply = grpc.unary(Request::new(request), path, codec).await.unwrap().into_inner();
    assert_eq!(reply, health::HealthCheckResponse { status: 1 });

    reporter.set_not_serving::<ReadingRoomServer<Room>>().await;
    assert_eq!(status().await, Ok(ServingStatus::NOT_SERVING));
    let book = ReadingRoomClient::new(channel).borrow(borrow("Dune")).await.unwrap().into_inner();
    assert_eq!(book.title, "Dune");
}

#[tokio::test]
async fn the_client_of_tonic_health_asks_our_service() {
    use tonic_health::pb::health_check_response::ServingStatus as Theirs;

    let health = HealthService::new();
    health.set("p.A", ServingStatus::NOT_SERVING);
    let channel = serve(Server::builder().add_service(health.server())).await;
    let mut client = tonic_health::pb::health_client::HealthClient::new(channel);
    for (service, expected) in [("", Theirs::Serving), ("p.A", Theirs::NotServing)] {
        let request = tonic_health::pb::HealthCheckRequest { service: service.to_owned() };
        let status = client.check(request).await.unwrap().into_inner().status();
        assert_eq!(status, expected, "{service:?}");
    }
}

#[tokio::test]
async fn tonic_reflection_serves_the_descriptors_of_a_generated_service() {
    let descriptor = reading_room_server::descriptor();
    let schemas = tobu::Pool::global().to_descriptor_set();
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(&schemas)
        .include_reflection_service(false)
        .build_v1()
        .unwrap();
    let mut client = ReflectionClient::new(serve(Server::builder().add_service(reflection)).await);
    let services = client.services().await.unwrap();
    assert!(services.contains(&"reading.v1.ReadingRoom".to_owned()), "{services:?}");
    let pool = client.pool().await.unwrap();
    let theirs = pool.service("reading.v1.ReadingRoom").unwrap();
    let methods = |service: &tobu::ServiceDescriptor| -> Vec<String> {
        service.methods().map(|method| method.name().to_owned()).collect()
    };
    assert_eq!(methods(&theirs), methods(&descriptor));
}

/// What the conformance suite of Connect and gRPC calls wrong is tonic's, whichever messages it has: a server with tonic's codec
/// for prost, and one of tobu.
#[tokio::test]
async fn what_tonic_answers_by_itself() {
    let frames = |titles: &[&str]| -> Bytes {
        let frame = |title: &&str| {
            let message = tobu::to_vec(&borrow(title)).unwrap();
            [&[0, 0, 0, 0, message.len() as u8], &message[..]].concat()
        };
        titles.iter().flat_map(frame).collect::<Vec<u8>>().into()
    };
    let too_large = "Error,%20decoded%20message%20length%20too%20large:%20found%2011%20bytes,%20the%20limit%20is:%2010%20bytes";
    let rows = [
        (frames(&["The Count"]), "11", too_large),
        (frames(&[]), "13", "Missing%20request%20message."),
        (frames(&["Dune", "Emma"]), "0", ""),
    ];
    for (body, code, text) in rows {
        let request = || {
            let body = tonic::body::Body::new(Whole(Some(body.clone())));
            http::Request::post("/reading.v1.ReadingRoom/Borrow")
                .header("content-type", "application/grpc")
                .body(body)
        };
        let mut theirs = tonic::server::Grpc::new(ProstCodec::<Book, BorrowRequest>::default())
            .apply_max_message_size_config(Some(10), None);
        let theirs = theirs.unary(Always, request().unwrap()).await;
        let mut ours = ReadingRoomServer::new(Room::default()).max_decoding_message_size(10);
        let ours = ours.call(request().unwrap()).await.unwrap();
        for response in [theirs, ours] {
            let (head, mut body) = response.into_parts();
            let mut status = head.headers;
            while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
                status.extend(frame.unwrap().into_trailers().unwrap_or_default());
            }
            let message = status.get("grpc-message").map_or("", |message| message.to_str().unwrap());
            assert_eq!((status["grpc-status"].to_str().unwrap(), message), (code, text));
        }
    }
}

/// A request that is no call of gRPC with binary messages.
#[tokio::test]
async fn other_requests_are_refused() {
    let rows = [
        ("DELETE", "application/grpc", 405, "POST"),
        ("GET", "application/json", 405, "POST"),
        ("POST", "application/grpc+json", 415, ""),
        ("POST", "application/grpc-web", 415, ""),
        ("POST", "application/json", 415, ""),
        ("POST", "", 415, ""),
        ("POST", "application/grpc", 200, ""),
        ("POST", "Application/gRPC+Proto ; charset=x", 200, ""),
    ];
    for (method, kind, status, allow) in rows {
        for path in ["/reading.v1.ReadingRoom/Borrow", "/reading.v1.ReadingRoom/Talk"] {
            let request = http::Request::builder().method(method).uri(path).header("content-type", kind);
            let mut server = ReadingRoomServer::new(Room::default());
            let response = server.call(request.body(tonic::body::Body::empty()).unwrap()).await.unwrap();
            let allowed = response.headers().get("allow").map_or("", |allow| allow.to_str().unwrap());
            assert_eq!((response.status().as_u16(), allowed), (status, allow), "{method} {kind}");
        }
    }
}

struct Always;

impl tonic::server::UnaryService<BorrowRequest> for Always {
    type Response = Book;
    type Future = std::future::Ready<Result<tonic::Response<Book>, tonic::Status>>;

    fn call(&mut self, _: Request<BorrowRequest>) -> Self::Future {
        std::future::ready(Ok(tonic::Response::new(Book::default())))
    }
}

/// A body of one piece.
struct Whole(Option<Bytes>);

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(http_body::Frame::data(bytes))))
    }
}
