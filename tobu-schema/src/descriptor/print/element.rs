//! Fields, enums and their values.

use super::super::list::each;
use super::super::names::json_name;
use super::super::{Cardinality, Comments, Edition, EnumDescriptor, FieldDescriptor, raw};
use super::Printer;
use super::literal::{default, quote};
use super::message::{is_group, range, visibility};
use super::options::brackets;
use crate::descriptor::names::written;

impl Printer<'_> {
    /// A field, or an extension inside its `extend`; `messages` are those of its scope.
    pub(super) fn field(&mut self, field: &FieldDescriptor, messages: &[raw::DescriptorProto<'_>]) {
        let comments = field.comments();
        self.leading(&comments);
        let mut first = Vec::new();
        if let Some(value) = field.default().and_then(|value| default(field, value)) {
            first.push(("default", value));
        }
        if !field.is_extension() && field.json_name() != json_name(field.name()) {
            first.push(("json_name", quote(field.json_name().as_bytes(), true)));
        }
        let options = self.options(field.options(), &first);
        self.unknown_options(&options.unknown);
        let (label, ty, number) = (self.label(field), self.type_of(field), field.number());
        let brackets = brackets(&options);
        let group = field.message_type().filter(|_| is_group(field));
        match group.as_ref().and_then(|group| Some((group, messages.get(group.index())?))) {
            Some((group, raw)) => {
                self.open(
                    &written(format_args!("{label}group {} = {number}{brackets} {{", group.name())),
                    &comments,
                );
                self.body(group, raw);
                self.close();
            }
            None => self.line(
                &written(format_args!("{label}{ty} {} = {number}{brackets};", field.name())),
                &comments,
            ),
        }
    }

    fn label(&self, field: &FieldDescriptor) -> &'static str {
        if field.is_map() || field.oneof().is_some() {
            return "";
        }
        match (field.cardinality(), self.file.edition()) {
            (Cardinality::Repeated, _) => "repeated ",
            (Cardinality::Required, Edition::Proto2) => "required ",
            (Cardinality::Optional, Edition::Proto2) => "optional ",
            _ if field.is_proto3_optional() => "optional ",
            _ => "",
        }
    }

    fn type_of(&self, field: &FieldDescriptor) -> String {
        if let (Some(key), Some(value)) = (field.map_key(), field.map_value()) {
            return written(format_args!("map<{}, {}>", key.ty(), self.type_of(&value)));
        }
        match (field.message_type(), field.enum_type()) {
            (Some(message), _) => self.scope.type_name(message.full_name()),
            (_, Some(enumeration)) => self.scope.type_name(enumeration.full_name()),
            _ => field.ty().to_string(),
        }
    }

    pub(super) fn enumeration(&mut self, enumeration: &EnumDescriptor, raw: &raw::EnumDescriptorProto<'_>) {
        self.blank();
        let comments = enumeration.comments();
        self.leading(&comments);
        self.open(
            &written(format_args!("{}enum {} {{", visibility(raw.visibility), enumeration.name())),
            &comments,
        );
        let options = self.options(enumeration.options(), &[]);
        self.option_lines(options);
        self.reserved_line(each(&raw.reserved_range, |reserved| {
            range(reserved.start.unwrap_or_default(), reserved.end.unwrap_or_default(), i32::MAX)
        }));
        self.reserved_names(&raw.reserved_name);
        for value in enumeration.values() {
            let comments: Comments = value.comments();
            self.leading(&comments);
            let options = self.options(value.options(), &[]);
            self.unknown_options(&options.unknown);
            let line = written(format_args!("{} = {}{};", value.name(), value.number(), brackets(&options)));
            self.line(&line, &comments);
        }
        self.close();
    }
}
