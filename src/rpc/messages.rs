//! Constructors of the messages of `google/rpc/error_details.proto`.

use std::time;

use super::bad_request::FieldViolation;
use super::help::Link;
use super::{
    BadRequest, DebugInfo, ErrorInfo, Help, LocalizedMessage, PreconditionFailure, QuotaFailure, RequestInfo,
    ResourceInfo, RetryInfo, precondition_failure, quota_failure,
};
use crate::types::Duration;

impl ErrorInfo {
    /// Creates the details from a constant that names the cause, and from the service that defines the constant.
    ///
    /// ```
    /// use tobu::rpc::ErrorInfo;
    ///
    /// let info = ErrorInfo::new("ON_LOAN", "library.example.com").with_metadata("shelf", "12");
    /// assert_eq!(info.metadata["shelf"], "12");
    /// ```
    pub fn new(reason: impl Into<String>, domain: impl Into<String>) -> Self {
        ErrorInfo { reason: reason.into(), domain: domain.into(), ..ErrorInfo::default() }
    }

    /// Adds an entry to [`metadata`](Self::metadata).
    #[must_use]
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }
}

impl RetryInfo {
    /// Creates the details from the least time to wait before the next try. A delay of more than 10,000 years is
    /// shortened to 10,000 years.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tobu::rpc::RetryInfo;
    ///
    /// let info = RetryInfo::new(Duration::from_millis(1500));
    /// assert_eq!(info.delay(), Some(Duration::from_millis(1500)));
    /// ```
    pub fn new(delay: time::Duration) -> Self {
        const LONGEST: Duration = Duration::new(315_576_000_000, 0);
        let delay = Duration::try_from(delay).unwrap_or(LONGEST);
        RetryInfo { retry_delay: Some(delay), ..RetryInfo::default() }
    }

    /// Returns the least time to wait, or `None` if the time is not set, negative or not valid.
    pub fn delay(&self) -> Option<time::Duration> {
        time::Duration::try_from(self.retry_delay.as_ref()?).ok()
    }
}

impl DebugInfo {
    /// Creates the details from the entries of a stack, and further text. Send these details only to callers that may see them.
    ///
    /// ```
    /// let info = tobu::rpc::DebugInfo::new(["shelf.rs:12", "main.rs:3"], "the lock is poisoned");
    /// assert_eq!(info.stack_entries.len(), 2);
    /// ```
    pub fn new(stack_entries: impl IntoIterator<Item: Into<String>>, detail: impl Into<String>) -> Self {
        let stack_entries = stack_entries.into_iter().map(Into::into).collect();
        DebugInfo { stack_entries, detail: detail.into(), ..DebugInfo::default() }
    }
}

impl QuotaFailure {
    /// Creates the details from the quotas that are used up. Each quota is a subject and a description, or a complete
    /// [`Violation`](quota_failure::Violation).
    ///
    /// ```
    /// let failure = tobu::rpc::QuotaFailure::new([("reader:ann", "five loans")]);
    /// assert_eq!(failure.violations[0].description, "five loans");
    /// ```
    pub fn new(violations: impl IntoIterator<Item: Into<quota_failure::Violation>>) -> Self {
        let violations = violations.into_iter().map(Into::into).collect();
        QuotaFailure { violations, ..QuotaFailure::default() }
    }
}

/// Creates a violation from the subject of the quota, and a description.
impl<S: Into<String>, D: Into<String>> From<(S, D)> for quota_failure::Violation {
    fn from((subject, description): (S, D)) -> Self {
        let (subject, description) = (subject.into(), description.into());
        quota_failure::Violation { subject, description, ..Self::default() }
    }
}

impl PreconditionFailure {
    /// Creates the details from the preconditions that failed. Each precondition is a kind, a subject and a description, or a
    /// complete [`Violation`](precondition_failure::Violation).
    ///
    /// ```
    /// let failure = tobu::rpc::PreconditionFailure::new([("TOS", "library.example.com", "accept the terms")]);
    /// assert_eq!(failure.violations[0].r#type, "TOS");
    /// ```
    pub fn new(violations: impl IntoIterator<Item: Into<precondition_failure::Violation>>) -> Self {
        let violations = violations.into_iter().map(Into::into).collect();
        PreconditionFailure { violations, ..PreconditionFailure::default() }
    }
}

