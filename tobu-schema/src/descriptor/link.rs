//! Links a file: turns the raw file into tables in which every name is declared, resolved and checked.

mod declare;
mod messages;
mod resolve;

use std::collections::HashMap;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;

use super::handle::{each, numbered, numbered_from};
use crate::descriptor::features::EnumType;
use crate::descriptor::names::{custom_json_name, is_package, printable, written};
use crate::descriptor::pool::{Batch, Table};
use crate::descriptor::raw::shallow::Members;
use crate::descriptor::raw::{self, FileDescriptorProto, shallow};
use crate::descriptor::tables::{FileTables, Item, Ranges, *};
use crate::descriptor::{Edition, Features, Type};
use crate::error::{Error, LimitError, Result};
use crate::sort::{sort_by, sort_by_key};
use crate::wire::MAX_FIELD_NUMBER;

/// The functions that depend on where a file comes from. The caller that adds a file passes them. Therefore a program that only
/// adds generated files contains neither a second parser nor checks that compilers have already made.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// Creates the error for a file with malformed bytes. The arguments are the bytes, the error that linking found,
    /// and the index of the file.
    pub(super) malformed: fn(&[u8], Error, Option<usize>) -> Error,
    check_enums: fn(&mut Linker<'_, '_, '_>) -> Result<()>,
    check_messages: fn(&mut Linker<'_, '_, '_>) -> Result<()>,
}

impl Origin {
    /// The file may come from anywhere, so everything is checked.
    pub(super) const ANY: Origin = Origin {
        malformed,
        check_enums: |linker| linker.check_enums(),
        check_messages: |linker| linker.check_messages(),
    };

    /// A generator wrote the file. The linker resolves names and checks kinds, but skips the rules that only matter to readers
    /// of the schema.
    pub(super) const GENERATED: Origin =
        Origin { malformed: |_, error, _| error, check_enums: |_| Ok(()), check_messages: |_| Ok(()) };
}

/// Links a file whose imports are already in the pool, and declares the names of the file in the batch.
pub(super) fn link(
    batch: &mut Batch<'_>,
    encoded: &Bytes,
    counts: shallow::Counts,
    origin: Origin,
) -> Result<Arc<FileTables>> {
    let raw = shallow::File::read(encoded).map_err(|error| (origin.malformed)(encoded, error, None))?;
    let name = raw.name.unwrap_or_default();
    // The tables store positions of texts and options in 32 bits, so a longer file is an error.
    if encoded.len() > i32::MAX as usize {
        return Err(Error::limit(LimitError::Length(encoded.len() as u64)));
    }
    let edition = edition(&raw).map_err(|text| error_at(name, None, text))?;
    let package = raw.package.unwrap_or_default();
    if !package.is_empty() && !is_package(package) {
        return Err(error_at(
            name,
            None,
            written(format_args!("\"{}\" is not a package name", printable(package))),
        ));
    }
    let mut tables = FileTables::new(name, package, edition, encoded.clone());
    tables.messages.reserve_exact(counts.messages);
    tables.fields.reserve_exact(counts.fields);
    tables.oneofs.reserve_exact(counts.oneofs);
    tables.enums.reserve_exact(counts.enums);
    tables.values.reserve_exact(counts.values);
    tables.services.reserve_exact(counts.services);
    tables.methods.reserve_exact(counts.methods);
    let mut linker = Linker {
        here: batch.next(),
        batch,
        tables,
        fields: Vec::with_capacity(counts.fields),
        methods: Vec::with_capacity(counts.methods),
        reach: Table::default(),
        exporting: Vec::new(),
        option_imports: 0..0,
        packages: None,
        full: String::new(),
        origin,
    };
    linker.declare_file(raw)?;
    linker.resolve_fields()?;
    linker.resolve_methods()?;
    linker.batch.check()?;
    linker.methods = Vec::new();
    linker.sort_values();
    (origin.check_enums)(&mut linker)?;
    linker.batch.check()?;
    linker.finish_fields()?;
    linker.fields = Vec::new();
    linker.finish_messages()?;
    (origin.check_messages)(&mut linker)?;
    linker.batch.check()?;
    linker.declare_extensions()?;
    let mut tables = linker.tables;
    tables.reaches_extensions = tables.fields.iter().any(|field| field.is_extension)
        || tables.reach.iter().any(|file| file.reaches_extensions);
    tables.shrink();
    Ok(Arc::new(tables))
}

/// The state of linking one file.
struct Linker<'a, 'p, 'b> {
    batch: &'a mut Batch<'p>,
    tables: FileTables,
    /// The index of the file in the pool after linking.
    here: u32,
    /// The unresolved data of each entry of `tables.fields`.
    fields: Vec<FieldDraft<'b>>,
    /// The names of the input and output types for each entry of `tables.methods`.
    methods: Vec<[&'b str; 2]>,
    /// The index of a file in `tables.reach`, by the index of the file in the pool. Elements refer to a file by its
    /// index in `tables.reach`.
    reach: Table,
    /// The indices in the pool of imports with public imports, which make further files visible.
    exporting: Vec<u32>,
    /// The indices in `tables.reach` of files that are imported only for their options. Their types are not visible.
    option_imports: Range<u32>,
    /// The packages of all imports, and of the files that imports import publicly, sorted. They are collected when they are
    /// needed for the first time.
    packages: Option<Vec<Box<str>>>,
    /// A buffer with the full name of the element that was declared last.
    full: String,
    origin: Origin,
}

#[derive(Clone, Copy)]
struct FieldDraft<'b> {
    type_number: Option<i32>,
    type_name: Option<&'b str>,
    extendee: Option<&'b str>,
    default: Option<&'b str>,
    label: Option<i32>,
}

