//! The files that need not be in an include directory: those of `google/protobuf/`, and the options of tobu.

use tobu::descriptor::GeneratedFile;
use tobu::types::files;

use crate::options::{OPTIONS, OPTIONS_PROTO};

pub(super) enum Bundled {
    Descriptor(&'static GeneratedFile),
    Source(&'static str),
}

/// The file of a name.
pub(super) fn bundled(name: &str) -> Option<Bundled> {
    if name == OPTIONS {
        return Some(Bundled::Source(OPTIONS_PROTO));
    }
    let file = match name.strip_prefix("google/protobuf/")? {
        "any.proto" => &files::ANY,
        "api.proto" => &files::API,
        "descriptor.proto" => &files::DESCRIPTOR,
        "duration.proto" => &files::DURATION,
        "empty.proto" => &files::EMPTY,
        "field_mask.proto" => &files::FIELD_MASK,
        "source_context.proto" => &files::SOURCE_CONTEXT,
        "struct.proto" => &files::STRUCT,
        "timestamp.proto" => &files::TIMESTAMP,
        "type.proto" => &files::TYPE,
        "wrappers.proto" => &files::WRAPPERS,
        "json_options.proto" => return Some(Bundled::Source(include_str!("google/json_options.proto"))),
        "json_enumvalue_options.proto" => {
            return Some(Bundled::Source(include_str!("google/json_enumvalue_options.proto")));
        }
        _ => return None,
    };
    Some(Bundled::Descriptor(file))
}
