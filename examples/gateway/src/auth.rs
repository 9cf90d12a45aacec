//! Authorizes calls: says which methods need a bearer token, and checks the token.
//!
//! This layer comes after the transcoder, so it sees the names of methods and not paths. It therefore checks gRPC calls and
//! JSON requests in one place, whatever HTTP rules lead to a method.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Request, Response};
use subtle::ConstantTimeEq;
use tobu_transcode::{Body, BoxError};
use tonic::Status;
use tower_layer::Layer;
use tower_service::Service;

/// The methods that need no token, because they show public data. A method that is not in the list needs a token, so a new
/// method is protected by default.
const OPEN: &[&str] = &[
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "/library.v1.Library/GetBook",
    "/library.v1.Library/GetCover",
    "/library.v1.Library/GetShelf",
    "/library.v1.Library/ListBooks",
    "/library.v1.Library/ListShelves",
    "/library.v1.Library/StreamBooks",
];

/// A layer in front of gRPC services. Without a token, it lets every call through.
#[derive(Clone, Default)]
pub(crate) struct Auth(Option<Arc<str>>);

impl Auth {
    pub(crate) fn new(token: &str) -> Self {
        Auth(Some(token.into()))
    }

    /// Reads the token from the first line of a file. The token is not an argument, because all users of a machine can see the
    /// arguments of a process.
    ///
    /// # Errors
    /// The file cannot be read, or has no token.
    pub(crate) fn of_file(path: &Path) -> Result<Self, String> {
        let named = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
        match text.lines().next().map(str::trim).filter(|token| !token.is_empty()) {
            Some(token) => Ok(Auth::new(token)),
            None => Err(named(&"there is no token in the first line")),
        }
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Status> {
        let Some(wanted) = &self.0 else { return Ok(()) };
        if OPEN.contains(&path) {
            return Ok(());
        }
        match bearer(headers) {
            // The comparison takes the same time for every token of this length, so it does not tell an attacker how many bytes
            // were right.
            Some(token) if bool::from(token.ct_eq(wanted.as_bytes())) => Ok(()),
            Some(_) => Err(refused("the token is wrong", "Bearer error=\"invalid_token\"")),
            None => Err(refused("a bearer token is needed", "Bearer")),
        }
    }
}

/// Returns the bearer token of a request. A request with two `authorization` headers has none.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc6750#section-2.1>.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.as_bytes().split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
}

/// Creates the error for a call without a valid token. HTTP requires a `www-authenticate` header, which the transcoder makes of
/// the metadata (see `schema.rs`).
fn refused(message: &str, challenge: &'static str) -> Status {
    let mut status = Status::unauthenticated(message);
    let headers = HeaderMap::from_iter([(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))]);
    *status.metadata_mut() = tonic::metadata::MetadataMap::from_headers(headers);
    status
}

impl<S> Layer<S> for Auth {
    type Service = AuthService<S>;

    fn layer(&self, inner: S) -> AuthService<S> {
        AuthService { auth: self.clone(), inner }
    }
}

#[derive(Clone)]
pub(crate) struct AuthService<S> {
    auth: Auth,
    inner: S,
}

impl<S, R> Service<Request<Body>> for AuthService<S>
where
    S: Service<Request<Body>, Response = Response<R>>,
    S::Future: Send + 'static,
    R: http_body::Body + Send + 'static,
    R::Data: Send,
    R::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        if let Err(status) = self.auth.check(request.uri().path(), request.headers()) {
            return Box::pin(async move { Ok(status.into_http()) });
        }
        if self.auth.0.is_some() {
            // The token is for this server. The services after this layer, or an upstream server, must not see it.
            request.headers_mut().remove(AUTHORIZATION);
        }
        let answer = self.inner.call(request);
        Box::pin(async move { Ok(answer.await?.map(Body::new)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, values: &[&str]) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        Auth::new("secret").check(path, &headers).map_err(|status| status.message().to_owned())
    }

    #[test]
    fn tokens() {
        let needed = Err("a bearer token is needed".to_owned());
        let other = Err("the token is wrong".to_owned());
        let path = "/library.v1.Library/CreateBook";
        for (values, wanted) in [
            (&["Bearer secret"][..], Ok(())),
            (&["bearer secret"], Ok(())),
            (&[], needed.clone()),
            (&["Basic secret"], needed.clone()),
            (&["Bearer"], needed.clone()),
            (&["Bearersecret"], needed.clone()),
            (&["Bearer secret", "Bearer secret"], needed.clone()),
            (&["Bearer "], other.clone()),
            (&["Bearer secre"], other.clone()),
            (&["Bearer secret2"], other.clone()),
            (&["Bearer  secret"], other.clone()),
            (&["Bearer SECRET"], other),
        ] {
            assert_eq!(check(path, values), wanted, "{values:?}");
        }
        for path in OPEN {
            assert_eq!(check(path, &[]), Ok(()));
        }
        // A path must equal the name of a method completely.
        for path in [
            "/library.v1.Library/getbook",
            "/library.v1.Library/GetBook/",
            "//library.v1.Library/GetBook",
            "",
        ] {
            assert_eq!(check(path, &[]), needed, "{path}");
        }
        assert!(Auth::default().check(path, &HeaderMap::new()).is_ok());
    }

    #[test]
    fn tokens_come_from_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), " secret \nof the library").unwrap();
        assert_eq!(Auth::of_file(file.path()).unwrap().0.as_deref(), Some("secret"));
        std::fs::write(file.path(), "\nsecret").unwrap();
        let error = Auth::of_file(file.path()).err().unwrap();
        assert_eq!(error, format!("{}: there is no token in the first line", file.path().display()));
    }
}