impl Linker<'_, '_, '_> {
    /// Returns an error about an element that already has an entry.
    #[cold]
    fn fail(&self, item: Item, text: impl fmt::Display) -> Error {
        error_at(self.tables.name(), Some(self.tables.full_name(item)), text)
    }

    /// Returns an error about the element that was declared last. Before the first declaration, the error is about the file.
    #[cold]
    fn fail_here(&self, text: impl fmt::Display) -> Error {
        error_at(self.tables.name(), Some(&*self.full).filter(|full| !full.is_empty()), text)
    }

    /// Returns the error for bytes that are not a valid message or are nested too deep.
    #[cold]
    fn malformed(&self, error: Error) -> Error {
        (self.origin.malformed)(&self.tables.encoded, error, None)
    }

    /// Returns the features of the element that was declared last. The features depend on the element's parent and options.
    fn features(&self, inherited: Features, options: &[u8], number: u32) -> Result<Features> {
        if options.is_empty() {
            return Ok(inherited);
        }
        if !self.tables.edition.has_features() {
            if raw::options::messages(options, number).next().is_some() {
                return Err(self.fail_here("features are only valid from edition 2023 on"));
            }
            return Ok(inherited);
        }
        inherited.inherit(options, number).map_err(|text| self.fail_here(text))
    }
}

fn edition(raw: &shallow::File<'_>) -> Result<Edition, String> {
    match raw.syntax {
        None | Some("" | "proto2") => Ok(Edition::Proto2),
        Some("proto3") => Ok(Edition::Proto3),
        Some("editions") => match raw.edition.and_then(Edition::from_number) {
            Some(edition) if edition.has_features() => Ok(edition),
            _ => Err(written(format_args!("edition {} is not supported", raw.edition.unwrap_or_default()))),
        },
        Some(syntax) => Err(written(format_args!("syntax \"{}\" does not exist", printable(syntax)))),
    }
}

