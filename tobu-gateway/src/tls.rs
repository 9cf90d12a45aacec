//! Sets up TLS for connections of clients and for the connection to the upstream server.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use toml::Spanned;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::config::{Config, Tls, Upstream};

/// # Errors
/// A file cannot be read, or does not have the right kind of content.
pub(crate) fn acceptor(config: &Config, tls: &Tls) -> Result<TlsAcceptor, String> {
    let certs = certificates(config, &tls.cert)?;
    let key = PrivateKeyDer::from_pem_slice(&config.content(&tls.key)?)
        .map_err(|error| config.wrong(&tls.key, error))?;
    let provider = Arc::new(default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = match &tls.client_ca {
        None => builder.with_no_client_auth(),
        Some(ca) => {
            let mut roots = RootCertStore::empty();
            for root in certificates(config, ca)? {
                roots.add(root).map_err(|error| config.wrong(ca, error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.map_err(|error| config.wrong(ca, error))?)
        }
    };
    let server = builder.with_single_cert(certs, key);
    let mut server = server.map_err(|error| config.wrong(&tls.cert, error))?;
    // REST clients may use HTTP/1.1. gRPC clients use HTTP/2.
    server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(server)))
}

fn certificates(config: &Config, file: &Spanned<PathBuf>) -> Result<Vec<CertificateDer<'static>>, String> {
    let content = config.content(file)?;
    let certs: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&content).collect();
    let certs = certs.map_err(|error| config.wrong(file, error))?;
    match certs.is_empty() {
        true => Err(config.wrong(file, "the file has no certificate")),
        false => Ok(certs),
    }
}

/// # Errors
/// A file cannot be read.
pub(crate) fn client(config: &Config, upstream: &Upstream) -> Result<ClientTlsConfig, String> {
    let mut tls = ClientTlsConfig::new().with_native_roots();
    if let Some(ca) = &upstream.ca {
        tls = tls.ca_certificate(Certificate::from_pem(config.content(ca)?));
    }
    if let (Some(cert), Some(key)) = (&upstream.cert, &upstream.key) {
        tls = tls.identity(Identity::from_pem(config.content(cert)?, config.content(key)?));
    }
    Ok(tls)
}
