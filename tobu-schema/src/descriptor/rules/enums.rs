//! Values of enums that are hard to tell apart, and aliases that are none.

use super::*;
use crate::descriptor::Edition;
use crate::descriptor::list::{Names, numbered, numbered_from};
use crate::descriptor::names::written;
use crate::descriptor::raw::options;
use crate::descriptor::tables::{EnumEntry, Order};

// The fields of `google.protobuf.EnumOptions`.
const ALLOW_ALIAS: u32 = 2;
const LEGACY_JSON_CONFLICTS: u32 = 6;

impl Broken<'_> {
    pub(super) fn enums(&mut self) {
        let tables = self.tables;
        for (enumeration, i) in numbered(&tables.enums) {
            self.names_by_case(enumeration);
            self.aliases(enumeration, Item::Enum(i));
        }
    }

    /// Generators cut the name of the enum from its values, and change their case: they must differ in more.
    fn names_by_case(&mut self, enumeration: &EnumEntry) {
        let tables = self.tables;
        let enum_name = tables.text(enumeration.name.last);
        let is_lenient = tables.edition == Edition::Proto2
            && options::is_set(tables.options(enumeration.options), LEGACY_JSON_CONFLICTS);
        let mut taken = Names::with_capacity(enumeration.values.len());
        for (value, i) in numbered_from(enumeration.values.of(&tables.values), enumeration.values.start) {
            let name = tables.text(value.name.last);
            let bare = pascal_case(without_prefix(name, enum_name));
            let earlier = &tables.values[*taken.entry(bare).or_insert(i as usize)];
            if earlier.number == value.number {
                continue;
            }
            let earlier = tables.text(earlier.name.last);
            let text = written(format_args!(
                "the name is that of {earlier}, except for case and the prefix that is the name of the enum"
            ));
            match is_lenient {
                true => self.warn(Item::Value(i), text),
                false => self.add(Item::Value(i), text),
            }
        }
    }

    fn aliases(&mut self, enumeration: &EnumEntry, item: Item) {
        let tables = self.tables;
        match options::varint(tables.options(enumeration.options), ALLOW_ALIAS) {
            Some(0) => self.add(item, "allow_alias = false has no effect"),
            Some(_) => {
                let by_number = tables.values_by(Order::Number, enumeration.values);
                let number = |i: u32| tables.values[i as usize].number;
                if by_number.windows(2).all(|pair| number(pair[0]) != number(pair[1])) {
                    self.add(item, "allow_alias is set, but no two values have one number");
                }
            }
            None => {}
        }
    }
}

/// The name of a value without that of its enum, ignoring case and underscores; as it is if nothing would be left.
fn without_prefix<'n>(name: &'n str, enum_name: &str) -> &'n str {
    let mut prefix = enum_name.bytes().filter(|byte| *byte != b'_').peekable();
    let mut at = 0;
    for byte in name.bytes() {
        if byte != b'_' {
            match prefix.next() {
                None => break,
                Some(expected) if expected.eq_ignore_ascii_case(&byte) => {}
                Some(_) => return name,
            }
        }
        at += 1;
    }
    if prefix.peek().is_some() || at == name.len() { name } else { &name[at..] }
}

/// `FOO_BAR` becomes `FooBar`.
fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_upper = true;
    for c in name.chars() {
        if c == '_' {
            is_upper = true;
        } else {
            out.push(if is_upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
            is_upper = false;
        }
    }
    out
}
