//! Checks whether the extensions that messages keep can be read.

use crate::descriptor::Pool;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::algebra::{MAX_DEPTH, too_deep};
use crate::message::reflect::{Reflect, ValueRef};
use crate::object::arena::content::ArenaContent;
use crate::options::DecodeOptions;
use crate::table::pool_extension_table;
use crate::wire::{Reader, WireType, message_set};
use bytes::Bytes;

impl<'a> dyn Reflect + 'a {
    /// Reads all extensions that the pool knows, in this message and in all messages inside, and returns the first error.
    ///
    /// Extensions are kept as unknown fields and read on demand, so decoding a message does not check them.
    ///
    /// ```
    /// # fn example(message: &dyn tobu::Reflect) -> Result<(), tobu::Error> {
    /// message.check_extensions(&tobu::Pool::global())
    /// # }
    /// ```
    ///
    /// # Errors
    /// An extension is malformed or lacks a required field, or messages nest deeper than 100 levels.
    pub fn check_extensions(&self, pool: &Pool) -> Result<()> {
        let descriptor = self.descriptor();
        check(self, pool, MAX_DEPTH).map_err(|error| error.in_message(descriptor.full_name()))
    }
}

fn check(message: &dyn Reflect, pool: &Pool, depth: u32) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    if !message.unknown_fields().is_empty() {
        check_fields(message, pool, depth)?;
    }
    for (field, value) in message.fields() {
        let checked = match value {
            ValueRef::Message(inner) => check(&*inner, pool, depth),
            ValueRef::List(list) => list.iter().enumerate().try_for_each(|(index, element)| match element {
                ValueRef::Message(inner) => {
                    check(&*inner, pool, depth).map_err(|error| error.in_index(index))
                }
                _ => Ok(()),
            }),
            ValueRef::Map(entries) => {
                entries.entries().into_iter().try_for_each(|(key, value)| match value {
                    ValueRef::Message(inner) => {
                        check(&*inner, pool, depth).map_err(|error| error.in_key(key))
                    }
                    _ => Ok(()),
                })
            }
            _ => Ok(()),
        };
        checked.map_err(|error| error.in_field(field.name()))?;
    }
    Ok(())
}

fn check_fields(message: &dyn Reflect, pool: &Pool, depth: u32) -> Result<()> {
    let descriptor = message.descriptor();
    let Some(table) = pool_extension_table(pool, descriptor.full_name())? else { return Ok(()) };
    let items;
    let mut fields = message.unknown_fields();
    if descriptor.is_message_set() {
        (items, _) = message_set::items_to_fields(fields).map_err(Error::nowhere)?;
        fields = &items;
    }
    let shared = Bytes::copy_from_slice(fields);
    ArenaContent::decode(&table, shared, Limits::default(), depth + 1, false)
        .map_err(|error| error.of_max_depth(MAX_DEPTH).nowhere())?;
    // The messages in these extensions may have extensions, too.
    let mut reader = Reader::new(fields);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        let extension = pool.extension_of(&descriptor, tag.number());
        let inner = extension.as_ref().and_then(|extension| extension.message_type());
        let delimited = extension.as_ref().is_some_and(|extension| extension.field().is_delimited());
        let content = match (inner.is_some(), tag.wire_type()) {
            (true, WireType::Len) if !delimited => reader.len_prefixed()?,
            (true, WireType::StartGroup) if delimited => reader.group(tag.number(), depth)?,
            _ => {
                reader.skip(tag, depth)?;
                continue;
            }
        };
        if let (Some(inner), Some(extension)) = (inner, extension) {
            let options = DecodeOptions::new().partial(true).limits(Limits::default().depth(depth));
            let checked = DynamicMessage::decode_with(&inner, content, options)
                .and_then(|message| check(&message, pool, depth));
            let name = format!("[{}]", extension.full_name());
            checked.map_err(|error| error.nowhere().in_field(&name))?;
        }
    }
    Ok(())
}
