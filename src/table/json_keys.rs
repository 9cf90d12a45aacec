//! The keys of a field in JSON objects, made when they are first needed: other formats need none.

use crate::syntax::json::print::{Key, ShortCopy};
use once_cell::race::OnceBox;

/// The keys of a field with the text around them: `,"name":`. Empty for a field of a message that JSON shows in a form of
/// its own, and for the two of a map entry.
#[derive(Debug, Default)]
pub(super) struct JsonKeys {
    /// By its JSON name.
    pub(super) json: Key,
    /// By its proto name.
    pub(super) proto: Key,
}

/// The keys, once they are made.
#[derive(Debug, Default)]
pub(super) struct LateKeys {
    keys: OnceBox<JsonKeys>,
    /// A copy of the first where that is short: a printer asks once whether it is, and whether it is made.
    short: OnceBox<ShortCopy>,
}

impl LateKeys {
    #[inline]
    pub(super) fn get(&self) -> Option<&JsonKeys> {
        self.keys.get()
    }

    /// The key by the JSON name, where it is made and short.
    #[inline]
    pub(super) fn short(&self) -> Option<&ShortCopy> {
        self.short.get()
    }

    #[cold]
    #[inline(never)]
    pub(super) fn make(&self, names: Option<(&str, &str)>) -> &JsonKeys {
        let keys = self.keys.get_or_init(|| {
            let made =
                names.map(|(json, proto)| JsonKeys { json: Key::member(json), proto: Key::member(proto) });
            Box::new(made.unwrap_or_default())
        });
        if let Some(short) = keys.json.short_copy() {
            self.short.get_or_init(|| Box::new(short));
        }
        keys
    }
}

impl Clone for LateKeys {
    /// None are made yet.
    fn clone(&self) -> Self {
        LateKeys::default()
    }
}
