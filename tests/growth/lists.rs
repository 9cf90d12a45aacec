//! Lists and single values: repeated fields, in every order.

use crate::everything;
use crate::family::{Family, refused, taken};
use crate::pieces::{each, group, int, join, len, times};
use crate::types::{derived, plain};

#[test]
fn lists() {
    const FAMILIES: &[Family] = &[
        taken("a packed list of bytes", 16, |n| len(6, times(n, [1]))),
        taken("a packed list of long numbers", 16, |n| {
            len(6, times(n, [0xff; 9]).chunks(9).map(|n| [n, &[1]].concat()).collect::<Vec<_>>().concat())
        }),
        taken("a packed list of bools", 16, |n| len(13, times(n, [1]))),
        taken("a packed list of doubles", 16, |n| len(1, times(8 * n, [0x3f]))),
        taken("an expanded list", 16, |n| times(n, int(18, 7))),
        taken("a packed list, expanded", 16, |n| times(n, int(6, 7))),
        taken("an expanded list, packed", 16, |n| len(18, times(n, [7]))),
        taken("runs of one number", 16, |n| times(n, len(6, [1]))),
        taken("empty runs", 16, |n| times(n, len(6, []))),
        taken("two lists in turns", 16, |n| times(n, join([len(3, [1]), len(6, [1])]))),
        taken("lists of strings in turns", 16, |n| times(n, join([len(14, "a"), len(15, "b")]))),
        taken("lists of everything in turns", 4, |n| {
            let one = [
                int(3, 1),
                int(7, 1),
                int(13, 1),
                len(14, "text"),
                len(15, "b"),
                int(16, 1),
                len(17, []),
                int(18, 1),
            ];
            times(n, join(one))
        }),
        taken("empty strings", 16, |n| times(n, len(14, ""))),
        taken("strings of all lengths", 16, |n| each(n, |at| len(14, "s".repeat(at % 40)))),
        taken("empty messages", 16, |n| times(n, len(17, []))),
        taken("messages", 16, |n| times(n, len(17, join([int(1, 5), len(2, "b"), len(3, [1, 2, 3])])))),
        taken("messages of fragments", 16, |n| {
            times(n, len(17, join([len(3, [1]), int(1, 5), len(3, [2]), int(1, 6)])))
        }),
        taken("one message of many fragments", 16, |n| len(17, times(n, join([len(3, [1]), int(1, 5)])))),
        taken("values that an enum has not", 16, |n| len(16, times(n, [99]))),
        refused(
            "a list that ends inside an element",
            16,
            |n| len(6, [times(n, [1]), vec![0x80]].concat()),
            "f_uint64[",
        ),
        refused(
            "a message that is cut",
            16,
            |n| [times(n, len(17, int(1, 5))), vec![0x8a, 1, 5, 8]].concat(),
            "f_leaf[",
        ),
        refused(
            "a string that is not UTF-8 at the end",
            16,
            |n| len(14, [times(n, "a"), vec![0xff]].concat()),
            "f_string[0]",
        ),
        refused(
            "the last of many strings is not UTF-8",
            16,
            |n| [times(n, len(14, "a")), len(14, [0xff])].concat(),
            "f_string[",
        ),
        refused(
            "the last of many messages is malformed",
            16,
            |n| [times(n, len(17, [])), len(17, [8])].concat(),
            "f_leaf[",
        ),
    ];
    everything::<derived::Lists, plain::Lists>(FAMILIES);
}

