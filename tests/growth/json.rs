//! Unusual JSON: repeated names, numbers and strings in every form, and unknown members.

use crate::family::{Family, prepare, refused, run, taken};
use crate::types::derived::{Lists, Maps, Scalars, Tree};
use crate::verbs::{self, Derived};
use tobu::Message;
use tobu_schemas::known::json::v1::{Known, KnownLists};

/// A text with a fragment repeated in the middle.
fn around(start: &str, piece: &str, count: usize, end: &str) -> Vec<u8> {
    format!("{start}{}{end}", piece.repeat(count)).into()
}

/// A text with a fragment for each number.
fn each(start: &str, count: usize, piece: impl FnMut(usize) -> String, end: &str) -> Vec<u8> {
    format!("{start}{}{end}", (0..count).map(piece).collect::<Vec<_>>().join(",")).into()
}

#[track_caller]
fn strictly<D: Derived>(families: &[Family]) {
    run(families, &verbs::json::<D>());
}

#[test]
fn syntax() {
    strictly::<Scalars>(&[
        taken("space before", 32, |n| around("", " \n\t\r", n, "{}")),
        taken("space within", 32, |n| around("{\"fInt32\"", " ", n, ":1}")),
        taken("a long string", 32, |n| around("{\"fString\":\"", "a", n, "\"}")),
        taken("a string of escapes", 32, |n| around("{\"fString\":\"", "\\n\\u00e9", n, "\"}")),
        taken("a string of surrogates", 32, |n| around("{\"fString\":\"", "\\ud83d\\ude00", n, "\"}")),
        taken("a string of escapes and text in turns", 32, |n| {
            around("{\"fString\":\"", "text\\\"\u{e9}", n, "\"}")
        }),
        taken("base64", 32, |n| around("{\"fBytes\":\"", "AQID", n, "\"}")),
        taken("base64 of the other alphabet", 32, |n| around("{\"fBytes\":\"", "-_-_", n, "\"}")),
        taken("base64 of escapes", 32, |n| around("{\"fBytes\":\"", "\\u0041AAA", n, "\"}")),
        taken("a number with many zeros", 32, |n| around("{\"fInt32\":1.", "0", n, "}")),
        taken("a fraction of many digits", 32, |n| around("{\"fDouble\":1.", "123456789", n, "}")),
        taken("a float of many digits in a string", 32, |n| {
            around("{\"fDouble\":\"1.", "123456789", n, "\"}")
        }),
        taken("an exponent of many zeros", 32, |n| around("{\"fDouble\":1e", "0", n, "1}")),
        refused("a number of many digits", 32, |n| around("{\"fInt32\":", "9", n, "}"), "f_int32"),
        refused(
            "a string of many digits for a number",
            64,
            |n| around("{\"fInt32\":\"", "9", n, "\"}"),
            "f_int32",
        ),
        refused("a float of many digits", 32, |n| around("{\"fDouble\":1", "0", n + 400, "}"), "f_double"),
        refused("a string that does not end", 32, |n| around("{\"fString\":\"", "a", n, ""), "f_string"),
        refused(
            "an escape that is none after many",
            64,
            |n| around("{\"fString\":\"", "\\n", n, "\\x\"}"),
            "f_string",
        ),
        refused(
            "a lone surrogate after many pairs",
            64,
            |n| around("{\"fString\":\"", "\\ud83d\\ude00", n, "\\ud83d\"}"),
            "f_string",
        ),
        refused("no base64 after much", 32, |n| around("{\"fBytes\":\"", "AQID", n, "!\"}"), "f_bytes"),
        refused("an enum value of a long name", 32, |n| around("{\"fColor\":\"", "C", n, "\"}"), "f_color"),
        refused("a long name that is not known", 32, |n| around("{\"", "n", n, "\":1}"), "unknown field"),
        refused("an error after many lines", 32, |n| around("", "\n", n, "{]"), "line"),
        refused("an error after a long line", 32, |n| around("{", " ", n, "]"), "column"),
        refused("much that trails", 32, |n| around("{}", " {}", n, ""), ""),
    ]);
}

