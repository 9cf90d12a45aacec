//! One rewrite a row: what stands in a script before and after it, and what is said of it.

use tobu_migrate::{Outcome, Source, rewrite_build_script};

use super::rewritten;

const BEFORE: &str = "fn main() -> Result<(), Box<dyn std::error::Error>> {\n    ";
const AFTER: &str = "\n    Ok(())\n}\n";

/// Where the files are: a note that each script gets.
const ONE_FILE: &str =
    "note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`";

/// Another one, of scripts that use prost-build and say nothing to cargo.
const RERUN: &str = "note: cargo runs the script again for the `.proto` files that it reads, and no longer for each file of the crate";

fn whole(statements: &str) -> String {
    format!("{BEFORE}{statements}{AFTER}")
}

/// What is left and what is noted, without the note of each script.
fn said(outcome: &Outcome) -> Vec<String> {
    let left = outcome.left.iter().map(ToString::to_string);
    let said = left.chain(outcome.notes.iter().map(ToString::to_string));
    said.filter(|text| !text.ends_with(ONE_FILE) && !text.ends_with(RERUN)).collect()
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (before, after) in rows {
        let outcome = rewritten(&whole(before));
        assert_eq!(outcome.text, whole(after));
        assert_eq!(said(&outcome), [""; 0], "{before}");
    }
}

/// Rows of which something is said.
#[track_caller]
fn check_said(rows: &[(&str, &str, &[&str])]) {
    for (before, after, wanted) in rows {
        let outcome = rewritten(&whole(before));
        assert_eq!(outcome.text, whole(after));
        assert_eq!(said(&outcome), *wanted, "{before}");
    }
}

#[test]
fn calls() {
    check(&[
        (
            "prost_build::compile_protos(&[\"a.proto\"], &[\".\"])?;",
            "tobu_build::Config::new().compile_protos(&[\"a.proto\"], &[\".\"])?;",
        ),
        (
            "tonic_build::compile_protos(\"proto/a.proto\")?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[\"proto/a.proto\"], &[\"proto\"])?;",
        ),
        (
            "tonic_prost_build::compile_protos(\"a.proto\").unwrap();",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[\"a.proto\"], &[\".\"]).unwrap();",
        ),
        (
            "::prost_build::Config::new().out_dir(\"src\").compile_protos(files, includes).expect(\"a schema\");",
            "tobu_build::Config::new().out_dir(\"src\").compile_protos(files, includes).expect(\"a schema\");",
        ),
        (
            "if let Err(error) = tonic_build::configure().build_client(false).compile_protos(files, includes) {}",
            "if let Err(error) = tobu_build::Config::new().build_server(true).build_client(false).compile_protos(files, includes) {}",
        ),
        (
            "tonic_build::configure().build_client(false).build_server(true).compile(files, includes)?;",
            "tobu_build::Config::new().build_client(false).build_server(true).compile(files, includes)?;",
        ),
        (
            "prost_build::Config::new().compile_fds(protox::compile([\"a.proto\"], includes)?)?;",
            "tobu_build::Config::new().compile_protos(&[\"a.proto\"], &includes)?;",
        ),
        (
            "let set = protox::compile(&files, [\".\"]).unwrap();\n    tonic_build::compile_fds(set)?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&files, &[\".\"])?;",
        ),
        (
            "tonic_build::configure().compile_protos_with_config(prost_build::Config::new(), files, includes)?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(files, includes)?;",
        ),
        (
            "let config = prost_build::Config::new();\n    tonic_build::configure().compile_fds_with_config(config.clone(), protox::compile(files, includes)?)?;",
            "let config = tobu_build::Config::new();\n    config.clone().build_client(true).build_server(true).compile_protos(&files, &includes)?;",
        ),
    ]);
}

#[test]
fn arguments() {
    check(&[
        (
            "tonic_build::configure().compile_protos(&[\"a.proto\"], &[])?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[\"a.proto\"], &[\".\"])?;",
        ),
        (
            "let mut config = prost_build::Config::new();\n    config.skip_debug(names.iter().map(path));",
            "let mut config = tobu_build::Config::new();\n    config.skip_debug(names.iter().map(path).collect::<Vec<_>>());",
        ),
        (
            "let add = |config: &mut prost_build::Config| config.retain_enum_prefix();",
            "let add = |config: &mut tobu_build::Config| config.retain_enum_prefix();",
        ),
        (
            "let add = |builder: tonic_build::Builder| builder.boxed(\"a\");",
            "let add = |mut builder: tobu_build::Config| builder.boxed(\"a\").clone();",
        ),
    ]);
    check_said(&[
        (
            "std::env::set_var(\"PROTOC\", path);",
            "std::env::set_var(\"PROTOC\", path);",
            &["2:5: note: no protoc is needed, and PROTOC is not read"],
        ),
        (
            "tonic_build::configure().extern_path(\".a\", \"::a\").extern_path(\".google.protobuf\", \"::pbjson_types\");",
            "tobu_build::Config::new().build_client(true).build_server(true).extern_path(\".a\", \"::a\").extern_path(\".google.protobuf\", \"::pbjson_types\").clone();",
            &[
                "2:55: by hand: `extern_path`: these types are for prost: remove it; the well-known types are in `tobu::types`",
                "2:30: note: `extern_path`: the crate with these types must use tobu, too; with tobu's output at its root, it has a module for each part of a package",
            ],
        ),
    ]);
}

#[test]
fn notes_for_each_script() {
    let outcome = rewritten(
        "fn main() { prost_build::compile_protos(f, i).unwrap(); prost_build::Config::new().out_dir(\"a\").compile_protos(f, i).unwrap(); }",
    );
    let notes: Vec<_> = outcome.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, [format!("1:13: {ONE_FILE}"), format!("1:13: {RERUN}")]);
    let outcome = rewritten(
        "fn main() { tonic_build::configure().include_file(\"a.rs\").compile_protos(f, i).unwrap(); }",
    );
    assert_eq!(outcome.notes, []);
    let outcome = rewritten(
        "fn main() { println!(\"cargo:rerun-if-changed=a\"); prost_build::Config::new().include_file(\"a.rs\").compile_protos(f, i).unwrap(); }",
    );
    assert_eq!(outcome.notes, []);
}

