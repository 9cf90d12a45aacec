//! Parsing of the raw structs: merges repeated occurrences as the wire format demands, keeps unknown fields.

use super::options::{self, Options};
use super::*;
use crate::error::{Error, LimitError, Result};
use crate::wire::{Reader, Tag, WireType};
use std::borrow::Cow;

impl<'a> FileDescriptorProto<'a> {
    /// Parses a serialized FileDescriptorProto.
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self> {
        let mut file = FileDescriptorProto::default();
        parse(&mut file, Reader::new(bytes), MAX_NESTING)?;
        Ok(file)
    }
}

/// The serialized FileDescriptorProtos in a serialized FileDescriptorSet.
pub fn split_set(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut reader = Reader::new(bytes);
    let mut files = Vec::new();
    while !reader.is_empty() {
        match reader.tag()? {
            tag if (tag.number(), tag.wire_type()) == (1, WireType::Len) => {
                files.push(reader.len_prefixed()?)
            }
            tag => reader.skip(tag, MAX_NESTING)?,
        }
    }
    Ok(files)
}

/// A message of `descriptor.proto`.
trait Raw<'a> {
    /// Reads the value of a field that the struct has a member for; false if it has none.
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, depth: u32) -> Result<bool>;

    fn unknown(&mut self) -> &mut Vec<u8>;
}

fn parse<'a>(message: &mut dyn Raw<'a>, mut reader: Reader<'a>, depth: u32) -> Result<()> {
    while !reader.is_empty() {
        let whole = reader.rest();
        let tag = reader.tag()?;
        if !message.field(tag, &mut reader, depth)? {
            reader.skip(tag, MAX_NESTING)?;
            message.unknown().extend_from_slice(&whole[..whole.len() - reader.rest().len()]);
        }
    }
    Ok(())
}

/// Appends one message to a repeated field.
fn push<'a, T: Raw<'a> + Default>(
    list: &mut Vec<T>,
    reader: &mut Reader<'a>,
    depth: u32,
    name: &str,
) -> Result<bool> {
    let body = reader.len_prefixed()?;
    let index = list.len();
    // Read in place: it is large.
    list.push(T::default());
    parse(&mut list[index], reader.within(body), depth)
        .map_err(|error| error.in_index(index).in_field(name))?;
    Ok(true)
}

fn string<'a>(reader: &mut Reader<'a>, name: &str) -> Result<Cow<'a, str>> {
    reader.string().map(Cow::Borrowed).map_err(|error| error.in_field(name))
}

fn text<'a>(member: &mut Option<Cow<'a, str>>, reader: &mut Reader<'a>, name: &str) -> Result<bool> {
    *member = Some(string(reader, name)?);
    Ok(true)
}

fn texts<'a>(list: &mut Vec<Cow<'a, str>>, reader: &mut Reader<'a>, name: &str) -> Result<bool> {
    let text = string(reader, name).map_err(|error| error.in_index(list.len()))?;
    list.push(text);
    Ok(true)
}

fn int32(member: &mut Option<i32>, reader: &mut Reader<'_>) -> Result<bool> {
    *member = Some(reader.varint()? as i32);
    Ok(true)
}

fn boolean(member: &mut Option<bool>, reader: &mut Reader<'_>) -> Result<bool> {
    *member = Some(reader.varint()? != 0);
    Ok(true)
}

fn packed(list: &mut Vec<i32>, reader: &mut Reader<'_>) -> Result<bool> {
    let body = reader.len_prefixed()?;
    let mut body = reader.within(body);
    while !body.is_empty() {
        list.push(body.varint()? as i32);
    }
    Ok(true)
}

fn raw_options(member: &mut Option<Options>, reader: &mut Reader<'_>) -> Result<bool> {
    let body = reader.len_prefixed()?;
    options::check(reader.within(body)).map_err(|error| error.in_field("options"))?;
    member.get_or_insert_default().extend(body);
    Ok(true)
}