#[test]
fn names() {
    const UNKNOWN: &[Family] = &[
        taken("unknown names", 32, |n| each("{", n, |at| format!("\"n{at}\":{at}"), "}")),
        taken("one unknown name", 32, |n| each("{", n, |_| "\"n\":null".into(), "}")),
        taken("unknown values", 32, |n| each("{\"n\":[", n, |_| "{\"a\":[1,\"x\",{}]}".into(), "]}")),
        taken("an unknown value that is deep", 3, |n| {
            format!("{{\"n\":{}{}}}", "[".repeat(n), "]".repeat(n)).into()
        }),
        taken("unknown names that must be unescaped", 32, |n| {
            each("{", n, |at| format!("\"\\u006e{at}\":0"), "}")
        }),
        refused("an unknown value that is too deep", 101, |n| around("{\"n\":", "[", n, ""), "nested deeper"),
    ];
    run(UNKNOWN, &verbs::lenient_json::<Tree>());
    strictly::<Tree>(&[
        refused(
            "a name again",
            64,
            |n| each("{\"name\":\"a\",", n, |_| "\"name\":\"b\"".into(), "}"),
            "name",
        ),
        refused(
            "a name again after many elements",
            32,
            |n| each("{\"children\":[", n, |_| "{}".into(), "],\"children\":[]}"),
            "children",
        ),
        refused("too deep", 101, |n| around("", "{\"left\":", n, ""), "nested deeper"),
        refused("too deep in lists", 101, |n| around("", "{\"children\":[", n, ""), "nested deeper"),
        refused(
            "a name that is not known, after many elements",
            32,
            |n| each("{\"children\":[", n, |_| "{}".into(), ",{\"n\":1}]}"),
            "children[",
        ),
        taken("names in falling order", 16, |n| {
            each(
                "{\"children\":[",
                n,
                |_| "{\"leaf\":{\"c\":[1],\"b\":\"\",\"a\":1},\"name\":\"a\"}".into(),
                "]}",
            )
        }),
        taken("names with escapes", 16, |n| {
            each("{\"children\":[", n, |_| "{\"\\u006eame\":\"a\"}".into(), "]}")
        }),
        taken("nulls", 16, |n| {
            each("{\"children\":[", n, |_| "{\"leaf\":null,\"name\":null,\"left\":null}".into(), "]}")
        }),
    ]);
}

#[test]
fn lists_and_maps() {
    strictly::<Lists>(&[
        taken("numbers in strings", 32, |n| each("{\"fInt64\":[", n, |at| format!("\"{at}\""), "]}")),
        taken("numbers with exponents", 32, |n| each("{\"fInt32\":[", n, |at| format!("{at}e0"), "]}")),
        taken("floats", 32, |n| each("{\"fDouble\":[", n, |at| format!("{at}.{at}e-7"), "]}")),
        taken("names of enum values", 32, |n| {
            each("{\"fColor\":[", n, |_| "\"COLOR_NEGATIVE\"".into(), "]}")
        }),
        taken("lists that are empty", 32, |n| each("{\"fLeaf\":[", n, |_| "{\"c\":[]}".into(), "]}")),
        refused("a null among many", 32, |n| each("{\"fInt32\":[", n, |_| "1".into(), ",null]}"), "f_int32"),
        refused("a comma too many", 32, |n| each("{\"fInt32\":[", n, |_| "1".into(), ",]}"), "f_int32"),
    ]);
    strictly::<Maps>(&[
        taken("keys", 16, |n| each("{\"fBytes\":{", n, |at| format!("\"{at}\":\"\""), "}}")),
        taken("keys that must be unescaped", 16, |n| {
            each("{\"fBytes\":{", n, |at| format!("\"\\u0031{at}\":\"\""), "}}")
        }),
        taken("numbers as keys", 16, |n| each("{\"fInt64\":{", n, |at| format!("\"{at}\":\"1\""), "}}")),
        refused(
            "a key again",
            16,
            |n| each("{\"fBytes\":{", n, |at| format!("\"{at}\":\"\""), ",\"0\":\"\"}}"),
            "f_bytes",
        ),
        refused(
            "a number again as key",
            16,
            |n| each("{\"fInt32\":{", n, |at| format!("\"{at}\":1"), ",\"0\":1}}"),
            "f_int32",
        ),
        refused("a long key of a wrong value", 32, |n| around("{\"fLeaf\":{\"", "k", n, "\":[]}}"), "f_leaf"),
        refused(
            "a long key that is not a number",
            64,
            |n| around("{\"fInt32\":{\"", "1", n, "\":1}}"),
            "f_int32",
        ),
    ]);
}

