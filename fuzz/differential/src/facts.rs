//! What is unusual about wire bytes, for the conditions of the table of known differences.

use tobu::wire::{Reader, WireType};
use tobu::{EnumDescriptor, FieldDescriptor, MessageDescriptor};

/// What occurs anywhere in a message, as far as its bytes can be read.
#[derive(Debug, Default)]
pub struct Facts {
    /// A length that takes more than five bytes.
    pub long_length: bool,
    /// A map entry with a field that it does not have, or with an unknown number of a closed enum.
    pub entry_with_unknown: bool,
    /// A number that a closed enum does not have.
    pub unknown_of_closed: bool,
    /// A number of `NullValue` other than 0.
    pub null_number: bool,
    /// A message of type `Any`.
    pub any: bool,
    /// A group.
    pub group: bool,
    /// A map entry.
    pub map: bool,
    /// A map that comes as something else than entries with a length.
    pub map_of_other_type: bool,
}

impl Facts {
    /// Those of a message's bytes.
    pub fn of(message: &MessageDescriptor, wire: &[u8]) -> Self {
        let mut facts = Facts::default();
        facts.message(Some(message), Reader::new(wire));
        facts
    }

    /// Looks at fields up to the first that cannot be read; those of an unknown group are of no message.
    fn message(&mut self, message: Option<&MessageDescriptor>, mut reader: Reader<'_>) {
        let is_entry = message.is_some_and(MessageDescriptor::is_map_entry);
        self.any |= message.is_some_and(|message| message.full_name() == "google.protobuf.Any");
        let field_of = |number| message.and_then(|message| message.field_by_number(number));
        while let Ok(tag) = reader.tag() {
            let (start, whole) = (reader.position(), reader.rest());
            self.group |= tag.wire_type() == WireType::StartGroup;
            let is_map = field_of(tag.number()).is_some_and(|field| field.is_map());
            self.map |= is_map;
            self.map_of_other_type |= is_map && tag.wire_type() != WireType::Len;
            if reader.skip(tag, 100).is_err() {
                // What is wrong may come after what is unusual.
                if let (WireType::Len, Some(field)) = (tag.wire_type(), field_of(tag.number())) {
                    self.content(&field, whole);
                }
                return;
            }
            let value = &whole[..reader.position() - start];
            let Some(field) = field_of(tag.number()) else {
                self.entry_with_unknown |= is_entry;
                match tag.wire_type() {
                    WireType::Len => drop(self.length(value)),
                    WireType::StartGroup => self.unknown_group(tag.number(), value),
                    _ => {}
                }
                continue;
            };
            match tag.wire_type() {
                WireType::Len => self.content(&field, value),
                WireType::StartGroup if field.is_delimited() => {
                    if let (Some(message), Ok(inner)) =
                        (field.message_type(), Reader::new(value).group(tag.number(), 100))
                    {
                        self.message(Some(&message), Reader::new(inner));
                    }
                }
                WireType::StartGroup => {
                    self.entry_with_unknown |= is_entry;
                    self.unknown_group(tag.number(), value);
                }
                WireType::Varint if field.enum_type().is_some() => {
                    self.number(&field, Reader::new(value).varint().unwrap_or_default());
                }
                found => {
                    self.entry_with_unknown |= is_entry && found != field.kind().wire_type();
                }
            }
        }
    }

    /// Notes how long a length is, and gives the reader of what follows it.
    fn length<'a>(&mut self, value: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader::new(value);
        let _ = reader.varint();
        self.long_length |= reader.position() > 5;
        reader
    }

    fn unknown_group(&mut self, number: u32, value: &[u8]) {
        if let Ok(inner) = Reader::new(value).group(number, 100) {
            self.message(None, Reader::new(inner));
        }
    }

    fn content(&mut self, field: &FieldDescriptor, value: &[u8]) {
        let mut reader = self.length(value);
        self.entry_with_unknown |=
            field.message().is_map_entry() && field.kind().wire_type() != WireType::Len;
        match (field.message_type(), field.enum_type()) {
            (Some(message), _) => self.message(Some(&message), reader),
            (_, Some(_)) => {
                while let Ok(number) = reader.varint() {
                    self.number(field, number);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, field: &FieldDescriptor, number: u64) {
        let Some(ty) = field.enum_type() else { return };
        if !has(&ty, number) && ty.is_closed() {
            self.unknown_of_closed = true;
            self.entry_with_unknown |= field.message().is_map_entry();
        }
        self.null_number |= ty.full_name() == "google.protobuf.NullValue" && number as i32 != 0;
    }
}

fn has(ty: &EnumDescriptor, number: u64) -> bool {
    ty.value_by_number(number as i32).is_some()
}
