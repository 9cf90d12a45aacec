//! Ways in other than sources, and what all of them refuse.

use std::fs;
use std::path::{Path, PathBuf};

use tobu::wire::{Reader, Tag, WireType, Writer};
use tobu_build::Config;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// An empty directory.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("front_ends").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn config(out: &Path) -> Config {
    let mut config = Config::new();
    config.out_dir(out).rerun_if_changed(false);
    config
}

/// The descriptor set of `library.proto` and its imports.
fn library(out: &Path) -> Vec<u8> {
    let set = out.join("library.fds");
    config(out).descriptor_set_path(&set).compile(&[golden().join("library.proto")], &[golden()]).unwrap();
    fs::read(set).unwrap()
}

#[test]
fn a_descriptor_set_gives_the_same_code() {
    let out = scratch("set");
    library(&out);
    fs::remove_file(out.join("tobu.rs")).unwrap();
    config(&out).compile_descriptor_set(out.join("library.fds")).unwrap();
    let expected = fs::read_to_string(golden().join("library.rs")).unwrap();
    assert!(fs::read_to_string(out.join("tobu.rs")).unwrap() == expected, "not as in golden/library.rs");
}

/// A protoc that writes down how it is called, and answers with a descriptor set that is there already.
#[cfg(unix)]
#[test]
fn protoc_gets_arguments() {
    use std::os::unix::fs::PermissionsExt;

    let out = scratch("protoc_arguments");
    library(&out);
    let program = out.join("protoc");
    let script = "#!/bin/sh\n\
        cd \"$(dirname \"$0\")\"\n\
        for argument in \"$@\"; do\n\
        echo \"$argument\" >>called\n\
        case $argument in --descriptor_set_out=*) cp library.fds \"${argument#*=}\";; esac\n\
        done\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut config = config(&out);
    config.protoc_executable(&program).protoc_arg("--one").protoc_arg("--two=2");
    config.compile_protos(&[golden().join("library.proto")], &[golden()]).unwrap();
    let called = fs::read_to_string(out.join("called")).unwrap();
    let called: Vec<_> =
        called.lines().filter(|line| line.starts_with("--one") || line.starts_with("--two")).collect();
    assert_eq!(called, ["--one", "--two=2"]);
}

/// A CodeGeneratorRequest for `library.proto`.
fn request(set: &[u8], parameter: &str) -> Vec<u8> {
    let mut request = Writer::new();
    request.tag(Tag::new(1, WireType::Len));
    request.len_prefixed(b"library.proto");
    request.tag(Tag::new(2, WireType::Len));
    request.len_prefixed(parameter.as_bytes());
    let mut files = Reader::new(set);
    while !files.is_empty() {
        files.tag().unwrap();
        request.tag(Tag::new(15, WireType::Len));
        request.len_prefixed(files.len_prefixed().unwrap());
    }
    request.finish().unwrap()
}

/// The error, and the names and contents of the files, of a CodeGeneratorResponse; what it says of editions is checked.
fn response(bytes: &[u8]) -> (String, Vec<(String, String)>) {
    let mut error = String::new();
    let mut files = Vec::new();
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let tag = reader.tag().unwrap();
        match tag.number() {
            1 => error = reader.string().unwrap().to_owned(),
            15 => {
                let mut file = Reader::new(reader.len_prefixed().unwrap());
                assert_eq!(file.tag().unwrap(), Tag::new(1, WireType::Len));
                let name = file.string().unwrap().to_owned();
                assert_eq!(file.tag().unwrap(), Tag::new(15, WireType::Len));
                files.push((name, file.string().unwrap().to_owned()));
            }
            // Proto3's optional and editions are supported, from proto2 to 2026.
            2 => assert_eq!(reader.varint().unwrap(), 3),
            3 => assert_eq!(reader.varint().unwrap(), 998),
            4 => assert_eq!(reader.varint().unwrap(), 1002),
            number => panic!("field {number}"),
        }
    }
    (error, files)
}

#[test]
fn the_plugin_says_up_to_which_edition_it_goes() {
    let set = library(&scratch("plugin_editions"));
    let answer = tobu_build::run_plugin(&request(&set, "")).unwrap();
    // supported_features: 3, minimum_edition: EDITION_PROTO2, maximum_edition: EDITION_2026
    assert_eq!(answer[..8], [0x10, 3, 0x18, 0xe6, 0x07, 0x20, 0xea, 0x07]);
}

