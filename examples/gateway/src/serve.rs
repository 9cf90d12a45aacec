//! Runs the servers: stacks the layers and the service on one port.

use std::error::Error;
use std::sync::Arc;

use http::Response;
use tobu::{Message, Pool};
use tobu_tonic::ReflectionService;
use tobu_tonic::rpc::{BadRequest, Status};
use tobu_transcode::{Body, BoxError, Live};
use tokio::net::TcpListener;
use tonic::service::Routes;
use tower_service::Service;

use crate::auth::Auth;
use crate::front::Front;
use crate::library::Library;
use crate::limits::Limits;
use crate::proto::library::v1::library_server::{self, LibraryServer};
use crate::rate::Rate;
use crate::schema;
use crate::socket;
use crate::store::Store;
use crate::tls::Tls;
use crate::upstream::Upstream;

pub(crate) type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// The layers and limits that protect the services from clients.
#[derive(Clone, Default)]
pub(crate) struct Guards {
    pub(crate) limits: Limits,
    pub(crate) rate: Rate,
    pub(crate) auth: Auth,
    pub(crate) tls: Option<Tls>,
}

/// Serves the library, with server reflection, until `stop` ends.
pub(crate) async fn library(
    listener: TcpListener,
    store: Arc<Store>,
    guards: Guards,
    stop: impl Future<Output = ()>,
) -> Done {
    // Reflection includes these files, so clients can also read the details of errors.
    let details = [Status::descriptor().file(), BadRequest::descriptor().file()];
    let reflection = ReflectionService::of([library_server::descriptor()]).with_files(details);
    let routes = Routes::new(LibraryServer::new(Library::new(store)))
        .add_service(reflection.v1())
        .add_service(reflection.v1alpha());
    let live = Live::new(schema::recipe().pool(&Pool::global()))?;
    listen(listener, live, routes.prepare(), guards, stop).await
}

/// Serves the services of an upstream server until `stop` ends.
pub(crate) async fn proxy(
    listener: TcpListener,
    upstream: Upstream,
    guards: Guards,
    stop: impl Future<Output = ()>,
) -> Done {
    let Upstream { service, live, follow } = upstream;
    tokio::select! {
        done = listen(listener, live, service, guards, stop) => done,
        never = follow => match never {},
    }
}

/// Serves a gRPC service on the port, with the access log, the guards and the transcoder in front of it.
pub(crate) async fn listen<S, R>(
    listener: TcpListener,
    live: Live,
    service: S,
    guards: Guards,
    stop: impl Future<Output = ()>,
) -> Done
where
    S: Service<http::Request<Body>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError> + Send,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    let Guards { limits, rate, auth, tls } = guards;
    let server = limits.server().layer(Front).layer(rate).layer(live).layer(auth);
    #[cfg(feature = "tls")]
    let wait = limits.start;
    let incoming = socket::accept(listener, limits);
    let done = match tls {
        None => server.serve_with_incoming_shutdown(service, incoming, stop).await,
        #[cfg(feature = "tls")]
        Some(tls) => server.serve_with_incoming_shutdown(service, tls.accept(incoming, wait), stop).await,
        #[cfg(not(feature = "tls"))]
        Some(tls) => match tls.never() {},
    };
    done.map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::upstream::LOOK;
    use crate::upstream::tests::library as descriptor_set;

    /// Sends a request, and returns the first and the last line of the answer.
    async fn get(url: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(url.trim_start_matches("http://")).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        format!("{} {}", answer.lines().next().unwrap(), answer.lines().last().unwrap())
    }

    async fn listener() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        (listener, url)
    }

    #[tokio::test]
    async fn a_proxy_follows_its_file() {
        let (own, upstream) = listener().await;
        let store = Arc::new(Store::open(None).unwrap());
        let served = tokio::spawn(library(own, store, Guards::default(), std::future::pending()));
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut set = descriptor_set();
        std::fs::write(file.path(), &set).unwrap();
        let upstream = Upstream::new(&upstream, Some(file.path().to_owned()), None).await.unwrap();
        let (own, url) = listener().await;
        let proxied = tokio::spawn(proxy(own, upstream, Guards::default(), std::future::pending()));
        assert_eq!(get(&url, "/v1/shelves").await, "HTTP/1.1 200 OK {}");

        // Change the paths in the schema.
        for at in 0..set.len() - 10 {
            if set[at..].starts_with(b"/v1/shelves") {
                set[at + 2] = b'9';
            }
        }
        std::fs::write(file.path(), &set).unwrap();
        let changed = async {
            while get(&url, "/v9/shelves").await != "HTTP/1.1 200 OK {}" {
                tokio::time::sleep(LOOK / 10).await;
            }
        };
        tokio::time::timeout(LOOK * 30, changed).await.unwrap();
        let gone = r#"HTTP/1.1 404 Not Found {"code":5,"message":"no rule has the path \"/v1/shelves\"","details":[]}"#;
        assert_eq!(get(&url, "/v1/shelves").await, gone);
        proxied.abort();
        served.abort();
    }
}
