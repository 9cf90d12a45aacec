//! Checks the style of names.
//!
//! Specification: <https://protobuf.dev/programming-guides/style/>.

use super::*;
use crate::descriptor::handle::numbered;
use crate::descriptor::names::written;
use crate::descriptor::tables::TypeRef;

/// Prefixes that generated accessors have before the name of the field.
const ACCESSOR_PREFIXES: [&str; 4] = ["has_", "get_", "set_", "clear_"];
const ACCESSOR_SUFFIX: &str = "_value";

impl Broken<'_> {
    pub(super) fn naming(&mut self) {
        let tables = self.tables;
        let package = tables.package();
        if is_styled(tables.features.enforce_naming_style) && !package.is_empty() {
            self.style(Item::Package(package.len() as u32), "a package", package, lower_snake_case);
        }
        for (message, i) in numbered(&tables.messages) {
            // The name of a map entry only depends on the name of its field.
            if is_styled(message.features.enforce_naming_style) && !message.is_map_entry {
                self.style(Item::Message(i), "a message", tables.text(message.name.last), title_case);
            }
        }
        for (field, i) in numbered(&tables.fields) {
            let item = if field.is_extension { Item::Extension(i) } else { Item::Field(i) };
            self.member(item, "a field", field.features.enforce_naming_style, field.name.last, field.parent);
        }
        for (oneof, i) in numbered(&tables.oneofs) {
            let message = TypeRef { file: 0, index: oneof.message };
            self.member(
                Item::Oneof(i),
                "a oneof",
                oneof.features.enforce_naming_style,
                oneof.name.last,
                message,
            );
        }
        for (enumeration, i) in numbered(&tables.enums) {
            if is_styled(enumeration.features.enforce_naming_style) {
                self.style(Item::Enum(i), "an enum", tables.text(enumeration.name.last), title_case);
            }
        }
        for (value, i) in numbered(&tables.values) {
            if is_styled(value.features.enforce_naming_style) {
                self.style(Item::Value(i), "an enum value", tables.text(value.name.last), upper_snake_case);
            }
        }
        for (service, i) in numbered(&tables.services) {
            if is_styled(service.features.enforce_naming_style) {
                self.style(Item::Service(i), "a service", tables.text(service.name.last), title_case);
            }
        }
        for (method, i) in numbered(&tables.methods) {
            if is_styled(method.features.enforce_naming_style) {
                self.style(Item::Method(i), "a method", tables.text(method.name.last), title_case);
            }
        }
    }

    /// Checks the name of a field, an extension or a oneof. Its accessors belong to `message`.
    fn member(&mut self, item: Item, what: &str, style: EnforceNamingStyle, name: Span, message: TypeRef) {
        let name = self.tables.text(name);
        if is_styled(style) {
            self.style(item, what, name, lower_snake_case);
        }
        if style >= EnforceNamingStyle::Style2026
            && let Some(collision) = collision(name, &|other| self.has_member(message, other))
        {
            self.add(
                item,
                format_args!(
                    "{what} name should not {collision}: generated accessors could collide \
                 (features.enforce_naming_style = STYLE2024 opts out of this rule)"
                ),
            );
        }
    }

    fn style(&mut self, item: Item, what: &str, name: &str, check: fn(&str) -> Option<&'static str>) {
        if let Some(wrong) = check(name) {
            self.add(
                item,
                format_args!(
                    "{what} name {wrong} (features.enforce_naming_style = STYLE_LEGACY opts out of this rule)"
                ),
            );
        }
    }

    /// True if a message has a field or a oneof with this name.
    fn has_member(&self, message: TypeRef, name: &str) -> bool {
        let (tables, message) = (self.tables.target(message), self.tables.target_message(message));
        for field in message.fields.of(&tables.fields) {
            if tables.text(field.name.last) == name {
                return true;
            }
        }
        for oneof in message.oneofs.of(&tables.oneofs) {
            if tables.text(oneof.name.last) == name {
                return true;
            }
        }
        false
    }
}

fn is_styled(style: EnforceNamingStyle) -> bool {
    style >= EnforceNamingStyle::Style2024
}

fn collision(name: &str, has_member: &dyn Fn(&str) -> bool) -> Option<String> {
    if name == "descriptor" {
        return Some("be descriptor".into());
    }
    for prefix in ACCESSOR_PREFIXES {
        if let Some(other) = name.strip_prefix(prefix).filter(|other| has_member(other)) {
            return Some(written(format_args!("begin with {prefix} because there is a field {other}")));
        }
    }
    let other = name.strip_suffix(ACCESSOR_SUFFIX).filter(|other| has_member(other))?;
    Some(written(format_args!("end with {ACCESSOR_SUFFIX} because there is a field {other}")))
}

fn title_case(name: &str) -> Option<&'static str> {
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Some("should be TitleCase");
    }
    (!name.starts_with(|c: char| c.is_ascii_uppercase())).then_some("should begin with a capital letter")
}

/// Returns why a name does not have the style `lower_snake_case`; `None` if the name has this style. Dots are allowed, because
/// packages contain them.
fn lower_snake_case(name: &str) -> Option<&'static str> {
    let is_fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.');
    if !name.bytes().all(is_fit) {
        return Some("should be lower_snake_case");
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Some("should begin with a lower case letter");
    }
    underscores(name)
}

fn upper_snake_case(name: &str) -> Option<&'static str> {
    let is_fit = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if !name.bytes().all(is_fit) {
        return Some("should be UPPER_SNAKE_CASE");
    }
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Some("should begin with an upper case letter");
    }
    underscores(name)
}

fn underscores(name: &str) -> Option<&'static str> {
    let mut after = name.split('_').skip(1);
    let is_fit = after.all(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    (!is_fit).then_some("should have a letter after each underscore")
}
