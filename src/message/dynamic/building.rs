//! Parses JSON and the text format into messages in arenas, and lends the messages to serde's data model.

use crate::codec::Source;
use crate::codec::json::{self as json_codec, ParseSettings};
use crate::codec::text::{self as text_codec, ParseSettings as TextSettings};
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::dynamic::held::Reading;
use crate::object::arena::building::Building;
use crate::object::arena::words::Arena;
use crate::table::Table;
use crate::{json, text};
use bytes::Bytes;

impl Building {
    pub(crate) fn into_dynamic(self, descriptor: MessageDescriptor) -> DynamicMessage {
        DynamicMessage::of(descriptor, self.into_arena())
    }

    /// Parses a message from JSON. Strings without escapes refer to the copy of the text that the arena keeps.
    ///
    /// # Errors
    /// The text is not ProtoJSON of the message, or exceeds a limit.
    pub(crate) fn parse(table: &Table, text: &[u8], options: &json::Options) -> Result<Self> {
        let mut building = Building::default();
        let message = building.start(table);
        // The arena keeps a copy of the text, and `reading` borrows strings from the text itself, at the same
        // positions.
        let text = Bytes::copy_from_slice(text);
        message.arena.input = text.clone().into();
        let settings = ParseSettings { options, borrowed: false, partial: options.partial };
        json_codec::parse(message.into(), Source::Bytes(&text), settings)?;
        Ok(building)
    }

    /// Parses a message from the text format. Strings without escapes refer to the copy of the text that the arena keeps.
    ///
    /// # Errors
    /// The text is not the message in the text format, or exceeds a limit.
    pub(crate) fn parse_text(table: &Table, text: &[u8], options: &text::Options) -> Result<Self> {
        let mut building = Building::default();
        let message = building.start(table);
        let text = Bytes::copy_from_slice(text);
        message.arena.input = text.clone().into();
        let settings = TextSettings { options, borrowed: false, partial: options.partial };
        let missing = text_codec::parse(message.into(), Source::Bytes(&text), settings)?;
        if let Some(message) = building.message(table) {
            text_codec::check(message.into(), missing)?;
        }
        Ok(building)
    }

    /// Returns the message for serde, with its strings borrowed from the input.
    pub(crate) fn reading<'a, 'de>(&'a self, input: &'de [u8]) -> Reading<'a, 'de> {
        static NOTHING: Arena = Arena::EMPTY;
        Reading { arena: self.0.as_ref().unwrap_or(&NOTHING), input: Some(input) }
    }
}
