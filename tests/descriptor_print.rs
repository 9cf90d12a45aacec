//! Printed `.proto` source compiles again, to the same descriptor.

use std::path::Path;

use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tobu::Pool;
use tobu::wire::{Tag, WireType};

#[test]
fn what_is_printed_compiles_to_the_same_descriptor() {
    for name in ["legacy.proto", "modern.proto", "plain.proto"] {
        let file = compile(name, read).file(name).unwrap();
        let text = file.to_proto_text().unwrap();
        let printed = text.clone();
        let again =
            compile(name, move |wanted| if wanted == name { Some(printed.clone()) } else { read(wanted) });
        let again = again.file(name).unwrap();
        assert_eq!(without_source(file.encoded()), without_source(again.encoded()), "{name}:\n{text}");
        assert_eq!(text, again.to_proto_text().unwrap(), "printing is stable");
    }
}

#[test]
fn comments_are_printed() {
    let pool = compile("legacy.proto", read);
    let text = pool.file("legacy.proto").unwrap().to_proto_text().unwrap();
    for part in [
        "// The licence stands here.\n\n// What the file is about.\nsyntax = \"proto2\";\n",
        "// A detached comment.\n\n// How a field is checked.\nmessage Rule {\n",
        "message Everything {\n  // After the brace.\n\n",
        "  // Leading.\n  optional string text = 4 [",
        "\"];  // Trailing.\n",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
}

#[test]
fn a_short_file_is_printed_as_people_write_it() {
    let pool = compile("plain.proto", read);
    let text = pool.file("plain.proto").unwrap().to_proto_text().unwrap();
    assert_eq!(
        text,
        "syntax = \"proto3\";\n\
         \n\
         message Plain {\n\
         \x20 Plain.Inner inner = 1;\n\
         \n\
         \x20 message Inner {\n\
         \x20   Plain plain = 1;\n\
         \x20   Other other = 2;\n\
         \x20 }\n\
         }\n\
         \n\
         message Other {}\n"
    );
}

#[test]
fn nothing_escapes_from_a_comment_or_a_literal() {
    // A file with a comment, a package option and a JSON name that try to break out.
    let mut location = Vec::new();
    put(&mut location, 1, &[4, 0]);
    put(&mut location, 3, b" one */ enum E {}\n two\r enum F {}\x00\x0b\n");
    let mut info = Vec::new();
    put(&mut info, 1, &location);
    let mut field = Vec::new();
    put(&mut field, 1, b"f");
    field.extend([0x18, 1, 0x20, 1, 0x28, 9]);
    put(&mut field, 10, b"a\"];\n} message X {");
    let mut message = Vec::new();
    put(&mut message, 1, b"M");
    put(&mut message, 2, &field);
    let mut options = Vec::new();
    put(&mut options, 11, b"go\";\nmessage Y {}\n//");
    let mut file = Vec::new();
    put(&mut file, 1, b"hostile.proto");
    put(&mut file, 4, &message);
    put(&mut file, 8, &options);
    put(&mut file, 9, &info);
    put(&mut file, 12, b"proto3");

    let text = Pool::new().add_file(&file).unwrap().to_proto_text().unwrap();
    let again = compile("hostile.proto", move |name| (name == "hostile.proto").then(|| text.clone()));
    assert_eq!(again.messages().map(|message| message.full_name().to_owned()).collect::<Vec<_>>(), ["M"]);
    assert_eq!(again.enums().count(), 0);
    assert_eq!(again.message("M").unwrap().field(0).unwrap().json_name(), "a\"];\n} message X {");
}

#[test]
fn empty_options_of_methods_are_kept() {
    let mut service = b"\x0a\x01S".to_vec();
    for (name, options) in [(b"A", &b""[..]), (b"B", b"\x22\x00")] {
        let mut method = Vec::new();
        put(&mut method, 1, name);
        put(&mut method, 2, b".M");
        put(&mut method, 3, b".M");
        method.extend_from_slice(options);
        put(&mut service, 2, &method);
    }
    let mut file = b"\x0a\x07a.proto\x22\x03\x0a\x01M".to_vec();
    put(&mut file, 6, &service);
    assert_eq!(
        Pool::new().add_file(&file).unwrap().to_proto_text().unwrap(),
        "syntax = \"proto2\";\n\nmessage M {}\n\n\
         service S {\n  rpc A(M) returns (M);\n  rpc B(M) returns (M) {}\n}\n"
    );
}

/// Descriptors may have the fields of a oneof anywhere; source has them together.
#[test]
fn a_oneof_is_printed_once() {
    let mut message = b"\x0a\x01M".to_vec();
    for (name, number, oneof) in [(b"a", 1, &b"\x48\x00"[..]), (b"b", 2, b""), (b"c", 3, b"\x48\x00")] {
        let mut field = vec![0x18, number, 0x20, 1, 0x28, 5];
        put(&mut field, 1, name);
        field.extend_from_slice(oneof);
        put(&mut message, 2, &field);
    }
    put(&mut message, 8, b"\x0a\x01o");
    let mut file = b"\x0a\x07a.proto".to_vec();
    put(&mut file, 4, &message);
    assert_eq!(
        Pool::new().add_file(&file).unwrap().to_proto_text().unwrap(),
        "syntax = \"proto2\";\n\nmessage M {\n  oneof o {\n    int32 a = 1;\n    int32 c = 3;\n  }\n  \
         optional int32 b = 2;\n}\n"
    );
}

/// Of an option that comes twice the last one counts, or both are one message; source has it once.
#[test]
fn options_are_printed_once() {
    let mut rules = tobu::wire::Writer::new();
    let mut rule = |number, value: &[u8]| {
        rules.tag(Tag::new(number, WireType::Len));
        rules.len_prefixed(value);
    };
    // ok: true, and then ok: false size: 5 with a next one in two pieces.
    rule(50001, b"\x08\x01\x1a\x02\x08\x01");
    rule(50001, b"\x08\x00\x10\x05\x1a\x02\x10\x07");
    rule(50002, b"x");
    rule(50002, b"y");
    // Targets in a packed list: a field and a message.
    rule(19, b"\x04\x03");
    // Defaults of editions, the first with a field that nobody knows, the second with an edition that nobody knows.
    rule(20, b"\x28\x02\x12\x01x");
    rule(20, b"\x18\xcf\x0f");
    // deprecated: true, false and true.
    rules.raw(b"\x18\x01\x18\x00\x18\x01");
    let mut field = b"\x0a\x01f\x18\x01\x20\x01\x28\x05".to_vec();
    put(&mut field, 8, &rules.finish().unwrap());
    let mut message = b"\x0a\x01M".to_vec();
    put(&mut message, 2, &field);
    let mut options = Vec::new();
    put(&mut options, 1, b"first");
    put(&mut options, 1, b"second");
    let mut file = b"\x0a\x07a.proto".to_vec();
    put(&mut file, 3, b"legacy.proto");
    put(&mut file, 4, &message);
    put(&mut file, 8, &options);
    let mut pool = compile("legacy.proto", read);
    assert_eq!(
        pool.add_file(&file).unwrap().to_proto_text().unwrap(),
        "syntax = \"proto2\";\n\nimport \"legacy.proto\";\n\noption java_package = \"second\";\n\n\
         message M {\n  optional int32 f = 1 [(print.legacy.rule) = { ok: false size: 5 next { ok: true size: 7 } }, \
         (print.legacy.tag) = \"x\", (print.legacy.tag) = \"y\", \
         targets = TARGET_TYPE_FIELD, targets = TARGET_TYPE_MESSAGE, edition_defaults = { value: \"x\" }, \
         edition_defaults = { }, deprecated = true];\n}\n"
    );
}

#[test]
fn a_long_chain_of_imports_is_printed_file_by_file_in_linear_time() {
    const FILES: usize = 10_000;
    let mut set = Vec::new();
    for i in 0..FILES {
        let mut file = Vec::new();
        put(&mut file, 1, format!("{i}.proto").as_bytes());
        put(&mut file, 2, b"p.q");
        if i > 0 {
            put(&mut file, 3, format!("{}.proto", i - 1).as_bytes());
        }
        let mut field = b"\x0a\x01f\x18\x01\x20\x01\x28\x0b".to_vec();
        put(&mut field, 6, format!(".p.q.M{}", i.saturating_sub(1)).as_bytes());
        let mut message = Vec::new();
        put(&mut message, 1, format!("M{i}").as_bytes());
        put(&mut message, 2, &field);
        put(&mut file, 4, &message);
        // An option that no file declares.
        put(&mut file, 8, &[0xc0, 0xbb, 0x05, 1]);
        put(&mut set, 1, &file);
    }
    let pool = Pool::from_descriptor_set(&set).unwrap();
    let started = std::time::Instant::now();
    let last = pool.files().map(|file| file.to_proto_text().unwrap()).last().unwrap();
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    assert_eq!(
        last,
        "syntax = \"proto2\";\n\npackage p.q;\n\nimport \"9998.proto\";\n\n\
         // Option 11192 is left out: nothing imported declares it.\n\n\
         message M9999 {\n  optional p.q.M9998 f = 1;\n}\n"
    );
}

#[test]
fn an_option_that_an_import_of_an_import_declares_is_printed() {
    let mut extension = b"\x0a\x03own\x18\xf8\x55\x20\x01\x28\x08".to_vec();
    put(&mut extension, 2, b".google.protobuf.FileOptions");
    let mut options = Vec::new();
    put(&mut options, 1, b"FileOptions");
    put(&mut options, 5, b"\x08\xe8\x07\x10\xa0\x8d\x06");
    let mut descriptor = Vec::new();
    put(&mut descriptor, 1, b"google/protobuf/descriptor.proto");
    put(&mut descriptor, 2, b"google.protobuf");
    put(&mut descriptor, 4, &options);
    let mut declares = Vec::new();
    put(&mut declares, 1, b"declares.proto");
    put(&mut declares, 3, b"google/protobuf/descriptor.proto");
    put(&mut declares, 7, &extension);
    let mut between = Vec::new();
    put(&mut between, 1, b"between.proto");
    put(&mut between, 3, b"declares.proto");
    let mut uses = Vec::new();
    put(&mut uses, 1, b"uses.proto");
    put(&mut uses, 3, b"between.proto");
    put(&mut uses, 8, &[0xc0, 0xaf, 0x05, 1]);
    let mut pool = Pool::new();
    for file in [descriptor, declares, between, uses] {
        pool.add_file(&file).unwrap();
    }
    let text = pool.file("uses.proto").unwrap().to_proto_text().unwrap();
    assert_eq!(text, "syntax = \"proto2\";\n\nimport \"between.proto\";\n\noption (own) = true;\n");
}

/// The FileDescriptorProto without fields 9, source info, which holds spans.
fn without_source(file: &[u8]) -> Vec<u8> {
    let mut reader = tobu::wire::Reader::new(file);
    let mut out = Vec::new();
    while !reader.is_empty() {
        let whole = reader.rest();
        let tag = reader.tag().unwrap();
        reader.skip(tag, 100).unwrap();
        if tag.number() != 9 {
            out.extend_from_slice(&whole[..whole.len() - reader.rest().len()]);
        }
    }
    out
}

fn read(name: &str) -> Option<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/descriptor_print");
    std::fs::read_to_string(dir.join(name)).ok()
}

fn compile(name: &str, sources: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Pool {
    struct Sources<F>(F);
    impl<F: Fn(&str) -> Option<String> + Send + Sync> FileResolver for Sources<F> {
        fn open_file(&self, name: &str) -> Result<File, protox::Error> {
            match (self.0)(name) {
                Some(text) => File::from_source(name, &text),
                None => Err(protox::Error::file_not_found(name)),
            }
        }
    }
    let mut resolver = ChainFileResolver::new();
    resolver.add(Sources(sources));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    compiler.open_file(name).unwrap_or_else(|error| panic!("{error:?}"));
    Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap()
}

fn put(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    out.extend([number << 3 | 2, bytes.len() as u8]);
    out.extend_from_slice(bytes);
}
