//! Reads encoded messages directly from the bytes of the wire format, without decoding them into a message first.
//!
//! A [`WireView`] reads a message in place. It accepts input in the form in which encoders usually write it: each field
//! occurs once, and the elements of a list follow one another. Other input, and also malformed input, is *declined*:
//! the view returns an error that no user sees, and the caller decodes the input into an arena instead. Only the code
//! of the arena implements the rules for merging and creates the error messages. Only this module decides whether input
//! is declined; the code of the formats does not.

mod keys;
pub(crate) mod sink;
pub(crate) mod sort;
mod value;
mod view;

pub(crate) use keys::{EntryKey, Keys};
#[cfg(feature = "sink")]
pub(crate) use value::{Number, after_tag, after_varint, again, len_prefixed, scalar};
#[cfg(feature = "sink")]
pub(crate) use view::{Fields, Next, Noted, Order};
pub(crate) use view::{WireState, WireView};
