//! Makes the bytes of a request message from an HTTP request.
//!
//! The path, the query and the body of a request are converted to wire bytes separately, and the bytes are concatenated,
//! because usually each sets different fields of the message (see `overlap` for the exception). No message is built in memory.
//!
//! This file is in layer 3 (see DESIGN.md). It uses only the modules `router`, `route`, `options`, `value` and `error` of this
//! crate. The files in its folder also use `percent` and `template`.

mod body;
mod mask;
mod overlap;
mod query;

use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::route::Route;
use crate::router::Match;
use crate::value;

/// The parts of an HTTP request that set fields of the message, except for the path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    query: &'a str,
    body: &'a [u8],
    content_type: &'a str,
}

impl<'a> Request<'a> {
    /// Creates a request without query and body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the query, without the question mark. `query` must still have its percent escapes.
    #[must_use]
    pub fn query(mut self, query: &'a str) -> Self {
        self.query = query;
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: &'a [u8]) -> Self {
        self.body = body;
        self
    }

    /// Sets the content type of the body. It is used only if the body is bound to a `google.api.HttpBody`.
    #[must_use]
    pub fn content_type(mut self, content_type: &'a str) -> Self {
        self.content_type = content_type;
        self
    }
}

impl Match<'_, '_> {
    /// Appends the request message to `out`, as wire bytes. If this fails, `out` stays unchanged.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// # let router = tobu_transcode::Router::builder().service(&service).build()?;
    /// use tobu_transcode::Request;
    ///
    /// let found = router.find(&http::Method::POST, "/v1/shelves/1/books")?;
    /// let mut message = Vec::new();
    /// found.bind(&Request::new().query("bookId=dune").body(br#"{"title": "Dune"}"#), &mut message)?;
    /// assert_eq!(message, b"\x1a\x06\x12\x04Dune\x12\x04dune\x0a\x09shelves/1");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The query or the body is malformed or does not fit the message, a value is not valid for its field, or two of path,
    /// query and body set the same field. The options may allow this, and the body may repeat a value of the path.
    pub fn bind(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        let done = self.parts(request, out);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    /// Appends the second or a later message of a request stream. Its fields come only from `body`.
    ///
    /// # Errors
    /// Fails if [`bind`](Self::bind) would fail.
    pub fn bind_next(&self, body: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.route().bind_next(self.options(), &Request::new().body(body), out)
    }

    fn parts(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Result<()> {
        let (route, start) = (self.route(), out.len());
        // JSON is usually longer than the same message in wire bytes.
        out.reserve(request.body.len() + request.query.len() + 64);
        body::write(route, self.options(), request, out)?;
        let body_end = out.len();
        let query = query::write(self, request, out)?;
        if let Some(mask) = route.update_mask.as_ref().filter(|mask| !query.has(mask.number())) {
            mask::write(self, mask, request.body, out)?;
        }
        let mut body = start..body_end;
        let checked = !body.is_empty() && !self.options().allow_overlap;
        for (variable, path) in route.bindings() {
            let mut at = out.len();
            let text = self.value(variable);
            let keep = self.options().allow_overlap;
            value::write(&path.leaf, &text, self.options().path_form(), keep, out).map_err(|wrong| {
                Error::argument(format!("the path: the field {}: {wrong}", variable.field_path()))
            })?;
            if checked {
                overlap::check(route, variable, path, out, body.clone(), at)?;
            }
            if !body.is_empty() && path.leaf.message_type().is_some() {
                let removed = overlap::remove(path, out, body.clone());
                body.end -= removed;
                at -= removed;
            }
            if out.len() > at {
                for field in path.above.iter().rev() {
                    value::wrap(field, at, out);
                }
            }
        }
        Ok(())
    }
}

impl Route {
    pub(crate) fn bind_next(
        &self,
        options: &TranscodeOptions,
        request: &Request<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let start = out.len();
        let done = body::write(self, options, request, out);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }
}

/// Returns the options for parsing a body. If `partial` is true, required fields may be missing in the body, because the
/// path or the query may set them.
fn json_options(options: &TranscodeOptions, partial: bool) -> std::borrow::Cow<'_, tobu::json::Options> {
    match partial {
        true => std::borrow::Cow::Owned(options.request.clone().partial(true)),
        false => std::borrow::Cow::Borrowed(&options.request),
    }
}