#[test]
fn variables() {
    check(&[
        (
            "let builder = tonic_build::configure();\n    builder.compile_protos(files, includes)?;",
            "let mut builder = tobu_build::Config::new();\n    builder.build_client(true).build_server(true);\n    builder.compile_protos(files, includes)?;",
        ),
        (
            "let mut builder = tonic_build::configure()\n        .build_server(false)\n        .boxed(\"a\");\n    builder = builder.boxed(\"b\");",
            "let mut builder = tobu_build::Config::new();\n    builder\n        .build_client(true)\n        .build_server(false)\n        .boxed(\"a\");\n    builder.boxed(\"b\");",
        ),
        (
            "let one = tonic_build::configure();\n    let other = one.boxed(\"a\");",
            "let mut one = tobu_build::Config::new();\n    one.build_client(true).build_server(true);\n    let mut other = one;\n    other.boxed(\"a\");",
        ),
        (
            "takes(tonic_build::configure());",
            "takes(tobu_build::Config::new().build_client(true).build_server(true).clone());",
        ),
        ("let config = prost_build::Config::default();", "let config = tobu_build::Config::default();"),
        // Something else has the name.
        (
            "let config = other();\n    config.format(true);",
            "let config = other();\n    config.format(true);",
        ),
    ]);
}

