//! Conversions from and to `prost-types` descriptors.
#![cfg(feature = "prost-types")]

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, FileDescriptorSet,
};
use tobu::Pool;

fn file() -> FileDescriptorProto {
    let field = FieldDescriptorProto {
        name: Some("level".into()),
        number: Some(1),
        label: Some(Label::Optional.into()),
        r#type: Some(Type::Enum.into()),
        type_name: Some(".p.Outer.Level".into()),
        ..Default::default()
    };
    let value = EnumValueDescriptorProto { name: Some("LOW".into()), number: Some(0), ..Default::default() };
    let level = EnumDescriptorProto { name: Some("Level".into()), value: vec![value], ..Default::default() };
    let inner = DescriptorProto { name: Some("Inner".into()), field: vec![field], ..Default::default() };
    let outer = DescriptorProto {
        name: Some("Outer".into()),
        nested_type: vec![inner],
        enum_type: vec![level],
        ..Default::default()
    };
    FileDescriptorProto {
        name: Some("a.proto".into()),
        package: Some("p".into()),
        message_type: vec![outer],
        syntax: Some("proto3".into()),
        ..Default::default()
    }
}

#[test]
fn there_and_back() {
    let file = file();
    let pool = Pool::from_prost(&FileDescriptorSet { file: vec![file.clone()] }).unwrap();
    assert_eq!(pool.file("a.proto").unwrap().to_prost().unwrap(), file);
    let outer = &file.message_type[0];
    assert_eq!(pool.message("p.Outer").unwrap().to_prost().unwrap(), *outer);
    assert_eq!(pool.message("p.Outer.Inner").unwrap().to_prost().unwrap(), outer.nested_type[0]);
    assert_eq!(pool.enumeration("p.Outer.Level").unwrap().to_prost().unwrap(), outer.enum_type[0]);
}

#[test]
fn what_is_not_valid_is_refused() {
    let mut file = file();
    file.dependency = vec!["b.proto".into()];
    let error = Pool::new().add_file_prost(&file).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: import \"b.proto\" is missing");
}

#[test]
fn what_prost_cannot_hold_is_an_error() {
    // Field 2, the package, as a varint: to this crate an unknown field.
    let file = Pool::new().add_file(b"\x0a\x01a\x10\x01").unwrap();
    let error = file.to_prost().unwrap_err().to_string();
    assert!(error.starts_with("a: prost-types cannot hold this file: "), "{error}");
}
