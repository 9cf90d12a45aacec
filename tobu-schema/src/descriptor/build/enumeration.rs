//! Enums.

use super::scope::{Scope, push_features, some, text};
use crate::descriptor::list::each;
use crate::descriptor::raw::{EnumDescriptorProto, EnumValueDescriptorProto, Options};

/// Builds an enum of a [`FileBuilder`](super::FileBuilder) or of a [`MessageBuilder`](super::MessageBuilder).
///
/// ```
/// use tobu::descriptor::{EnumBuilder, FileBuilder};
///
/// let genre = EnumBuilder::new("Genre").value("UNKNOWN", 0).value("FICTION", 1);
/// let pool = FileBuilder::new("library.proto").enumeration(genre).build()?;
/// assert_eq!(pool.enumeration("Genre").unwrap().value_by_name("FICTION").unwrap().number(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#enum>.
#[derive(Clone, Debug)]
#[must_use]
pub struct EnumBuilder {
    name: String,
    values: Vec<(String, i32, Options)>,
    alias: bool,
    closed: bool,
    options: Options,
}

/// Numbers of `google.protobuf.EnumOptions`, and in its features.
mod option {
    pub(super) const ALLOW_ALIAS: u32 = 2;
    pub(super) const FEATURES: u32 = 7;
    pub(super) const ENUM_TYPE: u32 = 2;
    pub(super) const CLOSED: u64 = 2;
}

impl EnumBuilder {
    /// An enum without values.
    pub fn new(name: impl Into<String>) -> Self {
        EnumBuilder {
            name: name.into(),
            values: Vec::new(),
            alias: false,
            closed: false,
            options: Options::default(),
        }
    }

    /// Adds a value.
    pub fn value(mut self, name: impl Into<String>, number: i32) -> Self {
        self.values.push((name.into(), number, Options::default()));
        self
    }

    /// Adds a value with its own name in JSON: `(pb.enumvalue.json).string`.
    pub fn value_with_json_name(mut self, name: impl Into<String>, number: i32, json_name: &str) -> Self {
        let (mut json, mut options) = (Options::default(), Options::default());
        json.push_bytes(1, json_name.as_bytes());
        options.push_bytes(998, json.encoded());
        self.values.push((name.into(), number, options));
        self
    }

    /// Lets values share a number.
    pub fn allow_alias(mut self) -> Self {
        self.alias = true;
        self
    }

    /// Keeps numbers that it does not declare out of it: for editions. In proto2 all enums are so, in proto3 none.
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Adds options: a serialized `google.protobuf.EnumOptions`.
    pub fn options(mut self, encoded: &[u8]) -> Self {
        self.options.extend(encoded);
        self
    }

    /// The enum as a descriptor.
    pub(super) fn raw(&self, scope: Scope<'_>) -> EnumDescriptorProto<'_> {
        let (mut options, mut features) = (Options::default(), Options::default());
        if self.alias {
            options.push_varint(option::ALLOW_ALIAS, 1);
        }
        if self.closed && scope.edition.has_features() {
            features.push_varint(option::ENUM_TYPE, option::CLOSED);
        }
        push_features(&mut options, option::FEATURES, &features);
        options.extend(self.options.encoded());
        let value = |(name, number, options): &'_ (String, i32, Options)| EnumValueDescriptorProto {
            name: Some(name.clone().into()),
            number: Some(*number),
            options: some(options),
            ..EnumValueDescriptorProto::default()
        };
        EnumDescriptorProto {
            name: Some(text(&self.name)),
            value: each(&self.values, value),
            options: some(&options),
            ..EnumDescriptorProto::default()
        }
    }
}
