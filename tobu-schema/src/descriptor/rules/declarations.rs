//! Checks extension declarations, which say which extensions may use the numbers of a range.
//!
//! Specification: <https://protobuf.dev/programming-guides/extension_declarations/>.

use super::*;
use crate::descriptor::Type;
use crate::descriptor::handle::{Names, Numbers, numbered};
use crate::descriptor::names::written;
use crate::descriptor::raw::options;
use crate::descriptor::tables::{Cardinality, FieldEntry};
use crate::sort::{sort_by, sort_by_key};

const DESCRIPTOR: &str = "google/protobuf/descriptor.proto";

// The fields of `google.protobuf.ExtensionRangeOptions` and of its `Declaration`.
const DECLARATION: u32 = 2;
const VERIFICATION: u32 = 3;
const NUMBER: u32 = 1;
const FULL_NAME: u32 = 2;
const TYPE: u32 = 3;
const RESERVED: u32 = 5;
const REPEATED: u32 = 6;

/// The verification of a range that does not set this option.
const UNVERIFIED: u64 = 1;

/// An extension range, with its options.
pub(super) struct RangeOptions {
    /// The full name of the message with the range.
    pub(super) message: String,
    start: i64,
    /// The end of the range, which is exclusive.
    end: i64,
    pub(super) options: Vec<u8>,
    /// The sorted numbers of the declarations, each with its position in the options.
    declared: Vec<(i64, std::ops::Range<usize>)>,
}

impl RangeOptions {
    fn new(message: &str, range: &[u8], options: Vec<u8>) -> Self {
        let end = |number| options::varint(range, number).unwrap_or_default() as i64;
        let mut declared = Vec::new();
        for declaration in options::messages(&options, DECLARATION) {
            let start = declaration.as_ptr() as usize - options.as_ptr() as usize;
            declared.push((number_of(declaration), start..start + declaration.len()));
        }
        sort_by_key(&mut declared, |(number, _)| *number);
        RangeOptions { message: message.to_owned(), start: end(1), end: end(2), options, declared }
    }
}

impl Broken<'_> {
    pub(super) fn declarations(&mut self) {
        let tables = self.tables;
        let own = ranges_of(tables);
        for i in 0..tables.messages.len() as u32 {
            self.declarations_of(Item::Message(i), of_message(&own, tables.full_name(Item::Message(i))));
        }
        let mut files = vec![Some(own)];
        files.resize_with(tables.reach.len() + 1, || None);
        for (field, i) in numbered(&tables.fields) {
            let file = tables.target(field.parent);
            // Every file may declare custom options.
            if !field.is_extension || file.name() == DESCRIPTOR {
                continue;
            }
            let ranges = files[field.parent.file as usize].get_or_insert_with(|| ranges_of(file));
            let number = i64::from(field.number);
            let of_message = of_message(ranges, tables.target_name(field.parent, Item::Message));
            let after = of_message.partition_point(|range| range.start <= number);
            if let Some(range) = after.checked_sub(1).map(|at| &of_message[at])
                && number < range.end
            {
                self.declared(Item::Extension(i), field, range);
            }
        }
    }

    /// Checks the declarations in the ranges of a message.
    fn declarations_of(&mut self, item: Item, ranges: &[RangeOptions]) {
        let mut names = Names::new();
        for range in ranges {
            let verification = options::varint(&range.options, VERIFICATION);
            let mut numbers = Numbers::new();
            for declaration in options::messages(&range.options, DECLARATION) {
                if verification == Some(UNVERIFIED) {
                    self.add(item, "an extension range with declarations cannot be UNVERIFIED");
                    break;
                }
                let number = number_of(declaration);
                if !(range.start..range.end).contains(&number) {
                    let (start, end) = (range.start, range.end - 1);
                    self.add(
                        item,
                        format_args!(
                            "declared extension number {number} is not in the range {start} to {end}"
                        ),
                    );
                }
                if numbers.insert(number as usize, 0).is_some() {
                    self.add(item, format_args!("extension number {number} is declared twice"));
                }
                let is_reserved = options::is_set(declaration, RESERVED);
                match (text(declaration, FULL_NAME), text(declaration, TYPE)) {
                    (Some(name), Some(ty)) => {
                        if names.insert(name.to_owned(), 0).is_some() {
                            self.add(item, format_args!("extension {} is declared twice", printable(name)));
                        }
                        self.declared_name(item, name);
                        if !is_scalar(ty) {
                            self.declared_name(item, ty);
                        }
                    }
                    (None, None) if is_reserved => {}
                    _ => {
                        self.add(
                            item,
                            format_args!(
                                "the declaration of extension number {number} needs full_name and type"
                            ),
                        );
                    }
                }
            }
        }
    }

    /// Checks the declared name of an extension or a type, which must have the form `.package.Name`.
    fn declared_name(&mut self, item: Item, name: &str) {
        let is_part = |part: &str| {
            // Like protoc, this accepts digits at the start of a component.
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        let is_full = name.strip_prefix('.').is_some_and(|name| name.split('.').all(is_part));
        if !is_full {
            self.add(
                item,
                format_args!("declared name \"{}\" is not a full name with a leading dot", printable(name)),
            );
        }
    }

    /// Checks that an extension matches its declaration in the range.
    fn declared(&mut self, item: Item, field: &FieldEntry, range: &RangeOptions) {
        let (tables, number) = (self.tables, i64::from(field.number));
        let extendee = tables.target_name(field.parent, Item::Message);
        let first = range.declared.partition_point(|(declared, _)| *declared < number);
        let declaration = match range.declared.get(first) {
            Some((declared, at)) if *declared == number => &range.options[at.clone()],
            _ => {
                let is_verified = options::varint(&range.options, VERIFICATION) == Some(0);
                if is_verified || !range.declared.is_empty() {
                    self.add(item, format_args!("{extendee} declares no extension of number {number}"));
                }
                return;
            }
        };
        if options::is_set(declaration, RESERVED) {
            self.add(item, format_args!("{extendee} declares extension number {number} as reserved"));
            return;
        }
        let name = written(format_args!(".{}", tables.full_name(item)));
        let ty = match field.ty {
            Type::Message => written(format_args!(".{}", tables.target_name(field.target, Item::Message))),
            Type::Enum => written(format_args!(".{}", tables.target_name(field.target, Item::Enum))),
            ty => ty.name().to_owned(),
        };
        for (declared, actual) in [(text(declaration, TYPE), &ty), (text(declaration, FULL_NAME), &name)] {
            if let Some(declared) = declared.filter(|declared| !declared.is_empty() && declared != actual) {
                let declared = printable(declared);
                self.add(
                    item,
                    written(format_args!(
                        "{extendee} declares extension number {number} as {declared}, not {actual}"
                    )),
                );
            }
        }
        let is_repeated = options::is_set(declaration, REPEATED);
        if is_repeated != (field.cardinality == Cardinality::Repeated) {
            let what = if is_repeated { "repeated" } else { "optional" };
            self.add(item, format_args!("{extendee} declares extension number {number} as {what}"));
        }
    }
}

