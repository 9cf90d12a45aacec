//! Generated code, byte for byte. `UPDATE_GOLDEN=1 cargo test -p tobu-build --test golden` writes the files anew.

use std::fs;
use std::path::{Path, PathBuf};

use tobu::types::files;
use tobu_build::{Api, BytesType, Config, EnumType, MapType, MessagePath, StringType, Views};
use tobu_schema::descriptor::ServiceDescriptor;

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
fn accessors() {
    check("accessors", "library.proto", Config::new().accessors(true));
}

#[test]
fn opaque() {
    check("opaque", "library.proto", Config::new().api(Api::Opaque).views(Views::Both));
}

#[test]
fn parsed() {
    check("parsed", "library.proto", Config::new().parsed(".library").comments(false));
    check("parsed_proto2", "proto2.proto", Config::new().parsed(["Defaults", "Defaults.Pair"]));
}

/// As the options of the schema say it, but for what the settings say of a path.
#[test]
fn api() {
    check("api", "api.proto", Config::new().api(Api::Hybrid).skip_debug(".api.v1.RecordBuilder"));
}

#[test]
fn serde_does_not_derive_opaque_messages() {
    let out = scratch("opaque_serde");
    let mut config = Config::new();
    config.api_of("Book", Api::Opaque).serde_derives(true).out_dir(&out).rerun_if_changed(false);
    let error = config.compile(&[directory().join("library.proto")], &[directory()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "library.v1.Book: an opaque message has presence bits, which serde's own derives do not know: \
         `serde_derives` is for the other APIs"
    );
}

#[test]
fn traits() {
    check(
        "traits",
        "traits.proto",
        Config::new()
            .derive_ord(true)
            .derive_copy(true)
            .unknown_fields(false)
            .getters(false)
            .map_type("tree", MapType::BTreeMap)
            .skip_partial_eq("Unequal"),
    );
}

#[test]
fn rust_enums() {
    check(
        "rust_enums",
        "rust_enums.proto",
        Config::new().enum_type(".", EnumType::Rust).enum_type("Old", EnumType::Newtype),
    );
}

#[test]
fn enum_numbers() {
    check("enum_numbers", "enum_numbers.proto", Config::new().enum_type(".", EnumType::I32));
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
        "the output file \"names.type.self.rs\" is not valid: a package has an output file of this name, because each package has its own file"
    );

    // What was there stays, and nothing else is left.
    fs::write(out.join("names.type.self.rs"), "before").unwrap();
    let error = config
        .out_file("tobu.rs")
        .field_attribute(".names.type.self.nested", "#[")
        .compile(&[directory().join("names.proto")], &[directory()]);
    assert!(error.is_err());
    assert_eq!(fs::read_to_string(out.join("names.type.self.rs")).unwrap(), "before");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);
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
fn types_of_ones_own() {
    let mut config = Config::new();
    // Numbers below the path have no use for it.
    config.with(".with.v1.Span", "crate::Id", "crate::Id").views(Views::Both).accessors(true);
    config.with(".with.v1.Span.digest", "::std::vec::Vec<u8>", "::tobu::member::Hex");
    for path in [".with.v1.Span.of.word", ".with.v1.Span.word", ".with.v1.Span.digest_name"] {
        config.with(path, "crate::Word", "crate::AsWord");
    }
    config.with(".google.protobuf.Timestamp", "::std::time::SystemTime", "crate::AsTimestamp");
    config.with("Job.waits", "::std::time::Duration", "crate::AsDuration");
    config.with(".with.v1.Job.by_name", "::std::time::Duration", "crate::AsDuration");
    config.with_whole(".with.v1.Job.timeout", "::std::time::Duration", "crate::AsDuration");
    for path in [".with.v1.Job.port", ".with.v1.Job.other_port", "ports", ".with.v1.Job.by"] {
        config.with(path, "u16", "crate::AsPort");
    }
    config.with_whole(".with.v1.Job.numbers", "::std::boxed::Box<[i32]>", "crate::Boxed");
    config.with(".with.v1.Job.price", "crate::Cents", "crate::Cents");
    check("with", "with.proto", config.derive_eq_hash(true));
}

#[test]
fn prost() {
    let mut config = Config::new();
    config.prost_messages(".bridge.v1.Reply").prost_type(".bridge.v1.Header", "crate::ProstHeader");
    config.json_ignore_unknown(".bridge.v1.Reply.Pair");
    check("prost", "prost.proto", config.accessors(true));
}

