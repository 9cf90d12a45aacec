//! What is said of a member beside its type, its number and its name.

use super::kind::WireKind;

/// Shows the value that a conversion makes of a text, as its type does; `None` where it makes none.
pub(crate) type ShowText = fn(&[u8]) -> Option<String>;

/// What is said of a member or a variant beside its type, its number and its name: of most there is nothing.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// The index of the member or variant.
    pub index: u32,
    /// The name under which serde sees the member, where it is not the usual one; that of a variant is in its shape.
    pub serde_name: Option<&'static str>,
    /// What the Rust type does not say.
    pub attributes: Attributes,
}

impl Extra {
    /// What is said of the member or variant of an index, of those in the order of their indices.
    pub(super) fn of(extras: &'static [Extra], index: usize) -> Option<&'static Extra> {
        let found = extras.binary_search_by_key(&index, |extra| extra.index as usize);
        extras.get(found.ok()?)
    }
}

/// What a field's attributes say; only schemas that are declared or stated are made of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    /// The wire kind of the value, list element or map value, where the Rust type leaves a choice.
    pub kind: Option<WireKind>,
    /// The wire kind of the map key.
    pub key: Option<WireKind>,
    /// The JSON name, where it is not the usual one.
    pub json_name: Option<&'static str>,
    /// Packed or not, where it is not the usual.
    pub packed: Option<bool>,
    /// The default value, in the notation of descriptors.
    pub default: Option<&'static str>,
    /// The field must have a value.
    pub required: bool,
    /// The message is written as a group.
    pub delimited: bool,
    /// The group is one as proto2 declares it; only stated schemas know.
    pub group: bool,
    /// Text for people does not show the value.
    pub redact: bool,
    /// Strings need not be UTF-8 by the schema; only stated schemas know.
    pub loose: bool,
    /// How text for people shows the value, where a conversion makes it of a string or bytes.
    pub debug: Option<ShowText>,
    /// Registers the file of the member's type, if it has one; only schemas that are declared ask for that.
    pub register: Option<fn()>,
}

impl Attributes {
    /// Nothing but what the Rust type says.
    pub const NONE: Attributes = Attributes {
        kind: None,
        key: None,
        json_name: None,
        packed: None,
        default: None,
        required: false,
        delimited: false,
        group: false,
        redact: false,
        loose: false,
        debug: None,
        register: None,
    };
}