/// Returns the ranges with options in a file, sorted by message. They are read from the encoded file, because nothing
/// else needs them, so the tables of a file do not contain them.
pub(super) fn ranges_of(file: &FileTables) -> Vec<RangeOptions> {
    let mut ranges = Vec::new();
    for message in options::messages(&file.encoded, 4) {
        add_ranges(message, file.package(), &mut ranges);
    }
    sort_by(&mut ranges, |a: &RangeOptions, b| (&a.message, a.start).cmp(&(&b.message, b.start)));
    ranges
}

/// Returns the ranges of one message, in the order of their numbers.
pub(super) fn of_message<'r>(ranges: &'r [RangeOptions], message: &str) -> &'r [RangeOptions] {
    let start = ranges.partition_point(|range| *range.message < *message);
    let end = start + ranges[start..].partition_point(|range| *range.message == *message);
    &ranges[start..end]
}

/// Adds the ranges of a message and of the messages nested in it. The recursion is not too deep, because linking limits
/// the nesting.
fn add_ranges(message: &[u8], scope: &str, ranges: &mut Vec<RangeOptions>) {
    let dot = if scope.is_empty() { "" } else { "." };
    let name = written(format_args!("{scope}{dot}{}", text(message, 1).unwrap_or_default()));
    for range in options::messages(message, 5) {
        let options = concat(range, 3);
        if !options.is_empty() {
            ranges.push(RangeOptions::new(&name, range, options));
        }
    }
    for nested in options::messages(message, 3) {
        add_ranges(nested, &name, ranges);
    }
}

/// Returns the joined payloads of all occurrences of a message field, which is the merged message.
fn concat(encoded: &[u8], number: u32) -> Vec<u8> {
    let mut all = Vec::new();
    for piece in options::messages(encoded, number) {
        all.extend_from_slice(piece);
    }
    all
}

fn number_of(declaration: &[u8]) -> i64 {
    options::varint(declaration, NUMBER).unwrap_or_default() as i64
}

fn text(message: &[u8], number: u32) -> Option<&str> {
    options::last_message(message, number).and_then(|text| std::str::from_utf8(text).ok())
}

/// True for the name of a scalar type, or for `enum`, which protoc accepts, too.
fn is_scalar(ty: &str) -> bool {
    for number in 1..=18 {
        if Type::from_number(number).is_some_and(|known| known != Type::Message && known.name() == ty) {
            return true;
        }
    }
    false
}
