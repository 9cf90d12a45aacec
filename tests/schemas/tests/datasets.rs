//! Every recorded data set decodes into generated types and encodes to equal content, unknown fields included.
//!
//! The data sets are not part of the project: they are looked for in `../shared`, or where `TOBU_SHARED` points.

#[cfg(not(tobu_datasets))]
#[test]
fn data_sets() {
    println!(
        "there are no data sets in ../shared/datasets, nor where TOBU_SHARED points: nothing was checked"
    );
}

#[cfg(tobu_datasets)]
#[path = "../../memory/counting.rs"]
mod counting;

#[cfg(tobu_datasets)]
mod datasets {
    use crate::counting::held;
    use tobu::{DynamicMessage, EncodeOptions, Message, MessageDescriptorExt, Parsed};
    use tobu_schemas::datasets::benchmarks::BenchmarkDataset;
    use tobu_schemas::datasets::google;
    use tobu_schemas::recorded::{check_each, folder};

    /// Decodes and encodes a payload, and returns how many bytes of unknown fields its outermost message
    /// kept.
    type Check = fn(&[u8]) -> Result<(), String>;

    fn check<T>(payload: &[u8]) -> Result<(), String>
    where
        T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de> + PartialEq,
    {
        let fail = |error: tobu::Error| error.to_string();
        let message: T = tobu::from_slice(payload).map_err(fail)?;
        let bytes = EncodeOptions::new().deterministic(true).to_vec(&message).map_err(fail)?;
        if tobu::encoded_len(&message).map_err(fail)? != bytes.len() {
            return Err("the counted length is not the written one".into());
        }
        let again: T = tobu::from_slice(&bytes).map_err(fail)?;
        if again != message {
            return Err("what was decoded again is something else".into());
        }
        // As a dynamic message, from bytes and from the type, and back. Its fields are in the order
        // of their numbers, those of a type in declaration order.
        let dynamic = DynamicMessage::decode(&T::descriptor(), payload).map_err(fail)?;
        let converted = DynamicMessage::from_message(&message).map_err(fail)?;
        if converted != dynamic {
            return Err("the message converted to a dynamic one is something else".into());
        }
        let written = dynamic.encode_to_vec().map_err(fail)?;
        if written.len() != bytes.len() || dynamic.encoded_len() != bytes.len() {
            return Err("the dynamic message encodes to another length".into());
        }
        if tobu::from_slice::<T>(&written).map_err(fail)? != message {
            return Err("the dynamic message encodes to something else".into());
        }
        for dynamic in [dynamic, converted] {
            if dynamic.absorb::<T>().map_err(fail)? != message {
                return Err("what came back from the dynamic message is something else".into());
            }
        }
        // As JSON, which has no unknown fields.
        let json = tobu::json::Options::new().deterministic(true);
        let text = json.to_string(&message).map_err(fail)?;
        let read: T = json.from_str(&text).map_err(fail)?;
        if json.to_string(&read).map_err(fail)? != text {
            return Err("what was read from JSON is something else".into());
        }
        // And by another way in: a tree of values, which knows nothing of the type.
        let descriptor = T::descriptor();
        // It is encoded once: zeros that need not be on the wire show in the tree, and go.
        let tree: serde_json::Value = descriptor.decode(payload).map_err(fail)?;
        let tree: serde_json::Value =
            descriptor.decode(&descriptor.encode(&tree).map_err(fail)?).map_err(fail)?;
        if descriptor.decode::<serde_json::Value>(&bytes).map_err(fail)? != tree {
            return Err("the trees of the two encodings differ".into());
        }
        Ok(())
    }

    #[test]
    fn every_data_set() {
        check_each(|path| {
            let bytes = std::fs::read(path).expect("the data set");
            let set: BenchmarkDataset = tobu::from_slice(&bytes).expect("a data set");
            assert_eq!(tobu::to_vec(&set).expect("encodes"), bytes, "{}", path.display());
            let check = tobu_schemas::data_set_function!(set.message_name.as_str(), check as Check)
                .unwrap_or_else(|| panic!("{}: no type {}", path.display(), set.message_name));
            assert!(!set.payload.is_empty(), "{}", path.display());
            for (i, payload) in set.payload.iter().enumerate() {
                if let Err(difference) = check(payload) {
                    panic!("{} [{i}]: {difference}", path.display());
                }
            }
        });
    }

    /// How many bytes a parsed message takes beside its input.
    fn parsed<T: Message>(payload: &[u8]) -> Result<usize, String> {
        let input = bytes::Bytes::copy_from_slice(payload);
        // Tables are built by the first one, which learns how large a message becomes, too.
        drop(Parsed::<T>::decode_bytes(input.clone()).map_err(|error| error.to_string())?);
        let (held, message) = held(|| Parsed::<T>::decode_bytes(input));
        message.map(|_| held).map_err(|error| error.to_string())
    }

    /// A parsed message takes at most 2.75 times its input beside it, and a constant: descriptors, whose fields are many and short,
    /// take most.
    #[test]
    fn parsed_messages_are_small() {
        type Held = fn(&[u8]) -> Result<usize, String>;
        check_each(|path| {
            let set: BenchmarkDataset =
                tobu::from_slice(&std::fs::read(path).expect("the data set")).expect("a data set");
            let held =
                tobu_schemas::data_set_function!(set.message_name.as_str(), parsed as Held).expect("a type");
            for payload in &set.payload {
                let (size, held) = (payload.len(), held(payload).expect("a message"));
                assert!(4 * held <= 11 * size + 1024, "{}: {held} bytes for {size}", path.display());
            }
        });
    }

    /// The descriptor sets carry extensions, groups among them, that their types do not name.
    #[test]
    fn unknown_fields_are_there_and_stay() {
        fn unknown(files: &[google::protobuf::FileDescriptorProto]) -> usize {
            let options = files.iter().filter_map(|file| file.options.as_ref());
            options.map(|options| options.unknown_fields.as_bytes().len()).sum::<usize>()
                + files
                    .iter()
                    .flat_map(|file| &file.message_type)
                    .filter_map(|message| message.options.as_ref())
                    .map(|options| options.unknown_fields.as_bytes().len())
                    .sum::<usize>()
        }
        let bytes = std::fs::read(folder().join("descriptor_set.pb")).expect("the data set");
        let set: BenchmarkDataset = tobu::from_slice(&bytes).expect("a data set");
        let files: google::protobuf::FileDescriptorSet = tobu::from_slice(&set.payload[0]).expect("decodes");
        assert!(unknown(&files.file) > 0);
        let again = tobu::to_vec(&files).expect("encodes");
        assert_eq!(again.len(), set.payload[0].len(), "nothing was lost");
    }
}
