//! The error of the crate: its category, and a text for people.
//!
//! This file is in layer 0 (see DESIGN.md). It uses only the module `code` of this crate.

use std::fmt;

use http::{Method, StatusCode};

use crate::code::Code;

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in loading rules, or in transcoding a request or a response.
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

/// A rule that cannot be served: where it is declared, and what is wrong with it.
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
    /// Creates the description of a bad rule. `pattern` is its HTTP method and template, and `text` the whole text of the
    /// error.
    pub(crate) fn new(file: &str, method: &str, pattern: Option<(&str, &str)>, text: String) -> Self {
        let rule = pattern.map(|(kind, template)| format!("{kind} {template:?}")).unwrap_or_default();
        BadRule { file: file.to_owned(), method: method.to_owned(), rule, text }
    }

    /// Returns the name of the file that declares the method. It is empty if the method does not exist.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the full name of the method, or the selector of a service configuration.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the HTTP method and the template, such as `GET "/v1/{name}"`. It is empty if the rule has no template.
    pub fn rule(&self) -> &str {
        &self.rule
    }
}

/// Writes where the rule is declared, and what is wrong with it.
impl fmt::Display for BadRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The category of an error. It determines the status of the HTTP response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// A rule is not valid or does not fit its method. This is found when the rule is loaded.
    Rule,
    /// The schema with the rules cannot be loaded, or is not valid. This is found when the schema is loaded.
    Schema,
    /// A path, query, body or header is malformed or does not fit the request message. The status is 400.
    Argument,
    /// No rule matches the path. The status is 404.
    NotFound,
    /// Rules match the path, but none of these rules has the HTTP method of the request. The status is 405.
    Method,
    /// The client took too long to send its request. The status is 408.
    Timeout,
    /// The body is too large. The status is 413.
    TooLarge,
    /// The path is too long. The status is 414.
    PathTooLong,
    /// The content type or the compression of the body is not supported. The status is 415.
    MediaType,
    /// The response of the service is malformed, or is not a valid message of its type. The status is 500.
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

    /// Creates an error that says why a schema cannot be loaded. Use it in your own implementation of a source of schemas.
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

    #[cold]
    pub(crate) fn caused_by(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Puts `what` and a colon before the message.
    #[cold]
    pub(crate) fn within(mut self, what: impl fmt::Display) -> Self {
        self.0.message = format!("{what}: {}", self.0.message);
        self
    }

    /// Returns the category of the error.
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

    /// Returns the text for the client that sent the request. Errors in rules, schemas and responses are for operators of
    /// the service. For these errors, the client gets a fixed text instead of the text of [`Display`](fmt::Display).
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

    /// Returns the code of the `google.rpc.Status` in the body of the HTTP response.
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

    /// Returns all rules that are not valid. The list is empty unless loading rules failed.
    pub fn rules(&self) -> &[BadRule] {
        &self.0.rules
    }

    /// Returns the HTTP methods of the rules that match the path, for the header `Allow`. The list is empty unless the
    /// category is [`Category::Method`].
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