#[test]
fn the_plugin_gives_the_same_code() {
    let set = library(&scratch("plugin"));
    let (error, files) = response(&tobu_build::run_plugin(&request(&set, "out_file=x.rs")).unwrap());
    assert_eq!(error, "");
    let expected = fs::read_to_string(golden().join("library.rs")).unwrap();
    assert_eq!((files.len(), files[0].0.as_str()), (1, "x.rs"));
    assert!(files[0].1 == expected, "not as in golden/library.rs");

    let settings = "serde_derives, getters=false,comments=false";
    let (_, files) = response(&tobu_build::run_plugin(&request(&set, settings)).unwrap());
    let expected = fs::read_to_string(golden().join("serde_derives.rs")).unwrap();
    assert!(files[0].1 == expected, "not as in golden/serde_derives.rs");

    let settings = "server,comments=false,tonic_path=::grpc,\
        extern_path@.library.v1.Shelf=crate::Shelf,extern_path@.library.v1.Address=crate::Address";
    let (error, files) = response(&tobu_build::run_plugin(&request(&set, settings)).unwrap());
    assert_eq!(error, "");
    let expected = fs::read_to_string(golden().join("services_only.rs")).unwrap();
    assert!(files[0].1 == expected, "not as in golden/services_only.rs");
}

#[test]
fn the_plugin_takes_types_of_ones_own() {
    let set = library(&scratch("plugin_with"));
    let settings =
        "with@.library.v1.Shelf.name=::acme::Name,with@.library.v1.Shelf.theme=::acme::Theme;::acme::As<u8>";
    let (error, files) = response(&tobu_build::run_plugin(&request(&set, settings)).unwrap());
    assert_eq!(error, "");
    for member in [
        "#[tobu(1, with = ::acme::Name)]\n            pub name: ::acme::Name,",
        "#[tobu(2, with = ::acme::As<u8>)]\n            pub theme: ::core::option::Option<::acme::Theme>,",
    ] {
        assert!(files[0].1.contains(member), "{member}");
    }
}

#[test]
fn the_plugin_tells_what_is_wrong() {
    let set = library(&scratch("plugin_errors"));
    for (parameter, expected) in [
        ("colour=red", "the setting \"colour=red\" is not valid: there is no setting of this name"),
        ("getters=1", "the setting \"getters=1\" is not valid: it takes `true` or `false`"),
        (
            "out_file=../x.rs",
            "the output file \"../x.rs\" is not valid: it must be a file name without a directory",
        ),
        ("with@.library.v1.Shelf.name=8", "the type \"8\" is not valid: "),
        (
            "map_type=btree",
            "the setting \"map_type=btree\" is not valid: it takes `hash_map`, `btree_map`, `vec_map`, or a Rust path such as `::acme::Type`",
        ),
        (
            "string_type=str",
            "the setting \"string_type=str\" is not valid: it takes `string`, `box_str`, or ",
        ),
        ("type_attribute=no", "the attribute \"no\" is not valid: unexpected token"),
    ] {
        let (error, files) = response(&tobu_build::run_plugin(&request(&set, parameter)).unwrap());
        assert!(error.starts_with(expected), "{error}");
        assert!(files.is_empty());
    }
    let error = tobu_build::run_plugin(b"\x0a\x05").unwrap_err();
    assert!(error.to_string().starts_with("the request of protoc is not valid: "), "{error}");
}

/// A set of one file with one message.
fn set(file: &[u8], message: &[u8]) -> Vec<u8> {
    let mut set = Writer::new();
    let outer = set.open(Tag::new(1, WireType::Len));
    set.tag(Tag::new(1, WireType::Len));
    set.len_prefixed(file);
    let inner = set.open(Tag::new(4, WireType::Len));
    set.tag(Tag::new(1, WireType::Len));
    set.len_prefixed(message);
    set.close(inner);
    set.close(outer);
    set.finish().unwrap()
}

#[test]
fn hostile_names_write_nothing() {
    let out = scratch("hostile");
    let below = out.join("below");
    fs::create_dir(&below).unwrap();
    for (file, message) in [
        (&b"../x.proto"[..], &b"M"[..]),
        (b"/x.proto", b"M"),
        (b"a/../../x.proto", b"M"),
        (b"..\\x.proto", b"M"),
        (b"x\0.proto", b"M"),
        (b"x\n.proto", b"M"),
        (b"", b"M"),
        (b"x.proto", b"M\0"),
        (b"x.proto", b"../M"),
        (b"x.proto", b"M {} fn main"),
        (b"x.proto", b""),
        (b"x.proto", b"1M"),
    ] {
        let error = config(&below).compile_descriptor_set_bytes(&set(file, message)).unwrap_err();
        assert!(!error.to_string().contains(['\0', '\n']), "{error:?}");
        assert_eq!(fs::read_dir(&below).unwrap().count(), 0, "{error}");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "{error}");
    }
    for name in ["../x.rs", "/x.rs", "a/x.rs", "..", "", "x\0.rs", "a\\x.rs"] {
        let error =
            config(&below).out_file(name).compile_descriptor_set_bytes(&set(b"x.proto", b"M")).unwrap_err();
        assert!(error.to_string().contains("it must be a file name without a directory"), "{error}");
    }
    config(&below).compile_descriptor_set_bytes(&set(b"x.proto", b"M")).unwrap();
}

