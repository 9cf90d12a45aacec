//! The names of a type as one string, in which shapes give the start of each.

use proc_macro2::TokenStream;
use quote::quote;

/// The names of a type. Each ends with a NUL, except for the last.
pub(super) struct Names(String);

impl Names {
    /// The names of a Rust type, whose own name is first.
    pub(super) fn new(rust_name: &str) -> Self {
        Names(rust_name.to_owned())
    }

    /// Adds a name and returns its start.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        self.0.push('\0');
        let start = self.0.len();
        self.0.push_str(name);
        u32::try_from(start).expect("the names of a type are not that long")
    }

    /// Adds a name, unless it equals another name whose start is given.
    pub(super) fn add_another(&mut self, name: &str, other: &str, start: u32) -> u32 {
        if name == other { start } else { self.add(name) }
    }

    /// All of them.
    pub(super) fn all(&self) -> TokenStream {
        let names = &self.0;
        quote!(#names)
    }
}
