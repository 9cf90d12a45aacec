//! Collects the names of a type in one string. The shape of the type has the position of each name in this string.

use proc_macro2::TokenStream;
use quote::quote;

/// The names of a type. Each name ends with a NUL, except for the last one.
pub(super) struct Names(String);

impl Names {
    /// Creates the names of a Rust type. The first name is the name of the type itself.
    pub(super) fn new(rust_name: &str) -> Self {
        Names(rust_name.to_owned())
    }

    /// Adds a name and returns its position.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        self.0.push('\0');
        let start = self.0.len();
        self.0.push_str(name);
        u32::try_from(start).expect("the names of a type are not that long")
    }

    /// Adds a name and returns its position. If the name equals `other`, only returns `start`, the position of
    /// `other`.
    pub(super) fn add_another(&mut self, name: &str, other: &str, start: u32) -> u32 {
        if name == other { start } else { self.add(name) }
    }

    pub(super) fn all(&self) -> TokenStream {
        let names = &self.0;
        quote!(#names)
    }
}
