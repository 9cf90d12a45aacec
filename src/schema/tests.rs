//! Compares declared schemas with the output of compilers for equivalent text.

use super::decl::ReferredType;
use super::graph::Graph;
use super::graph::files;
use crate::descriptor::FileBuilder;
use crate::layout::MessageShape;
use prost::Message as _;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use protox::file::{File, FileResolver};
use std::collections::HashMap;
use tobu_derive::{Enumeration, Message, Oneof};

mod errors;

/// The files of a type, each after those that it imports.
fn declared<M: crate::message::Message>() -> Vec<FileDescriptorProto> {
    declared_by(M::shape()).unwrap()
}

fn declared_by(shape: &'static MessageShape) -> crate::Result<Vec<FileDescriptorProto>> {
    let graph = Graph::of(ReferredType::Message(shape))?;
    let parsed = |file: FileBuilder| FileDescriptorProto::decode(&*file.to_bytes()).unwrap();
    Ok(files(&graph)?.into_iter().map(|(_, file)| parsed(file)).collect())
}

/// Expects the files that another implementation compiles from text.
fn compiled(sources: &[(&'static str, &'static str)]) -> Vec<FileDescriptorProto> {
    struct Sources(HashMap<&'static str, &'static str>);

    impl FileResolver for Sources {
        fn open_file(&self, name: &str) -> Result<File, protox::Error> {
            let source = self.0.get(name).ok_or_else(|| protox::Error::file_not_found(name))?;
            File::from_source(name, source)
        }
    }

    let mut compiler = protox::Compiler::with_file_resolver(Sources(sources.iter().copied().collect()));
    compiler.include_imports(true);
    compiler.open_files(sources.iter().map(|(name, _)| name)).unwrap();
    set(&compiler.encode_file_descriptor_set())
}

fn set(bytes: &[u8]) -> Vec<FileDescriptorProto> {
    FileDescriptorSet::decode(bytes).unwrap().file
}

#[derive(Message)]
#[tobu(crate = "crate", package = "schema.plain")]
#[allow(dead_code)]
struct Plain {
    #[tobu(1)]
    a_bool: bool,
    #[tobu(2)]
    an_i32: i32,
    #[tobu(3, sint32)]
    a_sint32: Option<i32>,
    #[tobu(4, sfixed32)]
    a_sfixed32: Vec<i32>,
    #[tobu(5, packed = false)]
    an_i64: Vec<i64>,
    #[tobu(6, sint64, packed)]
    a_sint64: Vec<i64>,
    #[tobu(7, sfixed64)]
    a_sfixed64: i64,
    #[tobu(8)]
    a_u32: u32,
    #[tobu(9, fixed32)]
    a_fixed32: u32,
    #[tobu(10)]
    a_u64: Option<u64>,
    #[tobu(11, fixed64)]
    a_fixed64: u64,
    #[tobu(12)]
    an_f32: f32,
    #[tobu(13)]
    an_f64: Option<f64>,
    #[tobu(14, name = "type", json_name = "kind")]
    text: Option<String>,
    #[tobu(15)]
    r#async: Vec<u8>,
    #[tobu(16)]
    color: Color,
    #[tobu(17)]
    colors: Vec<Color>,
    #[tobu(18)]
    next: Option<Box<Plain>>,
    #[tobu(19)]
    chain: Vec<Plain>,
    #[tobu(oneof)]
    pick: Option<Pick>,
    #[tobu(20)]
    by_name: HashMap<String, Plain>,
    #[tobu(21, key = "sint64", value = "fixed32")]
    numbers_by_number: HashMap<i64, u32>,
    #[tobu(22, name = "_pick")]
    taken: Option<i32>,
    #[tobu(24)]
    other: Other,
}

#[derive(Oneof)]
#[tobu(crate = "crate")]
#[allow(dead_code)]
enum Pick {
    #[tobu(30, name = "title")]
    ByName(String),
    #[tobu(31, sint64, json_name = "n")]
    Count(i64),
    #[tobu(32)]
    Sub(Box<Plain>),
}

#[derive(Enumeration)]
#[tobu(crate = "crate", package = "schema.plain", values(RED = 0, GREEN = 2, BLUE = -1))]
#[allow(dead_code)]
struct Color(pub i32);

#[derive(Message)]
#[tobu(crate = "crate", package = "schema", name = "Elsewhere")]
struct Other {}

