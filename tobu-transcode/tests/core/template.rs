//! Cases 1 to 4: the grammar.

use super::{call, router};
use tobu_transcode::{HttpRule, Router, Segment, Template};

#[test]
fn a_variable_without_segments_is_one_segment() {
    let short = Template::parse("/v1/{v}").unwrap();
    let long = Template::parse("/v1/{v=*}").unwrap();
    assert_eq!(short.segments(), [Segment::Literal("v1".into()), Segment::Any]);
    assert_eq!(short.segments(), long.segments());
    assert_eq!(short.variables().collect::<Vec<_>>(), long.variables().collect::<Vec<_>>());
}

#[test]
fn variables_of_several_segments() {
    let router = router([HttpRule::new("GET", "/v1/{x=messages/*}")]);
    let found = router.find(&http::Method::GET, "/v1/messages/1").unwrap();
    assert_eq!(found.values().collect::<Vec<_>>(), [("x", "messages/1".into())]);
}

#[test]
fn rejected_when_loaded() {
    let rows = [
        ("", "a template starts with a slash (at byte 0)"),
        ("a", "a template starts with a slash (at byte 0)"),
        ("/", "a segment is empty (at byte 1)"),
        ("//", "a segment is empty (at byte 1)"),
        ("/a/", "a segment is empty (at byte 3)"),
        ("/a//b", "a segment is empty (at byte 3)"),
        ("/{}", "a field name is missing (at byte 2)"),
        ("/a/{v.", "a field name is missing (at byte 6)"),
        ("/a/{v", "the variable is never closed (at byte 5)"),
        ("/:v", "':' is not allowed here (at byte 1)"),
        ("/a:", "the verb is empty (at byte 3)"),
        ("/a::b", "the verb is empty (at byte 3)"),
        ("/a:b/c", "'/' is not allowed here (at byte 4)"),
        ("/a/{x=b:c}", "':' is not allowed here (at byte 7)"),
        ("/{1}", "a field name starts with a digit (at byte 2)"),
        ("/{f-}", "'-' is not allowed here (at byte 3)"),
        ("/b*", "'*' is not allowed here (at byte 2)"),
        ("/***", "'*' is not allowed here (at byte 3)"),
        ("/*b", "'b' is not allowed here (at byte 2)"),
        ("/a?b", "'?' is not allowed here (at byte 2)"),
        ("/a b", "' ' is not allowed here (at byte 2)"),
        ("/a/{x=b/{y}}", "a variable inside a variable (at byte 8)"),
        ("/a}", "'}' is not allowed here (at byte 2)"),
        ("/{x}{y}", "'{' is not allowed here (at byte 4)"),
        ("/{x}b", "'b' is not allowed here (at byte 4)"),
        ("/{x}/{x}", "the field x is bound twice (at byte 6)"),
        ("/**/a/**", "there is more than one ** (at byte 6)"),
        ("/a%2", "a % is not followed by two hexadecimal digits (at byte 1)"),
        ("/a%ff", "the escapes are not valid UTF-8 (at byte 1)"),
        ("/\u{e9}", "'\u{e9}' is not allowed here (at byte 1)"),
    ];
    for (text, wanted) in rows {
        let error = Template::parse(text).unwrap_err();
        assert_eq!(error.to_string(), format!("template {text:?}: {wanted}"));
    }
}

