//! Cases 5 to 14: matching, and decoding of paths.

use super::{bind, call, router, router_with};
use http::Method;
use std::time::{Duration, Instant};
use tobu_transcode::{Decode, HttpRule, Request, Router, RouterBuilder, ServiceConfig, TranscodeOptions};

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

/// Rules of a configuration for the service `shapes.Shapes`, each with its own fault, and one in the middle without.
fn bad_rules() -> RouterBuilder {
    let rule =
        |selector: &str, rule: HttpRule| HttpRule { selector: format!("shapes.Shapes.{selector}"), ..rule };
    let call = HttpRule::new("POST", "/a/{id}")
        .body("sub.inner")
        .additional(HttpRule::new("GET", "/b/{nope}"))
        .additional(HttpRule::new("GET", "/c/{"))
        .additional(HttpRule::new("GET", "/good/{id}"))
        .additional(HttpRule::new("GET", "/good/{x}"))
        .additional(HttpRule::new("GET", "/d").additional(HttpRule::new("GET", "/e")))
        .additional(HttpRule::new("G T", "/f"))
        .additional(HttpRule::default())
        .additional(HttpRule::new("GET", "/g").response_body("nope"));
    let rules = vec![
        rule("Call", call),
        rule("Raw", HttpRule::new("GET", "/good/{data}")),
        rule("Download", HttpRule::new("GET", "/download")),
        rule("Nope", HttpRule::new("GET", "/h")),
        HttpRule { selector: "Call".into(), ..HttpRule::default() },
    ];
    let service = super::call().service();
    Router::builder().service(&service).config(ServiceConfig { rules, ..ServiceConfig::default() })
}

#[rustfmt::skip]
const BAD_RULES: [(&str, &str, &str); 11] = [
    ("shapes.Shapes.Nope", r#"GET "/h""#, r#"service configuration: the service shapes.Shapes has no method "Nope""#),
    ("Call", "", r#"service configuration: "Call" names no method"#),
    ("shapes.Shapes.Call", r#"POST "/a/{id}""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: POST "/a/{id}": the body: shapes.Shape has no field "sub.inner""#),
    ("shapes.Shapes.Call", r#"GET "/b/{nope}""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: GET "/b/{nope}": the variable nope: shapes.Shape has no field "nope""#),
    ("shapes.Shapes.Call", r#"GET "/c/{""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: template "/c/{": a field name is missing (at byte 4)"#),
    ("shapes.Shapes.Call", r#"GET "/good/{x}""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: GET "/good/{id}" and shapes/shapes.proto: shapes.Shapes.Call: GET "/good/{x}" have the same method and the same shape"#),
    ("shapes.Shapes.Call", r#"GET "/d""#,
     "shapes/shapes.proto: shapes.Shapes.Call: an additional binding has additional bindings"),
    ("shapes.Shapes.Call", r#"G T "/f""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: G T "/f": "G T" is not an HTTP method"#),
    ("shapes.Shapes.Call", "", "shapes/shapes.proto: shapes.Shapes.Call: the rule has no pattern"),
    ("shapes.Shapes.Call", r#"GET "/g""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: GET "/g": the response body: shapes.Shape has no field "nope""#),
    ("shapes.Shapes.Raw", r#"GET "/good/{data}""#,
     r#"shapes/shapes.proto: shapes.Shapes.Call: GET "/good/{id}" and shapes/shapes.proto: shapes.Shapes.Raw: GET "/good/{data}" have the same method and the same shape"#),
];

fn check_bad_rules(rules: &[tobu_transcode::BadRule]) {
    let got: Vec<_> = rules.iter().map(|rule| (rule.method(), rule.rule(), rule.to_string())).collect();
    let wanted: Vec<_> =
        BAD_RULES.iter().map(|(method, rule, text)| (*method, *rule, text.to_string())).collect();
    assert_eq!(got, wanted);
    let files = rules
        .iter()
        .map(|rule| (rule.file().is_empty(), rule.to_string().starts_with("service configuration")));
    assert!({ files }.all(|(no_file, configured)| no_file == configured));
}

#[test]
fn all_bad_rules_are_reported_at_once() {
    let error = bad_rules().build().unwrap_err();
    check_bad_rules(error.rules());
    let texts = BAD_RULES.map(|(_, _, text)| text).join("\n");
    assert_eq!(error.to_string(), format!("11 rules are not valid:\n{texts}"));
    assert_eq!(error.public(), "the rules of the service are not valid");
    // Of one that is added alone, nothing is kept.
    let mut router = Router::default();
    let rule = HttpRule::new("GET", "/a")
        .additional(HttpRule::new("GET", "/{a}"))
        .additional(HttpRule::new("GET", "/{b}"));
    assert_eq!(router.add_rule(&call(), &rule).unwrap_err().rules().len(), 2);
    assert_eq!((router.routes().len(), router.skipped().len()), (0, 0));
}

#[test]
fn bad_rules_are_skipped_where_that_is_chosen() {
    let router = bad_rules().skip_bad_rules(true).build().unwrap();
    check_bad_rules(router.skipped());
    let routes: Vec<String> = router.routes().map(|route| route.template().to_string()).collect();
    assert_eq!(routes, ["/good/{id}", "/download"]);
    assert_eq!(bind(&router, "GET", "/good/1", Request::new()).unwrap(), r#"{"id":"1"}"#);
    // The paths of the others are not known, with no method at all.
    for path in ["/a/1", "/b/1", "/d", "/e", "/f", "/g", "/h"] {
        assert_eq!(router.find(&Method::GET, path).unwrap_err().status(), 404, "{path}");
    }
    // An annotation whose bytes are no rule is one of them.
    let bytes = tobu_transcode_schemas::descriptor_set();
    let at = bytes.windows(13).position(|piece| piece == b"/v1/{name=she").unwrap();
    let mut bytes = bytes.clone();
    // The string of the template is not UTF-8.
    bytes[at] = 0xff;
    let pool = tobu::Pool::from_descriptor_set(&bytes).unwrap();
    let builder = Router::builder().service(&pool.service("library.v1.Library").unwrap());
    let error = builder.clone().build().unwrap_err();
    let [rule] = error.rules() else { panic!("{error}") };
    let place = "library/v1/library.proto: library.v1.Library.GetShelf";
    assert!(
        error.to_string().starts_with(&format!("{place}: the option google.api.http is malformed: ")),
        "{error}"
    );
    assert_eq!((rule.method(), rule.rule()), ("library.v1.Library.GetShelf", ""));
    let router = builder.skip_bad_rules(true).build().unwrap();
    assert_eq!((router.routes().len(), router.skipped()), (12, error.rules()));
}
