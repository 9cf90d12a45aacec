//! The well-known types from the outside.

#![cfg(feature = "derive")]

mod types {
    mod descriptors;
    mod messages;
}
