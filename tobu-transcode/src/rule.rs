//! HTTP rules, from annotations of methods or from service configurations.
//!
//! The types have the fields of `google/api/http.proto`. The annotation of a method is decoded from the bytes of the method's
//! options. Therefore the pool need not have `google/api/http.proto`.
//!
//! This file is in layer 1 (see DESIGN.md). It uses only the module `error` of this crate.

use serde::Deserialize as _;
use tobu::MethodDescriptor;

use crate::error::{Error, Result};

/// The number of the extension `google.api.http` of `google.protobuf.MethodOptions`.
pub const HTTP_EXTENSION: u32 = 72_295_728;

/// A rule. It says which HTTP requests call a method, and which part of a request sets which field.
///
/// Specification: <https://github.com/googleapis/googleapis/blob/master/google/api/http.proto>.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "tobu.transcode")]
pub struct HttpRule {
    /// The full name of the method. Only rules of a service configuration need it.
    #[tobu(1)]
    pub selector: String,
    /// The HTTP method and the path template.
    #[tobu(oneof)]
    pub pattern: Option<Pattern>,
    /// The name of the field that the body sets, or `*` if the body sets all fields that the path does not bind. Empty if the
    /// request has no body.
    #[tobu(7)]
    pub body: String,
    /// Further rules, for other requests that call the method.
    #[tobu(11)]
    pub additional_bindings: Vec<HttpRule>,
    /// The name of the field of the response message that is the body of the HTTP response. Empty if the body is the whole
    /// message.
    #[tobu(12)]
    pub response_body: String,
}

/// The HTTP method and the path template of a rule.
#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
pub enum Pattern {
    /// A `GET` of a template.
    #[tobu(2)]
    Get(String),
    /// A `PUT` of a template.
    #[tobu(3)]
    Put(String),
    /// A `POST` of a template.
    #[tobu(4)]
    Post(String),
    /// A `DELETE` of a template.
    #[tobu(5)]
    Delete(String),
    /// A `PATCH` of a template.
    #[tobu(6)]
    Patch(String),
    /// Another HTTP method, or any method.
    #[tobu(8)]
    Custom(CustomPattern),
}

/// The pattern of a rule for an HTTP method that has no variant in [`Pattern`].
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "tobu.transcode")]
pub struct CustomPattern {
    /// The HTTP method, such as `HEAD`, or `*` for any method.
    #[tobu(1)]
    pub kind: String,
    /// The path template.
    #[tobu(2)]
    pub path: String,
}

/// The rules of a service configuration: the value of `http` in a `google.api.Service`.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "tobu.transcode")]
pub struct ServiceConfig {
    /// The rules. If a method has several rules, only the last is used.
    #[tobu(1)]
    pub rules: Vec<HttpRule>,
    /// True if `%2F` is decoded, too, in the text that the `**` of a variable matches.
    #[tobu(2)]
    pub fully_decode_reserved_expansion: bool,
}

impl HttpRule {
    /// Creates a rule with an HTTP method and a template, without a body.
    ///
    /// ```
    /// use tobu_transcode::HttpRule;
    ///
    /// let rule = HttpRule::new("PATCH", "/v1/{book.name=books/*}").body("book");
    /// assert_eq!(rule.method_and_template(), Some(("PATCH", "/v1/{book.name=books/*}")));
    /// ```
    pub fn new(method: &str, template: &str) -> Self {
        let template = template.to_owned();
        let pattern = match method {
            "GET" => Pattern::Get(template),
            "PUT" => Pattern::Put(template),
            "POST" => Pattern::Post(template),
            "DELETE" => Pattern::Delete(template),
            "PATCH" => Pattern::Patch(template),
            kind => Pattern::Custom(CustomPattern { kind: kind.to_owned(), path: template }),
        };
        HttpRule { pattern: Some(pattern), ..HttpRule::default() }
    }

