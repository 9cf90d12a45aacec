//! Rules of a schema that another server tells.

use std::net::SocketAddr;
use std::time::Duration;

use tobu::Pool;
use tobu_tonic::ReflectionService;
use tobu_tonic::reflection::ReflectionClient;
use tobu_transcode::{Live, RemoteSchema, Transcoder};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};

use super::live::{OFTEN, pool, recipe, told};

/// A server that is there until it is told to go.
struct Told {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Told {
    /// Serves on a port, a free one where it is 0.
    async fn serve(address: SocketAddr, routes: Routes) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let server = Server::builder().add_routes(routes);
        let server = server.serve_with_incoming_shutdown(TcpIncoming::from(listener), stopped);
        Told { address, stop, server: tokio::spawn(server) }
    }

    async fn stop(self) {
        drop(self.stop);
        self.server.await.unwrap().unwrap();
    }
}

fn any() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

fn channel(address: SocketAddr) -> Channel {
    Endpoint::from_shared(format!("http://{address}")).unwrap().connect_lazy()
}

fn remote(address: SocketAddr) -> RemoteSchema<Channel> {
    RemoteSchema::new(ReflectionClient::new(channel(address))).timeout(Duration::from_secs(20))
}

async fn load(routes: Routes) -> Result<usize, String> {
    let server = Told::serve(any(), routes).await;
    let live = Live::load(Transcoder::builder().all_services(), &mut remote(server.address)).await;
    server.stop().await;
    live.map(|live| live.current().router().routes().len()).map_err(|error| error.to_string())
}

#[tokio::test]
async fn either_version_will_do() {
    let reflection = ReflectionService::new(&pool("title"));
    assert_eq!(load(Routes::new(reflection.v1())).await, Ok(14));
    assert_eq!(load(Routes::new(reflection.v1alpha())).await, Ok(14));
    let none = "the reflection service: Operation is not implemented or not supported: ".to_owned();
    assert_eq!(load(Routes::default()).await, Err(none));
    let nothing = ReflectionService::new(&Pool::new());
    let none = "no method of the pool has a google.api.http rule".to_owned();
    assert_eq!(load(Routes::new(nothing.v1())).await, Err(none));
}

#[tokio::test]
async fn a_server_is_followed() {
    let routes = |title: &str| Routes::new(ReflectionService::new(&pool(title)).v1());
    let server = Told::serve(any(), routes("title")).await;
    let address = server.address;
    let (observer, mut heard) = told();
    let mut source = remote(address);
    let live = Live::load(recipe().observer(observer), &mut source).await.unwrap();
    let title = || {
        let current = live.current();
        let book = current.router().routes().find(|route| route.method().name() == "GetBook").unwrap();
        book.method().output().field_by_name("title").is_some()
    };
    let following = live.clone();
    tokio::spawn(async move { following.follow(source, OFTEN).await });
    heard.nothing().await;

    // Gone, which is told once; and back, with another schema.
    server.stop().await;
    let gone = heard.next().await;
    assert!(gone.starts_with("the reflection service: The service is currently unavailable: "), "{gone}");
    assert!(title());
    let server = Told::serve(address, routes("titel")).await;
    while heard.next().await != "14" {}
    assert!(!title());
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_says_nothing_is_not_waited_for() {
    let listener = TcpListener::bind(any()).await.unwrap();
    let mut source = remote(listener.local_addr().unwrap()).timeout(Duration::from_millis(50));
    let error = Live::load(recipe(), &mut source).await.unwrap_err();
    assert_eq!(error.to_string(), "the reflection service: no answer within 50ms");
}
