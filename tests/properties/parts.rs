//! Selected fields of random messages, read alone.

use crate::entropy::Entropy;
use crate::wire::{self, Form};
use crate::{DETERMINISTIC, config, entropy, random_schema, tree};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tobu::{
    DecodeOptions, DynamicMessage, Merge, Message, MessageDescriptor, MessageDescriptorExt, convert, json,
};

proptest! {
    #![proptest_config(config(1500))]

    /// Reading selected fields of a message equals trimming the whole message, over a random
    /// schema.
    #[test]
    fn random_parts(
        schema in entropy(120),
        content in entropy(200),
        form in entropy(200),
        damage in entropy(6),
        mask in entropy(24),
    ) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let mut bytes = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(&form)));
        entropy::tamper(&mut bytes, &damage);
        let mask = random_mask(&descriptor, &mut Entropy::new(&mask));
        let projection = descriptor.project(&mask).unwrap();
        let (part, whole) = (projection.decode(&bytes), DynamicMessage::decode(&descriptor, &bytes));
        let checked = descriptor.project(&mask).unwrap().validate(true).decode(&bytes);
        prop_assert_eq!(checked.is_ok(), whole.is_ok());
        let mut json = Vec::new();
        let transcoded = convert::wire_to_json_projected(&projection, &bytes, &mut json, &json::Options::new());
        // Required fields are left out, too.
        let partial = DETERMINISTIC().partial(true);
        if let Ok(mut whole) = whole {
            (&mut whole as &mut dyn tobu::Reflect).trim(&mask).unwrap();
            let expected = partial.to_vec(&whole).unwrap();
            prop_assert_eq!(partial.to_vec(&part.unwrap()).unwrap(), expected, "{:?} {:02x?}", mask, bytes);
            transcoded.unwrap();
            let parse = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap();
            prop_assert_eq!(parse(&json), parse(&json::Options::new().partial(true).to_vec(&whole).unwrap()));
        } else {
            prop_assert_eq!(part.is_ok(), transcoded.is_ok());
        }
    }
}

/// Reading selected fields of a typed message equals trimming the whole message, and has the result of a dynamic one.
pub(crate) fn of_type<D>(bytes: &[u8], mask: &[u8]) -> Result<(), TestCaseError>
where
    D: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + PartialEq + std::fmt::Debug,
{
    let descriptor = D::descriptor();
    let mask = random_mask(&descriptor, &mut Entropy::new(mask));
    let projection = descriptor.project(&mask).unwrap();
    let options = DecodeOptions::new().fields(&projection);
    let (part, dynamic) = (options.from_slice::<D>(bytes), options.decode_dynamic(bytes));
    prop_assert_eq!(part.is_ok(), dynamic.is_ok(), "{:?} {:02x?}", mask, bytes);
    let Ok(mut whole) = tobu::from_slice::<D>(bytes) else { return Ok(()) };
    let mut used = tobu::from_slice::<D>(bytes).unwrap();
    whole.as_reflect_mut().trim(&mask).unwrap();
    // Required fields are left out, too.
    let partial = DETERMINISTIC().partial(true);
    let expected = partial.to_vec(&whole).unwrap();
    prop_assert_eq!(&partial.to_vec(&part.unwrap()).unwrap(), &expected, "{:?} {:02x?}", mask, bytes);
    prop_assert_eq!(&partial.to_vec(&dynamic.unwrap()).unwrap(), &expected, "{:?} {:02x?}", mask, bytes);
    options.from_slice_in_place(&mut used, bytes).unwrap();
    prop_assert_eq!(partial.to_vec(&used).unwrap(), expected, "{:?} {:02x?}", mask, bytes);
    Ok(())
}

/// Paths into a message, down to some depth.
fn random_mask(descriptor: &MessageDescriptor, entropy: &mut Entropy<'_>) -> Vec<String> {
    let mut paths = Vec::new();
    while !entropy.is_empty() {
        let (mut path, mut within) = (Vec::new(), Some(descriptor.clone()));
        while let Some(message) = within.filter(|message| message.fields().len() > 0 && path.len() < 6) {
            let field = message.fields().nth(entropy.below(message.fields().len())).unwrap();
            path.push(field.name().to_owned());
            within = field.map_value().unwrap_or(field).message_type().filter(|_| !entropy.chance(3));
        }
        if path.is_empty() {
            break;
        }
        paths.push(path.join("."));
    }
    paths
}
