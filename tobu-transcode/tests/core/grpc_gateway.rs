//! The choices of grpc-gateway: what its version 2.32 answers to the same requests.

use http::Method;
use tobu_transcode::{Content, HttpRule, Request, TranscodeOptions};

use super::{bind, router_with};

fn gateway() -> TranscodeOptions {
    TranscodeOptions::grpc_gateway()
}

/// `Ok` is a part of the message as JSON, which prints no defaults; empty for a message of nothing but `id`.
#[test]
fn values_of_queries() {
    let router = router_with(gateway(), [HttpRule::new("GET", "/q/{id}")]);
    #[rustfmt::skip]
    let rows = [
        ("flag=1", Ok(r#""flag":true"#)), ("flag=t", Ok(r#""flag":true"#)), ("flag=T", Ok(r#""flag":true"#)),
        ("flag=TRUE", Ok(r#""flag":true"#)), ("flag=True", Ok(r#""flag":true"#)), ("flag=0", Ok("")), ("flag=F", Ok("")),
        ("bool_value=f", Ok(r#""boolValue":false"#)), ("bool_value=1", Ok(r#""boolValue":true"#)),
        ("flag=tRUE", Err(r#"the query parameter "flag": "tRUE" is not a bool"#)),
        ("flag=yes", Err(r#"the query parameter "flag": "yes" is not a bool"#)),
        ("flag=", Err(r#"the query parameter "flag": "" is not a bool"#)),
        ("int_field=%2B1", Ok(r#""intField":1"#)), ("int_field=007", Ok(r#""intField":7"#)), ("signed=-0", Ok("")),
        ("big=01", Ok(r#""big":"1""#)), ("big=%2B1", Err(r#"the query parameter "big": "+1" is not a uint64"#)),
        ("int_field=0x10", Err(r#"the query parameter "int_field": "0x10" is not an int32"#)),
        ("int_field=1_000", Err(r#"the query parameter "int_field": "1_000" is not an int32"#)),
        ("int_field=2147483648", Err(r#"the query parameter "int_field": "2147483648" is not an int32"#)),
        ("int64_value=007", Ok(r#""int64Value":"7""#)),
        ("ratio=.5", Ok(r#""ratio":0.5"#)), ("ratio=5.", Ok(r#""ratio":5"#)), ("ratio=inf", Ok(r#""ratio":"Infinity""#)),
        ("ratio=-Infinity", Ok(r#""ratio":"-Infinity""#)), ("ratio=nan", Ok(r#""ratio":"NaN""#)), ("ratio=%2B1.5", Ok(r#""ratio":1.5"#)),
        ("ratio=1e400", Err(r#"the query parameter "ratio": "1e400" is not a double"#)),
        ("ratio=abc", Err(r#"the query parameter "ratio": "abc" is not a double"#)),
        ("color=2", Ok(r#""color":"COLOR_BLUE""#)), ("color=01", Ok(r#""color":"COLOR_RED""#)),
        ("color=7", Err(r#"the query parameter "color": "7" is not a value of shapes.Color"#)),
        ("duration=1h2m3s", Ok(r#""duration":"3723s""#)), ("duration=5ms", Ok(r#""duration":"0.005s""#)), ("duration=-1.5h", Ok(r#""duration":"-5400s""#)),
        ("duration=0", Ok(r#""duration":"0s""#)), ("duration=1", Err(r#"the query parameter "duration": "1" is not a duration"#)),
        ("struct=%7B%22a%22:1%7D", Ok(r#""struct":{"a":1}"#)), ("value=[1]", Ok(r#""value":[1]"#)), ("value=null", Ok(r#""value":null"#)),
        ("value=a", Err(r#"the query parameter "value": "#)),
        ("values=[1]", Err(r#"the query parameter "values": a google.protobuf.ListValue has no form"#)),
        // What the path binds goes first, and so does its oneof.
        ("id=2", Ok("")), ("nope=1", Ok("")), ("p[0]=1", Err(r#"the query parameter "p[0]": the field shapes.Shape.p is not a map"#)),
    ];
    for (query, wanted) in rows {
        let got = bind(&router, "GET", "/q/1", Request::new().query(query));
        match (got, wanted) {
            (Ok(got), Ok("")) => assert_eq!(got, r#"{"id":"1"}"#, "{query}"),
            (Ok(got), Ok(part)) => assert!(got.contains(part), "{query}: {got}"),
            (Err(got), Err(text)) => assert!(got.starts_with(&format!("400 {text}")), "{query}: {got}"),
            (got, _) => panic!("{query}: {got:?}"),
        }
    }
}

#[test]
fn values_of_paths() {
    let names = ["int_field", "flag", "bool_value", "color", "duration", "time"];
    let rules = names.iter().map(|name| HttpRule::new("GET", &format!("/{name}/{{{name}}}")));
    let router = router_with(gateway(), rules);
    #[rustfmt::skip]
    let rows = [
        ("/int_field/+7", Ok(r#"{"intField":7}"#)), ("/int_field/010", Ok(r#"{"intField":10}"#)), ("/flag/T", Ok(r#"{"flag":true}"#)),
        ("/bool_value/0", Ok(r#"{"boolValue":false}"#)), ("/color/1", Ok(r#"{"color":"COLOR_RED"}"#)),
        ("/color/7", Err(r#"400 the path: the field color: "7" is not a value of shapes.Color"#)),
        // A path has the form of JSON here.
        ("/duration/1.5s", Ok(r#"{"duration":"1.500s"}"#)),
        ("/duration/1h", Err(r#"400 the path: the field duration: "1h" is not a duration: it is not of the form -1.5s"#)),
        ("/time/1970-01-01T00:00:01Z", Ok(r#"{"time":"1970-01-01T00:00:01Z"}"#)),
    ];
    for (path, wanted) in rows {
        let got = bind(&router, "GET", path, Request::new());
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{path}");
    }
}

/// What the path or the body binds is not taken from the query.
#[test]
fn paths_and_bodies_go_before_queries() {
    let rules = [
        HttpRule::new("GET", "/a/{text}"),
        HttpRule::new("PUT", "/a/{id}").body("sub"),
        HttpRule::new("POST", "/a/{id}").body("*"),
    ];
    let router = router_with(gateway(), rules);
    #[rustfmt::skip]
    let rows = [
        ("GET", "text=b&x=c", "", r#"{"x":"c","text":"a"}"#),
        ("PUT", "sub.count=1&id=b&x=c", r#"{"subfield":"d"}"#, r#"{"sub":{"subfield":"d"},"x":"c","id":"a"}"#),
        ("POST", "x=c&id=b", r#"{"y":"d","id":"e"}"#, r#"{"y":"d","id":"a"}"#),
    ];
    for (method, query, body, wanted) in rows {
        let got = bind(&router, method, "/a/a", Request::new().query(query).body(body.as_bytes()));
        assert_eq!(got.as_deref(), Ok(wanted), "{method}");
    }
}

#[test]
fn the_last_rule_goes_first() {
    let rules = ["/p/{x=**}", "/p/a/{y}", "/p/a/b", "/q/a/b", "/q/a/{y}", "/q/{x=**}", "/v/{x}:go", "/v/{x}"];
    let router = router_with(gateway(), rules.map(|template| HttpRule::new("GET", template)));
    for (path, wanted) in [
        ("/p/a/b", "/p/a/b"),
        ("/p/a/c", "/p/a/{y}"),
        ("/p/x", "/p/{x=**}"),
        ("/q/a/b", "/q/{x=**}"),
        ("/q/a/c", "/q/{x=**}"),
        ("/v/a:go", "/v/{x}"),
    ] {
        let found = router.find(&Method::GET, path).unwrap();
        assert_eq!(found.route().template().as_str(), wanted, "{path}");
    }
    let error = router.find(&Method::PUT, "/p/a/b").unwrap_err();
    assert_eq!((error.status().as_u16(), error.allow()), (405, &[Method::GET, Method::HEAD][..]));
    assert_eq!(router.find(&Method::GET, "/r").unwrap_err().status(), 404);
}

/// `EmitUnpopulated`: `null` for messages, nothing for oneofs and fields that are optional.
#[test]
fn members_that_are_not_set() {
    let fields = [
        "sub",
        "time",
        "duration",
        "mask",
        "int64_value",
        "struct",
        "value",
        "values",
        "any",
        "maybe",
        "big",
    ];
    let rules = fields.iter().map(|field| HttpRule::new("GET", &format!("/{field}")).response_body(field));
    let router = router_with(gateway(), rules.chain([HttpRule::new("GET", "/all")]));
    let print = |path: &str, message: &[u8]| {
        let mut out = Vec::new();
        let content =
            router.find(&Method::GET, path).unwrap().route().respond(router.options(), message, &mut out);
        assert_eq!(content.unwrap(), Content::Json);
        String::from_utf8(out).unwrap()
    };
    let wanted = concat!(
        r#"{"x":"a","y":"","id":"","intField":0,"sub":null,"p":[],"color":"COLOR_UNSPECIFIED","time":null,"#,
        r#""duration":null,"mask":null,"int64Value":null,"stringValue":null,"boolValue":null,"bytesValue":null,"#,
        r#""data":"","m":{},"subs":{},"list":[],"ratio":0,"smallRatio":0,"flag":false,"big":"0","signed":"0","fixed":0,"#,
        r#""numbers":[],"any":null,"struct":null,"doubleValue":null,"colors":[],"times":[],"value":null,"values":null,"#,
        r#""null":null}"#
    );
    assert_eq!(print("/all", b"\x0a\x01a"), wanted);
    let sub = r#"{"subfield":"","inner":null,"count":"0","stamp":null}"#;
    let wanted = [
        sub,
        r#""1970-01-01T00:00:00Z""#,
        r#""0s""#,
        r#""""#,
        r#""0""#,
        "{}",
        "null",
        "[]",
        "{}",
        "null",
        r#""0""#,
    ];
    for (field, wanted) in fields.iter().zip(wanted) {
        assert_eq!(print(&format!("/{field}"), b""), wanted, "{field}");
    }
}
