//! Messages in messages: deep, with several occurrences, and both.

use crate::everything;
use crate::family::{Family, Verb, refused, run, taken};
use crate::pieces::{each, entry, int, join, len, nested, times};
use crate::types::{derived, plain};
use crate::verbs;

/// Trees, as they should be and not.
pub(crate) const TREES: &[Family] = &[
    taken("left of left", 3, |n| nested(n, [], |body| len(2, body))),
    taken("left and right in turns", 1, |n| nested(n, [], |body| len(2, len(3, body)))),
    taken("lists of lists", 3, |n| nested(n, [], |body| len(4, body))),
    taken("maps of maps", 1, |n| nested(n, [], |body| entry(5, "key", body))),
    taken("an empty piece first at every level", 3, |n| {
        nested(n, [], |body| join([len(2, []), len(2, body)]))
    }),
    taken("an empty piece last at every level", 3, |n| {
        nested(n, [], |body| join([len(2, body), len(2, [])]))
    }),
    taken("a piece on both sides at every level", 3, |n| {
        nested(n, [], |body| join([len(2, len(1, "a")), len(2, body), len(2, len(6, int(1, 5)))]))
    }),
    taken("a field around each piece at every level", 3, |n| {
        nested(n, [], |body| join([len(1, "a"), len(2, []), len(1, "b"), len(2, body), len(1, "c")]))
    }),
    taken("an unknown field between the pieces at every level", 3, |n| {
        nested(n, [], |body| join([len(2, []), int(99, 1), len(2, body)]))
    }),
    taken("two elements at every level, the second goes on", 3, |n| {
        nested(n, [], |body| join([len(4, []), len(4, body)]))
    }),
    taken("two elements at every level, the first goes on", 3, |n| {
        nested(n, [], |body| join([len(4, body), len(4, [])]))
    }),
    taken("elements around another field at every level", 3, |n| {
        nested(n, [], |body| join([len(4, []), len(1, "a"), len(4, body), len(1, "b"), len(4, [])]))
    }),
    taken("one key twice at every level", 1, |n| {
        nested(n, [], |body| join([entry(5, "key", len(1, "a")), entry(5, "key", body)]))
    }),
    taken("one key twice at every level, the second is empty", 1, |n| {
        nested(n, [], |body| join([entry(5, "key", body), entry(5, "key", [])]))
    }),
    taken("an entry with two values at every level", 1, |n| {
        nested(n, [], |body| len(5, join([len(1, "key"), len(2, len(1, "a")), len(2, body)])))
    }),
    taken("a list and a map at every level", 1, |n| nested(n, [], |body| len(4, entry(5, "key", body)))),
    taken("a list and a map in pieces at every level", 1, |n| {
        nested(n, [], |body| {
            join([len(4, []), len(4, join([entry(5, "key", []), entry(5, "key", body)])), len(2, [])])
        })
    }),
    taken("two trees in turns", 32, |n| times(n, join([len(2, len(1, "a")), len(3, len(1, "b"))]))),
    taken("one message in fragments", 32, |n| times(n, len(2, len(1, "a")))),
    taken("one message in fragments, with lists in it", 16, |n| times(n, len(2, len(4, [])))),
    taken("one message in fragments, with maps in it", 16, |n| {
        each(n, |at| len(2, entry(5, at.to_string(), [])))
    }),
    taken("one message in fragments, with one key in them", 16, |n| {
        times(n, len(2, entry(5, "key", len(1, "a"))))
    }),
    taken("a deep message in fragments", 8, |n| times(n, nested(20, len(1, "a"), |body| len(2, body)))),
    taken("a deep list", 8, |n| times(n, nested(20, [], |body| len(4, body)))),
    taken("children that are wide", 8, |n| times(n, len(4, times(20, len(4, len(1, "a")))))),
    taken("a deep map", 8, |n| times(n, nested(20, [], |body| entry(5, "key", body)))),
    refused("malformed at the bottom", 3, |n| nested(n, [8], |body| len(2, body)), "left"),
    refused(
        "malformed at the bottom of lists",
        3,
        |n| nested(n, [8], |body| join([len(4, []), len(4, body)])),
        "children[1]",
    ),
    refused(
        "malformed at the bottom of maps",
        3,
        |n| nested(n, [8], |body| entry(5, "key", body)),
        "named[\"key\"]",
    ),
    refused(
        "malformed at the bottom of pieces",
        3,
        |n| nested(n, [8], |body| join([len(2, []), len(2, body)])),
        "left",
    ),
    refused("too deep", 101, |n| nested(n, [], |body| len(2, body)), "nested deeper than 100 levels"),
    refused(
        "too deep in lists in pieces",
        101,
        |n| nested(n, [], |body| join([len(4, []), len(4, body)])),
        "nested deeper than 100 levels",
    ),
];

