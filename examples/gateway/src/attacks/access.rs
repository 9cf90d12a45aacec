//! Tests clients that have no token and clients that send too many requests, over JSON and over gRPC.

use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

use super::Target;
use crate::auth::Auth;
use crate::proto::library::v1::library_client::LibraryClient;
use crate::proto::library::v1::{CreateShelfRequest, ListShelvesRequest, Shelf};
use crate::rate::Rate;
use crate::serve::Guards;

async fn client(target: &Target) -> LibraryClient<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://{}", target.address)).unwrap();
    LibraryClient::new(endpoint.connect().await.unwrap())
}

fn create(name: &str, token: Option<&str>) -> Request<CreateShelfRequest> {
    let shelf = Shelf { name: name.to_owned(), ..Shelf::default() };
    let mut request = Request::new(CreateShelfRequest { shelf: Some(shelf), ..Default::default() });
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.parse().unwrap());
    }
    request
}

#[tokio::test]
async fn methods_that_write_need_a_token() {
    let target = Target::library(Guards { auth: Auth::new("secret"), ..Guards::default() }).await;
    let head = "POST /v1/shelves HTTP/1.1\r\ncontent-type: application/json";
    let body = r#"{"name":"shelves/a"}"#;
    let refused = |message: &str| format!(r#"{{"code":16,"message":"{message}","details":[]}}"#);
    let names = ["www-authenticate", "grpc-metadata-www-authenticate", "content-type"];
    for (header, challenge, message) in [
        ("", "Bearer", "a bearer token is needed"),
        ("\r\nauthorization: Basic c2VjcmV0", "Bearer", "a bearer token is needed"),
        // The transcoder turns `grpc-metadata-authorization` into a second value of `authorization`.
        (
            "\r\nauthorization: Bearer secret\r\ngrpc-metadata-authorization: Bearer other",
            "Bearer",
            "a bearer token is needed",
        ),
        ("\r\nauthorization: Bearer guess", "Bearer error=\"invalid_token\"", "the token is wrong"),
    ] {
        let answer = target.ask(&format!("{head}{header}"), body, &names).await;
        let headers = [challenge, "", "application/json"].map(str::to_owned).to_vec();
        assert_eq!(answer, (401, headers, refused(message)), "{header}");
    }
    // The layer that checks tokens does not check the body.
    target.is_well().await;
    let (status, _, answer) = target.ask(&format!("{head}\r\nauthorization: Bearer secret"), body, &[]).await;
    assert_eq!((status, answer.as_str()), (200, body));

    let mut client = client(&target).await;
    let error = client.create_shelf(create("shelves/b", None)).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Unauthenticated, "a bearer token is needed"));
    assert_eq!(error.metadata().get("www-authenticate").unwrap(), "Bearer");
    let error = client.create_shelf(create("shelves/b", Some("Bearer guess"))).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Unauthenticated, "the token is wrong"));
    client.create_shelf(create("shelves/b", Some("Bearer secret"))).await.unwrap();
    let shelves = client.list_shelves(ListShelvesRequest::default()).await.unwrap().into_inner().shelves;
    assert_eq!(
        shelves.iter().map(|shelf| shelf.name.as_str()).collect::<Vec<_>>(),
        ["shelves/a", "shelves/b"]
    );
}

#[tokio::test]
async fn too_many_requests_are_refused() {
    let target = Target::library(Guards { rate: Rate::new(1), ..Guards::default() }).await;
    let mut client = client(&target).await;
    client.list_shelves(ListShelvesRequest::default()).await.unwrap();
    let names = ["retry-after", "content-type", "x-content-type-options"];
    let headers = ["1", "application/json", "nosniff"].map(str::to_owned).to_vec();
    let body = r#"{"code":8,"message":"too many requests","details":[]}"#;
    // A slow machine may get another token in the meantime, so the test repeats the request.
    let mut answer = target.ask("GET /v1/shelves HTTP/1.1", "", &names).await;
    while answer.0 == 200 {
        answer = target.ask("GET /v1/shelves HTTP/1.1", "", &names).await;
    }
    assert_eq!(answer, (429, headers, body.to_owned()));
    let error = loop {
        match client.list_shelves(ListShelvesRequest::default()).await {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert_eq!((error.code(), error.message()), (Code::ResourceExhausted, "too many requests"));
    assert_eq!(error.metadata().get("retry-after").unwrap(), "1");
    // After one second, the client gets another token.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    client.list_shelves(ListShelvesRequest::default()).await.unwrap();
}