#[test]
fn what_proto3_can_say_is_proto3() {
    let expected = compiled(&[
        (
            "tobu/schema/plain/Plain.proto",
            r#"syntax = "proto3";
            package schema.plain;
            import "tobu/schema/Elsewhere.proto";
            import "tobu/schema/plain/Color.proto";
            message Plain {
                bool a_bool = 1;
                int32 an_i32 = 2;
                optional sint32 a_sint32 = 3;
                repeated sfixed32 a_sfixed32 = 4;
                repeated int64 an_i64 = 5 [packed = false];
                repeated sint64 a_sint64 = 6 [packed = true];
                sfixed64 a_sfixed64 = 7;
                uint32 a_u32 = 8;
                fixed32 a_fixed32 = 9;
                optional uint64 a_u64 = 10;
                fixed64 a_fixed64 = 11;
                float an_f32 = 12;
                optional double an_f64 = 13;
                optional string type = 14 [json_name = "kind"];
                bytes async = 15;
                Color color = 16;
                repeated Color colors = 17;
                Plain next = 18;
                repeated Plain chain = 19;
                oneof pick {
                    string title = 30;
                    sint64 count = 31 [json_name = "n"];
                    Plain sub = 32;
                }
                map<string, Plain> by_name = 20;
                map<sint64, fixed32> numbers_by_number = 21;
                optional int32 _pick = 22;
                schema.Elsewhere other = 24;
            }"#,
        ),
        (
            "tobu/schema/plain/Color.proto",
            "syntax = 'proto3'; package schema.plain; enum Color { RED = 0; GREEN = 2; BLUE = -1; }",
        ),
        ("tobu/schema/Elsewhere.proto", "syntax = 'proto3'; package schema; message Elsewhere {}"),
    ]);
    same(declared::<Plain>(), expected);
}

#[derive(Message)]
#[tobu(crate = "crate", package = "schema.features")]
#[allow(dead_code)]
struct Features {
    #[tobu(1)]
    implicit: i32,
    #[tobu(2)]
    explicit: Option<i32>,
    #[tobu(3, required)]
    required: i32,
    #[tobu(4)]
    packed: Vec<i32>,
    #[tobu(5, packed = false)]
    expanded: Vec<i32>,
    #[tobu(6, delimited)]
    group: Option<Box<Features>>,
    #[tobu(7)]
    by_name: HashMap<String, Features>,
    #[tobu(8, default = "a \"b\"")]
    text: Option<String>,
    #[tobu(9, default = b"\0\\x")]
    blob: Option<Vec<u8>>,
    #[tobu(10, default = -0.5)]
    half: Option<f64>,
    #[tobu(oneof)]
    pick: Option<FeaturesPick>,
    #[tobu(13)]
    plain: Closed,
    #[tobu(14, default = TWO)]
    optional: Option<Closed>,
    #[tobu(15, packed = false)]
    list: Vec<Closed>,
}

#[derive(Oneof)]
#[tobu(crate = "crate")]
#[allow(dead_code)]
enum FeaturesPick {
    #[tobu(11, group)]
    Sub(Box<Features>),
    #[tobu(12, sint64, default = 7)]
    Count(i64),
}

#[derive(Enumeration)]
#[tobu(crate = "crate", package = "schema.features")]
enum Closed {
    Two = 2,
    Zero = 0,
    One = 1,
}

/// `testdata/features.binpb` is the output of protoc 35.1 for the files next to it: `protoc -I.
/// --include_imports --descriptor_set_out=features.binpb tobu/schema/features/Features.proto`.
#[test]
fn what_proto3_cannot_say_is_edition_2023() {
    same(declared::<Features>(), set(include_bytes!("testdata/features.binpb")));
}

#[derive(Message)]
#[tobu(crate = "crate", package = "schema.ring")]
#[allow(dead_code)]
struct Outer {
    #[tobu(1)]
    ring: Option<RingB>,
}

#[derive(Message)]
#[tobu(crate = "crate", package = "schema.ring")]
#[allow(dead_code)]
struct RingB {
    #[tobu(1)]
    a: Option<Box<RingA>>,
}

#[derive(Message)]
#[tobu(crate = "crate", package = "schema.ring")]
#[allow(dead_code)]
struct RingA {
    #[tobu(1)]
    b: Vec<RingB>,
    #[tobu(2)]
    inner: Option<Inner>,
}

#[derive(Message)]
#[tobu(crate = "crate")]
struct Inner {}

#[test]
fn types_that_refer_to_each_other_share_a_file() {
    let expected = compiled(&[
        (
            "tobu/schema/ring/Outer.proto",
            "syntax = 'proto3'; package schema.ring; import 'tobu/schema/ring/RingA.proto'; message Outer { RingB ring = 1; }",
        ),
        (
            "tobu/schema/ring/RingA.proto",
            "syntax = 'proto3'; package schema.ring; import 'tobu/Inner.proto';
            message RingA { repeated RingB b = 1; Inner inner = 2; } message RingB { RingA a = 1; }",
        ),
        ("tobu/Inner.proto", "syntax = 'proto3'; message Inner {}"),
    ]);
    let files = declared::<Outer>();
    let names: Vec<_> = files.iter().map(|file| file.name.clone().unwrap()).collect();
    assert_eq!(names, ["tobu/Inner.proto", "tobu/schema/ring/RingA.proto", "tobu/schema/ring/Outer.proto"]);
    same(files, expected);
    assert_eq!(declared::<RingA>().len(), 2);
}

/// Compares file by file, so that a difference can be read.
fn same(mut declared: Vec<FileDescriptorProto>, mut expected: Vec<FileDescriptorProto>) {
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    expected.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(declared.len(), expected.len());
    for (declared, expected) in declared.iter().zip(&expected) {
        let (left, right) = (format!("{declared:#?}"), format!("{expected:#?}"));
        for (line, (left, right)) in left.lines().zip(right.lines()).enumerate() {
            assert_eq!(left, right, "line {line} of {:?}", declared.name);
        }
        assert_eq!(declared.encode_to_vec(), expected.encode_to_vec());
    }
}
