//! The settings of the wire format. The public functions that use these settings are in `verbs`.

pub(crate) mod json;
pub(crate) mod lazy;
pub(crate) mod text;

use crate::error::Result;
use crate::limits::Limits;

/// Options for encoding messages to the wire format.
///
/// ```
/// use tobu::{EncodeOptions, Message, Serialize};
/// use std::collections::HashMap;
///
/// #[derive(Message, Serialize)]
/// struct Stock {
///     #[tobu(1)]
///     copies: HashMap<String, u32>,
/// }
///
/// let stock = Stock { copies: HashMap::from([("b".into(), 2), ("a".into(), 1)]) };
/// let bytes = EncodeOptions::new().deterministic(true).to_vec(&stock)?;
/// assert_eq!(bytes, b"\x0a\x05\x0a\x01a\x10\x01\x0a\x05\x0a\x01b\x10\x02");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodeOptions {
    limits: Limits,
    deterministic: bool,
    partial: bool,
}

impl EncodeOptions {
    pub(crate) const DEFAULT: EncodeOptions =
        EncodeOptions { limits: Limits::DEFAULT, deterministic: false, partial: false };

    /// Returns the default settings: [`Limits::default`], map entries in any order, and an error if a required field is
    /// missing.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes map entries in the order of their keys, so that equal messages give equal bytes.
    #[must_use]
    pub fn deterministic(mut self, yes: bool) -> Self {
        self.deterministic = yes;
        self
    }

    /// Allows required fields to be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Sets the limits. Only the depth applies to encoding.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the limits, whether map entries are sorted, and whether required fields may be missing.
    pub(crate) fn parts(&self) -> (Limits, bool, bool) {
        (self.limits, self.deterministic, self.partial)
    }
}

/// Options for decoding messages from the wire format.
///
/// ```
/// use tobu::{DecodeOptions, Deserialize, Limits, Message};
///
/// #[derive(Debug, Message, Deserialize)]
/// struct Note {
///     #[tobu(1)]
///     text: String,
/// }
///
/// let options = DecodeOptions::new().limits(Limits::default().input(4));
/// let error = options.from_slice::<Note>(b"\x0a\x03hey").unwrap_err();
/// assert_eq!(error.to_string(), "Note: input of 5 bytes is larger than the limit of 4 bytes");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DecodeOptions {
    limits: Limits,
    partial: bool,
    /// True if lazy fields are decoded at once.
    eager: bool,
}

impl DecodeOptions {
    pub(crate) const DEFAULT: DecodeOptions =
        DecodeOptions { limits: Limits::DEFAULT, partial: false, eager: false };

    /// Returns the default settings: [`Limits::default`], and an error if a required field is missing.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows required fields to be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Decodes messages in members of type [`Lazy`](crate::lazy::Lazy) when they are first read. This is on by default. If
    /// required fields may be missing, or if lazy decoding is [turned off](crate::lazy::set_enabled), all messages are decoded
    /// at once.
    #[must_use]
    pub fn lazy(mut self, yes: bool) -> Self {
        self.eager = !yes;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// True if messages in members of type `Lazy` are decoded at once.
    pub(crate) fn is_eager(&self) -> bool {
        self.eager || self.partial || !lazy::is_enabled()
    }

    /// Returns the limits, and whether required fields may be missing.
    pub(crate) fn parts(&self) -> (Limits, bool) {
        (self.limits, self.partial)
    }

    #[inline]
    pub(crate) fn check_input(&self, size: usize) -> Result<()> {
        self.limits.check_input(size)
    }

    pub(crate) fn max_input(&self) -> u64 {
        self.limits.max_input()
    }

    pub(crate) fn max_depth(&self) -> u32 {
        self.limits.max_depth()
    }
}
