//! Describes a binding as an operation of OpenAPI: its path, parameters, body and responses.

use serde_json::{Value, json};
use tobu::{FieldDescriptor, MessageDescriptor};

use super::schema::{self, Schemas};
use crate::options::TranscodeOptions;
use crate::route::{HttpMethod, RequestBody, ResponseBody, Route};
use crate::template::Segment;
use crate::value::has_text_form;

/// The operation of OpenAPI that describes a binding.
pub(super) struct Operation {
    pub(super) path: String,
    /// The names of the parameters in the path. They are the first parameters of the operation.
    pub(super) names: Vec<String>,
    /// The HTTP method as OpenAPI writes it, such as `get` or `x-any`.
    pub(super) kind: String,
    pub(super) described: Value,
}

/// Returns the operation that describes a binding. The binding is the `count`-th of its method.
pub(super) fn of(
    route: &Route,
    options: &TranscodeOptions,
    count: usize,
    schemas: &mut Schemas,
) -> Operation {
    let method = route.method();
    let (path, names, mut parameters) = path(route, schemas);
    if matches!(route.body(), RequestBody::None | RequestBody::Field(_) | RequestBody::RawField(_)) {
        let mut query = Query { route, schemas, parameters: &mut parameters };
        query.fields(&method.input(), &mut Vec::new(), "");
    }
    if let Some(name) = route.fields_parameter(options) {
        parameters.push(json!({
            "name": name,
            "in": "query",
            "schema": {"type": "string"},
            "description": "The wanted fields of the response, separated by commas: `name,author.name`. Without it, the response has all fields.",
        }));
    }
    let service = method.service();
    let id = format!("{}_{}", service.name(), method.name());
    let mut operation = json!({
        "operationId": if count == 1 { id } else { format!("{id}_{count}") },
        "tags": [service.full_name()],
        "parameters": parameters,
        "responses": {
            "200": {"description": "The call went well.", "content": response(route, schemas)},
            "default": {
                "description": "The call failed.",
                "content": {"application/json": {"schema": schemas.status()}},
            },
        },
    });
    if let Some(comment) = schema::comment(method.comments().leading()) {
        operation["description"] = comment.into();
    }
    if method.options().is_deprecated() {
        operation["deprecated"] = true.into();
    }
    if let Some(content) = request(route, schemas) {
        operation["requestBody"] = json!({"content": content});
    }
    Operation { path, names, kind: kind(route.http_method()), described: operation }
}

fn kind(method: &HttpMethod) -> String {
    match method {
        HttpMethod::Any => "x-any".into(),
        HttpMethod::One(method) => {
            let name = method.as_str().to_ascii_lowercase();
            match &*name {
                "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace" => name,
                _ => format!("x-{name}"),
            }
        }
    }
}

/// Returns the path with a parameter for each wildcard, the names of these parameters, and their descriptions.
fn path(route: &Route, schemas: &mut Schemas) -> (String, Vec<String>, Vec<Value>) {
    let template = route.template();
    let mut path = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut parameters = Vec::new();
    for (at, segment) in template.segments().iter().enumerate() {
        path.push('/');
        let bound = route.bindings().find(|(variable, _)| variable.segments().contains(&at));
        let base = match (segment, bound) {
            (Segment::Literal(text), _) => {
                crate::percent::encode(text, false, &mut path);
                continue;
            }
            (_, Some((variable, _))) if !variable.is_multi_segment() => variable.field_path().to_owned(),
            (Segment::Rest, Some((variable, _))) => format!("{}Path", variable.field_path()),
            (Segment::Rest, None) => "restPath".into(),
            (Segment::Any, _) => match at.checked_sub(1).map(|before| &template.segments()[before]) {
                Some(Segment::Literal(text)) => format!("{text}Id"),
                _ => "segment".into(),
            },
        };
        let taken =
            names.iter().filter(|name| name.trim_end_matches(|last: char| last.is_ascii_digit()) == base);
        let name = match taken.count() {
            0 => base,
            count => format!("{base}{}", count + 1),
        };
        path.push_str(&format!("{{{name}}}"));
        let (kind, comment) = match bound {
            Some((variable, field)) if !variable.is_multi_segment() => {
                (schemas.value(&field.leaf), schema::comment(field.leaf.comments().leading()))
            }
            Some((variable, _)) => {
                (json!({"type": "string"}), Some(format!("A part of `{}`.", variable.field_path())))
            }
            None => (json!({"type": "string"}), None),
        };
        let mut parameter = json!({"name": name, "in": "path", "required": true, "schema": kind});
        if let Some(comment) = comment {
            parameter["description"] = comment.into();
        }
        parameters.push(parameter);
        names.push(name);
    }
    if let Some(verb) = template.verb() {
        path.push(':');
        path.push_str(verb);
    }
    (path, names, parameters)
}

