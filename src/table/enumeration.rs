//! An enumeration: its values by number and by name.

use super::{Keys, same_name};
use crate::descriptor::EnumDescriptor;
use crate::json::print;
use crate::layout::EnumShape;
use crate::sort::sort_by_key;
use std::collections::HashMap;

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumTable {
    pub(crate) full_name: Box<str>,
    /// Numbers in ascending order, with the name that was declared first for each.
    pub(crate) values: Box<[(i32, Box<str>)]>,
    pub(crate) by_name: HashMap<Box<str>, i32>,
    /// The values that have separate JSON names: numbers by name, and names by number.
    by_json_name: HashMap<Box<str>, i32>,
    custom_names: HashMap<i32, Box<str>>,
    /// Serde's variant names and their numbers, where a Rust enum is bound.
    pub(crate) variants: Box<[(&'static str, i32)]>,
    /// The number of a value that is not set.
    pub(crate) default: i32,
    /// True for `google.protobuf.NullValue`.
    pub(crate) null: bool,
    /// The names of `values` as JSON writes them.
    json_names: Box<[Box<[u8]>]>,
    /// How the names start, in text and in JSON.
    starts: Keys,
    json_starts: Keys,
    /// The least number.
    first: i32,
    /// True when the numbers are consecutive.
    dense: bool,
}

impl EnumTable {
    pub(super) fn new(descriptor: &EnumDescriptor, shape: Option<&'static EnumShape>) -> Self {
        let mut values: Vec<(i32, Box<str>)> =
            descriptor.values().map(|value| (value.number(), value.name().into())).collect();
        let by_name = values.iter().map(|(number, name)| (name.clone(), *number)).collect();
        let custom_names: HashMap<i32, Box<str>> = descriptor
            .values()
            .filter(|value| value.json_name() != value.name())
            .map(|value| (value.number(), value.json_name().into()))
            .collect();
        let by_json_name = custom_names.iter().map(|(number, name)| (name.clone(), *number)).collect();
        let default = values.first().map_or(0, |(number, _)| *number);
        // A stable sort: of several names of one number the one declared first stays.
        sort_by_key(&mut values, |(number, _)| *number);
        values.dedup_by_key(|(number, _)| *number);
        let first = values.first().map_or(0, |(number, _)| *number);
        let dense = (i64::from(first)..).zip(&values).all(|(i, (number, _))| i == i64::from(*number));
        let variants = shape.map_or_else(Box::default, |shape| {
            shape.values.iter().map(|(variant, _, number)| (*variant, *number)).collect()
        });
        let full_name = descriptor.full_name().into();
        let null = descriptor.full_name() == "google.protobuf.NullValue";
        let json_name = |number| match descriptor.value_json_name(number) {
            Some(name) if !null => print::quoted(name),
            _ => b"null".as_slice().into(),
        };
        let json_names: Box<[Box<[u8]>]> = values.iter().map(|(number, _)| json_name(*number)).collect();
        EnumTable {
            starts: Keys::of_names(values.iter().map(|(_, name)| &**name)),
            json_starts: Keys::new(json_names.iter().map(|name| &**name)),
            full_name,
            values: values.into(),
            by_name,
            by_json_name,
            custom_names,
            variants,
            default,
            null,
            json_names,
            first,
            dense,
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
        self.position(number).and_then(|position| self.json_names.get(position)).map(|name| &**name)
    }

    /// The name of `number` in JSON, where the schema has one.
    pub(crate) fn json_text(&self, number: i32) -> Option<&str> {
        self.custom_names.get(&number).map(|name| &**name).or_else(|| self.name(number))
    }

    /// Names as JSON writes them, with their numbers: those of the first few values that a text may start with, after
    /// the quote. They are faster to compare than to hash.
    #[inline]
    pub(crate) fn json_names(&self, text: &[u8]) -> impl Iterator<Item = (&[u8], i32)> {
        let names = self.json_starts.nearby(0, text.get(1..).unwrap_or_default());
        names.filter_map(|index| Some((&**self.json_names.get(index)?, self.values.get(index)?.0)))
    }

    /// The same of names in text.
    #[inline]
    pub(crate) fn first_names(&self, text: &[u8]) -> impl Iterator<Item = (&str, i32)> {
        let names = self.starts.nearby(0, text);
        names.filter_map(|index| self.values.get(index).map(|(number, name)| (&**name, *number)))
    }

    /// The number of a value by its name in JSON, or by its proto name.
    pub(crate) fn json_number(&self, name: &str) -> Option<i32> {
        self.by_name.get(name).or_else(|| self.by_json_name.get(name)).copied()
    }

    /// The number of a value by its proto name, or of the variant of the Rust enum.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let variant =
            || self.variants.iter().find(|(variant, _)| *variant == name).map(|(_, number)| *number);
        self.by_name.get(name).copied().or_else(variant).or_else(|| self.number_loosely(name))
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
