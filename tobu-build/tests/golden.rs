//! Generated code, byte for byte. `UPDATE_GOLDEN=1 cargo test -p tobu-build --test golden` writes the files anew.

use std::fs;
use std::path::{Path, PathBuf};

use tobu_build::{BytesType, Config, MapType, StringType, Views};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Compiles `proto` and compares with `name.rs`.
#[track_caller]
fn check(name: &str, proto: &str, config: &mut Config) {
    let out = scratch("golden");
    let file = format!("{name}.rs");
    config.out_dir(&out).out_file(&file).rerun_if_changed(false);
    config.compile(&[directory().join(proto)], &[directory()]).unwrap();
    compare(&file, &fs::read_to_string(out.join(&file)).unwrap());
}

#[track_caller]
fn compare(file: &str, actual: &str) {
    let path = directory().join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected != actual {
        let line =
            expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
        panic!(
            "{file}: line {} differs:\n- {}\n+ {}\nUPDATE_GOLDEN=1 writes it anew",
            line + 1,
            expected.lines().nth(line).unwrap_or("(end)"),
            actual.lines().nth(line).unwrap_or("(end)"),
        );
    }
}

#[test]
fn library() {
    check("library", "library.proto", &mut Config::new());
}

#[test]
fn proto2() {
    check("proto2", "proto2.proto", &mut Config::new());
}

#[test]
fn extensions() {
    check("extensions", "extensions.proto", Config::new().getters(false));
}

#[test]
fn recursive() {
    check("recursive", "recursive.proto", &mut Config::new());
}

#[test]
fn names() {
    check("names", "names.proto", Config::new().views(Views::Both));
}

#[test]
fn a_file_per_package() {
    let out = scratch("packages");
    let mut config = Config::new();
    config.out_dir(&out).file_per_package(true).rerun_if_changed(false).getters(false);
    config.compile(&[directory().join("names.proto")], &[directory()]).unwrap();
    let mut written: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    written.sort();
    assert_eq!(written, ["names.type.self.nested.rs", "names.type.self.rs", "tobu.rs"]);
    compare("names_modules.rs", &fs::read_to_string(out.join("tobu.rs")).unwrap());

    let error =
        config.out_file("names.type.self.rs").compile(&[directory().join("names.proto")], &[directory()]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the output file \"names.type.self.rs\" is not valid: it is that of a package, since each has one"
    );
}

#[test]
fn comments() {
    check("comments", "comments.proto", &mut Config::new());
}

#[test]
fn options() {
    let mut config = Config::new();
    config
        .bytes_type(".options.v1.Blob.shared", BytesType::Bytes)
        .bytes_type("shared_optional", BytesType::Bytes)
        .bytes_type(".options.v1.Blob.bytes", BytesType::Custom("::std::boxed::Box<[u8]>".to_owned()))
        .string_type("boxed_text", StringType::BoxStr)
        .string_type("Blob.boxed_optional", StringType::BoxStr)
        .string_type(".options.v1.Blob.string", StringType::Custom("::std::string::String".to_owned()))
        .map_type(".options", MapType::BTreeMap)
        .map_type(".options.v1.Blob.hash", MapType::HashMap)
        .boxed(".options.v1.Blob.small")
        .boxed(".options.v1.Blob.chosen")
        .type_attribute(".options.v1", "#[doc = \" Added to all.\"]")
        .message_attribute("Small", "#[derive(::core::marker::Copy)] #[non_exhaustive]")
        .enum_attribute(".", "#[doc = \" Added to enums.\"]")
        .oneof_attribute("choice", "#[doc = \" Added to oneofs.\"]")
        .field_attribute("Small.value", "#[doc = \" Added to a field.\"]")
        .field_attribute("Blob.choice", "#[doc = \" Added to a oneof's member.\"]")
        .extern_path(".external.v1", "crate::external::external::v1")
        .strip_enum_prefix(false)
        .unknown_fields(false)
        .keep_source_info(true)
        .skip_debug("Blob.choice")
        .skip_debug(".options.v1.Blob")
        .skip_partial_eq(".options.v1.Blob");
    check("options", "options.proto", &mut config);
}

#[test]
fn external() {
    check("external", "external.proto", &mut Config::new());
}

#[test]
fn serde_derives() {
    check("serde_derives", "library.proto", Config::new().serde_derives(true).getters(false).comments(false));
}

#[test]
fn views_next_to_owned_types() {
    check("views", "views.proto", Config::new().views(Views::Both));
}

#[test]
fn views_instead_of_owned_types() {
    check("views_only", "views.proto", Config::new().views(Views::Only));
}

#[test]
fn well_known_types_of_ones_own() {
    check("well_known", "library.proto", Config::new().well_known_types(false).getters(false));
}

#[test]
fn services() {
    check("services", "services.proto", Config::new().client(true).server(true).getters(false));
}

#[test]
fn a_service_alone() {
    let mut config = Config::new();
    config.server(true).comments(false).tonic_path("::grpc").extern_path(".library.v1.Shelf", "crate::Shelf");
    check("services_only", "library.proto", config.extern_path(".library.v1.Address", "crate::Address"));
}

/// What `tobu-tonic` is built with; the test is here, because that crate does not build when the file is wrong.
#[test]
fn the_reflection_service() {
    let tonic = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tobu-tonic");
    let out = scratch("golden");
    let mut config = Config::new();
    config.client(true).server(true).getters(false);
    config.out_dir(&out).out_file("reflection.rs").rerun_if_changed(false);
    // The two versions have the same messages: one set of types does for both.
    let messages = [
        "ServerReflectionRequest",
        "ExtensionRequest",
        "ServerReflectionResponse",
        "FileDescriptorResponse",
        "ExtensionNumberResponse",
        "ListServiceResponse",
        "ServiceResponse",
        "ErrorResponse",
    ];
    for name in messages {
        let path = format!("crate::reflection::v1::{name}");
        config.extern_path(format!(".grpc.reflection.v1alpha.{name}"), path);
    }
    let files = ["v1", "v1alpha"].map(|version| format!("grpc/reflection/{version}/reflection.proto"));
    config.compile(&files.map(|file| tonic.join("proto").join(file)), &[tonic.join("proto")]).unwrap();
    let made = fs::read_to_string(out.join("reflection.rs")).unwrap();
    compare("../../../tobu-tonic/src/reflection/generated.rs", &made);
}

#[test]
fn services_need_owned_types() {
    let error = Config::new()
        .out_dir(scratch("golden"))
        .rerun_if_changed(false)
        .client(true)
        .views(Views::Only)
        .compile(&[directory().join("library.proto")], &[directory()])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "library.v1.Library: a service takes and gives types that own their contents, and `Views::Only` has none"
    );
}
