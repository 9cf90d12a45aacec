//! Reads the options in a schema that change the generated code.

use tobu_schema::descriptor::{FieldDescriptor, FileDescriptor, MessageDescriptor, OptionsRef};

use crate::config::Api;

/// The file that declares tobu's options.
pub(crate) const OPTIONS: &str = "tobu/options.proto";

pub(crate) const OPTIONS_PROTO: &str = include_str!("../proto/tobu/options.proto");

/// The number of the extensions `tobu.file_api` and `tobu.message_api`.
const API: u32 = 51919;

/// Returns the API that options select for a message: first the options of the message, then those of the messages around it,
/// then those of its file.
pub(crate) fn api(message: &MessageDescriptor) -> Option<Api> {
    // If the file does not import tobu's options, the number belongs to another extension.
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

/// True for a field with the option `[lazy = true]`.
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
