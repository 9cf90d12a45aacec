//! Skips fields.

use super::Parser;
use crate::error::Result;
use crate::syntax::text::lex::{is_identifier, is_url};
use crate::syntax::well_known::quoted;

impl Parser<'_> {
    /// Skips the values after the name of a field.
    pub(super) fn skip_values(&mut self) -> Result<()> {
        self.skip_within(self.room.depth())
    }

    fn skip_within(&mut self, depth: u32) -> Result<()> {
        let colon = self.cursor.eat(b':');
        self.each_value(&mut |parser| parser.skip_value(colon, depth))
    }

    fn skip_value(&mut self, colon: bool, depth: u32) -> Result<()> {
        match self.cursor.peek() {
            Some(b'{' | b'<') => {
                let end = self.open("a message")?;
                return self.skip_fields(end, depth);
            }
            _ if !colon => return Err(self.cursor.unexpected("`:` or a message")),
            Some(b'"' | b'\'') => {
                self.cursor.strings()?;
                return Ok(());
            }
            _ => {}
        }
        self.cursor.eat(b'-');
        match self.cursor.token() {
            Some(b'0'..=b'9' | b'.') => self.cursor.number().map(|_| ()),
            _ => self.cursor.identifier("a value").map(|_| ()),
        }
    }

    fn skip_fields(&mut self, end: u8, depth: u32) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else { return Err(self.locate(self.room.too_deep())) };
        loop {
            match self.at_token() {
                Some(byte) if byte == end => break,
                Some(b'[') => {
                    let name = self.cursor.bracketed()?;
                    if !is_identifier(&name) && !is_url(&name) {
                        return Err(self.error(format!("{} is not the name of a field", quoted(&name))));
                    }
                }
                Some(b'0'..=b'9') => {
                    self.cursor.number()?;
                }
                _ => {
                    self.cursor.identifier("a field")?;
                }
            }
            self.skip_within(depth)?;
            self.next_token(true);
        }
        self.cursor.bump();
        Ok(())
    }
}
