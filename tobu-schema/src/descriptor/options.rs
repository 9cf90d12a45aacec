//! Options of an element: bytes that lost nothing, and the known ones by number.

use super::raw::options;
use super::tables::FileTables;
use super::{ExtensionDescriptor, FileDescriptor, global};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// The options of an element, as they are serialized.
///
/// Custom options and options that this crate has never heard of are all in there; to read them by name, decode
/// [`encoded`](Self::encoded) as the message that [`message_name`](Self::message_name) names.
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

    /// The extension of a full name, of any message: as the file of the element sees it, which imports the extensions that
    /// its options use. The [global pool](global) is asked last, for options that the file itself does not use.
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

    /// True when no option is set.
    pub fn is_empty(&self) -> bool {
        self.encoded.is_empty()
    }

    /// The serialized options message.
    pub fn encoded(&self) -> &'a [u8] {
        self.encoded
    }

    /// The full name of the options message: `google.protobuf.FieldOptions` and so on.
    pub fn message_name(&self) -> &'static str {
        self.message_name
    }

    /// Every occurrence of a field of the options message: its tag and its value, undecoded.
    pub fn raw(&self, number: u32) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        options::fields(self.encoded)
            .filter(move |field| field.tag.number() == number)
            .map(|field| field.bytes)
    }

    /// The value of a field that is a varint: a bool, an integer or an enum.
    pub fn varint(&self, number: u32) -> Option<u64> {
        options::varint(self.encoded, number)
    }

    /// Every value of a field that is length-delimited: a string, bytes or a message.
    pub fn len_prefixed(&self, number: u32) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        options::messages(self.encoded, number)
    }

    /// True when the element is declared deprecated.
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
