//! Shorthand for raw descriptors.

use crate::descriptor::Pool;
use crate::descriptor::raw::*;
use crate::error::Result;

pub(super) const OPTIONAL: i32 = 1;
pub(super) const REQUIRED: i32 = 2;
pub(super) const REPEATED: i32 = 3;
pub(super) const FLOAT: i32 = 2;
pub(super) const INT32: i32 = 5;
pub(super) const STRING: i32 = 9;
pub(super) const GROUP: i32 = 10;
pub(super) const MESSAGE: i32 = 11;
pub(super) const BYTES: i32 = 12;
pub(super) const ENUM: i32 = 14;

pub(super) fn file(syntax: &str) -> FileDescriptorProto<'static> {
    let (syntax, edition) = match syntax {
        "2023" => ("editions", Some(1000)),
        "2024" => ("editions", Some(1001)),
        "2026" => ("editions", Some(1002)),
        "unstable" => ("editions", Some(9999)),
        syntax => (syntax, None),
    };
    FileDescriptorProto {
        name: Some("a.proto".into()),
        package: Some("p".into()),
        syntax: Some(syntax.to_owned().into()),
        edition,
        ..Default::default()
    }
}

pub(super) fn named(name: &str, imports: &[&str]) -> FileDescriptorProto<'static> {
    FileDescriptorProto {
        name: Some(name.to_owned().into()),
        dependency: imports.iter().map(|&import| import.to_owned().into()).collect(),
        ..Default::default()
    }
}

/// A file that imports others publicly.
pub(super) fn publicly(name: &str, imports: &[&str]) -> FileDescriptorProto<'static> {
    FileDescriptorProto { public_dependency: (0..imports.len() as i32).collect(), ..named(name, imports) }
}

pub(super) fn message(name: &str, field: Vec<FieldDescriptorProto<'static>>) -> DescriptorProto<'static> {
    DescriptorProto { name: Some(name.to_owned().into()), field, ..Default::default() }
}

pub(super) fn field(name: &str, number: i32, label: i32, ty: i32) -> FieldDescriptorProto<'static> {
    FieldDescriptorProto {
        name: Some(name.to_owned().into()),
        number: Some(number),
        label: Some(label),
        ty: Some(ty),
        ..Default::default()
    }
}

pub(super) fn typed(
    name: &str,
    number: i32,
    label: i32,
    ty: i32,
    type_name: &str,
) -> FieldDescriptorProto<'static> {
    FieldDescriptorProto { type_name: Some(type_name.to_owned().into()), ..field(name, number, label, ty) }
}

pub(super) fn extension(name: &str, number: i32, extendee: &str) -> FieldDescriptorProto<'static> {
    FieldDescriptorProto {
        extendee: Some(extendee.to_owned().into()),
        ..field(name, number, OPTIONAL, INT32)
    }
}

pub(super) fn oneof(name: &str) -> OneofDescriptorProto<'static> {
    OneofDescriptorProto { name: Some(name.to_owned().into()), ..Default::default() }
}

pub(super) fn enumeration(name: &str, values: &[(&str, i32)]) -> EnumDescriptorProto<'static> {
    let value = |&(name, number): &(&str, i32)| EnumValueDescriptorProto {
        name: Some(name.to_owned().into()),
        number: Some(number),
        ..Default::default()
    };
    EnumDescriptorProto {
        name: Some(name.to_owned().into()),
        value: values.iter().map(value).collect(),
        ..Default::default()
    }
}

pub(super) fn reserved(start: i32, end: i32) -> ReservedRange {
    ReservedRange { start: Some(start), end: Some(end), ..Default::default() }
}

pub(super) fn extensions(start: i32, end: i32) -> ExtensionRange {
    ExtensionRange { start: Some(start), end: Some(end), ..Default::default() }
}

pub(super) fn flag(number: u32, value: u64) -> Option<Options> {
    let mut options = Options::default();
    options.push_varint(number, value);
    Some(options)
}

/// Options whose FeatureSet, at field `at`, has the given features.
pub(super) fn feature_set(at: u32, features: &[(u32, u64)]) -> Option<Options> {
    let mut set = Options::default();
    for &(number, value) in features {
        set.push_varint(number, value);
    }
    let mut options = Options::default();
    options.push_bytes(at, set.encoded());
    Some(options)
}

pub(super) fn set(files: &[FileDescriptorProto<'_>]) -> Vec<u8> {
    let mut set = Options::default();
    for file in files {
        set.push_bytes(1, &file.encode());
    }
    set.into_encoded()
}

pub(super) fn link(file: &FileDescriptorProto<'_>) -> Result<Pool> {
    let mut pool = Pool::new();
    pool.add_file(&file.encode())?;
    Ok(pool)
}

/// Asserts that a file does not link, and why.
#[track_caller]
pub(super) fn refused(file: &FileDescriptorProto<'_>, text: &str) {
    assert_eq!(link(file).unwrap_err().to_string(), text);
}
