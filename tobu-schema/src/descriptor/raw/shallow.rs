//! Reads one level of an encoded `FileDescriptorProto` at a time. The pool skips nested elements, and reads each of
//! them when it builds the descriptor of the element (linking). Structs for the whole file would take many times the
//! memory of the encoded bytes.
//!
//! If the input is malformed, the errors of this module have no position. `FileDescriptorProto::decode` then fails
//! for the same bytes, and its error has the position.

use std::borrow::Cow;

use super::{MAX_NESTING, options};
use crate::error::{Error, LimitError, Result, WireError};
use crate::wire::{Reader, WireType};
use Content::{Len, Varint};

/// The bytes of a nested element.
pub type Body<'a> = &'a [u8];

/// The parts of a file that determine the order of linking and the sizes of the tables.
#[derive(Default)]
pub struct Header<'a> {
    pub(crate) name: Option<&'a str>,
    /// The names of all imports, including imports for options.
    pub(crate) imports: Vec<&'a str>,
    pub(crate) counts: Counts,
}

/// The number of elements that a file declares, including nested ones.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub(crate) messages: usize,
    /// The number of fields and extensions.
    pub(crate) fields: usize,
    pub(crate) oneofs: usize,
    pub(crate) enums: usize,
    pub(crate) values: usize,
    pub(crate) services: usize,
    pub(crate) methods: usize,
}

#[derive(Default)]
pub struct File<'a> {
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

/// The parts that elements of every kind have: the name and the options.
#[derive(Default)]
pub struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) options: Cow<'a, [u8]>,
    /// The visibility, if the element is a message or an enum.
    pub(crate) visibility: i32,
}

#[derive(Default)]
pub struct Members<'a> {
    pub(crate) fields: Vec<Body<'a>>,
    pub(crate) extensions: Vec<Body<'a>>,
    pub(crate) messages: Vec<Body<'a>>,
    pub(crate) enums: Vec<Body<'a>>,
    pub(crate) oneofs: Vec<Body<'a>>,
    /// The start and the end of each range. The end is exclusive.
    pub(crate) extension_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_names: Vec<&'a str>,
}

#[derive(Default)]
pub struct Field<'a> {
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
pub struct Enum<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) values: Vec<Body<'a>>,
    /// The start and the end of each range, both inclusive.
    pub(crate) reserved_ranges: Vec<(i32, i32)>,
    pub(crate) reserved_names: Vec<&'a str>,
}

#[derive(Default)]
pub struct Value<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) number: i32,
}

#[derive(Default)]
pub struct Service<'a> {
    pub(crate) named: Named<'a>,
    pub(crate) methods: Vec<Body<'a>>,
}

#[derive(Default)]
pub struct Method<'a> {
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
        each(file, &mut |number, value| {
            match (number, value) {
                (1, Len(value)) => header.name = Some(text(value)?),
                (3 | 15, Len(value)) => header.imports.push(text(value)?),
                (4, Len(value)) => counts.message(value, MAX_NESTING)?,
                (5, Len(value)) => counts.enumeration(value),
                (6, Len(value)) => {
                    counts.services += 1;
                    counts.methods += count(value, 2);
                }
                (7, Len(_)) => counts.fields += 1,
                _ => {}
            }
            Ok(())
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
        each(body, &mut |number, value| {
            match (number, value) {
                (2 | 6, Len(_)) => self.fields += 1,
                (3, Len(value)) => self.message(value, depth)?,
                (4, Len(value)) => self.enumeration(value),
                (8, Len(_)) => self.oneofs += 1,
                _ => {}
            }
            Ok(())
        })
    }

    /// Counts an enum and its values. If a field is malformed, the count stops, because linking reports this field as
    /// an error later.
    fn enumeration(&mut self, body: &[u8]) {
        self.enums += 1;
        self.values += count(body, 2);
    }
}

impl<'a> File<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut file = File::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (1, Len(value)) => file.name = Some(text(value)?),
                (2, Len(value)) => file.package = Some(text(value)?),
                (3, Len(value)) => file.dependency.push(text(value)?),
                (4, Len(value)) => file.messages.push(value),
                (5, Len(value)) => file.enums.push(value),
                (6, Len(value)) => file.services.push(value),
                (7, Len(value)) => file.extensions.push(value),
                (8, Len(value)) => add_options(&mut file.options, value)?,
                (10, value) => numbers(&mut file.public_dependency, value)?,
                (11, value) => numbers(&mut file.weak_dependency, value)?,
                (12, Len(value)) => file.syntax = Some(text(value)?),
                (14, Varint(value)) => file.edition = Some(value as i32),
                (15, Len(value)) => file.option_dependency.push(text(value)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(file)
    }
}

impl<'a> Named<'a> {
    /// Reads the name, the options and the visibility of a message.
    pub(crate) fn message(body: Body<'a>) -> Result<Self> {
        let mut named = Named::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (11, Varint(value)) => named.visibility = value as i32,
                _ => named.field(7, number, value)?,
            }
            Ok(())
        })?;
        Ok(named)
    }

    /// Reads the name and the options of a oneof.
    pub(crate) fn oneof(body: Body<'a>) -> Result<Self> {
        let mut named = Named::default();
        each(body, &mut |number, value| named.field(2, number, value))?;
        Ok(named)
    }

    fn field(&mut self, options: u32, number: u32, value: Content<'a>) -> Result<()> {
        match (number, value) {
            (1, Len(value)) => self.name = text(value)?,
            (_, Len(value)) if number == options => add_options(&mut self.options, value)?,
            _ => {}
        }
        Ok(())
    }
}

