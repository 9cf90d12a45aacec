//! Converts message sets. A message set is an old form of extensions, in which each extension is an item.
//!
//! An item is a group with number 1. The group has the number of an extension in field 2 and an encoded message in field
//! 3. All formats except the wire format represent an item as a message field that has the number of the extension. The
//! decoder of the wire format also accepts such a field in a message set, and the encoder writes it as an item.

use super::reader::Reader;
use super::tag::{MAX_FIELD_NUMBER, Tag, WireType};
use super::writer::Writer;
use crate::error::Result;
use std::borrow::Cow;

const ITEM: u32 = 1;
const TYPE_ID: u32 = 2;
const MESSAGE: u32 = 3;

/// How deep groups may be nested in fields that are skipped.
const DEPTH: u32 = 100;

/// Converts the items of a message set to the fields that they represent. Returns these fields together with the
/// length-prefixed fields of the set, and the unchanged rest. The rest is the fields with other wire types, and the items that
/// have no number or no message, or whose number is not a valid field number.
///
/// # Errors
/// The bytes are malformed, or the fields are longer than 2 GiB.
pub fn items_to_fields(set: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut fields, mut rest) = (Writer::new(), Vec::new());
    let mut reader = Reader::new(set);
    while !reader.is_empty() {
        let start = reader.rest();
        let tag = reader.tag()?;
        let found = match (tag.number(), tag.wire_type()) {
            (ITEM, WireType::StartGroup) => {
                let content = reader.group(ITEM, DEPTH)?;
                item(reader.within(content))?
            }
            (number, WireType::Len) => Some((number, reader.len_prefixed()?.into())),
            _ => {
                reader.skip(tag, DEPTH)?;
                None
            }
        };
        match found {
            Some((number, message)) => {
                fields.tag(Tag::new(number, WireType::Len));
                fields.len_prefixed(&message);
            }
            None => rest.extend_from_slice(&start[..start.len() - reader.rest().len()]),
        }
    }
    Ok((fields.finish()?, rest))
}

/// Returns the number and the message of an item, or `None` if one of them is missing or the number is not valid. If the
/// message occurs several times, its occurrences are concatenated.
fn item(mut reader: Reader<'_>) -> Result<Option<(u32, Cow<'_, [u8]>)>> {
    let mut number = None;
    let mut message: Option<Cow<'_, [u8]>> = None;
    while !reader.is_empty() {
        let tag = reader.tag()?;
        match (tag.number(), tag.wire_type()) {
            (TYPE_ID, WireType::Varint) => number = Some(reader.varint()?),
            (MESSAGE, WireType::Len) => {
                let piece = reader.len_prefixed()?;
                match &mut message {
                    Some(message) => message.to_mut().extend_from_slice(piece),
                    None => message = Some(piece.into()),
                }
            }
            _ => reader.skip(tag, DEPTH)?,
        }
    }
    let number = number.and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (1..=MAX_FIELD_NUMBER).contains(number));
    Ok(number.zip(message))
}

/// Converts length-prefixed fields, which contain messages, to items of a message set. Other fields are unchanged.
///
/// # Errors
/// The bytes are malformed, or the items are longer than 2 GiB.
pub fn fields_to_items(fields: &[u8]) -> Result<Vec<u8>> {
    let mut items = Writer::new();
    let mut reader = Reader::new(fields);
    while !reader.is_empty() {
        let start = reader.rest();
        let tag = reader.tag()?;
        if tag.wire_type() == WireType::Len {
            let message = reader.len_prefixed()?;
            items.tag(Tag::new(ITEM, WireType::StartGroup));
            items.tag(Tag::new(TYPE_ID, WireType::Varint));
            items.varint(u64::from(tag.number()));
            items.tag(Tag::new(MESSAGE, WireType::Len));
            items.len_prefixed(message);
            items.tag(Tag::new(ITEM, WireType::EndGroup));
        } else {
            reader.skip(tag, DEPTH)?;
            items.raw(&start[..start.len() - reader.rest().len()]);
        }
    }
    items.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM_OF_5: &[u8] = b"\x0b\x10\x05\x1a\x02\x08\x01\x0c";
    const FIELD_5: &[u8] = b"\x2a\x02\x08\x01";

    #[test]
    fn items_become_fields_and_the_rest_stays() {
        let rows: [(&[u8], &[u8], &[u8]); 10] = [
            (b"", b"", b""),
            (ITEM_OF_5, FIELD_5, b""),
            (b"\x0b\x1a\x02\x08\x01\x10\x05\x0c", FIELD_5, b""),
            (b"\x0b\x10\x05\x1a\x01\x08\x1a\x01\x01\x0c", FIELD_5, b""),
            (b"\x0b\x10\x05\x20\x09\x1a\x02\x08\x01\x0c", FIELD_5, b""),
            (FIELD_5, FIELD_5, b""),
            (b"\x28\x07", b"", b"\x28\x07"),
            (b"\x0b\x10\x05\x0c", b"", b"\x0b\x10\x05\x0c"),
            (b"\x0b\x1a\x00\x0c", b"", b"\x0b\x1a\x00\x0c"),
            (b"\x0b\x10\x80\x80\x80\x80\x02\x1a\x00\x0c", b"", b"\x0b\x10\x80\x80\x80\x80\x02\x1a\x00\x0c"),
        ];
        for (set, fields, rest) in rows {
            assert_eq!(items_to_fields(set).unwrap(), (fields.to_vec(), rest.to_vec()), "{set:?}");
        }
        let error = items_to_fields(b"\x0b\x10\x05").unwrap_err();
        assert_eq!(error.to_string(), "group of field 1 is never closed (at byte 3)");
    }

    #[test]
    fn fields_become_items_and_the_rest_stays() {
        let rows: [(&[u8], &[u8]); 4] =
            [(b"", b""), (FIELD_5, ITEM_OF_5), (b"\x28\x07", b"\x28\x07"), (ITEM_OF_5, ITEM_OF_5)];
        for (fields, items) in rows {
            assert_eq!(fields_to_items(fields).unwrap(), items, "{fields:?}");
        }
        assert_eq!(
            fields_to_items(b"\x2a\x02\x08").unwrap_err().to_string(),
            "length of 2 bytes, but only 1 bytes are left (at byte 2)"
        );
    }
}
