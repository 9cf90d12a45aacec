#[cfg(feature = "streams")]
pub(crate) mod chunks;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod well_known;
