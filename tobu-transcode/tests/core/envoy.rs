//! The choices of Envoy: what the reference of its filter says of each setting, next to what `TranscodeOptions::envoy` does.
//!
//! Reference: <https://www.envoyproxy.io/docs/envoy/latest/api-v3/extensions/filters/http/grpc_json_transcoder/v3/transcoder.proto>.

use http::Method;
use tobu::json;
use tobu_transcode::{Decode, HttpRule, Request, TranscodeOptions};

use super::{bind, router_with};

fn envoy() -> TranscodeOptions {
    TranscodeOptions::envoy()
}

/// How a request ends: with a message, printed as JSON, or with an error.
type Outcome = Result<&'static str, &'static str>;

/// The settings of requests: a name, the options, a request with its query and body, and the outcome.
#[test]
fn settings_of_requests() {
    let rules = || {
        [
            HttpRule::new("GET", "/one/{x}"),
            HttpRule::new("GET", "/many/{x=a/*/**}"),
            HttpRule::new("GET", "/verbs/{x}:read"),
            HttpRule::new("POST", "/body/{id}").body("*"),
        ]
    };
    let unknown = "400 the query parameter \"nope\": shapes.Shape has no field \"nope\"";
    #[rustfmt::skip]
    let rows: &[(&str, TranscodeOptions, &str, &str, &str, Outcome)] = &[
        ("url_unescape_spec: ALL_CHARACTERS_EXCEPT_RESERVED, the default", envoy(), "GET /many/a/b%2Fc%20/d%40", "", "", Ok(r#"{"x":"a/b%2Fc /d%40"}"#)),
        ("url_unescape_spec: ALL_CHARACTERS_EXCEPT_SLASH", envoy().decode_multi_segment(Decode::ExceptSlash), "GET /many/a/b%2Fc%20/d%40", "", "", Ok(r#"{"x":"a/b%2Fc /d@"}"#)),
        ("url_unescape_spec: ALL_CHARACTERS", envoy().decode_multi_segment(Decode::All), "GET /many/a/b%2Fc%20/d%40", "", "", Ok(r#"{"x":"a/b/c /d@"}"#)),
        ("url_unescape_spec is for several segments alone", envoy(), "GET /one/b%2Fc%20%40", "", "", Ok(r#"{"x":"b/c @"}"#)),
        ("query_param_unescape_plus, off by default", envoy(), "GET /one/a", "y=b+c%20d", "", Ok(r#"{"y":"b+c d","x":"a"}"#)),
        ("query_param_unescape_plus", envoy().plus_is_space(true), "GET /one/a", "y=b+c%20d", "", Ok(r#"{"y":"b c d","x":"a"}"#)),
        ("reject_unknown_query_parameters", envoy(), "GET /one/a", "nope=1", "", Err(unknown)),
        ("ignored_query_parameters", envoy().ignore_query(["nope"]), "GET /one/a", "nope=1", "", Ok(r#"{"x":"a"}"#)),
        ("ignored_query_parameters are those named", envoy().ignore_query(["key"]), "GET /one/a", "nope=1", "", Err(unknown)),
        ("ignore_unknown_query_parameters", envoy().ignore_unknown_query(true), "GET /one/a", "nope=1", "", Ok(r#"{"x":"a"}"#)),
        ("match_unregistered_custom_verb, off by default", envoy(), "GET /one/a:other", "", "", Ok(r#"{"x":"a:other"}"#)),
        ("a custom verb that is registered", envoy(), "GET /verbs/a:read", "", "", Ok(r#"{"x":"a"}"#)),
        ("case_insensitive_enum_parsing, off by default", envoy(), "GET /one/a", "color=color_red", "", Err("400 the query parameter \"color\": \"color_red\" is not a value of shapes.Color")),
        ("names of enums as written", envoy(), "GET /one/a", "color=COLOR_RED", "", Ok(r#"{"color":"COLOR_RED","x":"a"}"#)),
        ("reject_binding_body_field_collisions", envoy().path_over_body(false), "POST /body/1", "", r#"{"id":"2"}"#,
         Err("400 the field id is bound by the path, and the body has another value")),
        ("reject_binding_body_field_collisions takes equal values", envoy().path_over_body(false), "POST /body/1", "", r#"{"id":"1"}"#, Ok(r#"{"id":"1"}"#)),
        ("members that are not known", envoy(), "POST /body/1", "", r#"{"nope":1,"x":"a"}"#, Ok(r#"{"x":"a","id":"1"}"#)),
        ("slashes at the end", envoy(), "GET /one/a//", "", "", Ok(r#"{"x":"a"}"#)),
    ];
    for (setting, options, line, query, body, wanted) in rows {
        let router = router_with(options.clone(), rules());
        let (method, path) = line.split_once(' ').unwrap();
        let got = bind(&router, method, path, Request::new().query(query).body(body.as_bytes()));
        assert_eq!(got.as_deref().map_err(String::as_str), *wanted, "{setting}");
    }
}

/// Requests that Envoy treats differently. The guide gives a reason for each.
#[test]
fn differences_of_requests() {
    let rules = [
        HttpRule::new("GET", "/one/{x}"),
        HttpRule::new("GET", "/verbs/{x}:read"),
        HttpRule::new("POST", "/body/{id}").body("*"),
    ];
    let router = router_with(envoy(), rules);
    #[rustfmt::skip]
    let rows = [
        // In Envoy the body has priority: 2.
        ("POST /body/1", r#"{"id":"2"}"#, Ok(r#"{"id":"1"}"#)),
        // Envoy refuses the name: 400.
        ("POST /body/1", r#"{"color":"COLOR_NOPE","x":"a"}"#, Ok(r#"{"x":"a","id":"1"}"#)),
        // In Envoy no rule with another verb matches a path whose verb some rule has: 404.
        ("GET /one/a:read", "", Ok(r#"{"x":"a:read"}"#)),
        // In Envoy the text stays as written: a%zz.
        ("GET /one/a%zz", "", Err("400 the path \"/one/a%zz\": a % is not followed by two hexadecimal digits")),
    ];
    for (line, body, wanted) in rows {
        let (method, path) = line.split_once(' ').unwrap();
        let got = bind(&router, method, path, Request::new().body(body.as_bytes()));
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{line}");
    }
    // In Envoy the last of two equal rules counts, or none.
    let mut router = router_with(envoy(), [HttpRule::new("GET", "/one/{x}")]);
    let error = router.add_rule(&super::call(), &HttpRule::new("GET", "/one/{y}")).unwrap_err();
    assert!(error.to_string().contains("/one/{x}"), "{error}");
}

/// `print_options`.
#[test]
fn settings_of_responses() {
    let json = json::Options::new;
    // The fields `color` and `int64_value` of a shape, and the field `subfield` of its `sub`.
    let message = b"\x40\x01\x62\x02\x08\x07\x32\x03\x0a\x01a";
    #[rustfmt::skip]
    let rows = [
        ("the defaults", json(), r#"{"color":"COLOR_RED","int64Value":"7","sub":{"subfield":"a"}}"#),
        ("always_print_enums_as_ints", json().enums_as_integers(true), r#"{"color":1,"int64Value":"7","sub":{"subfield":"a"}}"#),
        ("preserve_proto_field_names", json().proto_field_names(true), r#"{"color":"COLOR_RED","int64_value":"7","sub":{"subfield":"a"}}"#),
    ];
    for (setting, print, wanted) in rows {
        let router = router_with(envoy().response_json(print), [HttpRule::new("GET", "/r")]);
        assert_eq!(respond(&router, message), wanted, "{setting}");
    }
    let router = router_with(envoy().response_json(json().pretty(true)), [HttpRule::new("GET", "/r")]);
    assert_eq!(respond(&router, b"\x0a\x01a"), "{\n  \"x\": \"a\"\n}", "add_whitespace");
    let router = router_with(envoy().response_json(json().emit_defaults(true)), [HttpRule::new("GET", "/r")]);
    let text = respond(&router, b"");
    // Fields without presence are printed, and no others.
    for part in [
        r#""x":"""#,
        r#""intField":0"#,
        r#""color":"COLOR_UNSPECIFIED""#,
        r#""p":[]"#,
        r#""m":{}"#,
        r#""flag":false"#,
    ] {
        assert!(text.contains(part), "always_print_primitive_fields: {text}");
    }
    for name in ["maybe", "sub", "time", "int64Value", "number"] {
        assert!(!text.contains(&format!("\"{name}\":")), "always_print_primitive_fields: {text}");
    }
}

fn respond(router: &tobu_transcode::Router, message: &[u8]) -> String {
    let found = router.find(&Method::GET, "/r").unwrap();
    let mut out = Vec::new();
    found.route().respond(router.options(), message, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
