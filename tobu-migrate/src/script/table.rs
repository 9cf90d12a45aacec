//! Lists the replacement of each method of `prost_build::Config` and of tonic's builders.
//!
//! The methods are from prost-build 0.14, tonic-prost-build 0.14, and tonic-build 0.12 and 0.13.

/// The library whose methods a build script calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Library {
    /// prost-build, whose methods change a `prost_build::Config` in place.
    Prost,
    /// tonic, whose methods take and return a `tonic_prost_build::Builder` or `tonic_build::Builder` by value.
    Tonic,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The call does not change.
    Same,
    /// This text replaces the name of the method and its arguments.
    Becomes(&'static str),
    /// The arguments change, and perhaps the name of the method, too.
    Changes(Change),
    /// The call is removed, because it is not necessary. The text is the reason.
    Dropped(&'static str),
    /// If the argument is this literal, the call is removed. Any other call stays, with a note to remove it. The second text
    /// explains why the setting is not needed.
    DroppedIf(&'static str, &'static str),
    /// The call stays. The text says why, or what a person must do.
    Left(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// tobu-build has separate methods for enums and oneofs, so the call becomes two calls.
    Oneofs,
    /// The name of a file gets the extension `.rs`.
    FileName,
    /// The files and include directories replace the descriptor set that was compiled from them.
    DescriptorSet,
    /// The `prost_build::Config` that was an argument becomes the start of the chain, and the chain sets tonic's options on it.
    WithConfig,
    /// The new script reads the descriptor set instead of writing it.
    ReadSet,
    /// The options that were set on tonic's generator are set on the `Config` itself.
    Services,
}

/// A method, and what happens to calls of the method.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The library with the method; `None` if both libraries have the method.
    only: Option<Library>,
    pub(super) fate: Fate,
    /// A note for the user, such as a difference in meaning.
    pub(super) note: Option<&'static str>,
}

const fn both(name: &'static str, fate: Fate) -> Row {
    Row { name, only: None, fate, note: None }
}

const fn prost(name: &'static str, fate: Fate) -> Row {
    Row { name, only: Some(Library::Prost), fate, note: None }
}

const fn tonic(name: &'static str, fate: Fate) -> Row {
    Row { name, only: Some(Library::Tonic), fate, note: None }
}

impl Row {
    const fn note(self, note: &'static str) -> Self {
        Row { note: Some(note), ..self }
    }
}

use Fate::{Becomes, Changes, Dropped, DroppedIf, Left, Same};

const BYTES: &str = "the crate needs a dependency on `bytes`";
const EXTERN: &str = "the crate with these types must use tobu, too; with tobu's output at its root, it has a module for each \
                      part of a package";
const NAMES: &str = "every message knows its name; type URLs begin with `type.googleapis.com/`";
const NO_PROTOC: &str = "it has no effect unless `protoc_executable` names a protoc";
const MODULE: &str = "clients and servers are beside the messages, whose names have the package";

/// All methods. If the libraries need different replacements, a method has one row for each library.
pub(super) const ROWS: &[Row] = &[
    // Methods that set the output.
    both("out_dir", Same),
    both("include_file", Same),
    both("file_descriptor_set_path", Same),
    both("skip_protoc_run", Changes(Change::ReadSet)),
    prost("default_package_filename", Changes(Change::FileName))
        .note("`out_file` names the file of all packages, and not only that of files without a package"),
    both("format", Dropped("the code is always formatted")),
    tonic("emit_rerun_if_changed", Same),
    // Methods that change types.
    both("extern_path", Same).note(EXTERN),
    both("boxed", Same),
    both("btree_map", Same),
    both("bytes", Same).note(BYTES),
    both("skip_debug", Same),
    both("disable_comments", Same),
    prost("skip_source_info", Becomes("comments(false)")),
    prost("retain_enum_prefix", Same),
    prost("compile_well_known_types", Becomes("compile_well_known_types(true)")),
    tonic("compile_well_known_types", Same),
    prost("enable_type_names", Dropped(NAMES)),
    prost("type_name_domain", Dropped(NAMES)),
    prost("prost_path", Left("say where `tobu` is by `runtime_path`, or remove it")),
    prost("prost_types_path", Dropped("the well-known types are those of `tobu`")),
    // Methods that add attributes.
    both("type_attribute", Same),
    both("message_attribute", Same),
    both("enum_attribute", Changes(Change::Oneofs)),
    both("field_attribute", Same),
    // Methods for clients and servers.
    tonic("build_client", Same),
    tonic("build_server", Same),
    tonic("build_transport", Dropped("`connect` comes with the feature `channel` of `tobu-tonic`")),
    tonic("client_attribute", Same),
    tonic("client_mod_attribute", Same),
    tonic("server_attribute", Same),
    tonic("server_mod_attribute", Same),
    tonic("trait_attribute", Same),
    tonic("generate_default_stubs", Same),
    tonic("proto_path", DroppedIf("\"super\"", "messages are beside clients and servers")),
    tonic("emit_package", DroppedIf("true", MODULE)),
    tonic("disable_package_emission", Left(MODULE)),
    tonic("use_arc_self", DroppedIf("false", "methods of servers take `&self`")),
    tonic(
        "codec_path",
        Left("the codec is that of `tobu-tonic`: remove it; `tonic_path` says where that crate is"),
    ),
    tonic("with_extended_rust_types", DroppedIf("false", "requests and responses are messages")),
    prost("service_generator", Changes(Change::Services)),
    tonic(
        "service_generator",
        Left("there is one configuration: call `build_client` and `build_server` of it"),
    ),
    // Methods for the compiler.
    both("protoc_arg", Same).note(NO_PROTOC),
    prost("protoc_executable", Same).note("no protoc is needed: without this line none is run"),
    // Methods that end a chain.
    both("compile_protos", Same),
    tonic("compile", Same),
    both("compile_fds", Changes(Change::DescriptorSet)),
    tonic("compile_with_config", Changes(Change::WithConfig)),
    tonic("compile_protos_with_config", Changes(Change::WithConfig)),
    tonic("compile_fds_with_config", Changes(Change::WithConfig)),
    prost("load_fds", Left("`tobu_build::load` gives the schema as a `tobu::Pool`")),
    prost("generate", Left("`generate` takes a `tobu::Pool` and the names of files")),
];

/// Methods whose calls replace an earlier setting in prost-build, but add to it in tobu-build.
pub(super) const REPLACING: &[&str] = &["btree_map", "bytes", "disable_comments", "skip_debug"];

/// Returns the row of a method; `None` if the library does not have it.
pub(super) fn row(library: Library, name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name && row.only.is_none_or(|only| only == library))
}

