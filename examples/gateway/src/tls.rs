//! Adds TLS for connections from clients, with HTTP/1.1 and HTTP/2 on one port.

use std::path::Path;

/// A certificate with its private key.
#[derive(Clone)]
pub(crate) struct Tls(imp::Acceptor);

impl Tls {
    /// Reads the certificate and the key.
    ///
    /// # Errors
    /// A file does not exist, or has no certificate or no key, or this program is built without TLS.
    pub(crate) fn of_files(cert: &Path, key: &Path) -> Result<Self, String> {
        imp::acceptor(cert, key).map(Tls)
    }
}

#[cfg(not(feature = "tls"))]
mod imp {
    use std::path::Path;

    pub(super) type Acceptor = std::convert::Infallible;

    pub(super) fn acceptor(cert: &Path, _: &Path) -> Result<Acceptor, String> {
        Err(format!("{}: this program is built without TLS; with it: --features tls", cert.display()))
    }
}

#[cfg(not(feature = "tls"))]
impl Tls {
    pub(crate) fn never(self) -> std::convert::Infallible {
        self.0
    }
}

#[cfg(feature = "tls")]
mod imp {
    use std::io;
    use std::path::Path;
    use std::pin::pin;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::sync::mpsc;
    use tokio::time::timeout;
    pub(super) use tokio_rustls::TlsAcceptor as Acceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::server::TlsStream;
    use tokio_stream::wrappers::ReceiverStream;
    use tokio_stream::{Stream, StreamExt};

    use super::Tls;
    use crate::socket::Socket;