const WHOLE: [u8; 5] = *b"\x08\x01\x12\x01a";

/// Messages that lack required fields somewhere.
pub(crate) const LACKING: &[Family] = &[
    refused(
        "missing at the bottom",
        3,
        |n| nested(n, [], |body| join([&WHOLE[..], &len(3, body)])),
        "no value",
    ),
    refused(
        "missing at the bottom of lists",
        3,
        |n| nested(n, [], |body| join([&WHOLE[..], &len(4, body)])),
        "no value",
    ),
    refused(
        "missing at the bottom of pieces",
        3,
        |n| nested(n, [], |body| join([&WHOLE[..], &len(3, int(1, 5)), &len(3, body)])),
        "no value",
    ),
    refused("missing everywhere", 3, |n| nested(n, [], |body| len(3, body)), "no value"),
    refused(
        "missing everywhere in pieces",
        3,
        |n| nested(n, [], |body| join([len(3, []), len(3, body)])),
        "no value",
    ),
    refused(
        "missing in the first of many",
        32,
        |n| join([&WHOLE[..], &len(4, []), &times(n, len(4, WHOLE))]),
        "children[0]",
    ),
    refused(
        "missing in the last of many",
        32,
        |n| join([&WHOLE[..], &times(n, len(4, WHOLE)), &len(4, [])]),
        "children[",
    ),
    refused("missing in all", 32, |n| times(n, len(4, [])), "no value"),
    refused("missing in all pieces", 32, |n| join([&WHOLE[..], &times(n, len(3, len(1, "a")))]), "no value"),
];

/// Messages that lack them until a later piece has them.
pub(crate) const COMPLETED: &[Family] = &[
    taken("completed at every level by a second piece", 3, |n| {
        nested(n, WHOLE, |body| join([len(3, int(1, 5)), int(1, 5), len(3, body), len(2, "b")]))
    }),
    taken("completed by the last of many pieces", 32, |n| {
        join([&WHOLE[..], &times(n, len(3, int(1, 5))), &len(3, len(2, "b"))])
    }),
    taken("completed by the first of many pieces", 32, |n| {
        join([&WHOLE[..], &len(3, len(2, "b")), &times(n, len(3, int(1, 5)))])
    }),
    taken("lists in pieces, completed at every level", 3, |n| {
        nested(n, WHOLE, |body| {
            join([&WHOLE[..], &len(4, WHOLE), &len(3, int(1, 5)), &len(3, len(2, "b")), &len(4, body)])
        })
    }),
    taken("one of two pieces is empty at the bottom", 3, |n| {
        nested(n, [], |body| join([&WHOLE[..], &len(3, WHOLE), &len(3, body)]))
    }),
    taken("many that are complete", 32, |n| join([&WHOLE[..], &times(n, len(4, WHOLE))])),
];

#[test]
fn trees() {
    everything::<derived::Tree, plain::Tree>(TREES);
}

#[test]
fn required_fields() {
    everything::<derived::Required, plain::Required>(COMPLETED);
    run(LACKING, &[verbs::checking::<derived::Required>(), checking_with_serde()].concat());
}

/// What looks for required fields, with serde's derive.
fn checking_with_serde() -> Vec<Verb> {
    let mut verbs = verbs::plain::<plain::Required>();
    verbs.retain(|verb| verb.name.starts_with("from_slice"));
    verbs
}
