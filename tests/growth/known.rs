//! Messages with a special JSON form, extensions, and message sets.

use crate::family::{Family, prepare, refused, taken};
use crate::generated;
use crate::pieces::{each, entry, group, int, join, len, nested, times};
use tobu::Message;
use tobu_schemas::known::json::v1::{Known, KnownLists};
use tobu_schemas::known::json::v2::{Open, Set};

#[test]
fn well_known_types() {
    // The type of an `Any` is looked up in the global pool.
    prepare(tobu_schemas::corpus::corpus::v3::Leaf::descriptor);
    const FAMILIES: &[Family] = &[
        taken("lists in each other", 1, |n| len(5, nested(n, int(1, 0), |body| len(6, len(1, body))))),
        taken("lists in each other, in two pieces", 1, |n| {
            len(5, nested(n, int(1, 0), |body| join([len(6, []), len(6, len(1, body))])))
        }),
        taken("lists in each other, another kind before", 1, |n| {
            len(5, nested(n, int(1, 0), |body| join([len(3, "a"), len(6, len(1, body))])))
        }),
        taken("objects in each other", 1, |n| {
            len(5, nested(n, int(1, 0), |body| len(5, entry(1, "k", body))))
        }),
        taken("objects in each other, one key twice", 1, |n| {
            len(5, nested(n, int(1, 0), |body| len(5, join([entry(1, "k", int(4, 1)), entry(1, "k", body)]))))
        }),
        taken("a value that is replaced", 32, |n| times(n, len(5, len(3, "text")))),
        taken("a list in fragments", 32, |n| times(n, len(6, len(1, int(4, 1))))),
        taken("an object in fragments", 16, |n| each(n, |at| len(4, entry(1, at.to_string(), int(4, 1))))),
        taken("a duration in fragments", 32, |n| times(n, join([len(2, int(1, 1)), len(2, int(2, 5))]))),
        taken("a mask of many paths", 32, |n| len(3, each(n, |at| len(1, format!("p{at}.q_r"))))),
        taken("Any in Any", 1, |n| {
            len(9, nested(n + 2, [], |body| join([len(1, "x/google.protobuf.Any"), len(2, body)])))
        }),
        taken("Any of a long message", 32, |n| {
            len(9, join([len(1, "x/corpus.v3.Leaf"), len(2, len(3, times(n, [1])))]))
        }),
        taken("an Any in fragments", 32, |n| {
            times(n, len(9, join([len(1, "x/corpus.v3.Leaf"), len(2, len(3, [1]))])))
        }),
    ];
    generated::<Known>(FAMILIES);
    const LISTS: &[Family] = &[
        taken("times", 16, |n| times(n, len(1, join([int(1, 1_700_000_000), int(2, 999)])))),
        taken("objects", 16, |n| times(n, len(4, entry(1, "k", int(1, 0))))),
        taken("Any of many messages", 16, |n| {
            times(n, len(8, join([len(1, "x/corpus.v3.Leaf"), len(2, len(3, [1]))])))
        }),
        taken("empty Any", 16, |n| times(n, len(8, []))),
    ];
    generated::<KnownLists>(LISTS);
}

#[test]
fn extensions() {
    const FAMILIES: &[Family] = &[
        taken("one extension that is replaced", 32, |n| times(n, int(100, 7))),
        taken("an extension that is a list", 32, |n| times(n, len(101, "text"))),
        taken("extensions in turns", 16, |n| times(n, join([int(100, 7), len(101, "text"), int(103, 1)]))),
        taken("extensions that nobody knows", 16, |n| {
            times(n, join([int(150, 7), len(151, "text"), group(152, [])]))
        }),
        taken("extensions in each other", 3, |n| nested(n, [], |body| len(102, body))),
        taken("extensions in each other, in two pieces", 3, |n| {
            nested(n, [], |body| join([len(102, int(1, 5)), len(102, body)]))
        }),
        taken("an extension in fragments", 16, |n| times(n, len(102, int(1, 5)))),
        taken("an extension in fragments, in turns with another", 16, |n| {
            times(n, join([len(102, int(1, 5)), len(104, len(1, "a"))]))
        }),
        taken("children with extensions", 16, |n| {
            len(2, times(n, join([len(102, int(100, 5)), int(100, 1)])))
        }),
        taken("items of a set in fragments", 16, |n| {
            len(3, times(n, group(1, join([int(2, 1000), len(3, int(1, 5))]))))
        }),
        refused(
            "a malformed field among extensions",
            16,
            |n| [times(n, int(100, 7)), vec![0xa0]].concat(),
            "",
        ),
    ];
    generated::<Open>(FAMILIES);
    const SETS: &[Family] = &[
        taken("items", 16, |n| times(n, group(1, join([int(2, 1000), len(3, int(1, 5))])))),
        taken("items that nobody knows", 16, |n| {
            each(n, |at| group(1, join([int(2, 2000 + at as u64), len(3, "x")])))
        }),
        taken("items with their message first", 16, |n| {
            times(n, group(1, join([len(3, int(1, 5)), int(2, 1000)])))
        }),
        taken("an item with many numbers", 16, |n| {
            group(1, join([times(n, int(2, 1000)), len(3, int(1, 5))]))
        }),
        taken("an item with many messages", 16, |n| {
            group(1, join([int(2, 1000), times(n, len(3, int(1, 5)))]))
        }),
        taken("an item without a number", 16, |n| group(1, times(n, len(3, int(1, 5))))),
    ];
    generated::<Set>(SETS);
}
