//! Generated messages where tonic's codec for prost asks for messages of prost.

use super::{borrow, client, room};
use http::uri::PathAndQuery;
use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
use tonic::Request;
use tonic::client::Grpc;
use tonic_prost::ProstCodec;

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
