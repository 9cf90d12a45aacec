//! A bridge to [prost](https://docs.rs/prost): messages of tobu that implement prost's traits, and messages of prost
//! as members.
//!
//! Libraries that require `prost::Message` and `prost::Name`, such as tonic's codec for prost, accept a type for which
//! [`message!`](crate::prost::message) was called. `Config::prost_messages` of `tobu-build` calls the macro for
//! generated types. In the other direction, the conversion [`Via`] allows a type of prost as a member, so that a
//! program can move to tobu file by file. This module needs the feature `prost`.
//!
//! ```
//! use tobu::member::Protos;
//! use tobu::prost::Via;
//!
//! // A message of a crate that prost has generated.
//! #[derive(Clone, PartialEq, prost::Message)]
//! struct Header {
//!     #[prost(uint64, tag = "1")]
//!     revision: u64,
//! }
//!
//! // What it looks like: tobu-build generates it by the schema.
//! #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
//! struct HeaderProto {
//!     #[tobu(1)]
//!     revision: u64,
//! }
//!
//! #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
//! struct Reply {
//!     #[tobu(1, with = Via<HeaderProto>)]
//!     header: Option<Header>,
//!     #[tobu(protos)]
//!     protos: Protos,
//! }
//!
//! // For what asks for a message of prost.
//! tobu::prost::message!(Reply, "example.v1", "Reply");
//!
//! let reply = Reply { header: Some(Header { revision: 7 }), ..Reply::default() };
//! assert_eq!(tobu::json::to_string(&reply)?, r#"{"header":{"revision":"7"}}"#);
//! assert_eq!(prost::Message::encode_to_vec(&reply), tobu::to_vec(&reply)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::Error;
use crate::layout::member::Convert;
use crate::message::MessageOwned;
use crate::options::{DecodeOptions, EncodeOptions};
use ::prost::bytes::{Buf, BufMut, Bytes};
use ::prost::encoding::{WireType, decode_varint, encode_key, encode_varint};
use ::prost::{DecodeError, Message};
use std::marker::PhantomData;

#[doc(inline)]
pub use crate::prost_message as message;

/// The items that the output of [`message!`](crate::prost::message) uses. Not for direct use.
#[doc(hidden)]
pub mod traits {
    pub use prost::bytes::{Buf, BufMut};
    pub use prost::encoding::{DecodeContext, WireType};
    pub use prost::{DecodeError, Message, Name};
}

/// Implements `prost::Message` and `prost::Name` for a message of tobu. The implementation follows the table of the
/// message, so no codec is compiled for the type.
///
/// The macro takes the type, its package, and the name of the message without the package. `Config::prost_messages` of
/// `tobu-build` writes the call for generated types.
///
/// Required fields may be missing, as in prost. prost's methods for encoding cannot return an error, so they panic if a
/// message is larger than 2 GiB or nested too deeply. Errors of decoding have the texts of tobu's errors.
///
/// ```
/// #[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// #[tobu(package = "library.v1", name = "Book")]
/// struct Book {
///     #[tobu(1)]
///     title: String,
/// }
///
/// tobu::prost::message!(Book, "library.v1", "Shelf.Book");
///
/// fn name<T: prost::Name>() -> String {
///     T::full_name()
/// }
///
/// assert_eq!(name::<Book>(), "library.v1.Shelf.Book");
/// let book = <Book as prost::Message>::decode(&b"\x0a\x04Dune"[..])?;
/// assert_eq!(book, Book { title: "Dune".into() });
/// # Ok::<(), prost::DecodeError>(())
/// ```
#[macro_export]
macro_rules! prost_message {
    ($ty:ty, $package:literal, $name:literal) => {
        impl $crate::prost::traits::Message for $ty {
            fn encode_raw(&self, buf: &mut impl $crate::prost::traits::BufMut) {
                $crate::prost::encode_raw(self, buf)
            }

            fn merge_field(
                &mut self,
                tag: u32,
                wire_type: $crate::prost::traits::WireType,
                buf: &mut impl $crate::prost::traits::Buf,
                _: $crate::prost::traits::DecodeContext,
            ) -> ::core::result::Result<(), $crate::prost::traits::DecodeError> {
                $crate::prost::merge_field(self, tag, wire_type, buf)
            }

            fn encoded_len(&self) -> usize {
                $crate::prost::encoded_len(self)
            }

            fn merge(
                &mut self,
                buf: impl $crate::prost::traits::Buf,
            ) -> ::core::result::Result<(), $crate::prost::traits::DecodeError> {
                $crate::prost::merge(self, buf)
            }

            fn clear(&mut self) {
                $crate::prost::clear(self)
            }
        }

        impl $crate::prost::traits::Name for $ty {
            const NAME: &'static str = $crate::prost::simple_name($name);
            const PACKAGE: &'static str = $package;

            fn full_name() -> ::std::string::String {
                $crate::prost::full_name($package, $name)
            }

            fn type_url() -> ::std::string::String {
                $crate::prost::type_url($package, $name)
            }
        }
    };
}

/// How deep groups may be nested in a field that is copied from a buffer.
const DEPTH: u32 = 100;

#[doc(hidden)]
#[must_use]
pub const fn simple_name(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b'.' {
        start -= 1;
    }
    name.split_at(start).1
}

#[doc(hidden)]
#[must_use]
pub fn full_name(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }
}

#[doc(hidden)]
#[must_use]
pub fn type_url(package: &str, name: &str) -> String {
    format!("type.googleapis.com/{}", full_name(package, name))
}

fn encoding() -> EncodeOptions {
    EncodeOptions::new().partial(true)
}

