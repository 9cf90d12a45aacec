//! Where ways through the library differ, and why that is meant. Nothing else may; [`source`] is about printed schemas.

pub mod source;

use crate::subject::Subject;
use tobu::Error;

/// A difference that the oracles let pass.
#[derive(Debug)]
pub struct Difference {
    /// Describes the difference.
    pub what: &'static str,
    /// Why it is meant.
    pub reason: &'static str,
    /// Whether it is this difference: the error of a type where a dynamic message has none, or another one.
    applies: fn(&Subject, &Error) -> bool,
}

/// Every difference between a Rust type and a dynamic message in accepting an input.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        what: "a string of proto2 that is not UTF-8 is accepted by dynamic messages, refused by types with `String`",
        reason: "proto2 does not ask strings to be UTF-8, Rust does; a type that must take them has bytes there",
        applies: |subject, error| {
            subject.is_loose()
                && (error.message().contains("UTF-8") || error.message().contains("a borrowed string"))
        },
    },
    Difference {
        what: "a type that borrows refuses strings with escapes in JSON and text, and bytes in JSON, which are base64",
        reason: "what they mean does not stand in the text",
        applies: |_, error| error.message().contains("expected a borrowed"),
    },
];

/// Fields not compared, because they are lost on purpose.
pub const LOST: &[(&str, &str)] = &[
    (
        "which error is named of an input with several",
        "dynamic messages look at map keys before their entry is whole, types after it; both name the right place",
    ),
    (
        "numbers of `NullValue` other than 0 in JSON",
        "every value of it is written as `null`, and `null` is 0",
    ),
    (
        "values in a tree that are defaults without presence",
        "a tree shows what came, encoding writes what is set",
    ),
    (
        "unknown fields in an `Any` that is printed as text with its message in it",
        "unknown fields are not printed unless that is asked for, within an `Any` neither",
    ),
    (
        "the limit of the stack for types with serde's own derive",
        "such a type is built on the machine's stack, whose use is limited on its own",
    ),
];

/// True if a type may reject input that a dynamic message accepts, or reject it for another reason.
pub fn is_known(subject: &Subject, error: &Error) -> bool {
    DIFFERENCES.iter().any(|difference| (difference.applies)(subject, error))
}