#[test]
fn errors_name_the_file_and_the_line() {
    let out = scratch("errors");
    let compile = |name: &str, source: &str| {
        fs::write(out.join(name), source).unwrap();
        config(&out).compile(&[out.join(name)], &[&out]).unwrap_err()
    };
    let error = compile("a.proto", "syntax = \"proto3\";\nmessage {}\n");
    assert_eq!((error.file(), &error.to_string()[..13]), (Some("a.proto"), "a.proto:2:9: "));
    let error = compile("b.proto", "syntax = \"proto3\";\nimport \"none.proto\";\n");
    assert_eq!(error.to_string(), "b.proto:2:1: import 'none.proto' not found");
    let error = config(&out).compile(&["none.proto"], &[&out]).unwrap_err();
    assert_eq!(error.to_string(), "none.proto: the file is in no include directory");
    let error = config(&out).protoc(out.join("none")).compile(&["a.proto"], &[&out]).unwrap_err();
    assert!(error.to_string().contains("is PROTOC the path of the protoc program?"), "{error}");
    let pool = tobu::Pool::new();
    let error = Config::new().generate(&pool, ["x.proto"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x.proto: no file of this name in the descriptors; are its imports included?"
    );
}

#[test]
fn editions() {
    check_editions(&["editions"]);
}

#[test]
fn later_editions() {
    check_editions(&["edition_2024", "b"]);
    check_editions(&["edition_2026"]);
}

/// Compiles files and compares with the golden file of the first.
#[track_caller]
fn check_editions(names: &[&str]) {
    let out = scratch(names[0]);
    let files: Vec<_> = names.iter().map(|name| golden().join(format!("{name}.proto"))).collect();
    config(&out).compile(&files, &[golden()]).unwrap();
    let actual = fs::read_to_string(out.join("tobu.rs")).unwrap();
    let path = golden().join(format!("{}.rs", names[0]));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    assert!(actual == fs::read_to_string(path).unwrap(), "not as in golden/{}.rs", names[0]);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
}

#[test]
fn warnings_are_those_of_cargo() {
    let out = scratch("warnings");
    fs::write(out.join("a.proto"), "syntax = \"proto3\";\nimport \"google/protobuf/any.proto\";\n").unwrap();
    let run = |out_dir: Option<&Path>| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "compiles_with_a_warning", "--include-ignored", "--nocapture"])
            .env("WARNINGS", &out);
        match out_dir {
            Some(path) => command.env("OUT_DIR", path),
            None => command.env_remove("OUT_DIR"),
        };
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let warning = "a.proto:2:1: warning: import \"google/protobuf/any.proto\" is not used\n";
    let unused = "the setting `boxed` is for \".a.B\", but the schema has no such field of messages\n";
    let [stdout, _] = run(Some(&out));
    assert!(stdout.contains(&format!("cargo::warning={warning}")), "{stdout}");
    assert!(stdout.contains(&format!("cargo::warning={unused}")), "{stdout}");
    let [stdout, stderr] = run(None);
    assert!(!stdout.contains("cargo::"), "{stdout}");
    assert!(stderr.contains(&format!("{warning}import \"google/protobuf/any.proto\";\n^\n")), "{stderr}");
    assert!(stderr.contains(&format!("warning: {unused}")), "{stderr}");
}

#[test]
#[ignore = "what it prints is looked at by the test above"]
fn compiles_with_a_warning() {
    let out = PathBuf::from(std::env::var_os("WARNINGS").unwrap());
    config(&out).boxed(".a.B").compile(&["a.proto"], &[&out]).unwrap();
}

/// Every word that the plugin takes is in the list that `--help` prints, and every word of the list is taken.
#[test]
fn the_list_of_settings_is_whole() {
    let source = include_str!("../src/plugin.rs");
    let taken: Vec<&str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" => "))
        .filter(|(_, what)| what.starts_with("config.") || what.starts_with('{'))
        .map(|(word, _)| word)
        .collect();
    assert!(taken.len() > 40, "{taken:?}");
    for word in &taken {
        let listed = [format!("`{word}="), format!("`{word}@"), format!("`{word}`")];
        assert!(listed.iter().any(|text| tobu_build::SETTINGS.contains(text)), "{word}");
    }
    let guide = include_str!("../../guide/src/three-ways.md");
    assert!(guide.contains(tobu_build::SETTINGS), "the guide has another list");
    let parts = tobu_build::SETTINGS.split('`').skip(1).step_by(2);
    for part in parts.filter(|part| part.contains(['=', '@', '_'])) {
        let word = part.split(['=', '@']).next().unwrap();
        assert!(taken.contains(&word), "{part}");
    }
}

#[test]
fn the_plugin_helps() {
    let run = |argument: &str| {
        let program =
            std::process::Command::new(env!("CARGO_BIN_EXE_protoc-gen-tobu")).arg(argument).output();
        let output = program.unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap(), output.stderr)
    };
    let (done, help, _) = run("--help");
    assert!(done && help.contains("Usage: protoc") && help.ends_with(tobu_build::SETTINGS));
    assert_eq!(run("--version").1, format!("protoc-gen-tobu {}\n", env!("CARGO_PKG_VERSION")));
    let (done, _, error) = run("--hlep");
    assert!(!done && String::from_utf8(error).unwrap().contains("there is no argument \\\"--hlep\\\""));
}
