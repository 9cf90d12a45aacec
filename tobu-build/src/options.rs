//! The options of a schema that affect its generated code.

use tobu_schema::descriptor::{FieldDescriptor, FileDescriptor, MessageDescriptor, OptionsRef};

use crate::config::Api;

/// The file that declares them.
pub(crate) const OPTIONS: &str = "tobu/options.proto";

/// Its source.
pub(crate) const OPTIONS_PROTO: &str = include_str!("../proto/tobu/options.proto");

/// The number of the extensions `tobu.file_api` and `tobu.message_api`.
const API: u32 = 51919;

/// The API that a message has by its own options, by those of the message around it, or by those of its file.
pub(crate) fn api(message: &MessageDescriptor) -> Option<Api> {
    // Without the file, the number belongs to an option of somebody else.
    if !message.file().dependencies().any(|import| import.name() == OPTIONS) {
        return None;
    }
    let mut within = Some(message.clone());
    while let Some(message) = within {
        if let Some(api) = of_options(message.options()) {
            return Some(api);
        }
        within = message.parent();
    }
    file_api(&message.file())
}

/// True for a field with `[lazy = true]`.
pub(crate) fn is_lazy(field: &FieldDescriptor) -> bool {
    /// The number of `google.protobuf.FieldOptions.lazy`.
    const LAZY: u32 = 5;
    field.options().varint(LAZY) == Some(1)
}

fn file_api(file: &FileDescriptor) -> Option<Api> {
    of_options(file.options())
}

fn of_options(options: OptionsRef<'_>) -> Option<Api> {
    match options.varint(API)? {
        1 => Some(Api::Open),
        2 => Some(Api::Hybrid),
        3 => Some(Api::Opaque),
        _ => None,
    }
}
