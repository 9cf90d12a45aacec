//! Messages of large types, nested: a struct takes room on the stack while it is read.

use tobu::wire::{Tag, WireType, Writer};
use tobu::{Category, DecodeOptions, Limits, Message, MessageDescriptorExt};

/// Defines a message of more than four kilobytes with the given derives.
macro_rules! wide {
    ($types:ident, $package:literal, $($derive:path),+) => {
        pub(crate) mod $types {
            use crate::types::$types::Lists;
            use std::collections::{BTreeMap, HashMap};

            #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
            #[tobu(package = $package)]
            pub(crate) struct Wide {
                #[tobu(1)]
                list: Vec<Wide>,
                #[tobu(2)]
                map: HashMap<i32, Wide>,
                #[tobu(3)]
                sorted: BTreeMap<i32, Wide>,
                #[tobu(4)]
                one: Option<Box<Wide>>,
                #[tobu(5)]
                a: Option<Lists>,
                #[tobu(6)]
                b: Option<Lists>,
                #[tobu(7)]
                c: Option<Lists>,
                #[tobu(8)]
                d: Option<Lists>,
                #[tobu(9)]
                e: Option<Lists>,
                #[tobu(10)]
                f: Option<Lists>,
                #[tobu(11)]
                g: Option<Lists>,
                #[tobu(12)]
                h: Option<Lists>,
                #[tobu(13)]
                i: Option<Lists>,
                #[tobu(14)]
                j: Option<Lists>,
            }
        }
    };
}

wide!(derived, "derived.stack", tobu::Serialize, tobu::Deserialize);
wide!(plain, "plain.stack", serde::Serialize, serde::Deserialize);

fn delimited(number: u32, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, WireType::Len));
    writer.len_prefixed(body);
    writer.finish().unwrap()
}

type Wrap = fn(Vec<u8>) -> Vec<u8>;

/// How many messages are a hundred levels, where the entry of a map is one, too.
const WRAPS: [(usize, Wrap); 4] = [
    (100, |body| delimited(1, &body)),
    (50, |body| delimited(2, &delimited(2, &body))),
    (50, |body| delimited(3, &delimited(2, &body))),
    (100, |body| delimited(4, &body)),
];

fn nested(messages: usize, wrap: Wrap) -> Vec<u8> {
    (1..messages).fold(Vec::new(), |body, _| wrap(body))
}

fn on_stack(kib: usize, test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(kib << 10).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_hundred_levels_of_a_large_message_fit_the_stack() {
    // Optimized, an eighth of a megabyte is enough to decode; here are four and a half kilobytes in each level.
    on_stack(4096, || {
        for (most, wrap) in WRAPS {
            let wire = nested(most, wrap);
            let mut message: derived::Wide = tobu::from_slice(&wire).unwrap();
            assert_eq!(tobu::to_vec(&message).unwrap().len(), tobu::encoded_len(&message).unwrap());
            tobu::from_slice_in_place(&mut message, &wire).unwrap();
            tobu::merge(&mut message, &wire).unwrap();
            let tree: serde_json::Value = derived::Wide::descriptor().decode(&wire).unwrap();
            assert!(derived::Wide::descriptor().encode(&tree).is_ok());
        }
    });
}

#[test]
fn serdes_derive_is_stopped_before_the_stack_is() {
    // A build without optimization takes more for each level.
    on_stack(16 << 10, || {
        let fit = (256 << 10) / size_of::<plain::Wide>();
        assert!(fit < 60);
        let options = DecodeOptions::new().limits(Limits::default().depth(200));
        for (_, wrap) in WRAPS {
            assert!(options.from_slice::<plain::Wide>(&nested(fit, wrap)).is_ok());
            // The budget of nesting is free again for the next value.
            let many = nested(fit, wrap).repeat(3);
            assert!(options.from_slice::<plain::Wide>(&many).is_ok());
            let error = options.from_slice::<plain::Wide>(&nested(fit + 1, wrap)).unwrap_err();
            assert_eq!(error.category(), Category::Limit);
            assert_eq!(
                error.message(),
                "structs of more than 262144 bytes are nested, too many for the stack"
            );
        }
    });
}
