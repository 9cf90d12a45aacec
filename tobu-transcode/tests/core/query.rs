//! Cases 15 and 16: which queries are which fields.

use tobu_transcode::{HttpRule, Request, TranscodeOptions};

use super::{bind, router_with};

/// For each query of `GET /q/1` the message, of which `{}` is one with no more than `id`, or the error.
fn check_queries(options: TranscodeOptions, rows: &[(&str, Result<&str, &str>)]) {
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
fn query(options: TranscodeOptions, text: &str) -> Result<String, String> {
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
        assert_eq!(query(TranscodeOptions::new(), text).as_deref(), Ok(wanted), "{text}");
    }
    assert_eq!(query(TranscodeOptions::envoy(), "x=a+b").as_deref(), Ok(r#"{"x":"a+b"}"#));
}

#[test]
fn wrong_queries() {
    check_queries(
        TranscodeOptions::new(),
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
            ("color=null", Err(r#"the query parameter "color": "null" is not a value of shapes.Color"#)),
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
                Err(r#"the query parameter "p[0]": the field shapes.Shape.p is not a map, and takes no key"#),
            ),
            ("subs[a]=1", Err(r#"the query parameter "subs[a]": the key: "a" is not an int32"#)),
            (
                "subs[1]=1",
                Err(
                    r#"the query parameter "subs[1]": a shapes.Sub has no form in a path or query; it goes into the body"#,
                ),
            ),
            ("x.y=1", Err(r#"the query parameter "x.y": the field shapes.Shape.x is not a message"#)),
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
            ("mask=a,,b", Err(r#"the query parameter "mask": "" is not a path of a field mask"#)),
            ("mask=a b", Err(r#"the query parameter "mask": "a b" is not a path of a field mask"#)),
            ("color=PINK", Err(r#"the query parameter "color": "PINK" is not a value of shapes.Color"#)),
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
            ("data=*", Err(r#"the query parameter "data": "*" is not base64"#)),
            ("x=%zz", Err(r#"the query: the value "%zz": a % is not followed by two hexadecimal digits"#)),
            ("%ff=1", Err(r#"the query: the name "%ff": the escapes are not valid UTF-8"#)),
            ("x=%00", Err(r#"the query: the value "%00": there is a NUL character"#)),
        ],
    );
}

/// A router of one rule without variables, for the message with odd names.
fn odd() -> tobu_transcode::Router {
    let mut router = tobu_transcode::Router::default();
    let method = tobu_transcode_schemas::pool().method("shapes.Shapes.Search").unwrap();
    router.add_rule(&method, &HttpRule::new("GET", "/odd")).unwrap();
    router
}

#[test]
fn a_name_goes_before_the_syntax_of_paths_and_maps() {
    let router = odd();
    #[rustfmt::skip]
    let rows = [
        ("search[field]=v", Ok(r#"{"search[field]":"v"}"#)),
        ("search%5Bfield%5D=v", Ok(r#"{"search[field]":"v"}"#)),
        ("field=v", Ok(r#"{"search[field]":"v"}"#)),
        ("search[other]=v", Ok(r#"{"search":{"other":"v"}}"#)),
        ("search[field]=v&search[field]]=w", Ok(r#"{"search[field]":"v","search":{"field]":"w"}}"#)),
        ("search[field]=v&field=w", Err(r#"the query parameter "field" is given twice"#)),
        ("sub.count=v", Ok(r#"{"sub.count":"v"}"#)),
        ("sub.subfield=v", Ok(r#"{"sub":{"subfield":"v"}}"#)),
        ("deep.er[x].subfield=v", Ok(r#"{"deep.er[x]":{"subfield":"v"}}"#)),
        ("deep%2Eer%5Bx%5D.inner.count=1", Ok(r#"{"deep.er[x]":{"inner":{"count":"1"}}}"#)),
        ("below.subfield=v", Ok(r#"{"deep.er[x]":{"subfield":"v"}}"#)),
        ("all.counts[a.b[]=1", Ok(r#"{"all.counts":{"a.b[":1}}"#)),
        ("open[=v", Ok(r#"{"open[":"v"}"#)),
        ("open[a]=v", Err(r#"the query parameter "open[a]": the field shapes.Odd.open is not a map, and takes no key"#)),
        ("deep.er[x]=v", Err(r#"the query parameter "deep.er[x]": a shapes.Sub has no form in a path or query; name a field in it"#)),
        ("deep.er[x]y=v", Err(r#"the query parameter "deep.er[x]y": shapes.Odd has no field "deep""#)),
        ("search[field=v", Err(r#"the query parameter "search[field": a bracket is not closed at the end of the name"#)),
        ("nope[field]=v", Err(r#"the query parameter "nope[field]": shapes.Odd has no field "nope""#)),
    ];
    for (query, wanted) in rows {
        let got = bind(&router, "GET", "/odd", Request::new().query(query));
        assert_eq!(got, wanted.map(str::to_owned).map_err(|error| format!("400 {error}")), "{query}");
    }
}

/// Two texts of one key are one key.
#[test]
fn keys_of_maps_are_compared_by_value() {
    let router = odd();
    let query = |query: &str| bind(&router, "GET", "/odd", Request::new().query(query));
    for kind in ["int32", "int64", "sint32", "sint64", "sfixed32", "sfixed64"] {
        let name = format!("by_{kind}");
        let error = format!(r#"400 the query parameter "{name}[-0]" is given twice"#);
        assert_eq!(query(&format!("{name}[0]=a&{name}[-0]=b")), Err(error.clone()));
        // Whatever the name and the order.
        assert_eq!(
            query(&format!("by{}{}[0]=a&{name}[-0]=b", kind[..1].to_uppercase(), &kind[1..])),
            Err(error)
        );
        let wanted = format!(r#"{{"by{}{}":{{"-1":"b","0":"a"}}}}"#, kind[..1].to_uppercase(), &kind[1..]);
        let got = query(&format!("{name}[0]=a&{name}[-1]=b")).unwrap();
        let sorted = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(sorted(&got), sorted(&wanted));
    }
    for (kind, key) in
        [("uint32", "7"), ("uint64", "7"), ("fixed32", "7"), ("fixed64", "7"), ("bool", "true")]
    {
        let error = format!(r#"400 the query parameter "by_{kind}[{key}]" is given twice"#);
        assert_eq!(query(&format!("by_{kind}[{key}]=a&by_{kind}%5B{key}%5D=b")), Err(error));
    }
    let error = r#"400 the query parameter "search[b]" is given twice"#;
    assert_eq!(query("search[a]=1&search[b]=2&search[%62]=3"), Err(error.into()));
}

#[test]
fn unknown_parameters_are_ignored_where_told() {
    let unknown = Err(r#"the query parameter "nope": shapes.Shape has no field "nope""#);
    let listed = TranscodeOptions::new().ignore_query(["key", "alt"]);
    check_queries(listed, &[("key=1&alt=json", Ok("{}")), ("nope=1", unknown)]);
    let all = TranscodeOptions::new().ignore_unknown_query(true);
    check_queries(
        all,
        &[
            ("key=1&nope.a=2&sub.nope=3", Ok("{}")),
            ("flag=1", Err(r#"the query parameter "flag": "1" is not a bool"#)),
        ],
    );
    check_queries(TranscodeOptions::grpc_gateway(), &[("nope=1", Ok("{}"))]);
    check_queries(TranscodeOptions::vanguard(), &[("nope=1", unknown)]);
}

#[test]
fn too_many_parameters() {
    let many = vec!["p=a"; 10_000].join("&");
    let wanted = Err("the query has more than 1024 parameters");
    check_queries(TranscodeOptions::new(), &[(&many, wanted)]);
    let nested = format!("sub{}.count=1", ".inner".repeat(1000));
    let error = query(TranscodeOptions::new(), &nested).unwrap_err();
    assert!(error.ends_with("the name is nested deeper than 100 levels"), "{error}");
}