#[doc(hidden)]
pub fn encode_raw<M: MessageOwned>(message: &M, buf: &mut impl BufMut) {
    if let Err(error) = encoding().to_buf(message, buf) {
        unencodable(&error);
    }
}

#[doc(hidden)]
pub fn encoded_len<M: MessageOwned>(message: &M) -> usize {
    match encoding().encoded_len(message) {
        Ok(len) => len,
        Err(error) => unencodable(&error),
    }
}

#[doc(hidden)]
pub fn merge<M: MessageOwned + for<'de> crate::message::Merge<'de>>(
    message: &mut M,
    mut buf: impl Buf,
) -> Result<(), DecodeError> {
    let bytes = buf.copy_to_bytes(buf.remaining());
    merge_bytes(message, &bytes)
}

#[doc(hidden)]
pub fn merge_field<M: MessageOwned + for<'de> crate::message::Merge<'de>>(
    message: &mut M,
    tag: u32,
    wire_type: WireType,
    buf: &mut impl Buf,
) -> Result<(), DecodeError> {
    let mut field = Vec::new();
    take(tag, wire_type, buf, &mut field, DEPTH)?;
    merge_bytes(message, &field)
}

#[doc(hidden)]
pub fn clear<M: MessageOwned>(message: &mut M) {
    message.as_reflect_mut().clear_all();
}

fn merge_bytes<M: MessageOwned + for<'de> crate::message::Merge<'de>>(
    message: &mut M,
    bytes: &[u8],
) -> Result<(), DecodeError> {
    DecodeOptions::new().partial(true).merge(message, bytes).map_err(|error| refused(error.to_string()))
}

/// Copies a field from a buffer to `out`. The key of the field was already read, so this function first writes the key.
fn take(
    tag: u32,
    wire_type: WireType,
    buf: &mut impl Buf,
    out: &mut Vec<u8>,
    depth: u32,
) -> Result<(), DecodeError> {
    encode_key(tag, wire_type, out);
    let len = match wire_type {
        WireType::Varint => {
            encode_varint(decode_varint(buf)?, out);
            0
        }
        WireType::ThirtyTwoBit => 4,
        WireType::SixtyFourBit => 8,
        WireType::LengthDelimited => {
            let len = decode_varint(buf)?;
            encode_varint(len, out);
            usize::try_from(len).unwrap_or(usize::MAX)
        }
        WireType::StartGroup => {
            let Some(depth) = depth.checked_sub(1) else {
                return Err(refused(format!("groups nest deeper than {DEPTH} levels")));
            };
            loop {
                let (inner, wire_type) = ::prost::encoding::decode_key(buf)?;
                if wire_type == WireType::EndGroup {
                    encode_key(inner, wire_type, out);
                    break;
                }
                take(inner, wire_type, buf, out, depth)?;
            }
            0
        }
        WireType::EndGroup => return Err(refused(format!("the group {tag} ends, but has not begun"))),
    };
    if buf.remaining() < len {
        return Err(refused(format!("length of {len} bytes, but only {} bytes are left", buf.remaining())));
    }
    out.put(buf.take(len));
    Ok(())
}

/// Returns an error of prost with a text.
#[cold]
// `new` is deprecated, but prost has no other way to make an error with a text.
#[allow(deprecated)]
fn refused(text: String) -> DecodeError {
    DecodeError::new(text)
}

#[cold]
fn unencodable(error: &Error) -> ! {
    panic!("the message cannot be encoded: {error}")
}

/// The conversion that makes a message of prost a member of a message of tobu.
///
/// `M` is the type of tobu for the message. Reflection, JSON and the text format see the message as `M`. A value is converted
/// through its bytes, which prost writes and reads. `Config::prost_type` of `tobu-build` sets this conversion for all fields
/// with a message of prost. The [module](self) has an example.
#[derive(Debug)]
pub struct Via<M>(PhantomData<M>);

impl<T, M> Convert<T> for Via<M>
where
    T: Message + Default + 'static,
    M: MessageOwned + Default + PartialEq,
{
    type Proto = M;
    const EXPECTED: &'static str = "a message that prost can decode";

    fn as_proto(value: &T) -> M {
        to_tobu(value)
    }

    fn from_proto(proto: M) -> Option<T> {
        to_prost(&proto).ok()
    }
}

/// Converts a message of prost to a message of tobu, through its bytes.
///
/// ```
/// use tobu::types::Duration;
///
/// let duration = prost_types::Duration { seconds: 1, nanos: 0 };
/// assert_eq!(tobu::prost::to_tobu::<Duration>(&duration), Duration::new(1, 0));
/// ```
///
/// # Panics
/// The two types describe different messages, so the bytes cannot be decoded.
pub fn to_tobu<M: MessageOwned>(message: &impl Message) -> M {
    let bytes = Bytes::from(message.encode_to_vec());
    match DecodeOptions::new().partial(true).from_bytes(&bytes) {
        Ok(message) => message,
        Err(error) => panic!("what prost encodes is not a message of the same type: {error}"),
    }
}

/// Converts a message of tobu to a message of prost, through its bytes.
///
/// ```
/// use tobu::types::Duration;
///
/// let duration: prost_types::Duration = tobu::prost::to_prost(&Duration::new(1, 0))?;
/// assert_eq!(duration.seconds, 1);
/// # Ok::<(), prost::DecodeError>(())
/// ```
///
/// # Errors
/// The message cannot be encoded, or prost cannot decode it.
pub fn to_prost<T: Message + Default>(message: &impl MessageOwned) -> Result<T, DecodeError> {
    let bytes = encoding().to_vec(message).map_err(|error| refused(error.to_string()))?;
    T::decode(Bytes::from(bytes))
}
