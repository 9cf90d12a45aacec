//! Lists the files of `google/protobuf/` that tobu contains, and their types.

use tobu_schema::descriptor::{FileDescriptor, GeneratedFile, ServiceDescriptor};
use tobu_schema::files;

use super::file::without_source_info;
use crate::config::Config;

/// The files in `tobu::types::files`, by their path after `google/protobuf/`, without `.proto`.
static FILES: &[(&str, &GeneratedFile)] = &[
    ("any", &files::ANY),
    ("api", &files::API),
    ("compiler/plugin", &files::PLUGIN),
    ("descriptor", &files::DESCRIPTOR),
    ("duration", &files::DURATION),
    ("empty", &files::EMPTY),
    ("field_mask", &files::FIELD_MASK),
    ("source_context", &files::SOURCE_CONTEXT),
    ("struct", &files::STRUCT),
    ("timestamp", &files::TIMESTAMP),
    ("type", &files::TYPE),
    ("wrappers", &files::WRAPPERS),
];

/// The messages and enums of `google.protobuf` that `tobu::types` contains whatever features are on.
const TYPES: &[&str] = &[
    "Any",
    "BoolValue",
    "BytesValue",
    "DoubleValue",
    "Duration",
    "Empty",
    "FieldMask",
    "FloatValue",
    "Int32Value",
    "Int64Value",
    "ListValue",
    "NullValue",
    "StringValue",
    "Struct",
    "Timestamp",
    "UInt32Value",
    "UInt64Value",
    "Value",
];

fn own_file(name: &str) -> Option<&'static GeneratedFile> {
    let stem = name.strip_prefix("google/protobuf/")?.strip_suffix(".proto")?;
    FILES.iter().find(|(own, _)| *own == stem).map(|(_, file)| *file)
}

/// True if generated code would embed the same bytes for this file as tobu embeds for its own file with this name.
pub(super) fn is_same(config: &Config, file: &FileDescriptor) -> bool {
    !config.source_info
        && own_file(file.name()).is_some_and(|own| {
            without_source_info(file.encoded()).is_ok_and(|encoded| encoded == own.descriptor().encoded())
        })
}

impl Config {
    /// True for a file that tobu contains, if the generated code uses tobu's types.
    pub(crate) fn is_own(&self, file: &str) -> bool {
        self.well_known_types && own_file(file).is_some()
    }

    /// True for a service if code is generated for it.
    pub(super) fn generates(&self, service: &ServiceDescriptor) -> bool {
        self.has_services() && !self.is_extern(service.full_name())
    }

    /// Returns the name of the reference type of a message in `tobu::types`, such as `TimestampRef`. Returns `None` for other
    /// messages.
    pub(super) fn own_reference(&self, full_name: &str) -> Option<String> {
        let name = full_name.strip_prefix("google.protobuf.").filter(|name| TYPES.contains(name))?;
        let is_own = self.well_known_types && self.extern_paths.prefix(full_name).is_none();
        is_own.then(|| format!("{name}Ref"))
    }

    /// True for a message, an enum or a service that is not generated, because a setting or the runtime gives its Rust type.
    pub(super) fn is_extern(&self, full_name: &str) -> bool {
        self.extern_paths.prefix(full_name).is_some()
            || self.well_known_types
                && full_name.strip_prefix("google.protobuf.").is_some_and(|name| TYPES.contains(&name))
    }
}
