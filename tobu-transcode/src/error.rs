//! The error of the crate: the kind of the problem, and a text for people.
//!
//! This file is in layer 0 (see DESIGN.md), and of this crate uses only [`Code`].

use std::fmt;

use http::{Method, StatusCode};

use crate::code::Code;

/// The result of every fallible verb of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, when rules were loaded or when a request or a response was transcoded.
///
/// ```
/// let error = tobu_transcode::Template::parse("/v1/{name=shelves/*").unwrap_err();
/// assert_eq!(error.category(), tobu_transcode::Category::Rule);
/// assert_eq!(error.to_string(), r#"template "/v1/{name=shelves/*": the variable is never closed (at byte 19)"#);
/// ```
pub struct Error(Box<Inner>);

#[derive(thiserror::Error)]
#[error("{message}")]
struct Inner {
    category: Category,
    message: String,
    allow: Vec<Method>,
    rules: Vec<BadRule>,
    source: Option<BoxError>,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A rule that cannot be served: where it is, and what is wrong with it.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// use tobu_transcode::{HttpRule, Router};
///
/// let method = pool.method("library.v1.Library.GetBook").unwrap();
/// let rule = HttpRule::new("GET", "/v1/{name}").body("payload.value").additional(HttpRule::new("GET", "/v1/{nope}"));
/// let error = Router::default().add_rule(&method, &rule).unwrap_err();
/// let [body, variable] = error.rules() else { panic!() };
/// assert_eq!(body.file(), "library/v1/library.proto");
/// assert_eq!(body.method(), "library.v1.Library.GetBook");
/// assert_eq!(body.rule(), r#"GET "/v1/{name}""#);
/// assert_eq!(
///     variable.to_string(),
///     "library/v1/library.proto: library.v1.Library.GetBook: GET \"/v1/{nope}\": \
///      the variable nope: library.v1.GetBookRequest has no field \"nope\""
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRule {
    file: String,
    method: String,
    rule: String,
    text: String,
}

impl BadRule {
    /// Creates a rule of this HTTP method and template, and the whole text of the error.
    pub(crate) fn new(file: &str, method: &str, pattern: Option<(&str, &str)>, text: String) -> Self {
        let rule = pattern.map(|(kind, template)| format!("{kind} {template:?}")).unwrap_or_default();
        BadRule { file: file.to_owned(), method: method.to_owned(), rule, text }
    }

    /// Returns the file of the method; empty if there is no such method.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the full name of the method, or the selector of a service configuration.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// HTTP method and template, such as `GET "/v1/{name}"`; empty if the rule has none.
    pub fn rule(&self) -> &str {
        &self.rule
    }
}

/// The place, and what is wrong.
impl fmt::Display for BadRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The kind of a problem, which decides the status of the HTTP response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// A rule is not valid or does not fit its method; found when it is loaded.
    Rule,
    /// The schema with the rules cannot be loaded, or is not valid; found when it is loaded.
    Schema,
    /// A path, query, body or header is malformed or does not fit the request message: 400.
    Argument,
    /// No rule has such a path: 404.
    NotFound,
    /// Rules have such a path, but not with this method: 405.
    Method,
    /// The client took too long to send its request: 408.
    Timeout,
    /// The body is too large: 413.
    TooLarge,
    /// The path and query are too long: 414.
    PathTooLong,
    /// The body is of a type, or compressed in a way, that is not known: 415.
    MediaType,
    /// The response of the service is malformed, or is no valid message of its type: 500.
    Response,
}

impl Error {
    #[cold]
    pub(crate) fn new(category: Category, message: impl Into<String>) -> Self {
        let (allow, rules) = (Vec::new(), Vec::new());
        Error(Box::new(Inner { category, message: message.into(), allow, rules, source: None }))
    }

    #[cold]
    pub(crate) fn rule(message: impl Into<String>) -> Self {
        Self::new(Category::Rule, message)
    }

    /// Returns the error that lists all rules that are not valid.
    #[cold]
    pub(crate) fn bad_rules(rules: Vec<BadRule>) -> Self {
        let mut message = match &*rules {
            [_] => String::new(),
            several => format!("{} rules are not valid:\n", several.len()),
        };
        let texts: Vec<&str> = rules.iter().map(|rule| &*rule.text).collect();
        message.push_str(&texts.join("\n"));
        let mut error = Self::rule(message);
        error.0.rules = rules;
        error
    }

    /// Creates a schema that cannot be had, and why: for a source of schemas of one's own.
    ///
    /// ```
    /// let error = tobu_transcode::Error::schema("the registry is closed");
    /// assert_eq!(error.category(), tobu_transcode::Category::Schema);
    /// assert_eq!(error.to_string(), "the registry is closed");
    /// ```
    #[cold]
    pub fn schema(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let why = why.into();
        Self::new(Category::Schema, why.to_string()).caused_by(why)
    }

    #[cold]
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Category::Argument, message)
    }

    #[cold]
    pub(crate) fn response(message: impl Into<String>) -> Self {
        Self::new(Category::Response, message)
    }

    #[cold]
    pub(crate) fn method(message: impl Into<String>, allow: Vec<Method>) -> Self {
        let mut error = Self::new(Category::Method, message);
        error.0.allow = allow;
        error
    }

    /// Adds the cause of this error.
    #[cold]
    pub(crate) fn caused_by(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Puts words before the message.
    #[cold]
    pub(crate) fn within(mut self, what: impl fmt::Display) -> Self {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// What kind of thing went wrong.
    pub fn category(&self) -> Category {
        self.0.category
    }

    /// Returns the status that an HTTP response should have.
    pub fn status(&self) -> StatusCode {
        match self.0.category {
            Category::Argument => StatusCode::BAD_REQUEST,
            Category::NotFound => StatusCode::NOT_FOUND,
            Category::Method => StatusCode::METHOD_NOT_ALLOWED,
            Category::Timeout => StatusCode::REQUEST_TIMEOUT,
            Category::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Category::PathTooLong => StatusCode::URI_TOO_LONG,
            Category::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Category::Rule | Category::Schema | Category::Response => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the text for the client that sent the request. Errors in the service or its responses are for operators
    /// of the service, so the client gets one fixed text for all of them, and not the text of
    /// [`Display`](fmt::Display).
    ///
    /// ```
    /// let error = tobu_transcode::Error::schema("the registry at 10.0.0.7 is closed");
    /// assert_eq!(error.public(), "the rules of the service are not valid");
    /// ```
    pub fn public(&self) -> &str {
        match self.0.category {
            Category::Rule | Category::Schema => "the rules of the service are not valid",
            Category::Response => "the response of the service is not valid",
            _ => &self.0.message,
        }
    }

    /// Returns the code for the body of that response, a `google.rpc.Status`.
    pub fn code(&self) -> Code {
        match self.0.category {
            Category::Argument | Category::PathTooLong | Category::MediaType => Code::InvalidArgument,
            Category::NotFound => Code::NotFound,
            Category::Method => Code::Unimplemented,
            Category::Timeout => Code::Cancelled,
            Category::TooLarge => Code::ResourceExhausted,
            Category::Rule | Category::Schema | Category::Response => Code::Internal,
        }
    }

    /// Returns the rules that are not valid, all of them; empty unless rules were loaded.
    pub fn rules(&self) -> &[BadRule] {
        &self.0.rules
    }

    /// Returns the methods that rules have for the path, for the header `Allow`; empty unless the method was wrong.
    pub fn allow(&self) -> &[Method] {
        &self.0.allow
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}, {:?})", self.0.category, self.0.message)
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
