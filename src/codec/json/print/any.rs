//! `Any`: its content as members beside `@type`.

use super::Json;
use super::well_known::{field, str_of};
use crate::codec::content::message_named;
use crate::descriptor::MessageDescriptor;
use crate::dynamic::ArenaContent;
use crate::error::{Error, Result};
use crate::object::{Field, Object};
use crate::table::{Tabled, WellKnown};
use crate::well_known::quoted;
use bytes::Bytes;

impl Json<'_> {
    #[inline(never)]
    pub(super) fn any<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        let (mut url, mut content): (&str, &[u8]) = ("", &[]);
        if let Some((row, Field::Text(text))) = field(message, 1)? {
            url = str_of(row, text).map_err(|error| error.in_field(&row.name))?;
        }
        if let Some((_, Field::Text(bytes))) = field(message, 2)? {
            content = bytes;
        }
        if url.is_empty() && content.is_empty() {
            self.out.raw(b"{}");
            return Ok(());
        }
        let descriptor = self.resolve(url)?;
        let object = self.out.open();
        self.out.member(b",\"@type\":");
        self.out.string(url);
        let content = self.shared(content);
        let outer = self.input.replace(content.clone());
        self.content(&descriptor, content)?;
        self.input = outer;
        self.out.close(object, *b"{}");
        Ok(())
    }

    /// The content: its members, or its value if it has a special JSON form.
    fn content(&mut self, descriptor: &MessageDescriptor, content: Bytes) -> Result<()> {
        let (options, table) = (self.options, descriptor.table()?);
        let decoded = ArenaContent::decode(table, content, options.limits, self.depth, options.partial)
            .map_err(|error| self.of_content(error))?;
        let message = decoded.message(table);
        if message.table().known == WellKnown::No {
            self.enter()?;
            self.members(message)?;
            self.leave();
            Ok(())
        } else {
            self.out.member(b",\"value\":");
            self.message(message)
        }
    }

    /// An error in bytes that are inside the message.
    #[cold]
    pub(super) fn of_content(&self, error: Error) -> Error {
        error.nowhere().of_max_depth(self.options.limits.max_depth()).within_message(self.root)
    }

    /// The bytes of a message, as a slice of shared bytes if it is part of such. Otherwise each level of nested `Any`
    /// would copy its content.
    pub(super) fn shared(&self, bytes: &[u8]) -> Bytes {
        let inner = bytes.as_ptr_range();
        let is_outer = |input: &&Bytes| {
            let outer = input.as_ptr_range();
            outer.start <= inner.start && inner.end <= outer.end
        };
        match self.input.as_ref().filter(is_outer) {
            Some(input) => input.slice_ref(bytes),
            None => Bytes::copy_from_slice(bytes),
        }
    }

    /// The type that a URL names after its last slash.
    pub(crate) fn resolve(&self, url: &str) -> Result<MessageDescriptor> {
        let Some(name) = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty()) else {
            let url = quoted(url);
            return Err(Error::ty(format!("the type URL {url} has no name of a type after a slash")));
        };
        message_named(self.options.pool.as_ref(), name).ok_or_else(|| {
            let name = quoted(name);
            Error::schema(format!("there is no message named {name} in the pool, as an Any wants it"))
        })
    }
}
