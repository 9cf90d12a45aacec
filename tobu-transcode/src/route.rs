//! A route: a rule that was compiled for its gRPC method. The route says which part of a request sets which field.
//!
//! This file is in layer 2 (see DESIGN.md). With the file in its folder, it uses only the modules `template`, `rule`, `value`
//! and `error` of this crate.

mod compile;

use std::fmt;

use http::Method;
use tobu::{FieldDescriptor, MessageDescriptor, MethodDescriptor};

pub(crate) use self::compile::bad_rule;
use crate::template::{Template, Variable};

/// One way to call a method over HTTP.
#[derive(Clone, Debug)]
pub struct Route {
    pub(crate) method: MethodDescriptor,
    pub(crate) input: MessageDescriptor,
    pub(crate) output: MessageDescriptor,
    pub(crate) http_method: HttpMethod,
    pub(crate) template: Template,
    /// For each variable of the template, the field that the variable binds.
    pub(crate) variables: Vec<FieldPath>,
    pub(crate) body: RequestBody,
    pub(crate) response_body: ResponseBody,
    /// The field for the update mask. If a request does not set this field, the mask lists the members of the body.
    pub(crate) update_mask: Option<FieldDescriptor>,
    pub(crate) fully_decode: bool,
    /// True if required fields may be missing in the body, because the path or the query may set them.
    pub(crate) partial_body: bool,
    pub(crate) grpc_path: Box<str>,
}

/// The HTTP method of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HttpMethod {
    /// Any method: `*`.
    Any,
    /// One method.
    One(Method),
}

/// Says which fields the body of a request sets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestBody {
    /// The rule has no body. The query sets the fields that the path does not bind.
    None,
    /// The body sets all fields that the path does not bind: `*`.
    All,
    /// The body is this field.
    Field(FieldDescriptor),
    /// The message is a `google.api.HttpBody`, whose field `data` is the body, unchanged.
    Raw,
    /// The field is a `google.api.HttpBody`, whose own field `data` is the body, unchanged.
    RawField(FieldDescriptor),
}

/// Says which part of the response message is the body of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseBody {
    /// The body is the whole message.
    All,
    /// The body is this field.
    Field(FieldDescriptor),
    /// The message is a `google.api.HttpBody`, whose field `data` is the body, unchanged.
    Raw,
    /// The field is a `google.api.HttpBody`, whose own field `data` is the body, unchanged.
    RawField(FieldDescriptor),
}

/// The path to a field inside a message. `above` has the fields on the way to it, which are singular messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldPath {
    pub(crate) above: Vec<FieldDescriptor>,
    pub(crate) leaf: FieldDescriptor,
}

impl FieldPath {
    pub(crate) fn fields(&self) -> impl DoubleEndedIterator<Item = &FieldDescriptor> {
        self.above.iter().chain([&self.leaf])
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.fields().map(FieldDescriptor::number)
    }
}

impl HttpMethod {
    /// Returns the method, or `None` for any method.
    pub fn as_method(&self) -> Option<&Method> {
        if let HttpMethod::One(method) = self { Some(method) } else { None }
    }
}

impl fmt::Display for HttpMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_method().map_or("*", Method::as_str))
    }
}

impl Route {
    /// Returns the method that is called.
    pub fn method(&self) -> &MethodDescriptor {
        &self.method
    }

    /// Returns the HTTP method.
    pub fn http_method(&self) -> &HttpMethod {
        &self.http_method
    }

    /// Returns the path template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Returns which fields the body of a request sets.
    pub fn body(&self) -> &RequestBody {
        &self.body
    }

    /// Returns which part of the response message is the body of the response.
    pub fn response_body(&self) -> &ResponseBody {
        &self.response_body
    }

    /// Returns the path of the method in gRPC: `/library.v1.Library/GetBook`.
    pub fn grpc_path(&self) -> &str {
        &self.grpc_path
    }

    /// Returns the variables of the template with the fields that they bind.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = (&Variable, &FieldPath)> {
        self.template.variables.iter().zip(&self.variables)
    }

    /// True if both routes have the same HTTP method and the same template, except for the names and positions of
    /// variables.
    pub(crate) fn same_shape(&self, other: &Route) -> bool {
        self.http_method == other.http_method
            && self.template.segments == other.template.segments
            && self.template.verb == other.template.verb
    }
}

/// Writes the route for error texts: `library.proto: library.v1.Library.GetBook: GET "/v1/{name=books/*}"`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {:?}", Route::place(&self.method), self.http_method, self.template.as_str())
    }
}
