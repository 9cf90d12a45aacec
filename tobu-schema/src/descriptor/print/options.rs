//! Options: known ones by name, custom ones by extension, the others as a comment.

use super::super::list::each;
use super::super::raw::options::{self, RawField};
use super::super::{Comments, OptionsRef};
use super::Printer;
use super::builtin::{self, Builtin, BuiltinKind};
use super::literal::quote;
use super::once::{DEPTH, Occurs, once};
use crate::descriptor::names::written;
use crate::wire::Reader;

/// The options of one element, ready to print.
#[derive(Default)]
pub(super) struct Printed {
    /// Name and value.
    pub(super) options: Vec<(String, String)>,
    /// Numbers that no known extension declares.
    pub(super) unknown: Vec<u32>,
}

impl Printed {
    pub(super) fn is_empty(&self) -> bool {
        self.options.is_empty() && self.unknown.is_empty()
    }
}

impl Printer<'_> {
    /// The options of an element, after `first`, which the element has besides.
    pub(super) fn options(&self, options: OptionsRef<'_>, first: &[(&str, String)]) -> Printed {
        let mut printed = Printed::default();
        printed.options.extend(first.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let table = builtin::options(options.message_name());
        self.each_option(options.message_name(), table, "", options.encoded(), &mut printed);
        printed
    }

    fn each_option(
        &self,
        message: &str,
        table: &[Builtin],
        prefix: &str,
        encoded: &[u8],
        printed: &mut Printed,
    ) {
        let encoded = once(encoded, &|field| match builtin_occurs(table, field) {
            Some(occurs) => (field.tag.number(), occurs),
            None => Occurs::of_extension(self.scope.extension(message, field.tag.number()), field),
        });
        for field in options::fields(&encoded) {
            self.option(message, table, prefix, field, printed);
        }
    }

    fn option(
        &self,
        message: &str,
        table: &[Builtin],
        prefix: &str,
        field: RawField<'_>,
        printed: &mut Printed,
    ) {
        let number = field.tag.number();
        if let Some(builtin) = table.iter().find(|builtin| builtin.number == number) {
            match builtin.kind {
                BuiltinKind::Implied => return,
                // Features are set one by one, as people write them.
                BuiltinKind::Message(features) if builtin.name == "features" => {
                    if let Some(set) = field.len_prefixed() {
                        self.each_option("google.protobuf.FeatureSet", features, "features.", set, printed);
                        return;
                    }
                }
                kind => {
                    let packed = field.len_prefixed().filter(|_| builtin.is_repeated());
                    let values = match (kind, packed) {
                        (BuiltinKind::Enum(names), Some(packed)) => packed_values(names, packed),
                        _ => builtin_value(kind, field).map(|value| vec![value]),
                    };
                    if let Some(values) = values {
                        let name = written(format_args!("{prefix}{}", builtin.name));
                        printed.options.extend(values.into_iter().map(|value| (name.clone(), value)));
                        return;
                    }
                }
            }
        }
        let Some(extension) = self.scope.extension(message, number) else {
            printed.unknown.push(number);
            return;
        };
        let name = written(format_args!("{prefix}({})", self.scope.type_name(extension.full_name())));
        let mut values = Vec::new();
        self.values(extension, field, DEPTH, &mut values);
        if values.is_empty() {
            printed.unknown.push(number);
        }
        printed.options.extend(values.into_iter().map(|value| (name.clone(), value)));
    }

    /// Options as separate statements.
    pub(super) fn option_lines(&mut self, printed: Printed) {
        for (name, value) in printed.options {
            self.line(&written(format_args!("option {name} = {value};")), &Comments::default());
        }
        self.unknown_options(&printed.unknown);
    }

    pub(super) fn unknown_options(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.comment(&written(format_args!(
                " Option {number} is left out: nothing imported declares it."
            )));
        }
    }
}

/// Options in brackets, with a space before; empty if there are none.
pub(super) fn brackets(printed: &Printed) -> String {
    if printed.options.is_empty() {
        return String::new();
    }
    let options = each(&printed.options, |(name, value)| written(format_args!("{name} = {value}")));
    written(format_args!(" [{}]", options.join(", ")))
}

/// What several occurrences of a field mean that the table has; `None` where it has none.
fn builtin_occurs(table: &[Builtin], field: RawField<'_>) -> Option<Occurs> {
    let builtin = table.iter().find(|builtin| builtin.number == field.tag.number())?;
    Some(match builtin.kind {
        _ if builtin.is_repeated() => Occurs::Each,
        BuiltinKind::Message(_) if builtin.name == "features" && field.len_prefixed().is_some() => {
            Occurs::Merged
        }
        // It is printed as an unknown one.
        kind if builtin_value(kind, field).is_none() => Occurs::Each,
        BuiltinKind::Message(_) => Occurs::Merged,
        _ => Occurs::Last,
    })
}

/// The names of a packed list; `None` where one has none.
fn packed_values(names: &[(u64, &str)], packed: &[u8]) -> Option<Vec<String>> {
    let mut reader = Reader::new(packed);
    let mut values = Vec::new();
    while !reader.is_empty() {
        let number = reader.varint().ok()?;
        values.push(names.iter().find(|(value, _)| *value == number)?.1.to_owned());
    }
    Some(values)
}

fn builtin_value(kind: BuiltinKind, field: RawField<'_>) -> Option<String> {
    Some(match kind {
        BuiltinKind::Bool => (field.varint()? != 0).to_string(),
        BuiltinKind::Int32 => (field.varint()? as i32).to_string(),
        BuiltinKind::Text => quote(field.len_prefixed()?, true),
        BuiltinKind::Enum(values) => {
            let number = field.varint()?;
            values.iter().find(|(value, _)| *value == number)?.1.to_owned()
        }
        BuiltinKind::Message(table) => {
            let mut text = String::from("{");
            let body = once(field.len_prefixed()?, &|field| {
                (field.tag.number(), builtin_occurs(table, field).unwrap_or(Occurs::Each))
            });
            for field in options::fields(&body) {
                // Unknown fields, and numbers that an enum has not, are not in the message either.
                if let Some(builtin) = table.iter().find(|builtin| builtin.number == field.tag.number())
                    && let Some(value) = builtin_value(builtin.kind, field)
                {
                    text.push_str(&written(format_args!(" {}: {value}", builtin.name)));
                }
            }
            text.push_str(" }");
            text
        }
        BuiltinKind::Implied => return None,
    })
}
