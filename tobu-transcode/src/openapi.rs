//! Describes rules as an OpenAPI 3.1 document.
//!
//! The document describes requests and responses. Every binding of a rule is an operation. Names and types are those of the
//! JSON, and the comments of the schema are the descriptions.
//!
//! This file is in layer 3 (see DESIGN.md). With the files in its folder, it uses only the modules `router`, `route`,
//! `options`, `template`, `value` and `percent` of this crate. Specification: <https://spec.openapis.org/oas/v3.1.0>.

mod operation;
mod schema;

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use tobu::MessageDescriptor;

use self::operation::Operation;
use self::schema::Schemas;
use crate::router::Router;

/// A builder of the OpenAPI document of a router.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// # let service = pool.service("library.v1.Library").unwrap();
/// use tobu_transcode::{Router, openapi::Document};
///
/// let router = Router::builder().service(&service).build()?;
/// let text = Document::new("Library", "v1").server("https://library.example.com").describe(&router);
/// let description: serde_json::Value = serde_json::from_str(&text).unwrap();
/// let get = &description["paths"]["/v1/shelves/{shelvesId}/books/{booksId}"]["get"];
/// assert_eq!(get["operationId"], "Library_GetBook");
/// assert_eq!(get["parameters"][2]["name"], "view");
/// # Ok::<(), tobu_transcode::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    title: String,
    version: String,
    servers: Vec<String>,
}

impl Document {
    /// Creates a document with a title and a version of the API.
    pub fn new(title: impl Into<String>, version: impl Into<String>) -> Self {
        Document { title: title.into(), version: version.into(), servers: Vec::new() }
    }

    /// Creates a document whose title is the names of the services of a router. The version is taken from the package of the
    /// first service, or is `v0` if the package has no version.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// use tobu_transcode::{Router, openapi::Document};
    ///
    /// let router = Router::builder().service(&service).build()?;
    /// let text = Document::of(&router).describe(&router);
    /// assert!(text.contains(r#""title":"library.v1.Library","version":"v1""#));
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    pub fn of(router: &Router) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut version = None;
        for route in router.routes() {
            let service = route.method().service();
            if !names.iter().any(|name| name == service.full_name()) {
                names.push(service.full_name().to_owned());
            }
            version.get_or_insert_with(|| version_of(service.file().package()).to_owned());
        }
        Document::new(names.join(", "), version.unwrap_or_else(|| NO_VERSION.to_owned()))
    }

    /// Adds the URL of a server.
    #[must_use]
    pub fn server(mut self, url: impl Into<String>) -> Self {
        self.servers.push(url.into());
        self
    }

    /// Returns the OpenAPI document of the routes of a router, as JSON.
    ///
    /// Each wildcard in a path is a parameter of its own, because parameters of OpenAPI have no slashes. So
    /// `{name=shelves/*}` is `shelves/{shelvesId}`. A `**` is one parameter, whose name ends in `Path`. An HTTP method that
    /// OpenAPI does not have gets the prefix `x-`, and `x-any` means any method.
    ///
    /// In OpenAPI, paths that differ only in the names of their parameters are one path. The document uses the parameter
    /// names of the first such path. Two operations may then have the same path and the same HTTP method, because one rule
    /// has `*` and another has `**`. The second operation gets the prefix `x-` before its method, and further operations
    /// also get a number.
    pub fn describe(&self, router: &Router) -> String {
        let mut schemas = Schemas::new("#/components/schemas/");
        let mut paths = Paths::default();
        let mut tags = Map::new();
        let mut counts = HashMap::new();
        for route in router.routes() {
            let service = route.method().service();
            let comment = schema::comment(service.comments().leading());
            tags.entry(service.full_name()).or_insert_with(|| match comment {
                Some(comment) => json!({"name": service.full_name(), "description": comment}),
                None => json!({"name": service.full_name()}),
            });
            let count = counts.entry(route.method().full_name().to_owned()).or_insert(0);
            *count += 1;
            paths.add(operation::of(route, router.options(), *count, &mut schemas));
        }
        let mut document = json!({
            "openapi": "3.1.0",
            "info": {"title": self.title, "version": self.version},
            "tags": tags.into_iter().map(|(_, tag)| tag).collect::<Vec<_>>(),
            "paths": paths.items,
            "components": {"schemas": schemas.finish()},
        });
        if !self.servers.is_empty() {
            document["servers"] = self.servers.iter().map(|url| json!({"url": url})).collect::<Value>();
        }
        document.to_string()
    }
}

/// Returns a JSON Schema of a message, and of all messages and enums that it refers to.
///
/// The schema describes the output of [ProtoJSON](https://protobuf.dev/programming-guides/json/): names in lower camel case,
/// 64-bit integers as strings, enums by their names. The comments in the `.proto` file are the descriptions. A parser of
/// ProtoJSON accepts more than this, for instance the field names of the `.proto` file.
///
/// Specification: <https://json-schema.org/draft/2020-12>.
///
/// ```
/// # let pool = tobu_transcode_schemas::pool();
/// # let book = pool.message("library.v1.Book").unwrap();
/// let schema = tobu_transcode::openapi::json_schema(&book);
/// let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
/// assert_eq!(schema["$ref"], "#/$defs/library.v1.Book");
/// assert_eq!(schema["$defs"]["library.v1.Book"]["properties"]["title"]["type"], "string");
/// ```
pub fn json_schema(message: &MessageDescriptor) -> String {
    let mut schemas = Schemas::new("#/$defs/");
    let mut document = schemas.message(message);
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    document["$defs"] = schemas.finish();
    document.to_string()
}

/// The operations of a document, by their paths.
#[derive(Default)]
struct Paths {
    items: Map<String, Value>,
    /// By the shape of a path (the path without the names of its parameters): the first path of this shape, and its parameter
    /// names.
    shapes: HashMap<String, (String, Vec<String>)>,
}

impl Paths {
    fn add(&mut self, Operation { path, names, kind, mut described }: Operation) {
        let shape = without_names(&path, &names);
        let (path, first) = self.shapes.entry(shape).or_insert((path, names));
        // The first parameters of an operation are the parameters in its path, in the same order.
        let parameters = described["parameters"].as_array_mut().into_iter().flatten();
        for (parameter, name) in parameters.zip(first) {
            parameter["name"] = name.as_str().into();
        }
        let item = self.items.entry(path.as_str()).or_insert_with(|| json!({}));
        let more = (1..).map(|count| match count {
            1 => format!("x-{kind}"),
            count => format!("x-{kind}-{count}"),
        });
        let mut kinds = [kind.clone()].into_iter().chain(more);
        let Some(free) = kinds.find(|kind| item.get(kind).is_none()) else { return };
        item[free] = described;
    }
}

/// Returns a path without the names of its parameters: `/v1/{}/books` for `/v1/{shelf}/books`.
fn without_names(path: &str, names: &[String]) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut rest = path;
    for name in names {
        let (before, after) = rest.split_once(&format!("{{{name}}}")).unwrap_or((rest, ""));
        shape.push_str(before);
        shape.push_str("{}");
        rest = after;
    }
    shape + rest
}

/// The version of a document if the package has no version.
const NO_VERSION: &str = "v0";

/// Returns the version at the end of the name of a package, such as `v1` for `library.v1`, or [`NO_VERSION`].
fn version_of(package: &str) -> &str {
    let last = package.rsplit('.').next().unwrap_or_default();
    let is_version =
        last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_version { last } else { NO_VERSION }
}
