//! Tables of enums, which find the values by number and by name.

use super::name_map::NameMap;
use super::{Keys, same_name};
use crate::descriptor::EnumDescriptor;
use crate::layout::EnumShape;
use crate::sort::sort_by_key;
use crate::syntax::json::print;
use once_cell::sync::OnceCell;

/// An enum of the schema.
#[derive(Debug)]
pub(crate) struct EnumTable {
    pub(crate) full_name: Box<str>,
    /// The names that the variants of the Rust enum have in serde, and their numbers. Empty without a Rust enum.
    pub(crate) variants: Box<[(&'static str, i32)]>,
    /// The number that an enum field has if it is not set.
    pub(crate) default: i32,
    /// True for `google.protobuf.NullValue`.
    pub(crate) null: bool,
    /// The numbers of a closed enum, or `None` for an open enum.
    closed: Option<Numbers>,
    /// The values, with lookups that are built on first use.
    values: OnceCell<Values>,
    /// The Rust type, or `None` if the enum has no Rust type. Its descriptor is looked up when the values are first needed.
    shape: Option<&'static EnumShape>,
    /// The numbers and names of the values as the Rust type declares them. They are used until the file of the type is
    /// registered.
    noted: OnceCell<Vec<(i32, &'static str)>>,
    /// Lookups that only JSON and the text format need. Programs without these formats do not contain the code for them.
    names: OnceCell<Names>,
}

#[derive(Debug)]
struct Values {
    numbers: Numbers,
    /// For each number, the name that is declared first.
    names: Box<[Box<str>]>,
    /// The names of values that share their number with an earlier value.
    aliases: Box<[(i32, Box<str>)]>,
    /// The JSON names that differ from the proto names, by ascending number. If a number has several such names, the last one
    /// counts.
    custom_names: Box<[(i32, Box<str>)]>,
}

/// Numbers in ascending order, without duplicates.
#[derive(Debug)]
struct Numbers {
    sorted: Box<[i32]>,
    first: i32,
    /// True if the numbers are consecutive.
    dense: bool,
}

#[derive(Debug)]
struct Names {
    by_name: NameMap,
    /// The values whose JSON names differ from their proto names.
    by_json_name: NameMap,
    /// For each number, the name in quotes, as JSON writes it.
    json_names: Box<[Box<[u8]>]>,
    /// The first bytes of the names, in the text format and in JSON.
    starts: Keys,
    json_starts: Keys,
}

impl EnumTable {
    /// Builds the table from the descriptor and from the Rust type, if the enum has a Rust type.
    pub(super) fn new(descriptor: &EnumDescriptor, shape: Option<&'static EnumShape>) -> Self {
        let values = Values::of(descriptor);
        let numbers = descriptor.is_closed().then(|| values.numbers.sorted.to_vec());
        let default = descriptor.values().next().map_or(0, |value| value.number());
        EnumTable {
            values: OnceCell::with_value(values),
            ..Self::without_values(shape, descriptor.full_name(), numbers, default)
        }
    }

    /// Sets the values from the descriptor, if they are not yet set.
    pub(super) fn learn(&self, descriptor: &EnumDescriptor) {
        self.values.get_or_init(|| Values::of(descriptor));
    }

    /// Builds the table of a Rust type that declares the schema in attributes. `numbers` has the declared numbers of a closed
    /// enum.
    pub(super) fn stated(
        shape: &'static EnumShape,
        full_name: &str,
        numbers: Option<&'static [i32]>,
    ) -> Self {
        let default = numbers.and_then(|numbers| numbers.first()).copied().unwrap_or_default();
        Self::without_values(Some(shape), full_name, numbers.map(<[i32]>::to_vec), default)
    }

    /// Returns all facts of the table but the values, as text for tests.
    pub(super) fn facts(&self) -> String {
        let EnumTable { full_name, variants, default, null, closed, .. } = self;
        format!("{full_name} {variants:?} {default} {null} {closed:?}")
    }

    fn without_values(
        shape: Option<&'static EnumShape>,
        full_name: &str,
        closed: Option<Vec<i32>>,
        default: i32,
    ) -> Self {
        let variants = shape.map_or_else(Box::default, |shape| shape.variants().collect());
        EnumTable {
            full_name: full_name.into(),
            variants,
            default,
            null: full_name == "google.protobuf.NullValue",
            closed: closed.map(Numbers::new),
            values: OnceCell::new(),
            shape,
            noted: OnceCell::new(),
            names: OnceCell::new(),
        }
    }

    #[inline]
    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(self))
    }

    #[inline]
    fn values(&self) -> &Values {
        match self.values.get() {
            Some(values) => values,
            None => self.find_values(),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_values(&self) -> &Values {
        self.values.get_or_init(|| {
            let shape = self.shape.expect("a table without values is that of a Rust type");
            Values::of(shape.expect_descriptor())
        })
    }
}

impl Values {
    fn of(descriptor: &EnumDescriptor) -> Self {
        let (mut values, mut custom_names) = (Vec::<(i32, Box<str>)>::new(), Vec::<(i32, Box<str>)>::new());
        for value in descriptor.values() {
            values.push((value.number(), value.name().into()));
            if value.json_name() != value.name() {
                custom_names.push((value.number(), value.json_name().into()));
            }
        }
        sort_by_key(&mut custom_names, |(number, _)| *number);
        // The sort is stable, so the first declared name of each number stays first.
        sort_by_key(&mut values, |(number, _)| *number);
        let mut aliases = Vec::new();
        values.dedup_by(|next, first| {
            let is_alias = next.0 == first.0;
            if is_alias {
                aliases.push(std::mem::take(next));
            }
            is_alias
        });
        let (mut numbers, mut names) = (Vec::new(), Vec::new());
        for (number, name) in values {
            numbers.push(number);
            names.push(name);
        }
        Values {
            numbers: Numbers::new(numbers),
            names: names.into(),
            aliases: aliases.into(),
            custom_names: custom_names.into(),
        }
    }

    /// Returns the JSON name of a number, if it differs from the proto name.
    fn custom_name(&self, number: i32) -> Option<&str> {
        let after = self.custom_names.partition_point(|(other, _)| *other <= number);
        let (found, name) = self.custom_names[..after].last()?;
        (*found == number).then_some(&**name)
    }

    fn get(&self, index: usize) -> Option<(i32, &str)> {
        Some((*self.numbers.sorted.get(index)?, self.names.get(index)?))
    }
}

impl Numbers {
    fn new(mut numbers: Vec<i32>) -> Self {
        sort_by_key(&mut numbers, |number| *number);
        numbers.dedup();
        let first = numbers.first().copied().unwrap_or_default();
        let dense = (i64::from(first)..).zip(&numbers).all(|(i, number)| i == i64::from(*number));
        Numbers { sorted: numbers.into(), first, dense }
    }

    #[inline]
    fn position(&self, number: i32) -> Option<usize> {
        if self.dense {
            let position = number.wrapping_sub(self.first) as u32 as usize;
            return (position < self.sorted.len()).then_some(position);
        }
        self.search(number)
    }

    #[inline(never)]
    fn search(&self, number: i32) -> Option<usize> {
        self.sorted.binary_search(&number).ok()
    }
}

impl Names {
    #[inline(never)]
    fn new(table: &EnumTable) -> Self {
        let values = table.values();
        let (mut by_name, mut by_json_name, mut json_names) = (Vec::new(), Vec::new(), Vec::new());
        for (name, number) in values.names.iter().zip(&values.numbers.sorted) {
            by_name.push((name.clone(), *number as u32));
            json_names.push(match table.null {
                true => b"null".as_slice().into(),
                false => print::quoted(values.custom_name(*number).unwrap_or(name)),
            });
        }
        for (number, name) in &values.aliases {
            by_name.push((name.clone(), *number as u32));
        }
        for (number, name) in &values.custom_names {
            by_json_name.push((name.clone(), *number as u32));
        }
        Names {
            starts: Keys::of_names(values.names.len(), &|index| values.names[index].as_bytes()),
            json_starts: Keys::new(json_names.len(), &|index| &json_names[index]),
            by_name: NameMap::new(by_name),
            by_json_name: NameMap::new(by_json_name),
            json_names: json_names.into(),
        }
    }
}

impl EnumTable {
    /// True if the schema has a value with the number `number`.
    #[inline]
    pub(crate) fn contains(&self, number: i32) -> bool {
        match &self.closed {
            Some(numbers) => numbers.position(number).is_some(),
            None => self.position(number).is_some(),
        }
    }

    /// True for numbers that an enum field may hold: all numbers if the enum is open, and the declared numbers if it is closed.
    /// This function does not need the names.
    #[inline]
    pub(crate) fn takes(&self, number: i32) -> bool {
        self.closed.as_ref().is_none_or(|numbers| numbers.position(number).is_some())
    }

    /// Returns the proto name of `number`, or `None` if the schema has no such value.
    pub(crate) fn name(&self, number: i32) -> Option<&str> {
        match (self.values.get(), self.shape) {
            (None, Some(shape)) if shape.is_unregistered() => {
                let values = self.noted.get_or_init(|| shape.noted_names());
                values.iter().find(|value| value.0 == number).map(|value| value.1)
            }
            _ => self.position(number).map(|i| &*self.values().names[i]),
        }
    }

    /// Returns the JSON name of `number` in quotes, or `None` if the schema has no such value.
    #[inline]
    pub(crate) fn json_name(&self, number: i32) -> Option<&[u8]> {
        self.position(number).and_then(|position| self.names().json_names.get(position)).map(|name| &**name)
    }

    /// Returns the JSON name of `number` without quotes, or `None` if the schema has no such value.
    pub(crate) fn json_text(&self, number: i32) -> Option<&str> {
        self.values().custom_name(number).or_else(|| self.name(number))
    }

    /// Returns names with which `text` may continue after its opening quote, and their numbers. The names are in the form in
    /// which JSON writes them, and only the first few names of the enum are candidates. Comparing them is faster than hashing
    /// the text.
    #[inline]
    pub(crate) fn json_names(&self, text: &[u8]) -> impl Iterator<Item = (&[u8], i32)> {
        let names = self.names();
        let nearby = names.json_starts.nearby(0, text.get(1..).unwrap_or_default());
        nearby.filter_map(|index| Some((&**names.json_names.get(index)?, self.values().get(index)?.0)))
    }

    /// Returns names with which `text` may start, and their numbers. Only the first few names of the enum are candidates.
    #[inline]
    pub(crate) fn first_names(&self, text: &[u8]) -> impl Iterator<Item = (&str, i32)> {
        let names = self.names().starts.nearby(0, text);
        names.filter_map(|index| self.values().get(index).map(|(number, name)| (name, number)))
    }

    /// Returns the number of the value with this proto name or JSON name.
    pub(crate) fn json_number(&self, name: &str) -> Option<i32> {
        let names = self.names();
        names.by_name.get(name).or_else(|| names.by_json_name.get(name)).map(|number| number as i32)
    }

    /// Returns the number of the value with this proto name.
    pub(crate) fn proto_number(&self, name: &str) -> Option<i32> {
        self.names().by_name.get(name).map(|number| number as i32)
    }

    /// Returns the number of the value with this proto name, or of the variant of the Rust enum with this name. If neither
    /// exists, ignores letter case, underscores and a prefix with the enum's own name.
    pub(crate) fn number(&self, name: &str) -> Option<i32> {
        let variant =
            || self.variants.iter().find(|(variant, _)| *variant == name).map(|(_, number)| *number);
        self.proto_number(name).or_else(variant).or_else(|| self.number_loosely(name))
    }

    /// Returns the number of a value whose name equals `variant`, if letter case, underscores and a prefix with the enum's own
    /// name are ignored.
    #[cold]
    fn number_loosely(&self, variant: &str) -> Option<i32> {
        let short = self.full_name.rsplit('.').next().unwrap_or_default();
        let prefixed = format!("{short}{variant}");
        let fits = |name: &str| same_name(name, variant) || same_name(name, &prefixed);
        let index = self.values().names.iter().position(|name| fits(name))?;
        self.values().get(index).map(|(number, _)| number)
    }

    #[inline]
    fn position(&self, number: i32) -> Option<usize> {
        self.values().numbers.position(number)
    }
}
