//! Accesses the options of an element: all bytes, and known options by their numbers.

use super::raw::options::{self, MAX_NESTING};
use super::tables::FileTables;
use super::{ExtensionDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor, global};
use crate::wire::{WireType, message_set};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The serialized options of an element.
///
/// The bytes also contain custom options and options that this crate does not know. To read them by name, decode
/// [`encoded`](Self::encoded) as the message with the name [`message_name`](Self::message_name).
#[derive(Clone, Copy)]
pub struct OptionsRef<'a> {
    file: &'a Arc<FileTables>,
    encoded: &'a [u8],
    message_name: &'static str,
}

impl<'a> OptionsRef<'a> {
    pub(super) fn new(file: &'a Arc<FileTables>, encoded: &'a [u8], message_name: &'static str) -> Self {
        OptionsRef { file, encoded, message_name }
    }

    /// Returns the extension with a full name, whatever message it extends. The search starts in the file of the
    /// element, because this file imports the extensions that its options use. At the end, the search also looks in
    /// the [global pool](global), for extensions that the file does not import.
    pub fn extension_named(&self, full_name: &str) -> Option<ExtensionDescriptor> {
        let mut seen = HashSet::new();
        let mut open = vec![self.file];
        while let Some(file) = open.pop() {
            if !file.reaches_extensions || !seen.insert(Arc::as_ptr(file)) {
                continue;
            }
            let declaring = FileDescriptor::new(Arc::clone(file));
            let mut extensions = declaring.all_extensions();
            if let Some(found) = extensions.find(|extension| extension.full_name() == full_name) {
                return Some(found);
            }
            open.extend(&file.reach);
        }
        global().extension(full_name)
    }

    /// True if no option is set.
    pub fn is_empty(&self) -> bool {
        self.encoded.is_empty()
    }

    /// Returns the serialized options message.
    pub fn encoded(&self) -> &'a [u8] {
        self.encoded
    }

    /// Returns the full name of the options message, such as `google.protobuf.FieldOptions`.
    pub fn message_name(&self) -> &'static str {
        self.message_name
    }

    /// Returns all occurrences of a field of the options message, each as the encoded tag and value.
    pub fn raw(&self, number: u32) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        options::fields(self.encoded)
            .filter(move |field| field.tag.number() == number)
            .map(|field| field.bytes)
    }

    /// Returns the last value of a field whose wire type is varint: a bool, an integer or an enum.
    pub fn varint(&self, number: u32) -> Option<u64> {
        options::varint(self.encoded, number)
    }

    /// Returns the payloads of a field whose values have a length prefix: strings, bytes or messages.
    pub fn len_prefixed(&self, number: u32) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        options::messages(self.encoded, number)
    }

    /// True if the options contain an enum value with the option `debug_redact`, at any depth of nesting.
    pub(super) fn redacts(&self) -> bool {
        if !self.file.reaches_extensions
            || !*self.file.reaches_redact.get_or_init(|| reaches_redact(self.file))
        {
            return false;
        }
        let mut extensions = HashMap::new();
        let mut options = None;
        for file in in_reach(self.file) {
            let file = FileDescriptor::new(file);
            options = options.or_else(|| file.messages().find(|it| it.full_name() == self.message_name));
            for extension in file.all_extensions() {
                let key = (extension.extendee().full_name().to_owned(), extension.number());
                extensions.insert(key, extension.field().clone());
            }
        }
        // A file that declares extensions of this message imports it, so the message is in reach.
        options.is_some_and(|options| has_redacted_value(&options, self.encoded, &extensions, MAX_NESTING))
    }

    /// True if the element is declared deprecated.
    pub fn is_deprecated(&self) -> bool {
        let number = match self.message_name {
            "google.protobuf.FileOptions" => 23,
            "google.protobuf.MessageOptions" => 3,
            "google.protobuf.FieldOptions" => 3,
            "google.protobuf.EnumOptions" => 3,
            "google.protobuf.EnumValueOptions" => 1,
            "google.protobuf.ServiceOptions" | "google.protobuf.MethodOptions" => 33,
            _ => return false,
        };
        options::is_set(self.encoded, number)
    }
}

/// Returns the file and all files to which the file refers, directly or indirectly.
fn in_reach(file: &Arc<FileTables>) -> Vec<Arc<FileTables>> {
    let mut seen = HashSet::from([Arc::as_ptr(file)]);
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).cloned() {
        for file in &tables.reach {
            if seen.insert(Arc::as_ptr(file)) {
                files.push(Arc::clone(file));
            }
        }
        next += 1;
    }
    files
}

/// The field number of the option `debug_redact` of enum values.
const DEBUG_REDACT: u32 = 3;

fn reaches_redact(file: &Arc<FileTables>) -> bool {
    in_reach(file).iter().any(|file| {
        file.values.iter().any(|value| options::is_set(file.options(value.options), DEBUG_REDACT))
    })
}

/// True if an encoded message contains an enum value with the option `debug_redact`, directly or in a nested message.
fn has_redacted_value(
    message: &MessageDescriptor,
    encoded: &[u8],
    extensions: &HashMap<(String, u32), FieldDescriptor>,
    depth: u32,
) -> bool {
    // Messages that are nested too deep may contain secrets, so they count as redacted.
    let Some(depth) = depth.checked_sub(1) else { return true };
    let items;
    let encoded = match message.is_message_set() {
        true => {
            items = message_set::items_to_fields(encoded).map(|(items, _)| items).unwrap_or_default();
            &*items
        }
        false => encoded,
    };
    options::fields(encoded).any(|option| {
        let number = option.tag.number();
        let field = message.field_by_number(number);
        let extension = || extensions.get(&(message.full_name().to_owned(), number)).cloned();
        let Some(field) = field.or_else(extension) else { return false };
        if let Some(inner) = field.message_type() {
            let content = match option.tag.wire_type() {
                WireType::StartGroup => option.value().group(number, MAX_NESTING).ok(),
                _ => option.len_prefixed(),
            };
            return content.is_some_and(|content| has_redacted_value(&inner, content, extensions, depth));
        }
        let Some(enumeration) = field.enum_type() else { return false };
        options::numbers(option.bytes, number).into_iter().any(|value| {
            let value = enumeration.value_by_number(value as i32);
            value.is_some_and(|value| options::is_set(value.options().encoded(), DEBUG_REDACT))
        })
    })
}

impl PartialEq for OptionsRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.encoded == other.encoded && self.message_name == other.message_name
    }
}

impl Eq for OptionsRef<'_> {}

impl fmt::Debug for OptionsRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptionsRef")
            .field("encoded", &self.encoded)
            .field("message_name", &self.message_name)
            .finish()
    }
}
