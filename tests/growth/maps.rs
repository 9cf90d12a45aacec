//! Maps: keys that differ, that are the same, and that are long.

use crate::everything;
use crate::family::{Family, refused, taken};
use crate::pieces::{each, entry, int, join, len, times};
use crate::types::{derived, plain};

#[test]
fn maps() {
    const FAMILIES: &[Family] = &[
        taken("numbers as keys", 16, |n| each(n, |at| len(1, join([int(1, at as u64), int(2, 5)])))),
        taken("numbers that differ in their high bits", 16, |n| {
            each(n, |at| len(4, join([int(1, (at as u64) << 48), int(2, 5)])))
        }),
        taken("strings as keys", 16, |n| each(n, |at| entry(12, at.to_string(), "value"))),
        taken("strings as keys, in falling order", 16, |n| {
            each(n, |at| entry(12, format!("{:09}", n - at), "value"))
        }),
        taken("strings as keys of a hash map", 16, |n| each(n, |at| entry(13, at.to_string(), "value"))),
        taken("one key", 16, |n| times(n, entry(12, "key", "value"))),
        taken("one key of a hash map", 16, |n| times(n, entry(13, "key", "value"))),
        taken("each key twice", 8, |n| each(2 * n, |at| entry(13, (at / 2).to_string(), "value"))),
        taken("all keys twice", 8, |n| each(2 * n, |at| entry(13, (at % n).to_string(), "value"))),
        taken("empty entries", 16, |n| times(n, len(12, []))),
        taken("entries of one key with unknown fields", 16, |n| {
            times(n, len(12, join([int(9, 1), len(1, "k"), int(9, 1)])))
        }),
        taken("entries of all keys with unknown fields", 16, |n| {
            each(n, |at| len(12, join([int(9, 1), len(1, at.to_string()), int(9, 1)])))
        }),
        taken("one entry in fragments", 16, |n| len(12, times(n, join([len(1, "key"), len(2, "value")])))),
        taken("one entry of a message in fragments", 16, |n| {
            len(15, times(n, join([len(1, "key"), len(2, len(3, [1]))])))
        }),
        taken("messages", 16, |n| each(n, |at| entry(15, at.to_string(), int(1, 5)))),
        taken("one key of messages", 16, |n| times(n, entry(15, "key", len(3, [1])))),
        taken("maps in turns", 16, |n| {
            each(n, |at| {
                join([
                    entry(12, at.to_string(), ""),
                    entry(13, at.to_string(), ""),
                    entry(15, at.to_string(), []),
                ])
            })
        }),
        taken("a long key", 16, |n| entry(12, "k".repeat(n), "value")),
        taken("long keys that end differently", 4, |n| {
            each(n, |at| entry(12, format!("{}{at}", "k".repeat(n)), "value"))
        }),
        taken("keys that must be escaped", 16, |n| each(n, |at| entry(12, format!("\"\u{1}{at}"), "value"))),
        refused("a long key of a malformed value", 32, |n| entry(15, "k".repeat(n), [8]), "f_leaf["),
        refused(
            "the last of many values is malformed",
            32,
            |n| [each(n, |at| entry(15, at.to_string(), [])), entry(15, "last", [8])].concat(),
            "f_leaf[\"last\"]",
        ),
        refused(
            "the last key is not UTF-8",
            32,
            |n| [each(n, |at| entry(12, at.to_string(), "")), entry(12, [0xff], "")].concat(),
            "f_string[",
        ),
    ];
    everything::<derived::Maps, plain::Maps>(FAMILIES);
}