    /// Creates the rule for calling a method by its name: a `POST` of `/package.Service/Method` whose body is the message.
    pub(crate) fn by_name(method: &MethodDescriptor) -> Self {
        let path = format!("/{}/{}", method.service().full_name(), method.name());
        HttpRule::new("POST", &path).body("*")
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    /// Sets the response body.
    #[must_use]
    pub fn response_body(mut self, field: &str) -> Self {
        field.clone_into(&mut self.response_body);
        self
    }

    /// Adds a binding.
    #[must_use]
    pub fn additional(mut self, binding: HttpRule) -> Self {
        self.additional_bindings.push(binding);
        self
    }

    /// Returns the rule in the annotation of a method, or `None` if the method has no annotation.
    ///
    /// ```
    /// # let method = tobu_transcode_schemas::pool().method("library.v1.Library.GetBook").unwrap();
    /// let rule = tobu_transcode::HttpRule::of(&method)?.unwrap();
    /// assert_eq!(rule.method_and_template(), Some(("GET", "/v1/{name=shelves/*/books/*}")));
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes of the annotation are malformed.
    pub fn of(method: &MethodDescriptor) -> Result<Option<Self>> {
        let options = method.options();
        let mut pieces = options.len_prefixed(HTTP_EXTENSION);
        let Some(first) = pieces.next() else { return Ok(None) };
        // If the option occurs several times, its payloads are concatenated, which merges the messages.
        let whole = pieces.fold(first.to_vec(), |mut whole, piece| {
            whole.extend_from_slice(piece);
            whole
        });
        let rule = tobu::from_slice(&whole).map_err(|error| {
            let place = format!("{}: {}", method.service().file().name(), method.full_name());
            Error::rule(format!("the option google.api.http is malformed: {error}"))
                .within(place)
                .caused_by(error)
        })?;
        Ok(Some(rule))
    }

    /// Returns the HTTP method and the template, or `None` if the rule has no pattern. The method is `*` for any method.
    pub fn method_and_template(&self) -> Option<(&str, &str)> {
        Some(match self.pattern.as_ref()? {
            Pattern::Get(template) => ("GET", template),
            Pattern::Put(template) => ("PUT", template),
            Pattern::Post(template) => ("POST", template),
            Pattern::Delete(template) => ("DELETE", template),
            Pattern::Patch(template) => ("PATCH", template),
            Pattern::Custom(custom) => (&custom.kind, &custom.path),
        })
    }
}

impl ServiceConfig {
    /// Reads the HTTP rules of a service configuration in YAML. Other sections are ignored.
    ///
    /// ```
    /// let config = tobu_transcode::ServiceConfig::from_yaml(
    ///     "
    /// type: google.api.Service
    /// name: library.example.com
    /// http:
    ///   rules:
    ///   - selector: library.v1.Library.GetBook
    ///     get: /v2/{name=books/*}
    /// ",
    /// )?;
    /// assert_eq!(config.rules[0].selector, "library.v1.Library.GetBook");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not YAML, or the value of `http` is not a `google.api.Http`.
    pub fn from_yaml(text: &str) -> Result<Self> {
        let wrong = |error: serde_yaml_ng::Error| Error::rule(format!("service configuration: {error}"));
        let value: serde_yaml_ng::Value = serde_yaml_ng::from_str(text).map_err(wrong)?;
        match value.get("http") {
            Some(http) => Self::deserialize(http).map_err(wrong),
            None => Ok(Self::default()),
        }
    }

    /// Reads the HTTP rules of a service configuration in JSON. Other sections are ignored.
    ///
    /// # Errors
    /// The text is not JSON, or the value of `http` is not a `google.api.Http`.
    pub fn from_json(text: &str) -> Result<Self> {
        let wrong = |error: serde_json::Error| Error::rule(format!("service configuration: {error}"));
        let value: serde_json::Value = serde_json::from_str(text).map_err(wrong)?;
        match value.get("http") {
            Some(http) => Self::deserialize(http).map_err(wrong),
            None => Ok(Self::default()),
        }
    }

    /// Returns the last rule whose selector is `method`, the full name of a method.
    pub fn rule(&self, method: &str) -> Option<&HttpRule> {
        self.rules.iter().rev().find(|rule| rule.selector == method)
    }
}
