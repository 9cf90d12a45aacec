//! The upstream server, to which a proxy forwards calls.

use std::convert::Infallible;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use tobu_tonic::reflection::ReflectionClient;
use tobu_transcode::{Body, DescriptorFile, Live, RemoteSchema};
use tonic::transport::{Channel, Endpoint, Error};
use tower_service::Service;

use crate::front::is_grpc;
use crate::schema;

/// How often the proxy checks the file of descriptors for changes.
pub(crate) const LOOK: Duration = Duration::from_secs(1);

/// How often the proxy gets the schema from the upstream server.
const ASK: Duration = Duration::from_secs(30);

/// An upstream server, and the transcoder for its services.
pub(crate) struct Upstream {
    pub(crate) service: Calls,
    pub(crate) live: Live,
    /// A future that updates the transcoder when the schema changes. It never ends.
    pub(crate) follow: Follow,
}

type Follow = Pin<Box<dyn Future<Output = Infallible> + Send>>;

impl Upstream {
    /// Loads the schema from a file, or, without a file, from the server, which must then be reachable. For `https`, the proxy
    /// trusts the authorities of the system and those in the file `ca`.
    ///
    /// # Errors
    /// The URL is not valid, the server cannot be reached, or there is no schema with HTTP rules.
    pub(crate) async fn new(url: &str, file: Option<PathBuf>, ca: Option<PathBuf>) -> Result<Self, String> {
        let named = |error: &dyn std::error::Error| format!("{url}: {error}");
        let mut endpoint = Endpoint::from_shared(url.to_owned()).map_err(|error| named(&error))?;
        if endpoint.uri().scheme_str() == Some("https") {
            endpoint = with_tls(endpoint, ca)?;
        }
        let channel = endpoint.connect_lazy();
        // The rules are not ours. The transcoder logs a bad rule, and serves the others.
        let recipe = schema::recipe().skip_bad_rules(true);
        let (live, follow): (Live, Follow) = match file {
            Some(file) => {
                let mut file = DescriptorFile::new(file);
                let live = Live::load(recipe, &mut file).await.map_err(|error| error.to_string())?;
                let following = live.clone();
                (live, Box::pin(async move { following.follow(file, LOOK).await }))
            }
            None => {
                let mut remote = RemoteSchema::new(ReflectionClient::new(channel.clone()));
                let live = Live::load(recipe, &mut remote).await.map_err(|error| named(&error))?;
                let following = live.clone();
                (live, Box::pin(async move { following.follow(remote, ASK).await }))
            }
        };
        Ok(Upstream { service: Calls(channel), live, follow })
    }
}

#[cfg(feature = "tls")]
fn with_tls(endpoint: Endpoint, ca: Option<PathBuf>) -> Result<Endpoint, String> {
    use tonic::transport::{Certificate, ClientTlsConfig};
    let mut config = ClientTlsConfig::new().with_native_roots();
    if let Some(path) = ca {
        let pem = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        config = config.ca_certificate(Certificate::from_pem(pem));
    }
    let uri = endpoint.uri().clone();
    endpoint.tls_config(config).map_err(|error| format!("{uri}: {error}"))
}

#[cfg(not(feature = "tls"))]
fn with_tls(endpoint: Endpoint, _: Option<PathBuf>) -> Result<Endpoint, String> {
    Err(format!("{}: this program is built without TLS; with it: --features tls", endpoint.uri()))
}

/// Forwards gRPC calls to the server. It refuses requests that are not gRPC, because the server has no methods for them.
#[derive(Clone)]
pub(crate) struct Calls(Channel);