/// Describes the fields that the query can set.
struct Query<'a> {
    route: &'a Route,
    schemas: &'a mut Schemas,
    parameters: &'a mut Vec<Value>,
}

impl Query<'_> {
    fn fields(&mut self, message: &MessageDescriptor, above: &mut Vec<FieldDescriptor>, prefix: &str) {
        for field in message.fields() {
            let is_body = match self.route.body() {
                RequestBody::Field(body) | RequestBody::RawField(body) => above.is_empty() && *body == field,
                _ => false,
            };
            above.push(field.clone());
            let is_path = self.route.bindings().any(|(_, path)| path.fields().eq(above.iter()));
            if !is_body && !is_path {
                self.field(&field, above, format!("{prefix}{}", field.json_name()));
            }
            above.pop();
        }
    }

    fn field(&mut self, field: &FieldDescriptor, above: &mut Vec<FieldDescriptor>, name: String) {
        let value = if field.is_map() { field.map_value() } else { Some(field.clone()) };
        let nested = value.and_then(|value| value.message_type()).filter(|message| !has_text_form(message));
        match nested {
            None => {}
            // A query cannot set lists and maps of messages, nor messages with a special JSON form that is not a scalar.
            Some(message) if field.is_list() || field.is_map() || schema::has_own_form(&message) => return,
            // The fields of a recursive message would never end.
            Some(message)
                if above[..above.len() - 1]
                    .iter()
                    .any(|outer| outer.message_type().as_ref() == Some(&message)) =>
            {
                return;
            }
            Some(message) => return self.fields(&message, above, &format!("{name}.")),
        }
        let mut parameter = json!({"name": name, "in": "query", "schema": self.schemas.field(field)});
        if field.is_map() {
            parameter["style"] = "deepObject".into();
            parameter["explode"] = true.into();
        }
        if let Some(comment) = schema::comment(field.comments().leading()) {
            parameter["description"] = comment.into();
        }
        if above.len() == 1 && schema::is_required(field) {
            parameter["required"] = true.into();
        }
        if field.is_deprecated() {
            parameter["deprecated"] = true.into();
        }
        self.parameters.push(parameter);
    }
}

/// Returns the description of the body of a request, or `None` if the rule has no body.
fn request(route: &Route, schemas: &mut Schemas) -> Option<Value> {
    let body = match route.body() {
        RequestBody::None => return None,
        // Raw bytes may have any content type, so they have no schema.
        RequestBody::Raw | RequestBody::RawField(_) => return Some(json!({"*/*": {}})),
        RequestBody::Field(field) => schemas.field(field),
        RequestBody::All => {
            let paths = route.bindings().map(|(_, path)| path).filter(|path| path.above.is_empty());
            let bound: Vec<FieldDescriptor> = paths.map(|path| path.leaf.clone()).collect();
            schemas.without(&route.method().input(), &bound)
        }
    };
    Some(match route.method().is_client_streaming() {
        true => json!({"application/x-ndjson": {"schema": body}}),
        false => json!({"application/json": {"schema": body}}),
    })
}

fn response(route: &Route, schemas: &mut Schemas) -> Value {
    let body = match route.response_body() {
        ResponseBody::Raw | ResponseBody::RawField(_) => return json!({"*/*": {}}),
        ResponseBody::All => schemas.message(&route.method().output()),
        ResponseBody::Field(field) => schemas.field(field),
    };
    match route.method().is_server_streaming() {
        true => json!({
            "application/x-ndjson": {"schema": body},
            "text/event-stream": {"schema": body},
            "application/json": {"schema": {"type": "array", "items": body}},
        }),
        false => json!({"application/json": {"schema": body}}),
    }
}