impl<'a> Raw<'a> for FileDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, depth: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => text(&mut self.package, reader, "package"),
            (3, WireType::Len) => texts(&mut self.dependency, reader, "dependency"),
            (4, WireType::Len) => push(&mut self.message_type, reader, depth - 1, "message_type"),
            (5, WireType::Len) => push(&mut self.enum_type, reader, depth, "enum_type"),
            (6, WireType::Len) => push(&mut self.service, reader, depth, "service"),
            (7, WireType::Len) => push(&mut self.extension, reader, depth, "extension"),
            (8, WireType::Len) => raw_options(&mut self.options, reader),
            (9, WireType::Len) => {
                let body = reader.len_prefixed()?;
                self.source_code_info.get_or_insert_default().extend_from_slice(body);
                Ok(true)
            }
            (10, WireType::Varint) => {
                self.public_dependency.push(reader.varint()? as i32);
                Ok(true)
            }
            (10, WireType::Len) => packed(&mut self.public_dependency, reader),
            (11, WireType::Varint) => {
                self.weak_dependency.push(reader.varint()? as i32);
                Ok(true)
            }
            (11, WireType::Len) => packed(&mut self.weak_dependency, reader),
            (12, WireType::Len) => text(&mut self.syntax, reader, "syntax"),
            (14, WireType::Varint) => int32(&mut self.edition, reader),
            (15, WireType::Len) => texts(&mut self.option_dependency, reader, "option_dependency"),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for DescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, depth: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => push(&mut self.field, reader, depth, "field"),
            (3, WireType::Len) if depth == 0 => {
                Err(Error::limit(LimitError::Depth(MAX_NESTING)).at_byte(reader.position()))
            }
            (3, WireType::Len) => push(&mut self.nested_type, reader, depth - 1, "nested_type"),
            (4, WireType::Len) => push(&mut self.enum_type, reader, depth, "enum_type"),
            (5, WireType::Len) => push(&mut self.extension_range, reader, depth, "extension_range"),
            (6, WireType::Len) => push(&mut self.extension, reader, depth, "extension"),
            (7, WireType::Len) => raw_options(&mut self.options, reader),
            (8, WireType::Len) => push(&mut self.oneof_decl, reader, depth, "oneof_decl"),
            (9, WireType::Len) => push(&mut self.reserved_range, reader, depth, "reserved_range"),
            (10, WireType::Len) => texts(&mut self.reserved_name, reader, "reserved_name"),
            (11, WireType::Varint) => int32(&mut self.visibility, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for ExtensionRange {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Varint) => int32(&mut self.start, reader),
            (2, WireType::Varint) => int32(&mut self.end, reader),
            (3, WireType::Len) => raw_options(&mut self.options, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for ReservedRange {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Varint) => int32(&mut self.start, reader),
            (2, WireType::Varint) => int32(&mut self.end, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for FieldDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => text(&mut self.extendee, reader, "extendee"),
            (3, WireType::Varint) => int32(&mut self.number, reader),
            (4, WireType::Varint) => int32(&mut self.label, reader),
            (5, WireType::Varint) => int32(&mut self.ty, reader),
            (6, WireType::Len) => text(&mut self.type_name, reader, "type_name"),
            (7, WireType::Len) => text(&mut self.default_value, reader, "default_value"),
            (8, WireType::Len) => raw_options(&mut self.options, reader),
            (9, WireType::Varint) => int32(&mut self.oneof_index, reader),
            (10, WireType::Len) => text(&mut self.json_name, reader, "json_name"),
            (17, WireType::Varint) => boolean(&mut self.proto3_optional, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for OneofDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => raw_options(&mut self.options, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for EnumDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, depth: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => push(&mut self.value, reader, depth, "value"),
            (3, WireType::Len) => raw_options(&mut self.options, reader),
            (4, WireType::Len) => push(&mut self.reserved_range, reader, depth, "reserved_range"),
            (5, WireType::Len) => texts(&mut self.reserved_name, reader, "reserved_name"),
            (6, WireType::Varint) => int32(&mut self.visibility, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for EnumValueDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Varint) => int32(&mut self.number, reader),
            (3, WireType::Len) => raw_options(&mut self.options, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for ServiceDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, depth: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => push(&mut self.method, reader, depth, "method"),
            (3, WireType::Len) => raw_options(&mut self.options, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}

impl<'a> Raw<'a> for MethodDescriptorProto<'a> {
    fn field(&mut self, tag: Tag, reader: &mut Reader<'a>, _: u32) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => text(&mut self.name, reader, "name"),
            (2, WireType::Len) => text(&mut self.input_type, reader, "input_type"),
            (3, WireType::Len) => text(&mut self.output_type, reader, "output_type"),
            (4, WireType::Len) => raw_options(&mut self.options, reader),
            (5, WireType::Varint) => boolean(&mut self.client_streaming, reader),
            (6, WireType::Varint) => boolean(&mut self.server_streaming, reader),
            _ => Ok(false),
        }
    }

    fn unknown(&mut self) -> &mut Vec<u8> {
        &mut self.unknown
    }
}
