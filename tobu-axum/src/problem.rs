//! Errors as the bodies of responses.

use axum_core::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};
use tobu::{Category, Position};

/// The response to a request that failed: problem details in JSON, of type `application/problem+json`.
///
/// The specification defines the members `type`, `title`, `status` and `detail`. For an error in a message, the body also has
/// the member `path`: the full name of the message and the path to the field. It also has the position of the error: `line` and
/// `column`, counted from one, or `offset`, a number of bytes. A handler that returns `Result<_, Problem>` can convert a
/// [`tobu::Error`] with `?`:
///
/// ```
/// use tobu::types::Duration;
/// use tobu_axum::Problem;
///
/// async fn handler(text: String) -> Result<String, Problem> {
///     let duration: Duration = tobu::json::from_str(&text)?;
///     Ok(duration.seconds.to_string())
/// }
/// # let _ = handler;
/// ```
///
/// If the status is 500 or higher, for example because the response could not be written, the error is not in the body,
/// because it would reveal details of the server. The [`tobu::Error`] is then an extension of the response, so that a layer
/// can log it.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9457>.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    detail: String,
    error: Option<tobu::Error>,
}

impl Problem {
    /// Creates a problem with a status and a sentence.
    ///
    /// ```
    /// use http::StatusCode;
    /// use tobu_axum::Problem;
    ///
    /// let problem = Problem::new(StatusCode::CONFLICT, "the book is on loan");
    /// assert_eq!(problem.to_json()["detail"], "the book is on loan");
    /// ```
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Problem { status, detail: detail.into(), error: None }
    }

    /// Creates a problem for an error in a message, with this status.
    pub(crate) fn of_error(status: StatusCode, error: tobu::Error) -> Self {
        Problem { status, detail: error.message(), error: Some(error) }
    }

    /// Returns the status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the error in the message, if the problem was created from an error.
    pub fn error(&self) -> Option<&tobu::Error> {
        self.error.as_ref()
    }

    /// Returns the body of the response, so that you can add members or write it elsewhere.
    pub fn to_json(&self) -> Value {
        let mut members: Vec<(&str, Value)> = vec![
            ("type", "about:blank".into()),
            ("title", self.status.canonical_reason().unwrap_or("Error").into()),
            ("status", self.status.as_u16().into()),
        ];
        if !self.is_of_server() {
            members.push(("detail", self.detail.clone().into()));
            if let Some(error) = &self.error {
                let path = [error.root().unwrap_or_default(), &error.field_path()].join(".");
                match path.trim_matches('.') {
                    "" => {}
                    path => members.push(("path", path.into())),
                }
                match error.position() {
                    Some(Position::Line { line, column }) => {
                        members.extend([("line", line.into()), ("column", column.into())]);
                    }
                    Some(Position::Byte(offset)) => members.push(("offset", offset.into())),
                    _ => {}
                }
            }
        }
        // If another crate enables a feature of serde_json, maps keep the order in which they are filled. Sorted members come
        // out in the same order with and without the feature.
        members.sort_unstable_by_key(|(name, _)| *name);
        let body: Map<String, Value> =
            members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Value::Object(body)
    }

    /// True if the problem has an error and the status of a failure of the server. The body then hides the error.
    fn is_of_server(&self) -> bool {
        self.error.is_some() && self.status.is_server_error()
    }
}

/// Uses status 413 for an exceeded limit, 500 for an error in the schema or of I/O, and 400 for every other error.
impl From<tobu::Error> for Problem {
    fn from(error: tobu::Error) -> Self {
        let status = match error.category() {
            Category::Limit => StatusCode::PAYLOAD_TOO_LARGE,
            Category::Schema | Category::Io => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Problem::of_error(status, error)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.error {
            Some(error) => write!(f, "{}: {error}", self.status),
            None => write!(f, "{}: {}", self.status, self.detail),
        }
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.as_ref().map(|error| error as _)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.to_json().to_string();
        let mut response = (self.status, [(CONTENT_TYPE, "application/problem+json")], body).into_response();
        if self.is_of_server()
            && let Some(error) = self.error
        {
            response.extensions_mut().insert(std::sync::Arc::new(error));
        }
        response
    }
}