    pub(super) fn acceptor(cert: &Path, key: &Path) -> Result<Acceptor, String> {
        let wrong = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let certs =
            CertificateDer::pem_file_iter(cert).and_then(|certs| certs.collect::<Result<Vec<_>, _>>());
        let certs = certs.map_err(|error| wrong(cert, &error))?;
        let private = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, &error))?;
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(certs, private));
        let mut config = config.map_err(|error| wrong(cert, &error))?;
        // A client and a server agree on the version of HTTP by ALPN. The TLS of tonic's server offers `h2` alone, because
        // gRPC needs it, so a client of REST that speaks HTTP/1.1 would be refused before it could send a request.
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Acceptor::from(Arc::new(config)))
    }

    impl Tls {
        /// Performs the handshakes, and returns the connections that succeed. A handshake may take as long as `wait`. The
        /// handshakes run in parallel, so a slow client does not delay others.
        pub(crate) fn accept(
            self,
            incoming: impl Stream<Item = io::Result<Socket>> + Send + 'static,
            wait: Duration,
        ) -> impl Stream<Item = io::Result<TlsStream<Socket>>> {
            let (sender, receiver) = mpsc::channel(1);
            tokio::spawn(async move {
                let mut incoming = pin!(incoming);
                loop {
                    let next = tokio::select! {
                        next = incoming.next() => next,
                        () = sender.closed() => None,
                    };
                    let Some(next) = next else { break };
                    let (acceptor, sender) = (self.0.clone(), sender.clone());
                    tokio::spawn(async move {
                        let done = match next {
                            Ok(socket) => match timeout(wait, acceptor.accept(socket)).await {
                                Ok(Ok(stream)) => Ok(stream),
                                // A client that does not speak TLS must not stop the listener.
                                Ok(Err(_)) | Err(_) => return,
                            },
                            Err(error) => Err(error),
                        };
                        sender.send(done).await.ok();
                    });
                }
            });
            ReceiverStream::new(receiver)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
    }

    #[cfg(not(feature = "tls"))]
    #[test]
    fn needs_its_feature() {
        let cert = file("server.pem");
        let error = Tls::of_files(&cert, &file("server.key")).err().unwrap();
        assert_eq!(
            error,
            format!("{}: this program is built without TLS; with it: --features tls", cert.display())
        );
    }

    #[cfg(feature = "tls")]
    mod over_tls {
        use std::net::SocketAddr;
        use std::sync::Arc;

        use bytes::Bytes;
        use http::{Request, Version};
        use http_body_util::{BodyExt, Empty};
        use hyper::client::conn::{http1, http2};
        use hyper_util::rt::{TokioExecutor, TokioIo};
        use tokio::net::{TcpListener, TcpStream};
        use tokio_rustls::TlsConnector;
        use tokio_rustls::client::TlsStream;
        use tokio_rustls::rustls::crypto::ring::default_provider;
        use tokio_rustls::rustls::pki_types::pem::PemObject;
        use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
        use tokio_rustls::rustls::{ClientConfig, RootCertStore};
        use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, Server, ServerTlsConfig};

        use super::*;
        use crate::library::Library;
        use crate::proto::library::v1::ListShelvesRequest;
        use crate::proto::library::v1::library_client::LibraryClient;
        use crate::proto::library::v1::library_server::LibraryServer;
        use crate::serve::{Guards, library};
        use crate::store::Store;

        /// Opens a TLS connection. The client offers the protocols in `alpn`.
        async fn connect(address: SocketAddr, alpn: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_file(file("ca.pem")).unwrap()).unwrap();
            let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(roots)
                .with_no_client_auth();
            config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
            let stream = TcpStream::connect(address).await?;
            let name = ServerName::from(address.ip());
            TlsConnector::from(Arc::new(config)).connect(name, stream).await
        }

        async fn serve() -> SocketAddr {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let tls = Tls::of_files(&file("server.pem"), &file("server.key")).unwrap();
            let guards = Guards { tls: Some(tls), ..Guards::default() };
            let store = Arc::new(Store::open(None).unwrap());
            tokio::spawn(library(listener, store, guards, std::future::pending()));
            address
        }

        /// One port serves REST and gRPC, over the version of HTTP that the client chooses.
        #[tokio::test]
        async fn both_versions_of_http() {
            let address = serve().await;
            let request =
                |path: &str| Request::get(path).header("host", "x").body(Empty::<Bytes>::new()).unwrap();
            for (alpn, agreed) in [
                (&["http/1.1"][..], Some("http/1.1")),
                (&[], None),
                (&["h2", "http/1.1"], Some("h2")),
                (&["http/1.1", "h2"], Some("h2")),
            ] {
                let stream = connect(address, alpn).await.unwrap();
                let chosen =
                    stream.get_ref().1.alpn_protocol().map(|name| std::str::from_utf8(name).unwrap());
                assert_eq!(chosen, agreed, "{alpn:?}");
                let stream = TokioIo::new(stream);
                let response = match agreed {
                    Some("h2") => {
                        let (mut sender, connection) =
                            http2::handshake(TokioExecutor::new(), stream).await.unwrap();
                        tokio::spawn(connection);
                        let url = format!("https://{address}/v1/shelves");
                        sender.send_request(request(&url)).await.unwrap()
                    }
                    _ => {
                        let (mut sender, connection) = http1::handshake(stream).await.unwrap();
                        tokio::spawn(connection);
                        sender.send_request(request("/v1/shelves")).await.unwrap()
                    }
                };
                let wanted = if agreed == Some("h2") { Version::HTTP_2 } else { Version::HTTP_11 };
                assert_eq!((response.status().as_u16(), response.version()), (200, wanted), "{alpn:?}");
                assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "{}");
            }
            // If client and server have no protocol in common, the handshake fails.
            assert!(connect(address, &["spdy"]).await.is_err());

            let ca = Certificate::from_pem(std::fs::read(file("ca.pem")).unwrap());
            let endpoint = Endpoint::from_shared(format!("https://{address}")).unwrap();
            let channel =
                endpoint.tls_config(ClientTlsConfig::new().ca_certificate(ca)).unwrap().connect().await;
            let mut client = LibraryClient::new(channel.unwrap());
            let listed = client.list_shelves(ListShelvesRequest::default()).await.unwrap().into_inner();
            assert!(listed.shelves.is_empty());
        }

        /// Clients that send nothing, or do not speak TLS, do not delay other clients.
        #[tokio::test]
        async fn other_clients_do_not_hold_it_up() {
            let address = serve().await;
            let mut open = Vec::new();
            for _ in 0..5 {
                open.push(TcpStream::connect(address).await.unwrap());
            }
            let mut plain = TcpStream::connect(address).await.unwrap();
            tokio::io::AsyncWriteExt::write_all(&mut plain, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                .await
                .unwrap();
            assert!(connect(address, &["http/1.1"]).await.is_ok());
        }

        /// Checks why this file is needed. If this test fails, tonic's own TLS offers both versions of HTTP, and this file can
        /// go.
        #[tokio::test]
        async fn the_tls_of_tonic_refuses_http_1() {
            let identity = Identity::from_pem(
                std::fs::read(file("server.pem")).unwrap(),
                std::fs::read(file("server.key")).unwrap(),
            );
            let server = Server::builder()
                .accept_http1(true)
                .tls_config(ServerTlsConfig::new().identity(identity))
                .unwrap()
                .add_service(LibraryServer::new(Library::new(Arc::new(Store::open(None).unwrap()))));
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(
                server.serve_with_incoming(tokio_stream::wrappers::TcpListenerStream::new(listener)),
            );
            let error = connect(address, &["http/1.1"]).await.unwrap_err().to_string();
            assert!(error.contains("NoApplicationProtocol"), "{error}");
            assert!(connect(address, &["h2"]).await.is_ok());
        }
    }
}
