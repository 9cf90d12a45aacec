//! The data sets and the types that their messages have in each library.

use crate::contest::Library;
use crate::data::DataSet;
#[cfg(feature = "google")]
use crate::libs::google::Google;
use crate::libs::{
    buffa::Buffa, buffa_more, prost::Prost, quick_protobuf, rust_protobuf::RustProtobuf,
    serde_json::SerdeJson, shared, tobu::Generated, tobu::Opaque, tobu::Tobu, tobu_serde::TobuSerde,
};
use std::error::Error;
use std::marker::PhantomData;
use std::path::Path;
use tobu::Pool;
#[cfg(feature = "google")]
use tobu_compare::google_types;
use tobu_compare::{buffa_types, prost_serde, prost_types, rust_protobuf_types, tobu_opaque, tobu_types};

/// A data set, and the libraries that can read it.
pub struct Entry {
    pub set: DataSet,
    pub libraries: Vec<Box<dyn Library>>,
    /// The bytes that a message's struct takes, by library.
    pub sizes: Vec<(&'static str, usize)>,
}

macro_rules! sets {
    ($($name:tt $message:literal: $($package:ident)::+, $ty:ident, $view:ident $(<$a:lifetime>)?;)*) => {
        /// The names of all sets.
        pub const NAMES: &[&str] = &[$($name),*];

        $(sets!(@generated $name $($package)::+, $ty, $view $(<$a>)?);)*

        /// Reads a set from a directory of data sets.
        pub fn load(pool: &Pool, name: &str, directory: &Path) -> Result<Entry, Box<dyn Error>> {
            match name {
                $($name => {
                    let mut libraries: Vec<Box<dyn Library>> = vec![
                        Box::new(Tobu::<tobu_types::$($package)::+::$ty>(PhantomData)),
                        Box::new(Opaque::<tobu_opaque::$($package)::+::$ty>(PhantomData)),
                        Box::new(TobuSerde::<prost_serde::$($package)::+::$ty>(PhantomData)),
                        Box::new(Prost::<prost_types::$($package)::+::$ty>(PhantomData)),
                        Box::new(Buffa::<buffa_types::$($package)::+::$ty>(PhantomData)),
                        Box::new(RustProtobuf::<rust_protobuf_types::$($package)::+::$ty>(PhantomData)),
                        #[cfg(feature = "google")]
                        Box::new(Google::<google_types::$($package)::+::$ty>(PhantomData)),
                        Box::new(SerdeJson::<prost_serde::$($package)::+::$ty>(PhantomData)),
                    ];
                    libraries.extend(quick_protobuf::library($message));
                    libraries.extend(buffa_more::library($message));
                    libraries.extend(shared::library($message));
                    let sizes = vec![
                        ("tobu", size_of::<tobu_types::$($package)::+::$ty>()),
                        ("tobu opaque", size_of::<tobu_opaque::$($package)::+::$ty>()),
                        ("prost", size_of::<prost_types::$($package)::+::$ty>()),
                        ("buffa", size_of::<buffa_types::$($package)::+::$ty>()),
                        ("rust-protobuf", size_of::<rust_protobuf_types::$($package)::+::$ty>()),
                    ];
                    Ok(Entry { set: DataSet::read(pool, $name, $message, directory)?, libraries, sizes })
                })*
                _ => Err(format!("there is no data set {name}; there are {}", NAMES.join(", ")).into()),
            }
        }
    };
    // The same type twice.
    (@generated "descriptor_set_src" $($rest:tt)*) => {};
    (@generated $name:tt $($package:ident)::+, $ty:ident, $view:ident $(<$a:lifetime>)?) => {
        impl Generated for tobu_types::$($package)::+::$ty {
            type View<'a> = tobu_types::$($package)::+::$view $(<$a>)?;
        }
    };
}

sets! {
    "api_response" "bench.ApiResponse": bench, ApiResponse, ApiResponseView<'a>;
    "log_record" "bench.LogRecord": bench, LogRecord, LogRecordView<'a>;
    "analytics_event" "bench.AnalyticsEvent": bench, AnalyticsEvent, AnalyticsEventView<'a>;
    "google_message1_proto3" "benchmarks.proto3.GoogleMessage1":
        benchmarks::proto3, GoogleMessage1, GoogleMessage1View<'a>;
    "media_frame" "bench.MediaFrame": bench, MediaFrame, MediaFrameView<'a>;
    "mesh" "bench.TriMesh": bench, TriMesh, TriMesh;
    "packed_tile" "bench.PackedTile": bench, PackedTile, PackedTile;
    "packed_signed" "bench.PackedSigned": bench, PackedSigned, PackedSigned;
    "column_batch" "bench.ColumnBatch": bench, ColumnBatch, ColumnBatchView<'a>;
    "descriptor_set" "google.protobuf.FileDescriptorSet":
        google::protobuf, FileDescriptorSet, FileDescriptorSetView<'a>;
    "descriptor_set_src" "google.protobuf.FileDescriptorSet":
        google::protobuf, FileDescriptorSet, FileDescriptorSetView<'a>;
    "shape_tiny" "gobshape.Tiny": gobshape, Tiny, TinyView<'a>;
    "shape_medium" "gobshape.Medium": gobshape, Medium, MediumView<'a>;
    "shape_big" "gobshape.Big": gobshape, Big, BigView<'a>;
    "shape_huge" "gobshape.Huge": gobshape, Huge, HugeView<'a>;
    "shape_map_heavy" "gobshape.MapHeavy": gobshape, MapHeavy, MapHeavyView<'a>;
}
