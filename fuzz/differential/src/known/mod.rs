//! Where peers differ from tobu, and why. Nothing else may.

mod difference;
mod json;
mod text;
mod wire;

use crate::compare::{Case, Found};
use crate::schema::Schema;
use difference::Difference;

/// A difference that is let pass.
pub struct Known {
    /// The peers that it is about.
    pub peers: &'static [&'static str],
    pub what: &'static str,
    pub reason: &'static str,
    /// Whether a difference is this one.
    applies: fn(&Difference<'_>) -> bool,
}

/// Every row, by its number.
pub fn rows() -> impl Iterator<Item = &'static Known> {
    wire::ROWS.iter().chain(json::ROWS).chain(text::ROWS)
}

/// The number of the row that a difference is.
pub fn row(peer: &str, schema: &Schema, case: &Case, found: &Found) -> Option<usize> {
    let difference = Difference { schema, case, found };
    rows().position(|known| known.peers.contains(&peer) && (known.applies)(&difference))
}
