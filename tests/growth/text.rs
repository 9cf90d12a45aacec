//! Unusual text: comments, split strings, lists in every form, and unknown fields.

use crate::family::{Family, prepare, refused, run, taken};
use crate::types::derived::{Choice, Lists, Maps, Required, Scalars, Tree};
use crate::verbs::{self, Derived};
use tobu::Message;
use tobu_schemas::known::json::v1::Known;

/// A text with a fragment repeated in the middle.
fn around(start: &str, piece: &str, count: usize, end: &str) -> Vec<u8> {
    format!("{start}{}{end}", piece.repeat(count)).into()
}

fn nested(open: &str, close: &str, levels: usize) -> Vec<u8> {
    format!("{}{}", open.repeat(levels), close.repeat(levels)).into()
}

#[track_caller]
fn strictly<D: Derived>(families: &[Family]) {
    run(families, &verbs::text::<D>());
}

#[test]
fn syntax() {
    strictly::<Scalars>(&[
        taken("space", 32, |n| around("", " \n\t", n, "")),
        taken("comments", 32, |n| around("", "# a comment\n", n, "f_int32: 1")),
        taken("a long comment", 32, |n| around("#", "c", n, "\nf_int32: 1")),
        taken("comments within a field", 32, |n| around("f_int32", "#\n", n, ": 1")),
        taken("a string in pieces", 32, |n| around("f_string: ", "'a' ", n, "")),
        taken("a string in empty pieces", 32, |n| around("f_string: ", "''", n, "")),
        taken("a string in pieces with comments between", 32, |n| around("f_string: ", "'a'#\n", n, "")),
        taken("a string of escapes", 32, |n| {
            around("f_string: '", "\\n\\x41\\101\\u00e9\\U0001f600", n, "'")
        }),
        taken("bytes of escapes", 32, |n| around("f_bytes: '", "\\377\\0", n, "'")),
        taken("a number with many zeros", 32, |n| around("f_double: 0.", "0", n, "1")),
        taken("a hexadecimal number with many zeros", 32, |n| around("f_int32: 0x", "0", n, "1")),
        refused("a number of many digits", 32, |n| around("f_int32: ", "9", n, ""), "f_int32"),
        refused("an octal number of many digits", 32, |n| around("f_int32: 0", "7", n, ""), "f_int32"),
        refused("a string that does not end", 32, |n| around("f_string: '", "a", n, ""), "f_string"),
        refused(
            "an escape that is none after many",
            32,
            |n| around("f_string: '", "\\n", n, "\\q'"),
            "f_string",
        ),
        refused("pieces, then one that is broken", 32, |n| around("f_string: ", "'a'", n, "'"), "f_string"),
        refused("no UTF-8 after many pieces", 32, |n| around("f_string: ", "'a'", n, "'\\377'"), "f_string"),
        refused("a long name that is not known", 32, |n| around("", "n", n, ": 1"), "unknown field"),
        refused("an error after many lines", 32, |n| around("", "\n", n, "f_int32: x"), "line"),
        refused("a field again", 32, |n| around("f_int32: 1", "\n", n, "f_int32: 1"), "f_int32"),
        refused("a long name of an enum value", 32, |n| around("f_color: ", "C", n, ""), "f_color"),
    ]);
}

#[test]
fn lists_and_maps() {
    strictly::<Lists>(&[
        taken("fields", 32, |n| around("", "f_int32: 1 ", n, "")),
        taken("fields with separators", 32, |n| around("", "f_int32: 1, f_int32: 2; ", n, "")),
        taken("one list", 32, |n| around("f_int32: [1", ", 1", n, "]")),
        taken("lists", 32, |n| around("", "f_int32: [1, 2] ", n, "")),
        taken("empty lists", 32, |n| around("", "f_int32: [] ", n, "")),
        taken("lists in turns", 16, |n| {
            around("", "f_int32: 1 f_string: 'a' f_leaf {} f_color: COLOR_RED ", n, "")
        }),
        taken("floats", 32, |n| around("f_double: [1", ", -1.5e-7f", n, "]")),
        taken("messages", 16, |n| around("", "f_leaf < a: 1 c: [1, 2] > ", n, "")),
        taken("messages in a list", 16, |n| around("f_leaf: [{}", ", {a: 1}", n, "]")),
        refused("a list that does not end", 32, |n| around("f_int32: [1", ", 1", n, ""), "input ends"),
        refused(
            "the last of many is wrong",
            32,
            |n| around("", "f_leaf {} ", n, "f_leaf { a: x }"),
            "f_leaf[",
        ),
    ]);
    strictly::<Maps>(&[
        taken("entries of one key", 32, |n| around("", "f_string { key: 'k' value: 'v' } ", n, "")),
        taken("entries", 16, |n| {
            (0..n).map(|at| format!("f_string {{ key: '{at}' value: 'v' }} ")).collect::<String>().into()
        }),
        taken("entries, the value first", 16, |n| {
            (0..n).map(|at| format!("f_leaf {{ value {{}} key: '{at}' }} ")).collect::<String>().into()
        }),
        taken("entries in a list", 16, |n| around("f_bytes: [{}", ", {key: 'k'}", n, "]")),
        refused(
            "a long key of a wrong value",
            32,
            |n| around("f_leaf { key: '", "k", n, "' value { a: x } }"),
            "f_leaf",
        ),
    ]);
}

