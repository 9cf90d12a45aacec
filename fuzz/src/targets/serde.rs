//! Serde's types over a schema: trees of values, maps by name, and ignored values.

use crate::known::is_known;
use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded};
use crate::subject::Case;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::HashMap;
use tobu::MessageDescriptorExt;
use tobu::{DecodeOptions, DynamicMessage};

/// A tree of values is rejected and accepted like a dynamic message, and has the same content.
pub(super) fn serde(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let descriptor = &subject.descriptor;
    let options = DecodeOptions::new();
    let message = DynamicMessage::decode(descriptor, wire);
    let tree = bounded("tree", wire.len(), || descriptor.decode::<Value>(wire));
    let by_name = descriptor.decode::<HashMap<String, Value>>(wire);
    let ignored = descriptor.decode::<IgnoredAny>(wire).map(drop);
    let dynamic = message.as_ref().map(drop);
    // Errors have no `Clone`: they are compared by their texts.
    for (name, done) in [
        ("tree", tree.as_ref().map(drop)),
        ("by name", by_name.as_ref().map(drop)),
        ("ignored", ignored.as_ref().copied()),
    ] {
        match (dynamic, done) {
            (_, Err(error)) if is_known(subject, error) => {}
            (Err(one), Err(other)) => assert_eq!(one.category(), other.category(), "{name}: {one}, {other}"),
            (Ok(()), Ok(())) => {}
            (dynamic, done) => panic!("dynamic: {dynamic:?}, {name}: {done:?}"),
        }
    }
    if wire.len() > 512 {
        let tight = options.limits(oracle::tight());
        // Values of `serde_json` have another size: one takes 32 bytes, and lists double as they grow.
        let read = || descriptor.decode_with::<IgnoredAny>(wire, tight).map(drop);
        let _ = oracle::bounded_tightly("ignored", wire.len(), read);
    }
    let (Ok(message), Ok(tree)) = (message, tree) else { return };
    assert_eq!(Value::Object(by_name.unwrap().into_iter().collect()), tree, "by name and tree");
    let canonical = oracle::canonical(&message);
    // A tree has defaults that were received; they are not written.
    let deterministic = tobu::EncodeOptions::new().deterministic(true);
    let written =
        |tree: &Value| descriptor.encode_with(tree, deterministic).map_err(|error| error.to_string());
    assert_eq!(written(&descriptor.decode(&canonical).unwrap()), written(&tree), "of the canonical bytes");
    // A dynamic message is a serde value, too.
    let handed = descriptor.encode_with(&message, tobu::EncodeOptions::new().deterministic(true));
    agree(subject, ("encoded", "by serde"), &Ok(canonical), &handed, Alike::Text);
    // NaN is null in a tree, which an element of a list cannot be.
    if let Ok(again) = descriptor.encode(&tree)
        && !has_null(&tree)
    {
        let once = descriptor.decode::<Value>(&again).unwrap();
        let bytes = descriptor.encode(&once).unwrap();
        let twice = descriptor.decode::<Value>(&bytes).unwrap();
        assert_eq!(twice, once, "a tree comes back");
    }
}

fn has_null(tree: &Value) -> bool {
    match tree {
        Value::Null => true,
        Value::Array(all) => all.iter().any(has_null),
        Value::Object(all) => all.values().any(has_null),
        _ => false,
    }
}
