//! Finds the message type of an `Any`.

use crate::descriptor::{MessageDescriptor, Pool};

/// Returns the message type with the full name `name` from `pool`, or from the global pool if `pool` is `None`.
pub(super) fn message_named(pool: Option<&Pool>, name: &str) -> Option<MessageDescriptor> {
    match pool {
        Some(pool) => pool.message(name),
        None => Pool::global().message(name),
    }
}
