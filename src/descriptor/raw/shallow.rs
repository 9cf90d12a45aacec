//! One level of a serialized file at a time, for linking: nested elements are skipped, and read when they are linked. A
//! whole file as structs would take many times its size.
//!
//! Malformed input fails here without a position; [`FileDescriptorProto::decode`](super::FileDescriptorProto::decode)
//! fails on the same bytes, and reports it.

use std::borrow::Cow;

use super::{MAX_NESTING, options};
use crate::error::{Error, LimitError, Result};
use crate::wire::{Reader, Tag, WireType};

/// The bytes of an element inside of another.
pub(crate) type Body<'a> = &'a [u8];

/// The data of a file that determine the link order and the sizes of its tables.
#[derive(Default)]
pub(crate) struct Header<'a> {
    pub(crate) name: Option<&'a str>,
    /// Imports for options included.
    pub(crate) imports: Vec<&'a str>,
    pub(crate) counts: Counts,
}

/// How many elements a file declares, nested ones included.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) messages: usize,
    /// Extensions included.
    pub(crate) fields: usize,
    pub(crate) oneofs: usize,
    pub(crate) enums: usize,
    pub(crate) values: usize,
    pub(crate) services: usize,
    pub(crate) methods: usize,
}

#[derive(Default)]
pub(crate) struct File<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) package: Option<&'a str>,
    pub(crate) dependency: Vec<&'a str>,
    pub(crate) public_dependency: Vec<i32>,
    pub(crate) weak_dependency: Vec<i32>,
    pub(crate) option_dependency: Vec<&'a str>,
    pub(crate) messages: Vec<Body<'a>>,
    pub(crate) enums: Vec<Body<'a>>,
    pub(crate) services: Vec<Body<'a>>,
    pub(crate) extensions: Vec<Body<'a>>,
    pub(crate) options: Cow<'a, [u8]>,
    pub(crate) syntax: Option<&'a str>,
    pub(crate) edition: Option<i32>,
}

/// The name and the options that an element of any kind has.
#[derive(Default)]
pub(crate) struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) options: Cow<'a, [u8]>,
    /// Of a message or an enum.
    pub(crate) visibility: i32,
}

#[derive(Default)]
pub(crate) struct Members<'a> {
    pub(crate) fields: Vec<Body<'a>>,
    pub(crate) extensions: Vec<Body<'a>>,
    pub(crate) messages: Vec<Body<'a>>,
    pub(crate) enums: Vec<Body<'a>>,
    pub(crate) oneofs: Vec<Body<'a>>,
    /// Start and end, the end exclusive.
    pub(crate) extension_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_names: Vec<&'a str>,
}

#[derive(Default)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) extendee: Option<&'a str>,
    pub(crate) number: i32,
    pub(crate) label: Option<i32>,
    pub(crate) ty: Option<i32>,
    pub(crate) type_name: Option<&'a str>,
    pub(crate) default_value: Option<&'a str>,
    pub(crate) options: Cow<'a, [u8]>,
    pub(crate) oneof_index: Option<i32>,
    pub(crate) json_name: Option<&'a str>,
    pub(crate) proto3_optional: bool,
}

#[derive(Default)]
pub(crate) struct Enum<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) values: Vec<Body<'a>>,
    /// Start and end, both inclusive.
    pub(crate) reserved_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_names: Vec<&'a str>,
}

#[derive(Default)]
pub(crate) struct Value<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) number: i32,
}

#[derive(Default)]
pub(crate) struct Service<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) methods: Vec<Body<'a>>,
}

#[derive(Default)]
pub(crate) struct Method<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) input: &'a str,
    pub(crate) output: &'a str,
    pub(crate) client_streaming: bool,
    pub(crate) server_streaming: bool,
}

