//! Helpers of all builders.

use crate::descriptor::Edition;
use crate::descriptor::names::written;
use crate::descriptor::raw::Options;
use std::borrow::Cow;

/// Where something is declared.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) edition: Edition,
    /// The full name of the package or the message around it.
    pub(super) name: &'a str,
}

impl Scope<'_> {
    /// The full name of a declaration in this scope.
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { written(format_args!("{}.{name}", self.name)) }
    }
}

pub(super) fn text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// Options, if there are any.
pub(super) fn some(options: &Options) -> Option<Options> {
    Some(options.clone()).filter(|options| !options.encoded().is_empty())
}

/// Adds features, a serialized `google.protobuf.FeatureSet`, to options as the field with this number.
pub(super) fn push_features(options: &mut Options, number: u32, features: &Options) {
    if !features.encoded().is_empty() {
        options.push_bytes(number, features.encoded());
    }
}

/// A number as descriptors have it; of one that is too large, one that is not valid either.
pub(super) fn clamp(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
