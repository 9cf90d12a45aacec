//! Timestamps, durations, field masks, wrappers, Empty.

use super::check;
use tobu::types::{BoolValue, BytesValue, Duration, Empty, FieldMask, Int64Value, StringValue, Timestamp};
use tobu_schemas::known::json::v1::{Known, KnownLists, Wrapped};

#[test]
fn timestamps() {
    let form = |text: &str| {
        format!(
            ": {text:?} is not a timestamp: it is not of the form 1972-01-01T10:00:20.021Z (at line 1 column 1)"
        )
    };
    for text in [
        "0001-01-01t00:00:00Z",
        "0001-01-01T00:00:00z",
        "0001-01-01 00:00:00Z",
        "0001-01-01T00:00:00",
        "1970-01-01T00:00:00.0123456789Z",
        "1970-01-01T00:00:00.Z",
        "10000-01-01T00:00:00Z",
        "",
        "now",
    ] {
        check::<Timestamp>(&[(&format!("{text:?}"), Err(&form(text)))]);
    }
    check::<Timestamp>(&[
        (r#""1970-01-01T00:00:00Z""#, Ok(r#""1970-01-01T00:00:00Z""#)),
        (r#""1970-01-01T00:00:01.5Z""#, Ok(r#""1970-01-01T00:00:01.500Z""#)),
        (r#""1970-01-01T08:00:01+08:00""#, Ok(r#""1970-01-01T00:00:01Z""#)),
        (r#""1969-12-31T16:00:01-08:00""#, Ok(r#""1970-01-01T00:00:01Z""#)),
        (r#""0001-01-01T00:00:00Z""#, Ok(r#""0001-01-01T00:00:00Z""#)),
        (r#""9999-12-31T23:59:59.999999999Z""#, Ok(r#""9999-12-31T23:59:59.999999999Z""#)),
        (r#""1970\u002d01-01T00:00:01Z""#, Ok(r#""1970-01-01T00:00:01Z""#)),
        (
            r#""1970-01-01T00:00:60Z""#,
            Err(
                r#": "1970-01-01T00:00:60Z" is not a timestamp: there is no such time of day (at line 1 column 1)"#,
            ),
        ),
        (
            r#""1970-01-01T24:00:00Z""#,
            Err(
                r#": "1970-01-01T24:00:00Z" is not a timestamp: there is no such time of day (at line 1 column 1)"#,
            ),
        ),
        (
            r#""0000-01-01T00:00:00Z""#,
            Err(
                r#": "0000-01-01T00:00:00Z" is not a timestamp: the year is not from 1 to 9999 (at line 1 column 1)"#,
            ),
        ),
        (
            r#""1970-02-30T00:00:00Z""#,
            Err(r#": "1970-02-30T00:00:00Z" is not a timestamp: there is no such day (at line 1 column 1)"#),
        ),
        (
            r#""1970-01-01T00:00:00+24:00""#,
            Err(
                r#": "1970-01-01T00:00:00+24:00" is not a timestamp: there is no such offset (at line 1 column 1)"#,
            ),
        ),
        (
            "0",
            Err(
                ": expected a string for google.protobuf.Timestamp, but found the number 0 (at line 1 column 1)",
            ),
        ),
        (
            r#"{"seconds":1}"#,
            Err(
                ": expected a string for google.protobuf.Timestamp, but found an object (at line 1 column 1)",
            ),
        ),
        (
            "null",
            Err(": expected a string for google.protobuf.Timestamp, but found null (at line 1 column 1)"),
        ),
    ]);
}

#[test]
fn durations() {
    check::<Duration>(&[
        (r#""1s""#, Ok(r#""1s""#)),
        (r#""-1.5s""#, Ok(r#""-1.500s""#)),
        (r#""-0.5s""#, Ok(r#""-0.500s""#)),
        (r#""315576000000.999999999s""#, Ok(r#""315576000000.999999999s""#)),
        (
            r#""315576000001s""#,
            Err(
                r#": "315576000001s" is not a duration: it is longer than 315576000000.999999999 seconds (at line 1 column 1)"#,
            ),
        ),
        (r#""1""#, Err(r#": "1" is not a duration: it is not of the form -1.5s (at line 1 column 1)"#)),
        (r#""+1s""#, Err(r#": "+1s" is not a duration: it is not of the form -1.5s (at line 1 column 1)"#)),
        (
            "1",
            Err(
                ": expected a string for google.protobuf.Duration, but found the number 1 (at line 1 column 1)",
            ),
        ),
    ]);
}

#[test]
fn field_masks() {
    check::<FieldMask>(&[
        (r#""""#, Ok(r#""""#)),
        (r#""foo,barBaz.quxQuux""#, Ok(r#""foo,barBaz.quxQuux""#)),
        (
            r#""foo,bar_bar""#,
            Err(r#": the path "bar_bar" of a field mask has an underscore in JSON (at line 1 column 1)"#),
        ),
        (r#""foo,,bar""#, Err(r#": "foo,,bar" is not a field mask: a path is empty (at line 1 column 1)"#)),
        (
            r#"["foo"]"#,
            Err(": expected a string for google.protobuf.FieldMask, but found a list (at line 1 column 1)"),
        ),
    ]);
}

#[test]
fn wrappers() {
    check::<Wrapped>(&[
        (
            r#"{"fDouble":0,"fFloat":"NaN","fInt64":1,"fUint64":"2","fInt32":"3","fUint32":4,"fBool":false,"fString":"","fBytes":"-_"}"#,
            Ok(
                r#"{"fDouble":0,"fFloat":"NaN","fInt64":"1","fUint64":"2","fInt32":3,"fUint32":4,"fBool":false,"fString":"","fBytes":"+w=="}"#,
            ),
        ),
        (r#"{"fDouble":null,"fInt64":null,"fString":null}"#, Ok("{}")),
        (
            r#"{"fInt32":{"value":1}}"#,
            Err(".f_int32.value: expected an int32, but found an object (at line 1 column 11)"),
        ),
        (
            r#"{"fBool":"true"}"#,
            Err(r#".f_bool.value: expected a bool, but found the string "true" (at line 1 column 10)"#),
        ),
    ]);
    check::<Int64Value>(&[
        ("7", Ok(r#""7""#)),
        ("null", Err(".value: expected an int64, but found null (at line 1 column 1)")),
    ]);
    check::<BoolValue>(&[
        ("true", Ok("true")),
        ("true false", Err(": expected the end of the input, but found `f` (at line 1 column 6)")),
    ]);
    check::<StringValue>(&[(r#""a\nb""#, Ok(r#""a\nb""#))]);
    check::<BytesValue>(&[(r#""AQI""#, Ok(r#""AQI=""#))]);
}

#[test]
fn in_fields_and_lists() {
    check::<Known>(&[
        (
            r#"{"time":"1970-01-01T00:00:00Z","span":"0s","mask":"","empty":{}}"#,
            Ok(r#"{"time":"1970-01-01T00:00:00Z","span":"0s","mask":"","empty":{}}"#),
        ),
        (
            r#"{"mask":"a,b","span":"1s","time":"1970-01-01T00:00:00.000000001Z"}"#,
            Ok(r#"{"time":"1970-01-01T00:00:00.000000001Z","span":"1s","mask":"a,b"}"#),
        ),
        (r#"{"empty":{"a":1}}"#, Err(r#".empty: unknown field "a" (at line 1 column 11)"#)),
        (
            r#"{"empty":""}"#,
            Err(
                r#".empty: expected a message of type google.protobuf.Empty, but found the string "" (at line 1 column 10)"#,
            ),
        ),
        (
            r#"{"span":"x"}"#,
            Err(r#".span: "x" is not a duration: it is not of the form -1.5s (at line 1 column 9)"#),
        ),
    ]);
    check::<KnownLists>(&[
        (
            r#"{"spans":["1s","2s"],"masks":["a","","b,c"]}"#,
            Ok(r#"{"spans":["1s","2s"],"masks":["a","","b,c"]}"#),
        ),
        (
            r#"{"spans":["1s",2]}"#,
            Err(
                ".spans[1]: expected a string for google.protobuf.Duration, but found the number 2 (at line 1 column 16)",
            ),
        ),
    ]);
    check::<Empty>(&[("{}", Ok("{}"))]);
}