#[test]
fn what_is_not_needed() {
    let format = "note: `format` is removed: the code is always formatted";
    let at = |place: &str| format!("{place}: {format}");
    check_said(&[
        (
            "let mut config = prost_build::Config::new();\n    config.format(true);\n    config.boxed(\"a\");",
            "let mut config = tobu_build::Config::new();\n    config.boxed(\"a\");",
            &[&at("3:12")],
        ),
        (
            "prost_build::Config::new()\n        .boxed(\"a\")\n        // Long.\n        .format(true)\n        .compile_protos(f, i)?;",
            "tobu_build::Config::new()\n        .boxed(\"a\")\n        // Long.\n        .compile_protos(f, i)?;",
            &[&at("5:10")],
        ),
        (
            "tonic_build::configure().proto_path(\"super\").build_transport(true).use_arc_self(false).compile_protos(f, i)?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_protos(f, i)?;",
            &[
                "2:30: note: `proto_path` is removed: messages are beside clients and servers",
                "2:50: note: `build_transport` is removed: `connect` comes with the feature `channel` of `tobu-tonic`",
                "2:72: note: `use_arc_self` is removed: methods of servers take `&self`",
            ],
        ),
    ]);
}

#[test]
fn what_is_left() {
    check_said(&[
        (
            "tonic_build::configure().codec_path(\"crate::Codec\").proto_path(\"crate\").compile_protos(f, i)?;",
            "tobu_build::Config::new().build_client(true).build_server(true).codec_path(\"crate::Codec\").proto_path(\"crate\").compile_protos(f, i)?;",
            &[
                "2:30: by hand: `codec_path`: the codec is that of `tobu-tonic`: remove it; `tonic_path` says where that crate is",
                "2:57: by hand: `proto_path`: messages are beside clients and servers: remove it",
            ],
        ),
        (
            "tonic_build::configure().compile_fds(set)?;",
            "tobu_build::Config::new().build_client(true).build_server(true).compile_fds(set)?;",
            &[
                "2:30: by hand: `compile_fds`: call `compile_protos` with the files, or `compile_descriptor_set_bytes` with the bytes of the set",
            ],
        ),
        (
            "let set = protox::compile(files, includes)?;\n    other(&set);\n    prost_build::compile_fds(set)?;",
            "let set = protox::compile(files, includes)?;\n    other(&set);\n    prost_build::compile_fds(set)?;",
            &[
                "4:5: by hand: `compile_fds`: call `compile_protos` with the files, or `compile_descriptor_set_bytes` with the bytes of the set",
            ],
        ),
        (
            "let mut config = prost_build::Config::new();\n    config.service_generator(Box::new(Own)).skip_protoc_run().unknown();",
            "let mut config = tobu_build::Config::new();\n    config.service_generator(Box::new(Own)).skip_protoc_run().unknown();",
            &[
                "3:12: by hand: `service_generator`: there are no generators of services; `build_client` and `build_server` are those of tonic",
                "3:45: by hand: `skip_protoc_run`: remove it, and call `compile_descriptor_set` with the path of the set instead of the compiler",
                "3:63: by hand: `unknown` is not a method of prost-build or tonic",
            ],
        ),
        (
            "let mut config = prost_build::Config::new();\n    config.btree_map([\"a\"]);\n    config.btree_map([\"b\"]);",
            "let mut config = tobu_build::Config::new();\n    config.btree_map([\"a\"]);\n    config.btree_map([\"b\"]);",
            &[
                "4:12: by hand: `btree_map`: prost-build forgets the paths of the call before, tobu-build keeps them: remove that call",
            ],
        ),
        (
            "prost_build::Config::new().type_attribute(\".\", \"#[derive(serde::Serialize)]\").compile_protos(f, i)?;",
            "tobu_build::Config::new().type_attribute(\".\", \"#[derive(serde::Serialize)]\").compile_protos(f, i)?;",
            &[
                "2:32: by hand: `type_attribute`: generated types have serde's traits, and write ProtoJSON: remove it",
            ],
        ),
        (
            "for file in files {\n        tonic_build::compile_protos(file)?;\n    }",
            "for file in files {\n        tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[&file], &[std::path::Path::new(&file).parent().expect(\"a file in a directory\")])?;\n    }",
            &[
                "3:9: by hand: each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`",
            ],
        ),
        (
            "let service = tonic_build::manual::Service::builder().build();",
            "let service = tonic_build::manual::Service::builder().build();",
            &["2:19: by hand: `manual::Service::builder`: services are generated from `.proto` files alone"],
        ),
        (
            "assert!(prost_build::protoc_from_env().exists());",
            "assert!(prost_build::protoc_from_env().exists());",
            &["2:5: by hand: it is in a macro, which is not read"],
        ),
    ]);
}

