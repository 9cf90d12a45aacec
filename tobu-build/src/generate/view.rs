//! Finds the types that borrow from the input. Such a type is called a *view*.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::{FieldShape, Kind, MessageDescriptor};

use super::schema::Schema;
use super::traits::containing;
use crate::config::Views;

/// Whether a type owns its strings and bytes or borrows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    Owned,
    View,
}

impl Flavor {
    /// Returns the flavors in which the code of messages is generated.
    pub(super) fn of(views: Views) -> &'static [Flavor] {
        match views {
            Views::None => &[Flavor::Owned],
            Views::Both => &[Flavor::Owned, Flavor::View],
            Views::Only => &[Flavor::View],
        }
    }

    /// Returns the lifetime parameter of the type of a message or a oneof; nothing if the type does not borrow.
    pub(super) fn generics(self, schema: &Schema<'_>, full_name: &str) -> TokenStream {
        match self {
            Flavor::View if schema.borrows(full_name) => quote!(<'a>),
            _ => TokenStream::new(),
        }
    }

    /// True if the view of a message or a oneof would equal the owned type. Then the view is an alias of the owned
    /// type.
    pub(super) fn is_alias(self, schema: &Schema<'_>, full_name: &str) -> bool {
        self == Flavor::View && schema.config().views == Views::Both && !schema.borrows(full_name)
    }
}

/// Returns the full names of the messages and oneofs that contain strings or bytes, directly or in nested messages.
pub(super) fn borrowing(messages: &[MessageDescriptor], schema: &Schema<'_>) -> HashSet<String> {
    if schema.config().views == Views::None {
        return HashSet::new();
    }
    let borrows = |kind: &Kind, found: &HashSet<String>| match kind {
        Kind::String | Kind::Bytes => true,
        Kind::Message(message) => found.contains(message.full_name()),
        _ => false,
    };
    containing(messages, |field, found| match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => borrows(&kind, found),
        FieldShape::Map { key, value } => borrows(&key.kind(), found) || borrows(&value.kind(), found),
    })
}
