//! Third step of linking, for enums: lookup tables, and the checks over all values of an enum.

use std::collections::{HashMap, HashSet};

use super::super::features::EnumType;
use super::super::names::{is_identifier, printable};
use super::super::tables::*;
use super::Linker;
use super::ranges::Lookup;
use crate::error::Result;

impl Linker<'_, '_> {
    /// Comes before fields, whose defaults are looked up by name.
    pub(super) fn finish_enums(&mut self) -> Result<()> {
        for i in 0..self.tables.enums.len() {
            let enumeration = &self.tables.enums[i];
            let value = |i: u32| &self.tables.values[i as usize];
            let mut by_name: Box<[u32]> = enumeration.values.range().collect();
            let mut by_number = by_name.to_vec();
            by_name.sort_by(|&a, &b| value(a).name.last().cmp(value(b).name.last()));
            by_number.sort_by_key(|&i| value(i).number);
            let declared = by_number.len();
            by_number.dedup_by_key(|i| value(*i).number);
            self.check_values(enumeration, by_number.len() < declared)?;
            self.check_reserved_values(enumeration)?;
            let enumeration = &mut self.tables.enums[i];
            enumeration.by_name = by_name;
            enumeration.by_number = by_number.into_boxed_slice();
        }
        Ok(())
    }

    fn check_values(&self, enumeration: &EnumEntry, has_aliases: bool) -> Result<()> {
        let values = enumeration.values.of(&self.tables.values);
        let Some(first) = values.first() else {
            return Err(self.fail(&enumeration.name, "an enum must have at least one value"));
        };
        if enumeration.features.enum_type == EnumType::Open && first.number != 0 {
            return Err(self.fail(&first.name, "the first value of an open enum must be 0"));
        }
        if enumeration.allow_alias || !has_aliases {
            return Ok(());
        }
        let mut taken = HashMap::new();
        for value in values {
            if let Some(earlier) = taken.insert(value.number, value) {
                let text = format!(
                    "number {} is already taken by {}, and allow_alias is not set",
                    value.number,
                    earlier.name.last()
                );
                return Err(self.fail(&value.name, text));
            }
        }
        Ok(())
    }

    fn check_reserved_values(&self, enumeration: &EnumEntry) -> Result<()> {
        let mut names = HashSet::new();
        for name in &enumeration.reserved_names {
            if !is_identifier(name) {
                let text = format!("reserved name \"{}\" is not an identifier", printable(name));
                return Err(self.fail(&enumeration.name, text));
            }
            if !names.insert(&**name) {
                return Err(
                    self.fail(&enumeration.name, format!("name {} is reserved twice", printable(name)))
                );
            }
        }
        let reserved = Lookup::of_inclusive(&enumeration.reserved_ranges);
        for value in enumeration.values.of(&self.tables.values) {
            if let Some((start, end)) = reserved.find(i64::from(value.number)) {
                let text = format!("number {} is in the reserved range {start} to {end}", value.number);
                return Err(self.fail(&value.name, text));
            }
            if names.contains(value.name.last()) {
                return Err(self.fail(&value.name, "the name is reserved"));
            }
        }
        Ok(())
    }
}
