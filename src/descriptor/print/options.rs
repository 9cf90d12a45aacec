//! Options: known ones by name, custom ones by extension, the others as a comment.

use super::super::raw::options::{self, RawField};
use super::super::{Comments, OptionsRef};
use super::Printer;
use super::builtin::{self, Builtin, BuiltinKind};
use super::literal::quote;

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
        for field in options::fields(options.encoded()) {
            self.option(options.message_name(), table, "", field, &mut printed);
        }
        printed
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
                        for feature in options::fields(set) {
                            let message = "google.protobuf.FeatureSet";
                            self.option(message, features, "features.", feature, printed);
                        }
                        return;
                    }
                }
                kind => {
                    if let Some(value) = builtin_value(kind, field) {
                        printed.options.push((format!("{prefix}{}", builtin.name), value));
                        return;
                    }
                }
            }
        }
        let Some(extension) = self.scope.extension(message, number) else {
            printed.unknown.push(number);
            return;
        };
        let name = format!("{prefix}({})", self.scope.type_name(extension.full_name()));
        let mut values = Vec::new();
        self.values(extension, field, super::value::DEPTH, &mut values);
        if values.is_empty() {
            printed.unknown.push(number);
        }
        printed.options.extend(values.into_iter().map(|value| (name.clone(), value)));
    }

    /// Options as separate statements.
    pub(super) fn option_lines(&mut self, printed: Printed) {
        for (name, value) in printed.options {
            self.line(&format!("option {name} = {value};"), &Comments::default());
        }
        self.unknown_options(&printed.unknown);
    }

    pub(super) fn unknown_options(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.comment(&format!(" Option {number} is left out: nothing imported declares it."));
        }
    }
}

/// Options in brackets, with a space before; empty if there are none.
pub(super) fn brackets(printed: &Printed) -> String {
    if printed.options.is_empty() {
        return String::new();
    }
    let options: Vec<_> = printed.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!(" [{}]", options.join(", "))
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
            for field in options::fields(field.len_prefixed()?) {
                let builtin = table.iter().find(|builtin| builtin.number == field.tag.number())?;
                text.push_str(&format!(" {}: {}", builtin.name, builtin_value(builtin.kind, field)?));
            }
            text.push_str(" }");
            text
        }
        BuiltinKind::Implied => return None,
    })
}
