//! Whether other files may use a message or an enum.

use super::{DefaultSymbolVisibility, Features};

/// Whether other files may use a message or an enum, as declared.
///
/// Specification: <https://protobuf.dev/editions/features/#symbol-vis>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Neither: [`DefaultSymbolVisibility`] decides.
    #[default]
    Unset,
    /// `local`: other files may not use it.
    Local,
    /// `export`: other files may use it.
    Export,
}

impl Visibility {
    /// The visibility of a number of `google.protobuf.SymbolVisibility`.
    pub(super) fn from_number(number: i32) -> Self {
        match number {
            1 => Visibility::Local,
            2 => Visibility::Export,
            _ => Visibility::Unset,
        }
    }

    /// True for an element that only its own file may use.
    pub(super) fn is_local(self, features: Features, is_nested: bool) -> bool {
        match (self, features.default_symbol_visibility) {
            (Visibility::Local, _) => true,
            (Visibility::Export, _) | (Visibility::Unset, DefaultSymbolVisibility::ExportAll) => false,
            (Visibility::Unset, DefaultSymbolVisibility::ExportTopLevel) => is_nested,
            (Visibility::Unset, DefaultSymbolVisibility::LocalAll | DefaultSymbolVisibility::Strict) => true,
        }
    }
}
