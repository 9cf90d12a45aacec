//! Strategies for proptest. A value is made from bytes, so when the bytes shrink, the value shrinks to fewer and smaller
//! fields.

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};

use super::{Unstructured, dynamic, message};
use crate::descriptor::MessageDescriptor;
use crate::{DynamicMessage, Message};

/// The largest number of bytes for a value. It is enough for dozens of fields.
const BYTES: usize = 512;

/// Returns a strategy for messages of a descriptor.
///
/// ```
/// use proptest::prelude::*;
/// use tobu::arbitrary::dynamic_messages;
/// use tobu::{DynamicMessage, Message, types::Struct};
///
/// proptest!(|(message in dynamic_messages(&Struct::descriptor()))| {
///     let json = message.to_json().unwrap();
///     prop_assert_eq!(DynamicMessage::from_json(&Struct::descriptor(), &json).unwrap(), message);
/// });
/// ```
///
/// # Panics
/// If the type has required messages that are nested without end, the strategy rejects every value, and proptest panics.
pub fn dynamic_messages(descriptor: &MessageDescriptor) -> impl Strategy<Value = DynamicMessage> + use<> {
    let descriptor = descriptor.clone();
    vec(any::<u8>(), 0..BYTES).prop_filter_map("a message without end", move |bytes| {
        dynamic(&descriptor, &mut Unstructured::new(&bytes)).ok()
    })
}

/// Returns a strategy for messages of a Rust type.
///
/// ```
/// use proptest::prelude::*;
/// use tobu::arbitrary::messages;
/// use tobu::{Message, types::FieldMask};
///
/// proptest!(|(mask in messages::<FieldMask>())| {
///     prop_assert_eq!(FieldMask::from_json(&mask.to_json().unwrap()).unwrap(), mask);
/// });
/// ```
///
/// # Panics
/// If [`dynamic_messages`] would panic, this panics, too.
pub fn messages<M: Message + Default + Debug>() -> impl Strategy<Value = M> {
    vec(any::<u8>(), 0..BYTES)
        .prop_filter_map("a message without end", |bytes| message(&mut Unstructured::new(&bytes)).ok())
}
