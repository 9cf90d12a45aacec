//! Prints messages that are stored as encoded bytes inside another message: the content of an `Any`, and extensions, which are
//! among the unknown fields.

use super::Json;
use super::well_known::str_of;
use crate::codec::content::message_named;
use crate::descriptor::{MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::object::arena::content::ArenaContent;
use crate::object::arena::words::max_cells;
use crate::object::wire::WireState;
use crate::object::{Field, Object};
use crate::syntax::well_known::quoted;
use crate::table::{Table, Tabled, WellKnown, pool_extension_table};
use crate::wire::message_set;
use bytes::Bytes;

/// The kind of the encoded bytes inside a message.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Content,
    Extensions,
}

impl Json<'_> {
    #[inline(never)]
    pub(super) fn any<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        let (mut url, mut content): (&str, &[u8]) = ("", &[]);
        message.rows(&mut |row, value| {
            match (row.number, value) {
                (1, Some(Field::Text(text))) => {
                    url = str_of(row, text).map_err(|error| error.in_field(&row.name))?;
                }
                (2, Some(Field::Text(bytes))) => content = bytes,
                _ => {}
            }
            Ok(())
        })?;
        if url.is_empty() && content.is_empty() {
            self.out.raw(b"{}");
            return Ok(());
        }
        let descriptor = self.resolve(url)?;
        let object = self.out.open();
        self.out.member(b",\"@type\":");
        self.out.string(url);
        self.part(Part::Content, descriptor.table()?, content)?;
        self.out.close(object, *b"{}");
        Ok(())
    }

    /// Prints the unknown fields that are extensions in the pool. Skips all other unknown fields, because they have no names.
    #[inline(never)]
    pub(super) fn extensions(&mut self, table: &Table, fields: &[u8]) -> Result<()> {
        let global;
        let pool = match &self.options.pool {
            Some(pool) => pool,
            None => {
                global = Pool::global();
                &global
            }
        };
        let Some(extensions) = pool_extension_table(pool, &table.full_name)? else { return Ok(()) };
        if !table.message_set {
            return self.part(Part::Extensions, &extensions, fields);
        }
        let (items, _) = message_set::items_to_fields(fields).map_err(|error| self.of_content(error))?;
        self.part(Part::Extensions, &extensions, &items)
    }

    /// Prints the encoded bytes with a view, which reads them without decoding. If this fails, for example because the bytes
    /// are not in the usual form that encoders write, decodes them into an arena, and prints the arena. But if the outer
    /// message is itself printed from a view, returns the error.
    fn part(&mut self, part: Part, table: &Table, bytes: &[u8]) -> Result<()> {
        let (limits, depth, in_view) = (self.options.limits, self.depth, self.in_view);
        // Extensions are members of the outer message, whose level of nesting is already counted.
        let inner = depth + u32::from(part == Part::Extensions);
        // If the outer message was decoded, its fields are printed in the order of their numbers, so the fields of this part
        // must have this order, too. If the outer message is a view, the fields may be in the order of the input.
        let ordered = self.options.deterministic || self.options.emit_defaults || !in_view;
        let state = WireState::new(max_cells(limits, bytes.len()), ordered, false);
        let before = self.out.checkpoint();
        self.in_view = true;
        let printed = state.message(table, bytes, inner).and_then(|message| self.members_of(part, message));
        self.in_view = in_view;
        if printed.is_ok() || in_view {
            return printed;
        }
        self.out.rewind(before);
        self.depth = depth;
        let bytes = self.shared(bytes);
        let outer = self.input.replace(bytes.clone());
        let decoded = ArenaContent::decode(table, bytes, limits, inner, self.options.partial)
            .map_err(|error| self.of_content(error))?;
        self.members_of(part, decoded.message(table))?;
        self.input = outer;
        Ok(())
    }

    /// Prints the members of the message that was stored as bytes. If the message has a special JSON form, prints this form as
    /// the member `value`.
    #[inline(never)]
    fn members_of<'a, M: Object<'a>>(&mut self, part: Part, message: M) -> Result<()> {
        if part == Part::Extensions {
            return self.members(message);
        }
        if message.table().known != WellKnown::No {
            self.out.member(b",\"value\":");
            return self.message(message);
        }
        self.enter()?;
        self.members(message)?;
        self.leave();
        Ok(())
    }

    /// Changes an error of decoding the bytes inside a message into an error of the outer message, without a position.
    #[cold]
    fn of_content(&self, error: Error) -> Error {
        error.nowhere().of_max_depth(self.options.limits.max_depth()).within_message(self.root)
    }

    /// Returns `bytes` as a shared slice of `self.input` if they lie in `self.input`, and as a copy otherwise. If the bytes
    /// were not shared, each level of nested `Any` values would copy its content.
    fn shared(&self, bytes: &[u8]) -> Bytes {
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

    /// Returns the message type that a type URL names after its last slash.
    fn resolve(&self, url: &str) -> Result<MessageDescriptor> {
        let Some(name) = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty()) else {
            let url = quoted(url);
            return Err(Error::ty(format!("the type URL {url} has no name of a type after a slash")));
        };
        message_named(self.options.pool.as_ref(), name).ok_or_else(|| {
            let name = quoted(name);
            Error::schema(format!("an Any contains a message named {name}, which the pool does not have"))
        })
    }
}