#[test]
fn single_values() {
    const FAMILIES: &[Family] = &[
        taken("a long string", 16, |n| len(14, times(n, "a"))),
        taken("a long string beyond ASCII", 16, |n| len(14, times(n, "\u{e9}\u{1f600}"))),
        taken("a long string that must be escaped", 16, |n| len(14, times(n, "\"\\\n\u{1}\u{7f}\u{2028}'"))),
        taken("long bytes", 16, |n| len(15, times(n, [0, 0xff, b'"', b'\\']))),
        taken("a number that is replaced", 16, |n| times(n, int(3, 7))),
        taken("a number in ten bytes", 16, |n| times(n, b"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")),
        taken("a string that is replaced", 16, |n| each(n, |at| len(14, "s".repeat(at % 40)))),
        taken("a string that is replaced by shorter ones", 8, |n| each(n, |at| len(14, "s".repeat(n - at)))),
        taken("a string that is replaced by longer ones", 8, |n| each(n, |at| len(14, "s".repeat(at)))),
        taken("bytes that are replaced", 16, |n| each(n, |at| len(15, "s".repeat(at % 40)))),
        taken("unknown numbers", 16, |n| times(n, int(100, 7))),
        taken("unknown fields of all numbers", 16, |n| each(n, |at| int(100 + at as u32, 7))),
        taken("unknown strings", 16, |n| times(n, len(100, "text"))),
        taken("unknown groups", 16, |n| times(n, group(100, int(1, 7)))),
        taken("an unknown field of another type", 16, |n| times(n, len(3, "text"))),
        taken("known and unknown fields in turns", 16, |n| times(n, join([int(3, 7), int(100, 7)]))),
        taken("unknown groups in each other", 3, |n| {
            crate::pieces::nested(n, int(1, 7), |body| group(100, body))
        }),
        refused("unknown groups in each other, too deep", 101, |n| vec![0xa3; n], ""),
        refused("unknown fields, then a cut", 16, |n| [times(n, int(100, 7)), vec![0xa0]].concat(), ""),
    ];
    everything::<derived::Scalars, plain::Scalars>(FAMILIES);
}

#[test]
fn oneofs() {
    const FAMILIES: &[Family] = &[
        taken("a number that is replaced", 16, |n| times(n, int(2, 5))),
        taken("members that replace each other", 16, |n| {
            times(n, join([int(2, 5), len(3, "text"), len(4, [1]), len(5, int(1, 5)), int(6, 1), int(7, 9)]))
        }),
        taken("strings that replace each other", 16, |n| times(n, join([len(3, "text"), len(4, "raw")]))),
        taken("a message in fragments", 16, |n| times(n, len(5, len(3, [1])))),
        taken("a message that is replaced again and again", 16, |n| {
            times(n, join([len(5, len(3, [1])), int(2, 1)]))
        }),
        refused(
            "a malformed member that would be replaced",
            16,
            |n| [times(n, len(5, int(1, 5))), len(5, [8]), int(2, 1)].concat(),
            "leaf",
        ),
    ];
    everything::<derived::Choice, plain::Choice>(FAMILIES);
}

#[test]
fn closed_enums() {
    const FAMILIES: &[Family] = &[
        taken("a value that it has not", 16, |n| times(n, int(1, 99))),
        taken("values that it has not in a list", 16, |n| times(n, int(2, 99))),
        taken("values that it has not in a packed list", 16, |n| len(3, times(n, [99]))),
        taken("every other value", 16, |n| len(3, times(n, [1, 99]))),
        taken("values that it has not in a map", 16, |n| {
            each(n, |at| len(4, join([len(1, at.to_string()), int(2, 99)])))
        }),
        taken("values that it has not in a oneof", 16, |n| {
            times(n, join([int(5, 1), int(5, 99), int(6, 1)]))
        }),
    ];
    everything::<derived::Closed, plain::Closed>(FAMILIES);
}

#[test]
fn groups() {
    const FAMILIES: &[Family] = &[
        taken("groups", 16, |n| times(n, group(3, len(1, "b")))),
        taken("a group in fragments", 16, |n| times(n, group(1, int(1, 5)))),
        taken("groups in each other", 1, |n| {
            crate::pieces::nested(n, int(5, 1), |body| group(1, len(2, body)))
        }),
        taken("groups in each other, each in two pieces", 1, |n| {
            crate::pieces::nested(n, int(5, 1), |body| join([group(1, int(1, 5)), group(1, len(2, body))]))
        }),
        refused("groups that are not closed", 101, |n| times(n, [0x1b]), "many"),
        refused(
            "a group that another number closes",
            16,
            |n| [times(n, group(3, [])), vec![0x1b, 0x0c]].concat(),
            "many[",
        ),
    ];
    everything::<derived::Groups, plain::Groups>(FAMILIES);
}
