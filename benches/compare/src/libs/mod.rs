//! Each library, as its documentation recommends for speed.

pub mod buffa;
pub mod buffa_more;
pub mod dynamic;
#[cfg(feature = "google")]
pub mod google;
pub mod prost;
pub mod quick_protobuf;
pub mod rust_protobuf;
pub mod serde_json;
pub mod shared;
pub mod tobu;
pub mod tobu_serde;
mod visit;
