//! Checks bearer tokens, which decide who may call the server.

use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use subtle::ConstantTimeEq;
use tobu_transcode::Body;

use crate::config::{self, Config};
use crate::front::is_grpc;

#[derive(Clone, Debug)]
pub(crate) struct Auth {
    tokens: Vec<Vec<u8>>,
    public: Vec<String>,
}

impl Auth {
    /// # Errors
    /// The file cannot be read, or has no token.
    pub(crate) fn new(config: &Config, auth: &config::Auth) -> Result<Self, String> {
        let content = config.content(&auth.tokens)?;
        let lines = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let tokens: Vec<Vec<u8>> = lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
        match tokens.is_empty() {
            true => Err(config.wrong(&auth.tokens, "the file has no token")),
            false => Ok(Auth { tokens, public: auth.public.clone() }),
        }
    }

    /// Returns the error response for a request that lacks a known token; `None` if the request is allowed.
    pub(crate) fn refusal(&self, path: &str, headers: &HeaderMap) -> Option<Response<Body>> {
        let is_public = self.public.iter().any(|public| match public.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == public,
        });
        if is_public || self.knows(headers) {
            return None;
        }
        let text = "the request has no token that is known";
        if is_grpc(headers) {
            return Some(tonic::Status::unauthenticated(text).into_http());
        }
        let body = format!(r#"{{"code":16,"message":"{text}","details":[]}}"#);
        let mut response = Response::new(Body::full(body));
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        let headers = response.headers_mut();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Some(response)
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let value = value.as_bytes();
        let Some((scheme, token)) = value.split_at_checked(7) else { return false };
        // The loop compares with every token, so that its duration does not show which token is similar.
        let known =
            self.tokens.iter().fold(0, |known, own| known | own.ct_eq(token.trim_ascii()).unwrap_u8());
        scheme.eq_ignore_ascii_case(b"bearer ") && known == 1
    }
}
