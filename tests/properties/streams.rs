//! Described streams of random messages of random schemas.

use crate::entropy::Entropy;
use crate::{DETERMINISTIC, config, entropy, random_schema, tree};
use proptest::prelude::*;
use serde_json::Value;
use tobu::descriptor::compare;
use tobu::stream::described::{Compression, Options, Reader, Writer};
use tobu::{DynamicMessage, MessageDescriptor, MessageDescriptorExt};

proptest! {
    #![proptest_config(config(300))]

    /// Messages from streams equal single messages; and damaged bytes are never accepted as a message.
    #[test]
    fn described_streams(
        schema in entropy(120),
        content in entropy(600),
        block_size in 1u32..300,
        gzip in any::<bool>(),
        damage in any::<prop::sample::Index>(),
        flip in 1u8..,
    ) {
        let file = random_schema(&schema).file();
        let types: Vec<MessageDescriptor> = file.all_messages().filter(|message| !message.is_map_entry()).collect();
        let compression = if gzip { Compression::Gzip } else { Compression::None };
        let options = Options::new().block_size(block_size).compression(compression).encode(DETERMINISTIC());
        let mut writer = Writer::with_options(Vec::new(), options);
        let mut entropy = Entropy::new(&content);
        let mut written = Vec::new();
        while !entropy.is_empty() {
            let descriptor = &types[entropy.below(types.len())];
            let tree = tree::message(descriptor, &mut entropy, 3);
            let bytes = descriptor.encode_with(&tree, DETERMINISTIC()).unwrap();
            if entropy.chance(2) {
                writer.write_value(descriptor, &tree).unwrap();
            } else {
                writer.write_dynamic(&DynamicMessage::decode(descriptor, &bytes).unwrap()).unwrap();
            }
            written.push((descriptor.clone(), tree, bytes));
        }
        writer.finish().unwrap();
        let mut stream = writer.into_inner();
        let mut reader = Reader::new(&stream[..]);
        for (descriptor, tree, bytes) in &written {
            let entry = reader.next().unwrap().unwrap();
            prop_assert_eq!(entry.bytes(), bytes);
            prop_assert_eq!(&entry.decode::<Value>().unwrap(), tree);
            let message = entry.to_dynamic().unwrap();
            prop_assert_eq!(&DETERMINISTIC().to_vec(&message).unwrap(), bytes);
            prop_assert_eq!(entry.descriptor().full_name(), descriptor.full_name());
            prop_assert_eq!(compare(descriptor, entry.descriptor()), []);
        }
        prop_assert!(reader.next().unwrap().is_none());
        // With damage some are missing, but none is new.
        let at = damage.index(stream.len());
        stream[at] ^= flip;
        let mut reader = Reader::with_options(&stream[..], Options::new().skip_damage(true));
        while let Ok(Some(entry)) = reader.next() {
            let (descriptor, _, bytes) = &written[entry.number() as usize];
            prop_assert_eq!(entry.bytes(), bytes);
            prop_assert_eq!(entry.descriptor().full_name(), descriptor.full_name());
        }
        let left_out = reader.left_out().messages;
        prop_assert!(reader.is_cut_off() || at < 32 || reader.count() + left_out == written.len() as u64);
    }
}
