//! The program `protoc-gen-tobu`, called as buf calls plugins: one request on standard input for all files of a module, with
//! the options of `buf.gen.yaml` joined by commas, all imports, source info, and what else newer compilers send.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tobu::types::descriptor::{FileDescriptorProto, FileDescriptorSet};
use tobu::types::plugin::{CodeGeneratorRequest, CodeGeneratorResponse, Version};
use tobu_build::Config;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The files and their imports, imports first, with source info.
fn descriptors(name: &str, files: &[&str]) -> Vec<FileDescriptorProto> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("buf").join(name);
    fs::create_dir_all(&out).unwrap();
    let set = out.join("set");
    let mut config = Config::new();
    config.out_dir(&out).rerun_if_changed(false).descriptor_set_path(&set);
    config.compile(&files.iter().map(|file| golden().join(file)).collect::<Vec<_>>(), &[golden()]).unwrap();
    tobu::from_slice::<FileDescriptorSet>(&fs::read(set).unwrap()).unwrap().file
}

fn request(files: &[&str], parameter: &str, descriptors: Vec<FileDescriptorProto>) -> CodeGeneratorRequest {
    let is_asked_for =
        |file: &&FileDescriptorProto| file.name.as_deref().is_some_and(|name| files.contains(&name));
    CodeGeneratorRequest {
        file_to_generate: files.iter().map(|&file| file.to_owned()).collect(),
        parameter: (!parameter.is_empty()).then(|| parameter.to_owned()),
        source_file_descriptors: descriptors.iter().filter(is_asked_for).cloned().collect(),
        proto_file: descriptors,
        compiler_version: Some(Version {
            major: Some(5),
            minor: Some(29),
            patch: Some(3),
            suffix: Some(String::new()),
            ..Version::default()
        }),
        ..CodeGeneratorRequest::default()
    }
}

/// What the program answers.
fn call(request: &CodeGeneratorRequest) -> CodeGeneratorResponse {
    let mut plugin = Command::new(env!("CARGO_BIN_EXE_protoc-gen-tobu"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    plugin.stdin.take().unwrap().write_all(&tobu::to_vec(request).unwrap()).unwrap();
    let output = plugin.wait_with_output().unwrap();
    assert!(output.status.success());
    tobu::from_slice(&output.stdout).unwrap()
}

/// The names and contents of the files of an answer without an error.
fn files(response: CodeGeneratorResponse) -> Vec<(String, String)> {
    assert_eq!(response.error, None);
    // Proto3's optional and editions, from proto2 to 2026.
    assert_eq!(
        (response.supported_features, response.minimum_edition, response.maximum_edition),
        (Some(3), Some(998), Some(1002))
    );
    let files = response.file.into_iter();
    files.map(|file| (file.name.unwrap_or_default(), file.content.unwrap_or_default())).collect()
}

#[test]
fn a_module_is_one_request() {
    let names = ["services.proto", "services_root.proto"];
    let all = descriptors("module", &names);
    // `opt: [client=true, server=true, getters=false]`
    let files = files(call(&request(&names, "client=true,server=true,getters=false", all)));
    let expected = fs::read_to_string(golden().join("services.rs")).unwrap();
    assert_eq!((files.len(), files[0].0.as_str()), (1, "tobu.rs"));
    assert!(files[0].1 == expected, "not as in golden/services.rs");
}

#[test]
fn options_with_paths_and_a_file_per_package() {
    let all = descriptors("options", &["stubs.proto"]);
    let parameter = "file_per_package,out_file=mod.rs,server,generate_default_stubs,\
        server_mod_attribute@.stubs.v1.Desk=#[cfg(feature = \"server\")],\
        message_attribute@.stubs.v1=#[non_exhaustive],map_type@.stubs=btree_map";
    let written = files(call(&request(&["stubs.proto"], parameter, all)));
    let names: Vec<_> = written.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["stubs.v1.rs", "mod.rs"]);
    let code = &written[0].1;
    assert_eq!(code.matches("#[cfg(feature = \"server\")]\n").count(), 1);
    assert_eq!(code.matches("#[non_exhaustive]\n").count(), 1);
    assert!(code.contains("not_implemented(\"/stubs.v1.Desk/Lend\")"));
    assert!(!code.contains("DeskClient"));
}

/// Without options buf sends no parameter.
#[test]
fn no_options() {
    let all = descriptors("none", &["library.proto"]);
    let files = files(call(&request(&["library.proto"], "", all)));
    assert!(
        files[0].1 == fs::read_to_string(golden().join("library.rs")).unwrap(),
        "not as in golden/library.rs"
    );
}

/// buf shows the error of the answer.
#[test]
fn what_is_wrong_is_answered() {
    let all = descriptors("wrong", &["library.proto"]);
    let response = call(&request(&["library.proto"], "strategy=all", all));
    let error = "the setting \"strategy=all\" is not valid: there is no setting of this name";
    assert_eq!((response.error.as_deref(), response.file.len()), (Some(error), 0));
}

/// A file that comes before a mistake is in the answer, and so is the error, which is what counts.
#[test]
fn a_mistake_after_the_first_file() {
    let files = ["names.proto", "stubs.proto"];
    let all = descriptors("late", &files);
    // The last package is written after the others, and its Rust file is called like the one of all.
    let parameter = "file_per_package,out_file=stubs.v1.rs";
    let response = call(&request(&files, parameter, all));
    let error = "the output file \"stubs.v1.rs\" is not valid: a package has an output file of this name, because each package has its own file";
    assert_eq!(response.error.as_deref(), Some(error));
    let names: Vec<_> = response.file.iter().filter_map(|file| file.name.as_deref()).collect();
    assert_eq!(names, ["names.type.self.rs"]);
}

#[test]
fn an_answer_that_cannot_be_written() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let request = request(&["library.proto"], "", descriptors("closed", &["library.proto"]));
    let error = tobu_build::run_plugin_to(tobu::to_vec(&request).unwrap(), &mut Closed).unwrap_err();
    assert_eq!(error.to_string(), "the response to protoc could not be written: broken pipe");
}