impl<'a> Header<'a> {
    pub(crate) fn read(file: &'a [u8]) -> Result<Self> {
        let mut header = Header::default();
        let counts = &mut header.counts;
        each(file, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (1, WireType::Len) => header.name = Some(reader.string()?),
                (3 | 15, WireType::Len) => header.imports.push(reader.string()?),
                (4, WireType::Len) => counts.message(reader.len_prefixed()?, MAX_NESTING)?,
                (5, WireType::Len) => counts.enumeration(reader.len_prefixed()?),
                (6, WireType::Len) => {
                    counts.services += 1;
                    counts.methods += count(reader.len_prefixed()?, 2);
                }
                (7, WireType::Len) => {
                    counts.fields += 1;
                    reader.len_prefixed()?;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(header)
    }
}

impl Counts {
    pub(crate) fn total(&self) -> usize {
        let scalars = self.oneofs + self.values + self.methods;
        self.messages + self.fields + self.enums + self.services + scalars
    }

    fn message(&mut self, body: &[u8], depth: u32) -> Result<()> {
        self.messages += 1;
        let depth = depth.checked_sub(1).ok_or_else(|| Error::limit(LimitError::Depth(MAX_NESTING)))?;
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2 | 6, WireType::Len) => self.fields += 1,
                (3, WireType::Len) => {
                    self.message(reader.len_prefixed()?, depth)?;
                    return Ok(true);
                }
                (4, WireType::Len) => {
                    self.enumeration(reader.len_prefixed()?);
                    return Ok(true);
                }
                (8, WireType::Len) => self.oneofs += 1,
                _ => {}
            }
            Ok(false)
        })
    }

    /// Malformed declarations are not counted: linking fails there.
    fn enumeration(&mut self, body: &[u8]) {
        self.enums += 1;
        self.values += count(body, 2);
    }
}

impl<'a> File<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut file = File::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (1, WireType::Len) => file.name = Some(reader.string()?),
                (2, WireType::Len) => file.package = Some(reader.string()?),
                (3, WireType::Len) => file.dependency.push(reader.string()?),
                (4, WireType::Len) => file.messages.push(reader.len_prefixed()?),
                (5, WireType::Len) => file.enums.push(reader.len_prefixed()?),
                (6, WireType::Len) => file.services.push(reader.len_prefixed()?),
                (7, WireType::Len) => file.extensions.push(reader.len_prefixed()?),
                (8, WireType::Len) => add_options(&mut file.options, reader)?,
                (10, WireType::Varint | WireType::Len) => numbers(&mut file.public_dependency, tag, reader)?,
                (11, WireType::Varint | WireType::Len) => numbers(&mut file.weak_dependency, tag, reader)?,
                (12, WireType::Len) => file.syntax = Some(reader.string()?),
                (14, WireType::Varint) => file.edition = Some(reader.varint()? as i32),
                (15, WireType::Len) => file.option_dependency.push(reader.string()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(file)
    }
}

impl<'a> Named<'a> {
    /// Name, options and visibility of a message.
    pub(crate) fn message(body: Body<'a>) -> Result<Self> {
        let mut named = Named::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (11, WireType::Varint) => named.visibility = reader.varint()? as i32,
                _ => return named.field(7, tag, reader),
            }
            Ok(true)
        })?;
        Ok(named)
    }

    /// Name and options of a oneof.
    pub(crate) fn oneof(body: Body<'a>) -> Result<Self> {
        let mut named = Named::default();
        each(body, |tag, reader| named.field(2, tag, reader))?;
        Ok(named)
    }

    fn field(&mut self, options: u32, tag: Tag, reader: &mut Reader<'a>) -> Result<bool> {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => self.name = reader.string()?,
            (number, WireType::Len) if number == options => add_options(&mut self.options, reader)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<'a> Members<'a> {
    pub(crate) fn read(message: Body<'a>) -> Result<Self> {
        let mut members = Members::default();
        each(message, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2, WireType::Len) => members.fields.push(reader.len_prefixed()?),
                (3, WireType::Len) => members.messages.push(reader.len_prefixed()?),
                (4, WireType::Len) => members.enums.push(reader.len_prefixed()?),
                (5, WireType::Len) => members.extension_ranges.push(range(reader.len_prefixed()?)?),
                (6, WireType::Len) => members.extensions.push(reader.len_prefixed()?),
                (8, WireType::Len) => members.oneofs.push(reader.len_prefixed()?),
                (9, WireType::Len) => members.reserved_ranges.push(reserved(reader.len_prefixed()?)?),
                (10, WireType::Len) => members.reserved_names.push(reader.string()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(members)
    }
}

impl<'a> Field<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut field = Field::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (1, WireType::Len) => field.name = reader.string()?,
                (2, WireType::Len) => field.extendee = Some(reader.string()?),
                (3, WireType::Varint) => field.number = reader.varint()? as i32,
                (4, WireType::Varint) => field.label = Some(reader.varint()? as i32),
                (5, WireType::Varint) => field.ty = Some(reader.varint()? as i32),
                (6, WireType::Len) => field.type_name = Some(reader.string()?),
                (7, WireType::Len) => field.default_value = Some(reader.string()?),
                (8, WireType::Len) => add_options(&mut field.options, reader)?,
                (9, WireType::Varint) => field.oneof_index = Some(reader.varint()? as i32),
                (10, WireType::Len) => field.json_name = Some(reader.string()?),
                (17, WireType::Varint) => field.proto3_optional = reader.varint()? != 0,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(field)
    }
}

