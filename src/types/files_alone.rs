//! The well-known types without the feature `derive`: their descriptors only.

pub use tobu_schema::files;