/// Creates a violation from the kind of precondition, its subject, and a description.
impl<T: Into<String>, S: Into<String>, D: Into<String>> From<(T, S, D)> for precondition_failure::Violation {
    fn from((kind, subject, description): (T, S, D)) -> Self {
        precondition_failure::Violation {
            r#type: kind.into(),
            subject: subject.into(),
            description: description.into(),
            ..Self::default()
        }
    }
}

impl BadRequest {
    /// Creates the details from the wrong fields of the request. Each field is a path and a description, or a complete
    /// [`FieldViolation`].
    ///
    /// ```
    /// let request = tobu::rpc::BadRequest::new([("books[1].title", "it is empty")]);
    /// assert_eq!(request.field_violations[0].description, "it is empty");
    /// ```
    pub fn new(field_violations: impl IntoIterator<Item: Into<FieldViolation>>) -> Self {
        let field_violations = field_violations.into_iter().map(Into::into).collect();
        BadRequest { field_violations, ..BadRequest::default() }
    }
}

/// Creates a violation from the path of a field, and a description of the error.
impl<F: Into<String>, D: Into<String>> From<(F, D)> for FieldViolation {
    fn from((field, description): (F, D)) -> Self {
        FieldViolation { field: field.into(), description: description.into(), ..Self::default() }
    }
}

impl RequestInfo {
    /// Creates the details from the server's identifier of the request, and data that a user can send to the server's
    /// developers.
    ///
    /// ```
    /// assert_eq!(tobu::rpc::RequestInfo::new("r-17", "").request_id, "r-17");
    /// ```
    pub fn new(request_id: impl Into<String>, serving_data: impl Into<String>) -> Self {
        let (request_id, serving_data) = (request_id.into(), serving_data.into());
        RequestInfo { request_id, serving_data, ..RequestInfo::default() }
    }
}

impl ResourceInfo {
    /// Creates the details from the kind and the name of a resource. The other members are empty.
    ///
    /// ```
    /// use tobu::rpc::ResourceInfo;
    ///
    /// let info = ResourceInfo { owner: "user:ann".into(), ..ResourceInfo::new("book", "books/dune") };
    /// assert_eq!(info.resource_name, "books/dune");
    /// ```
    pub fn new(resource_type: impl Into<String>, resource_name: impl Into<String>) -> Self {
        let (resource_type, resource_name) = (resource_type.into(), resource_name.into());
        ResourceInfo { resource_type, resource_name, ..ResourceInfo::default() }
    }
}

impl Help {
    /// Creates the details from links. Each link is a description and a URL, or a complete [`Link`].
    ///
    /// ```
    /// let help = tobu::rpc::Help::new([("how to renew", "https://library.example.com/renew")]);
    /// assert_eq!(help.links[0].description, "how to renew");
    /// ```
    pub fn new(links: impl IntoIterator<Item: Into<Link>>) -> Self {
        Help { links: links.into_iter().map(Into::into).collect(), ..Help::default() }
    }
}

/// Creates a link from a description and a URL.
impl<D: Into<String>, U: Into<String>> From<(D, U)> for Link {
    fn from((description, url): (D, U)) -> Self {
        Link { description: description.into(), url: url.into(), ..Self::default() }
    }
}

impl LocalizedMessage {
    /// Creates the details from a language such as `en-US`, and a text for users in this language.
    ///
    /// ```
    /// assert_eq!(tobu::rpc::LocalizedMessage::new("de-CH", "Das Buch fehlt.").locale, "de-CH");
    /// ```
    pub fn new(locale: impl Into<String>, message: impl Into<String>) -> Self {
        LocalizedMessage { locale: locale.into(), message: message.into(), ..LocalizedMessage::default() }
    }
}
