//! An enumeration: its values by number and by name.

use super::{Keys, same_name};
use crate::descriptor::EnumDescriptor;
use crate::json::print;
use crate::layout::EnumShape;
use crate::sort::sort_by_key;
use once_cell::sync::OnceCell;
use std::collections::HashMap;

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumTable {
    pub(crate) full_name: Box<str>,
    /// Numbers in ascending order, with the name that was declared first for each.
    pub(crate) values: Box<[(i32, Box<str>)]>,
    /// Serde's variant names and their numbers, where a Rust enum is bound.
    pub(crate) variants: Box<[(&'static str, i32)]>,
    /// The number of a value that is not set.
    pub(crate) default: i32,
    /// True for `google.protobuf.NullValue`.
    pub(crate) null: bool,
    /// Further names of numbers.
    aliases: Box<[(i32, Box<str>)]>,
    /// The numbers that have separate JSON names.
    custom_names: Box<[(i32, Box<str>)]>,
    /// What only JSON and text need: programs without these contain none of it.
    names: OnceCell<Names>,
    /// The least number.
    first: i32,
    /// True when the numbers are consecutive.
    dense: bool,
}

/// The names of an enumeration's values.
#[derive(Debug)]
struct Names {
    by_name: HashMap<Box<str>, i32>,
    /// The values that have separate JSON names: numbers by name, and names by number.
    by_json_name: HashMap<Box<str>, i32>,
    by_number: HashMap<i32, Box<str>>,
    /// The names of all numbers as JSON writes them.
    json_names: Box<[Box<[u8]>]>,
    /// How the names start, in text and in JSON.
    starts: Keys,
    json_starts: Keys,
}

impl EnumTable {
    pub(super) fn new(descriptor: &EnumDescriptor, shape: Option<&'static EnumShape>) -> Self {
        let mut values: Vec<(i32, Box<str>)> =
            descriptor.values().map(|value| (value.number(), value.name().into())).collect();
        let default = values.first().map_or(0, |(number, _)| *number);
        // A stable sort: of several names of one number the one declared first stays.
        sort_by_key(&mut values, |(number, _)| *number);
        let mut aliases = Vec::new();
        values.dedup_by(|next, first| {
            let is_alias = next.0 == first.0;
            if is_alias {
                aliases.push(std::mem::take(next));
            }
            is_alias
        });
        let custom_names = descriptor
            .values()
            .filter(|value| value.json_name() != value.name())
            .map(|value| (value.number(), value.json_name().into()))
            .collect();
        let first = values.first().map_or(0, |(number, _)| *number);
        let dense = (i64::from(first)..).zip(&values).all(|(i, (number, _))| i == i64::from(*number));
        let variants = shape.map_or_else(Box::default, |shape| {
            shape.values.iter().map(|(variant, _, number)| (*variant, *number)).collect()
        });
        let full_name = descriptor.full_name().into();
        let null = descriptor.full_name() == "google.protobuf.NullValue";
        EnumTable {
            full_name,
            values: values.into(),
            variants,
            default,
            null,
            aliases: aliases.into(),
            custom_names,
            names: OnceCell::new(),
            first,
            dense,
        }
    }

    #[inline]
    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(self))
    }
}

impl Names {
    #[inline(never)]
    fn new(table: &EnumTable) -> Self {
        let values = &table.values;
        let all = values.iter().chain(&table.aliases);
        let by_name = all.map(|(number, name)| (name.clone(), *number)).collect();
        let custom = table.custom_names.iter();
        let by_json_name = custom.map(|(number, name)| (name.clone(), *number)).collect();
        let by_number: HashMap<i32, Box<str>> = table.custom_names.iter().cloned().collect();
        let json_name = |(number, name): &(i32, Box<str>)| match table.null {
            true => b"null".as_slice().into(),
            false => print::quoted(by_number.get(number).unwrap_or(name)),
        };
        let json_names: Box<[Box<[u8]>]> = values.iter().map(json_name).collect();
        Names {
            starts: Keys::of_names(values.iter().map(|(_, name)| &**name)),
            json_starts: Keys::new(json_names.iter().map(|name| &**name)),
            by_name,
            by_json_name,
            by_number,
            json_names,
        }
    }
}

impl EnumTable {
    /// True when the schema names `number`.
    #[inline]
    pub(crate) fn contains(&self, number: i32) -> bool {
        self.position(number).is_some()
    }

    /// The name of `number`, where the schema has one.
    pub(crate) fn name(&self, number: i32) -> Option<&str> {
        self.position(number).map(|i| &*self.values[i].1)
    }

    /// The JSON name of `number`, if the schema has one.
    #[inline]
    pub(crate) fn json_name(&self, number: i32) -> Option<&[u8]> {
        self.position(number).and_then(|position| self.names().json_names.get(position)).map(|name| &**name)
    }

    /// The name of `number` in JSON, where the schema has one.
    pub(crate) fn json_text(&self, number: i32) -> Option<&str> {
        self.names().by_number.get(&number).map(|name| &**name).or_else(|| self.name(number))
    }

    /// Names as JSON writes them, with their numbers: those of the first few values that a text may start with, after
    /// the quote. They are faster to compare than to hash.
    #[inline]
    pub(crate) fn json_names(&self, text: &[u8]) -> impl Iterator<Item = (&[u8], i32)> {
        let names = self.names();
        let nearby = names.json_starts.nearby(0, text.get(1..).unwrap_or_default());
        nearby.filter_map(|index| Some((&**names.json_names.get(index)?, self.values.get(index)?.0)))
    }

    /// The same of names in text.
    #[inline]
    pub(crate) fn first_names(&self, text: &[u8]) -> impl Iterator<Item = (&str, i32)> {
        let names = self.names().starts.nearby(0, text);
        names.filter_map(|index| self.values.get(index).map(|(number, name)| (&**name, *number)))
    }

    /// The number of a value by its name in JSON, or by its proto name.
    pub(crate) fn json_number(&self, name: &str) -> Option<i32> {
        let names = self.names();
        names.by_name.get(name).or_else(|| names.by_json_name.get(name)).copied()
    }

    /// The number of a value by its proto name.
    pub(crate) fn proto_number(&self, name: &str) -> Option<i32> {
        self.names().by_name.get(name).copied()
    }

    /// The number of a value by its proto name, or of the variant of the Rust enum.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let variant =
            || self.variants.iter().find(|(variant, _)| *variant == name).map(|(_, number)| *number);
        self.proto_number(name).or_else(variant).or_else(|| self.number_loosely(name))
    }

    /// The number of a value whose name is `variant` but for letter case, underscores and the enum's own name.
    #[cold]
    fn number_loosely(&self, variant: &str) -> Option<i32> {
        let short = self.full_name.rsplit('.').next().unwrap_or_default();
        let prefixed = format!("{short}{variant}");
        let fits = |name: &str| same_name(name, variant) || same_name(name, &prefixed);
        self.values.iter().find(|(_, name)| fits(name)).map(|(number, _)| *number)
    }

    #[inline]
    fn position(&self, number: i32) -> Option<usize> {
        if self.dense {
            let position = number.wrapping_sub(self.first) as u32 as usize;
            return (position < self.values.len()).then_some(position);
        }
        self.search(number)
    }

    #[inline(never)]
    fn search(&self, number: i32) -> Option<usize> {
        self.values.binary_search_by_key(&number, |(value, _)| *value).ok()
    }
}
