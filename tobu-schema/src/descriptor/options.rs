//! Options of an element: bytes that lost nothing, and the known ones by number.

use super::raw::options;

/// The options of an element, as they are serialized.
///
/// Custom options and options that this crate has never heard of are all in there; to read them by name, decode
/// [`encoded`](Self::encoded) as the message that [`message_name`](Self::message_name) names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionsRef<'a> {
    encoded: &'a [u8],
    message_name: &'static str,
}

impl<'a> OptionsRef<'a> {
    pub(super) fn new(encoded: &'a [u8], message_name: &'static str) -> Self {
        OptionsRef { encoded, message_name }
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