#[test]
fn names_of_prost_build() {
    let pool = tobu_build::load(
        &["options.proto", "services.proto"].map(|name| directory().join(name)),
        &[directory()],
    );
    let generate = |config: &Config| {
        config.generate(pool.as_ref().unwrap(), ["options.proto", "services.proto"]).unwrap()
    };
    let mut own = Config::new();
    own.client(true).server(true).well_known_types(false).strip_enum_prefix(false);
    own.map_type("tree", MapType::BTreeMap).map_type("hash", MapType::BTreeMap);
    own.bytes_type("shared", BytesType::Bytes).skip_debug("Blob").skip_debug("Small");
    own.file_per_package(true).out_file("all.rs");
    let mut others = Config::new();
    others.build_client(true).build_server(true).compile_well_known_types(true).retain_enum_prefix();
    others
        .btree_map(["tree", "hash"])
        .bytes("shared")
        .skip_debug(vec!["Blob", "Small"])
        .include_file("all.rs");
    let files = generate(&own);
    assert!(files == generate(&others));
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["all.rs", "external.v1.rs", "google.protobuf.rs", "options.v1.rs", "services.v1.rs"]
    );
    assert_ne!(files["options.v1.rs"], generate(Config::new().file_per_package(true))["options.v1.rs"]);
}

