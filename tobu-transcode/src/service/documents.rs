//! What is told of the rules next to the calls: their OpenAPI description, and a page on which they can be tried.

use std::sync::OnceLock;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Method, Response};

use super::Body;
use crate::error::{Error, Result};
use crate::openapi::Document;
use crate::router::Router;

/// What is asked for, and where.
#[derive(Clone, Default)]
pub(super) struct Published {
    pub(super) openapi: Option<String>,
    pub(super) document: Option<Document>,
    pub(super) page: Option<String>,
}

/// The documents; the description is made when it is asked for.
#[derive(Default)]
pub(super) struct Documents {
    published: Published,
    openapi: OnceLock<Bytes>,
    page: Bytes,
}

const PAGE: &str = include_str!("page.html");

impl Documents {
    /// # Errors
    /// A path is none, or a page has no description.
    pub(super) fn new(published: &Published) -> Result<Self> {
        let Published { openapi, page, .. } = published;
        for (name, path) in [("OpenAPI description", openapi), ("page", page)] {
            if let Some(path) = path.as_ref().filter(|path| !path.starts_with('/')) {
                return Err(Error::rule(format!(
                    "the path of the {name} is {path:?}: it begins with no slash"
                )));
            }
        }
        let page = match (openapi, page) {
            (_, None) => Bytes::new(),
            (None, Some(_)) => {
                return Err(Error::rule("the page is made of the OpenAPI description, which has no path"));
            }
            (Some(one), Some(other)) if one == other => {
                let text = format!("the OpenAPI description and the page have the same path {one:?}");
                return Err(Error::rule(text));
            }
            (Some(openapi), Some(_)) => PAGE.replace("{openapi}", &escaped(openapi)).into(),
        };
        Ok(Documents { published: published.clone(), openapi: OnceLock::new(), page })
    }

    /// The document that a request asks for.
    pub(super) fn find(&self, method: &Method, path: &str, router: &Router) -> Option<Response<Body>> {
        let is = |own: &Option<String>| own.as_deref() == Some(path);
        if method != Method::GET && method != Method::HEAD {
            return None;
        }
        let (kind, bytes) = if is(&self.published.openapi) {
            ("application/json", self.describe(router))
        } else if is(&self.published.page) {
            ("text/html; charset=utf-8", self.page.clone())
        } else {
            return None;
        };
        let mut response = Response::new(Body::full(bytes));
        let mut put = |name: HeaderName, value| {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        };
        put(CONTENT_TYPE, kind);
        put(X_CONTENT_TYPE_OPTIONS, "nosniff");
        Some(response)
    }

    fn describe(&self, router: &Router) -> Bytes {
        let describe = || match &self.published.document {
            Some(document) => document.describe(router).into(),
            None => Document::of(router).describe(router).into(),
        };
        self.openapi.get_or_init(describe).clone()
    }
}

/// A text within the quotes of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
