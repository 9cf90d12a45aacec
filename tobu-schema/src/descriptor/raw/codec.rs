//! Reads and writes the structs for `descriptor.proto`. Each struct has one list with the numbers and names of its
//! members, which is used in both directions.

use std::borrow::Cow;

use super::options::{self, MAX_NESTING, Options};
use super::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, ExtensionRange, FieldDescriptorProto,
    FileDescriptorProto, MethodDescriptorProto, OneofDescriptorProto, ReservedRange, ServiceDescriptorProto,
};
use crate::error::{Error, LimitError, Result};
use crate::wire::{Reader, WireType};
use Member::{Bool, Bytes, Int, Ints, Messages, Text, Texts};

impl<'a> FileDescriptorProto<'a> {
    /// Parses a serialized `FileDescriptorProto`. Repeated occurrences of a field are merged, and unknown fields are
    /// kept.
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self> {
        let mut file = FileDescriptorProto::default();
        parse(&mut file, Reader::new(bytes), MAX_NESTING)?;
        Ok(file)
    }

    /// Returns the serialized `FileDescriptorProto`. The fields are in the order of their numbers, and the unknown
    /// fields come last.
    pub(crate) fn encode(&self) -> Vec<u8> {
        // Reading and writing share one list of members, which returns mutable references. Therefore writing needs a
        // clone.
        write(&mut self.clone()).into_encoded()
    }
}

/// Splits a serialized `FileDescriptorSet` into the serialized `FileDescriptorProto`s.
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

/// A struct for a message of `descriptor.proto`.
trait Raw<'a> {
    /// Returns the name and the member for a field number; `None` if the struct has no such member.
    fn member(&mut self, number: u32) -> Option<(&'static str, Member<'_, 'a>)>;

    fn unknown(&mut self) -> &mut Vec<u8>;
}

/// The highest field number of a member in these structs.
const LAST: u32 = 17;

