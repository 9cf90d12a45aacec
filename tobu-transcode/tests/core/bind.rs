//! Cases 17 to 20: what of a request becomes which field, and what of a response the body.

use super::{bind, router, router_with};
use http::{HeaderMap, Method};
use tobu::json;
use tobu_transcode::{Content, HttpRule, Request, Router, RouterBuilder, TranscodeOptions};

#[test]
fn a_field_comes_from_one_place() {
    let all = router([HttpRule::new("POST", "/a/{id}").body("*")]);
    let sub = router([HttpRule::new("POST", "/a/{sub.subfield}").body("sub")]);
    let none = router([HttpRule::new("GET", "/a/{id}")]);
    let choice = router([HttpRule::new("POST", "/a/{text}").body("message")]);
    let query_and_choice = router([HttpRule::new("POST", "/a").body("message")]);
    let request = Request::new();
    let all_twice = "400 the field id is bound by the path, and the body has another value";
    let sub_twice = "400 the field sub.subfield is bound by the path, and the body has another value";
    #[rustfmt::skip]
    let rows: &[(&Router, &str, Request<'_>, Result<&str, &str>)] = &[
        (&all, "POST /a/1", request.body(br#"{"x":"b"}"#), Ok(r#"{"x":"b","id":"1"}"#)),
        (&all, "POST /a/1", request.body(br#"{"x":"b","id":"1"}"#), Ok(r#"{"x":"b","id":"1"}"#)),
        (&all, "POST /a/1", request.body(br#"{"x":"b","id":"2"}"#), Err(all_twice)),
        (&all, "POST /a/1", request.body(b""), Ok(r#"{"id":"1"}"#)),
        (&all, "POST /a/1", request.query("x=1").body(b"{}"),
         Err(r#"400 the query parameter "x": all fields that the path does not bind come from the body"#)),
        (&sub, "POST /a/1", request.body(br#"{"count":"2"}"#), Ok(r#"{"sub":{"subfield":"1","count":"2"}}"#)),
        (&sub, "POST /a/1", request.body(br#"{"subfield":"2"}"#), Err(sub_twice)),
        (&sub, "POST /a/1", request.body(br#"{"subfield":"1"}"#), Ok(r#"{"sub":{"subfield":"1"}}"#)),
        (&sub, "POST /a/1", request.query("sub.count=2").body(b"{}"),
         Err(r#"400 the query parameter "sub.count": the field sub is bound by the body"#)),
        (&sub, "POST /a/1", request.query("x=2").body(b"{}"), Ok(r#"{"x":"2","sub":{"subfield":"1"}}"#)),
        (&none, "GET /a/1", request.body(b"{}"), Err("400 the request has a body, but the rule has none")),
        (&none, "GET /a/1", request.query("id=admin"),
         Err(r#"400 the query parameter "id": the field id is bound by the path"#)),
        (&choice, "POST /a/1", request.body(b"{}"),
         Err("400 the field text is bound by the path, and the body has another value")),
        (&query_and_choice, "POST /a", request.query("number=1").body(b"{}"),
         Err("400 the fields number and message are both of the oneof choice")),
    ];
    for (router, line, request, wanted) in rows {
        let (method, path) = line.split_once(' ').unwrap();
        let got = bind(router, method, path, *request);
        assert_eq!(got.as_deref().map_err(String::as_str), *wanted, "{line} {request:?}");
    }

    // Where the path goes before the body, a default of its own does, too.
    for options in [TranscodeOptions::envoy(), TranscodeOptions::grpc_gateway(), TranscodeOptions::vanguard()]
    {
        let rules =
            [HttpRule::new("POST", "/a/{id}").body("*"), HttpRule::new("POST", "/i/{int_field}").body("*")];
        let lenient = router_with(options, rules);
        let got = bind(&lenient, "POST", "/a/1", request.body(br#"{"id":"2"}"#));
        assert_eq!(got.unwrap(), r#"{"id":"1"}"#);
        let got = bind(&lenient, "POST", "/i/0", request.body(br#"{"intField":2,"x":"a"}"#));
        assert_eq!(got.unwrap(), r#"{"x":"a"}"#);
    }
    for options in [TranscodeOptions::envoy(), TranscodeOptions::grpc_gateway()] {
        let lenient = router_with(options, [HttpRule::new("GET", "/a/{id}")]);
        assert_eq!(bind(&lenient, "GET", "/a/1", request.body(b"{}")).unwrap(), r#"{"id":"1"}"#);
    }
}

#[test]
fn values_of_the_path() {
    let router = router([
        HttpRule::new("GET", "/i/{int_field}"),
        HttpRule::new("POST", "/i/{int_field}").body("*"),
        HttpRule::new("GET", "/c/{color}"),
        HttpRule::new("GET", "/s/{sub.inner.subfield=a/*}/{sub.count}"),
        HttpRule::new("GET", "/n/{number}"),
        HttpRule::new("GET", "/r/{x=**}"),
    ]);
    let rows = [
        ("GET /i/abc", Err(r#"400 the path: the field int_field: "abc" is not an int32"#)),
        ("POST /i/abc", Err(r#"400 the path: the field int_field: "abc" is not an int32"#)),
        ("GET /i/-7", Ok(r#"{"intField":-7}"#)),
        ("GET /c/COLOR_RED", Ok(r#"{"color":"COLOR_RED"}"#)),
        ("GET /c/red", Err(r#"400 the path: the field color: "red" is not a value of shapes.Color"#)),
        ("GET /s/a/b/5", Ok(r#"{"sub":{"inner":{"subfield":"a/b"},"count":"5"}}"#)),
        ("GET /n/0", Ok(r#"{"number":0}"#)),
        ("GET /r", Ok("{}")),
    ];
    for (line, wanted) in rows {
        let (method, path) = line.split_once(' ').unwrap();
        let body: &[u8] = if method == "POST" { b"{}" } else { b"" };
        let got = bind(&router, method, path, Request::new().body(body));
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{line}");
    }
}

/// Messages that are one string in JSON are that string in a path.
#[test]
fn well_known_types_in_the_path() {
    let names = [
        "time",
        "duration",
        "mask",
        "int64_value",
        "string_value",
        "bool_value",
        "bytes_value",
        "double_value",
    ];
    let rules = names.iter().flat_map(|name| {
        [
            HttpRule::new("GET", &format!("/{name}/{{{name}}}")),
            HttpRule::new("POST", &format!("/{name}/{{{name}}}")).body("*"),
        ]
    });
    let router = router(rules.chain([HttpRule::new("GET", "/any/{string_value=**}")]));
    #[rustfmt::skip]
    let rows = [
        ("time/2020-01-02T03:04:05.006Z", Ok(r#"{"time":"2020-01-02T03:04:05.006Z"}"#)),
        ("time/2020-01-02T03%3A04%3A05%2B01:00", Ok(r#"{"time":"2020-01-02T02:04:05Z"}"#)),
        ("time/1970-01-01T00:00:00Z", Ok(r#"{"time":"1970-01-01T00:00:00Z"}"#)),
        ("time/now", Err(r#"400 the path: the field time: "now" is not a timestamp: it is not of the form 1972-01-01T10:00:20.021Z"#)),
        ("time/null", Err(r#"400 the path: the field time: "null" is not a timestamp: it is not of the form 1972-01-01T10:00:20.021Z"#)),
        ("duration/3.5s", Ok(r#"{"duration":"3.500s"}"#)),
        ("duration/1h", Err(r#"400 the path: the field duration: "1h" is not a duration: it is not of the form -1.5s"#)),
        ("mask/a,fooBar.b", Ok(r#"{"mask":"a,fooBar.b"}"#)),
        ("mask/a%2Cb", Ok(r#"{"mask":"a,b"}"#)),
        ("int64_value/-5", Ok(r#"{"int64Value":"-5"}"#)),
        ("int64_value/0", Ok(r#"{"int64Value":"0"}"#)),
        ("int64_value/null", Err(r#"400 the path: the field int64_value: "null" is not an int64"#)),
        ("string_value/a%2Fb", Ok(r#"{"stringValue":"a/b"}"#)),
        ("bool_value/true", Ok(r#"{"boolValue":true}"#)),
        ("bytes_value/_-8", Ok(r#"{"bytesValue":"/+8="}"#)),
        ("double_value/NaN", Ok(r#"{"doubleValue":"NaN"}"#)),
        ("any/a/b", Ok(r#"{"stringValue":"a/b"}"#)),
    ];
    for (path, wanted) in rows {
        let got = bind(&router, "GET", &format!("/{path}"), Request::new());
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{path}");
    }
    // The path and a body, and the path and a query.
    #[rustfmt::skip]
    let rows = [
        ("time/1970-01-01T00:00:01Z", r#"{"time":"1970-01-01T00:00:01Z","x":"a"}"#, Ok(r#"{"x":"a","time":"1970-01-01T00:00:01Z"}"#)),
        ("time/1970-01-01T00:00:01Z", r#"{"time":"1970-01-01T00:00:01.5Z"}"#, Err("400 the field time is bound by the path, and the body has another value")),
        ("int64_value/0", r#"{"int64Value":0}"#, Ok(r#"{"int64Value":"0"}"#)),
        ("int64_value/0", r#"{"int64Value":1}"#, Err("400 the field int64_value is bound by the path, and the body has another value")),
        ("mask/a", r#"{"mask":"a"}"#, Ok(r#"{"mask":"a"}"#)),
        ("mask/a", r#"{"mask":"a,b"}"#, Err("400 the field mask is bound by the path, and the body has another value")),
    ];
    for (path, body, wanted) in rows {
        let got = bind(&router, "POST", &format!("/{path}"), Request::new().body(body.as_bytes()));
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{path} {body}");
    }
    let part = self::router([HttpRule::new("GET", "/part/{time.seconds}")]);
    for (router, path, query, field) in [
        (&router, "/time/1970-01-01T00:00:01Z", "time", "time"),
        (&router, "/time/1970-01-01T00:00:01Z", "time.nanos", "time.nanos"),
        (&part, "/part/1", "time.seconds", "time.seconds"),
        (&part, "/part/1", "time", "time"),
    ] {
        let value = if query == "time" { "1970-01-01T00:00:01Z" } else { "1" };
        let got = bind(router, "GET", path, Request::new().query(&format!("{query}={value}")));
        let wanted = format!(r#"400 the query parameter "{query}": the field {field} is bound by the path"#);
        assert_eq!(got, Err(wanted), "{path} {query}");
    }
    let got = bind(&part, "GET", "/part/1", Request::new().query("time.nanos=5"));
    assert_eq!(got.unwrap(), r#"{"time":"1970-01-01T00:00:01.000000005Z"}"#);
    // Where the path goes before the body, nothing of the message in the body is left.
    for options in [TranscodeOptions::envoy(), TranscodeOptions::grpc_gateway(), TranscodeOptions::vanguard()]
    {
        let rules = names.iter().map(|name| HttpRule::new("POST", &format!("/{name}/{{{name}}}")).body("*"));
        let deep = HttpRule::new("POST", "/deep/{sub.stamp}").body("*");
        let deep_alone = HttpRule::new("POST", "/sub/{sub.stamp}").body("sub");
        let lenient = router_with(options, rules.chain([deep, deep_alone]));
        #[rustfmt::skip]
        let rows = [
            ("time/1970-01-01T00:00:01Z", r#"{"x":"a","time":"1970-01-01T00:00:02.5Z","id":"b"}"#, r#"{"x":"a","id":"b","time":"1970-01-01T00:00:01Z"}"#),
            ("duration/0s", r#"{"duration":"5s"}"#, r#"{"duration":"0s"}"#),
            ("mask/a", r#"{"mask":"b,c"}"#, r#"{"mask":"a"}"#),
            ("int64_value/0", r#"{"int64Value":"7"}"#, r#"{"int64Value":"0"}"#),
            ("string_value/a", r#"{"x":"y"}"#, r#"{"x":"y","stringValue":"a"}"#),
            ("deep/1970-01-01T00:00:01Z", r#"{"sub":{"count":"1","stamp":"1970-01-01T00:00:02.5Z"},"id":"b"}"#,
             r#"{"id":"b","sub":{"count":"1","stamp":"1970-01-01T00:00:01Z"}}"#),
            ("sub/1970-01-01T00:00:01Z", r#"{"count":"1","stamp":"1970-01-01T00:00:02.5Z"}"#,
             r#"{"sub":{"count":"1","stamp":"1970-01-01T00:00:01Z"}}"#),
        ];
        for (path, body, wanted) in rows {
            let got = bind(&lenient, "POST", &format!("/{path}"), Request::new().body(body.as_bytes()));
            assert_eq!(got.as_deref(), Ok(wanted), "{path} {body}");
        }
    }
}

#[test]
fn bodies_of_all_shapes() {
    let fields = ["p", "list", "m", "x", "numbers", "color", "time", "struct", "int64_value", "any"];
    let router = router(fields.iter().map(|field| HttpRule::new("POST", &format!("/{field}")).body(field)));
    let rows = [
        ("/p", r#"["a", "b"]"#, Ok(r#"{"p":["a","b"]}"#)),
        ("/p", "[]", Ok("{}")),
        ("/list", r#"[{"subfield": "a"}, {}]"#, Ok(r#"{"list":[{"subfield":"a"},{}]}"#)),
        ("/m", r#"{"a": 1}"#, Ok(r#"{"m":{"a":1}}"#)),
        ("/x", r#""a""#, Ok(r#"{"x":"a"}"#)),
        ("/numbers", "[1, 2]", Ok(r#"{"numbers":[1,2]}"#)),
        ("/color", r#""COLOR_RED""#, Ok(r#"{"color":"COLOR_RED"}"#)),
        ("/time", r#""1970-01-01T00:00:01Z""#, Ok(r#"{"time":"1970-01-01T00:00:01Z"}"#)),
        ("/struct", r#"{"a": [1]}"#, Ok(r#"{"struct":{"a":[1]}}"#)),
        ("/int64_value", "5", Ok(r#"{"int64Value":"5"}"#)),
        ("/x", "null", Ok("{}")),
        // No way to bring more fields than the one.
        ("/x", r#""a", "y": "b""#, Err("400 the body: trailing characters at line 1 column 4")),
        ("/p", "[], \"y\": \"b\"", Err("400 the body: trailing characters at line 1 column 3")),
        (
            "/numbers",
            "[1,\n  \"a\"]",
            Err(
                "400 the body: shapes.Shape.numbers[1]: expected an int32, but found the string \"a\" (at line 2 column 3)",
            ),
        ),
        (
            "/struct",
            "[]",
            Err(
                "400 the body: google.protobuf.Struct.fields: expected a map, but found a list (at line 1 column 1)",
            ),
        ),
    ];
    for (path, body, wanted) in rows {
        let got = bind(&router, "POST", path, Request::new().body(body.as_bytes()));
        assert_eq!(got.as_deref().map_err(String::as_str), wanted, "{path} {body}");
    }
}

#[test]
fn wrong_bodies() {
    let all = router([HttpRule::new("POST", "/a").body("*")]);
    let rows = [
        (r#"{"nope": 1}"#, r#"400 the body: shapes.Shape: unknown field "nope" (at line 1 column 2)"#),
        (
            "{",
            "400 the body: shapes.Shape: expected the name of a member, but the input ends (at line 1 column 2)",
        ),
        (
            r#"{"x":"a"} x"#,
            "400 the body: shapes.Shape: expected the end of the input, but found `x` (at line 1 column 11)",
        ),
    ];
    for (body, wanted) in rows {
        let got = bind(&all, "POST", "/a", Request::new().body(body.as_bytes()));
        assert_eq!(got.unwrap_err(), wanted);
    }
    let lenient = router_with(TranscodeOptions::vanguard(), [HttpRule::new("POST", "/a").body("*")]);
    assert_eq!(bind(&lenient, "POST", "/a", Request::new().body(br#"{"nope":1}"#)).unwrap(), "{}");
}

fn library() -> RouterBuilder {
    Router::builder().service(&tobu_transcode_schemas::pool().service("library.v1.Library").unwrap())
}

/// The length of a body as a field has as many digits as it needs, whatever the JSON's has.
#[test]
fn bodies_of_all_lengths() {
    let router = library().build().unwrap();
    let found = router.find(&Method::POST, "/v1/shelves/1/books").unwrap();
    for len in (90..140).chain(16_300..16_400) {
        // JSON is longer than what it becomes, or the other way round.
        let title = format!(r#"{{"title":"{}"}}"#, "a".repeat(len));
        let copies: Vec<String> = (0..len / 16).map(|number| format!(r#""{number:x}":-1"#)).collect();
        let copies = format!(r#"{{"copies":{{{}}}}}"#, copies.join(","));
        for body in [title, copies] {
            let mut book = Vec::new();
            let input = router.routes().find(|route| route.method().name() == "CreateBook").unwrap();
            let descriptor = input.method().input().field_by_name("book").unwrap().message_type().unwrap();
            tobu::convert::json_to_wire(&descriptor, body.as_bytes(), &mut book).unwrap();
            let mut wanted = tobu::wire::Writer::new();
            wanted.tag(tobu::wire::Tag::new(3, tobu::wire::WireType::Len));
            wanted.len_prefixed(&book);
            wanted.tag(tobu::wire::Tag::new(1, tobu::wire::WireType::Len));
            wanted.len_prefixed(b"shelves/1");
            let mut message = Vec::new();
            found.bind(&Request::new().body(body.as_bytes()), &mut message).unwrap();
            assert_eq!(message, wanted.finish().unwrap(), "{len}");
        }
    }
}

#[test]
fn update_masks() {
    let router = library().build().unwrap();
    let path = "/v1/shelves/1/books/2";
    let name = r#""name":"shelves/1/books/2""#;
    #[rustfmt::skip]
    let rows = [
        (r#"{"title":"a","author":{"birthYear":1,"full_name":"b"},"tags":["c"],"copies":{"d":1}}"#, "",
         "author.birthYear,author.fullName,copies,tags,title"),
        (r#"{"pageCount":0,"acquireTime":"1970-01-01T00:00:01Z"}"#, "", "acquireTime,pageCount"),
        (r#"{"title":null,"author":{}}"#, "", "author,title"),
        (r#"{"others":[{"fullName":"a"}]}"#, "", "others"),
        // The field that the path binds tells which book is meant.
        (r#"{"title":"a","name":"shelves/1/books/2"}"#, "", "title"),
        (r#"{"title":"a","tags":["c"]}"#, "update_mask=title", "title"),
        (r#"{"title":"a","tags":["c"]}"#, "updateMask=page_count,title", "pageCount,title"),
        (r#"{"title":"a"}"#, "updateMask.paths=tags", "tags"),
    ];
    for (body, query, mask) in rows {
        let got = bind(&router, "PATCH", path, Request::new().query(query).body(body.as_bytes())).unwrap();
        let tail = format!(r#""updateMask":"{mask}"}}"#);
        assert!(got.contains(name) && got.ends_with(&tail), "{body}: {got}");
    }
    for body in ["", "{}"] {
        let got = bind(&router, "PATCH", path, Request::new().body(body.as_bytes())).unwrap();
        assert_eq!(got, format!(r#"{{"book":{{{name}}}}}"#));
    }
}

#[test]
fn responses() {
    let mut router = library().build().unwrap();
    let method = tobu_transcode_schemas::pool().method("shapes.Shapes.Call").unwrap();
    for field in ["x", "sub", "p", "m", "list", "time", "flag", "maybe", "color"] {
        let rule = HttpRule::new("GET", &format!("/shape/{field}")).response_body(field);
        router.add_rule(&method, &rule).unwrap();
    }
    let shape = |json: &str| {
        let mut wire = Vec::new();
        tobu::convert::json_to_wire(&method.output(), json.as_bytes(), &mut wire).unwrap();
        wire
    };
    let full = shape(
        r#"{"x":"a","p":["b","c"],"m":{"k":1},"list":[{"subfield":"d"}],"sub":{"count":1},"flag":true,
            "time":"1970-01-01T00:00:01Z","maybe":"e","color":"COLOR_RED"}"#,
    );
    let books = b"\x0a\x06\x12\x04Dune\x12\x01n\x0a\x06\x12\x04Emma".to_vec();
    let mut split = shape(r#"{"sub":{"subfield":"a"}}"#);
    split.extend(shape(r#"{"x":"between"}"#));
    split.extend(shape(r#"{"sub":{"count":"1"}}"#));
    let rows = [
        (
            "/v1/shelves/1/books",
            books.clone(),
            r#"{"books":[{"title":"Dune"},{"title":"Emma"}],"nextPageToken":"n"}"#,
        ),
        ("/v1/shelves/1/titles", books, r#"[{"title":"Dune"},{"title":"Emma"}]"#),
        ("/v1/shelves/1/titles", Vec::new(), "[]"),
        ("/shape/x", full.clone(), r#""a""#),
        ("/shape/x", Vec::new(), r#""""#),
        ("/shape/p", full.clone(), r#"["b","c"]"#),
        ("/shape/m", full.clone(), r#"{"k":1}"#),
        ("/shape/m", Vec::new(), "{}"),
        ("/shape/list", full.clone(), r#"[{"subfield":"d"}]"#),
        ("/shape/sub", full.clone(), r#"{"count":"1"}"#),
        ("/shape/sub", split, r#"{"subfield":"a","count":"1"}"#),
        ("/shape/sub", Vec::new(), "{}"),
        ("/shape/time", full.clone(), r#""1970-01-01T00:00:01Z""#),
        ("/shape/time", Vec::new(), "null"),
        ("/shape/flag", full.clone(), "true"),
        ("/shape/flag", Vec::new(), "false"),
        ("/shape/maybe", full.clone(), r#""e""#),
        ("/shape/maybe", Vec::new(), "null"),
        ("/shape/color", full, r#""COLOR_RED""#),
    ];
    for (path, wire, wanted) in rows {
        let found = router.find(&Method::GET, path).unwrap();
        let mut json = b"before".to_vec();
        let content = found.route().respond(router.options(), &wire, &mut json).unwrap();
        assert_eq!(content, Content::Json);
        assert_eq!(String::from_utf8(json).unwrap(), format!("before{wanted}"), "{path}");
    }

    let found = router.find(&Method::GET, "/v1/shelves/1").unwrap();
    let mut json = b"before".to_vec();
    let error = found.route().respond(router.options(), b"\x0a\x05ab", &mut json).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the response: library.v1.Shelf.name: length of 5 bytes, but only 2 bytes are left (at byte 2)"
    );
    assert_eq!((error.status().as_u16(), &json[..]), (500, &b"before"[..]));

    let options = TranscodeOptions::grpc_gateway();
    let mut json = Vec::new();
    found.route().respond(&options, b"", &mut json).unwrap();
    assert_eq!(json, br#"{"name":"","theme":""}"#);
}

/// What is not there is printed as the options print it.
#[test]
fn responses_that_are_not_set() {
    let fields = [
        "x",
        "sub",
        "p",
        "m",
        "list",
        "time",
        "int64_value",
        "struct",
        "any",
        "flag",
        "maybe",
        "color",
        "text",
        "message",
        "big",
    ];
    let plain = json::Options::new();
    let defaults = r#"{"subfield":"","count":"0"}"#;
    #[rustfmt::skip]
    let rows = [
        (plain.clone(), ["\"\"", "{}", "[]", "{}", "[]", "null", "null", "null", "null", "false", "null", "\"COLOR_UNSPECIFIED\"", "null", "{}", "\"0\""]),
        (plain.clone().emit_defaults(true), ["\"\"", defaults, "[]", "{}", "[]", "null", "null", "null", "null", "false", "null", "\"COLOR_UNSPECIFIED\"", "null", defaults, "\"0\""]),
        (plain.emit_defaults(true).enums_as_integers(true).int64_as_numbers(true),
         ["\"\"", r#"{"subfield":"","count":0}"#, "[]", "{}", "[]", "null", "null", "null", "null", "false", "null", "0", "null", r#"{"subfield":"","count":0}"#, "0"]),
    ];
    for (options, wanted) in rows {
        let options = TranscodeOptions::new().response_json(options);
        let rules =
            fields.iter().map(|field| HttpRule::new("GET", &format!("/{field}")).response_body(field));
        let router = router_with(options, rules);
        for (field, wanted) in fields.iter().zip(wanted) {
            let path = format!("/{field}");
            let found = router.find(&Method::GET, &path).unwrap();
            let mut out = Vec::new();
            let content = found.route().respond(router.options(), b"", &mut out).unwrap();
            assert_eq!(
                (content, String::from_utf8(out).unwrap().as_str()),
                (Content::Json, wanted),
                "{field}"
            );
        }
    }
    // A part of it, and a message whose fields must be set.
    let options =
        TranscodeOptions::new().fields(true).response_json(json::Options::new().emit_defaults(true));
    let router = router_with(options, [HttpRule::new("GET", "/sub").response_body("sub")]);
    let found = router.find(&Method::GET, "/sub").unwrap();
    let part = found.route().response_fields(router.options(), "fields=count", &HeaderMap::new()).unwrap();
    let mut out = Vec::new();
    found.route().respond_fields(router.options(), part.as_ref(), b"", &mut out).unwrap();
    assert_eq!(out, br#"{"count":"0"}"#);
    let text =
        "syntax = 'proto2'; package a; message M { optional R r = 1; } message R { required int32 n = 1; }
        service S { rpc Call(M) returns (M); }";
    let method = tobu_transcode_schemas::pool_of("a.proto", text).method("a.S.Call").unwrap();
    let mut router = Router::default();
    router.add_rule(&method, &HttpRule::new("GET", "/r").response_body("r")).unwrap();
    let mut out = Vec::new();
    router.find(&Method::GET, "/r").unwrap().route().respond(router.options(), b"", &mut out).unwrap();
    assert_eq!(out, b"{}");
}

#[test]
fn bytes_of_any_type() {
    let router = library().build().unwrap();
    let png = Request::new().body(b"\x89PNG").content_type("image/png");
    let got = bind(&router, "PUT", "/v1/shelves/1/books/2/cover", png).unwrap();
    assert_eq!(got, r#"{"cover":{"contentType":"image/png","data":"iVBORw=="},"name":"shelves/1/books/2"}"#);
    let got = bind(&router, "PUT", "/v1/shelves/1/books/2/cover", Request::new()).unwrap();
    assert_eq!(got, r#"{"name":"shelves/1/books/2"}"#);

    let found = router.find(&Method::GET, "/v1/shelves/1/books/2/cover").unwrap();
    let mut out = Vec::new();
    let content =
        found.route().respond(router.options(), b"\x0a\x09image/png\x12\x04\x89PNG", &mut out).unwrap();
    assert_eq!((content, &out[..]), (Content::Raw("image/png".into()), &b"\x89PNG"[..]));

    let mut raw = Router::default();
    let method = tobu_transcode_schemas::pool().method("shapes.Shapes.Raw").unwrap();
    raw.add_rule(&method, &HttpRule::new("POST", "/raw").body("*")).unwrap();
    let got = bind(&raw, "POST", "/raw", Request::new().body(b"{not json").content_type("text/plain"));
    assert_eq!(got.unwrap(), r#"{"contentType":"text/plain","data":"e25vdCBqc29u"}"#);
}

#[test]
fn further_messages_of_a_stream() {
    let router = library().build().unwrap();
    let found = router.find(&Method::POST, "/v1/shelves/1/books:import").unwrap();
    let mut wire = Vec::new();
    found.bind_next(br#"{"title":"Dune"}"#, &mut wire).unwrap();
    assert_eq!(wire, b"\x1a\x06\x12\x04Dune");
    let error = found.bind_next(b"{", &mut wire).unwrap_err();
    assert_eq!(error.status(), 400);
    assert_eq!(wire, b"\x1a\x06\x12\x04Dune");
}