impl Linker<'_, '_, '_> {
    /// Returns the extension ranges and the reserved ranges of a message, in ascending order.
    fn ranges(&self, message: u32, raw: &Members<'_>, is_message_set: bool) -> Result<Ranges<Range<u32>>> {
        if raw.extension_ranges.is_empty() && raw.reserved_ranges.is_empty() {
            return Ok(Ranges::default());
        }
        let item = Item::Message(message);
        // An item of a message set has its number in a separate varint and not in a tag, so the number may be
        // larger.
        let most = if is_message_set { i32::MAX as u32 } else { MAX_FIELD_NUMBER + 1 };
        let (mut extension, mut reserved, mut all) = (Vec::new(), Vec::new(), Vec::new());
        // Compilers do not check the ends of reserved ranges, so larger ends are allowed.
        for (what, list, ranges, most) in [
            ("extension", &raw.extension_ranges, &mut extension, most),
            ("reserved", &raw.reserved_ranges, &mut reserved, i32::MAX as u32),
        ] {
            for &(start, end) in list {
                if start <= 0 || end <= start || end as u32 > most {
                    let end = i64::from(end) - 1;
                    return Err(
                        self.fail(item, format_args!("{what} range from {start} to {end} is not valid"))
                    );
                }
                ranges.push(start as u32..end as u32);
                all.push((start as u32, end as u32, what));
            }
        }
        sort_by(&mut all, Ord::cmp);
        for pair in all.windows(2) {
            let [(from, to, what), (next, end, other)] = [pair[0], pair[1]];
            if next < to {
                return Err(self.fail(
                    item,
                    format_args!(
                        "{what} range {from} to {} overlaps {other} range {next} to {}",
                        to - 1,
                        end - 1
                    ),
                ));
            }
        }
        sort_by_key(&mut extension, |range| range.start);
        sort_by_key(&mut reserved, |range| range.start);
        Ok(Ranges {
            extension: extension.into_boxed_slice(),
            reserved: reserved.into_boxed_slice(),
            names: Box::default(),
        })
    }

    /// Returns the reserved ranges of the enum that was declared last, in the order of declaration.
    fn enum_ranges(&self, raw: &[(i32, i32)]) -> Result<Ranges<RangeInclusive<i32>>> {
        let mut all = Vec::with_capacity(raw.len());
        for &(start, end) in raw {
            if end < start {
                return Err(self.fail_here(format_args!("reserved range from {start} to {end} is not valid")));
            }
            all.push(start..=end);
        }
        let reserved = all.clone().into_boxed_slice();
        sort_by_key(&mut all, |range| *range.start());
        for pair in all.windows(2) {
            if pair[1].start() <= pair[0].end() {
                let [a, b, c, d] = [pair[0].start(), pair[0].end(), pair[1].start(), pair[1].end()];
                return Err(self.fail_here(format_args!(
                    "reserved range {a} to {b} overlaps reserved range {c} to {d}"
                )));
            }
        }
        Ok(Ranges { extension: Box::default(), reserved, names: Box::default() })
    }
}

/// Sorted ranges that do not overlap, in which the range with a number can be found.
struct Lookup(Vec<(i64, i64)>);

impl Lookup {
    fn of(ranges: &[Range<u32>]) -> Self {
        Self::new(each(ranges, |range| (i64::from(range.start), i64::from(range.end) - 1)))
    }

    fn of_inclusive(ranges: &[RangeInclusive<i32>]) -> Self {
        Self::new(each(ranges, |range| (i64::from(*range.start()), i64::from(*range.end()))))
    }

    fn new(mut ranges: Vec<(i64, i64)>) -> Self {
        sort_by(&mut ranges, Ord::cmp);
        Lookup(ranges)
    }

    /// Returns the first and the last number of the range that contains `number`; `None` if no range does.
    fn find(&self, number: i64) -> Option<(i64, i64)> {
        let after = self.0.partition_point(|&(start, _)| start <= number);
        let range = *self.0.get(after.checked_sub(1)?)?;
        if number <= range.1 { Some(range) } else { None }
    }
}

