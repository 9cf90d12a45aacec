//! The built-in files of `google/protobuf/`. Programs can import them without having them in an include directory.

use crate::descriptor::GeneratedFile;
use crate::files;

pub(super) enum Bundled {
    Descriptor(&'static GeneratedFile),
    Source(&'static str),
}

/// Returns the built-in file with a name.
pub(super) fn bundled(name: &str) -> Option<Bundled> {
    let file = match name.strip_prefix("google/protobuf/")? {
        "any.proto" => &files::ANY,
        "api.proto" => &files::API,
        "compiler/plugin.proto" => &files::PLUGIN,
        "descriptor.proto" => &files::DESCRIPTOR,
        "duration.proto" => &files::DURATION,
        "empty.proto" => &files::EMPTY,
        "field_mask.proto" => &files::FIELD_MASK,
        "source_context.proto" => &files::SOURCE_CONTEXT,
        "struct.proto" => &files::STRUCT,
        "timestamp.proto" => &files::TIMESTAMP,
        "type.proto" => &files::TYPE,
        "wrappers.proto" => &files::WRAPPERS,
        other => return source(other).map(Bundled::Source),
    };
    Some(Bundled::Descriptor(file))
}

/// Returns the source of a built-in file that few schemas use: it declares options and features.
fn source(name: &str) -> Option<&'static str> {
    Some(match name {
        "c_sharp_features.proto" => include_str!("google/c_sharp_features.proto"),
        "cpp_features.proto" => include_str!("google/cpp_features.proto"),
        "cpp_file_options.proto" => include_str!("google/cpp_file_options.proto"),
        "go_features.proto" => include_str!("google/go_features.proto"),
        "java_features.proto" => include_str!("google/java_features.proto"),
        "java_mutable_features.proto" => include_str!("google/java_mutable_features.proto"),
        "json_enumvalue_options.proto" => include_str!("google/json_enumvalue_options.proto"),
        "json_options.proto" => include_str!("google/json_options.proto"),
        _ => return None,
    })
}
