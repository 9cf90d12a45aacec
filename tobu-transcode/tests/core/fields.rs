//! The system parameter `fields`: which part of a response is asked for.

use http::{HeaderMap, HeaderValue, Method};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tobu::{Pool, json};
use tobu_transcode::openapi::Document;
use tobu_transcode::{HttpRule, Request, Router, TranscodeOptions};

const LIST: &[u8] =
    b"\x0a\x12\x12\x04Dune\x1a\x08\x0a\x01F\x10\x80\x0f\x18\x01\x20\x07\x0a\x06\x12\x04Emma\x12\x04next\xa2\x06\x01x";

fn library() -> Router {
    let service = tobu_transcode_schemas::pool().service("library.v1.Library").unwrap();
    Router::builder().options(TranscodeOptions::new().fields(true)).service(&service).build().unwrap()
}

/// The body of a response to a request with this query; or the status and the error.
fn respond(router: &Router, path: &str, query: &str, header: &str, message: &[u8]) -> Result<String, String> {
    let found = router.find(&Method::GET, path).unwrap();
    let (route, options) = (found.route(), router.options());
    let mut headers = HeaderMap::new();
    if !header.is_empty() {
        headers.insert("x-goog-fieldmask", HeaderValue::from_str(header).unwrap());
    }
    let told = |error: tobu_transcode::Error| format!("{} {error}", error.status().as_u16());
    found.bind(&Request::new().query(query), &mut Vec::new()).map_err(told)?;
    let fields = route.response_fields(options, query, &headers).map_err(told)?;
    let mut out = Vec::new();
    route.respond_fields(options, fields.as_ref(), message, &mut out).map_err(told)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn parts_of_a_list() {
    let all = r#"{"books":[{"title":"Dune","author":{"fullName":"F","birthYear":1920},"pageCount":7},{"title":"Emma"}],"nextPageToken":"next"}"#;
    let titles = r#"{"books":[{"title":"Dune"},{"title":"Emma"}]}"#;
    #[rustfmt::skip]
    let rows = [
        ("", "", Ok(all)),
        ("fields=", "", Ok(all)),
        ("fields=*", "", Ok(all)),
        ("fields=books.title,*", "", Ok(all)),
        ("fields=books.title", "", Ok(titles)),
        ("%24fields=books.*.title", "", Ok(titles)),
        ("pageSize=3&$fields=books.title&parent=", "books", Err(r#"400 the query parameter "parent": the field parent is bound by the path"#)),
        ("pageSize=3&$fields=books.title", "books", Ok(titles)),
        ("", "books.title", Ok(titles)),
        ("fields=next_page_token", "", Ok(r#"{"nextPageToken":"next"}"#)),
        ("fields=nextPageToken%2Cbooks.author.birth_year", "",
         Ok(r#"{"books":[{"author":{"birthYear":1920}},{}],"nextPageToken":"next"}"#)),
        ("fields=books.pages", "",
         Err(r#"400 the query parameter "fields": library.v1.ListBooksResponse: the path "books.pages": library.v1.Book has no field "pages""#)),
        ("", "x", Err(r#"400 the header X-Goog-FieldMask: library.v1.ListBooksResponse: the path "x": library.v1.ListBooksResponse has no field "x""#)),
        ("fields=books,", "",
         Err(r#"400 the query parameter "fields": library.v1.ListBooksResponse: the path "": library.v1.ListBooksResponse has no field """#)),
        ("fields=books&$fields=books", "", Err(r#"400 the query parameter "$fields" is given twice"#)),
        ("fields=%zz", "", Err(r#"400 the query: the value "%zz": "#)),
    ];
    let router = library();
    for (query, header, wanted) in rows {
        let got = respond(&router, "/v1/shelves/1/books", query, header, LIST);
        match (got, wanted) {
            (Err(got), Err(wanted)) if query.ends_with("%zz") => {
                assert!(got.starts_with(wanted), "{got}");
            }
            (got, wanted) => {
                assert_eq!(got, wanted.map(str::to_owned).map_err(str::to_owned), "{query} {header}");
            }
        }
    }
    let many = format!("fields={}", vec!["books.title"; 600].join(","));
    let error = r#"400 the query parameter "fields": the mask has more than 1024 names"#;
    assert_eq!(respond(&router, "/v1/shelves/1/books", &many, "", LIST), Err(error.into()));
}

#[test]
fn of_a_response_body_that_is_a_field() {
    let router = library();
    let path = "/v1/shelves/1/titles";
    let titles = r#"[{"title":"Dune"},{"title":"Emma"}]"#;
    assert_eq!(respond(&router, path, "fields=title", "", LIST), Ok(titles.into()));
    let error = r#"400 the query parameter "fields": library.v1.ListBooksResponse: the path "books.x": library.v1.Book has no field "x""#;
    assert_eq!(respond(&router, path, "fields=x", "", LIST), Err(error.into()));
    // Bytes have no fields.
    let error = r#"400 the query parameter "fields": the response has no fields"#;
    assert_eq!(respond(&router, "/v1/shelves/1/books/2/cover", "fields=data", "", b""), Err(error.into()));
}

#[test]
fn it_is_a_parameter_like_any_other_unless_it_is_asked_for() {
    let service = tobu_transcode_schemas::pool().service("library.v1.Library").unwrap();
    let router = Router::builder().service(&service).build().unwrap();
    let error = r#"400 the query parameter "fields": library.v1.ListBooksRequest has no field "fields""#;
    assert_eq!(respond(&router, "/v1/shelves/1/books", "fields=books", "", LIST), Err(error.into()));
    let whole = respond(&router, "/v1/shelves/1/books", "", "books.title", LIST).unwrap();
    assert!(whole.contains("birthYear"));
}

#[test]
fn defaults_are_those_of_the_part() {
    let service = tobu_transcode_schemas::pool().service("library.v1.Library").unwrap();
    let options =
        TranscodeOptions::new().fields(true).response_json(json::Options::new().emit_defaults(true));
    let router = Router::builder().options(options).service(&service).build().unwrap();
    let wanted = r#"{"books":[{"pageCount":7},{"pageCount":0}]}"#;
    assert_eq!(
        respond(&router, "/v1/shelves/1/books", "fields=books.page_count", "", LIST),
        Ok(wanted.into())
    );
}

const OWN: &str = r#"
syntax = "proto3";
package own;
message Ask { string fields = 1; int32 size = 2; }
message Answer { string fields = 1; string other = 2; }
service Own { rpc Call(Ask) returns (Answer); }
"#;

struct Own;

impl FileResolver for Own {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "own.proto" => File::from_source(name, OWN),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

#[test]
fn a_field_of_the_request_goes_before() {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Own);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.open_file("own.proto").unwrap();
    let pool = Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap();
    let method = pool.method("own.Own.Call").unwrap();
    let mut router = Router::new(TranscodeOptions::new().fields(true));
    router.add_rule(&method, &HttpRule::new("GET", "/own")).unwrap();
    let found = router.find(&Method::GET, "/own").unwrap();
    let mut message = Vec::new();
    found.bind(&Request::new().query("fields=other&$fields=fields&size=1"), &mut message).unwrap();
    assert_eq!(message, b"\x0a\x05other\x10\x01");
    let answer = b"\x0a\x01f\x12\x01o";
    assert_eq!(
        respond(&router, "/own", "fields=other", "", answer),
        Ok(r#"{"fields":"f","other":"o"}"#.into())
    );
    assert_eq!(respond(&router, "/own", "fields=x&$fields=other", "", answer), Ok(r#"{"other":"o"}"#.into()));
    let description = Document::of(&router).describe(&router);
    assert_eq!(description.matches(r#""name":"fields""#).count(), 1);
    assert_eq!(description.matches(r#""name":"$fields""#).count(), 1);
}
