//! What differs in the wire format, or by what came from it.

use super::Known;
use super::difference::has_negative_zero;
use crate::exchange::Format;

pub(super) const ROWS: &[Known] = &[
    Known {
        peers: &["upb", "go", "buffa"],
        what: "extensions that are not valid in themselves are refused",
        reason: "tobu keeps extensions as unknown fields, whose content is looked at when it is asked for",
        applies: |it| it.they_refuse("") && it.is(Format::Wire) && it.flat_refuses(),
    },
    Known {
        peers: &["upb"],
        what: "a length of more than five bytes is refused",
        reason: "upb takes no more for it; the specification allows ten for every varint",
        applies: |it| it.they_refuse("Wire format was corrupt") && it.facts().long_length,
    },
    Known {
        peers: &["upb"],
        what: "a varint whose tenth byte is larger than 1 is taken",
        reason: "upb drops the bits beyond 64; tobu and Go refuse what does not fit",
        applies: |it| {
            it.is(Format::Wire) && it.we_refuse("varint is longer than 10 bytes or does not fit 64 bits")
        },
    },
    Known {
        peers: &["go", "prost", "buffa"],
        what: "a tag of more than five bytes is taken",
        reason: "they read it as any varint; the conformance suite has others refuse it",
        applies: |it| it.is(Format::Wire) && it.we_refuse("tag is longer than 5 bytes"),
    },
    Known {
        peers: &["upb"],
        what: "a map entry with unknown fields is kept among the unknown fields of the message around it",
        reason: "upb keeps every byte, at the price of the entry; the specification has unknown fields of entries dropped",
        applies: |it| {
            (it.contents_differ() || it.we_refuse("required field")) && it.facts().entry_with_unknown
        },
    },
    Known {
        peers: &["upb"],
        what: "field number 0 is taken in unknown groups, in values of map entries that come in pieces, and in messages without fields",
        reason: "upb does not look at it there; the specification has no such number",
        applies: |it| it.is(Format::Wire) && it.we_refuse("field number 0"),
    },
    Known {
        peers: &["go"],
        what: "a closed enum takes every number",
        reason: "Go treats all enums as open, and says so in its documentation",
        applies: |it| {
            it.is(Format::Text) && it.we_refuse("has no value")
                || !it.is(Format::Wire) && it.we_refuse("required field")
                || it.facts().unknown_of_closed && (it.contents_differ() || it.we_refuse(""))
        },
    },
    Known {
        peers: &["prost", "buffa"],
        what: "a field of another wire type than its own is refused",
        reason: "the specification has it kept as an unknown field",
        applies: |it| {
            it.is(Format::Wire)
                && (it.they_refuse("invalid wire type: ") || it.they_refuse("wire type mismatch on field"))
        },
    },
    Known {
        peers: &["prost"],
        what: "a map is read from any wire type, as if it were entries",
        reason: "prost does not look at the wire type of maps",
        applies: |it| it.facts().map_of_other_type,
    },
    Known {
        peers: &["prost", "buffa"],
        what: "a string of proto2 that is not UTF-8 is refused",
        reason: "it is a Rust string there; dynamic messages of tobu keep what the schema allows",
        applies: |it| {
            it.they_refuse("data is not UTF-8 encoded") || it.they_refuse("invalid UTF-8 in string field")
        },
    },
    Known {
        peers: &["prost", "buffa"],
        what: "required fields may be missing, and are written as defaults",
        reason: "neither looks whether they are there",
        applies: |it| it.we_refuse("required field"),
    },
    Known {
        peers: &["prost"],
        what: "unknown fields are dropped, extensions among them",
        reason: "prost has no place for them",
        applies: |it| it.differs_in_extensions(),
    },
    Known {
        peers: &["prost"],
        what: "negative zero of a float without presence is not written",
        reason: "prost compares it with 0; the specification has it written",
        applies: |it| it.found.contents.as_ref().is_some_and(|(ours, _)| has_negative_zero(ours)),
    },
    Known {
        peers: &["prost"],
        what: "a closed enum takes every number",
        reason: "a field of an enum is an `i32` in prost",
        applies: |it| it.contents_differ() && it.facts().unknown_of_closed,
    },
    Known {
        peers: &["upb", "buffa"],
        what: "tags and numbers of unknown fields have another length",
        reason: "upb keeps the bytes of a number that a closed enum does not have, buffa writes the shortest; tobu the reverse",
        applies: |it| it.differs_in_unknown_fields(),
    },
    Known {
        peers: &["go"],
        what: "an extension with a string that is not UTF-8 is taken, and written before unknown fields",
        reason: "Go does not look at the strings of extensions here; to tobu the whole extension is an unknown field",
        applies: |it| {
            !it.is_valid_flat() && it.differs_in_extensions()
                || (it.writes() || it.is(Format::Text)) && it.we_refuse("invalid UTF-8 in a string")
        },
    },
    Known {
        peers: &["go"],
        what: "a map whose key comes again with another wire type makes it panic",
        reason: "a bug of dynamic messages",
        applies: |it| it.they_refuse("panic: type mismatch: cannot convert nil to map key"),
    },
    Known {
        peers: &["go"],
        what: "a signalling NaN of 32 bits becomes a quiet one",
        reason: "dynamic messages of Go hold it as 64 bits",
        applies: |it| it.is_nan_alone(),
    },
];
