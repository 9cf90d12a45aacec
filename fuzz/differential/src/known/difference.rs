//! What the conditions of the table ask of a difference.

use crate::compare::{Case, Check, Found};
use crate::exchange::Format;
use crate::facts::Facts;
use crate::ours;
use crate::schema::Schema;
use tobu::MessageDescriptor;

/// A difference with what it is about.
pub(super) struct Difference<'a> {
    pub(super) schema: &'a Schema,
    pub(super) case: &'a Case,
    pub(super) found: &'a Found,
}

impl Difference<'_> {
    /// Whether it is about reading or writing this format.
    pub(super) fn is(&self, format: Format) -> bool {
        self.found.format == format
    }

    pub(super) fn writes(&self) -> bool {
        self.found.check == Check::Write
    }

    /// Whether tobu refuses what the peer takes, with these words.
    pub(super) fn we_refuse(&self, words: &str) -> bool {
        self.found.we_refuse.as_ref().is_some_and(|error| error.contains(words))
    }

    /// Whether the peer refuses what tobu takes, with these words.
    pub(super) fn they_refuse(&self, words: &str) -> bool {
        self.found.they_refuse.as_ref().is_some_and(|error| error.contains(words))
    }

    /// Whether both take it, for something else.
    pub(super) fn contents_differ(&self) -> bool {
        self.found.contents.is_some()
    }

    /// Whether the contents have nothing that is not valid in an extension.
    pub(super) fn is_valid_flat(&self) -> bool {
        let flat = &self.schema.flat[self.case.question.message];
        self.found.contents.as_ref().is_none_or(|(ours, _)| ours::canonical(flat, ours).is_ok())
    }

    /// Whether all that the schema knows is the same; extensions count only where they are valid.
    pub(super) fn differs_in_unknown_fields(&self) -> bool {
        let flat = &self.schema.flat[self.case.question.message];
        if self.is_valid_flat() { self.are_similar(flat) } else { self.differs_in_extensions() }
    }

    /// Whether all but extensions is the same.
    pub(super) fn differs_in_extensions(&self) -> bool {
        self.are_similar(&self.schema.messages[self.case.question.message])
    }

    /// Whether nothing differs but the bits of a NaN.
    pub(super) fn is_nan_alone(&self) -> bool {
        let lengths = self.found.contents.as_ref().map(|(ours, theirs)| ours.len() == theirs.len());
        lengths == Some(true) && self.differs_in_unknown_fields()
    }

    fn are_similar(&self, message: &MessageDescriptor) -> bool {
        self.found
            .contents
            .as_ref()
            .is_some_and(|(ours, theirs)| ours::similar(self.schema, message, ours, theirs))
    }

    /// What was read, as text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.found.input).into_owned()
    }

    /// Whether there is an `Any` with another type URL than most have.
    pub(super) fn has_other_type_url(&self) -> bool {
        let text = self.text();
        let mut urls = text.split("\"@type\"").skip(1);
        urls.any(|url| {
            let rest = url.trim_start_matches([':', ' ', '\n']).strip_prefix("\"type.googleapis.com/");
            rest.and_then(|rest| rest.split('"').next()).is_none_or(|name| name.contains('/'))
        })
    }

    /// Whether tobu refuses the wire bytes where extensions are fields.
    pub(super) fn flat_refuses(&self) -> bool {
        ours::canonical(&self.schema.flat[self.case.question.message], &self.found.input).is_err()
    }

    /// What is unusual about the wire bytes of the input, or of the message that tobu took it for.
    pub(super) fn facts(&self) -> Facts {
        let wire = match (self.case.question.read, &self.case.read) {
            (Format::Wire, _) | (_, Err(_)) => self.case.question.input.clone(),
            (_, Ok(message)) => ours::write(self.schema, message, Format::Wire).unwrap_or_default(),
        };
        Facts::of(&self.schema.flat[self.case.question.message], &wire)
    }
}

/// True where negative zero may be among the fields of a message.
pub(super) fn has_negative_zero(wire: &[u8]) -> bool {
    wire.windows(4).any(|bytes| bytes == (-0f32).to_le_bytes())
}

/// True for what Python takes for white space and the grammar of the text format does not.
pub(super) fn is_only_pythons_space(char: char) -> bool {
    ('\u{1c}'..='\u{1f}').contains(&char) || !char.is_ascii() && char.is_whitespace()
}
