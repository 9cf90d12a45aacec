//! Messages as columns, and back.

#[path = "../../../tests/properties/entropy.rs"]
mod entropy;
#[path = "../../../tests/properties/schema.rs"]
#[allow(dead_code, reason = "only the differential runs want all kinds of schemas")]
mod schema;
#[path = "../../../tests/properties/tree.rs"]
#[allow(dead_code, reason = "the property tests of tobu want more of it")]
mod tree;
#[path = "../../../tests/properties/wire.rs"]
#[allow(dead_code, reason = "the property tests of tobu want more of it")]
mod wire;

mod bounds;
mod confluent;
mod describe;
mod kinds;
mod messages;
mod properties;
mod pyarrow;
mod sources;
mod support;
