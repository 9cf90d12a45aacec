//! Selected fields of random messages, given to a sink.

use crate::entropy::Entropy;
use crate::rebuild::Rebuild;
use crate::wire::{self, Form};
use crate::{DETERMINISTIC, config, entropy, random_schema, tree};
use proptest::prelude::*;
use tobu::sink::Plan;
use tobu::{FieldDescriptor, MessageDescriptor, MessageDescriptorExt};

proptest! {
    #![proptest_config(config(4000))]

    /// What a sink is given is what a projection decodes, over a random schema; and so are the errors.
    #[test]
    fn random_sinks(
        schema in entropy(120),
        content in entropy(200),
        form in entropy(200),
        damage in entropy(6),
        paths in entropy(24),
    ) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let mut bytes = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(&form)));
        agrees(&descriptor, &bytes, &paths)?;
        crate::entropy::tamper(&mut bytes, &damage);
        agrees(&descriptor, &bytes, &paths)?;
    }
}

/// The same bytes by a projection and by a plan.
pub(crate) fn agrees(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    paths: &[u8],
) -> Result<(), TestCaseError> {
    let (paths, mask) = random_paths(descriptor, &mut Entropy::new(paths));
    let plan = Plan::new(descriptor, &paths).unwrap();
    let decoded = descriptor.project(&mask).unwrap().decode(bytes);
    let mut sink = Rebuild::new(&plan);
    let read = plan.read(bytes, &mut sink);
    if sink.has_odd_key {
        return Ok(());
    }
    match (read, decoded) {
        (Ok(whole), Ok(decoded)) => {
            prop_assert!(whole);
            let partial = DETERMINISTIC().partial(true);
            let (rebuilt, expected) = (partial.to_vec(&sink.finish()), partial.to_vec(&decoded));
            prop_assert_eq!(rebuilt.unwrap(), expected.unwrap(), "{:?} {:02x?}", paths, bytes);
        }
        (Err(error), Err(expected)) => {
            prop_assert_eq!(error.to_string(), expected.to_string(), "{:?} {:02x?}", paths, bytes);
        }
        (read, decoded) => {
            panic!("{read:?} {:?} of {paths:?} {bytes:02x?}", decoded.map(drop));
        }
    }
    Ok(())
}

/// Paths to fields that hold no messages, with all that lead to them, and the same as a mask.
fn random_paths(descriptor: &MessageDescriptor, entropy: &mut Entropy<'_>) -> (Vec<String>, Vec<String>) {
    let (mut paths, mut mask) = (Vec::new(), Vec::new());
    while !entropy.is_empty() {
        let (mut path, mut masked) = (Vec::new(), Vec::new());
        let (mut within, mut leads) = (descriptor.clone(), Vec::new());
        let found = loop {
            if within.fields().len() == 0 || path.len() > 6 {
                break false;
            }
            let field = within.fields().nth(entropy.below(within.fields().len())).unwrap();
            masked.push(field.name().to_owned());
            path.push(step(&field));
            leads.push(path.join("."));
            let inside = match field.map_value() {
                Some(value) => {
                    leads.push(format!("{}.key", path.join(".")));
                    path.push("value".to_owned());
                    leads.push(path.join("."));
                    value.message_type()
                }
                None => field.message_type(),
            };
            match inside {
                Some(inside) => within = inside,
                None => break true,
            }
        };
        if found {
            paths.extend(leads);
            mask.push(masked.join("."));
        } else if masked.is_empty() {
            break;
        }
    }
    paths.sort();
    paths.dedup();
    (paths, mask)
}

fn step(field: &FieldDescriptor) -> String {
    let repeated = if field.is_list() || field.is_map() { "[]" } else { "" };
    format!("{}{repeated}", field.name())
}