impl Service<Request<Body>> for Calls {
    type Response = Response<tonic::body::Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !is_grpc(request.headers()) {
            let response = tonic::Status::unimplemented("the proxy takes gRPC alone").into_http();
            return Box::pin(async { Ok(response) });
        }
        let answer = self.0.call(request.map(tonic::body::Body::new));
        Box::pin(async move {
            Ok(answer.await.unwrap_or_else(|error| {
                // A gRPC client gets a gRPC status. The client does not learn why the connection failed.
                tracing::warn!(?error, "the upstream server cannot be reached");
                tonic::Status::unavailable("the service cannot be reached").into_http()
            }))
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use http_body_util::BodyExt;
    use tobu_transcode::TranscodeService;
    use tower_layer::Layer;

    use super::*;
    use crate::proto::library::v1::library_server;

    /// Returns the descriptor set of the library.
    pub(crate) fn library() -> Vec<u8> {
        let mut set = tobu::wire::Writer::new();
        for file in with_imports(&library_server::descriptor().file()) {
            set.tag(tobu::wire::Tag::new(1, tobu::wire::WireType::Len));
            set.len_prefixed(file.encoded());
        }
        set.finish().unwrap()
    }

    /// Returns a file and all files that it imports, with each file after its imports.
    fn with_imports(file: &tobu::FileDescriptor) -> Vec<tobu::FileDescriptor> {
        let mut files: Vec<tobu::FileDescriptor> = Vec::new();
        for file in file.dependencies().flat_map(|import| with_imports(&import)).chain([file.clone()]) {
            if !files.iter().any(|known| known.name() == file.name()) {
                files.push(file);
            }
        }
        files
    }

    /// A URL on which no server listens.
    const NOWHERE: &str = "http://127.0.0.1:1";

    #[tokio::test]
    async fn a_file_does_without_the_server() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), library()).unwrap();
        let upstream = Upstream::new(NOWHERE, Some(file.path().to_owned()), None).await.unwrap();
        let service = upstream.live.layer(upstream.service);
        let unreachable = r#"503 {"code":14,"message":"the service cannot be reached","details":[]}"#;
        for (path, wanted) in [
            ("/v1/shelves", unreachable),
            (
                "/v1/shelves?pageSize=x",
                r#"400 {"code":3,"message":"the query parameter \"pageSize\": \"x\" is not a uint32","details":[]}"#,
            ),
            // The proxy forwards only gRPC calls.
            ("/elsewhere", r#"404 {"code":5,"message":"no rule has the path \"/elsewhere\"","details":[]}"#),
        ] {
            assert_eq!(get(service.clone(), path).await, wanted, "{path}");
        }
    }

    #[tokio::test]
    async fn a_bad_rule_is_left_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut set = library();
        let at = set.windows(10).position(|piece| piece == b"/v1/{name=").unwrap();
        set[at + 5] = b'_';
        std::fs::write(file.path(), set).unwrap();
        let upstream = Upstream::new(NOWHERE, Some(file.path().to_owned()), None).await.unwrap();
        let current = upstream.live.current();
        assert_eq!((current.router().routes().len(), current.router().skipped().len()), (11, 1));
    }

    /// Sends a request, and returns the status and the body of the answer.
    async fn get(mut service: TranscodeService<Calls>, path: &str) -> String {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let (head, body) = service.ready().await.unwrap().call(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        format!("{} {}", head.status.as_u16(), String::from_utf8_lossy(&body))
    }

    #[tokio::test]
    async fn without_a_file_the_server_must_be_there() {
        let error = |url| async move { Upstream::new(url, None, None).await.err().unwrap() };
        let unreachable = "http://127.0.0.1:1: the reflection service: The service is currently unavailable: tcp connect error";
        assert_eq!(error(NOWHERE).await, unreachable);
        assert_eq!(error("a b").await, "a b: invalid URI");
        #[cfg(not(feature = "tls"))]
        assert_eq!(
            error("https://127.0.0.1:1").await,
            "https://127.0.0.1:1/: this program is built without TLS; with it: --features tls"
        );
    }

    #[cfg(feature = "tls")]
    #[tokio::test]
    async fn a_server_behind_tls() {
        use std::sync::Arc;

        use tobu_tonic::ReflectionService;
        use tokio::net::TcpListener;
        use tokio_stream::wrappers::TcpListenerStream;
        use tonic::transport::{Identity, Server, ServerTlsConfig};

        use crate::library::Library;
        use crate::proto::library::v1::library_server::LibraryServer;
        use crate::store::Store;

        let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls");
        let read = |name| std::fs::read(files.join(name)).unwrap();
        let identity = Identity::from_pem(read("server.pem"), read("server.key"));
        let server = Server::builder()
            .tls_config(ServerTlsConfig::new().identity(identity))
            .unwrap()
            .add_service(LibraryServer::new(Library::new(Arc::new(Store::open(None).unwrap()))))
            .add_service(ReflectionService::of([library_server::descriptor()]).v1());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));

        let upstream = Upstream::new(&url, None, Some(files.join("ca.pem"))).await.unwrap();
        assert_eq!(upstream.live.current().router().routes().len(), 12);
        assert_eq!(get(upstream.live.layer(upstream.service), "/v1/shelves").await, "200 {}");

        let error = Upstream::new(&url, None, None).await.err().unwrap();
        assert!(error.contains("invalid peer certificate: UnknownIssuer"), "{error}");
        let none = files.join("none.pem");
        let error = Upstream::new(&url, None, Some(none.clone())).await.err().unwrap();
        assert_eq!(error, format!("{}: {}", none.display(), std::fs::read(&none).unwrap_err()));
        server.abort();
    }
}