/// True for a method that ends a chain of calls.
pub(super) fn is_last(name: &str) -> bool {
    name.starts_with("compile") && name != "compile_well_known_types"
        || matches!(name, "generate" | "load_fds")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns the names of the public methods of `tobu_build::Config` in these sources.
    fn methods(sources: &[&str]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for source in sources {
            for item in syn::parse_file(source).unwrap().items {
                let syn::Item::Impl(item) = item else { continue };
                let is_config =
                    matches!(&*item.self_ty, syn::Type::Path(path) if path.path.is_ident("Config"));
                if !is_config || item.trait_.is_some() {
                    continue;
                }
                names.extend(item.items.iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                        Some(item.sig.ident.to_string())
                    }
                    _ => None,
                }));
            }
        }
        names
    }

    fn all_methods() -> BTreeSet<String> {
        methods(&[
            include_str!("../../../tobu-build/src/config.rs"),
            include_str!("../../../tobu-build/src/config/prost.rs"),
            include_str!("../../../tobu-build/src/config/services.rs"),
            include_str!("../../../tobu-build/src/compile.rs"),
        ])
    }

    /// Returns the methods of `tobu_build::Config` that a call is rewritten to.
    fn targets(row: &Row) -> Vec<&str> {
        match row.fate {
            Same => vec![row.name],
            Becomes(text) => vec![text.split('(').next().unwrap()],
            Changes(Change::Oneofs) => vec!["enum_attribute", "oneof_attribute"],
            Changes(Change::FileName) => vec!["out_file"],
            Changes(Change::DescriptorSet) => vec!["compile_protos", "compile_descriptor_set_bytes"],
            Changes(Change::WithConfig) => vec!["compile_protos"],
            Changes(Change::ReadSet) => vec!["compile_descriptor_set"],
            Changes(Change::Services) => vec!["build_client", "build_server"],
            Dropped(_) | DroppedIf(..) | Left(_) => vec![],
        }
    }

    #[test]
    fn the_methods_are_there() {
        let methods = all_methods();
        for row in ROWS {
            for target in targets(row) {
                assert!(
                    methods.contains(target),
                    "{} becomes {target}, which Config does not have",
                    row.name
                );
            }
            // tobu-build must not have these methods. Otherwise the call could stay.
            if matches!(row.fate, Dropped(_) | DroppedIf(..)) {
                assert!(!methods.contains(row.name), "{} need not be dropped", row.name);
            }
        }
    }

    #[test]
    fn names_of_prost_have_rows() {
        for name in methods(&[include_str!("../../../tobu-build/src/config/prost.rs")]) {
            assert!(ROWS.iter().any(|row| row.name == name), "{name} has no row");
        }
    }

    #[test]
    fn each_is_there_once() {
        for library in [Library::Prost, Library::Tonic] {
            let of = |row: &&Row| row.only.is_none_or(|only| only == library);
            let names: Vec<_> = ROWS.iter().filter(of).map(|row| row.name).collect();
            let distinct: BTreeSet<_> = names.iter().collect();
            assert_eq!(names.len(), distinct.len(), "{names:?}");
        }
        for name in REPLACING {
            assert_eq!(row(Library::Prost, name).map(|row| row.fate), Some(Same));
        }
    }

    /// The guide is not part of the published crate, so the test passes without it.
    #[test]
    fn the_guide_names_all() {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guide/src/from-prost.md");
        let Ok(guide) = fs::read_to_string(guide) else { return };
        for row in ROWS {
            let is_named = [format!("`{}(", row.name), format!("`{}`", row.name)]
                .iter()
                .any(|name| guide.contains(name));
            assert!(is_named, "{} is not in the guide", row.name);
        }
    }
}
