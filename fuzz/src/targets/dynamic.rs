//! Dynamic messages of any schema, and reflection on them.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded};
use crate::subject::Case;
use std::hash::{DefaultHasher, Hasher};
use tobu::descriptor::Edition;
use tobu::reflect::{Equality, Visit};
use tobu::{DecodeOptions, DynamicMessage, Reflect};

/// Every way to decode, change and encode a dynamic message has the same result.
pub(super) fn dynamic(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let descriptor = &subject.descriptor;
    let options = DecodeOptions::new();
    let message = bounded("decode", wire.len(), || DynamicMessage::decode(descriptor, wire));
    let expected = message.as_ref().map(oracle::canonical);
    if wire.len() > 512 {
        let tight = options.limits(oracle::tight());
        let read = || DynamicMessage::decode_with(descriptor, wire, tight).map(drop);
        let _ = oracle::bounded_tightly("decode", wire.len(), read);
    }
    let message = match (message.as_ref(), expected) {
        (Ok(message), Ok(expected)) => {
            laws(message, &expected);
            message
        }
        (Err(error), _) => {
            let shared = DynamicMessage::decode_bytes(descriptor, wire.to_vec().into());
            assert_eq!(shared.map(drop).unwrap_err().to_string(), error.to_string(), "shared bytes");
            return;
        }
        _ => unreachable!("one result"),
    };
    let expected = Ok(oracle::canonical(message));
    agree(
        subject,
        ("one", "twice"),
        &expected,
        &oracle::dynamic(descriptor, expected.as_ref().unwrap(), &options),
        Alike::Text,
    );
    let mut merged = DynamicMessage::new(descriptor).unwrap();
    let merged = merged.merge(wire).map(|()| oracle::canonical(&merged));
    agree(subject, ("decoded", "merged"), &expected, &merged, Alike::Text);
    // Twice the same: lists are twice as long, all else is unchanged.
    let mut doubled = message.clone();
    doubled.merge(wire).unwrap();
    let joined = oracle::dynamic(descriptor, &[wire, wire].concat(), &options);
    agree(subject, ("joined", "merged"), &joined, &Ok(oracle::canonical(&doubled)), Alike::Text);
}

/// Properties of every message.
fn laws(message: &DynamicMessage, expected: &[u8]) {
    assert_eq!(message.encode_to_vec().unwrap().len(), expected.len(), "any order takes as many bytes");
    assert_eq!(message.encoded_len(), expected.len(), "the counted length is the written one");
    let mut appended = b"kept".to_vec();
    message.append(&mut appended, tobu::EncodeOptions::new().deterministic(true)).unwrap();
    assert_eq!(appended.strip_prefix(b"kept").unwrap(), expected);
    let clone = message.clone();
    let same = Equality::new().nan(true);
    let (one, other): (&dyn Reflect, &dyn Reflect) = (message, &clone);
    // Map keys that are not UTF-8 are there, but have no form that reflection could give.
    let loose = message.descriptor().file().edition() == Edition::Proto2;
    assert!(loose || one.equals_with(other, same), "a clone is equal");
    assert!(oracle::canonical(&clone) == expected, "a clone has the same bytes");
    let hash = |message: &dyn Reflect| {
        let mut hasher = DefaultHasher::new();
        message.stable_hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(one), hash(other), "a clone has the same hash");
    let mut values = 0;
    one.visit(|_, _, _| {
        values += 1;
        Visit::Continue
    })
    .unwrap();
    assert!(values <= expected.len() + 1, "{values} values in {} bytes", expected.len());
    if loose {
        return;
    }
    let copy = one.to_dynamic().unwrap();
    assert!(oracle::canonical(&copy) == expected, "a copy by reflection has the same bytes");
    let mut copied = DynamicMessage::new(message.descriptor()).unwrap();
    (&mut copied as &mut dyn Reflect).merge_from(one).unwrap();
    assert!(oracle::canonical(&copied) == expected, "merging into nothing copies");
    assert!(one.diff(&copied).is_empty() || !one.equals(other), "a copy does not differ");
}
