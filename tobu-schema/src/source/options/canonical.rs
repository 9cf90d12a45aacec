//! Messages of `descriptor.proto` as protoc writes them: fields in the order of their numbers, each message once.

use super::scalar;
use crate::descriptor::raw::options::{RawField, fields};
use crate::descriptor::{FieldDescriptor, MessageDescriptor, Pool};

/// The fields of a message in the order of their numbers. Those of a message that is set in pieces are put together.
pub(super) fn canonical(encoded: &[u8], message: &MessageDescriptor, pool: &Pool) -> Vec<u8> {
    let mut list: Vec<RawField<'_>> = fields(encoded).collect();
    list.sort_by_key(|field| field.tag.number());
    let mut out = Vec::with_capacity(encoded.len());
    let mut rest = &list[..];
    while let Some(first) = rest.first() {
        let number = first.tag.number();
        let count = rest.iter().take_while(|field| field.tag.number() == number).count();
        let (same, behind) = rest.split_at(count);
        rest = behind;
        match nested(message, number, pool) {
            Some(field) => {
                let contents: Vec<u8> =
                    same.iter().flat_map(|field| field.len_prefixed()).flatten().copied().collect();
                let inner = field.message_type().map(|inner| canonical(&contents, &inner, pool));
                out.extend(scalar::message(&field, &inner.unwrap_or(contents)));
            }
            None => same.iter().for_each(|field| out.extend_from_slice(field.bytes)),
        }
    }
    out
}

/// The field of a number, if it is a message that is there once.
fn nested(message: &MessageDescriptor, number: u32, pool: &Pool) -> Option<FieldDescriptor> {
    let field = match message.field_by_number(number) {
        Some(field) => field,
        None => pool.extension_of(message, number)?.field().clone(),
    };
    let is_message = field.message_type().is_some() && !field.is_list() && !field.is_map();
    if is_message && !field.is_delimited() { Some(field) } else { None }
}
