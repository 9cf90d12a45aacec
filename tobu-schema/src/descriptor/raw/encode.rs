//! Serializing of the raw structs.

use super::*;
use crate::wire::{Tag, WireType, put_varint};
use std::borrow::Cow;

impl FileDescriptorProto<'_> {
    /// The serialized FileDescriptorProto: fields in the order of their numbers, then the unknown ones.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Out(Vec::new());
        self.write(&mut out);
        out.0
    }
}

trait Encode {
    fn write(&self, out: &mut Out);
}

struct Out(Vec<u8>);

impl Out {
    fn text(&mut self, number: u32, value: &Option<Cow<'_, str>>) {
        if let Some(value) = value {
            self.bytes(number, value.as_bytes());
        }
    }

    fn texts(&mut self, number: u32, values: &[Cow<'_, str>]) {
        for value in values {
            self.bytes(number, value.as_bytes());
        }
    }

    fn int32(&mut self, number: u32, value: Option<i32>) {
        if let Some(value) = value {
            self.varint(u64::from(Tag::new(number, WireType::Varint).value()));
            self.varint(i64::from(value) as u64);
        }
    }

    fn boolean(&mut self, number: u32, value: Option<bool>) {
        self.int32(number, value.map(i32::from));
    }

    fn options(&mut self, number: u32, value: &Option<Options>) {
        if let Some(value) = value {
            self.bytes(number, value.encoded());
        }
    }

    fn messages<T: Encode>(&mut self, number: u32, values: &[T]) {
        for value in values {
            let mut body = Out(Vec::new());
            value.write(&mut body);
            self.bytes(number, &body.0);
        }
    }

    fn bytes(&mut self, number: u32, value: &[u8]) {
        self.varint(u64::from(Tag::new(number, WireType::Len).value()));
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn varint(&mut self, value: u64) {
        let mut bytes = [0; 10];
        let n = put_varint(&mut bytes, value);
        self.0.extend_from_slice(&bytes[..n]);
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

impl Encode for FileDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.text(2, &self.package);
        out.texts(3, &self.dependency);
        out.messages(4, &self.message_type);
        out.messages(5, &self.enum_type);
        out.messages(6, &self.service);
        out.messages(7, &self.extension);
        out.options(8, &self.options);
        if let Some(info) = &self.source_code_info {
            out.bytes(9, info);
        }
        for &index in &self.public_dependency {
            out.int32(10, Some(index));
        }
        for &index in &self.weak_dependency {
            out.int32(11, Some(index));
        }
        out.text(12, &self.syntax);
        out.int32(14, self.edition);
        out.texts(15, &self.option_dependency);
        out.raw(&self.unknown);
    }
}

impl Encode for DescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.messages(2, &self.field);
        out.messages(3, &self.nested_type);
        out.messages(4, &self.enum_type);
        out.messages(5, &self.extension_range);
        out.messages(6, &self.extension);
        out.options(7, &self.options);
        out.messages(8, &self.oneof_decl);
        out.messages(9, &self.reserved_range);
        out.texts(10, &self.reserved_name);
        out.int32(11, self.visibility);
        out.raw(&self.unknown);
    }
}

impl Encode for ExtensionRange {
    fn write(&self, out: &mut Out) {
        out.int32(1, self.start);
        out.int32(2, self.end);
        out.options(3, &self.options);
        out.raw(&self.unknown);
    }
}

impl Encode for ReservedRange {
    fn write(&self, out: &mut Out) {
        out.int32(1, self.start);
        out.int32(2, self.end);
        out.raw(&self.unknown);
    }
}

impl Encode for FieldDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.text(2, &self.extendee);
        out.int32(3, self.number);
        out.int32(4, self.label);
        out.int32(5, self.ty);
        out.text(6, &self.type_name);
        out.text(7, &self.default_value);
        out.options(8, &self.options);
        out.int32(9, self.oneof_index);
        out.text(10, &self.json_name);
        out.boolean(17, self.proto3_optional);
        out.raw(&self.unknown);
    }
}

impl Encode for OneofDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.options(2, &self.options);
        out.raw(&self.unknown);
    }
}

impl Encode for EnumDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.messages(2, &self.value);
        out.options(3, &self.options);
        out.messages(4, &self.reserved_range);
        out.texts(5, &self.reserved_name);
        out.int32(6, self.visibility);
        out.raw(&self.unknown);
    }
}

impl Encode for EnumValueDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.int32(2, self.number);
        out.options(3, &self.options);
        out.raw(&self.unknown);
    }
}

impl Encode for ServiceDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.messages(2, &self.method);
        out.options(3, &self.options);
        out.raw(&self.unknown);
    }
}

impl Encode for MethodDescriptorProto<'_> {
    fn write(&self, out: &mut Out) {
        out.text(1, &self.name);
        out.text(2, &self.input_type);
        out.text(3, &self.output_type);
        out.options(4, &self.options);
        out.boolean(5, self.client_streaming);
        out.boolean(6, self.server_streaming);
        out.raw(&self.unknown);
    }
}
