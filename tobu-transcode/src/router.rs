//! The router, which finds the rule of a request.
//!
//! Paths are matched without decoding them as a whole. A segment is decoded to compare it with a literal, or to get the
//! value of a variable.
//!
//! This file is in layer 2 (see DESIGN.md). With the files in its folder, it uses only the modules `template`, `route`,
//! `rule`, `options`, `percent` and `error` of this crate.

mod builder;
mod path;
mod trie;

use std::sync::Arc;

use http::Method;
use tobu::MethodDescriptor;

pub use self::builder::RouterBuilder;
pub use self::path::Match;
use self::path::PathView;
use self::trie::Trie;
use crate::error::{BadRule, Category, Error, Result};
use crate::options::TranscodeOptions;
use crate::route::{Route, bad_rule};
use crate::rule::HttpRule;

/// A set of compiled rules that quickly finds the rule of a request.
///
/// If several rules match a path, a rule with a verb has priority. Otherwise the router compares the rules segment by segment,
/// from the left: a literal has priority over `*`, and `*` over `**`. The order of the rules matters only with
/// [`TranscodeOptions::last_rule_first`]. The router also finds a less specific rule if the more specific rule does not match
/// the rest of the path or the HTTP method.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use http::Method;
/// use tobu_transcode::Router;
///
/// let router = Router::builder().service(&pool.service("library.v1.Library").unwrap()).build()?;
/// let found = router.find(&Method::GET, "/v1/shelves/fiction/books/dune")?;
/// assert_eq!(found.route().method().full_name(), "library.v1.Library.GetBook");
///
/// assert_eq!(router.find(&Method::GET, "/v2/shelves").unwrap_err().status(), 404);
/// assert_eq!(router.find(&Method::PUT, "/v1/shelves/fiction").unwrap_err().status(), 405);
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Router {
    routes: Vec<Arc<Route>>,
    trie: Trie,
    /// With `last_rule_first`, one tree for each route. Otherwise empty.
    singles: Vec<Trie>,
    skipped: Vec<BadRule>,
    options: Arc<TranscodeOptions>,
}

impl Router {
    /// Returns a builder for a router with the rules of services.
    pub fn builder() -> RouterBuilder {
        RouterBuilder::default()
    }

    /// Creates a router without rules.
    pub fn new(options: TranscodeOptions) -> Self {
        Router { options: Arc::new(options), ..Router::default() }
    }

    /// Adds a rule for a method, with its additional bindings. On an error, adds no binding.
    ///
    /// # Errors
    /// A template is malformed, a rule does not fit the method, or another rule has the same HTTP method, and a template that
    /// differs only in its variables. The error has the file, the method and the template of each such rule.
    pub fn add_rule(&mut self, method: &MethodDescriptor, rule: &HttpRule) -> Result<()> {
        let (routes, bad) = self.compile(method, rule, self.options.fully_decode);
        match bad.is_empty() {
            true => self.insert(routes),
            false => return Err(Error::bad_rules(bad)),
        }
        Ok(())
    }

    /// Compiles a rule and its additional bindings. Returns the routes, and the bindings that are not valid.
    fn compile(
        &self,
        method: &MethodDescriptor,
        rule: &HttpRule,
        fully_decode: bool,
    ) -> (Vec<Route>, Vec<BadRule>) {
        let (mut routes, mut bad) = (Vec::new(), Vec::new());
        for binding in [rule].into_iter().chain(&rule.additional_bindings) {
            match self.compile_binding(method, rule, binding, fully_decode, &routes) {
                Ok(route) => routes.push(route),
                Err(wrong) => bad.push(wrong),
            }
        }
        (routes, bad)
    }

    /// Compiles `binding`, which is `rule` or one of its additional bindings. `routes` has the routes of the earlier bindings.
    ///
    /// # Errors
    /// The binding is not valid, or another route has the same HTTP method and the same shape.
    fn compile_binding(
        &self,
        method: &MethodDescriptor,
        rule: &HttpRule,
        binding: &HttpRule,
        fully_decode: bool,
        routes: &[Route],
    ) -> Result<Route, BadRule> {
        if !std::ptr::eq(rule, binding) && !binding.additional_bindings.is_empty() {
            let text = format!("{}: an additional binding has additional bindings", Route::place(method));
            return Err(bad_rule(method, binding, text));
        }
        let route = Route::compile(method, binding, fully_decode)?;
        let twin = routes.iter().find(|other| other.same_shape(&route));
        match twin.or_else(|| self.trie.find_same(&route).map(|index| &*self.routes[index])) {
            Some(twin) => {
                let text = format!("{twin} and {route} have the same method and the same shape");
                Err(bad_rule(method, binding, text))
            }
            None => Ok(route),
        }
    }

    fn insert(&mut self, routes: Vec<Route>) {
        for route in routes {
            self.trie.insert(&route, self.routes.len());
            if self.options.last_rule_first {
                let mut single = Trie::default();
                single.insert(&route, self.routes.len());
                self.singles.push(single);
            }
            self.routes.push(Arc::new(route));
        }
    }

    /// Returns the rules that are not served because they are not valid. The list is empty unless
    /// [`RouterBuilder::skip_bad_rules`] is on.
    pub fn skipped(&self) -> &[BadRule] {
        &self.skipped
    }

    /// Returns the routes, in the order in which their rules were added.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = &Route> {
        self.routes.iter().map(|route| &**route)
    }

    /// Returns the options with which the rules were compiled.
    pub fn options(&self) -> &TranscodeOptions {
        &self.options
    }

    #[cfg(feature = "tower")]
    pub(crate) fn shared_options(&self) -> Arc<TranscodeOptions> {
        Arc::clone(&self.options)
    }

    /// Finds the route of a request by its HTTP method and its path. `path` has percent escapes, and no query.
    ///
    /// If a `HEAD` request matches no rule, the rule for `GET` is used, because the response to `HEAD` is the response to
    /// `GET` without the body.
    ///
    /// # Errors
    /// The path is malformed, no rule matches the path, or only rules with other HTTP methods match it.
    pub fn find<'r, 'p>(&'r self, method: &Method, path: &'p str) -> Result<Match<'r, 'p>> {
        let mut view = PathView::new(path)?;
        let mut allowed = Vec::new();
        let mut found = self.look(method, &mut view, &mut allowed);
        if found.is_none() && self.options.trailing_slash && view.drop_trailing_slashes() {
            found = self.look(method, &mut view, &mut allowed);
        }
        match found {
            Some(index) => Ok(Match::new(&self.routes[index], view, &self.options)),
            None if allowed.is_empty() => {
                Err(Error::new(Category::NotFound, format!("no rule has the path {path:?}")))
            }
            None => {
                if allowed.contains(&Method::GET) {
                    allowed.push(Method::HEAD);
                }
                allowed.sort_by(|a, b| a.as_str().cmp(b.as_str()));
                allowed.dedup();
                let names: Vec<&str> = allowed.iter().map(Method::as_str).collect();
                let message = format!("the path {path:?} has {}, not {method}", names.join(", "));
                Err(Error::method(message, allowed))
            }
        }
    }

    fn look(&self, method: &Method, view: &mut PathView<'_>, allowed: &mut Vec<Method>) -> Option<usize> {
        let mut find = |method: &Method| match self.options.last_rule_first {
            true => self.singles.iter().rev().find_map(|single| single.find(method, view, allowed)),
            false => self.trie.find(method, view, allowed),
        };
        match find(method) {
            None if method == Method::HEAD => find(&Method::GET),
            found => found,
        }
    }
}
