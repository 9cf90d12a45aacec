//! Cases 15 to 20: what of a request becomes which field, and what of a response the body.

use super::{bind, router, router_with};
use http::Method;
use tobu_transcode::{Content, HttpRule, Options, Request, Router, RouterBuilder};

/// For each query of `GET /q/1` the message, of which `{}` is one with no more than `id`, or the error.
fn check_queries(options: Options, rows: &[(&str, Result<&str, &str>)]) {
    let router = router_with(options, [HttpRule::new("GET", "/q/{id}")]);
    for (query, wanted) in rows {
        let got = bind(&router, "GET", "/q/1", Request::new().query(query));
        let wanted = match wanted {
            Ok("{}") => Ok(r#"{"id":"1"}"#.to_owned()),
            Ok(json) => Ok((*json).to_owned()),
            Err(error) => Err(format!("400 {error}")),
        };
        assert_eq!(got, wanted, "{query}");
    }
}

/// The message of a query alone.
fn query(options: Options, text: &str) -> Result<String, String> {
    let router = router_with(options, [HttpRule::new("GET", "/q/{flag}")]);
    bind(&router, "GET", "/q/false", Request::new().query(text))
}

#[test]
fn queries() {
    let rows = [
        ("", "{}"),
        ("&&", "{}"),
        ("x=a%20b+c", r#"{"x":"a b c"}"#),
        ("x", "{}"),
        ("sub.subfield=foo", r#"{"sub":{"subfield":"foo"}}"#),
        (
            "sub.subfield=foo&x=a&sub.inner.count=5",
            r#"{"x":"a","sub":{"subfield":"foo","inner":{"count":"5"}}}"#,
        ),
        ("p=A&p=B", r#"{"p":["A","B"]}"#),
        ("p=", r#"{"p":[""]}"#),
        ("numbers=1&numbers=0&numbers=-3", r#"{"numbers":[1,0,-3]}"#),
        ("color=COLOR_RED", r#"{"color":"COLOR_RED"}"#),
        ("color=2", r#"{"color":"COLOR_BLUE"}"#),
        ("color=7", r#"{"color":7}"#),
        ("colors=COLOR_RED&colors=0", r#"{"colors":["COLOR_RED","COLOR_UNSPECIFIED"]}"#),
        ("int_field=5", r#"{"intField":5}"#),
        ("intField=-5", r#"{"intField":-5}"#),
        ("int_field=0", "{}"),
        ("maybe=", r#"{"maybe":""}"#),
        ("time=2020-01-02T03:04:05.006Z", r#"{"time":"2020-01-02T03:04:05.006Z"}"#),
        (
            "times=1970-01-01T00:00:00Z&times=1970-01-01T00:00:01Z",
            r#"{"times":["1970-01-01T00:00:00Z","1970-01-01T00:00:01Z"]}"#,
        ),
        ("duration=3.000000001s", r#"{"duration":"3.000000001s"}"#),
        ("mask=foo,bar.baz", r#"{"mask":"foo,bar.baz"}"#),
        ("mask=fooBar,sub_field.a", r#"{"mask":"fooBar,subField.a"}"#),
        ("mask=", r#"{"mask":""}"#),
        ("int64_value=5", r#"{"int64Value":"5"}"#),
        // Messages of other forms are given by their fields, as any others are.
        ("value.stringValue=a", r#"{"value":"a"}"#),
        ("value.number_value=1.5", r#"{"value":1.5}"#),
        ("value.nullValue=null", r#"{"value":null}"#),
        ("value.nullValue=NULL_VALUE", r#"{"value":null}"#),
        ("null=null", "{}"),
        (
            "any.typeUrl=type.googleapis.com/google.protobuf.Duration&any.value=CAE",
            r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}"#,
        ),
        ("int64_value=0", r#"{"int64Value":"0"}"#),
        ("string_value=null", r#"{"stringValue":"null"}"#),
        ("bool_value=false", r#"{"boolValue":false}"#),
        ("double_value=-1.5e3", r#"{"doubleValue":-1500}"#),
        ("bytes_value=_-8", r#"{"bytesValue":"/+8="}"#),
        ("data=AQI%3D", r#"{"data":"AQI="}"#),
        ("data=AQI", r#"{"data":"AQI="}"#),
        ("data=%2B%2F8", r#"{"data":"+/8="}"#),
        ("m[a.b]=1&m[c]=2", r#"{"m":{"a.b":1,"c":2}}"#),
        ("m%5Ba%5D=0", r#"{"m":{"a":0}}"#),
        ("text=a", r#"{"text":"a"}"#),
        ("text=", r#"{"text":""}"#),
        ("message.subfield=a&message.count=2", r#"{"message":{"subfield":"a","count":"2"}}"#),
        ("ratio=NaN", r#"{"ratio":"NaN"}"#),
        ("ratio=1e3", r#"{"ratio":1000}"#),
        ("small_ratio=-Infinity", r#"{"smallRatio":"-Infinity"}"#),
        ("big=18446744073709551615", r#"{"big":"18446744073709551615"}"#),
        ("signed=-2", r#"{"signed":"-2"}"#),
        ("fixed=4294967295", r#"{"fixed":4294967295}"#),
        ("x=a=b", r#"{"x":"a=b"}"#),
    ];
    for (text, wanted) in rows {
        assert_eq!(query(Options::new(), text).as_deref(), Ok(wanted), "{text}");
    }
    assert_eq!(query(Options::envoy(), "x=a+b").as_deref(), Ok(r#"{"x":"a+b"}"#));
}

#[test]
fn wrong_queries() {
    check_queries(
        Options::new(),
        &[
            ("x=1&x=2", Err(r#"the query parameter "x" is given twice"#)),
            ("intField=1&int_field=1", Err(r#"the query parameter "int_field" is given twice"#)),
            ("m[a]=1&m[a]=2", Err(r#"the query parameter "m[a]" is given twice"#)),
            (
                "time=1970-01-01T00:00:00Z&time.nanos=1",
                Err(r#"the query parameter "time.nanos" is given twice"#),
            ),
            ("text=a&number=1", Err("the fields text and number are both of the oneof choice")),
            ("text=a&message.count=1", Err("the fields text and message are both of the oneof choice")),
            (
                "list.subfield=a",
                Err(r#"the query parameter "list.subfield": the field shapes.Shape.list is repeated"#),
            ),
            (
                "list=a",
                Err(
                    r#"the query parameter "list": a shapes.Sub has no form in a path or query; it goes into the body"#,
                ),
            ),
            (
                "sub=a",
                Err(
                    r#"the query parameter "sub": a shapes.Sub has no form in a path or query; name a field in it"#,
                ),
            ),
            (
                "struct=a",
                Err(
                    r#"the query parameter "struct": a google.protobuf.Struct has no form in a path or query; it goes into the body"#,
                ),
            ),
            (
                "struct.fields[a]=1",
                Err(
                    r#"the query parameter "struct.fields[a]": a google.protobuf.Value has no form in a path or query; it goes into the body"#,
                ),
            ),
            (
                "value=1",
                Err(
                    r#"the query parameter "value": a google.protobuf.Value has no form in a path or query; name a field in it"#,
                ),
            ),
            (
                "values=[1]",
                Err(
                    r#"the query parameter "values": a google.protobuf.ListValue has no form in a path or query; it goes into the body"#,
                ),
            ),
            (
                "any={}",
                Err(
                    r#"the query parameter "any": a google.protobuf.Any has no form in a path or query; name a field in it"#,
                ),
            ),
            (
                "value.stringValue=a&value.boolValue=true",
                Err("the fields string_value and bool_value are both of the oneof kind"),
            ),
            ("color=null", Err(r#"the query parameter "color": "null" is no value of shapes.Color"#)),
            (
                "m=1",
                Err(
                    r#"the query parameter "m": the field shapes.Shape.m is a map: its name needs a key in brackets"#,
                ),
            ),
            ("m.a=1", Err(r#"the query parameter "m.a": the field shapes.Shape.m is a map"#)),
            ("m[a=1", Err(r#"the query parameter "m[a": a bracket is not closed at the end of the name"#)),
            (
                "p[0]=1",
                Err(r#"the query parameter "p[0]": the field shapes.Shape.p is no map, and takes no key"#),
            ),
            ("subs[a]=1", Err(r#"the query parameter "subs[a]": the key: "a" is not an int32"#)),
            (
                "subs[1]=1",
                Err(
                    r#"the query parameter "subs[1]": a shapes.Sub has no form in a path or query; it goes into the body"#,
                ),
            ),
            ("x.y=1", Err(r#"the query parameter "x.y": the field shapes.Shape.x is no message"#)),
            ("nope=1", Err(r#"the query parameter "nope": shapes.Shape has no field "nope""#)),
            ("sub.nope=1", Err(r#"the query parameter "sub.nope": shapes.Sub has no field "nope""#)),
            ("=1", Err(r#"the query parameter "": shapes.Shape has no field """#)),
            ("X=1", Err(r#"the query parameter "X": shapes.Shape has no field "X""#)),
            ("id=admin", Err(r#"the query parameter "id": the field id is bound by the path"#)),
            (
                "time=null",
                Err(
                    r#"the query parameter "time": "null" is not a timestamp: it is not of the form 1972-01-01T10:00:20.021Z"#,
                ),
            ),
            (
                "duration=1h",
                Err(r#"the query parameter "duration": "1h" is not a duration: it is not of the form -1.5s"#),
            ),
            ("mask=a,,b", Err(r#"the query parameter "mask": "" is no path of a field mask"#)),
            ("mask=a b", Err(r#"the query parameter "mask": "a b" is no path of a field mask"#)),
            ("color=PINK", Err(r#"the query parameter "color": "PINK" is no value of shapes.Color"#)),
            ("int_field=abc", Err(r#"the query parameter "int_field": "abc" is not an int32"#)),
            ("int_field=2147483648", Err(r#"the query parameter "int_field": "2147483648" is not an int32"#)),
            ("int_field=01", Err(r#"the query parameter "int_field": "01" is not an int32"#)),
            ("int_field=%2B1", Err(r#"the query parameter "int_field": "+1" is not an int32"#)),
            ("int_field=", Err(r#"the query parameter "int_field": "" is not an int32"#)),
            ("big=-1", Err(r#"the query parameter "big": "-1" is not a uint64"#)),
            ("flag=1", Err(r#"the query parameter "flag": "1" is not a bool"#)),
            ("ratio=1e400", Err(r#"the query parameter "ratio": "1e400" is not a double"#)),
            ("small_ratio=3.5e38", Err(r#"the query parameter "small_ratio": "3.5e38" is not a float"#)),
            ("ratio=.5", Err(r#"the query parameter "ratio": ".5" is not a double"#)),
            ("ratio=inf", Err(r#"the query parameter "ratio": "inf" is not a double"#)),
            ("data=*", Err(r#"the query parameter "data": "*" is no base64"#)),
            ("x=%zz", Err(r#"the query: the value "%zz": a % is not followed by two hexadecimal digits"#)),
            ("%ff=1", Err(r#"the query: the name "%ff": the escapes are not valid UTF-8"#)),
            ("x=%00", Err(r#"the query: the value "%00": there is a NUL character"#)),
        ],
    );
}

#[test]
fn unknown_parameters_are_ignored_where_told() {
    let unknown = Err(r#"the query parameter "nope": shapes.Shape has no field "nope""#);
    let listed = Options::new().ignore_query(["key", "alt"]);
    check_queries(listed, &[("key=1&alt=json", Ok("{}")), ("nope=1", unknown)]);
    let all = Options::new().ignore_unknown_query(true);
    check_queries(
        all,
        &[
            ("key=1&nope.a=2&sub.nope=3", Ok("{}")),
            ("flag=1", Err(r#"the query parameter "flag": "1" is not a bool"#)),
        ],
    );
    check_queries(Options::grpc_gateway(), &[("nope=1", Ok("{}"))]);
    check_queries(Options::vanguard(), &[("nope=1", unknown)]);
}

#[test]
fn too_many_parameters() {
    let many = vec!["p=a"; 10_000].join("&");
    let wanted = Err("the query has more than 1024 parameters");
    check_queries(Options::new(), &[(&many, wanted)]);
    let nested = format!("sub{}.count=1", ".inner".repeat(1000));
    let error = query(Options::new(), &nested).unwrap_err();
    assert!(error.ends_with("the name is nested deeper than 100 levels"), "{error}");
}

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
    for options in [Options::envoy(), Options::grpc_gateway(), Options::vanguard()] {
        let rules =
            [HttpRule::new("POST", "/a/{id}").body("*"), HttpRule::new("POST", "/i/{int_field}").body("*")];
        let lenient = router_with(options, rules);
        let got = bind(&lenient, "POST", "/a/1", request.body(br#"{"id":"2"}"#));
        assert_eq!(got.unwrap(), r#"{"id":"1"}"#);
        let got = bind(&lenient, "POST", "/i/0", request.body(br#"{"intField":2,"x":"a"}"#));
        assert_eq!(got.unwrap(), r#"{"x":"a"}"#);
    }
    for options in [Options::envoy(), Options::grpc_gateway()] {
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
        ("GET /c/red", Err(r#"400 the path: the field color: "red" is no value of shapes.Color"#)),
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
    let lenient = router_with(Options::vanguard(), [HttpRule::new("POST", "/a").body("*")]);
    assert_eq!(bind(&lenient, "POST", "/a", Request::new().body(br#"{"nope":1}"#)).unwrap(), "{}");
}

fn library() -> RouterBuilder {
    Router::builder().service(&tobu_transcode_schemas::pool().service("library.v1.Library").unwrap())
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
        tobu::transcode::json_to_wire(&method.output(), json.as_bytes(), &mut wire).unwrap();
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

    let options = Options::grpc_gateway();
    let mut json = Vec::new();
    found.route().respond(&options, b"", &mut json).unwrap();
    assert_eq!(json, br#"{"name":"","theme":""}"#);
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
