//! The names of a type, as one string: shapes say where each starts.

use proc_macro2::TokenStream;
use quote::quote;

/// The names of a type. Each ends with a NUL but the last.
pub(super) struct Names(String);

impl Names {
    /// Those of a Rust type, of which the first is its own.
    pub(super) fn new(rust_name: &str) -> Self {
        Names(rust_name.to_owned())
    }

    /// Adds a name and says where it starts.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        self.0.push('\0');
        let start = self.0.len();
        self.0.push_str(name);
        u32::try_from(start).expect("the names of a type are not that long")
    }

    /// Adds a name, unless it is the same as another of which it is known where that starts.
    pub(super) fn add_another(&mut self, name: &str, other: &str, start: u32) -> u32 {
        if name == other { start } else { self.add(name) }
    }

    /// All of them.
    pub(super) fn all(&self) -> TokenStream {
        let names = &self.0;
        quote!(#names)
    }
}
