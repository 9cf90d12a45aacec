//! Prints messages, and chooses the order of their members.

use crate::descriptor::names::written;
use std::borrow::Cow;

use super::super::{
    Edition, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, MessageDescriptor, OptionsRef, raw,
};
use super::Printer;
use super::options::brackets;
use super::options::quote;
use crate::descriptor::handle::each;
use crate::wire::MAX_FIELD_NUMBER;

/// The declarations in a scope, which is a message or a whole file.
struct Members<'a> {
    fields: Vec<FieldDescriptor>,
    extensions: Vec<ExtensionDescriptor>,
    messages: Vec<MessageDescriptor>,
    enums: Vec<EnumDescriptor>,
    raw_messages: &'a [raw::DescriptorProto<'a>],
    raw_enums: &'a [raw::EnumDescriptorProto<'a>],
}

/// A field whose declaration also declares a message: a map or a group. The index is the index of the field in `Members`.
#[derive(Clone, Copy)]
enum Carrier {
    Field(usize),
    Extension(usize),
}

impl Printer<'_> {
    pub(super) fn top_level(&mut self, raw: &raw::FileDescriptorProto<'_>) {
        let file = self.file;
        self.members(Members {
            fields: Vec::new(),
            extensions: file.extensions().collect(),
            messages: file.messages().collect(),
            enums: file.enums().collect(),
            raw_messages: &raw.message_type,
            raw_enums: &raw.enum_type,
        });
    }

    fn message(&mut self, message: &MessageDescriptor, raw: &raw::DescriptorProto<'_>) {
        self.blank();
        let comments = message.comments();
        self.leading(&comments);
        let visibility = visibility(raw.visibility);
        let opening = written(format_args!("{visibility}message {} {{", message.name()));
        let before = self.out.len();
        self.open(&opening, &comments);
        let opened = self.out.len();
        self.body(message, raw);
        if self.out.len() == opened && comments.trailing().is_empty() {
            self.indent -= 1;
            self.out.truncate(before);
            self.write(&written(format_args!("{opening}}}")));
        } else {
            self.close();
        }
    }

    /// Writes the text between the braces of a message or a group.
    pub(super) fn body(&mut self, message: &MessageDescriptor, raw: &raw::DescriptorProto<'_>) {
        let options = self.options(message.options(), &[]);
        self.option_lines(options);
        self.reserved(raw);
        self.extension_ranges(message, raw);
        self.members(Members {
            fields: message.fields().collect(),
            extensions: message.extensions().collect(),
            messages: message.messages().collect(),
            enums: message.enums().collect(),
            raw_messages: &raw.nested_type,
            raw_enums: &raw.enum_type,
        });
    }

    /// Writes the declarations of a scope. Fields are written first, as far as this keeps the order of the messages,
    /// because the declaration of a map or a group also declares a message.
    fn members(&mut self, members: Members<'_>) {
        let (mut fields, mut extensions) = (0, 0);
        let mut waiting = Vec::new();
        let carriers = carriers(&members);
        for (i, carrier) in carriers.into_iter().enumerate() {
            let Some(carrier) = carrier else {
                waiting.push(i);
                continue;
            };
            for i in waiting.drain(..) {
                self.message(&members.messages[i], &members.raw_messages[i]);
            }
            match carrier {
                Carrier::Field(i) => self.fields(&members.fields, &mut fields, i + 1, members.raw_messages),
                Carrier::Extension(i) => {
                    self.extensions(&members.extensions, &mut extensions, i + 1, members.raw_messages);
                }
            }
        }
        self.fields(&members.fields, &mut fields, members.fields.len(), members.raw_messages);
        for i in waiting {
            self.message(&members.messages[i], &members.raw_messages[i]);
        }
        for (enumeration, raw) in members.enums.iter().zip(members.raw_enums) {
            self.enumeration(enumeration, raw);
        }
        self.extensions(&members.extensions, &mut extensions, members.extensions.len(), members.raw_messages);
    }

    /// Writes the fields before `end` that were not written yet. The source of a oneof contains all its fields, so all of them
    /// are written with the first field of the oneof.
    fn fields(
        &mut self,
        fields: &[FieldDescriptor],
        next: &mut usize,
        end: usize,
        messages: &[raw::DescriptorProto<'_>],
    ) {
        while *next < end {
            let field = &fields[*next];
            *next += 1;
            let Some(oneof) = field.oneof() else {
                self.field(field, messages);
                continue;
            };
            if oneof.fields().next().as_ref() != Some(field) {
                continue;
            }
            let comments = oneof.comments();
            self.leading(&comments);
            self.open(&written(format_args!("oneof {} {{", oneof.name())), &comments);
            let options = self.options(oneof.options(), &[]);
            self.option_lines(options);
            for field in oneof.fields() {
                self.field(&field, messages);
            }
            self.close();
        }
    }

    /// Writes the extensions before `end` that were not written yet. Adjacent extensions of one message are in one
    /// block.
    fn extensions(
        &mut self,
        extensions: &[ExtensionDescriptor],
        next: &mut usize,
        end: usize,
        messages: &[raw::DescriptorProto<'_>],
    ) {
        while *next < end {
            let extendee = extensions[*next].extendee();
            self.blank();
            self.write(&written(format_args!("extend {} {{", self.scope.type_name(extendee.full_name()))));
            self.indent += 1;
            while *next < end && extensions[*next].extendee() == extendee {
                self.field(&extensions[*next], messages);
                *next += 1;
            }
            self.close();
        }
    }

    fn reserved(&mut self, raw: &raw::DescriptorProto<'_>) {
        self.reserved_line(each(&raw.reserved_range, |range| {
            let (start, end) = (range.start.unwrap_or_default(), range.end.unwrap_or_default());
            self::range(start, end - 1, MAX_FIELD_NUMBER as i32)
        }));
        self.reserved_names(&raw.reserved_name);
    }

    pub(super) fn reserved_names(&mut self, names: &[Cow<'_, str>]) {
        let is_quoted = !self.file.edition().has_features();
        self.reserved_line(each(names, |name| match is_quoted {
            true => quote(name.as_bytes(), true),
            false => name.to_string(),
        }));
    }

    pub(super) fn reserved_line(&mut self, items: Vec<String>) {
        if !items.is_empty() {
            self.write(&written(format_args!("reserved {};", items.join(", "))));
        }
    }

    fn extension_ranges(&mut self, message: &MessageDescriptor, raw: &raw::DescriptorProto<'_>) {
        let most = if message.is_message_set() { i32::MAX - 1 } else { MAX_FIELD_NUMBER as i32 };
        for range in &raw.extension_range {
            let encoded = range.options.as_ref().map(|options| options.encoded()).unwrap_or_default();
            let options = self.options(
                OptionsRef::new(message.file().tables(), encoded, "google.protobuf.ExtensionRangeOptions"),
                &[],
            );
            self.unknown_options(&options.unknown);
            let (start, end) = (range.start.unwrap_or_default(), range.end.unwrap_or_default());
            let numbers = self::range(start, end - 1, most);
            self.write(&written(format_args!("extensions {numbers}{};", brackets(&options))));
        }
    }
}

/// Returns the range as source. Both numbers are inclusive. `most` is the number that the source calls `max`.
pub(super) fn range(first: i32, last: i32, most: i32) -> String {
    match last {
        _ if first == last => first.to_string(),
        _ if last == most => written(format_args!("{first} to max")),
        _ => written(format_args!("{first} to {last}")),
    }
}

pub(super) fn visibility(visibility: Option<i32>) -> &'static str {
    match visibility {
        Some(1) => "local ",
        Some(2) => "export ",
        _ => "",
    }
}

/// True for a field that is written as a `group`, so its declaration also declares its message.
pub(super) fn is_group(field: &FieldDescriptor) -> bool {
    let scope = if field.is_extension() { field.scope() } else { Some(field.message()) };
    let is_own = |message: MessageDescriptor| message.file() == field.file() && message.parent() == scope;
    field.is_delimited()
        && field.file().edition() == Edition::Proto2
        && field.message_type().is_some_and(is_own)
}

/// Returns, for each message of the scope, the field whose declaration also declares the message; `None` if no field declares
/// it.
fn carriers(members: &Members<'_>) -> Vec<Option<Carrier>> {
    let mut carriers = vec![None; members.messages.len()];
    let mut add = |field: &FieldDescriptor, carrier| {
        if (field.is_map() || is_group(field))
            && let Some(message) = field.message_type()
        {
            carriers[message.index()] = Some(carrier);
        }
    };
    for (i, extension) in members.extensions.iter().enumerate() {
        add(extension.field(), Carrier::Extension(i));
    }
    for (i, field) in members.fields.iter().enumerate() {
        add(field, Carrier::Field(i));
    }
    carriers
}
