//! Descriptors from anywhere: linked, printed, and used.

use crate::counting;
use crate::generate::{self, Choices};
use crate::mutate::{BUILT, Syntax};
use crate::rng::Rng;
use crate::targets::source;
use std::borrow::Cow;
use tobu::{DynamicMessage, Pool};

/// The descriptor set of an input: the bytes after its first one, or a random schema with damage.
fn set(data: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (&kind, rest) = data.split_first()?;
    if kind & BUILT == 0 {
        return Some(rest.into());
    }
    let choices = Choices::of(rest);
    let mut set = generate::set_of([choices.file()]);
    choices.hurt(&mut set, Syntax::Wire);
    Some(set.into())
}

/// A descriptor set.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let kind = rng.next() as u8;
    let rest = if kind & BUILT == 0 { generate::descriptor_set(rng) } else { generate::choices(rng) };
    [&[kind][..], &rest].concat()
}

/// A descriptor set is rejected, or makes a usable pool, which can be rebuilt from its own bytes.
pub(super) fn pool(data: &[u8]) {
    let Some(set) = set(data) else { return };
    let data = &*set;
    let (held, pool) = counting::peak(|| Pool::from_descriptor_set(data));
    // A pool takes more than a message of the same bytes: a descriptor has names, tables and features.
    assert!(held <= 128 * data.len() + (1 << 20), "{held} bytes for {}", data.len());
    let mut added = Pool::new();
    let done = added.add_descriptor_set(data);
    assert_eq!(pool.as_ref().map(drop).map_err(ToString::to_string), done.map_err(|error| error.to_string()));
    let Ok(pool) = pool else {
        assert_eq!(added.files().len(), 0, "a pool is as it was after an error");
        return;
    };
    let set = pool.to_descriptor_set();
    let again = Pool::from_descriptor_set(&set).expect("its own bytes give it again");
    assert_eq!(again.to_descriptor_set(), set);
    assert!(added.add_descriptor_set(&set).is_ok(), "the same files can be added again");
    for message in pool.messages() {
        assert_eq!(pool.message(message.full_name()).as_ref(), Some(&message));
        for field in message.fields() {
            assert_eq!(message.field_by_number(field.number()).as_ref(), Some(&field));
            assert_eq!(message.field_by_name(field.name()).as_ref(), Some(&field));
            let _ = (field.json_name(), field.has_presence(), field.is_packed(), field.shape(), field.kind());
        }
        let _ = message.options();
        // The schema is used: empty, and with its own bytes.
        if let Ok(empty) = DynamicMessage::decode(&message, b"") {
            assert_eq!(empty.encode_to_vec().unwrap(), b"");
        }
        let mut out = Vec::new();
        let done = tobu::convert::wire_to_json(&message, data, &mut out);
        let decoded = DynamicMessage::decode(&message, data);
        if let Ok(decoded) = &decoded {
            let bytes = decoded.encode_to_vec().unwrap();
            assert_eq!(DynamicMessage::decode(&message, &bytes).unwrap().encoded_len(), bytes.len());
        }
        assert!(decoded.is_ok() || done.is_err(), "transcoding accepts no more than decoding");
    }
    for service in pool.services() {
        for method in service.methods() {
            let _ = (method.input(), method.output(), method.options());
        }
    }
}

/// A schema prints as source, the same when rebuilt from its own bytes, and the source compiles to the same descriptors.
pub(super) fn proto_text(data: &[u8]) {
    let Some(data) = set(data) else { return };
    let Ok(pool) = Pool::from_descriptor_set(&data) else { return };
    let again = Pool::from_descriptor_set(&pool.to_descriptor_set()).expect("its own bytes give it again");
    for (file, other) in pool.files().zip(again.files()) {
        let (held, text) = counting::peak(|| file.to_proto_text());
        // Options print in full, each of a byte or two perhaps with the longest name in the file.
        let most = 64 * data.len() + (1 << 20);
        assert!(held <= most, "{held} bytes for {} to print {}", data.len(), file.name());
        let text = text.expect("a linked file can be printed");
        assert_eq!(text, other.to_proto_text().expect("the same file can be printed"));
    }
    source::reads_back(&pool);
}
