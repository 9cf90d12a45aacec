//! A sequence: the elements of a repeated field, or the bytes of a byte string.

use super::value::{Place, ValueSerializer};
use super::{Handed, Walk, failed, number};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan};
use serde::ser::{Serialize, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer};

/// The length of a list is a hint that may be a lie: it is believed up to a megabyte.
pub(super) const MOST: usize = 1 << 20;

/// The elements of a list; nothing is written for an empty one.
pub(super) struct Sequence<'p, K: Handed> {
    /// None after an error.
    sink: Option<K>,
    walk: Walk<'p>,
    field: &'p FieldPlan,
    place: Place<'p>,
    /// Of the elements, where they are messages.
    message: Option<&'p MessagePlan>,
    open: Option<K::List>,
    len: usize,
    index: usize,
    /// Where the sequence is one byte string: the bytes so far. Not a variant of an enum, so that all else stays in
    /// registers.
    bytes: Option<Vec<u8>>,
}

impl<'p, K: Handed> Sequence<'p, K> {
    /// The elements of a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn list(value: ValueSerializer<'p, K>, len: Option<usize>) -> Self {
        let ValueSerializer { sink, walk, field, place } = value;
        let len = len.unwrap_or(0).min(MOST);
        let message = walk.message(field);
        Sequence { sink: Some(sink), walk, field, place, message, open: None, len, index: 0, bytes: None }
    }

    /// The bytes of a byte string.
    #[cold]
    pub(super) fn bytes(value: ValueSerializer<'p, K>, len: Option<usize>) -> Self {
        let bytes = Vec::with_capacity(len.unwrap_or(0).min(4096));
        Sequence { bytes: Some(bytes), ..Self::list(value, None) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if let Some(bytes) = self.bytes.take() {
            // Gone while the byte may fail: then there is nothing to go on with.
            let sink = self.sink.take();
            self.bytes = Some(push(bytes, value)?);
            self.sink = sink;
            return Ok(());
        }
        let Some(mut sink) = self.sink.take() else { return Err(failed()) };
        let Sequence { walk, field, message, .. } = *self;
        if self.index == 0 {
            self.open = Some(sink.begin_list(field, self.len));
        }
        sink.element(field, self.index == 0);
        match value.serialize(ValueSerializer { sink, walk, field, place: Place::Inside(message) }) {
            Ok(sink) => {
                self.sink = Some(sink);
                self.index += 1;
                Ok(())
            }
            Err(error) => Err(error.in_index(self.index)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<K> {
        let Sequence { walk, field, place, .. } = self;
        let Some(mut sink) = self.sink else { return Err(failed()) };
        if let Some(bytes) = self.bytes {
            return ValueSerializer { sink, walk, field, place }.serialize_bytes(&bytes);
        }
        match self.open {
            Some(open) => sink.end_list(field, open),
            None if walk.defaults::<K>() => walk.context.absent(&mut sink, field),
            None => {}
        }
        Ok(sink)
    }
}

#[inline(never)]
fn push<T: Serialize + ?Sized>(mut bytes: Vec<u8>, value: &T) -> Result<Vec<u8>> {
    bytes.push(value.serialize(number::ByteSerializer)?);
    Ok(bytes)
}

impl<K: Handed> SerializeSeq for Sequence<'_, K> {
    type Ok = K;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.element(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<K> {
        self.finish()
    }
}

impl<K: Handed> SerializeTuple for Sequence<'_, K> {
    type Ok = K;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.element(value)
    }

    fn end(self) -> Result<K> {
        self.finish()
    }
}

impl<K: Handed> SerializeTupleStruct for Sequence<'_, K> {
    type Ok = K;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.element(value)
    }

    fn end(self) -> Result<K> {
        self.finish()
    }
}
