//! Without the feature `derive`, this module has only the descriptors of the well-known types.

pub use tobu_schema::files;
