//! The keys of a field in JSON objects. They are created on first use, because other formats do not need them.

use crate::syntax::json::print::{Key, ShortCopy};
use once_cell::race::OnceBox;

/// The keys of a field with the text around them: `,"name":`. They are empty for the fields inside a well-known type with a
/// special JSON form, and for the key and the value of a map entry.
#[derive(Debug, Default)]
pub(super) struct JsonKeys {
    pub(super) json: Key,
    pub(super) proto: Key,
}

#[derive(Debug, Default)]
pub(super) struct LateKeys {
    keys: OnceBox<JsonKeys>,
    /// A copy of the JSON key, if the key is short. With this copy, one check tells the printer both that the key is created
    /// and that it is short.
    short: OnceBox<ShortCopy>,
}

impl LateKeys {
    #[inline]
    pub(super) fn get(&self) -> Option<&JsonKeys> {
        self.keys.get()
    }

    /// Returns the key with the JSON name, if it is already created and short.
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
    /// Returns an empty value, which creates its own keys on first use.
    fn clone(&self) -> Self {
        LateKeys::default()
    }
}
