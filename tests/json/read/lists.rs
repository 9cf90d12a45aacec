//! Lists and maps.

use super::{check, error};
use tobu_schemas::corpus::corpus::v3::{Lists, Maps};

#[test]
fn lists() {
    check::<Lists>(&[
        (
            r#"{"fInt32":[1,"2",3.0],"fLeaf":[{"a":1},{}],"fString":["a",""],"fBytes":["AQI",""]}"#,
            Ok(r#"{"fInt32":[1,2,3],"fString":["a",""],"fBytes":["AQI=",""],"fLeaf":[{"a":1},{}]}"#),
        ),
        (
            r#"{"fDouble":[1,"NaN",0.5],"fColor":["COLOR_RED",2],"fBool":[true,false],"fExpanded":[-1]}"#,
            Ok(
                r#"{"fDouble":[1,"NaN",0.5],"fBool":[true,false],"fColor":["COLOR_RED","COLOR_GREEN"],"fExpanded":[-1]}"#,
            ),
        ),
        (r#"{"fInt32":[],"fLeaf": [ ] }"#, Ok("{}")),
        (r#"{"fInt32":1}"#, Err(".f_int32: expected a list, but found the number 1 (at line 1 column 11)")),
        (r#"{"fInt32":{}}"#, Err(".f_int32: expected a list, but found an object (at line 1 column 11)")),
        (r#"{"fInt32":[1,]}"#, Err(".f_int32: expected a value, but found `]` (at line 1 column 14)")),
        (r#"{"fInt32":[,1]}"#, Err(".f_int32[0]: expected an int32, but found `,` (at line 1 column 12)")),
        (r#"{"fInt32":[1 2]}"#, Err(".f_int32: expected `,` or `]`, but found `2` (at line 1 column 14)")),
        (r#"{"fInt32":[1}"#, Err(".f_int32: expected `,` or `]`, but found `}` (at line 1 column 13)")),
        (r#"{"fInt32":[1,"#, Err(".f_int32[1]: expected an int32, but the input ends (at line 1 column 14)")),
        (
            r#"{"fInt32":[1,null]}"#,
            Err(".f_int32: expected an element, but found null (at line 1 column 14)"),
        ),
        (
            r#"{"fInt32":[1,true]}"#,
            Err(".f_int32[1]: expected an int32, but found true (at line 1 column 14)"),
        ),
        (
            r#"{"fLeaf":[{"c":[1]},{"c":[1,"x"]}]}"#,
            Err(r#".f_leaf[1].c[1]: expected an int32, but found the string "x" (at line 1 column 29)"#),
        ),
        (
            r#"{"fLeaf":[[]]}"#,
            Err(
                ".f_leaf[0]: expected a message of type corpus.v3.Leaf, but found a list (at line 1 column 11)",
            ),
        ),
    ]);
}

#[test]
fn maps() {
    check::<Maps>(&[
        (
            r#"{"fInt32":{"1":2,"-3":"4"},"fBool":{"true":false}}"#,
            Ok(r#"{"fInt32":{"-3":4,"1":2},"fBool":{"true":false}}"#),
        ),
        (
            r#"{"fInt64":{"-9223372036854775808":1},"fUint64":{"18446744073709551615":1}}"#,
            Ok(r#"{"fInt64":{"-9223372036854775808":"1"},"fUint64":{"18446744073709551615":"1"}}"#),
        ),
        (
            r#"{"fUint32":{"4294967295":1},"fSint32":{"-1":1},"fSint64":{"-1":1}}"#,
            Ok(r#"{"fUint32":{"4294967295":1},"fSint32":{"-1":1},"fSint64":{"-1":"1"}}"#),
        ),
        (
            r#"{"fFixed32":{"1":1},"fFixed64":{"1":1},"fSfixed32":{"-1":0.5},"fSfixed64":{"-1":0.5}}"#,
            Ok(r#"{"fFixed32":{"1":1},"fFixed64":{"1":"1"},"fSfixed32":{"-1":0.5},"fSfixed64":{"-1":0.5}}"#),
        ),
        (
            r#"{"fInt32":{"\u0031":2},"fBool":{"tr\u0075e":true},"fString":{"\n":"a","":"b"}}"#,
            Ok(r#"{"fInt32":{"1":2},"fBool":{"true":true},"fString":{"":"b","\n":"a"}}"#),
        ),
        (
            r#"{"fBytes":{"a":"AQI"},"fColor":{"a":1},"fLeaf":{"a":{"a":1},"b":{}}}"#,
            Ok(r#"{"fBytes":{"a":"AQI="},"fColor":{"a":"COLOR_RED"},"fLeaf":{"a":{"a":1},"b":{}}}"#),
        ),
        (r#"{"fInt32":{},"fLeaf": { } }"#, Ok("{}")),
        (
            r#"{"fInt32":{1:2}}"#,
            Err(".f_int32: expected a key in quotes, but found `1` (at line 1 column 12)"),
        ),
        (
            r#"{"fBool":{true:false}}"#,
            Err(".f_bool: expected a key in quotes, but found `t` (at line 1 column 11)"),
        ),
        (
            r#"{"fInt32":{null:1}}"#,
            Err(".f_int32: expected a key in quotes, but found `n` (at line 1 column 12)"),
        ),
        (
            r#"{"fInt32":{"0":null}}"#,
            Err(r#".f_int32["0"]: expected a value of a map, but found null (at line 1 column 16)"#),
        ),
        (
            r#"{"fInt32":{"x":1}}"#,
            Err(r#".f_int32: the keys are of kind int32, but "x" is not such a key (at line 1 column 12)"#),
        ),
        (
            r#"{"fInt32":{"":1}}"#,
            Err(r#".f_int32: the keys are of kind int32, but "" is not such a key (at line 1 column 12)"#),
        ),
        (
            r#"{"fInt32":{" 1":1}}"#,
            Err(r#".f_int32: the keys are of kind int32, but " 1" is not such a key (at line 1 column 12)"#),
        ),
        (
            r#"{"fInt32":{"01":1}}"#,
            Err(r#".f_int32: the keys are of kind int32, but "01" is not such a key (at line 1 column 12)"#),
        ),
        (
            r#"{"fInt32":{"2147483648":1}}"#,
            Err(".f_int32: 2147483648 does not fit an int32 (at line 1 column 12)"),
        ),
        (r#"{"fUint32":{"-1":1}}"#, Err(".f_uint32: -1 does not fit a uint32 (at line 1 column 13)")),
        (
            r#"{"fBool":{"1":true}}"#,
            Err(r#".f_bool: the keys are of kind bool, but "1" is not such a key (at line 1 column 11)"#),
        ),
        (r#"{"fInt32":{"1":2,"1":3}}"#, Err(r#".f_int32: the key "1" comes twice (at line 1 column 18)"#)),
        (r#"{"fInt32":{"1":2,"1.0":3}}"#, Err(r#".f_int32: the key "1" comes twice (at line 1 column 18)"#)),
        (
            r#"{"fString":{"b":"","a":"","c":"","a":""}}"#,
            Err(r#".f_string: the key "a" comes twice (at line 1 column 34)"#),
        ),
        (
            r#"{"fString":{"a":"","\u0061":""}}"#,
            Err(r#".f_string: the key "a" comes twice (at line 1 column 20)"#),
        ),
        (
            r#"{"fInt32":{"1":"x"}}"#,
            Err(r#".f_int32["1"]: expected an int32, but found the string "x" (at line 1 column 16)"#),
        ),
        (
            r#"{"fLeaf":{"k":{"a":[]}}}"#,
            Err(r#".f_leaf["k"].a: expected an int32, but found a list (at line 1 column 20)"#),
        ),
        (r#"{"fInt32":[]}"#, Err(".f_int32: expected a map, but found a list (at line 1 column 11)")),
        (r#"{"fInt32":{"1" 2}}"#, Err(".f_int32: expected `:`, but found `2` (at line 1 column 16)")),
        (
            r#"{"fInt32":{"1":2,}}"#,
            Err(".f_int32: expected a key in quotes, but found `}` (at line 1 column 18)"),
        ),
        (
            r#"{"fInt32":{"1":2 "3":4}}"#,
            Err(".f_int32: expected `,` or `}`, but found a string (at line 1 column 18)"),
        ),
    ]);
}

#[test]
fn a_key_that_comes_again_is_found_among_many() {
    for (last, wanted) in [(500, Some("the key \"500\" comes twice")), (5000, None)] {
        for order in [1, 7919] {
            let keys = (0..1000).map(|i| format!("\"{}\":1", i * order % 1000));
            let text: Vec<String> = keys.chain([format!("\"{last}\":1")]).collect();
            let text = format!("{{\"fInt32\":{{{}}}}}", text.join(","));
            match wanted {
                Some(wanted) => assert_eq!(error::<Maps>(&text).message(), wanted),
                None => assert_eq!(tobu::json::from_str::<Maps>(&text).unwrap().f_int32.len(), 1001),
            }
        }
    }
}
