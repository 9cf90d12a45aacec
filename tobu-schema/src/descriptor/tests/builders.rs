//! Checks that the builders write the descriptors that a compiler generates from the same source, and that the linker
//! reports errors in them.

use crate::descriptor::raw::{FileDescriptorProto, split_set};
use crate::descriptor::{
    DefaultValue, Edition, EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder, MethodBuilder,
    ServiceBuilder, Type,
};
use protox::file::{File, FileResolver};

struct Source(&'static str);

impl FileResolver for Source {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        if name == "b.proto" {
            return File::from_source(name, "syntax = 'proto3'; package q; message Other {}");
        }
        File::from_source(name, self.0)
    }
}

/// Asserts that a file equals the compiled source of `a.proto`, except for source locations.
#[track_caller]
fn same(file: &FileBuilder, source: &'static str) {
    let mut compiler = protox::Compiler::with_file_resolver(Source(source));
    compiler.include_imports(true).open_file("a.proto").unwrap();
    let set = compiler.encode_file_descriptor_set();
    let compiled = split_set(&set).unwrap().pop().unwrap();
    let compiled =
        FileDescriptorProto { source_code_info: None, ..FileDescriptorProto::decode(compiled).unwrap() };
    let bytes = file.to_bytes();
    let built = FileDescriptorProto::decode(&bytes).unwrap();
    let (built_text, text) = (format!("{built:#?}"), format!("{compiled:#?}"));
    for (line, (built, compiled)) in built_text.lines().zip(text.lines()).enumerate() {
        assert_eq!(built, compiled, "line {line} of\n{built_text}");
    }
    assert_eq!(bytes, compiled.encode());
    let mut pool = crate::descriptor::Pool::from_descriptor_set(&set).unwrap();
    // It links, and equals the file in the pool byte for byte.
    assert_eq!(file.add_to(&mut pool).unwrap().name(), "a.proto");
}

#[test]
fn proto3_as_compiled() {
    let message = MessageBuilder::new("M")
        .field(FieldBuilder::new("plain_number", Type::Double))
        .field(FieldBuilder::new("maybe", Type::Bytes).optional().json_name("perhaps"))
        .field(FieldBuilder::new("_other", Type::SFixed64).optional())
        .field(FieldBuilder::new("list", Type::SInt32).repeated().packed(false).number(20))
        .oneof("choice", [FieldBuilder::new("a", Type::Bool), FieldBuilder::message("b", ".p.M.Inner")])
        .field(FieldBuilder::message("by_name", ".q.Other").keyed_by(Type::String))
        .field(FieldBuilder::enumeration("kinds", ".p.Kind").keyed_by(Type::Fixed32))
        .field(FieldBuilder::new("hidden", Type::String).debug_redact())
        .message(MessageBuilder::new("Inner").reserved(2..5).reserved_name("old"))
        .enumeration(EnumBuilder::new("E").value("ZERO", 0).value("NULL", 0).allow_alias());
    let service = ServiceBuilder::new("S")
        .method(MethodBuilder::new("Plain", ".p.M", ".q.Other"))
        .method(MethodBuilder::new("Both", ".p.M", ".p.M").client_streaming().server_streaming());
    let file = FileBuilder::new("a.proto")
        .package("p")
        .import_public("b.proto")
        .message(message)
        .enumeration(EnumBuilder::new("Kind").value("UNKNOWN", 0).value("LAST", -1))
        .service(service);
    same(
        &file,
        "syntax = 'proto3'; package p; import public 'b.proto';
        message M {
          double plain_number = 1;
          optional bytes maybe = 2 [json_name = 'perhaps'];
          optional sfixed64 _other = 3;
          repeated sint32 list = 20 [packed = false];
          oneof choice { bool a = 21; Inner b = 22; }
          map<string, q.Other> by_name = 23;
          map<fixed32, Kind> kinds = 24;
          string hidden = 25 [debug_redact = true];
          message Inner { reserved 2 to 4; reserved 'old'; }
          enum E { option allow_alias = true; ZERO = 0; NULL = 0; }
        }
        enum Kind { UNKNOWN = 0; LAST = -1; }
        service S { rpc Plain (M) returns (q.Other); rpc Both (stream M) returns (stream M); }",
    );
}

