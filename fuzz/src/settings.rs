//! Settings of the texts that valid input is.

use crate::rng::Rng;
use tobu::{json, text};

/// Some way to write JSON.
pub fn json(rng: &mut Rng) -> json::Options {
    json::Options::new()
        .pretty(rng.chance(4))
        .proto_field_names(rng.chance(4))
        .enums_as_integers(rng.chance(4))
        .int64_as_numbers(rng.chance(4))
        .emit_defaults(rng.chance(4))
}

/// Some way to write the text format.
pub fn text(rng: &mut Rng) -> text::Options {
    text::Options::new()
        .one_line(rng.chance(2))
        .enums_as_integers(rng.chance(4))
        .unknown_fields(rng.chance(4))
        .expand_any(rng.chance(2))
}