impl<'a> Members<'a> {
    pub(crate) fn read(message: Body<'a>) -> Result<Self> {
        let mut members = Members::default();
        each(message, &mut |number, value| {
            match (number, value) {
                (2, Len(value)) => members.fields.push(value),
                (3, Len(value)) => members.messages.push(value),
                (4, Len(value)) => members.enums.push(value),
                (5, Len(value)) => members.extension_ranges.push(range(value)?),
                (6, Len(value)) => members.extensions.push(value),
                (8, Len(value)) => members.oneofs.push(value),
                (9, Len(value)) => members.reserved_ranges.push(reserved(value)?),
                (10, Len(value)) => members.reserved_names.push(text(value)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(members)
    }
}

impl<'a> Field<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut field = Field::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (1, Len(value)) => field.name = text(value)?,
                (2, Len(value)) => field.extendee = Some(text(value)?),
                (3, Varint(value)) => field.number = value as i32,
                (4, Varint(value)) => field.label = Some(value as i32),
                (5, Varint(value)) => field.ty = Some(value as i32),
                (6, Len(value)) => field.type_name = Some(text(value)?),
                (7, Len(value)) => field.default_value = Some(text(value)?),
                (8, Len(value)) => add_options(&mut field.options, value)?,
                (9, Varint(value)) => field.oneof_index = Some(value as i32),
                (10, Len(value)) => field.json_name = Some(text(value)?),
                (17, Varint(value)) => field.proto3_optional = value != 0,
                _ => {}
            }
            Ok(())
        })?;
        Ok(field)
    }
}

impl<'a> Enum<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut read = Enum::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (2, Len(value)) => read.values.push(value),
                (4, Len(value)) => read.reserved_ranges.push(reserved(value)?),
                (5, Len(value)) => read.reserved_names.push(text(value)?),
                (6, Varint(value)) => read.named.visibility = value as i32,
                _ => read.named.field(3, number, value)?,
            }
            Ok(())
        })?;
        Ok(read)
    }
}

impl<'a> Value<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut read = Value::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (2, Varint(value)) => read.number = value as i32,
                _ => read.named.field(3, number, value)?,
            }
            Ok(())
        })?;
        Ok(read)
    }
}

impl<'a> Service<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut service = Service::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (2, Len(value)) => service.methods.push(value),
                _ => service.named.field(3, number, value)?,
            }
            Ok(())
        })?;
        Ok(service)
    }
}

impl<'a> Method<'a> {
    pub(crate) fn read(body: Body<'a>) -> Result<Self> {
        let mut method = Method::default();
        each(body, &mut |number, value| {
            match (number, value) {
                (2, Len(value)) => method.input = text(value)?,
                (3, Len(value)) => method.output = text(value)?,
                (5, Varint(value)) => method.client_streaming = value != 0,
                (6, Varint(value)) => method.server_streaming = value != 0,
                _ => method.named.field(4, number, value)?,
            }
            Ok(())
        })?;
        Ok(method)
    }
}

#[derive(Clone, Copy)]
enum Content<'a> {
    Varint(u64),
    Len(&'a [u8]),
}

/// Calls `take` with each field that is a varint or has a length prefix, and skips all others. The function is not
/// generic over kinds of elements, so it is compiled once.
#[inline(never)]
fn each<'a>(body: &'a [u8], take: &mut dyn FnMut(u32, Content<'a>) -> Result<()>) -> Result<()> {
    let mut reader = Reader::new(body);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        let content = match tag.wire_type() {
            WireType::Varint => Varint(reader.varint()?),
            WireType::Len => Len(reader.len_prefixed()?),
            _ => {
                reader.skip(tag, MAX_NESTING)?;
                continue;
            }
        };
        take(tag.number(), content)?;
    }
    Ok(())
}

#[inline(never)]
fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| Error::wire(WireError::Utf8, 0))
}

fn count(body: &[u8], number: u32) -> usize {
    let mut count = 0;
    for _ in options::messages(body, number) {
        count += 1;
    }
    count
}

fn add_options<'a>(options: &mut Cow<'a, [u8]>, body: &'a [u8]) -> Result<()> {
    options::check(Reader::new(body))?;
    // If a message occurs several times, its occurrences are merged. For encoded messages, this means that their
    // bytes are appended.
    match &**options {
        [] => *options = Cow::Borrowed(body),
        _ => options.to_mut().extend_from_slice(body),
    }
    Ok(())
}

fn numbers(list: &mut Vec<i32>, content: Content<'_>) -> Result<()> {
    match content {
        Varint(number) => list.push(number as i32),
        Len(packed) => {
            let mut packed = Reader::new(packed);
            while !packed.is_empty() {
                list.push(packed.varint()? as i32);
            }
        }
    }
    Ok(())
}

/// Returns the start and the end of an extension range, after checking its options.
fn range(body: &[u8]) -> Result<(i32, i32)> {
    let mut range = (0, 0);
    each(body, &mut |number, value| {
        match (number, value) {
            (1, Varint(value)) => range.0 = value as i32,
            (2, Varint(value)) => range.1 = value as i32,
            (3, Len(value)) => add_options(&mut Cow::default(), value)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(range)
}

fn reserved(body: &[u8]) -> Result<(i32, i32)> {
    let mut range = (0, 0);
    each(body, &mut |number, value| {
        match (number, value) {
            (1, Varint(value)) => range.0 = value as i32,
            (2, Varint(value)) => range.1 = value as i32,
            _ => {}
        }
        Ok(())
    })?;
    Ok(range)
}
