//! Splits a path into segments, and finds the values of a template's variables in the path.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::percent::{self, Decode};
use crate::route::Route;
use crate::template::{Segment, Variable};

/// A path, with the positions at which its segments start.
#[derive(Clone, Debug)]
pub(super) struct PathView<'p> {
    path: &'p str,
    /// The positions of the first bytes of the segments. Only a path with more than 16 segments needs an allocation.
    starts: SmallVec<[u32; 16]>,
    /// The position at which the last segment ends. If the path has a verb, it follows.
    end: usize,
}

impl<'p> PathView<'p> {
    /// Splits a path.
    ///
    /// # Errors
    /// The path has no leading slash, is too long, or has malformed escapes or a NUL.
    pub(super) fn new(path: &'p str) -> Result<Self> {
        if !path.starts_with('/') {
            return Err(Error::argument(format!("the path {path:?} does not start with a slash")));
        }
        if path.len() > i32::MAX as usize {
            return Err(Error::argument("the path is longer than the longest possible path"));
        }
        if memchr::memchr2(b'%', 0, path.as_bytes()).is_some() {
            percent::decode(path, Decode::All)
                .map_err(|error| Error::argument(format!("the path {path:?}: {error}")))?;
        }
        let starts = memchr::memchr_iter(b'/', path.as_bytes()).map(|at| at as u32 + 1).collect();
        Ok(PathView { path, starts, end: path.len() })
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn segment(&self, at: usize) -> &'p str {
        self.between(at, at + 1)
    }

    /// Returns the segments from `from` to `to`, with the slashes between them.
    fn between(&self, from: usize, to: usize) -> &'p str {
        if from == to {
            return "";
        }
        let end = match self.starts.get(to) {
            Some(&next) => next as usize - 1,
            None => self.end,
        };
        &self.path[self.starts[from] as usize..end]
    }

    /// Returns the last segment, with its verb.
    pub(super) fn last(&self) -> &'p str {
        &self.path[self.last_start()..self.whole()]
    }

    /// Cuts the last segment to its first `len` bytes.
    pub(super) fn trim_last(&mut self, len: usize) {
        self.end = self.last_start() + len;
    }

    fn last_start(&self) -> usize {
        self.starts.last().map_or(0, |&start| start as usize)
    }

    fn whole(&self) -> usize {
        self.path.len()
    }

    /// Removes empty segments at the end, except for the first segment of the path. Returns true if it removed any.
    pub(super) fn drop_trailing_slashes(&mut self) -> bool {
        let before = self.path.len();
        while self.len() > 1 && self.path.ends_with('/') {
            self.path = &self.path[..self.path.len() - 1];
            self.starts.pop();
        }
        self.end = self.path.len();
        self.path.len() != before
    }
}

/// The route of a request, and the values of its variables in the path.
#[derive(Clone, Debug)]
pub struct Match<'r, 'p> {
    route: &'r Arc<Route>,
    view: PathView<'p>,
    options: &'r TranscodeOptions,
}

impl<'r, 'p> Match<'r, 'p> {
    pub(super) fn new(route: &'r Arc<Route>, view: PathView<'p>, options: &'r TranscodeOptions) -> Self {
        Match { route, view, options }
    }

    /// Returns the route.
    pub fn route(&self) -> &'r Route {
        self.route
    }

    #[cfg(feature = "tower")]
    pub(crate) fn shared_route(&self) -> Arc<Route> {
        Arc::clone(self.route)
    }

    pub(crate) fn options(&self) -> &'r TranscodeOptions {
        self.options
    }

    /// Returns the variables of the template with their decoded values.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// # let router = tobu_transcode::Router::builder().service(&service).build()?;
    /// let found = router.find(&http::Method::GET, "/v1/shelves/my%20own/books/a%2Fb")?;
    /// let values: Vec<_> = found.values().collect();
    /// assert_eq!(values, [("name", "shelves/my own/books/a%2Fb".into())]);
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    pub fn values(&self) -> impl ExactSizeIterator<Item = (&'r str, Cow<'p, str>)> + '_ {
        let variables = self.route.template().variables.iter();
        variables.map(|variable| (variable.field_path(), self.value(variable)))
    }

    /// Returns the value of a variable of the route's template.
    pub(crate) fn value(&self, variable: &Variable) -> Cow<'p, str> {
        let template = self.route.template();
        let place = |at: usize| match template.rest {
            Some(rest) if at > rest => at + self.view.len() - template.segments.len(),
            _ => at,
        };
        let (from, to) = (place(variable.segments.start), place(variable.segments.end));
        let which = match variable.multi {
            true => self.options.reserved,
            false => Decode::All,
        };
        let rest = template.rest.filter(|rest| self.route.fully_decode && variable.segments.contains(rest));
        let raw = self.view.between(from, to);
        let Some(rest) = rest else { return decoded(raw, which) };
        if memchr::memchr(b'%', raw.as_bytes()).is_none() {
            return Cow::Borrowed(raw);
        }
        // Only the segments that the `**` matches are fully decoded.
        let mut value = String::with_capacity(raw.len());
        for at in from..to {
            if at > from {
                value.push('/');
            }
            let in_rest = (place(rest)..place(rest + 1)).contains(&at);
            let which = if in_rest { Decode::All } else { which };
            value.push_str(&decoded(self.view.segment(at), which));
        }
        debug_assert!(template.segments[rest] == Segment::Rest);
        Cow::Owned(value)
    }
}

/// Decodes a part of a path. Decoding cannot fail here: `PathView::new` decoded the whole path, and a slash is never inside
/// of an escaped character.
fn decoded(text: &str, which: Decode) -> Cow<'_, str> {
    percent::decode(text, which).unwrap_or(Cow::Borrowed(text))
}
