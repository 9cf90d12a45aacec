//! The second step of linking. It resolves names to references.

use crate::descriptor::names::written;
use std::sync::Arc;

use super::super::Type;
use super::super::names::printable;
use super::super::pool::Symbol;
use super::super::tables::*;
use super::{FieldDraft, Linker};
use crate::error::Result;
use crate::sort::sort_by;

/// The kind of element that a name without a dot may mean. The search continues outwards until it finds such an
/// element.
#[derive(Clone, Copy, PartialEq)]
enum Lookup {
    /// A message or an enum.
    Types,
    /// Any element.
    Any,
}

impl Linker<'_, '_, '_> {
    /// Resolves the types of fields, and the messages that extensions extend.
    pub(super) fn resolve_fields(&mut self) -> Result<()> {
        for i in 0..self.fields.len() {
            if let Err(error) = self.resolve_field(i) {
                self.batch.report(error)?;
            }
        }
        Ok(())
    }

    fn resolve_field(&mut self, i: usize) -> Result<()> {
        let name = Item::Field(i as u32);
        let FieldDraft { type_number: number, type_name, extendee, .. } = self.fields[i];
        let ty = match number {
            None => None,
            Some(number) => match Type::from_number(number) {
                Some(ty) => Some(ty),
                None => return Err(self.fail(name, format_args!("type {number} does not exist"))),
            },
        };
        let (ty, target) = match (ty, type_name) {
            (None | Some(Type::Message | Type::Enum), Some(type_name)) => {
                let (found, target) = self.resolve(name, type_name, Lookup::Types)?;
                if ty.is_some_and(|ty| ty != found) {
                    return Err(
                        self.fail(name, format_args!("type {} is not {}", printable(type_name), article(ty)))
                    );
                }
                (found, target)
            }
            (None, None) => return Err(self.fail(name, "the type is missing")),
            (Some(Type::Message | Type::Enum), None) => {
                return Err(self.fail(name, "the name of the type is missing"));
            }
            (Some(_), Some(_)) => {
                return Err(self.fail(name, "a field of a scalar type cannot name a type"));
            }
            (Some(ty), None) => (ty, TypeRef::default()),
        };
        let parent = match extendee {
            None => self.tables.fields[i].parent,
            Some(extendee) => match self.resolve(name, extendee, Lookup::Any)? {
                (Type::Message, parent) => parent,
                _ => {
                    return Err(
                        self.fail(name, format_args!("extendee {} is not a message", printable(extendee)))
                    );
                }
            },
        };
        let entry = &mut self.tables.fields[i];
        (entry.ty, entry.target, entry.parent) = (ty, target, parent);
        Ok(())
    }

    pub(super) fn resolve_methods(&mut self) -> Result<()> {
        for i in 0..self.methods.len() {
            if let Err(error) = self.resolve_method(i) {
                self.batch.report(error)?;
            }
        }
        Ok(())
    }

    fn resolve_method(&mut self, i: usize) -> Result<()> {
        let name = Item::Method(i as u32);
        let [input, output] = self.methods[i];
        let input = self.resolve_message(name, "input", input)?;
        let output = self.resolve_message(name, "output", output)?;
        let entry = &mut self.tables.methods[i];
        (entry.input, entry.output) = (input, output);
        Ok(())
    }

    fn resolve_message(&mut self, user: Item, what: &str, name: &str) -> Result<TypeRef> {
        match self.resolve(user, name, Lookup::Any)? {
            (Type::Message, target) => Ok(target),
            _ => Err(self.fail(user, format_args!("{what} {} is not a message", printable(name)))),
        }
    }

    /// Returns the message or enum that the element `user` means by `name`.
    fn resolve(&mut self, user: Item, name: &str, lookup: Lookup) -> Result<(Type, TypeRef)> {
        let mut hidden = None;
        let found = match name.strip_prefix('.') {
            Some(full) => self.visible(full, &mut hidden)?,
            None => self.lookup(user, name, lookup, &mut hidden)?,
        };
        let Some(symbol) = found else {
            let text = match hidden.and_then(|file| self.batch.file(file)) {
                Some(file) => {
                    let file = printable(file.name());
                    written(format_args!(
                        "type {} is declared in {file}, which is not imported",
                        printable(name)
                    ))
                }
                None => written(format_args!("type {} is not declared", printable(name))),
            };
            return Err(self.fail(user, text));
        };
        let (ty, index) = match symbol.item {
            Item::Message(index) => (Type::Message, index),
            Item::Enum(index) => (Type::Enum, index),
            item => {
                return Err(
                    self.fail(user, format_args!("{} is {}, not a type", printable(name), item.noun()))
                );
            }
        };
        let file = if symbol.file == self.here { 0 } else { self.reach(symbol.file) + 1 };
        Ok((ty, TypeRef { file, index }))
    }

    /// Searches for a relative name from the innermost scope outwards. If the name has several components, the search ends at
    /// the first scope in which the first component is an element with members. If this element does not have the rest of the
    /// name, the name is not found.
    ///
    /// Specification: <https://protobuf.dev/programming-guides/proto3/#name-resolution>.
    fn lookup(
        &mut self,
        user: Item,
        name: &str,
        lookup: Lookup,
        hidden: &mut Option<u32>,
    ) -> Result<Option<Symbol>> {
        let (first, is_compound) = match name.find('.') {
            Some(dot) => (&name[..dot], true),
            None => (name, false),
        };
        let mut candidate = self.tables.full_name(user).to_owned();
        loop {
            candidate.truncate(candidate.rfind('.').unwrap_or_default());
            let scope = candidate.len();
            if scope > 0 {
                candidate.push('.');
            }
            let prefix = candidate.len();
            candidate.push_str(first);
            match self.visible(&candidate, hidden)? {
                Some(symbol) if is_compound && symbol.item.has_members() => {
                    candidate.truncate(prefix);
                    candidate.push_str(name);
                    return self.visible(&candidate, hidden);
                }
                Some(symbol) if !is_compound && (lookup == Lookup::Any || symbol.item.is_type()) => {
                    return Ok(Some(symbol));
                }
                _ if scope == 0 => return Ok(None),
                _ => candidate.truncate(scope),
            }
        }
    }

    /// Returns the element with a full name, if this file or a visible file declares it. Visible files are the imports,
    /// except those for options only, and the files that they import publicly. If only a file that is not visible declares
    /// the element, sets `hidden` to the index of that file.
    fn visible(&mut self, full_name: &str, hidden: &mut Option<u32>) -> Result<Option<Symbol>> {
        let Some(symbol) = self.batch.symbol(full_name, &self.tables) else { return Ok(None) };
        if let Item::Package(_) = symbol.item {
            // Many files may have this package, but the symbol names only the first of them. So the file of the symbol
            // does not tell whether the package is visible.
            let is_visible = is_in(self.tables.package(), full_name) || self.imports_package(full_name)?;
            return Ok(is_visible.then_some(symbol));
        }
        let is_imported = symbol.file == self.here
            || self.reached(symbol.file).is_some_and(|at| !self.option_imports.contains(&at))
            || self.batch.export(&self.exporting, symbol.file, &self.tables)?;
        if !is_imported {
            *hidden = Some(symbol.file);
        }
        Ok(is_imported.then_some(symbol))
    }

    /// True if an imported file, or a file that an import imports publicly, has the package `package` or a package inside
    /// `package`. Imports for options count, too, although their types are not visible: protoc counts them.
    fn imports_package(&mut self, package: &str) -> Result<bool> {
        if self.packages.is_none() {
            let mut packages: Vec<Box<str>> = Vec::new();
            for import in &self.tables.imports {
                packages.extend(import.file.map(|file| self.tables.reach[file as usize].package().into()));
            }
            for &import in &self.exporting {
                packages.extend(self.batch.exported_packages(import, &self.tables)?);
            }
            sort_by(&mut packages, |a, b| a.cmp(b));
            self.packages = Some(packages);
        }
        // A dot sorts before all characters of names, so the packages inside this package come next.
        let packages = self.packages.as_deref().unwrap_or_default();
        let next = packages.get(packages.partition_point(|known| **known < *package));
        Ok(next.is_some_and(|next| is_in(next, package)))
    }

    /// Returns the index of a file in `tables.reach`, and adds the file if `tables.reach` does not contain it yet. `file` is
    /// the index in the pool.
    pub(super) fn reach(&mut self, file: u32) -> u32 {
        self.reached(file).unwrap_or_else(|| {
            let next = self.tables.reach.len() as u32;
            self.reach.insert(spread(file), Symbol { file, item: Item::Package(next) });
            self.tables.reach.extend(self.batch.file(file).map(|file| Arc::clone(file.tables())));
            next
        })
    }

    fn reached(&self, file: u32) -> Option<u32> {
        match self.reach.find(spread(file), &|known| known.file == file)?.item {
            Item::Package(index) => Some(index),
            _ => None,
        }
    }
}

/// Returns a hash of an index.
fn spread(index: u32) -> u32 {
    index.wrapping_mul(0x9e37_79b9)
}

/// True if `package` equals `outer` or is inside it.
fn is_in(package: &str, outer: &str) -> bool {
    package.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn article(ty: Option<Type>) -> &'static str {
    if ty == Some(Type::Enum) { "an enum" } else { "a message" }
}