/// Of what the paths name no comment is left, and nothing else is gone.
#[test]
fn comments_by_path() {
    let pool = tobu_build::load(&[directory().join("services.proto")], &[directory()]).unwrap();
    let generate = |config: &mut Config| {
        config.client(true).generate(&pool, ["services.proto"]).unwrap().remove("tobu.rs")
    };
    let (all, some) = (
        generate(&mut Config::new()).unwrap(),
        generate(Config::new().disable_comments([".services.v1.Desk", "DeskClient"])).unwrap(),
    );
    let comments = |code: &str| -> Vec<String> {
        let lines = code.lines().map(str::trim).filter(|line| line.starts_with("/// "));
        lines.map(str::to_owned).collect()
    };
    let rest = comments(&some);
    let gone: Vec<_> = comments(&all).into_iter().filter(|line| !rest.contains(line)).collect();
    assert_eq!(
        gone,
        [
            "/// Its module would be called like that of a client.",
            "/// Lends and takes back.",
            "/// Open \\[9, 17).",
            "/// Lends one thing.",
            "/// Until May.",
            "/// Takes things back.",
        ]
    );
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
fn imports_that_nothing_uses() {
    check("imports", "imports.proto", Config::new().all_imports(true));
    let pool = tobu_build::load(&[directory().join("imports.proto")], &[directory()]).unwrap();
    let code = Config::new().generate(&pool, ["imports.proto"]).unwrap().remove("tobu.rs").unwrap();
    let has = |text: &str| code.contains(text);
    assert_eq!(
        ["struct Top", "static COLOR", "struct Color", "struct Far", "static FILE_IMPORTS_FAR"].map(has),
        [true, false, false, false, true]
    );
}

#[test]
fn a_service_alone() {
    let mut config = Config::new();
    config.server(true).comments(false).tonic_path("::grpc").extern_path(".library.v1.Shelf", "crate::Shelf");
    check("services_only", "library.proto", config.extern_path(".library.v1.Address", "crate::Address"));
}

#[test]
fn default_stubs_and_attributes_of_services() {
    let mut config = Config::new();
    config
        .client(true)
        .server(true)
        .generate_default_stubs(true)
        .client_mod_attribute("stubs.v1", "#[doc = \" Added to modules of clients.\"]")
        .client_attribute("Desk", "#[doc = \" Added to a client.\"]")
        .server_mod_attribute(".stubs", "#[doc = \" Added to modules of servers.\"]")
        .server_mod_attribute(".stubs.v1.Desk", "#[doc = \" Added to the module of one.\"]")
        .server_attribute("v1.Desk", "#[doc = \" Added to a server.\"]")
        .trait_attribute(".stubs.v1.Desk", "#[doc = \" Added to a trait.\"]");
    check("stubs", "stubs.proto", &mut config);
}

#[test]
fn requests_of_a_pool() {
    let mut config = Config::new();
    config.server(true).getters(false).pool_requests(["Desk.Lend", "Desk.Talk"]);
    check("pooled", "stubs.proto", &mut config);
}

#[test]
fn parsed_requests_and_answers() {
    let mut config = Config::new();
    // One is parsed although it is named for a pool, too.
    config
        .client(true)
        .server(true)
        .getters(false)
        .pool_requests(".")
        .parsed_requests(["Desk.Lend", "Desk.Talk"]);
    config.parsed_answers("stubs.v1.Desk");
    check("parsed_calls", "stubs.proto", &mut config);
}

#[test]
fn an_attribute_that_does_not_parse() {
    let mut config = Config::new();
    config.out_dir(scratch("golden")).rerun_if_changed(false).server(true);
    let error = config
        .trait_attribute("Desk", "no")
        .compile(&[directory().join("stubs.proto")], &[directory()])
        .unwrap_err();
    assert!(error.to_string().starts_with("the attribute \"no\" is not valid: "), "{error}");
}

/// The types of `tobu::types` behind the feature `descriptor-types`.
#[test]
fn the_types_of_descriptors() {
    let mut pool = tobu::Pool::new();
    for file in
        [&files::DESCRIPTOR, &files::PLUGIN, &files::ANY, &files::SOURCE_CONTEXT, &files::TYPE, &files::API]
    {
        pool.add_file(file.descriptor().encoded()).unwrap();
    }
    let check = |name: &str, package: &str, protos: &[&str], external: &[&str]| {
        let mut config = Config::new();
        config.runtime_path("crate").file_per_package(true);
        for name in external {
            config
                .extern_path(format!(".google.protobuf.{name}"), format!("crate::types::descriptor::{name}"));
        }
        let protos = protos.iter().map(|proto| format!("google/protobuf/{proto}.proto"));
        let files = config.generate(&pool, protos).unwrap();
        compare(&format!("../../../src/types/{name}.rs"), &files[&format!("{package}.rs")]);
    };
    check("descriptor", "google.protobuf", &["descriptor"], &[]);
    let external = ["FileDescriptorProto", "GeneratedCodeInfo"];
    check("plugin", "google.protobuf.compiler", &["compiler/plugin"], &external);
    check("api", "google.protobuf", &["api", "source_context", "type"], &[]);
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

/// The health service of `tobu-tonic`, which does not build either when its file is wrong.
#[test]
fn the_health_service() {
    let proto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tobu-tonic/proto");
    let out = scratch("golden");
    let mut config = Config::new();
    config.client(true).server(true).getters(false);
    // The names of the statuses are those of the specification.
    config.strip_enum_prefix(false);
    config.out_dir(&out).out_file("health.rs").rerun_if_changed(false);
    config.compile(&[proto.join("grpc/health/v1/health.proto")], &[proto]).unwrap();
    compare(
        "../../../tobu-tonic/src/health/generated.rs",
        &fs::read_to_string(out.join("health.rs")).unwrap(),
    );
}

/// What the feature `rpc` of `tobu` is built with; the test is here, because that crate has no compiler of schemas.
#[test]
fn the_types_of_google_rpc() {
    let rpc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/rpc");
    let out = scratch("golden");
    let mut config = Config::new();
    config.out_dir(&out).out_file("rpc.rs").rerun_if_changed(false);
    // Equal messages have equal bytes.
    config.map_type(".", MapType::BTreeMap).derive_eq_hash(true);
    let files = ["code", "error_details", "status"].map(|name| format!("google/rpc/{name}.proto"));
    config.compile(&files.map(|file| rpc.join("proto").join(file)), &[rpc.join("proto")]).unwrap();
    compare("../../../src/rpc/generated.rs", &fs::read_to_string(out.join("rpc.rs")).unwrap());
}

#[test]
fn oneofs_convert_unless_a_setting_says_no() {
    let out = scratch("conversions");
    for yes in [true, false] {
        let mut config = Config::new();
        config.accessors(true).oneof_conversions(yes).out_dir(&out).rerun_if_changed(false);
        config.compile(&[directory().join("traits.proto")], &[directory()]).unwrap();
        let code = fs::read_to_string(out.join("tobu.rs")).unwrap();
        assert_eq!(code.contains("impl ::core::convert::From<bool> for Kind"), yes, "{code}");
    }
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
        "library.v1.Library: a service takes and returns types that own their contents, but `Views::Only` generates no such types"
    );
}

/// Code of a generator is in the module of the service's package, from which the paths of messages lead; its errors end the build.
#[test]
fn services_of_generators_of_ones_own() {
    let source = "syntax = \"proto3\"; package a.b; import \"far.proto\"; message M {}
        service S { rpc Get(M) returns (far.F); } service None {}";
    let far = "syntax = \"proto3\"; package far; message F {}";
    let pool = tobu_build::load_sources(&[("s.proto", source), ("far.proto", far)]).unwrap();
    let calls = |service: &ServiceDescriptor, types: &MessagePath<'_>| {
        if service.methods().len() == 0 {
            return Err(tobu_build::Error::custom(format!("{} does nothing", service.full_name())));
        }
        let method = service.methods().next().unwrap();
        let (input, output) = (types.of(&method.input())?, types.of(&method.output())?);
        Ok(quote::quote!(pub type Get = fn(#input) -> #output;))
    };
    let error = Config::new().service_generator(calls).generate(&pool, ["s.proto", "far.proto"]).unwrap_err();
    assert_eq!(error.to_string(), "a.b.None does nothing");

    let calls = move |service: &ServiceDescriptor, types: &MessagePath<'_>| match service.name() {
        "S" => calls(service, types),
        _ => Ok(tobu_build::TokenStream::new()),
    };
    let files = Config::new().service_generator(calls).generate(&pool, ["s.proto", "far.proto"]).unwrap();
    let code = &files["tobu.rs"];
    assert!(code.contains("        pub type Get = fn(M) -> super::super::far::F;\n"), "{code}");
}
