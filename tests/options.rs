//! Custom options, read by name once their extension is in the pool.

use tobu::{Category, OptionsExt, Pool};

/// Excerpts of `google/api/annotations.proto` and `google/api/http.proto` for the test.
const ANNOTATIONS: &str = r#"
    syntax = "proto3";
    package google.api;
    import "google/protobuf/descriptor.proto";
    extend google.protobuf.MethodOptions { HttpRule http = 72295728; }
    extend google.protobuf.FieldOptions { repeated int32 marks = 50001; optional Level level = 50002; }
    enum Level { LOW = 0; HIGH = 1; }
    message HttpRule {
      string selector = 1;
      oneof pattern { string get = 2; string put = 3; string post = 4; }
      string body = 7;
      repeated HttpRule additional_bindings = 11;
    }
"#;

const SERVICE: &str = r#"
    syntax = "proto3";
    package library.v1;
    import "google/api/annotations.proto";
    message Book {
      string name = 1 [(google.api.marks) = 1, (google.api.marks) = -1, (google.api.level) = HIGH];
      string plain = 2;
    }
    service Library {
      rpc GetBook(Book) returns (Book) {
        option (google.api.http) = {
          get: "/v1/{name=shelves/*/books/*}"
          additional_bindings { post: "/v1/books:get" body: "*" }
        };
      }
      rpc Other(Book) returns (Book);
    }
"#;

fn pool() -> Pool {
    let mut resolver = protox::file::ChainFileResolver::new();
    resolver.add(Files);
    resolver.add(protox::file::GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("library.proto").unwrap();
    Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap()
}

struct Files;

impl protox::file::FileResolver for Files {
    fn open_file(&self, name: &str) -> Result<protox::file::File, protox::Error> {
        match name {
            "library.proto" => protox::file::File::from_source(name, SERVICE),
            "google/api/annotations.proto" => protox::file::File::from_source(name, ANNOTATIONS),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct HttpRule {
    pattern: Option<Pattern>,
    body: String,
    additional_bindings: Vec<HttpRule>,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
enum Pattern {
    Get(String),
    Post(String),
}

#[test]
fn a_method_option_is_read_into_a_plain_struct() {
    let pool = pool();
    let service = pool.service("library.v1.Library").unwrap();
    let rule: Option<HttpRule> = service.method("GetBook").unwrap().options().get("google.api.http").unwrap();
    let other = HttpRule {
        pattern: Some(Pattern::Post("/v1/books:get".into())),
        body: "*".into(),
        additional_bindings: Vec::new(),
    };
    let wanted = HttpRule {
        pattern: Some(Pattern::Get("/v1/{name=shelves/*/books/*}".into())),
        body: String::new(),
        additional_bindings: vec![other],
    };
    assert_eq!(rule, Some(wanted));
    let none: Option<HttpRule> = service.method("Other").unwrap().options().get("google.api.http").unwrap();
    assert_eq!(none, None);
}

#[test]
fn a_method_option_is_read_as_a_tree() {
    let pool = pool();
    let method = pool.service("library.v1.Library").unwrap().method("GetBook").unwrap();
    let rule: Option<serde_json::Value> = method.options().get("google.api.http").unwrap();
    let wanted = serde_json::json!({
        "get": "/v1/{name=shelves/*/books/*}",
        "additional_bindings": [{"post": "/v1/books:get", "body": "*"}],
    });
    assert_eq!(rule, Some(wanted));
}

#[test]
fn lists_and_enums_are_read_too() {
    let pool = pool();
    let book = pool.message("library.v1.Book").unwrap();
    let field = book.field_by_name("name").unwrap();
    assert_eq!(field.options().get::<Vec<i32>>("google.api.marks").unwrap(), Some(vec![1, -1]));
    assert_eq!(field.options().get::<String>("google.api.level").unwrap(), Some("HIGH".to_owned()));
    assert_eq!(field.options().get::<i32>("google.api.level").unwrap(), Some(1));
    let plain = book.field_by_name("plain").unwrap();
    assert_eq!(plain.options().get::<Vec<i32>>("google.api.marks").unwrap(), None);
}

#[test]
fn what_is_not_an_option_here_is_an_error() {
    let pool = pool();
    let book = pool.message("library.v1.Book").unwrap();
    assert_eq!(book.options().get::<String>("google.api.nothing").unwrap(), None);
    let error = book.options().get::<String>("google.api.http").unwrap_err();
    assert_eq!(
        (error.category(), &*error.to_string()),
        (
            Category::Schema,
            "google.api.http extends google.protobuf.MethodOptions, not google.protobuf.MessageOptions"
        )
    );
    let field = book.field_by_name("name").unwrap();
    let error = field.options().get::<bool>("google.api.level").unwrap_err();
    assert!(error.to_string().contains("level]: the field is a enum, but the type wants a bool"), "{error}");
}
