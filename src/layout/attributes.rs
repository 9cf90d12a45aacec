//! The settings of a member in its attribute, beside its type, number and name.

use super::kind::WireKind;

/// Prints the value that a conversion makes of a text, with the `Debug` of its type; `None` if the conversion rejects
/// the text.
pub(crate) type ShowText = fn(&[u8]) -> Option<String>;

/// The settings of a member or a variant in its attributes, beside its type, number and name. Most members have none.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// The index of the member or variant.
    pub index: u32,
    /// The name under which serde sees the member, if it is not the usual one. The name of a variant is in its shape.
    pub serde_name: Option<&'static str>,
    /// Everything that the Rust type does not determine.
    pub attributes: Attributes,
}

impl Extra {
    /// Returns the attributes of the member or variant with an index, found among those that are sorted by index.
    pub(super) fn of(extras: &'static [Extra], index: usize) -> Option<&'static Extra> {
        let found = extras.binary_search_by_key(&index, |extra| extra.index as usize);
        extras.get(found.ok()?)
    }
}

/// The settings of a field in its attributes. Schemas that are declared or stated are built from them; others have a
/// descriptor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    /// The wire kind of the value, list element or map value, if the Rust type leaves a choice.
    pub kind: Option<WireKind>,
    /// The wire kind of the map key.
    pub key: Option<WireKind>,
    /// The JSON name, if it is not derived from the proto name.
    pub json_name: Option<&'static str>,
    /// Packed or not, if it is not the default of the syntax.
    pub packed: Option<bool>,
    /// The default value, in the notation of descriptors.
    pub default: Option<&'static str>,
    /// True if the field must have a value.
    pub required: bool,
    /// True if the message is written as a group.
    pub delimited: bool,
    /// True if the group is declared as proto2 declares groups. Only stated schemas set this.
    pub group: bool,
    /// True if output for people, such as `Debug`, hides the value.
    pub redact: bool,
    /// True if the schema allows strings that are not UTF-8. Only stated schemas set this.
    pub loose: bool,
    /// How output for people shows the value, if a conversion makes it from a string or bytes.
    pub debug: Option<ShowText>,
    /// Registers the file of the member's type, if it has one. Only declared schemas need that.
    pub register: Option<fn()>,
}

impl Attributes {
    /// No attributes, because the Rust type determines everything.
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
