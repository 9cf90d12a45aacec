//! Converts descriptors from and to the types of `prost-types`. This is only for convenience.
//!
//! The conversions lose information, because `prost-types` has no members for edition, features, visibility and
//! custom options, and drops unknown fields.

use prost::Message;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};

use super::{EnumDescriptor, FileDescriptor, MessageDescriptor, Pool};
use crate::error::{Error, Result};

impl Pool {
    /// Creates a pool with the files of a `FileDescriptorSet` of `prost-types`, in any order.
    ///
    /// Such a set no longer contains custom options and features. To keep them, pass the serialized set to
    /// [`from_descriptor_set`](Self::from_descriptor_set).
    ///
    /// # Errors
    /// The function fails if [`from_descriptor_set`](Self::from_descriptor_set) would fail.
    ///
    /// ```
    /// let set = prost_types::FileDescriptorSet {
    ///     file: vec![prost_types::FileDescriptorProto { name: Some("a.proto".into()), ..Default::default() }],
    /// };
    /// assert!(tobu::Pool::from_prost(&set)?.file("a.proto").is_some());
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn from_prost(set: &FileDescriptorSet) -> Result<Self> {
        Self::from_descriptor_set(&set.encode_to_vec())
    }

    /// Adds one file of `prost-types`. Its imports must be in the pool.
    ///
    /// # Errors
    /// The function fails if [`add_file`](Self::add_file) would fail.
    pub fn add_file_prost(&mut self, file: &FileDescriptorProto) -> Result<FileDescriptor> {
        self.add_file(&file.encode_to_vec())
    }
}

impl FileDescriptor {
    /// Returns the file as a type of `prost-types`, without features and custom options.
    ///
    /// # Errors
    /// The descriptor contains a known field with a wrong wire type. This crate keeps such a field as an unknown
    /// field, but prost rejects it.
    pub fn to_prost(&self) -> Result<FileDescriptorProto> {
        FileDescriptorProto::decode(self.encoded()).map_err(|error| self.no_prost(&error.to_string()))
    }

    #[cold]
    fn no_prost(&self, text: &str) -> Error {
        super::link::error_at(self.name(), None, format_args!("prost-types cannot hold this file: {text}"))
    }
}

impl MessageDescriptor {
    /// Returns the message as a type of `prost-types`, without features and custom options.
    ///
    /// # Errors
    /// The function fails if [`FileDescriptor::to_prost`] would fail.
    pub fn to_prost(&self) -> Result<DescriptorProto> {
        let mut siblings = match self.parent() {
            Some(parent) => parent.to_prost()?.nested_type,
            None => self.file().to_prost()?.message_type,
        };
        if self.index() >= siblings.len() {
            return Err(self.file().no_prost("a message is missing"));
        }
        Ok(siblings.swap_remove(self.index()))
    }
}

impl EnumDescriptor {
    /// Returns the enum as a type of `prost-types`, without features and custom options.
    ///
    /// # Errors
    /// The function fails if [`FileDescriptor::to_prost`] would fail.
    pub fn to_prost(&self) -> Result<EnumDescriptorProto> {
        let mut siblings = match self.parent() {
            Some(parent) => parent.to_prost()?.enum_type,
            None => self.file().to_prost()?.enum_type,
        };
        if self.index() >= siblings.len() {
            return Err(self.file().no_prost("an enum is missing"));
        }
        Ok(siblings.swap_remove(self.index()))
    }
}
