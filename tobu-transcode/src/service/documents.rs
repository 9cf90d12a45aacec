//! The documents that the layer serves: the OpenAPI document of the rules, and a page on which people can try them.

use std::sync::OnceLock;

use bytes::Bytes;
use http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Response};

use super::Body;
use crate::error::{Error, Result};
use crate::openapi::Document;
use crate::router::Router;

/// The paths of the documents. A document without a path is not served.
#[derive(Clone, Default)]
pub(super) struct Published {
    pub(super) openapi: Option<String>,
    pub(super) document: Option<Document>,
    pub(super) page: Option<String>,
}

/// The documents. The OpenAPI document is created when it is first requested.
#[derive(Default)]
pub(super) struct Documents {
    published: Published,
    openapi: OnceLock<Bytes>,
    page: Bytes,
}

const PAGE: &str = include_str!("page.html");

/// The policy of the page. It lets the page run only its own script, use only its own style, and connect only to its own
/// server. No other page can show it in a frame.
const PAGE_POLICY: &str = "default-src 'none'; connect-src 'self'; img-src data:; \
    script-src 'sha256-+RdUMu3MWGSzL6I9f7SOzcTrlplXp+zxC2Ci+YQDzEs='; \
    style-src 'sha256-Ike0A+0xwq+WPDDgk0JMqDupWrpcalRhfmTBqxT7MxQ='; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl Documents {
    /// Creates the documents.
    ///
    /// # Errors
    /// A path does not begin with a slash, both paths are equal, or the page has a path and the OpenAPI document has none.
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
                return Err(Error::rule("the page is made from the OpenAPI description, which has no path"));
            }
            (Some(one), Some(other)) if one == other => {
                let text = format!("the OpenAPI description and the page have the same path {one:?}");
                return Err(Error::rule(text));
            }
            (Some(openapi), Some(_)) => PAGE.replace("{openapi}", &escaped(openapi)).into(),
        };
        Ok(Documents { published: published.clone(), openapi: OnceLock::new(), page })
    }

    /// Returns the response with a document, or `None` if the request is not for a document.
    pub(super) fn find(&self, method: &Method, path: &str, router: &Router) -> Option<Response<Body>> {
        let is = |own: &Option<String>| own.as_deref() == Some(path);
        if method != Method::GET && method != Method::HEAD {
            return None;
        }
        let (kind, policy, bytes) = if is(&self.published.openapi) {
            ("application/json", "default-src 'none'; frame-ancestors 'none'", self.describe(router))
        } else if is(&self.published.page) {
            ("text/html; charset=utf-8", PAGE_POLICY, self.page.clone())
        } else {
            return None;
        };
        let mut response = Response::new(Body::full(bytes));
        let mut put = |name: HeaderName, value| {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        };
        put(CONTENT_TYPE, kind);
        put(CONTENT_SECURITY_POLICY, policy);
        put(REFERRER_POLICY, "no-referrer");
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

/// Escapes a text for the value of an HTML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// If the page changes, its policy must change, too.
    #[test]
    fn the_policy_lets_the_page_run() {
        for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
            let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
            assert_eq!(PAGE.matches(&format!("<{tag}")).count(), 1);
            let text = PAGE.split(&open).nth(1).and_then(|rest| rest.split(&close).next()).unwrap();
            let wanted = format!("{directive} 'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
            assert!(PAGE_POLICY.contains(&wanted), "{wanted}");
            // The text has a hash in the policy, so it must not contain the placeholder that is replaced.
            assert!(!text.contains("{openapi}"));
        }
        // The page must not use anything that the policy forbids.
        for inline in [" style=", " onclick=", " onerror=", " onload=", "javascript:", "innerHTML"] {
            assert!(!PAGE.contains(inline), "{inline}");
        }
    }
}
