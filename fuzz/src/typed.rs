//! Rust types of one message, as functions that the oracles can compare.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::parsed::Parse;
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, Error, Message, Parsed, json, text};
use tobu_schemas::read::{Reread, reread_parsed};

/// Reads, and gives the deterministic bytes of the result.
type Outcome = Result<Vec<u8>, Error>;

/// The result of merging a second slice, or the error with the message after it.
type Merged = Result<Vec<u8>, (Error, Vec<u8>)>;

/// Two slices, one after the other.
type Two<O> = fn(&[u8], &[u8]) -> O;

/// One Rust type of a message.
pub struct Path {
    /// The origin of the type.
    pub name: &'static str,
    /// True for serde's own derives.
    pub serde: bool,
    /// Decodes.
    pub wire: fn(&[u8], &DecodeOptions) -> Outcome,
    /// Decodes bytes that the message may share.
    pub bytes: Option<fn(&Bytes) -> Outcome>,
    /// Decodes the second into the result of the first.
    pub refill: Option<Two<Outcome>>,
    /// Merges the second into the result of the first.
    pub merge: Option<Two<Merged>>,
    /// Parses JSON.
    pub json: fn(&str, &json::Options) -> Outcome,
    /// Parses the text format.
    pub text: fn(&str, &text::Options) -> Outcome,
    /// Parses JSON into the message decoded from wire bytes.
    pub json_refill: Option<fn(&[u8], &str) -> Outcome>,
    /// Merges JSON into the message decoded from wire bytes.
    pub json_merge: Option<fn(&[u8], &str) -> Merged>,
    /// Merges text into the message decoded from wire bytes.
    pub text_merge: Option<fn(&[u8], &str) -> Merged>,
    /// Decodes, reads by accessors, and checks that they give the message.
    pub accessors: Option<fn(&[u8])>,
    /// Decodes and prints as JSON.
    pub print: fn(&[u8], &json::Options) -> Result<String, Error>,
    /// Decodes and prints as text.
    pub print_text: fn(&[u8], &text::Options) -> Result<String, Error>,
}

/// A message that the project has Rust types of.
pub struct Typed {
    /// The full name of the message, as generated.
    pub name: &'static str,
    /// Its types.
    pub paths: Vec<Path>,
    /// The descriptor of the generated type.
    pub descriptor: fn() -> tobu::MessageDescriptor,
}

/// The deterministic bytes, partial or not, after checking that each way of encoding gives as many.
pub(crate) fn encode<T: Message + Serialize>(message: &T) -> Vec<u8> {
    encode_any(message)
}

fn encode_any<M: tobu::Encode>(message: &M) -> Vec<u8> {
    let options = EncodeOptions::new().deterministic(true).partial(true);
    let bytes = options.to_vec(message).expect("what was read can be written");
    assert_eq!(options.encoded_len(message).unwrap(), bytes.len(), "the counted length is the written one");
    let mut appended = b"before".to_vec();
    EncodeOptions::new().partial(true).append(message, &mut appended).unwrap();
    assert_eq!(appended.len(), bytes.len() + 6, "any order takes as many bytes");
    bytes
}

/// The same of a message with lazy fields, whose bytes are copied as they came where their order does not matter.
pub(crate) fn encode_lazy<T: Message + Serialize>(message: &T) -> Vec<u8> {
    let options = EncodeOptions::new().partial(true);
    let mut copied = b"before".to_vec();
    options.append(message, &mut copied).unwrap();
    assert_eq!(
        options.encoded_len(message).unwrap() + 6,
        copied.len(),
        "the counted length is the written one"
    );
    let bytes = options.deterministic(true).to_vec(message).expect("what was read can be written");
    let read = |bytes: &[u8]| {
        let read = DynamicMessage::decode_with(&T::descriptor(), bytes, DecodeOptions::new().partial(true));
        options.deterministic(true).to_vec(&read.unwrap()).unwrap()
    };
    assert_eq!(read(&copied[6..]), read(&bytes), "what is copied is what is decoded");
    bytes
}

