//! The server: one port, and whatever protocol and version of HTTP a client speaks.

use std::convert::Infallible;
use std::error::Error;
use std::io::BufReader;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{HeaderMap, HeaderName, Request, Response};
use http_body::Frame;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tobu_transcode::{Body, Transcoder};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tonic::codec::CompressionEncoding;
use tower::{Layer, ServiceExt};

use crate::pipe;
use crate::proto::connectrpc::conformance::v1::conformance_service_server::ConformanceServiceServer;
use crate::proto::connectrpc::conformance::v1::{ServerCompatRequest, ServerCompatResponse};
use crate::service::{Conformance, TRAILER};

pub(crate) async fn run() -> Result<(), Box<dyn Error>> {
    let wanted: ServerCompatRequest = pipe::read().await?.ok_or("there is no request")?;
    let mut service = ConformanceServiceServer::new(Conformance)
        .accept_compressed(CompressionEncoding::Gzip)
        .send_compressed(CompressionEncoding::Gzip);
    let mut transcoder = Transcoder::builder()
        .descriptor(&crate::proto::connectrpc::conformance::v1::conformance_service_server::descriptor());
    if wanted.message_receive_limit > 0 {
        let limit = wanted.message_receive_limit as usize;
        service = service.max_decoding_message_size(limit);
        transcoder = transcoder.max_body(limit);
    }
    let service = tonic::service::Routes::new(service).prepare();
    let service = ServiceExt::<Request<Body>>::map_response(service, with_trailers);
    let service = transcoder.build()?.layer(service);

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let tls = wanted.use_tls.then(|| tls(&wanted)).transpose()?;
    let response = ServerCompatResponse {
        host: "127.0.0.1".into(),
        port: u32::from(listener.local_addr()?.port()),
        pem_cert: wanted.server_creds.as_ref().map(|creds| creds.cert.clone()).unwrap_or_default(),
        ..ServerCompatResponse::default()
    };
    pipe::write(&response).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let (service, tls) = (service.clone(), tls.clone());
        tokio::spawn(async move {
            match tls {
                None => serve(stream, service).await,
                Some(tls) => {
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, service).await;
                    }
                }
            }
        });
    }
}

async fn serve<S>(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, service: S)
where
    S: tower::Service<Request<hyper::body::Incoming>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    let service = TowerToHyperService::new(service);
    // A client that goes away is no error.
    let _ = auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

fn tls(wanted: &ServerCompatRequest) -> Result<TlsAcceptor, Box<dyn Error>> {
    let creds = wanted.server_creds.as_ref().ok_or("there is no certificate")?;
    let certs =
        CertificateDer::pem_reader_iter(BufReader::new(&creds.cert[..])).collect::<Result<Vec<_>, _>>()?;
    let key = PrivateKeyDer::from_pem_slice(&creds.key)?;
    let provider = Arc::new(default_provider());
    let config =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
    let config = match wanted.client_tls_cert.is_empty() {
        true => config.with_no_client_auth(),
        false => {
            let mut roots = RootCertStore::empty();
            for cert in CertificateDer::pem_slice_iter(&wanted.client_tls_cert) {
                roots.add(cert?)?;
            }
            config.with_client_cert_verifier(
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?,
            )
        }
    };
    let mut config = config.with_single_cert(certs, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Moves headers that are to be trailers to the end: services of tonic cannot send trailers of a call that goes well.
fn with_trailers(response: Response<tonic::body::Body>) -> Response<WithTrailers> {
    let (mut head, body) = response.into_parts();
    let mut trailers = HeaderMap::new();
    let names: Vec<HeaderName> =
        head.headers.keys().filter(|name| name.as_str().starts_with(TRAILER)).cloned().collect();
    for name in names {
        let target =
            HeaderName::from_bytes(&name.as_str().as_bytes()[TRAILER.len()..]).expect("a part of a name");
        for value in head.headers.get_all(&name) {
            trailers.append(target.clone(), value.clone());
        }
        head.headers.remove(name);
    }
    Response::from_parts(head, WithTrailers { body, trailers })
}

struct WithTrailers {
    body: tonic::body::Body,
    trailers: HeaderMap,
}

impl http_body::Body for WithTrailers {
    type Data = bytes::Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<bytes::Bytes>, tonic::Status>>> {
        let mut frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &mut frame
            && let Some(trailers) = frame.trailers_mut()
        {
            trailers.extend(std::mem::take(&mut self.trailers));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
