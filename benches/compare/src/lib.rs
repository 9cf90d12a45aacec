//! The types of every library, generated from the same schemas.

/// The schemas: a serialized descriptor set.
pub static SCHEMAS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/schemas.fds"));

/// tobu's types: `Shelf` and the borrowed `ShelfView`.
pub mod tobu_types {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

/// tobu's types with `Bytes`.
pub mod tobu_bytes {
    include!(concat!(env!("OUT_DIR"), "/tobu_bytes.rs"));
}

/// The same structs with serde's own derives.
#[allow(missing_docs)]
pub mod tobu_serde {
    include!(concat!(env!("OUT_DIR"), "/tobu_serde.rs"));
}

/// prost's types, with pbjson's traits.
#[allow(missing_docs, clippy::all)]
pub mod prost_types {
    include!(concat!(env!("OUT_DIR"), "/prost/types.rs"));
}

/// prost's types with `Bytes`.
#[allow(missing_docs)]
pub mod prost_bytes {
    include!(concat!(env!("OUT_DIR"), "/prost_bytes/types.rs"));
}

/// buffa's types, views and lazy views.
#[allow(missing_docs, clippy::all)]
pub mod buffa_types {
    include!(concat!(env!("OUT_DIR"), "/buffa/types.rs"));
    /// The types of descriptors are in the library.
    pub mod google {
        pub use buffa_descriptor::generated::descriptor as protobuf;
    }
}

/// rust-protobuf's types.
#[allow(missing_docs, clippy::all)]
pub mod rust_protobuf_types {
    include!(concat!(env!("OUT_DIR"), "/rust_protobuf/mod.rs"));
}

/// quick-protobuf's types.
#[allow(missing_docs, clippy::all)]
pub mod quick_protobuf_types {
    include!(concat!(env!("OUT_DIR"), "/quick_protobuf/mod.rs"));
}

/// `tests/schemas/proto/corpus/`, by prost, for `tests/agree.rs`.
#[allow(missing_docs)]
pub mod prost_corpus {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
    pub use corpus::{v2, v3};
}

/// tobu's types of the same.
pub use tobu_schemas;