enum Member<'m, 'a> {
    Text(&'m mut Option<Cow<'a, str>>),
    Texts(&'m mut Vec<Cow<'a, str>>),
    Int(&'m mut Option<i32>),
    /// The list is read whether it is packed or not, and written unpacked.
    Ints(&'m mut Vec<i32>),
    Bool(&'m mut Option<bool>),
    Bytes(&'m mut Option<Vec<u8>>),
    Options(&'m mut Option<Options>),
    Messages(&'m mut dyn Repeated<'a>),
}

/// A list of messages.
trait Repeated<'a> {
    /// Adds an empty message, into which the caller reads, because moving a large message is slow. Also returns the index of
    /// the message, and how many levels of nesting the message adds.
    fn add(&mut self) -> (&mut dyn Raw<'a>, usize, u32);

    fn each(&mut self, visit: &mut dyn FnMut(&mut dyn Raw<'a>));
}

trait Element<'a>: Raw<'a> + Default {
    /// How many levels of nesting an element adds. Only messages can be nested in one another.
    const LEVELS: u32 = 0;
}

impl<'a, T: Element<'a>> Repeated<'a> for Vec<T> {
    fn add(&mut self) -> (&mut dyn Raw<'a>, usize, u32) {
        let index = self.len();
        self.push(T::default());
        (&mut self[index], index, T::LEVELS)
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut dyn Raw<'a>)) {
        self.iter_mut().for_each(|message| visit(message));
    }
}

fn parse<'a>(message: &mut dyn Raw<'a>, mut reader: Reader<'a>, depth: u32) -> Result<()> {
    while !reader.is_empty() {
        let start = reader.rest();
        let (tag, position) = (reader.tag()?, reader.position());
        let known = match (tag.wire_type(), message.member(tag.number())) {
            (WireType::Varint, Some((_, Int(member)))) => {
                *member = Some(reader.varint()? as i32);
                true
            }
            (WireType::Varint, Some((_, Bool(member)))) => {
                *member = Some(reader.varint()? != 0);
                true
            }
            (WireType::Varint, Some((_, Ints(list)))) => {
                list.push(reader.varint()? as i32);
                true
            }
            (WireType::Len, Some((name, member))) => {
                read(member, &mut reader, depth, position).map_err(|error| error.in_field(name))?
            }
            _ => false,
        };
        if !known {
            reader.skip(tag, MAX_NESTING)?;
            message.unknown().extend_from_slice(&start[..start.len() - reader.rest().len()]);
        }
    }
    Ok(())
}

/// Reads a member whose values have a length prefix. Returns false if the member is a number.
fn read<'a>(member: Member<'_, 'a>, reader: &mut Reader<'a>, depth: u32, position: usize) -> Result<bool> {
    match member {
        Text(member) => *member = Some(Cow::Borrowed(reader.string()?)),
        Texts(list) => {
            let text = reader.string().map_err(|error| error.in_index(list.len()))?;
            list.push(Cow::Borrowed(text));
        }
        Bytes(member) => member.get_or_insert_default().extend_from_slice(reader.len_prefixed()?),
        Member::Options(member) => {
            let body = reader.len_prefixed()?;
            options::check(reader.within(body))?;
            member.get_or_insert_default().extend(body);
        }
        Ints(list) => {
            let body = reader.len_prefixed()?;
            let mut body = reader.within(body);
            while !body.is_empty() {
                list.push(body.varint()? as i32);
            }
        }
        Messages(list) => {
            let (message, index, levels) = list.add();
            let Some(depth) = depth.checked_sub(levels) else {
                return Err(Error::limit(LimitError::Depth(MAX_NESTING)).at_byte(position));
            };
            let body = reader.len_prefixed().map_err(|error| error.in_index(index))?;
            parse(message, reader.within(body), depth).map_err(|error| error.in_index(index))?;
        }
        Int(_) | Bool(_) => return Ok(false),
    }
    Ok(true)
}

fn write(message: &mut dyn Raw<'_>) -> Options {
    let mut out = Options::default();
    for number in 1..=LAST {
        let Some((_, member)) = message.member(number) else { continue };
        match member {
            Text(member) => {
                member.iter().for_each(|text| out.push_bytes(number, text.as_bytes()));
            }
            Texts(list) => list.iter().for_each(|text| out.push_bytes(number, text.as_bytes())),
            Int(member) => member.iter().for_each(|value| out.push_varint(number, i64::from(*value) as u64)),
            Ints(list) => list.iter().for_each(|value| out.push_varint(number, i64::from(*value) as u64)),
            Bool(member) => member.iter().for_each(|value| out.push_varint(number, (*value).into())),
            Bytes(member) => member.iter().for_each(|bytes| out.push_bytes(number, bytes)),
            Member::Options(member) => {
                member.iter().for_each(|options| out.push_bytes(number, options.encoded()));
            }
            Messages(list) => {
                list.each(&mut |message| out.push_bytes(number, write(message).encoded()));
            }
        }
    }
    out.extend(message.unknown());
    out
}

/// Lists the field number and the kind of each member of a struct. The name of a field is the name of its member, unless the
/// list has another name.
macro_rules! members {
    ($($type:ident $(<$lifetime:lifetime>)? { $($number:literal $kind:path: $member:ident $(= $name:literal)?,)+ })+) => {
        $(
            impl<'a> Raw<'a> for $type $(<$lifetime>)? {
                fn member(&mut self, number: u32) -> Option<(&'static str, Member<'_, 'a>)> {
                    Some(match number {
                        $($number => (members!(@name $member $($name)?), $kind(&mut self.$member)),)+
                        _ => return None,
                    })
                }

                fn unknown(&mut self) -> &mut Vec<u8> {
                    &mut self.unknown
                }
            }
        )+
    };
    (@name $member:ident) => { stringify!($member) };
    (@name $member:ident $name:literal) => { $name };
}

members! {
    FileDescriptorProto<'a> {
        1 Text: name, 2 Text: package, 3 Texts: dependency, 4 Messages: message_type, 5 Messages: enum_type,
        6 Messages: service, 7 Messages: extension, 8 Member::Options: options, 9 Bytes: source_code_info,
        10 Ints: public_dependency, 11 Ints: weak_dependency, 12 Text: syntax, 14 Int: edition,
        15 Texts: option_dependency,
    }
    DescriptorProto<'a> {
        1 Text: name, 2 Messages: field, 3 Messages: nested_type, 4 Messages: enum_type,
        5 Messages: extension_range, 6 Messages: extension, 7 Member::Options: options, 8 Messages: oneof_decl,
        9 Messages: reserved_range, 10 Texts: reserved_name, 11 Int: visibility,
    }
    ExtensionRange { 1 Int: start, 2 Int: end, 3 Member::Options: options, }
    ReservedRange { 1 Int: start, 2 Int: end, }
    FieldDescriptorProto<'a> {
        1 Text: name, 2 Text: extendee, 3 Int: number, 4 Int: label, 5 Int: ty = "type", 6 Text: type_name,
        7 Text: default_value, 8 Member::Options: options, 9 Int: oneof_index, 10 Text: json_name,
        17 Bool: proto3_optional,
    }
    OneofDescriptorProto<'a> { 1 Text: name, 2 Member::Options: options, }
    EnumDescriptorProto<'a> {
        1 Text: name, 2 Messages: value, 3 Member::Options: options, 4 Messages: reserved_range,
        5 Texts: reserved_name, 6 Int: visibility,
    }
    EnumValueDescriptorProto<'a> { 1 Text: name, 2 Int: number, 3 Member::Options: options, }
    ServiceDescriptorProto<'a> { 1 Text: name, 2 Messages: method, 3 Member::Options: options, }
    MethodDescriptorProto<'a> {
        1 Text: name, 2 Text: input_type, 3 Text: output_type, 4 Member::Options: options,
        5 Bool: client_streaming, 6 Bool: server_streaming,
    }
}

impl<'a> Element<'a> for DescriptorProto<'a> {
    const LEVELS: u32 = 1;
}
impl<'a> Element<'a> for ExtensionRange {}
impl<'a> Element<'a> for ReservedRange {}
impl<'a> Element<'a> for FieldDescriptorProto<'a> {}
impl<'a> Element<'a> for OneofDescriptorProto<'a> {}
impl<'a> Element<'a> for EnumDescriptorProto<'a> {}
impl<'a> Element<'a> for EnumValueDescriptorProto<'a> {}
impl<'a> Element<'a> for ServiceDescriptorProto<'a> {}
impl<'a> Element<'a> for MethodDescriptorProto<'a> {}
