//! The types of the content of an `Any`.

use crate::descriptor::{MessageDescriptor, Pool};

/// The message of a name: that of a pool, where one is given, or of the global one.
pub(super) fn message_named(pool: Option<&Pool>, name: &str) -> Option<MessageDescriptor> {
    match pool {
        Some(pool) => pool.message(name),
        None => Pool::global().message(name).or_else(|| well_known(name)),
    }
}

/// The well-known types are in the global pool only when something used them before.
#[cfg(feature = "derive")]
fn well_known(full_name: &str) -> Option<MessageDescriptor> {
    use crate::types::files;
    let name = full_name.strip_prefix("google.protobuf.")?;
    let file = match name {
        "Any" => &files::ANY,
        "Duration" => &files::DURATION,
        "Empty" => &files::EMPTY,
        "FieldMask" => &files::FIELD_MASK,
        "Struct" | "Value" | "ListValue" => &files::STRUCT,
        "Timestamp" => &files::TIMESTAMP,
        _ => &files::WRAPPERS,
    };
    file.message(full_name)
}

#[cfg(not(feature = "derive"))]
fn well_known(_: &str) -> Option<MessageDescriptor> {
    None
}
