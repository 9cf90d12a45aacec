//! Which messages and enums other files may use, and which may be exported at all.
//!
//! Specification: <https://protobuf.dev/editions/features/#symbol-vis>.

use super::*;
use crate::descriptor::list::numbered;
use crate::descriptor::names::written;
use crate::descriptor::tables::{EnumEntry, TypeRef};
use crate::descriptor::{DefaultSymbolVisibility, Features, Type, Visibility};
use crate::wire::MAX_FIELD_NUMBER;

impl Broken<'_> {
    pub(super) fn visibility(&mut self) {
        let tables = self.tables;
        for (field, i) in numbered(&tables.fields) {
            let item = if field.is_extension { Item::Extension(i) } else { Item::Field(i) };
            if field.is_extension {
                self.uses(item, field.parent, Type::Message);
            }
            match field.ty {
                Type::Message => self.uses(item, field.target, Type::Message),
                Type::Enum => self.uses(item, field.target, Type::Enum),
                _ => {}
            }
        }
        for (method, i) in numbered(&tables.methods) {
            self.uses(Item::Method(i), method.input, Type::Message);
            self.uses(Item::Method(i), method.output, Type::Message);
        }
        self.nested_exports();
    }

    /// Checks that the type of an element may be used from here.
    fn uses(&mut self, user: Item, target: TypeRef, ty: Type) {
        if target.file == 0 {
            return;
        }
        let file = self.tables.target(target);
        let (visibility, is_nested, name) = match ty {
            Type::Enum => {
                let entry = self.tables.target_enum(target);
                (entry.visibility, entry.parent.is_some(), self.tables.target_name(target, Item::Enum))
            }
            _ => {
                let entry = self.tables.target_message(target);
                (entry.visibility, entry.parent.is_some(), self.tables.target_name(target, Item::Message))
            }
        };
        if !visibility.is_local(file.features, is_nested) {
            return;
        }
        let why = match visibility {
            Visibility::Unset => {
                written(format_args!("by features.default_symbol_visibility = {}", default_of(file.features)))
            }
            _ => "as it is declared".to_owned(),
        };
        self.add(user, format_args!("type {name} is local to {}, {why}", printable(file.name())));
    }

    /// Checks for exported nested types in a strict file.
    fn nested_exports(&mut self) {
        let tables = self.tables;
        if tables.features.default_symbol_visibility != DefaultSymbolVisibility::Strict {
            return;
        }
        for (message, i) in numbered(&tables.messages) {
            if message.parent.is_some() && message.visibility == Visibility::Export {
                let text =
                    "a nested message cannot be exported, by features.default_symbol_visibility = STRICT";
                self.add(Item::Message(i), text);
            }
        }
        for (enumeration, i) in numbered(&tables.enums) {
            let is_exported = enumeration.visibility == Visibility::Export && enumeration.parent.is_some();
            if is_exported && !self.is_in_namespace(enumeration) {
                let text = "a nested enum cannot be exported, by features.default_symbol_visibility = STRICT, unless its \
                            message is local and has only `reserved 1 to max;`";
                self.add(Item::Enum(i), text);
            }
        }
    }

    /// True for an enum in a local message that has no numbers left for fields.
    fn is_in_namespace(&self, enumeration: &EnumEntry) -> bool {
        let Some(parent) = enumeration.parent else { return false };
        let message = &self.tables.messages[parent as usize];
        message.parent.is_none()
            && message.visibility.is_local(self.tables.features, false)
            && matches!(message.reserved_ranges(), [all] if *all == (1..MAX_FIELD_NUMBER + 1))
    }
}

fn default_of(features: Features) -> &'static str {
    match features.default_symbol_visibility {
        DefaultSymbolVisibility::ExportAll => "EXPORT_ALL",
        DefaultSymbolVisibility::ExportTopLevel => "EXPORT_TOP_LEVEL",
        DefaultSymbolVisibility::LocalAll => "LOCAL_ALL",
        DefaultSymbolVisibility::Strict => "STRICT",
    }
}
