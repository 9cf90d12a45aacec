//! Rules as an OpenAPI description.

use super::call;
use serde_json::{Value, json};
use tobu_transcode::openapi::{Document, json_schema};
use tobu_transcode::{HttpRule, Router, TranscodeOptions};

fn describe(router: &Router) -> Value {
    let text = Document::new("Test", "v1").server("https://example.com").describe(router);
    serde_json::from_str(&text).unwrap()
}

/// Every reference leads somewhere.
fn check_references(document: &Value, value: &Value) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let name = reference.strip_prefix("#/components/schemas/").unwrap();
                assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
            }
            members.values().for_each(|value| check_references(document, value));
        }
        Value::Array(elements) => elements.iter().for_each(|value| check_references(document, value)),
        _ => {}
    }
}

/// `UPDATE_GOLDEN=1` writes the file anew.
#[test]
fn of_the_library() {
    let service = tobu_transcode_schemas::pool().service("library.v1.Library").unwrap();
    let router = Router::builder().service(&service).build().unwrap();
    let document = describe(&router);
    check_references(&document, &document);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/library.openapi.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, serde_json::to_string_pretty(&document).unwrap() + "\n").unwrap();
    }
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(document, golden, "UPDATE_GOLDEN=1 writes {path} anew");
}

/// Parts of responses can be asked for where that is on, and there are fields.
#[test]
fn of_parts() {
    let names = |options: TranscodeOptions, path: &str, method: &str| {
        let service = tobu_transcode_schemas::pool().service("library.v1.Library").unwrap();
        let document = describe(&Router::builder().options(options).service(&service).build().unwrap());
        let parameters = document["paths"][path][method]["parameters"].as_array().unwrap().clone();
        let names = parameters.iter().filter(|parameter| parameter["in"] == "query");
        names.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let list = ["pageSize", "pageToken"].map(str::to_owned);
    let shelf = "/v1/shelves/{shelvesId}";
    let rows: [(String, &str, &[String], bool); 5] = [
        (format!("{shelf}/books"), "get", &list, true),
        (format!("{shelf}/titles"), "get", &list, true),
        (format!("{shelf}/books:watch"), "get", &list, true),
        // Nothing comes back, or bytes.
        (format!("{shelf}/books/{{booksId}}"), "delete", &["view".to_owned()], false),
        (format!("{shelf}/books/{{booksId}}/cover"), "get", &["view".to_owned()], false),
    ];
    for (path, method, others, has_fields) in rows {
        assert_eq!(names(TranscodeOptions::new(), &path, method), others, "{path}");
        let mut wanted = others.to_vec();
        wanted.extend(has_fields.then(|| "fields".to_owned()));
        assert_eq!(names(TranscodeOptions::new().fields(true), &path, method), wanted, "{path}");
    }
}

#[test]
fn of_every_shape() {
    let mut router = Router::default();
    let rules = [
        HttpRule::new("GET", "/a/{x=b/*/c/*}/{y=**}:go"),
        HttpRule::new("*", "/any/*/{sub.count}").body("*"),
        HttpRule::new("LOCK", "/a/*/*/{id}"),
    ];
    for rule in &rules {
        router.add_rule(&call(), rule).unwrap();
    }
    let document = describe(&router);
    check_references(&document, &document);
    let get = &document["paths"]["/a/b/{bId}/c/{cId}/{yPath}:go"]["get"];
    let string = json!({"type": "string"});
    assert_eq!(
        get["parameters"].as_array().unwrap()[..3],
        [
            json!({"name": "bId", "in": "path", "required": true, "schema": string, "description": "A part of `x`."}),
            json!({"name": "cId", "in": "path", "required": true, "schema": string, "description": "A part of `x`."}),
            json!({"name": "yPath", "in": "path", "required": true, "schema": string, "description": "A part of `y`."}),
        ]
    );
    let query = |name: &str| {
        let parameters = get["parameters"].as_array().unwrap().iter();
        parameters
            .filter(|parameter| parameter["name"] == name)
            .map(|parameter| parameter["schema"].clone())
            .next()
    };
    #[rustfmt::skip]
    let rows = [
        ("id", Some(json!({"type": "string"}))),
        ("intField", Some(json!({"type": "integer", "format": "int32"}))),
        ("sub.subfield", Some(json!({"type": "string"}))),
        ("sub.count", Some(json!({"type": "string", "format": "int64"}))),
        ("p", Some(json!({"type": "array", "items": {"type": "string"}}))),
        ("color", Some(json!({"$ref": "#/components/schemas/shapes.Color"}))),
        ("time", Some(json!({"type": "string", "format": "date-time"}))),
        ("duration", Some(json!({"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"}))),
        ("mask", Some(json!({"type": "string", "format": "field-mask"}))),
        ("int64Value", Some(json!({"type": ["string", "null"]}))),
        ("boolValue", Some(json!({"type": ["boolean", "null"]}))),
        ("data", Some(json!({"type": "string", "contentEncoding": "base64"}))),
        ("m", Some(json!({"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}}))),
        ("times", Some(json!({"type": "array", "items": {"type": "string", "format": "date-time"}}))),
        ("big", Some(json!({"type": "string", "format": "uint64"}))),
        // What the path binds, what has no form in a query, and what goes on for ever.
        ("x", None), ("list", None), ("subs", None), ("any", None), ("struct", None), ("sub.inner.count", None),
    ];
    for (name, wanted) in rows {
        assert_eq!(query(name), wanted, "{name}");
    }
    let any = &document["paths"]["/any/{anyId}/{sub.count}"]["x-any"];
    assert_eq!(any["operationId"], "Shapes_Call_2");
    let body = &any["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body, &json!({"$ref": "#/components/schemas/shapes.Shape"}));
    assert_eq!(document["paths"]["/a/{aId}/{segment}/{id}"]["x-lock"]["operationId"], "Shapes_Call_3");
}

/// Parameters have names for people: to OpenAPI, paths that differ in nothing else are one.
#[test]
fn names_of_parameters_make_no_path() {
    let mut router = Router::default();
    let rules = [
        HttpRule::new("GET", "/s/{id}/b/{x}"),
        HttpRule::new("DELETE", "/s/{sub.subfield}/b/{id}"),
        HttpRule::new("PUT", "/s/{y}/b/{sub.count}").body("*"),
        HttpRule::new("POST", "/s/{y}/b/{sub.count}:go"),
        // Another path, and the same without its verb.
        HttpRule::new("POST", "/s/{x}/c/{id}"),
        // Our rules tell these from each other, and OpenAPI does not.
        HttpRule::new("GET", "/s/{id}/b/{x=**}"),
        HttpRule::new("GET", "/{y=*}/*/b/**"),
        HttpRule::new("GET", "/{y=**}/*/b/*"),
        HttpRule::new("LOCK", "/s/{x=*}/b/{y=**}"),
    ];
    for rule in &rules {
        router.add_rule(&call(), rule).unwrap();
    }
    let document = describe(&router);
    check_references(&document, &document);
    let mut told = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (kind, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().unwrap().iter();
            let parameters = parameters.filter(|parameter| parameter["in"] == "path");
            let names = parameters.map(|parameter| parameter["name"].as_str().unwrap()).collect::<Vec<_>>();
            told.push(format!(
                "{path} {kind} {} {}",
                operation["operationId"].as_str().unwrap(),
                names.join(" ")
            ));
        }
    }
    told.sort();
    #[rustfmt::skip]
    let wanted = [
        "/s/{id}/b/{x} delete Shapes_Call_2 id x",
        "/s/{id}/b/{x} get Shapes_Call id x",
        "/s/{id}/b/{x} put Shapes_Call_3 id x",
        "/s/{id}/b/{x} x-get Shapes_Call_6 id x",
        "/s/{id}/b/{x} x-lock Shapes_Call_9 id x",
        "/s/{x}/c/{id} post Shapes_Call_5 x id",
        "/s/{y}/b/{sub.count}:go post Shapes_Call_4 y sub.count",
        "/{y}/{segment}/b/{restPath} get Shapes_Call_7 y segment restPath",
        "/{y}/{segment}/b/{restPath} x-get Shapes_Call_8 y segment restPath",
    ];
    assert_eq!(told, wanted);
    // A parameter keeps the type that its own operation has.
    let put = &document["paths"]["/s/{id}/b/{x}"]["put"]["parameters"];
    assert_eq!(
        (&put[1]["name"], &put[1]["schema"]),
        (&json!("x"), &json!({"type": "string", "format": "int64"}))
    );
    // No two paths are equal but for their names.
    let shape = |path: &String| {
        path.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect::<String>()
    };
    let paths: Vec<String> = document["paths"].as_object().unwrap().keys().map(shape).collect();
    let unique: std::collections::HashSet<&String> = paths.iter().collect();
    assert_eq!(unique.len(), paths.len());
}

/// It has what the description of the service has about the message, comments included.
#[test]
fn of_a_message_alone() {
    let book = tobu_transcode_schemas::pool().message("library.v1.Book").unwrap();
    let schema: Value = serde_json::from_str(&json_schema(&book)).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$ref"], "#/$defs/library.v1.Book");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/library.openapi.json");
    let golden = std::fs::read_to_string(path).unwrap().replace("#/components/schemas/", "#/$defs/");
    let golden: Value = serde_json::from_str(&golden).unwrap();
    let definitions = schema["$defs"].as_object().unwrap();
    assert!(definitions.len() > 1 && definitions["library.v1.Book"]["description"].is_string());
    for (name, definition) in definitions {
        assert_eq!(definition, &golden["components"]["schemas"][name], "{name}");
    }
}
