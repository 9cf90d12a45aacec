//! The types of the content of an `Any`.

use crate::descriptor::{MessageDescriptor, Pool};

/// The message with a name: from the given pool, or from the global one.
pub(super) fn message_named(pool: Option<&Pool>, name: &str) -> Option<MessageDescriptor> {
    match pool {
        Some(pool) => pool.message(name),
        None => Pool::global().message(name),
    }
}
