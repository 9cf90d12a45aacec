//! Third step of linking, for enums: lookup tables, and the checks over all values of an enum.

use crate::descriptor::names::written;
use std::collections::HashMap;

use super::super::features::EnumType;
use super::super::list::{numbered, numbered_from};
use super::super::names::{custom_json_name, printable};
use super::super::tables::*;
use super::Linker;
use super::ranges::Lookup;
use crate::error::Result;
use crate::sort::{sort_by, sort_by_key};

impl Linker<'_, '_, '_> {
    pub(super) fn check_enums(&mut self) -> Result<()> {
        for (enumeration, i) in numbered(&self.tables.enums) {
            if let Err(error) = self.check_enum(enumeration, Item::Enum(i)) {
                self.batch.report(error)?;
            }
        }
        Ok(())
    }

    fn check_enum(&self, enumeration: &EnumEntry, item: Item) -> Result<()> {
        self.check_values(enumeration, item)?;
        self.check_reserved_values(enumeration, item)?;
        self.check_value_json_names(enumeration)
    }

    /// Sorts the values of each enum by number and by name; those of one number in the order of declaration. Runs before
    /// fields, whose defaults are looked up by name.
    pub(super) fn sort_values(&mut self) {
        let count = self.tables.values.len();
        let mut orders = Vec::with_capacity(2 * count);
        for _ in 0..2 {
            orders.extend(0..count as u32);
        }
        let (by_number, by_name) = orders.split_at_mut(count);
        let value = |i: u32| &self.tables.values[i as usize];
        let name = |i: u32| self.tables.text(value(i).name.last);
        for enumeration in &self.tables.enums {
            let values = enumeration.values.start as usize..enumeration.values.end as usize;
            sort_by_key(&mut by_number[values.clone()], |&i| value(i).number);
            sort_by(&mut by_name[values], |&a, &b| name(a).cmp(name(b)));
        }
        self.tables.value_orders = orders;
    }

    fn check_values(&self, enumeration: &EnumEntry, item: Item) -> Result<()> {
        let values = enumeration.values.of(&self.tables.values);
        let Some(first) = values.first() else {
            return Err(self.fail(item, "an enum must have at least one value"));
        };
        if enumeration.features.enum_type == EnumType::Open && first.number != 0 {
            return Err(
                self.fail(Item::Value(enumeration.values.start), "the first value of an open enum must be 0")
            );
        }
        if enumeration.allow_alias {
            return Ok(());
        }
        let by_number = self.tables.values_by(Order::Number, enumeration.values);
        let number = |i: u32| self.tables.values[i as usize].number;
        // The value that is declared first of those whose number is taken.
        let mut again: Option<(u32, u32)> = None;
        for pair in by_number.windows(2) {
            if number(pair[0]) == number(pair[1]) && again.is_none_or(|(_, i)| pair[1] < i) {
                again = Some((pair[0], pair[1]));
            }
        }
        let Some((earlier, i)) = again else { return Ok(()) };
        let earlier = self.tables.text(self.tables.values[earlier as usize].name.last);
        Err(self.fail(
            Item::Value(i),
            format_args!("number {} is already taken by {earlier}, and allow_alias is not set", number(i)),
        ))
    }

    /// Checks the JSON names of values: a name must identify one number.
    fn check_value_json_names(&self, enumeration: &EnumEntry) -> Result<()> {
        let values = enumeration.values.of(&self.tables.values);
        let custom = |value: &ValueEntry| custom_json_name(self.tables.options(value.options));
        let mut has_custom = false;
        for value in values {
            has_custom |= custom(value).is_some();
        }
        if !has_custom {
            return Ok(());
        }
        let by_number = self.tables.values_by(Order::Number, enumeration.values);
        let value_at = |i: u32| &self.tables.values[i as usize];
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (value, i) in numbered_from(values, enumeration.values.start) {
            let own = self.tables.text(value.name.last);
            let json = custom(value);
            let Ok(json_text) = std::str::from_utf8(json.unwrap_or(own.as_bytes())) else {
                return Err(self.fail(Item::Value(i), "the JSON name is not UTF-8"));
            };
            if json.is_some()
                && let Some(text) = wrong_json_name(json_text, value.number)
            {
                return Err(self.fail(Item::Value(i), text));
            }
            let first = by_number[by_number.partition_point(|i| value_at(*i).number < value.number)];
            let of_first = custom(value_at(first));
            if of_first != json {
                let show = |name: Option<&[u8]>| match name {
                    Some(name) => written(format_args!("\"{}\"", printable(&String::from_utf8_lossy(name)))),
                    None => "none".to_owned(),
                };
                let first = self.tables.text(value_at(first).name.last);
                return Err(self.fail(
                    Item::Value(i),
                    format_args!(
                        "the JSON name must be that of {first}, which has the same number: {}, not {}",
                        show(of_first),
                        show(json)
                    ),
                ));
            }
            for name in [own, json_text] {
                let earlier = value_at(*names.entry(name).or_insert(i as usize) as u32);
                if earlier.number != value.number {
                    let earlier = self.tables.text(earlier.name.last);
                    return Err(self.fail(
                        Item::Value(i),
                        format_args!("the name \"{}\" is one of {earlier} in JSON", printable(name)),
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_reserved_values(&self, enumeration: &EnumEntry, item: Item) -> Result<()> {
        let names = self.reserved(enumeration.reserved_names(), item)?;
        let reserved = Lookup::of_inclusive(enumeration.reserved_ranges());
        for (value, i) in numbered_from(enumeration.values.of(&self.tables.values), enumeration.values.start)
        {
            if let Some((start, end)) = reserved.find(i64::from(value.number)) {
                return Err(self.fail(
                    Item::Value(i),
                    format_args!("number {} is in the reserved range {start} to {end}", value.number),
                ));
            }
            if names.binary_search(&self.tables.text(value.name.last)).is_ok() {
                return Err(self.fail(Item::Value(i), "the name is reserved"));
            }
        }
        Ok(())
    }
}

/// The error in the JSON name of a value with this number, if any.
fn wrong_json_name(name: &str, number: i32) -> Option<String> {
    if name.contains('\0') {
        return Some("the JSON name contains a NUL character".into());
    }
    let is_other = name.trim().parse().is_ok_and(|parsed: i32| parsed != number);
    is_other
        .then(|| written(format_args!("the JSON name \"{}\" is a number, but not {number}", printable(name))))
}
