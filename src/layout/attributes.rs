//! The settings in the attribute of a member, other than its type, number and name.

use super::kind::WireKind;

/// Prints the value that a conversion makes of the bytes, with the `Debug` of its type. Returns `None` if the conversion
/// rejects the bytes.
pub(crate) type ShowText = fn(&[u8]) -> Option<String>;

/// The settings in the attribute of a member or a variant, other than its type, number and name. Most members have none.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// The index of the member or variant.
    pub index: u32,
    /// The name of the member in serde, if it is not the usual one. The name of a variant is in the shape of the variant.
    pub serde_name: Option<&'static str>,
    /// The settings that the Rust type does not determine.
    pub attributes: Attributes,
}

impl Extra {
    /// Returns the settings of the member or variant with the index `index`, or `None` if it has no settings. `extras` are
    /// sorted by index.
    pub(super) fn of(extras: &'static [Extra], index: usize) -> Option<&'static Extra> {
        let found = extras.binary_search_by_key(&index, |extra| extra.index as usize);
        extras.get(found.ok()?)
    }
}

/// The settings in the attribute of a field. Two kinds of types need them, because their schema comes from attributes: types
/// that declare a schema, and types that state a schema (their descriptor is built only when it is needed). All other types are
/// bound to a descriptor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    /// The wire kind of the value, the list element or the map value, if the Rust type can have several kinds.
    pub kind: Option<WireKind>,
    /// The wire kind of the map key, if the Rust type can have several kinds.
    pub key: Option<WireKind>,
    /// The JSON name, if it is not derived from the proto name.
    pub json_name: Option<&'static str>,
    /// True if the list is packed, and false if it is not. `None` for the default of the syntax.
    pub packed: Option<bool>,
    /// The default value, in the notation of descriptors.
    pub default: Option<&'static str>,
    /// True if the field must have a value.
    pub required: bool,
    /// True if the message is encoded as a group.
    pub delimited: bool,
    /// True if the group is declared in the syntax of proto2. Only stated schemas set this.
    pub group: bool,
    /// True if output for people, such as `Debug`, hides the value.
    pub redact: bool,
    /// True if the schema allows strings that are not UTF-8. Only stated schemas set this.
    pub loose: bool,
    /// The function that shows the value in output for people, if a conversion makes the value from a string or bytes.
    pub debug: Option<ShowText>,
    /// Registers the file of the member's type, if the type has one. Only declared schemas need this function.
    pub register: Option<fn()>,
}

impl Attributes {
    /// The settings of a field whose Rust type determines everything.
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
