//! Messages as the bytes of the wire format, without a message in between.
//!
//! A [`WireView`] reads them where they lie. It takes input as writers write it: each field once, its elements one after the
//! other. Other input, malformed input included, is *declined* by an error that nobody sees: the caller decodes into an
//! arena then, which alone knows the rules of merging and the texts of errors. Whether input is declined is decided here
//! and in no format.

mod keys;
pub(crate) mod sink;
pub(crate) mod sort;
mod value;
mod view;

pub(crate) use keys::{EntryKey, Keys};
#[cfg(feature = "sink")]
pub(crate) use value::{Number, after_tag, again, len_prefixed, scalar};
#[cfg(feature = "sink")]
pub(crate) use view::{Fields, Next, Noted, Order};
pub(crate) use view::{WireState, WireView};
