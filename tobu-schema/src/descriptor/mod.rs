//! The linked schema. Its files, messages, fields, enums and services are resolved and validated.
//!
//! A [`Pool`] is built from serialized descriptors, or by a [`FileBuilder`]. It returns handles, which are cheap to clone,
//! `Send` and `Sync`:
//!
//! | item | handles inside |
//! | --- | --- |
//! | [`FileDescriptor`] | messages, enums, extensions and services |
//! | [`MessageDescriptor`] | [`FieldDescriptor`], [`OneofDescriptor`], nested messages and enums |
//! | [`FieldDescriptor`] | its [`FieldShape`]: singular, repeated or a map, and the [`Kind`] of its values |
//! | [`EnumDescriptor`] | [`EnumValueDescriptor`] |
//! | [`ExtensionDescriptor`] | the field that it adds, and the message that it extends |
//! | [`ServiceDescriptor`] | [`MethodDescriptor`] |
//!
//! Editions are resolved when a file is loaded. Therefore all other layers ask a field how it behaves, and never ask for
//! the syntax of its file.
//!
//! This folder uses errors and the wire format, but no Rust types of messages, no codecs and no serde.

#[cfg(feature = "breaking")]
mod breaking;
mod build;
#[doc(hidden)]
pub mod cells;
#[cfg(feature = "tools")]
mod compare;
mod default;
mod enumeration;
#[cfg(feature = "excerpts")]
mod excerpt;
mod features;
mod field;
mod file;
mod generated;
mod handle;
mod link;
mod mask;
mod message;
mod names;
mod options;
mod pool;
#[cfg(feature = "tools")]
mod print;
#[cfg(feature = "prost-types")]
mod prost;
#[doc(hidden)]
pub mod raw;
#[cfg(feature = "source")]
mod rules;
mod service;
mod source;
mod tables;
#[cfg(test)]
mod tests;
mod ty;

#[cfg(feature = "breaking")]
pub use breaking::{BreakingChange, Compatibility, breaking_changes};
pub use build::{EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, MethodBuilder, ServiceBuilder};
#[cfg(feature = "tools")]
#[doc(hidden)]
pub use compare::find_breaking;
#[cfg(feature = "tools")]
pub use compare::{Difference, Severity, compare};
#[doc(hidden)]
pub use default::Declared;
pub use default::DefaultValue;
pub use enumeration::{EnumDescriptor, EnumValueDescriptor};
#[cfg(feature = "excerpts")]
#[doc(hidden)]
pub use excerpt::Excerpts;
pub use features::{
    DefaultSymbolVisibility, Edition, EnforceNamingStyle, EnforceProtoLimits, EnumType, Features,
    FieldPresence, JsonFormat, MessageEncoding, RepeatedFieldEncoding, Utf8Validation,
};
pub use field::{ExtensionDescriptor, FieldDescriptor, FieldShape, OneofDescriptor};
pub use file::FileDescriptor;
pub use generated::{FileGroup, FileSlot, GeneratedFile, global};
#[doc(hidden)]
pub use generated::{Registered, register};
#[doc(hidden)]
pub use mask::{Mask, Paths, Walk};
pub use message::MessageDescriptor;
#[doc(hidden)]
pub use message::WeakMessage;
#[doc(hidden)]
pub use names::json_name;
#[cfg(feature = "source")]
pub(crate) use names::{is_identifier, printable};
pub use options::OptionsRef;
pub use pool::Pool;
#[cfg(feature = "source")]
pub(crate) use pool::{Found, Scope};
#[cfg(feature = "source")]
pub use rules::Findings;
pub use service::{MethodDescriptor, ServiceDescriptor};
pub use source::Comments;
pub use tables::Cardinality;
pub use ty::Kind;
pub use ty::Type;
pub use ty::Visibility;