#[test]
fn messages() {
    strictly::<Tree>(&[
        taken("a message in each other", 3, |n| nested("left {", "}", n)),
        taken("lists in each other", 3, |n| nested("children: [{", "}]", n)),
        taken("maps in each other", 1, |n| nested("named { key: 'k' value {", "}}", n)),
        taken("pieces at every level", 3, |n| nested("left {} left {", "}", n)),
        taken("pieces and lists at every level", 3, |n| {
            nested("left {} children {} children {", "} left {}", n)
        }),
        taken("one message in many pieces", 32, |n| around("", "left { leaf { c: 1 } } ", n, "")),
        taken("two messages in turns", 32, |n| around("", "left { leaf { c: 1 } } right {} ", n, "")),
        refused("too deep", 101, |n| around("", "left {", n, ""), "nested deeper"),
        refused(
            "wrong at the bottom",
            3,
            |n| format!("{}leaf {{ a: x }}{}", "left {".repeat(n), "}".repeat(n)).into(),
            "left",
        ),
        refused("many that do not end", 3, |n| around("", "left {", n, ""), "input ends"),
    ]);
    const UNKNOWN: &[Family] = &[
        taken("unknown names", 32, |n| around("", "gone: 1 ", n, "")),
        taken("unknown messages", 32, |n| around("", "gone { a: 'x' b: [1, 2] } ", n, "")),
        taken("unknown messages in each other", 3, |n| nested("gone {", "}", n)),
        taken("unknown extensions", 32, |n| around("", "[a.b.c]: 1 ", n, "")),
        taken("a long unknown name", 32, |n| around("[", "a.", n, "b]: 1")),
        taken("an unknown string in pieces", 32, |n| around("gone: ", "'a'", n, "")),
    ];
    run(UNKNOWN, &verbs::lenient_text::<Tree>());
    run(
        &[
            taken("unknown numbers", 32, |n| around("", "99: 5 ", n, "")),
            taken("unknown groups by number", 32, |n| around("", "99 { 1: 2 } ", n, "")),
            taken("unknown groups by number in each other", 3, |n| nested("99 {", "}", n)),
        ],
        &verbs::lenient_text::<Tree>()[1..],
    );
    strictly::<Choice>(&[
        refused("a oneof again", 32, |n| around("number: 1", " ", n, "text: 'a'"), "oneof"),
        taken("a message of a oneof in pieces", 32, |n| around("", "leaf { c: 1 } ", n, "")),
    ]);
    const WHOLE: &str = "id: 1 name: 'a' ";
    strictly::<Required>(&[
        taken("many that are complete", 32, |n| around(WHOLE, "children { id: 1 name: 'a' } ", n, "")),
        taken("completed by the last of many pieces", 32, |n| {
            around(
                &format!("{WHOLE} child {{ id: 1 }} "),
                "child { children { id: 1 name: 'a' } } ",
                n,
                "child { name: 'a' }",
            )
        }),
        taken("completed at every level by a second piece", 3, |n| {
            format!("{}{WHOLE}{}{WHOLE}", format!("{WHOLE} child {{ ").repeat(n), "} ".repeat(n))
                .replace(&format!("}} {WHOLE}"), "} ")
                .into()
        }),
    ]);
    // Merging does not check required fields.
    let mut verbs = verbs::text::<Required>();
    verbs.retain(|verb| !verb.name.contains("merge"));
    run(
        &[refused(
            "many that lack something",
            32,
            |n| around(WHOLE, "children { id: 1 } ", n, ""),
            "no value",
        )],
        &verbs,
    );
    prepare(tobu_schemas::corpus::corpus::v3::Leaf::descriptor);
    strictly::<Known>(&[
        taken("Any in Any", 1, |n| {
            let inner = nested("[x/google.protobuf.Any] {", "}", n);
            [b"any {", &inner[..], b"}"].concat()
        }),
        taken("an Any of a long list", 32, |n| around("any { [x/corpus.v3.Leaf] {", "c: 1 ", n, "}}")),
        taken("Values in each other", 1, |n| {
            let (open, close) = ("list_value { values {".repeat(n), "}}".repeat(n));
            format!("value {{ {open} null_value: NULL_VALUE {close} }}").into()
        }),
        taken("fields of a Struct", 16, |n| {
            (0..n)
                .map(|at| format!("object {{ fields {{ key: '{at}' value {{ bool_value: true }} }} }} "))
                .collect::<String>()
                .into()
        }),
        refused("a long type that is not known", 32, |n| around("any { [x/", "t", n, "] {} }"), "any"),
    ]);
}
