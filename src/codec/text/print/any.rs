//! Prints an `Any` as the message that it contains.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#any>.

use super::Text;
use crate::codec::content::message_named;
use crate::descriptor::Pool;
use crate::error::Result;
use crate::object::arena::content::ArenaContent;
use crate::object::{Field, Object};
use crate::syntax::text::lex::is_url;
use crate::table::Tabled;
use bytes::Bytes;

impl Text<'_> {
    /// Prints the content of an `Any` under the name of its type. Returns false, and prints nothing, if the options do not ask
    /// for this, if the type is not known, or if the content is not a valid message of the type.
    #[inline(never)]
    pub(super) fn any<'a, M: Object<'a>>(&mut self, message: M) -> Result<bool> {
        let (mut url, mut content): (&[u8], &[u8]) = (b"", b"");
        message.rows(&mut |row, value| {
            match (row.number, value) {
                (1, Some(Field::Text(text))) => url = text,
                (2, Some(Field::Text(bytes))) => content = bytes,
                _ => {}
            }
            Ok(())
        })?;
        let Some(url) = std::str::from_utf8(url).ok().filter(|url| self.options.expand_any && is_url(url))
        else {
            return Ok(false);
        };
        match self.known {
            Some(known) => (known.content)(self, url, content),
            None => Ok(false),
        }
    }

    /// Prints `content`, the content of an `Any` whose type URL is `url`. Returns false, and prints nothing, if the content
    /// cannot be printed as a message.
    pub(super) fn content(&mut self, url: &str, content: &[u8]) -> Result<bool> {
        let name = url.rsplit_once('/').map_or(url, |(_, name)| name);
        let Some(descriptor) = message_named(self.options.pool.as_ref(), name) else {
            return Ok(false);
        };
        let table = descriptor.table()?;
        let viewed = self.view(table, content, self.depth, |text, message| {
            text.content_of(url, |text| text.message(message))
        })?;
        if viewed {
            return Ok(true);
        }
        let content = self.shared(content);
        let (limits, partial) = (self.options.limits, self.options.partial);
        let Ok(decoded) = ArenaContent::decode(table, content.clone(), limits, self.depth, partial) else {
            return Ok(false);
        };
        let outer = std::mem::replace(&mut self.input, content);
        self.content_of(url, |text| text.message(decoded.message(table)))?;
        self.input = outer;
        Ok(true)
    }

    fn content_of(&mut self, url: &str, print: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.out.field(b"[");
        self.out.raw(url.as_bytes());
        self.out.raw(b"]");
        self.out.open();
        print(self)?;
        self.out.close();
        Ok(())
    }

    /// Returns `bytes` as a shared slice of `self.input` if they lie in `self.input`, and as a copy otherwise. If the bytes
    /// were not shared, each level of nested `Any` values would copy its content.
    pub(super) fn shared(&self, bytes: &[u8]) -> Bytes {
        let (outer, inner) = (self.input.as_ptr_range(), bytes.as_ptr_range());
        match outer.start <= inner.start && inner.end <= outer.end {
            true => self.input.slice_ref(bytes),
            false => Bytes::copy_from_slice(bytes),
        }
    }

    /// Returns the pool for the types of `Any` and for extensions: the pool in the options, or the global pool.
    pub(super) fn pool(&self) -> Pool {
        self.options.pool.clone().unwrap_or_else(Pool::global)
    }
}