impl Linker<'_, '_, '_> {
    /// Checks that a field whose type is a map entry is repeated, and that the entry is nested in the message of the field.
    fn check_map_field(&self, i: usize) -> Result<()> {
        let entry = &self.tables.fields[i];
        let is_own = !entry.is_extension
            && entry.target.file == 0
            && self.tables.target_message(entry.target).parent == Some(entry.parent.index);
        if entry.cardinality != Cardinality::Repeated || !is_own {
            let text = "a map entry may only be the type of a repeated field of the message it is nested in";
            return Err(self.fail(Item::Field(i as u32), text));
        }
        Ok(())
    }

    /// Checks the form of a map entry: an optional key with number 1 and an optional value with number 2.
    fn check_map_entry(&self, message: &MessageEntry, item: Item) -> Result<()> {
        let malformed = |text: &str| self.fail(item, format_args!("malformed map entry: {text}"));
        if message.parent.is_none() {
            return Err(malformed("it must be nested in a message"));
        }
        let [key, value] = message.fields.of(&self.tables.fields) else {
            return Err(malformed("it must have two fields, key and value"));
        };
        for (field, name, number) in [(key, "key", 1), (value, "value", 2)] {
            if self.tables.text(field.name.last) != name || field.number != number {
                return Err(malformed("its fields must be key = 1 and value = 2"));
            }
            if field.cardinality != Cardinality::Optional {
                return Err(malformed("key and value must be optional"));
            }
            if field.default.is_some() {
                return Err(malformed("key and value cannot have defaults"));
            }
        }
        let is_empty = message.oneofs.len() == 0
            && message.messages.len() == 0
            && message.enums.len() == 0
            && message.extensions.len() == 0
            && message.extension_ranges().is_empty();
        if !is_empty {
            return Err(malformed("it may declare nothing but key and value"));
        }
        if matches!(key.ty, Type::Double | Type::Float | Type::Bytes | Type::Message | Type::Enum) {
            return Err(malformed(&written(format_args!("{} is not a type for a key", key.ty))));
        }
        if value.ty == Type::Enum {
            let target = self.tables.target(value.target);
            let first = target.enums[value.target.index as usize].values.of(&target.values).first();
            if first.is_none_or(|first| first.number != 0) {
                return Err(malformed("the first value of an enum in a map must be 0"));
            }
        }
        if value.is_map {
            return Err(malformed("the value cannot be a map"));
        }
        Ok(())
    }
}

impl Linker<'_, '_, '_> {
    fn check_enums(&mut self) -> Result<()> {
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

    /// Sorts the values of each enum by number and by name. Values with the same number stay in the order of
    /// declaration. This happens before fields are linked, because default values are looked up by name.
    fn sort_values(&mut self) {
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
        // The first value in the order of declaration whose number an earlier value has.
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

    /// Checks the JSON names of an enum's values. A name must be valid, values with the same number must have the same JSON
    /// name, and a name must not stand for two numbers.
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

/// Returns the error in the JSON name of a value with this number; `None` if the name is valid.
fn wrong_json_name(name: &str, number: i32) -> Option<String> {
    if name.contains('\0') {
        return Some("the JSON name contains a NUL character".into());
    }
    let is_other = name.trim().parse().is_ok_and(|parsed: i32| parsed != number);
    is_other
        .then(|| written(format_args!("the JSON name \"{}\" is a number, but not {number}", printable(name))))
}

/// Returns an error about an element of a file, such as `library.proto: library.v1.Book.title: field number 0 is not
/// valid`.
#[cold]
pub(super) fn error_at(file: &str, symbol: Option<&str>, text: impl fmt::Display) -> Error {
    let file = printable(file);
    match symbol {
        Some(symbol) => Error::schema(format!("{file}: {}: {text}", printable(symbol))),
        None => Error::schema(format!("{file}: {text}")),
    }
}

pub(super) const SET: &str = "google.protobuf.FileDescriptorSet";

/// Returns the name in a serialized `FileDescriptorProto`. The rest of the file may be malformed.
pub(super) fn file_name(bytes: &[u8]) -> Option<&str> {
    raw::options::last_message(bytes, 1).and_then(|name| std::str::from_utf8(name).ok())
}

/// Returns the exact decoding error of a file, after linking it or reading its imports failed with `error`.
#[cold]
pub(super) fn malformed(bytes: &[u8], error: Error, index: Option<usize>) -> Error {
    // To find the position of the error, this decodes the whole file again.
    let error = FileDescriptorProto::decode(bytes).err().unwrap_or(error);
    let error = match (file_name(bytes), index) {
        (Some(name), _) => error.in_key(name),
        (None, Some(index)) => error.in_index(index),
        (None, None) => error,
    };
    error.in_field("file").in_message(SET)
}
