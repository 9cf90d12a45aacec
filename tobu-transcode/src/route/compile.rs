//! Compiles a rule for its method.

use http::Method;
use tobu::{FieldDescriptor, MessageDescriptor, MethodDescriptor};

use super::{FieldPath, HttpMethod, RequestBody, ResponseBody, Route};
use crate::error::{BadRule, Error, Result};
use crate::rule::HttpRule;
use crate::template::Template;
use crate::value::has_text_form;

/// The message type whose field `data` is the HTTP body, unchanged.
const HTTP_BODY: &str = "google.api.HttpBody";

/// The name of the field of a request that lists the fields to update.
const UPDATE_MASK: &str = "update_mask";

impl Route {
    /// Compiles a rule without its `additional_bindings`, each of which is compiled as a rule of its own.
    ///
    /// # Errors
    /// The rule is not valid or does not fit the method.
    pub(crate) fn compile(
        method: &MethodDescriptor,
        rule: &HttpRule,
        fully_decode: bool,
    ) -> Result<Self, BadRule> {
        let place = Route::place(method);
        let Some((kind, text)) = rule.method_and_template() else {
            return Err(bad_rule(method, rule, format!("{place}: the rule has no pattern")));
        };
        compile(method, rule, kind, text, fully_decode).map_err(|error| {
            // The error of a template that does not parse already names the template.
            let text = match error.to_string().starts_with("template ") {
                true => format!("{place}: {error}"),
                false => format!("{place}: {kind} {text:?}: {error}"),
            };
            bad_rule(method, rule, text)
        })
    }

    /// Returns the names of the file and the method, for error texts.
    pub(crate) fn place(method: &MethodDescriptor) -> String {
        format!("{}: {}", method.service().file().name(), method.full_name())
    }
}

/// Creates the description of a rule that is not valid for a method. `text` is the whole text of the error.
pub(crate) fn bad_rule(method: &MethodDescriptor, rule: &HttpRule, text: String) -> BadRule {
    let file = method.service().file();
    BadRule::new(file.name(), method.full_name(), rule.method_and_template(), text)
}

fn compile(
    method: &MethodDescriptor,
    rule: &HttpRule,
    kind: &str,
    text: &str,
    fully_decode: bool,
) -> Result<Route> {
    let template = Template::parse(text)?;
    let (input, output) = (method.input(), method.output());
    let http_method = match kind {
        "*" => HttpMethod::Any,
        kind => match Method::from_bytes(kind.as_bytes()) {
            Ok(method) => HttpMethod::One(method),
            Err(_) => return Err(Error::rule(format!("{kind:?} is not an HTTP method"))),
        },
    };
    let paths = template.variables.iter().map(|variable| variable_path(&input, variable.field_path()));
    let variables: Vec<FieldPath> = paths.collect::<Result<_>>()?;
    let body = body(&input, &rule.body, &variables)?;
    let update_mask = update_mask(&input, &http_method, &body, &variables);
    let partial_body = match &body {
        RequestBody::All => !variables.is_empty(),
        RequestBody::Field(field) => variables.iter().any(|path| path.fields().next() == Some(field)),
        _ => false,
    };
    Ok(Route {
        grpc_path: format!("/{}/{}", method.service().full_name(), method.name()).into(),
        method: method.clone(),
        response_body: response_body(&output, &rule.response_body)?,
        input,
        output,
        http_method,
        template,
        variables,
        body,
        update_mask,
        fully_decode,
        partial_body,
    })
}

/// Returns the path to the field that a variable binds. The field must have a singular value that JSON writes as one scalar
/// value. All fields before it in the path must be singular messages.
fn variable_path(input: &MessageDescriptor, path: &str) -> Result<FieldPath> {
    let wrong = |what: String| Error::rule(format!("the variable {path}: {what}"));
    let mut above = Vec::new();
    let mut message = input.clone();
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        let Some(field) = message.field_by_name(name) else {
            return Err(wrong(format!("{} has no field {name:?}", message.full_name())));
        };
        if field.is_map() || field.is_list() {
            let what = if field.is_map() { "a map" } else { "repeated" };
            return Err(wrong(format!("the field {} is {what}", field.full_name())));
        }
        match (field.message_type(), names.peek().is_some()) {
            (Some(inner), true) => message = inner,
            (None, false) => return Ok(FieldPath { above, leaf: field }),
            (Some(inner), false) if has_text_form(&inner) => return Ok(FieldPath { above, leaf: field }),
            (Some(_), false) => return Err(wrong(format!("the field {} is a message", field.full_name()))),
            (None, true) => return Err(wrong(format!("the field {} is not a message", field.full_name()))),
        }
        above.push(field);
    }
    Err(wrong("it names no field".into()))
}

fn body(input: &MessageDescriptor, name: &str, variables: &[FieldPath]) -> Result<RequestBody> {
    match name {
        "" => Ok(RequestBody::None),
        "*" if input.full_name() == HTTP_BODY => Ok(RequestBody::Raw),
        "*" => Ok(RequestBody::All),
        name => {
            let field = top_field(input, name, "body")?;
            if let Some(path) = variables.iter().find(|path| path.above.is_empty() && path.leaf == field) {
                let name = path.leaf.name();
                return Err(Error::rule(format!("the field {name} is bound by the path and by the body")));
            }
            Ok(if is_http_body(&field) { RequestBody::RawField(field) } else { RequestBody::Field(field) })
        }
    }
}

fn response_body(output: &MessageDescriptor, name: &str) -> Result<ResponseBody> {
    match name {
        "" if output.full_name() == HTTP_BODY => Ok(ResponseBody::Raw),
        "" | "*" => Ok(ResponseBody::All),
        name => {
            let field = top_field(output, name, "response body")?;
            Ok(if is_http_body(&field) { ResponseBody::RawField(field) } else { ResponseBody::Field(field) })
        }
    }
}

fn top_field(message: &MessageDescriptor, name: &str, what: &str) -> Result<FieldDescriptor> {
    message
        .field_by_name(name)
        .ok_or_else(|| Error::rule(format!("the {what}: {} has no field {name:?}", message.full_name())))
}

fn is_http_body(field: &FieldDescriptor) -> bool {
    !field.is_list() && field.message_type().is_some_and(|message| message.full_name() == HTTP_BODY)
}

/// Returns the field `update_mask` for a PATCH rule whose body is another singular message field. Returns `None` for other
/// rules, if the request has no such `FieldMask`, or if the path binds a part of it.
fn update_mask(
    input: &MessageDescriptor,
    http_method: &HttpMethod,
    body: &RequestBody,
    variables: &[FieldPath],
) -> Option<FieldDescriptor> {
    let RequestBody::Field(resource) = body else { return None };
    if http_method.as_method() != Some(&Method::PATCH) || resource.is_list() || resource.is_map() {
        return None;
    }
    resource.message_type()?;
    let mask = input.field_by_name(UPDATE_MASK).filter(|field| !field.is_list())?;
    let is_mask = mask.message_type()?.full_name() == "google.protobuf.FieldMask";
    let is_bound = variables.iter().any(|path| path.fields().next() == Some(&mask));
    (is_mask && !is_bound && *resource != mask).then_some(mask)
}