#[test]
fn rules_that_do_not_fit_their_method() {
    let rows = [
        (HttpRule::default(), "the rule has no pattern"),
        (
            HttpRule::new("GET", "/{nope}"),
            r#"GET "/{nope}": the variable nope: shapes.Shape has no field "nope""#,
        ),
        (HttpRule::new("GET", "/{p}"), r#"GET "/{p}": the variable p: the field shapes.Shape.p is repeated"#),
        (HttpRule::new("GET", "/{m}"), r#"GET "/{m}": the variable m: the field shapes.Shape.m is a map"#),
        (
            HttpRule::new("GET", "/{sub}"),
            r#"GET "/{sub}": the variable sub: the field shapes.Shape.sub is a message"#,
        ),
        (
            HttpRule::new("GET", "/{time.nope}"),
            r#"GET "/{time.nope}": the variable time.nope: google.protobuf.Timestamp has no field "nope""#,
        ),
        // Those that are no string in JSON have no form in a path.
        (
            HttpRule::new("GET", "/{struct}"),
            r#"GET "/{struct}": the variable struct: the field shapes.Shape.struct is a message"#,
        ),
        (
            HttpRule::new("GET", "/{value}"),
            r#"GET "/{value}": the variable value: the field shapes.Shape.value is a message"#,
        ),
        (
            HttpRule::new("GET", "/{values}"),
            r#"GET "/{values}": the variable values: the field shapes.Shape.values is a message"#,
        ),
        (
            HttpRule::new("GET", "/{any}"),
            r#"GET "/{any}": the variable any: the field shapes.Shape.any is a message"#,
        ),
        (
            HttpRule::new("GET", "/{times}"),
            r#"GET "/{times}": the variable times: the field shapes.Shape.times is repeated"#,
        ),
        (
            HttpRule::new("GET", "/{x.y}"),
            r#"GET "/{x.y}": the variable x.y: the field shapes.Shape.x is not a message"#,
        ),
        (
            HttpRule::new("GET", "/{sub.nope}"),
            r#"GET "/{sub.nope}": the variable sub.nope: shapes.Sub has no field "nope""#,
        ),
        (
            HttpRule::new("GET", "/{list.subfield}"),
            r#"GET "/{list.subfield}": the variable list.subfield: the field shapes.Shape.list is repeated"#,
        ),
        (
            HttpRule::new("POST", "/a").body("nope"),
            r#"POST "/a": the body: shapes.Shape has no field "nope""#,
        ),
        (
            HttpRule::new("POST", "/a/{x}").body("x"),
            r#"POST "/a/{x}": the field x is bound by the path and by the body"#,
        ),
        (
            HttpRule::new("GET", "/a").response_body("sub.subfield"),
            r#"GET "/a": the response body: shapes.Shape has no field "sub.subfield""#,
        ),
        (HttpRule::new("GET", "/a/"), r#"template "/a/": a segment is empty (at byte 3)"#),
        (HttpRule::new("G T", "/a"), r#"G T "/a": "G T" is not an HTTP method"#),
        (
            HttpRule::new("GET", "/a")
                .additional(HttpRule::new("GET", "/b").additional(HttpRule::new("GET", "/c"))),
            "an additional binding has additional bindings",
        ),
    ];
    for (rule, wanted) in rows {
        let mut router = Router::default();
        let error = router.add_rule(&call(), &rule).unwrap_err();
        assert_eq!(error.to_string(), format!("shapes/shapes.proto: shapes.Shapes.Call: {wanted}"));
        assert_eq!(router.routes().len(), 0);
    }
}

#[test]
fn a_verb_may_have_colons() {
    let template = Template::parse("/v1/{x}:bla:baa").unwrap();
    assert_eq!(template.verb(), Some("bla:baa"));
    let router = router([HttpRule::new("GET", "/v1/{x}:bla:baa"), HttpRule::new("GET", "/v1/{x}:baa")]);
    let find = |path| {
        let found = router.find(&http::Method::GET, path).unwrap();
        let value = found.values().next().unwrap().1.into_owned();
        (found.route().template().as_str().to_owned(), value)
    };
    assert_eq!(find("/v1/a:bla:baa"), ("/v1/{x}:bla:baa".into(), "a".into()));
    assert_eq!(find("/v1/a:b:baa"), ("/v1/{x}:baa".into(), "a:b".into()));
}

#[test]
fn expanding() {
    let rows: &[(&str, &[&str], Result<&str, &str>)] = &[
        ("/v1/{x=shelves/*}/a/{y}", &["shelves/a b", "c/d"], Ok("/v1/shelves/a%20b/a/c%2Fd")),
        ("/{x=**}", &[""], Ok("/")),
        ("/a/{x=**}:go", &[""], Ok("/a:go")),
        ("/a/{x=b/**}/c", &["b"], Ok("/a/b/c")),
        ("/a/*/**/b%20c", &[], Ok("/a/-/-/b%20c")),
        ("/{x}", &[""], Err(r#"template "/{x}": "" is not a value of the variable x"#)),
        ("/{x=a/*}", &["b/c"], Err(r#"template "/{x=a/*}": "b/c" is not a value of the variable x"#)),
        ("/{x=a/*}", &["a"], Err(r#"template "/{x=a/*}": "a" is not a value of the variable x"#)),
        ("/{x}", &[], Err(r#"template "/{x}": 1 values are needed, not 0"#)),
    ];
    for (text, values, wanted) in rows {
        let path = Template::parse(text).unwrap().expand(values).map_err(|error| error.to_string());
        assert_eq!(path.as_deref().map_err(String::as_str), *wanted, "{text}");
    }
}