/// All of a type with tobu's derives.
macro_rules! tobu_path {
    ($name:literal, $ty:ty, $bytes:expr) => {
        tobu_path!($name, $ty, $bytes, encode)
    };
    ($name:literal, $ty:ty, $bytes:expr, $encode:ident) => {
        Path {
            name: $name,
            serde: false,
            wire: |wire, options| options.from_slice::<$ty>(wire).map(|message| $encode(&message)),
            bytes: $bytes,
            refill: Some(|first, second| {
                let mut message = <$ty>::default();
                let _ = tobu::from_slice_in_place(&mut message, first);
                let done = tobu::from_slice_in_place(&mut message, second);
                if done.is_err() {
                    assert_eq!($encode(&message), b"", "empty after an error");
                }
                done.map(|()| $encode(&message))
            }),
            merge: Some(|first, second| {
                let mut message = <$ty>::default();
                let options = DecodeOptions::new().partial(true);
                options.from_slice_in_place(&mut message, first).map_err(|error| (error, Vec::new()))?;
                match tobu::merge(&mut message, second) {
                    Ok(()) => Ok($encode(&message)),
                    Err(error) => Err((error, $encode(&message))),
                }
            }),
            json: |text, options| options.from_str::<$ty>(text).map(|message| $encode(&message)),
            text: |text, options| options.from_str::<$ty>(text).map(|message| $encode(&message)),
            json_refill: Some(|first, text| {
                let mut message = <$ty>::default();
                let _ = tobu::from_slice_in_place(&mut message, first);
                let done = tobu::json::from_str_in_place(&mut message, text);
                if done.is_err() {
                    assert_eq!($encode(&message), b"", "empty after an error");
                }
                done.map(|()| $encode(&message))
            }),
            json_merge: Some(|first, text| {
                let mut message = <$ty>::default();
                let options = DecodeOptions::new().partial(true);
                options.from_slice_in_place(&mut message, first).map_err(|error| (error, Vec::new()))?;
                match tobu::json::merge(&mut message, text) {
                    Ok(()) => Ok($encode(&message)),
                    Err(error) => Err((error, $encode(&message))),
                }
            }),
            text_merge: Some(|first, text| {
                let mut message = <$ty>::default();
                let options = DecodeOptions::new().partial(true);
                options.from_slice_in_place(&mut message, first).map_err(|error| (error, Vec::new()))?;
                match tobu::text::merge(&mut message, text) {
                    Ok(()) => Ok(encode(&message)),
                    Err(error) => Err((error, encode(&message))),
                }
            }),
            accessors: None,
            print: |wire, options| {
                options.to_string(&DecodeOptions::new().partial(true).from_slice::<$ty>(wire)?)
            },
            print_text: |wire, options| {
                options.to_string(&DecodeOptions::new().partial(true).from_slice::<$ty>(wire)?)
            },
        }
    };
}

/// The paths of a type with serde's derives: it is not read in place.
macro_rules! serde_path {
    ($name:literal, $ty:ty) => {
        Path {
            name: $name,
            serde: true,
            wire: |wire, options| options.from_slice::<$ty>(wire).map(|message| encode(&message)),
            bytes: Some(|bytes| tobu::from_bytes::<$ty>(bytes).map(|message| encode(&message))),
            refill: None,
            merge: None,
            json: |text, options| options.from_str::<$ty>(text).map(|message| encode(&message)),
            text: |text, options| options.from_str::<$ty>(text).map(|message| encode(&message)),
            json_refill: None,
            json_merge: None,
            text_merge: None,
            accessors: None,
            print: |wire, options| {
                options.to_string(&DecodeOptions::new().partial(true).from_slice::<$ty>(wire)?)
            },
            print_text: |wire, options| {
                options.to_string(&DecodeOptions::new().partial(true).from_slice::<$ty>(wire)?)
            },
        }
    };
}

/// The paths of a parsed message.
macro_rules! parsed_path {
    ($ty:ty) => {
        Path {
            name: "parsed",
            serde: false,
            wire: |wire, options| {
                Parsed::<$ty>::decode_with(wire, *options).map(|message| encode_any(&message))
            },
            bytes: Some(|bytes| {
                Parsed::<$ty>::decode_bytes(bytes.clone()).map(|message| encode_any(&message))
            }),
            refill: None,
            merge: None,
            json: |text, options| {
                Parsed::<$ty>::from_json_with(text.as_bytes(), options).map(|message| encode_any(&message))
            },
            text: |text, options| {
                Parsed::<$ty>::from_text_with(text.as_bytes(), options).map(|message| encode_any(&message))
            },
            json_refill: None,
            json_merge: None,
            text_merge: None,
            accessors: Some(accessors::<$ty>),
            print: |wire, options| {
                options.to_string(&Parsed::<$ty>::decode_with(wire, DecodeOptions::new().partial(true))?)
            },
            print_text: |wire, options| {
                options.to_string(&Parsed::<$ty>::decode_with(wire, DecodeOptions::new().partial(true))?)
            },
        }
    };
}

