//! What differs in JSON.

use super::Known;
use crate::compare::Check;
use crate::exchange::Format;

pub(super) const ROWS: &[Known] = &[
    Known {
        peers: &["buffa"],
        what: "an extension of a closed enum takes every number where it is written as JSON",
        reason: "buffa looks at the last value of an extension alone",
        applies: |it| it.is(Format::Json) && it.contents_differ() && it.facts().unknown_of_closed,
    },
    Known {
        peers: &["buffa"],
        what: "unknown members of JSON and unknown fields of text are passed over",
        reason: "buffa has no setting for it; they may be anything, also what tobu cannot read",
        applies: |it| {
            let unknown = [
                "unknown field",
                "has no extension",
                "expected a field",
                "expected the name",
                "is not the name",
                "is not an Any",
                "is not a type URL",
                "expected `key` or `value`",
            ];
            !it.is(Format::Wire) && unknown.iter().any(|words| it.we_refuse(words))
        },
    },
    Known {
        peers: &["upb", "buffa"],
        what: "a number that is not an integer is taken for one where it is next to one as a double",
        reason: "both read it as a double",
        applies: |it| {
            it.is(Format::Json) && (it.we_refuse("is not an integer") || it.we_refuse("does not fit an int64"))
        },
    },
    Known {
        peers: &["buffa"],
        what: "an `Any` of a type that is not known is written and read as base64 in JSON",
        reason: "the specification gives it no form",
        applies: |it| {
            it.is(Format::Json)
                && (it.we_refuse("there is no message named")
                    || it.we_refuse("has no name of a type after")
                    || it.we_refuse("of an Any is not known"))
        },
    },
    Known {
        peers: &["buffa"],
        what: "an `Any` whose type URL does not begin with `type.googleapis.com/` is not expanded",
        reason: "buffa looks for the whole URL; the specification has the type after the last slash",
        applies: |it| match it.found.format {
            Format::Json => it.has_other_type_url(),
            _ => it.they_refuse("unknown field") && it.text().contains('/'),
        },
    },
    Known {
        peers: &["buffa"],
        what: "the colon after a field's name may be missing before every value",
        reason: "the grammar of the text format has it missing before messages and lists of them alone",
        applies: |it| it.is(Format::Text) && it.we_refuse("expected `:`"),
    },
    Known {
        peers: &["upb", "go", "buffa"],
        what: "a number of `NullValue` other than 0 is `null`, which reads back as 0",
        reason: "all write it so, and JSON has no other form of it",
        applies: |it| it.is(Format::Json) && it.facts().null_number && it.contents_differ(),
    },
    Known {
        peers: &["upb"],
        what: "`null` in a list or map of `NullValue` is refused",
        reason: "Python refuses `null` in every list but one of `Value`; it is the form of the enum's value",
        applies: |it| {
            it.is(Format::Json)
                && (it.they_refuse("null is not allowed to be used as an element")
                    || it.they_refuse("not 'NoneType'"))
        },
    },
    Known {
        peers: &["upb"],
        what: "`-0` of a float is 0, not negative zero",
        reason: "Python reads a number without fraction as an integer",
        applies: |it| it.is(Format::Json) && it.contents_differ() && it.text().contains("-0"),
    },
    Known {
        peers: &["upb"],
        what: "a string that is not UTF-8 is written as the text of a Python literal",
        reason: "tobu refuses to write it: there is no JSON of it",
        applies: |it| it.is(Format::Json) && it.writes() && it.we_refuse("the string is not valid UTF-8"),
    },
    Known {
        peers: &["upb", "buffa"],
        what: "a `Value` without a kind is written as `null`",
        reason: "the specification calls it an error",
        applies: |it| it.is(Format::Json) && it.writes() && it.we_refuse("Value without a kind"),
    },
    Known {
        peers: &["upb", "go", "buffa"],
        what: "paths of a field mask that are not names",
        reason: "tobu asks that a path comes back as it was, Go and buffa that it is an identifier, Python neither",
        applies: |it| {
            it.is(Format::Json)
                && (it.we_refuse("of a field mask")
                    || it.we_refuse("is not a field mask: a path is empty")
                    || it.they_refuse("FieldMask.paths contains invalid path")
                    || it.they_refuse("FieldMask path"))
        },
    },
    Known {
        peers: &["upb", "buffa"],
        what: "a number that a closed enum does not have is refused",
        reason: "tobu keeps it among the unknown fields, as it does with wire bytes",
        applies: |it| {
            let words = ["Invalid enum value", "unknown enum value"];
            it.is(Format::Json) && words.iter().any(|words| it.they_refuse(words))
        },
    },
    Known {
        peers: &["upb", "buffa"],
        what: "a list is taken for a message, by Python an empty one alone",
        reason: "Python goes over the names in whatever it is, serde lets structs be sequences",
        applies: |it| it.is(Format::Json) && it.we_refuse("but found a list") && it.text().contains('['),
    },
    Known {
        peers: &["upb", "go", "buffa"],
        what: "numbers and base64 in the spelling of Python, Go or Rust",
        reason: "they read them by what their languages have, which takes more than the specification",
        applies: |it| {
            let words = [
                "but found the string",
                "is not base64",
                "the keys are of kind",
                "has no value \"",
                "is not a duration: it is not of the form",
                "is not a timestamp: it is not of the form",
            ];
            it.is(Format::Json) && words.iter().any(|words| it.we_refuse(words))
        },
    },
    Known {
        peers: &["buffa"],
        what: "a name or a map key comes twice, or in text a oneof",
        reason: "in JSON buffa refuses members of the same field alone, in text none",
        applies: |it| {
            let words = ["comes twice", "another field of the oneof"];
            !it.is(Format::Wire) && words.iter().any(|words| it.we_refuse(words))
                || it.is(Format::Json)
                    && it.we_refuse("expected a string for google.protobuf.")
                    && it.text().matches("\"value\"").count() > 1
        },
    },
    Known {
        peers: &["buffa"],
        what: "an extension of another wire type or with content that is not valid stops the writing of JSON",
        reason: "tobu writes what is valid of it",
        applies: |it| it.is(Format::Json) && it.they_refuse("extension field"),
    },
    Known {
        peers: &["buffa"],
        what: "an extension whose content is not valid is left out of text",
        reason: "tobu says that it is not",
        applies: |it| it.is(Format::Text) && it.writes() && it.we_refuse("") && it.flat_refuses(),
    },
    Known {
        peers: &["buffa"],
        what: "extensions that are not messages are not in text, neither read nor written",
        reason: "buffa registers messages alone for it",
        applies: |it| it.is(Format::Text) && (it.they_refuse("unknown field") || it.differs_in_extensions()),
    },
    Known {
        peers: &["upb", "go"],
        what: "an `Any` whose content lacks required fields is expanded",
        reason: "tobu writes such content as bytes in text, and refuses to write JSON of it",
        applies: |it| it.we_refuse("required field") && (it.writes() || it.found.check == Check::Theirs),
    },
    Known {
        peers: &["buffa"],
        what: "the number of an enum with a fraction of zeros, or negative zero, is refused",
        reason: "buffa takes integers alone; the specification takes every spelling of a number",
        applies: |it| {
            let words = ["invalid type: floating point", "for enum value, got float"];
            it.is(Format::Json) && words.iter().any(|words| it.they_refuse(words))
        },
    },
    Known {
        peers: &["upb"],
        what: "a name ends at NUL",
        reason: "upb looks names up as strings of C",
        applies: |it| it.is(Format::Json) && it.we_refuse("unknown field") && it.text().contains("\\u0000"),
    },
    Known {
        peers: &["go"],
        what: "a duration with zeros in front is refused",
        reason: "Go reads the seconds as JSON has numbers; Python and buffa do not",
        applies: |it| it.is(Format::Json) && it.they_refuse("invalid google.protobuf.Duration value \"0"),
    },
    Known {
        peers: &["go", "buffa"],
        what: "a map key with a fraction or an exponent is refused",
        reason: "tobu reads a key as it reads a number in quotes",
        applies: |it| {
            let by_go = it.they_refuse("invalid value for") && it.they_refuse(" key: ");
            it.is(Format::Json) && (by_go || it.they_refuse("invalid map key"))
        },
    },
    Known {
        peers: &["go"],
        what: "white space around a field mask is dropped",
        reason: "Go trims the text",
        applies: |it| {
            let space = ["\\n", "\" ", " \""];
            it.is(Format::Json) && it.contents_differ() && space.iter().any(|space| it.text().contains(space))
        },
    },
    Known {
        peers: &["buffa"],
        what: "an `Any` whose content is not valid is written as base64 in JSON",
        reason: "the specification gives it no form",
        applies: |it| it.is(Format::Json) && it.writes() && it.we_refuse("") && it.facts().any,
    },
    Known {
        peers: &["buffa"],
        what: "an `Any` whose content is not valid is expanded in text to what can be read of it",
        reason: "tobu writes it as bytes",
        applies: |it| it.is(Format::Text) && it.contents_differ() && it.facts().any,
    },
    Known {
        peers: &["go"],
        what: "an exponent without digits is taken",
        reason: "a bug of its tokenizer: JSON has no such number",
        applies: |it| it.is(Format::Json) && it.we_refuse("expected a digit"),
    },
    Known {
        peers: &["upb", "go"],
        what: "an `Any` whose type URL has no slash is expanded",
        reason: "they take the whole for the name; the specification has it after a slash",
        applies: |it| it.is(Format::Json) && it.we_refuse("has no name of a type after a slash"),
    },
    Known {
        peers: &["upb"],
        what: "a map entry with unknown fields is not written, whatever its value is",
        reason: "upb has the entry among unknown fields; tobu has it, and no JSON of an `Any` that cannot be expanded",
        applies: |it| {
            let words = ["there is no message named", "has no name of a type after"];
            let refused = words.iter().any(|words| it.we_refuse(words));
            it.is(Format::Json) && it.writes() && refused && it.facts().entry_with_unknown
        },
    },
    Known {
        peers: &["upb"],
        what: "a bool is taken for a float",
        reason: "Python's `float` takes it",
        applies: |it| {
            it.is(Format::Json) && (it.we_refuse("but found true") || it.we_refuse("but found false"))
        },
    },
    Known {
        peers: &["upb"],
        what: "a number beyond the doubles is infinity in a `Value`",
        reason: "Python reads it so, and does not look at it there",
        applies: |it| {
            it.is(Format::Json) && it.we_refuse("number_value") && it.we_refuse("does not fit a double")
        },
    },
    Known {
        peers: &["upb"],
        what: "an `Any` of a type with a form of its own has other members beside `value`",
        reason: "Python looks for `value` alone",
        applies: |it| it.is(Format::Json) && it.we_refuse("unknown field") && it.text().contains("\"@type\""),
    },
    Known {
        peers: &["go"],
        what: "a group has the name of its message, too",
        reason: "Go looks for the name in text; the specification has those of the field",
        applies: |it| it.is(Format::Json) && it.we_refuse("unknown field \"G"),
    },
    Known {
        peers: &["buffa"],
        what: "a number in quotes is refused in lists of some types",
        reason: "extensions and lists of 32 bits have another reader; the specification takes it for every number",
        applies: |it| {
            it.is(Format::Json) && it.they_refuse("invalid type: string") && it.they_refuse("2 at line")
        },
    },
    Known {
        peers: &["buffa"],
        what: "an `Any` whose content has a field of another wire type stops the writing of JSON",
        reason: "the specification has it kept as an unknown field",
        applies: |it| {
            it.is(Format::Json)
                && it.writes()
                && it.they_refuse("wire type mismatch on field")
                && it.facts().any
        },
    },
];