#[test]
fn names() {
    for (before, after) in [
        (
            "use prost_build as pb;\nfn f(config: &mut pb::Config) {}\n",
            "fn f(config: &mut tobu_build::Config) {}\n",
        ),
        (
            "use prost_build::{Config as Settings, Module};\nfn f(config: Settings, module: Module) {}\n",
            "use tobu_build::Config as Settings;\nuse prost_build::Module;\nfn f(config: Settings, module: Module) {}\n",
        ),
        (
            "use prost_build::Config;\nuse tonic_build::{Builder, configure};\nfn f(config: Config) -> Builder { configure() }\n",
            "use tobu_build::Config;\nfn f(config: Config) -> tobu_build::Config { tobu_build::Config::new().build_client(true).build_server(true).clone() }\n",
        ),
        (
            "fn f() {\n    use tonic_build::compile_protos as compile;\n\n    compile(\"p/a.proto\").unwrap();\n}\n",
            "fn f() {\n    tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[\"p/a.proto\"], &[\"p\"]).unwrap();\n}\n",
        ),
        (
            "#[cfg(feature = \"a\")]\npub(crate) use prost_build::Config;\n#[cfg(feature = \"a\")]\nuse tonic_build::configure;\n",
            "#[cfg(feature = \"a\")]\npub(crate) use tobu_build::Config;\n",
        ),
        ("\u{feff}use prost_build::Config;\r\n", "\u{feff}use tobu_build::Config;\r\n"),
    ] {
        assert_eq!(rewritten(before).text, after);
    }
}

#[test]
fn results() {
    let compile = "prost_build::compile_protos(f, i)";
    let compiled = "tobu_build::Config::new().compile_protos(f, i)";
    let other = ".map_err(std::io::Error::other)";
    for (before, after) in [
        (
            format!("use std::io::Result;\n\nfn main() -> Result<()> {{ {compile} }}"),
            format!("fn main() -> tobu_build::Result<()> {{ {compiled} }}"),
        ),
        (
            format!("use std::io;\nfn main() -> io::Result<()> {{ {compile}?; io::stdout().flush() }}"),
            format!(
                "use std::io;\nfn main() -> io::Result<()> {{ {compiled}{other}?; io::stdout().flush() }}"
            ),
        ),
        (
            format!(
                "fn main() -> Result<(), std::io::Error> {{ if a {{ return {compile}; }} {compile}?; Ok(()) }}"
            ),
            format!(
                "fn main() -> tobu_build::Result<()> {{ if a {{ return {compiled}; }} {compiled}?; Ok(()) }}"
            ),
        ),
        (
            format!("fn build() -> std::io::Result<()> {{ match a {{ 1 => {compile}, _ => Ok(()) }} }}"),
            format!(
                "fn build() -> std::io::Result<()> {{ match a {{ 1 => {compiled}{other}, _ => Ok(()) }} }}"
            ),
        ),
        (
            format!("fn main() -> anyhow::Result<()> {{ {compile}?; Ok(()) }}"),
            format!("fn main() -> anyhow::Result<()> {{ {compiled}?; Ok(()) }}"),
        ),
    ] {
        assert_eq!(rewritten(&before).text, after);
    }
    let outcome = rewritten(&format!("fn main() -> Result<(), Own> {{ {compile}?; Ok(()) }}"));
    assert_eq!(
        said(&outcome),
        ["1:32: by hand: the error of the function must be made of a `tobu_build::Error`"]
    );
}

#[test]
fn a_script_that_does_not_parse_is_left_alone() {
    let text = "fn main() {\n    prost_build::;\n}\n";
    let outcome = rewrite_build_script(&Source::new("build.rs", text));
    assert_eq!(outcome.text, text);
    assert_eq!(outcome.error.as_deref(), Some("2:18: does not parse: expected identifier"));
}