/// The accessors of a parsed message give what it and its struct hold.
fn accessors<T>(wire: &[u8])
where
    T: Parse + Serialize + DeserializeOwned,
    for<'a> T::Ref<'a>: Reread,
{
    let Ok(message) = Parsed::<T>::decode_with(wire, DecodeOptions::new().partial(true)) else { return };
    let bytes = encode_any(&message);
    let options = EncodeOptions::new().deterministic(true).partial(true);
    let accessed = reread_parsed(&message).encode_with(options).expect("what was read can be written");
    assert!(accessed == bytes, "the accessors give {accessed:02x?}, and the message is {bytes:02x?}");
    let typed = options.to_vec(&message.to_message().expect("the struct holds the same"));
    assert!(typed.expect("what was read can be written") == bytes, "the struct holds the same");
}

/// The types that are generated from the schemas of the tests.
macro_rules! generated {
    ($generated:ident, $module:ident :: $version:ident :: $ty:ident, $view:ident) => {
        [
            tobu_path!(
                "generated",
                tobu_schemas::$generated::$module::$version::$ty,
                Some(|bytes| {
                    tobu::from_bytes::<tobu_schemas::$generated::$module::$version::$ty>(bytes)
                        .map(|message| encode(&message))
                })
            ),
            parsed_path!(tobu_schemas::$generated::$module::$version::$ty),
            tobu_path!(
                "shared",
                crate::shared::$module::$version::$ty,
                Some(|bytes| {
                    tobu::from_bytes::<crate::shared::$module::$version::$ty>(bytes)
                        .map(|message| encode(&message))
                })
            ),
            tobu_path!("view", crate::views::$module::$version::$view, None),
            tobu_path!(
                "opaque",
                crate::opaque::$module::$version::$ty,
                Some(|bytes| {
                    tobu::from_bytes::<crate::opaque::$module::$version::$ty>(bytes)
                        .map(|message| encode(&message))
                })
            ),
            tobu_path!(
                "lazy",
                crate::lazy::$module::$version::$ty,
                Some(|bytes| {
                    tobu::from_bytes::<crate::lazy::$module::$version::$ty>(bytes)
                        .map(|message| encode_lazy(&message))
                }),
                encode_lazy
            ),
        ]
    };
}

/// The messages of the corpus: each with hand-written types, too.
macro_rules! corpus {
    ($($version:ident $ty:ident $view:ident;)*) => {
        vec![$(Typed {
            name: concat!("corpus.", stringify!($version), ".", stringify!($ty)),
            descriptor: <tobu_schemas::corpus::corpus::$version::$ty as Message>::descriptor,
            paths: [
                tobu_path!(
                    "derived",
                    crate::types::derived::$ty,
                    Some(|bytes| {
                        tobu::from_bytes::<crate::types::derived::$ty>(bytes).map(|message| encode(&message))
                    })
                ),
                serde_path!("serde", crate::types::plain::$ty),
            ]
            .into_iter()
            .chain(generated!(corpus, corpus::$version::$ty, $view))
            .collect(),
        }),*]
    };
}

/// The messages of the tests of JSON.
macro_rules! known {
    ($($version:ident $ty:ident $view:ident;)*) => {
        vec![$(Typed {
            name: concat!("json.", stringify!($version), ".", stringify!($ty)),
            descriptor: <tobu_schemas::known::json::$version::$ty as Message>::descriptor,
            paths: generated!(known, json::$version::$ty, $view).into_iter().collect(),
        }),*]
    };
}

/// All messages that the project has Rust types of.
pub fn all() -> Vec<Typed> {
    let mut all = corpus! {
        v3 Scalars ScalarsView;
        v3 Optionals OptionalsView;
        v3 Lists ListsView;
        v3 Maps MapsView;
        v3 Choice ChoiceView;
        v3 Tree TreeView;
        v3 Leaf LeafView;
        v3 Numbers NumbersView;
        v3 Empty EmptyView;
        v2 Required RequiredView;
        v2 Defaults DefaultsView;
        v2 Closed ClosedView;
        v2 Groups GroupsView;
    };
    all.extend(known! {
        v1 Known KnownView;
        v1 Wrapped WrappedView;
        v1 KnownLists KnownListsView;
        v1 KnownMaps KnownMapsView;
        v1 KnownChoice KnownChoiceView;
        v1 Names NamesView;
        v2 Open OpenView;
        v2 Scope ScopeView;
        v2 Set SetView;
        v2 Item ItemView;
    });
    all
}
