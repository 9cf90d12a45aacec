//! The schemas of tobu's tests and examples, as generated types.

include!(concat!(env!("OUT_DIR"), "/tobu.rs"));

/// The library with accessors and builders next to public members.
pub mod hybrid {
    include!(concat!(env!("OUT_DIR"), "/hybrid.rs"));
}

/// The library with private members.
pub mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

/// The messages of `tests/corpus/`.
pub mod corpus {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
}

/// The same with private members.
pub mod corpus_opaque {
    include!(concat!(env!("OUT_DIR"), "/corpus_opaque.rs"));
}

/// The same with private members, and all messages and lists of messages lazy.
pub mod corpus_lazy {
    include!(concat!(env!("OUT_DIR"), "/corpus_lazy.rs"));
}

/// The messages of the tests of JSON.
pub mod known {
    include!(concat!(env!("OUT_DIR"), "/known.rs"));
}

/// The messages of the tests of enum values with separate JSON names.
pub mod armor {
    include!(concat!(env!("OUT_DIR"), "/armor.rs"));
}

/// The messages of the tests of `Debug`.
pub mod secret {
    include!(concat!(env!("OUT_DIR"), "/secret.rs"));
}

pub mod read;

/// The messages of the benchmarks' data sets, if these are available.
#[cfg(tobu_datasets)]
pub mod datasets {
    include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
}

#[cfg(tobu_datasets)]
pub mod recorded;

/// Picks the instance of a generic function for the message type of a data set, by its full name.
#[cfg(tobu_datasets)]
#[macro_export]
macro_rules! data_set_function {
    ($message:expr, $function:ident as $ty:ty) => {{
        use $crate::datasets::{bench, benchmarks, gobshape, google};
        $crate::data_set_function! { @ $message, $function as $ty:
            "bench.ApiResponse" => bench::ApiResponse;
            "bench.LogRecord" => bench::LogRecord;
            "bench.AnalyticsEvent" => bench::AnalyticsEvent;
            "bench.MediaFrame" => bench::MediaFrame;
            "bench.TriMesh" => bench::TriMesh;
            "bench.PackedTile" => bench::PackedTile;
            "bench.PackedSigned" => bench::PackedSigned;
            "bench.ColumnBatch" => bench::ColumnBatch;
            "benchmarks.proto3.GoogleMessage1" => benchmarks::proto3::GoogleMessage1;
            "gobshape.Tiny" => gobshape::Tiny;
            "gobshape.Medium" => gobshape::Medium;
            "gobshape.Big" => gobshape::Big;
            "gobshape.Huge" => gobshape::Huge;
            "gobshape.MapHeavy" => gobshape::MapHeavy;
            "google.protobuf.FileDescriptorSet" => google::protobuf::FileDescriptorSet;
        }
    }};
    (@ $message:expr, $function:ident as $ty:ty: $($name:literal => $($path:ident)::+;)*) => {
        match $message {
            $($name => Some($function::<$($path)::+> as $ty),)*
            _ => None,
        }
    };
}