/// `tests/features.rs` tests each option; this test only checks that it is stored.
#[test]
fn editions_and_proto2() {
    let message = MessageBuilder::new("M")
        .field(FieldBuilder::new("explicit", Type::Int32).default("-7"))
        .field(FieldBuilder::new("implicit", Type::Int32).implicit())
        .field(FieldBuilder::new("required", Type::Int32).required())
        .field(FieldBuilder::new("expanded", Type::Float).repeated().packed(false))
        .field(FieldBuilder::message("delimited", ".M").delimited())
        .extensions(100..200);
    let file = FileBuilder::new("a.proto")
        .message(message)
        .enumeration(EnumBuilder::new("E").value("A", 1).closed())
        .extension(".M", FieldBuilder::new("note", Type::String).number(100));
    let pool = file.edition(Edition::Edition2023).build().unwrap();
    let field = |name: &str| pool.field(&format!("M.{name}")).unwrap();
    assert_eq!(field("explicit").default(), Some(&DefaultValue::I32(-7)));
    assert!(field("explicit").has_presence() && !field("implicit").has_presence());
    assert!(field("required").is_required() && field("delimited").is_delimited());
    assert!(field("expanded").is_list() && !field("expanded").is_packed());
    assert!(pool.enumeration("E").unwrap().is_closed());
    assert_eq!(pool.extension("note").unwrap().extendee().full_name(), "M");

    let message = MessageBuilder::new("M")
        .field(FieldBuilder::new("optional", Type::Int32).default("-7"))
        .field(FieldBuilder::new("required", Type::Int32).required())
        .field(FieldBuilder::new("packed", Type::Float).repeated().packed(true))
        .field(FieldBuilder::message("g", ".M.G").delimited())
        .message(MessageBuilder::new("G"));
    let file = FileBuilder::new("a.proto").edition(Edition::Proto2).message(message);
    same(
        &file,
        "syntax = 'proto2';
        message M {
          optional int32 optional = 1 [default = -7];
          required int32 required = 2;
          repeated float packed = 3 [packed = true];
          optional group G = 4 {}
        }",
    );
}

#[test]
fn options_are_added_as_they_are() {
    // `deprecated` is field 3 of all options except those of files, where it is 23.
    let deprecated = b"\x18\x01";
    let file = FileBuilder::new("a.proto")
        .options(b"\xb8\x01\x01")
        .message(
            MessageBuilder::new("M")
                .options(deprecated)
                .field(FieldBuilder::new("a", Type::Int32).options(deprecated)),
        )
        .enumeration(EnumBuilder::new("E").value("A", 0).options(deprecated));
    let pool = file.build().unwrap();
    assert!(pool.message("M").unwrap().is_deprecated());
    assert!(pool.field("M.a").unwrap().is_deprecated());
    assert!(pool.enumeration("E").unwrap().is_deprecated());
    assert_eq!(pool.file("a.proto").unwrap().options().encoded(), b"\xb8\x01\x01");
}

#[test]
fn numbers_that_are_free() {
    let field = |name: &str| FieldBuilder::new(name, Type::Bool);
    let message = MessageBuilder::new("M")
        .reserved(2..4)
        .extensions(5..6)
        .field(field("a"))
        .field(field("b"))
        .field(field("c"))
        .field(field("six").number(6))
        .field(field("d"))
        .field(field("before").number(18_999))
        .field(field("e"))
        .field(field("back").number(8))
        .field(field("f"));
    let pool = FileBuilder::new("a.proto").edition(Edition::Proto2).message(message).build().unwrap();
    let numbers: Vec<u32> = pool.message("M").unwrap().fields().map(|field| field.number()).collect();
    assert_eq!(numbers, [1, 4, 7, 6, 9, 18_999, 20_000, 8, 10]);
}

#[test]
fn the_linker_says_what_is_wrong() {
    #[track_caller]
    fn refused(message: MessageBuilder, text: &str) {
        let error = FileBuilder::new("a.proto").message(message).build().unwrap_err();
        assert_eq!(error.to_string(), format!("a.proto: {text}"));
    }
    let message = |field| MessageBuilder::new("M").field(field);
    let field = || FieldBuilder::new("a", Type::Bool);
    refused(message(field().number(0)), "M.a: field number 0 is not positive");
    for number in [1 << 29, u32::MAX] {
        let found = number.min(i32::MAX as u32);
        let text = format!("M.a: field number {found} is above the maximum of 536870911");
        refused(message(field().number(number)), &text);
    }
    refused(message(FieldBuilder::new("a", Type::Message)), "M.a: the name of the type is missing");
    refused(message(field().required()), "M.a: required fields are not valid in edition proto3");
    refused(message(field().default("true")), "M.a: a field of implicit presence cannot have a default");
    let error = FileBuilder::new("a.proto").import("gone.proto").build().unwrap_err();
    assert_eq!(error.to_string(), "a.proto: import \"gone.proto\" is missing");
    let error = FileBuilder::new("../a.proto").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "../a.proto: this is not a file name: it must be a relative path without `..`"
    );
    // The pool is unchanged.
    let mut pool = FileBuilder::new("a.proto").message(MessageBuilder::new("M")).build().unwrap();
    assert!(FileBuilder::new("b.proto").message(MessageBuilder::new("M")).add_to(&mut pool).is_err());
    assert_eq!(pool.files().len(), 1);
    // Deeper than the linker allows.
    let deep = (0..500).fold(MessageBuilder::new("M"), |inner, _| MessageBuilder::new("M").message(inner));
    assert!(FileBuilder::new("a.proto").message(deep).build().is_err());
}
