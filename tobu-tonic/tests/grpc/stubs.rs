//! Methods that a program leaves to generated bodies.

use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::{Book, BorrowRequest};
use tobu_tonic_service::stubs::reading::v1::reading_room_server::{ReadingRoom, ReadingRoomServer};
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status};

use super::{book, borrow, browse, line, serve};

/// A room that lends, and does nothing else.
struct Lender;

impl ReadingRoom for Lender {
    async fn borrow(&self, request: Request<BorrowRequest>) -> Result<Response<Book>, Status> {
        Ok(Response::new(book(&request.into_inner().title, 412, "")))
    }
}

#[tokio::test]
async fn what_is_not_implemented_says_so() {
    let channel = serve(Server::builder().add_service(ReadingRoomServer::new(Lender))).await;
    let mut client = ReadingRoomClient::new(channel);
    assert_eq!(client.borrow(borrow("Dune")).await.unwrap().into_inner(), book("Dune", 412, ""));

    let said = |status: Status| (status.code(), status.message().to_owned());
    let expected =
        |name: &str| (Code::Unimplemented, format!("/reading.v1.ReadingRoom/{name} is not implemented"));
    let status = client.r#return(tokio_stream::iter([book("Dune", 412, "")])).await.unwrap_err();
    assert_eq!(said(status), expected("Return"));
    let status = client.browse(browse(&["Dune"])).await.unwrap_err();
    assert_eq!(said(status), expected("Browse"));
    let status = client.talk(tokio_stream::iter([line("Well")])).await.unwrap_err();
    assert_eq!(said(status), expected("Talk"));
}
