//! Numbers, booleans, strings, bytes.

use super::{check, error};
use tobu::Category;
use tobu_schemas::corpus::corpus::v3::{Lists, Optionals, Scalars};

#[test]
fn integers() {
    check::<Optionals>(&[
        (r#"{"fInt32":1}"#, Ok(r#"{"fInt32":1}"#)),
        (r#"{"fInt32":-2147483648}"#, Ok(r#"{"fInt32":-2147483648}"#)),
        (r#"{"fInt32":"2147483647"}"#, Ok(r#"{"fInt32":2147483647}"#)),
        (r#"{"fInt32":"2\u003147483647"}"#, Ok(r#"{"fInt32":2147483647}"#)),
        (r#"{"fInt32":1.0}"#, Ok(r#"{"fInt32":1}"#)),
        (r#"{"fInt32":1e3}"#, Ok(r#"{"fInt32":1000}"#)),
        (r#"{"fInt32":"1e5"}"#, Ok(r#"{"fInt32":100000}"#)),
        (r#"{"fInt32":"-1.50E+1"}"#, Ok(r#"{"fInt32":-15}"#)),
        (r#"{"fInt32":-0}"#, Ok(r#"{"fInt32":0}"#)),
        (r#"{"fUint32":-0}"#, Ok(r#"{"fUint32":0}"#)),
        (r#"{"fUint32":"-0.0"}"#, Ok(r#"{"fUint32":0}"#)),
        (r#"{"fUint32":4294967295}"#, Ok(r#"{"fUint32":4294967295}"#)),
        (
            r#"{"fSint32":-1,"fFixed32":2,"fSfixed32":-3}"#,
            Ok(r#"{"fSint32":-1,"fFixed32":2,"fSfixed32":-3}"#),
        ),
        (r#"{"fInt64":9007199254740993}"#, Ok(r#"{"fInt64":"9007199254740993"}"#)),
        (r#"{"fInt64":9223372036854775807}"#, Ok(r#"{"fInt64":"9223372036854775807"}"#)),
        (r#"{"fInt64":"-9223372036854775808"}"#, Ok(r#"{"fInt64":"-9223372036854775808"}"#)),
        (r#"{"fUint64":18446744073709551615}"#, Ok(r#"{"fUint64":"18446744073709551615"}"#)),
        (r#"{"fUint64":"1844674407370955161.5e1"}"#, Ok(r#"{"fUint64":"18446744073709551615"}"#)),
        (
            r#"{"fSint64":1,"fFixed64":"2","fSfixed64":"-3"}"#,
            Ok(r#"{"fSint64":"1","fFixed64":"2","fSfixed64":"-3"}"#),
        ),
    ]);
}

#[test]
fn what_is_no_integer() {
    check::<Scalars>(&[
        (
            r#"{"fInt32":0.5}"#,
            Err(".f_int32: the field is an int32, but 0.5 is not an integer (at line 1 column 11)"),
        ),
        (
            r#"{"fInt32":"1e-1"}"#,
            Err(".f_int32: the field is an int32, but 1e-1 is not an integer (at line 1 column 11)"),
        ),
        (
            r#"{"fInt32":" 1"}"#,
            Err(r#".f_int32: expected an int32, but found the string " 1" (at line 1 column 11)"#),
        ),
        (
            r#"{"fInt32":"1 "}"#,
            Err(r#".f_int32: expected an int32, but found the string "1 " (at line 1 column 11)"#),
        ),
        (
            r#"{"fInt32":""}"#,
            Err(r#".f_int32: expected an int32, but found the string "" (at line 1 column 11)"#),
        ),
        (
            r#"{"fInt32":"+1"}"#,
            Err(r#".f_int32: expected an int32, but found the string "+1" (at line 1 column 11)"#),
        ),
        (
            r#"{"fInt32":"01"}"#,
            Err(r#".f_int32: expected an int32, but found the string "01" (at line 1 column 11)"#),
        ),
        (
            r#"{"fInt32":"0x1"}"#,
            Err(r#".f_int32: expected an int32, but found the string "0x1" (at line 1 column 11)"#),
        ),
        (r#"{"fInt32":+1}"#, Err(".f_int32: expected an int32, but found `+` (at line 1 column 11)")),
        (r#"{"fInt32":01}"#, Err(".f_int32: a number starts with a zero (at line 1 column 11)")),
        (r#"{"fInt32":-01}"#, Err(".f_int32: a number starts with a zero (at line 1 column 11)")),
        (r#"{"fInt32":1.}"#, Err(".f_int32: expected a digit, but found `}` (at line 1 column 13)")),
        (r#"{"fInt32":.5}"#, Err(".f_int32: expected an int32, but found `.` (at line 1 column 11)")),
        (r#"{"fInt32":-}"#, Err(".f_int32: expected a digit, but found `}` (at line 1 column 12)")),
        (r#"{"fInt32":1e}"#, Err(".f_int32: expected a digit, but found `}` (at line 1 column 13)")),
        (r#"{"fInt32":1x}"#, Err(": expected `,` or `}`, but found `x` (at line 1 column 12)")),
        (r#"{"fInt32":true}"#, Err(".f_int32: expected an int32, but found true (at line 1 column 11)")),
        (r#"{"fInt32":[1]}"#, Err(".f_int32: expected an int32, but found a list (at line 1 column 11)")),
        (r#"{"fInt32":{}}"#, Err(".f_int32: expected an int32, but found an object (at line 1 column 11)")),
        (r#"{"fInt32":2147483648}"#, Err(".f_int32: 2147483648 does not fit an int32 (at line 1 column 11)")),
        (
            r#"{"fInt32":-2147483649}"#,
            Err(".f_int32: -2147483649 does not fit an int32 (at line 1 column 11)"),
        ),
        (
            r#"{"fUint32":4294967296}"#,
            Err(".f_uint32: 4294967296 does not fit a uint32 (at line 1 column 12)"),
        ),
        (r#"{"fUint32":-1}"#, Err(".f_uint32: -1 does not fit a uint32 (at line 1 column 12)")),
        (
            r#"{"fInt64":9223372036854775808}"#,
            Err(".f_int64: 9223372036854775808 does not fit an int64 (at line 1 column 11)"),
        ),
        (
            r#"{"fInt64":"-9223372036854775809"}"#,
            Err(".f_int64: -9223372036854775809 does not fit an int64 (at line 1 column 11)"),
        ),
        (
            r#"{"fUint64":18446744073709551616}"#,
            Err(".f_uint64: 18446744073709551616 does not fit a uint64 (at line 1 column 12)"),
        ),
        (
            r#"{"fUint64":"1e536870000"}"#,
            Err(".f_uint64: 1e536870000 does not fit a uint64 (at line 1 column 12)"),
        ),
        (
            r#"{"fSint32":"x"}"#,
            Err(r#".f_sint32: expected a sint32, but found the string "x" (at line 1 column 12)"#),
        ),
        (
            r#"{"fSfixed64":"x"}"#,
            Err(r#".f_sfixed64: expected a sfixed64, but found the string "x" (at line 1 column 14)"#),
        ),
    ]);
}

#[test]
fn numbers_of_a_million_digits_are_refused_or_read_fast() {
    let digits = "9".repeat(1_000_000);
    let started = std::time::Instant::now();
    let shown = format!("{}...", "9".repeat(64));
    for (field, name, kind, column) in [
        ("fInt32", "f_int32", "an int32", 11),
        ("fUint64", "f_uint64", "a uint64", 12),
        ("fFloat", "f_float", "a float", 11),
        ("fDouble", "f_double", "a double", 12),
    ] {
        for text in [format!("{{\"{field}\":{digits}}}"), format!("{{\"{field}\":\"{digits}\"}}")] {
            assert_eq!(
                error::<Scalars>(&text).to_string(),
                format!("corpus.v3.Scalars.{name}: {shown} does not fit {kind} (at line 1 column {column})")
            );
        }
    }
    let small = format!("{{\"fDouble\":0.{digits}}}");
    assert_eq!(tobu::json::from_str::<Scalars>(&small).unwrap().f_double, 1.0);
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn floats() {
    check::<Optionals>(&[
        (r#"{"fDouble":1.5,"fFloat":-2.5}"#, Ok(r#"{"fDouble":1.5,"fFloat":-2.5}"#)),
        (r#"{"fDouble":"1.5","fFloat":"1e3"}"#, Ok(r#"{"fDouble":1.5,"fFloat":1000}"#)),
        (r#"{"fDouble":0.1,"fFloat":0.1}"#, Ok(r#"{"fDouble":0.1,"fFloat":0.1}"#)),
        (r#"{"fDouble":-0,"fFloat":-0.0}"#, Ok(r#"{"fDouble":-0,"fFloat":-0}"#)),
        (r#"{"fDouble":9007199254740993}"#, Ok(r#"{"fDouble":9007199254740992}"#)),
        (r#"{"fFloat":16777217}"#, Ok(r#"{"fFloat":16777216}"#)),
        (r#"{"fDouble":"NaN","fFloat":"NaN"}"#, Ok(r#"{"fDouble":"NaN","fFloat":"NaN"}"#)),
        (
            r#"{"fDouble":"Infinity","fFloat":"-Infinity"}"#,
            Ok(r#"{"fDouble":"Infinity","fFloat":"-Infinity"}"#),
        ),
        (r#"{"fDouble":1e-400,"fFloat":1e-60}"#, Ok(r#"{"fDouble":0,"fFloat":0}"#)),
        (r#"{"fDouble":1e400}"#, Err(".f_double: 1e400 does not fit a double (at line 1 column 12)")),
        (r#"{"fDouble":-1e400}"#, Err(".f_double: -1e400 does not fit a double (at line 1 column 12)")),
        (r#"{"fFloat":3.5e38}"#, Err(".f_float: 3.5e38 does not fit a float (at line 1 column 11)")),
        (r#"{"fFloat":"3.5e38"}"#, Err(".f_float: 3.5e38 does not fit a float (at line 1 column 11)")),
        (r#"{"fDouble":NaN}"#, Err(".f_double: expected a double, but found `N` (at line 1 column 12)")),
        (r#"{"fDouble":Infinity}"#, Err(".f_double: expected a double, but found `I` (at line 1 column 12)")),
        (r#"{"fDouble":-Infinity}"#, Err(".f_double: expected a digit, but found `I` (at line 1 column 13)")),
        (
            r#"{"fDouble":"nan"}"#,
            Err(r#".f_double: expected a double, but found the string "nan" (at line 1 column 12)"#),
        ),
        (
            r#"{"fDouble":"inf"}"#,
            Err(r#".f_double: expected a double, but found the string "inf" (at line 1 column 12)"#),
        ),
        (
            r#"{"fDouble":""}"#,
            Err(r#".f_double: expected a double, but found the string "" (at line 1 column 12)"#),
        ),
        (r#"{"fFloat":false}"#, Err(".f_float: expected a float, but found false (at line 1 column 11)")),
    ]);
    for zero in ["-0", "-0.0", "-0e0", "-0E+5", "-0.000e-7", "-1e-400"] {
        for zero in [zero.to_owned(), format!("\"{zero}\"")] {
            let canonical = r#"{"fDouble":-0,"fFloat":-0}"#;
            let text = format!(r#"{{"fDouble":{zero},"fFloat":{zero}}}"#);
            check::<Scalars>(&[(&text, Ok(canonical))]);
            check::<Optionals>(&[(&text, Ok(canonical))]);
            let lists = format!(r#"{{"fDouble":[{zero}],"fFloat":[0,{zero}]}}"#);
            check::<Lists>(&[(&lists, Ok(r#"{"fDouble":[-0],"fFloat":[0,-0]}"#))]);
        }
    }
}

#[test]
fn booleans() {
    check::<Optionals>(&[
        (r#"{"fBool":true}"#, Ok(r#"{"fBool":true}"#)),
        (r#"{"fBool": false }"#, Ok(r#"{"fBool":false}"#)),
        (
            r#"{"fBool":"true"}"#,
            Err(r#".f_bool: expected a bool, but found the string "true" (at line 1 column 10)"#),
        ),
        (r#"{"fBool":1}"#, Err(".f_bool: expected a bool, but found the number 1 (at line 1 column 10)")),
        (r#"{"fBool":True}"#, Err(".f_bool: expected a bool, but found `T` (at line 1 column 10)")),
        (r#"{"fBool":tru}"#, Err(".f_bool: expected a bool, but found `t` (at line 1 column 10)")),
        (r#"{"fBool":truely}"#, Err(": expected `,` or `}`, but found `l` (at line 1 column 14)")),
    ]);
}

#[test]
fn strings() {
    check::<Optionals>(&[
        (r#"{"fString":""}"#, Ok(r#"{"fString":""}"#)),
        (r#"{"fString":"a\"\\\/\b\f\n\r\tz"}"#, Ok(r#"{"fString":"a\"\\/\b\f\n\r\tz"}"#)),
        (r#"{"fString":"\u8C37\u6b4c"}"#, Ok(r#"{"fString":"谷歌"}"#)),
        (r#"{"fString":"\ud83d\uDE00 😀"}"#, Ok(r#"{"fString":"😀 😀"}"#)),
        (
            r#"{"fString":1}"#,
            Err(".f_string: expected a string, but found the number 1 (at line 1 column 12)"),
        ),
        (r#"{"fString":'x'}"#, Err(".f_string: expected a string, but found `'` (at line 1 column 12)")),
        (r#"{"fString":"\ud800"}"#, Err(".f_string: half of a surrogate pair (at line 1 column 13)")),
        (r#"{"fString":"ab\udc00\ud800"}"#, Err(".f_string: half of a surrogate pair (at line 1 column 15)")),
        (r#"{"fString":"\U8C37"}"#, Err(".f_string: there is no such escape (at line 1 column 13)")),
        (
            r#"{"fString":"\u8C3"}"#,
            Err(".f_string: an escape without its four hexadecimal digits (at line 1 column 13)"),
        ),
        (
            "{\"fString\":\n\"a\tb\"}",
            Err(".f_string: the control character 0x09 in a string (at line 2 column 3)"),
        ),
        (
            r#"{"fString":"abc}"#,
            Err(".f_string: expected a closing `\"`, but the input ends (at line 1 column 17)"),
        ),
    ]);
    let long = format!("{{\"fInt32\":\"{}\"}}", "x".repeat(100));
    assert_eq!(
        error::<Scalars>(&long).message(),
        format!("expected an int32, but found the string \"{}\"...", "x".repeat(64))
    );
}

#[test]
fn invalid_utf8() {
    let rows: [(&[u8], &str); 6] = [
        (b"{\"fString\":\"a\xff\"}", "corpus.v3.Scalars.f_string: invalid UTF-8 (at line 1 column 14)"),
        (b"{\"fString\":\"\xc0\xaf\"}", "corpus.v3.Scalars.f_string: invalid UTF-8 (at line 1 column 13)"),
        (
            b"{\"fString\":\"\xed\xa0\x80\"}",
            "corpus.v3.Scalars.f_string: invalid UTF-8 (at line 1 column 13)",
        ),
        (b"{\"\xff\":1}", "corpus.v3.Scalars: invalid UTF-8 (at line 1 column 3)"),
        (b"{}\n\xff", "corpus.v3.Scalars: invalid UTF-8 (at line 2 column 1)"),
        (b"{\xff}", "corpus.v3.Scalars: invalid UTF-8 (at line 1 column 2)"),
    ];
    for (text, wanted) in rows {
        assert_eq!(tobu::json::from_slice::<Scalars>(text).unwrap_err().to_string(), wanted);
        let mut used = Scalars { f_int32: 1, ..Scalars::default() };
        let error = tobu::json::from_slice_in_place(&mut used, text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.category()), (wanted, Category::Malformed));
        assert_eq!(used, Scalars::default());
    }
}

#[test]
fn bytes() {
    check::<Optionals>(&[
        (r#"{"fBytes":"AQI="}"#, Ok(r#"{"fBytes":"AQI="}"#)),
        (r#"{"fBytes":"AQI"}"#, Ok(r#"{"fBytes":"AQI="}"#)),
        (r#"{"fBytes":"-_"}"#, Ok(r#"{"fBytes":"+w=="}"#)),
        (r#"{"fBytes":"+\/8="}"#, Ok(r#"{"fBytes":"+/8="}"#)),
        (r#"{"fBytes":""}"#, Ok(r#"{"fBytes":""}"#)),
        (
            r#"{"fBytes":"A"}"#,
            Err(r#".f_bytes: the field is bytes, but "A" is not base64 (at line 1 column 11)"#),
        ),
        (
            r#"{"fBytes":"AQI=="}"#,
            Err(r#".f_bytes: the field is bytes, but "AQI==" is not base64 (at line 1 column 11)"#),
        ),
        (
            r#"{"fBytes":"AQ I"}"#,
            Err(r#".f_bytes: the field is bytes, but "AQ I" is not base64 (at line 1 column 11)"#),
        ),
        (r#"{"fBytes":[1]}"#, Err(".f_bytes: expected bytes, but found a list (at line 1 column 11)")),
    ]);
}

#[test]
fn enums() {
    check::<Optionals>(&[
        (r#"{"fColor":"COLOR_RED"}"#, Ok(r#"{"fColor":"COLOR_RED"}"#)),
        (r#"{"fColor":"COLOR\u005fRED"}"#, Ok(r#"{"fColor":"COLOR_RED"}"#)),
        (r#"{"fColor":1}"#, Ok(r#"{"fColor":"COLOR_RED"}"#)),
        (r#"{"fColor":-1.0}"#, Ok(r#"{"fColor":"COLOR_NEGATIVE"}"#)),
        (r#"{"fColor":77}"#, Ok(r#"{"fColor":77}"#)),
        (
            r#"{"fColor":"COLOR_BLUE"}"#,
            Err(r#".f_color: corpus.v3.Color has no value "COLOR_BLUE" (at line 1 column 11)"#),
        ),
        (
            r#"{"fColor":"color_red"}"#,
            Err(r#".f_color: corpus.v3.Color has no value "color_red" (at line 1 column 11)"#),
        ),
        (r#"{"fColor":"1"}"#, Err(r#".f_color: corpus.v3.Color has no value "1" (at line 1 column 11)"#)),
        (
            r#"{"fColor":1.5}"#,
            Err(".f_color: the field is an enum, but 1.5 is not an integer (at line 1 column 11)"),
        ),
        (r#"{"fColor":2147483648}"#, Err(".f_color: 2147483648 does not fit an enum (at line 1 column 11)")),
        (r#"{"fColor":COLOR_RED}"#, Err(".f_color: expected an enum, but found `C` (at line 1 column 11)")),
        (r#"{"fColor":true}"#, Err(".f_color: expected an enum, but found true (at line 1 column 11)")),
    ]);
}
