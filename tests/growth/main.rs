//! The cost of doubled input: each family of hostile input is doubled some times, and no operation on it may cost more
//! than two and a half times as much for twice the input.
//!
//! Nothing is timed. Allocations, their bytes and the bytes held at a time are counted on every machine. Built with
//! `RUSTC_WORKSPACE_WRAPPER=.ci/count-blocks` the library counts the blocks of its code that run, too, so that work
//! without allocations is seen. If the output is larger than the input, its growth is the reference.

mod cases;
#[path = "../memory/counting.rs"]
mod counting;
mod described;
mod elements;
mod family;
mod json;
mod known;
mod lazy;
mod lists;
mod maps;
mod masks;
mod meter;
mod pieces;
mod schema;
mod text;
mod tree;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "../corpus/types.rs"]
mod types;
mod verbs;

use family::{Family, run, run_as};
use verbs::{Derived, Plain};

/// Runs everything over wire bytes: as they are, and as JSON and text of the same message.
#[track_caller]
fn everything<D: Derived, P: Plain>(families: &[Family]) {
    run(families, &verbs::plain::<P>());
    generated::<D>(families);
}

/// The same for a message that has no type with serde's derive.
#[track_caller]
fn generated<D: Derived>(families: &[Family]) {
    run(
        families,
        &[verbs::wire::<D>(), verbs::transcode_wire::<D>(), verbs::write::<D>(), verbs::reflect::<D>()]
            .concat(),
    );
    run_as(families, verbs::to_json::<D>, &[verbs::json::<D>(), verbs::serde_json::<D>()].concat());
    run_as(families, verbs::to_text::<D>, &verbs::text::<D>());
}
