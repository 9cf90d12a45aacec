//! What can be written.
//!
//! Layer 4: names the formats' verbs.

use crate::error::Result;
use crate::json;
use crate::message::{Message, plans};
use crate::plan::PlanSet;
use crate::ser::{Context, Json};
use serde::Serialize;

/// What can be written in a format: typed messages, `dyn Reflect`, [`DynamicMessage`](crate::DynamicMessage).
///
/// The trait is sealed: types come to it by deriving [`Message`] and [`Serialize`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded as a protobuf message",
    note = "derive `tobu::Message` and `tobu::Serialize` on it, or use a descriptor"
)]
pub trait Encode: sealed::Encode {}

impl<T: sealed::Encode + ?Sized> Encode for T {}

pub(crate) mod sealed {
    use crate::error::Result;
    use crate::json;

    /// The formats, one method each.
    pub trait Encode {
        /// Appends JSON; on an error the vector is as it was.
        fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()>;
    }
}

impl<T: Message + Serialize> sealed::Encode for T {
    #[inline]
    fn append_json(&self, options: &json::Options, buf: &mut Vec<u8>) -> Result<()> {
        append_json(plans::<T>()?, self, options, buf)
    }
}

/// Appends any serde value as a message; on an error the vector is as it was.
#[inline]
pub(crate) fn append_json<T: Serialize + ?Sized>(
    set: &PlanSet,
    value: &T,
    options: &json::Options,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let start = buf.len();
    let mut out = std::mem::take(buf);
    // What is written by whole words needs some bytes more than it leaves.
    let room = set.learned_json_size() + 32;
    match out.capacity() {
        0 => out = Vec::with_capacity(room),
        _ => out.reserve(room),
    }
    let context = Context {
        set,
        max_depth: options.limits.max_depth(),
        deterministic: options.deterministic,
        partial: options.partial,
        defaults: options.emit_defaults,
    };
    let mut sink = Json::append_to(out, options);
    let written = context.write(&mut sink, value);
    *buf = sink.out.into_vec();
    match written {
        Ok(()) => {
            set.learn_json_size(buf.len() - start);
            Ok(())
        }
        Err(error) => {
            buf.truncate(start);
            Err(error)
        }
    }
}
