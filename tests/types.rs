//! The well-known types from the outside.

#![cfg(feature = "derive")]

mod types {
    mod any;
    #[cfg(feature = "chrono")]
    mod chrono;
    mod descriptors;
    mod duration;
    mod field_mask;
    #[cfg(feature = "descriptor-types")]
    mod generated;
    #[cfg(feature = "jiff")]
    mod jiff;
    mod messages;
    #[cfg(feature = "rpc")]
    mod rpc;
    mod timestamp;
    mod value;
}