impl<'a> Enum<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut read = Enum::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2, WireType::Len) => read.values.push(reader.len_prefixed()?),
                (4, WireType::Len) => read.reserved_ranges.push(reserved(reader.len_prefixed()?)?),
                (5, WireType::Len) => read.reserved_names.push(reader.string()?),
                (6, WireType::Varint) => read.named.visibility = reader.varint()? as i32,
                _ => return read.named.field(3, tag, reader),
            }
            Ok(true)
        })?;
        Ok(read)
    }
}

impl<'a> Value<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut value = Value::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2, WireType::Varint) => value.number = reader.varint()? as i32,
                _ => return value.named.field(3, tag, reader),
            }
            Ok(true)
        })?;
        Ok(value)
    }
}

impl<'a> Service<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut service = Service::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2, WireType::Len) => service.methods.push(reader.len_prefixed()?),
                _ => return service.named.field(3, tag, reader),
            }
            Ok(true)
        })?;
        Ok(service)
    }
}

impl<'a> Method<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut method = Method::default();
        each(body, |tag, reader| {
            match (tag.number(), tag.wire_type()) {
                (2, WireType::Len) => method.input = reader.string()?,
                (3, WireType::Len) => method.output = reader.string()?,
                (5, WireType::Varint) => method.client_streaming = reader.varint()? != 0,
                (6, WireType::Varint) => method.server_streaming = reader.varint()? != 0,
                _ => return method.named.field(4, tag, reader),
            }
            Ok(true)
        })?;
        Ok(method)
    }
}

/// Calls `take` with every field, and skips those that it declines.
fn each<'a>(body: &'a [u8], mut take: impl FnMut(Tag, &mut Reader<'a>) -> Result<bool>) -> Result<()> {
    let mut reader = Reader::new(body);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        if !take(tag, &mut reader)? {
            reader.skip(tag, MAX_NESTING)?;
        }
    }
    Ok(())
}

fn count(body: &[u8], number: u32) -> usize {
    options::messages(body, number).count()
}

fn add_options<'a>(options: &mut Cow<'a, [u8]>, reader: &mut Reader<'a>) -> Result<()> {
    let body = reader.len_prefixed()?;
    options::check(reader.within(body))?;
    // Messages in several occurrences are merged, which appends their bytes.
    match &**options {
        [] => *options = Cow::Borrowed(body),
        _ => options.to_mut().extend_from_slice(body),
    }
    Ok(())
}

fn numbers(list: &mut Vec<i32>, tag: Tag, reader: &mut Reader<'_>) -> Result<()> {
    if tag.wire_type() == WireType::Varint {
        list.push(reader.varint()? as i32);
        return Ok(());
    }
    let mut packed = Reader::new(reader.len_prefixed()?);
    while !packed.is_empty() {
        list.push(packed.varint()? as i32);
    }
    Ok(())
}

/// An extension range, whose options are checked.
fn range(body: &[u8]) -> Result<(i32, i32)> {
    let mut range = (0, 0);
    each(body, |tag, reader| {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Varint) => range.0 = reader.varint()? as i32,
            (2, WireType::Varint) => range.1 = reader.varint()? as i32,
            (3, WireType::Len) => add_options(&mut Cow::default(), reader)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(range)
}

fn reserved(body: &[u8]) -> Result<(i32, i32)> {
    let mut range = (0, 0);
    each(body, |tag, reader| {
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Varint) => range.0 = reader.varint()? as i32,
            (2, WireType::Varint) => range.1 = reader.varint()? as i32,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(range)
}
