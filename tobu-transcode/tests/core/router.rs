//! Cases 5 to 14: matching, and decoding of paths.

use super::{bind, call, router, router_with};
use http::Method;
use std::time::{Duration, Instant};
use tobu_transcode::{Decode, HttpRule, Request, Router, ServiceConfig, TranscodeOptions};

/// A path, and the template that takes it with the values of its variables, or the error.
type Row<'a> = (&'a str, Result<(&'a str, &'a [&'a str]), &'a str>);

fn check(templates: &[&str], rows: &[Row<'_>]) {
    let mut orders = vec![templates.to_vec()];
    orders.push(templates.iter().rev().copied().collect());
    for order in orders {
        let router = router(order.iter().map(|template| HttpRule::new("GET", template)));
        check_paths(&router, rows);
    }
}

fn check_paths(router: &Router, rows: &[Row<'_>]) {
    for (path, wanted) in rows {
        match (router.find(&Method::GET, path), wanted) {
            (Ok(found), Ok((template, values))) => {
                assert_eq!(found.route().template().as_str(), *template, "{path}");
                let got: Vec<String> = found.values().map(|(_, value)| value.into_owned()).collect();
                assert_eq!(got, *values, "{path}");
            }
            (Err(error), Err(wanted)) => {
                assert_eq!(format!("{} {error}", error.status().as_u16()), *wanted, "{path}");
            }
            (Ok(found), Err(_)) => panic!("{path} finds {}", found.route()),
            (Err(error), Ok(_)) => panic!("{path}: {error}"),
        }
    }
}

#[test]
fn double_stars_match_zero_or_more_segments() {
    check(&["/**"], &[("/", Ok(("/**", &[]))), ("/a", Ok(("/**", &[]))), ("/a/b/c", Ok(("/**", &[])))]);
    check(
        &["/a/{x=**}"],
        &[
            ("/a", Ok(("/a/{x=**}", &[""]))),
            ("/a/b", Ok(("/a/{x=**}", &["b"]))),
            ("/a/b/c", Ok(("/a/{x=**}", &["b/c"]))),
            ("/b", Err(r#"404 no rule has the path "/b""#)),
        ],
    );
    check(
        &["/{x=a/**}/b/{y}"],
        &[
            ("/a/b/c", Ok(("/{x=a/**}/b/{y}", &["a", "c"]))),
            ("/a/1/2/b/c", Ok(("/{x=a/**}/b/{y}", &["a/1/2", "c"]))),
            ("/a/b", Err(r#"404 no rule has the path "/a/b""#)),
        ],
    );
}

#[test]
fn a_star_never_matches_an_empty_segment() {
    check(
        &["/a/*", "/b/{x}:go"],
        &[
            ("/a/", Err(r#"404 no rule has the path "/a/""#)),
            ("/a", Err(r#"404 no rule has the path "/a""#)),
            ("/b/:go", Err(r#"404 no rule has the path "/b/:go""#)),
            ("/a/1", Ok(("/a/*", &[]))),
        ],
    );
}

#[test]
fn a_slash_at_the_end_matters_unless_told_otherwise() {
    check(&["/a"], &[("/a/", Err(r#"404 no rule has the path "/a/""#)), ("/a", Ok(("/a", &[])))]);
    let rules = || [HttpRule::new("GET", "/a"), HttpRule::new("GET", "/b/{x}:go")];
    let lenient = router_with(TranscodeOptions::new().trailing_slash(true), rules());
    check_paths(&lenient, &[("/a/", Ok(("/a", &[]))), ("/b/c:go/", Ok(("/b/{x}:go", &["c"])))]);
    let envoy = router_with(TranscodeOptions::envoy(), rules());
    check_paths(&envoy, &[("/a//", Ok(("/a", &[])))]);
    for strict in [TranscodeOptions::grpc_gateway(), TranscodeOptions::vanguard()] {
        let wanted = Err(r#"404 no rule has the path "/a/""#);
        check_paths(&router_with(strict, rules()), &[("/a/", wanted)]);
    }
}

#[test]
fn what_is_more_specific_goes_first() {
    check(
        &["/c/*/d/**", "/c/*/d/e", "/c/f/d/e"],
        &[
            ("/c/x/d/e", Ok(("/c/*/d/e", &[]))),
            ("/c/f/d/e", Ok(("/c/f/d/e", &[]))),
            ("/c/f/d/x", Ok(("/c/*/d/**", &[]))),
        ],
    );
    check(
        &["/a/{x}/c/d/e", "/{x=a/*}/b/{y}/c"],
        &[
            ("/a/h/b/w/c", Ok(("/{x=a/*}/b/{y}/c", &["a/h", "w"]))),
            ("/a/h/c/d/e", Ok(("/a/{x}/c/d/e", &["h"]))),
        ],
    );
    check(
        &["/{x=**}/z", "/{x=**}/y/z", "/{x=**}", "/a/{x}"],
        &[
            ("/a/z", Ok(("/a/{x}", &["z"]))),
            ("/b/y/z", Ok(("/{x=**}/y/z", &["b"]))),
            ("/b/x/z", Ok(("/{x=**}/z", &["b/x"]))),
            ("/b/x", Ok(("/{x=**}", &["b/x"]))),
        ],
    );
}

#[test]
fn the_method_is_part_of_the_match() {
    let router = router([
        HttpRule::new("GET", "/u/me"),
        HttpRule::new("POST", "/u/{id}").body("*"),
        HttpRule::new("HEAD", "/u/{id}"),
        HttpRule::new("*", "/any/{id}"),
        HttpRule::new("GET", "/any/{x}"),
        HttpRule::new("GET", "/got"),
        HttpRule::new("PUT", "/put"),
    ]);
    let find = |method: Method, path| {
        let found = router.find(&method, path);
        found.map(|found| found.route().template().as_str().to_owned())
    };
    assert_eq!(find(Method::POST, "/u/me").unwrap(), "/u/{id}");
    assert_eq!(find(Method::GET, "/u/me").unwrap(), "/u/me");
    assert_eq!(find(Method::HEAD, "/u/me").unwrap(), "/u/{id}");
    assert_eq!(find(Method::HEAD, "/any/1").unwrap(), "/any/{id}");
    assert_eq!(find(Method::HEAD, "/got").unwrap(), "/got");
    let error = find(Method::HEAD, "/put").unwrap_err();
    assert_eq!(error.to_string(), r#"the path "/put" has PUT, not HEAD"#);
    assert_eq!(find(Method::PUT, "/got").unwrap_err().allow(), [Method::GET, Method::HEAD]);
    assert_eq!(find(Method::GET, "/any/1").unwrap(), "/any/{x}");
    assert_eq!(find(Method::OPTIONS, "/any/1").unwrap(), "/any/{id}");

    let error = find(Method::DELETE, "/u/me").unwrap_err();
    assert_eq!(error.status(), 405);
    assert_eq!(error.allow(), [Method::GET, Method::HEAD, Method::POST]);
    assert_eq!(error.to_string(), r#"the path "/u/me" has GET, HEAD, POST, not DELETE"#);
    assert_eq!(find(Method::DELETE, "/v").unwrap_err().status(), 404);
}

#[test]
fn the_same_method_and_shape_twice() {
    let mut router = Router::default();
    router.add_rule(&call(), &HttpRule::new("GET", "/a/{x}/b")).unwrap();
    router.add_rule(&call(), &HttpRule::new("PUT", "/a/{x}/b")).unwrap();
    let place = "shapes/shapes.proto: shapes.Shapes.Call";
    let error = router.add_rule(&call(), &HttpRule::new("GET", "/{y=a/*}/b")).unwrap_err();
    let wanted = format!(
        r#"{place}: GET "/a/{{x}}/b" and {place}: GET "/{{y=a/*}}/b" have the same method and the same shape"#
    );
    assert_eq!(error.to_string(), wanted);
    // The same within one rule, of which nothing is kept then.
    let rule = HttpRule::new("GET", "/c").additional(HttpRule::new("GET", "/c"));
    let error = router.add_rule(&call(), &rule).unwrap_err();
    let wanted =
        format!(r#"{place}: GET "/c" and {place}: GET "/c" have the same method and the same shape"#);
    assert_eq!(error.to_string(), wanted);
    assert_eq!(router.routes().len(), 2);
    assert_eq!(router.find(&Method::GET, "/c").unwrap_err().status(), 404);
}

#[test]
fn very_many_slashes() {
    let mut rules = vec![HttpRule::new("GET", "/a/**/x"), HttpRule::new("GET", "/{x=**}:go")];
    // Every template that could be taken, at every depth.
    for depth in 1..40 {
        rules.push(HttpRule::new("GET", &format!("/a{}/**{}/x", "/*".repeat(depth), "/*".repeat(depth))));
    }
    let router = router(rules);
    let start = Instant::now();
    let path = format!("/a{}", "/".repeat(64_000));
    assert_eq!(router.find(&Method::GET, &path).unwrap_err().status(), 404);
    let found = router.find(&Method::GET, &format!("{path}x")).map(|found| found.route().to_string());
    assert!(found.unwrap().ends_with("GET \"/a/**/x\""));
    let colons = format!("/a{}", ":".repeat(64_000));
    assert_eq!(router.find(&Method::GET, &colons).unwrap_err().status(), 404);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn verbs() {
    check(
        &["/person/{id}", "/{x=**}:verb"],
        &[
            ("/person/j:verb", Ok(("/{x=**}:verb", &["person/j"]))),
            ("/person/j:other", Ok(("/person/{id}", &["j:other"]))),
            ("/person/j%3Averb", Ok(("/person/{id}", &["j:verb"]))),
            ("/person:other", Err(r#"404 no rule has the path "/person:other""#)),
            ("/foo/b%3Averb", Err(r#"404 no rule has the path "/foo/b%3Averb""#)),
            ("/:verb", Ok(("/{x=**}:verb", &[""]))),
            ("/person/a:verb:verb", Ok(("/{x=**}:verb", &["person/a:verb"]))),
        ],
    );
}

#[test]
fn decoding_of_paths() {
    check(
        &["/one/{x}", "/multi/{x=p/*/q/*}", "/rest/{y=**}", "/lit%20eral"],
        &[
            ("/one/p%20q%2Fr+", Ok(("/one/{x}", &["p q/r+"]))),
            ("/multi/p/f%20f/q/b%2Fb", Ok(("/multi/{x=p/*/q/*}", &["p/f f/q/b%2Fb"]))),
            ("/multi/p/f%20f/q/b%2fb", Ok(("/multi/{x=p/*/q/*}", &["p/f f/q/b%2fb"]))),
            ("/rest/%23%2F%40", Ok(("/rest/{y=**}", &["#%2F@"]))),
            ("/one/%2523", Ok(("/one/{x}", &["%23"]))),
            ("/rest/%252F", Ok(("/rest/{y=**}", &["%2F"]))),
            ("/lit%20eral", Ok(("/lit%20eral", &[]))),
            ("/%6Cit%20eral", Ok(("/lit%20eral", &[]))),
            ("/one/%zz", Err(r#"400 the path "/one/%zz": a % is not followed by two hexadecimal digits"#)),
            ("/one/%2", Err(r#"400 the path "/one/%2": a % is not followed by two hexadecimal digits"#)),
            ("/one/%00", Err(r#"400 the path "/one/%00": there is a NUL character"#)),
            ("/one/%c0%af", Err(r#"400 the path "/one/%c0%af": the escapes are not valid UTF-8"#)),
            ("/one/%e4%bd", Err(r#"400 the path "/one/%e4%bd": the escapes are not valid UTF-8"#)),
        ],
    );
}

#[test]
fn paths_are_not_normalized() {
    check(
        &["/a/b", "/a/{x}/b", "/r/{x=**}"],
        &[
            ("a/b", Err(r#"400 the path "a/b" does not start with a slash"#)),
            ("", Err(r#"400 the path "" does not start with a slash"#)),
            ("/a//b", Err(r#"404 no rule has the path "/a//b""#)),
            ("//a/b", Err(r#"404 no rule has the path "//a/b""#)),
            ("/a/c/../b", Err(r#"404 no rule has the path "/a/c/../b""#)),
            ("/a/../b", Ok(("/a/{x}/b", &[".."]))),
            ("/r/..//x", Ok(("/r/{x=**}", &["..//x"]))),
        ],
    );
}

#[test]
fn how_reserved_characters_are_decoded() {
    let rule = || [HttpRule::new("GET", "/{x=a/*/**}")];
    let find = |options: TranscodeOptions| {
        let router = router_with(options, rule());
        let found = router.find(&Method::GET, "/a/b%2Fc%20/d%2Fe%40").unwrap();
        found.values().map(|(_, value)| value.into_owned()).collect::<String>()
    };
    assert_eq!(find(TranscodeOptions::new()), "a/b%2Fc /d%2Fe@");
    assert_eq!(find(TranscodeOptions::envoy()), "a/b%2Fc /d%2Fe%40");
    assert_eq!(find(TranscodeOptions::new().decode_multi_segment(Decode::All)), "a/b/c /d/e@");
    // What a `*` takes keeps its escaped slash.
    assert_eq!(find(TranscodeOptions::new().fully_decode_reserved_expansion(true)), "a/b%2Fc /d/e@");
}

#[test]
fn configurations_take_the_place_of_annotations() {
    let pool = tobu_transcode_schemas::pool();
    let service = pool.service("library.v1.Library").unwrap();
    let config = ServiceConfig::from_yaml(
        "
type: google.api.Service
config_version: 3
name: library.example.com
apis:
- name: library.v1.Library
http:
  fully_decode_reserved_expansion: true
  rules:
  - selector: library.v1.Library.GetShelf
    get: /never
  - selector: library.v1.Library.GetShelf
    get: /v9/{name=**}
    additional_bindings:
    - custom: {kind: HEAD, path: '/v9/{name=**}'}
  - selector: library.v1.Library.Count
    post: /v1:count
    body: '*'
  - selector: google.longrunning.Operations.GetOperation
    get: /v1/{name=operations/**}
",
    )
    .unwrap();
    let router = Router::builder().service(&service).config(config.clone()).build().unwrap();
    let find = |method: Method, path| {
        let found = router.find(&method, path).ok()?;
        let value = found.values().next().map(|(_, value)| value.into_owned());
        Some((found.route().method().name().to_owned(), value))
    };
    assert_eq!(find(Method::GET, "/v9/shelves%2F1"), Some(("GetShelf".into(), Some("shelves/1".into()))));
    assert_eq!(find(Method::HEAD, "/v9/a"), Some(("GetShelf".into(), Some("a".into()))));
    assert_eq!(find(Method::POST, "/v1:count"), Some(("Count".into(), None)));
    assert_eq!(find(Method::GET, "/v1/shelves/1"), None);
    assert_eq!(find(Method::GET, "/never"), None);
    assert_eq!(find(Method::DELETE, "/v1/shelves/1/books/2").unwrap().0, "DeleteBook");

    // JSON says the same.
    let json = r#"{"name": "x", "http": {"rules": [
        {"selector": "library.v1.Library.GetShelf", "get": "/never"},
        {"selector": "library.v1.Library.GetShelf", "get": "/v9/{name=**}",
         "additionalBindings": [{"custom": {"kind": "HEAD", "path": "/v9/{name=**}"}}]},
        {"selector": "library.v1.Library.Count", "post": "/v1:count", "body": "*"},
        {"selector": "google.longrunning.Operations.GetOperation", "get": "/v1/{name=operations/**}"}
    ], "fullyDecodeReservedExpansion": true}}"#;
    assert_eq!(ServiceConfig::from_json(json).unwrap(), config);
    assert_eq!(ServiceConfig::from_yaml("name: x").unwrap(), ServiceConfig::default());

    let wrong = |selector: &str| {
        let rule = HttpRule { selector: selector.into(), ..HttpRule::new("GET", "/a") };
        let config = ServiceConfig { rules: vec![rule], ..ServiceConfig::default() };
        Router::builder().service(&service).config(config).build().unwrap_err().to_string()
    };
    assert_eq!(
        wrong("library.v1.Library.Nope"),
        r#"service configuration: the service library.v1.Library has no method "Nope""#
    );
    assert_eq!(wrong("nope"), r#"service configuration: "nope" names no method"#);
    assert_eq!(
        ServiceConfig::from_yaml("http: {rules: [{nope: 1}]}").unwrap_err().to_string(),
        r#"service configuration: tobu.transcode.ServiceConfig.rules[0]: unknown field "nope""#
    );
}

#[test]
fn annotations_of_a_pool_loaded_at_run_time() {
    let pool = tobu_transcode_schemas::pool();
    // The bytes of a descriptor set and nothing else.
    let pool = tobu::Pool::from_descriptor_set(&pool.to_descriptor_set()).unwrap();
    let service = pool.service("library.v1.Library").unwrap();
    let router = Router::builder().service(&service).build().unwrap();
    assert_eq!(router.routes().len(), 14);
    let path = "/v1/shelf/shelves%2F1";
    assert_eq!(bind(&router, "GET", path, Request::new()).unwrap(), r#"{"name":"shelves/1"}"#);
}