#[test]
fn well_known_types() {
    // The type of an `Any` is looked up in the global pool.
    prepare(tobu_schemas::corpus::corpus::v3::Leaf::descriptor);
    strictly::<Known>(&[
        taken("values in lists", 32, |n| each("{\"value\":[", n, |at| format!("{at},null,\"x\""), "]}")),
        taken("values in objects", 16, |n| {
            each("{\"object\":{", n, |at| format!("\"{at}\":{{\"a\":1}}"), "}}")
        }),
        taken("lists in each other", 1, |n| {
            format!("{{\"value\":{}{}}}", "[".repeat(n), "]".repeat(n)).into()
        }),
        taken("objects in each other", 1, |n| {
            format!("{{\"object\":{}{{}}{}}}", "{\"k\":".repeat(n), "}".repeat(n)).into()
        }),
        taken("a mask of many paths", 32, |n| each("{\"mask\":\"", n, |at| format!("p{at}.qR"), "\"}")),
        taken("a mask of a long path", 32, |n| around("{\"mask\":\"a", ".a", n, "\"}")),
        taken("an Any with its type last", 16, |n| {
            each("{\"any\":{\"c\":[", n, |_| "1".into(), "],\"@type\":\"x/corpus.v3.Leaf\"}}")
        }),
        taken("Any in Any", 1, |n| any(n + 2, true)),
        taken("Any in Any with their types last", 1, |n| any(n + 2, false)),
        refused("Any in Any, too deep", 101, |n| any(n, true), "nested deeper"),
        refused("Any in Any with their types last, too deep", 101, |n| any(n, false), "nested deeper"),
        refused(
            "a long type that is not known",
            64,
            |n| around("{\"any\":{\"@type\":\"x/", "t", n, "\"}}"),
            "any",
        ),
        refused("values in lists, too deep", 101, |n| around("{\"value\":", "[", n, ""), "nested deeper"),
        refused("a long text that is not a time", 32, |n| around("{\"time\":\"", "1", n, "\"}"), "time"),
        refused("a long text that is not a duration", 32, |n| around("{\"span\":\"", "1", n, "\"}"), "span"),
    ]);
    strictly::<KnownLists>(&[
        taken("times", 16, |n| {
            each("{\"times\":[", n, |_| "\"2024-02-29T23:59:59.123456789+01:00\"".into(), "]}")
        }),
        taken("durations", 16, |n| each("{\"spans\":[", n, |at| format!("\"-{at}.000000001s\""), "]}")),
        taken("masks", 16, |n| each("{\"masks\":[", n, |at| format!("\"a{at},bC\""), "]}")),
        taken("values", 16, |n| each("{\"values\":[", n, |at| format!("{at},null,[{at}],{{}}"), "]}")),
        taken("wrapped numbers", 16, |n| each("{\"numbers\":[", n, |at| format!("\"{at}\""), "]}")),
        taken("Any of many types", 8, |n| {
            each(
                "{\"anys\":[",
                n,
                |_| {
                    "{\"@type\":\"x/corpus.v3.Leaf\",\"a\":1},{\"value\":\"1s\",\"@type\":\"x/google.protobuf.Duration\"},{}".into()
                },
                "]}",
            )
        }),
    ]);
}

/// Any in Any, with the name of the type first or last in each.
fn any(levels: usize, first: bool) -> Vec<u8> {
    let name = "\"@type\":\"x/google.protobuf.Any\"";
    let (start, end) = match first {
        true => (format!("{{{name},\"value\":"), "}".to_owned()),
        false => ("{\"value\":".to_owned(), format!(",{name}}}")),
    };
    format!("{{\"any\":{}{{}}{}}}", start.repeat(levels), end.repeat(levels)).into()
}
