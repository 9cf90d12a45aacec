//! The tree of modules of one package, and its printer.
//!
//! Items become text at once, because as tokens they would take twenty times the memory.

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
    /// How many modules it is in.
    level: usize,
    /// The indentation of the items: how many modules of its file it is in.
    depth: usize,
    description: Option<String>,
    attributes: TokenStream,
    /// The text of each item, which is not moved until it is written.
    items: Vec<String>,
    children: BTreeMap<String, Module>,
}

impl Module {
    /// The module of a package inside this many modules, `depth` of them in the same file.
    pub(super) fn of_package(level: usize, depth: usize) -> Self {
        Module { level, depth, ..Module::default() }
    }

    /// The module at a path from the root, in this one.
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

    /// Sets the documentation of the module.
    pub(super) fn describe(&mut self, text: String) {
        self.description = Some(text);
    }

    /// Sets the attributes of the module.
    pub(super) fn attribute(&mut self, attributes: TokenStream) {
        self.attributes = attributes;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.children.is_empty()
    }

    /// Writes the module as a file, without its first line.
    pub(super) fn write(mut self, out: &mut dyn Output) -> Result<()> {
        self.write_items(out)?;
        self.write_children(out, |_| true)
    }

    /// Writes the items and removes them.
    pub(super) fn write_items(&mut self, out: &mut dyn Output) -> Result<()> {
        std::mem::take(&mut self.items).into_iter().try_for_each(|item| out.text(item))
    }

    /// Writes the inner modules in the order of their names, up to one that is not `wanted`, and removes them.
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

/// The text at the start and end of a module.
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

/// The source of items at a depth of modules.
pub(super) fn print(items: TokenStream, depth: usize) -> Result<String> {
    let mut file: syn::File = syn::parse2(items).map_err(Kind::Print)?;
    if file.items.is_empty() {
        return Ok(String::new());
    }
    if depth == 0 {
        mark(&mut file);
    }
    // The printer breaks lines by their position, so items are printed inside modules, which are then removed.
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

/// Gives items the attributes of a generated file.
fn mark(file: &mut syn::File) {
    // Attributes of the whole file are not allowed in an included file, so every item has them.
    let allow: syn::Attribute = syn::parse_quote!(
        #[allow(clippy::all, clippy::pedantic, dead_code, deprecated, missing_docs, unreachable_pub)]
    );
    // A generated file must not change when it is formatted. rustfmt leaves items with this attribute unchanged,
    // whatever version and settings it has.
    let skip: syn::Attribute = syn::parse_quote!(#[rustfmt::skip]);
    for item in &mut file.items {
        if let Some(attributes) = attributes(item) {
            attributes.splice(..0, [allow.clone(), skip.clone()]);
        }
    }
}

/// The attributes of an item of a generated file.
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
