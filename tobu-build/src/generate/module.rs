//! Collects the items of one package in a tree of modules, and prints them.
//!
//! Items are printed as soon as they are generated, because as tokens they would take twenty times the memory.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::doc;
use crate::error::{Kind, Result};
use crate::names::ident;
use crate::output::Output;

/// A module: its items, then the modules in it.
#[derive(Default)]
pub(super) struct Module {
    /// How many modules surround this module, counted from the root of the generated code.
    level: usize,
    /// How many `mod` blocks of the same file surround the items, this module included.
    depth: usize,
    description: Option<String>,
    attributes: TokenStream,
    /// The printed items, in separate strings, which are not copied before they are written.
    items: Vec<String>,
    children: BTreeMap<String, Module>,
}

impl Module {
    /// Creates the module of a package that is inside `level` modules. `depth` of them are in the same file.
    pub(super) fn of_package(level: usize, depth: usize) -> Self {
        Module { level, depth, ..Module::default() }
    }

    /// Returns the module at `path`, and creates it if necessary. The path begins at the root, and leads through this
    /// module.
    pub(super) fn at(&mut self, path: &[String]) -> &mut Module {
        path[self.level..].iter().fold(self, |module, name| {
            let child = || Module::of_package(module.level + 1, module.depth + 1);
            module.children.entry(name.clone()).or_insert_with(child)
        })
    }

    pub(super) fn push(&mut self, item: TokenStream) -> Result<()> {
        self.items.push(print(item, self.depth)?);
        Ok(())
    }

    pub(super) fn describe(&mut self, text: String) {
        self.description = Some(text);
    }

    pub(super) fn attribute(&mut self, attributes: TokenStream) {
        self.attributes = attributes;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.children.is_empty()
    }

    /// Writes the items and the inner modules. The caller writes what surrounds them: the head of the file or the `mod`
    /// block.
    pub(super) fn write(mut self, out: &mut dyn Output) -> Result<()> {
        self.write_items(out)?;
        self.write_children(out, |_| true)
    }

    /// Writes the items, and removes them from the module.
    pub(super) fn write_items(&mut self, out: &mut dyn Output) -> Result<()> {
        std::mem::take(&mut self.items).into_iter().try_for_each(|item| out.text(item))
    }

    /// Writes the inner modules in the order of their names, and removes them. Stops before a module that is not
    /// `wanted`.
    pub(super) fn write_children(
        &mut self,
        out: &mut dyn Output,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<()> {
        while let Some(child) = self.children.first_entry().filter(|child| wanted(child.key())) {
            let (name, child) = child.remove_entry();
            let (head, end) = around(&name, child.description.as_deref(), &child.attributes, self.depth)?;
            if child.is_empty() {
                out.text(format!("{}{}", head.trim_end(), end.trim_start()))?;
                continue;
            }
            out.text(head)?;
            child.write(out)?;
            out.text(end)?;
        }
        Ok(())
    }
}

/// Returns the start and the end of a `mod` block as text.
pub(super) fn around(
    name: &str,
    description: Option<&str>,
    attributes: &TokenStream,
    depth: usize,
) -> Result<(String, String)> {
    let name = ident(name);
    let doc = description.map(doc::line);
    let empty = print(quote!(#doc #attributes pub mod #name {}), depth)?;
    let head = format!("{}\n", empty.strip_suffix("}\n").unwrap_or(&empty));
    Ok((head, format!("{}}}\n", INDENT.repeat(depth))))
}

const INDENT: &str = "    ";

/// Prints items as source, indented for `depth` modules around them.
pub(super) fn print(items: TokenStream, depth: usize) -> Result<String> {
    let mut file: syn::File = syn::parse2(items).map_err(Kind::Print)?;
    if file.items.is_empty() {
        return Ok(String::new());
    }
    if depth == 0 {
        mark(&mut file);
    }
    // The printer breaks lines depending on their indentation, so the items are printed inside modules. Then the
    // modules are removed.
    for _ in 0..depth {
        let mut module: syn::ItemMod = syn::parse_quote!(
            mod m {}
        );
        module.content = module.content.map(|(brace, _)| (brace, std::mem::take(&mut file.items)));
        file.items = vec![syn::Item::Mod(module)];
    }
    let text = prettyplease::unparse(&file);
    let opened = text.splitn(depth + 1, '\n').nth(depth).unwrap_or_default();
    let closing: usize = (0..depth).map(|depth| depth * INDENT.len() + "}\n".len()).sum();
    Ok(opened[..opened.len() - closing].to_owned())
}

/// Gives items the attributes that items of a generated file need.
fn mark(file: &mut syn::File) {
    // Attributes of the whole file are not allowed in an included file, so each item has them.
    let allow: syn::Attribute = syn::parse_quote!(
        #[allow(clippy::all, clippy::pedantic, dead_code, deprecated, missing_docs, unreachable_pub)]
    );
    // A generated file must not change when it is formatted. No version of rustfmt changes items with this attribute,
    // whatever the settings are.
    let skip: syn::Attribute = syn::parse_quote!(#[rustfmt::skip]);
    for item in &mut file.items {
        if let Some(attributes) = attributes(item) {
            attributes.splice(..0, [allow.clone(), skip.clone()]);
        }
    }
}

/// Returns the attributes of an item; `None` for kinds of items that no generated file has.
fn attributes(item: &mut syn::Item) -> Option<&mut Vec<syn::Attribute>> {
    Some(match item {
        syn::Item::Enum(item) => &mut item.attrs,
        syn::Item::Impl(item) => &mut item.attrs,
        syn::Item::Mod(item) => &mut item.attrs,
        syn::Item::Static(item) => &mut item.attrs,
        syn::Item::Struct(item) => &mut item.attrs,
        syn::Item::Type(item) => &mut item.attrs,
        _ => return None,
    })
}
