//! What differs in the text format.

use super::Known;
use super::difference::is_only_pythons_space;
use crate::compare::Check;
use crate::exchange::Format;

pub(super) const ROWS: &[Known] = &[
    Known {
        peers: &["upb"],
        what: "an octal or hexadecimal number for an enum or a bool is refused",
        reason: "Python takes decimal ones alone; the grammar has integers of every base",
        applies: |it| {
            it.is(Format::Text)
                && (it.they_refuse("has no value named 0")
                    || it.they_refuse("Expected \"true\" or \"false\""))
        },
    },
    Known {
        peers: &["upb"],
        what: "a field without presence comes twice, first as its default",
        reason: "Python asks the message whether the field is there, which it is not then",
        applies: |it| it.is(Format::Text) && it.we_refuse("the field comes twice"),
    },
    Known {
        peers: &["upb", "go"],
        what: "a map key that is not UTF-8 is written",
        reason: "such a key has no form in tobu but on the wire",
        applies: |it| it.writes() && it.we_refuse("a key of the map is not valid UTF-8"),
    },
    Known {
        peers: &["upb", "go"],
        what: "an `Any` is expanded whatever its type URL looks like",
        reason: "tobu expands what it can read again",
        applies: |it| it.is(Format::Text) && it.found.check == Check::Theirs && it.facts().any,
    },
    Known {
        peers: &["go"],
        what: "`-nan` in other than small letters is refused",
        reason: "the specification has it in any",
        applies: |it| it.is(Format::Text) && it.they_refuse("type: -"),
    },
    Known {
        peers: &["buffa"],
        what: "`\\X` is not an escape",
        reason: "the grammar has it beside `\\x`",
        applies: |it| {
            it.is(Format::Text) && it.they_refuse("unrecognised escape") && it.text().contains("\\X")
        },
    },
    Known {
        peers: &["upb"],
        what: "an extension's name with white space in it is refused",
        reason: "the conformance suite has white space in names in brackets",
        applies: |it| it.is(Format::Text) && it.they_refuse("not registered"),
    },
    Known {
        peers: &["buffa"],
        what: "a comment between two parts of a string is refused",
        reason: "the grammar has comments between any two tokens",
        applies: |it| {
            it.is(Format::Text)
                && it.they_refuse("unexpected token, expected field name")
                && it.text().contains('#')
        },
    },
    Known {
        peers: &["upb"],
        what: "white space between a minus and its number is refused",
        reason: "the grammar has them as two tokens",
        applies: |it| {
            let words = ["Couldn't parse integer: -", "Couldn't parse float: -", "has no value named -."];
            it.is(Format::Text) && words.iter().any(|words| it.they_refuse(words))
        },
    },
    Known {
        peers: &["upb"],
        what: "an `Any` whose content is not valid stops the writing of text",
        reason: "tobu writes such content as bytes",
        applies: |it| {
            it.is(Format::Text) && it.they_refuse("Error parsing message with type") && it.facts().any
        },
    },
    Known {
        peers: &["upb"],
        what: "a plus before a number, and a minus before the zero of an unsigned one, are taken",
        reason: "Python reads them by `int`; the grammar has no plus, and no sign for what is unsigned",
        applies: |it| {
            it.is(Format::Text) && (it.we_refuse("but found `+`") || it.we_refuse("0 does not fit a uint"))
        },
    },
    Known {
        peers: &["upb"],
        what: "numbers with underscores, `0o` or `0b` are taken",
        reason: "Python reads them by `int`",
        applies: |it| {
            let text = it.text().to_lowercase();
            let pythons = ["_", "0o", "0b"].iter().any(|piece| text.contains(piece));
            it.is(Format::Text) && it.we_refuse("between a number and a word") && pythons
        },
    },
    Known {
        peers: &["upb", "go", "buffa"],
        what: "a text that is not UTF-8 is refused",
        reason: "they read a text as characters, tobu as bytes, of which only strings are asked to be UTF-8",
        applies: |it| {
            it.is(Format::Text) && it.they_refuse("") && std::str::from_utf8(&it.found.input).is_err()
        },
    },
    Known {
        peers: &["upb"],
        what: "a string of proto2 that is not UTF-8 is written, and not read again",
        reason: "Python's strings are Unicode",
        applies: |it| it.is(Format::Text) && it.they_refuse("Couldn't parse string"),
    },
    Known {
        peers: &["upb", "go"],
        what: "a singular message that comes twice is refused",
        reason: "the conformance suite has its pieces merged",
        applies: |it| {
            it.is(Format::Text)
                && (it.they_refuse("should not have multiple")
                    || it.they_refuse("non-repeated field")
                    || it.they_refuse("is already set")
                    || it.they_refuse("map entry \"value\" cannot be repeated"))
        },
    },
    Known {
        peers: &["upb"],
        what: "a backslash before a character that is not an escape stands for itself",
        reason: "the grammar of the text format does not have it",
        applies: |it| it.is(Format::Text) && it.we_refuse("is not a character of a string"),
    },
    Known {
        peers: &["upb"],
        what: "separators of Unicode and of ASCII are white space",
        reason: "the grammar has six characters of white space, Python's `\\s` many more",
        applies: |it| {
            it.is(Format::Text)
                && it.we_refuse("but found `\\u{")
                && it.text().contains(is_only_pythons_space)
        },
    },
    Known {
        peers: &["go", "buffa"],
        what: "a vertical tab or form feed between tokens, or NUL in a string, is refused",
        reason: "the grammar has them",
        applies: |it| {
            let refused = it.they_refuse("invalid field name: ")
                || it.they_refuse("invalid scalar value: ")
                || it.they_refuse("invalid character '\\x00' in string")
                || it.they_refuse("missing field separator")
                || it.they_refuse("unterminated string");
            it.is(Format::Text) && refused && it.text().contains(['\u{b}', '\u{c}', '\0'])
        },
    },
    Known {
        peers: &["go"],
        what: "an octal or hexadecimal integer is taken for a float",
        reason: "the specification takes decimal ones alone",
        applies: |it| it.is(Format::Text) && it.we_refuse("is hexadecimal or octal"),
    },
    Known {
        peers: &["upb"],
        what: "a separator behind an `Any` that is expanded is refused",
        reason: "the grammar has one behind every field",
        applies: |it| {
            let words = ["Expected identifier or number, got ;", "Expected identifier or number, got ,"];
            it.is(Format::Text) && it.text().contains('[') && words.iter().any(|words| it.they_refuse(words))
        },
    },
];
