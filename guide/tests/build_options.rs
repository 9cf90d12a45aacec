//! The table of build options in the chapter for users of prost and tonic: it has all options of these, and what it says
//! they are called in `tobu_build` exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The methods of `prost_build::Config` 0.14.
const PROST_BUILD: &[&str] = &[
    "boxed",
    "btree_map",
    "bytes",
    "compile_fds",
    "compile_protos",
    "compile_well_known_types",
    "default_package_filename",
    "disable_comments",
    "enable_type_names",
    "enum_attribute",
    "extern_path",
    "field_attribute",
    "file_descriptor_set_path",
    "format",
    "generate",
    "include_file",
    "load_fds",
    "message_attribute",
    "new",
    "out_dir",
    "prost_path",
    "prost_types_path",
    "protoc_arg",
    "protoc_executable",
    "retain_enum_prefix",
    "service_generator",
    "skip_debug",
    "skip_protoc_run",
    "skip_source_info",
    "type_attribute",
    "type_name_domain",
];

/// The methods of `tonic_prost_build::Builder` 0.14 that `prost_build::Config` does not have.
const TONIC_PROST_BUILD: &[&str] = &[
    "build_client",
    "build_server",
    "build_transport",
    "client_attribute",
    "client_mod_attribute",
    "codec_path",
    "compile_fds_with_config",
    "compile_with_config",
    "emit_package",
    "emit_rerun_if_changed",
    "generate_default_stubs",
    "proto_path",
    "server_attribute",
    "server_mod_attribute",
    "trait_attribute",
    "use_arc_self",
    "with_extended_rust_types",
];

/// What the right side names that is not a method of `Config`.
const OTHERS: &[&str] =
    &["Config", "Pool", "channel", "connect", "tobu", "tobu-tonic", "tobu_build::load", "tobu_tonic"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The public methods of `tobu_build::Config`.
fn methods() -> BTreeSet<String> {
    let source = root().join("../tobu-build/src");
    ["config.rs", "config/prost.rs", "config/services.rs", "compile.rs", "generate/mod.rs"]
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(source.join(file)).unwrap();
            let names = text.lines().filter_map(|line| line.strip_prefix("    pub fn "));
            names.map(|rest| rest.split(['(', '<']).next().unwrap().to_owned()).collect::<Vec<_>>()
        })
        .collect()
}

/// The names of what stands in backticks in a cell, without paths and parameters.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    let code = cell.split('`').skip(1).step_by(2);
    code.map(|code| code.split('(').next().unwrap().trim_start_matches("Config::"))
}

/// The rows of the table, left and right.
fn rows(chapter: &str) -> Vec<(&str, &str)> {
    let table =
        chapter.split_once("| prost-build, tonic-prost-build | tobu-build |\n| --- | --- |\n").unwrap().1;
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches(['|', ' ']).split_once(" | ").unwrap()).collect()
}

#[test]
fn the_table_of_build_options_is_whole_and_true() {
    let chapter = fs::read_to_string(root().join("src/from-prost.md")).unwrap();
    let rows = rows(&chapter);
    let listed: BTreeSet<_> = rows.iter().flat_map(|(left, _)| names(left)).collect();
    for name in PROST_BUILD.iter().chain(TONIC_PROST_BUILD) {
        assert!(listed.contains(name), "the table lacks `{name}`");
    }

    let methods = methods();
    for (left, right) in rows {
        let own: Vec<_> = names(left).filter(|name| methods.contains(*name)).collect();
        if right.starts_with("the same name") {
            assert_eq!(own, names(left).collect::<Vec<_>>(), "the methods of Config in {left:?}");
        }
        if right.starts_with("not ") {
            assert_eq!(own, [""; 0], "methods of Config that {left:?} says are not there");
        }
        for name in names(right).filter(|name| !OTHERS.contains(name)) {
            assert!(methods.contains(name), "`{name}` in {right:?} is not a method of Config");
        }
    }
}
