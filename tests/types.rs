//! The well-known types from the outside.

#![cfg(feature = "derive")]

mod types {
    mod any;
    #[cfg(feature = "chrono")]
    mod chrono;
    mod descriptors;
    mod duration;
    mod field_mask;
    #[cfg(feature = "jiff")]
    mod jiff;
    mod messages;
    mod timestamp;
    mod value;
}
