//! Second step of linking: names become references.

use std::sync::Arc;

use super::super::Type;
use super::super::names::printable;
use super::super::pool::Symbol;
use super::super::tables::*;
use super::{FieldDraft, Linker};
use crate::error::Result;

impl Linker<'_, '_, '_> {
    /// Resolves the types of fields and the extendees of extensions.
    pub(super) fn resolve_fields(&mut self) -> Result<()> {
        for i in 0..self.fields.len() {
            let name = Item::Field(i as u32);
            let FieldDraft { type_number: number, type_name, extendee, .. } = self.fields[i];
            let ty = match number {
                None => None,
                Some(number) => match Type::from_number(number) {
                    Some(ty) => Some(ty),
                    None => return Err(self.fail(name, format!("type {number} does not exist"))),
                },
            };
            let (ty, target) = match (ty, type_name) {
                (None | Some(Type::Message | Type::Enum), Some(type_name)) => {
                    let (found, target) = self.resolve(name, type_name)?;
                    if ty.is_some_and(|ty| ty != found) {
                        let text = format!("type {} is not {}", printable(type_name), article(ty));
                        return Err(self.fail(name, text));
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
                Some(extendee) => match self.resolve(name, extendee)? {
                    (Type::Message, parent) => parent,
                    _ => {
                        let text = format!("extendee {} is not a message", printable(extendee));
                        return Err(self.fail(name, text));
                    }
                },
            };
            let entry = &mut self.tables.fields[i];
            (entry.ty, entry.target, entry.parent) = (ty, target, parent);
        }
        Ok(())
    }

    /// Resolves the input and output of methods.
    pub(super) fn resolve_methods(&mut self) -> Result<()> {
        for i in 0..self.methods.len() {
            let name = Item::Method(i as u32);
            let [input, output] = self.methods[i];
            let input = self.resolve_message(name, "input", input)?;
            let output = self.resolve_message(name, "output", output)?;
            let entry = &mut self.tables.methods[i];
            (entry.input, entry.output) = (input, output);
        }
        Ok(())
    }

    fn resolve_message(&mut self, user: Item, what: &str, name: &str) -> Result<TypeRef> {
        match self.resolve(user, name)? {
            (Type::Message, target) => Ok(target),
            _ => Err(self.fail(user, format!("{what} {} is not a message", printable(name)))),
        }
    }

    /// The message or enum that `user` calls `name`.
    fn resolve(&mut self, user: Item, name: &str) -> Result<(Type, TypeRef)> {
        let found = match name.strip_prefix('.') {
            Some(full) => self.batch.symbol(full, &self.tables),
            None => self.lookup(self.tables.full_name(user), name),
        };
        let Some(symbol) = found else {
            return Err(self.fail(user, format!("type {} is not declared", printable(name))));
        };
        let (ty, index) = match symbol.item {
            Item::Message(index) => (Type::Message, index),
            Item::Enum(index) => (Type::Enum, index),
            item => {
                let text = format!("{} is {}, not a type", printable(name), item.noun());
                return Err(self.fail(user, text));
            }
        };
        if symbol.file == self.here {
            return Ok((ty, TypeRef { file: 0, index }));
        }
        if self.reached(symbol.file).is_none()
            && !self.batch.export(&self.exporting, symbol.file, &self.tables)?
        {
            let file = self.batch.file(symbol.file).map_or("", |file| file.name());
            let file = printable(file);
            let text = format!("type {} is declared in {file}, which is not imported", printable(name));
            return Err(self.fail(user, text));
        }
        Ok((ty, TypeRef { file: self.reach(symbol.file) + 1, index }))
    }

    /// Looks for a relative name from the innermost scope outwards: the first component decides.
    ///
    /// Specification: <https://protobuf.dev/programming-guides/proto3/#name-resolution>.
    fn lookup(&self, user: &str, name: &str) -> Option<Symbol> {
        let (first, is_compound) = match name.find('.') {
            Some(dot) => (&name[..dot], true),
            None => (name, false),
        };
        let mut scope = user;
        let mut candidate = String::with_capacity(user.len() + 1 + name.len());
        loop {
            scope = scope.rfind('.').map_or("", |dot| &scope[..dot]);
            candidate.clear();
            candidate.push_str(scope);
            if !scope.is_empty() {
                candidate.push('.');
            }
            let prefix = candidate.len();
            candidate.push_str(first);
            match self.batch.symbol(&candidate, &self.tables) {
                Some(Symbol { item: Item::Message(_) | Item::Package(_), .. }) if is_compound => {
                    candidate.truncate(prefix);
                    candidate.push_str(name);
                    return self.batch.symbol(&candidate, &self.tables);
                }
                Some(symbol) if !is_compound && symbol.item.is_type() => return Some(symbol),
                _ if scope.is_empty() => return None,
                _ => {}
            }
        }
    }

    /// The index in `tables.reach` of a file of the pool, which is added there when it is new.
    pub(super) fn reach(&mut self, file: u32) -> u32 {
        self.reached(file).unwrap_or_else(|| {
            let next = self.tables.reach.len() as u32;
            self.reach.insert(spread(file), (file, next));
            self.tables.reach.extend(self.batch.file(file).map(|file| Arc::clone(file.tables())));
            next
        })
    }

    fn reached(&self, file: u32) -> Option<u32> {
        self.reach.find(spread(file), |(known, _)| known == file).map(|(_, index)| index)
    }
}

/// The hash of an index.
fn spread(index: u32) -> u32 {
    index.wrapping_mul(0x9e37_79b9)
}

fn article(ty: Option<Type>) -> &'static str {
    if ty == Some(Type::Enum) { "an enum" } else { "a message" }
}
