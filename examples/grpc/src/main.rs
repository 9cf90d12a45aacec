//! A gRPC server, and a client that calls it. The server offers its schema by reflection, so `grpcurl` can call it, too.

tobu::include_proto!();

use greet::v1::greeter_client::GreeterClient;
use greet::v1::greeter_server::{Greeter, GreeterServer};
use greet::v1::{GreetEachRequest, GreetRequest, GreetResponse, greeter_server};
use std::error::Error;
use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

struct English;

impl Greeter for English {
    async fn greet(&self, request: Request<GreetRequest>) -> Result<Response<GreetResponse>, Status> {
        greeting(&request.get_ref().name).map(Response::new)
    }

    type GreetEachStream = tokio_stream::Iter<std::vec::IntoIter<Result<GreetResponse, Status>>>;

    async fn greet_each(
        &self,
        request: Request<GreetEachRequest>,
    ) -> Result<Response<Self::GreetEachStream>, Status> {
        let greetings: Vec<_> = request.get_ref().names.iter().map(|name| greeting(name)).collect();
        Ok(Response::new(tokio_stream::iter(greetings)))
    }
}

fn greeting(name: &str) -> Result<GreetResponse, Status> {
    if name.is_empty() {
        return Err(Status::invalid_argument("a name is needed"));
    }
    Ok(GreetResponse { greeting: format!("Hello, {name}!"), ..GreetResponse::default() })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Use a free port. A real server listens on a fixed port, and runs until it is stopped.
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let reflection = tobu_tonic::ReflectionService::of([greeter_server::descriptor()]);
    let server = Server::builder()
        .add_service(GreeterServer::new(English))
        .add_service(reflection.v1())
        .serve_with_incoming(TcpListenerStream::new(listener));
    let server = tokio::spawn(server);

    let mut client = GreeterClient::connect(format!("http://{address}")).await?;

    let request = GreetRequest { name: "Ann".into(), ..GreetRequest::default() };
    let response = client.greet(request).await?.into_inner();
    println!("{}", response.greeting);
    assert_eq!(response.greeting, "Hello, Ann!");

    let request = GreetEachRequest { names: vec!["Ben".into(), "Cleo".into()], ..Default::default() };
    let mut responses = client.greet_each(request).await?.into_inner();
    while let Some(response) = responses.next().await {
        println!("{}", response?.greeting);
    }

    let status = client.greet(GreetRequest::default()).await.unwrap_err();
    println!("{:?}: {}", status.code(), status.message());

    server.abort();
    Ok(())
}
