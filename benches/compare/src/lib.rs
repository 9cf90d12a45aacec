//! The types of every library, generated from the same schemas, and what the programs share.

pub mod go;
pub mod heap;
pub mod least;
pub mod read;
#[path = "../../common/sections.rs"]
pub mod sections;

use std::error::Error;
use std::path::Path;
use tobu::{DynamicMessage, Pool, Reflect};

/// The directory of the data sets whose schemas the types are generated from: the recorded ones, or else [`SAMPLE`].
pub const DATASETS: &str = env!("TOBU_DATASETS");

/// The directory of data sets of the same shapes, made by a seed.
pub const SAMPLE: &str = concat!(env!("OUT_DIR"), "/sample");

/// The schemas: a serialized descriptor set.
pub static SCHEMAS: &[u8] = include_bytes!(concat!(env!("TOBU_DATASETS"), "/schemas.fds"));

/// tobu's types: `Shelf` and the borrowed `ShelfView`.
pub mod tobu_types {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

/// tobu's types with `Bytes`.
pub mod tobu_bytes {
    include!(concat!(env!("OUT_DIR"), "/tobu_bytes.rs"));
}

/// tobu's types with private members.
pub mod tobu_opaque {
    include!(concat!(env!("OUT_DIR"), "/tobu_opaque.rs"));
}

/// The same, with lazy fields where these can be lazy.
pub mod tobu_lazy {
    include!(concat!(env!("OUT_DIR"), "/tobu_lazy.rs"));
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

/// prost's types with serde's own derives.
#[allow(missing_docs)]
pub mod prost_serde {
    include!(concat!(env!("OUT_DIR"), "/prost_serde/types.rs"));
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

/// rust-protobuf's types, whose modules are files.
#[allow(missing_docs, clippy::all)]
mod rust_protobuf_files {
    include!(concat!(env!("OUT_DIR"), "/rust_protobuf/mod.rs"));
}

/// rust-protobuf's types by package.
pub mod rust_protobuf_types {
    pub use super::rust_protobuf_files::{bench_messages as bench, gobshape};
    pub mod benchmarks {
        pub use crate::rust_protobuf_files::benchmark_message1_proto3 as proto3;
    }
    /// The types of descriptors are in the library.
    pub mod google {
        pub use rust_protobuf::descriptor as protobuf;
    }
}

/// Google's types, whose modules are files, too.
#[cfg(feature = "google")]
#[allow(missing_docs, clippy::all)]
mod google_files {
    include!(concat!(env!("OUT_DIR"), "/google/generated.rs"));
}

/// Google's types by package.
#[cfg(feature = "google")]
pub mod google_types {
    pub use super::google_files::{bench_messages_proto as bench, gobshape_proto as gobshape};
    pub mod benchmarks {
        pub use crate::google_files::benchmark_message1_proto3_proto as proto3;
    }
    pub mod google {
        pub use crate::google_files::google_protobuf_descriptor_proto as protobuf;
    }
}

/// tobu's types and buffa's of `proto/lazy.proto`.
#[allow(missing_docs, clippy::all)]
pub mod lazy_types {
    pub mod tobu {
        include!(concat!(env!("OUT_DIR"), "/lazy/tobu.rs"));
    }
    pub mod tobu_lazy {
        include!(concat!(env!("OUT_DIR"), "/lazy/tobu_lazy.rs"));
    }
    pub mod buffa {
        include!(concat!(env!("OUT_DIR"), "/lazy/buffa/types.rs"));
    }
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

/// Reads the messages of a data set from its file.
pub fn payloads(pool: &Pool, name: &str, directory: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let path = directory.join(format!("{name}.pb"));
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = pool.message("benchmarks.BenchmarkDataset").ok_or("no type of data sets")?;
    let file: &dyn Reflect = &DynamicMessage::decode(&file, &bytes)?;
    let payloads = file.get_by_name("payload")?.as_list().ok_or("no payloads")?;
    Ok(payloads.iter().filter_map(|payload| Some(payload.as_bytes()?.to_vec())).collect())
}
