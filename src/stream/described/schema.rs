//! The types of a stream: the types that a writer declared, and the types that a reader knows.

use super::Options;
use super::entry::Type;
use crate::descriptor::raw::Options as Fields;
use crate::descriptor::{Excerpts, MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::wire::{Reader, WireType};
use std::collections::HashMap;

/// The content of a schema block is a message with two fields: files, and names of types.
const FILE: u32 = 1;
const TYPE: u32 = 2;

/// The types of a stream that is being written.
#[derive(Default)]
pub(super) struct Declared {
    excerpts: Excerpts,
    /// The pool that a reader of the stream will have.
    pool: Pool,
    types: HashMap<MessageDescriptor, u32>,
    by_name: HashMap<String, u32>,
    last: Option<(MessageDescriptor, u32)>,
    size: u64,
    /// The content of the next schema block. `pending_types` is the number of types in this content.
    pub(super) pending: Vec<u8>,
    pub(super) pending_types: u32,
}

impl Declared {
    pub(super) fn count(&self) -> u32 {
        self.by_name.len() as u32
    }

    /// Returns the index of a type. If the type is new, first declares it.
    #[inline]
    pub(super) fn index(&mut self, message: &MessageDescriptor, options: &Options) -> Result<u32> {
        match &self.last {
            Some((last, index)) if last == message => Ok(*index),
            _ => self.find(message, options),
        }
    }

    fn find(&mut self, message: &MessageDescriptor, options: &Options) -> Result<u32> {
        let index = match self.types.get(message) {
            Some(index) => *index,
            None => self.declare(message, options)?,
        };
        self.last = Some((message.clone(), index));
        Ok(index)
    }

    #[cold]
    fn declare(&mut self, message: &MessageDescriptor, options: &Options) -> Result<u32> {
        let delta = self.excerpts.add(std::slice::from_ref(message))?;
        let known = self.by_name.get(message.full_name()).copied();
        let index = known.unwrap_or(self.count());
        options.check_types(u64::from(index) + 1)?;
        let (mut set, mut name) = (Fields::default(), Fields::default());
        delta.files.iter().for_each(|file| set.push_bytes(FILE, file));
        if known.is_none() {
            name.push_bytes(TYPE, message.full_name().as_bytes());
        }
        let size = self.size + (set.encoded().len() + name.encoded().len()) as u64;
        options.check_schema(size)?;
        self.pool.add_descriptor_set(set.encoded())?;
        // In the pool's order, imports precede the files that import them.
        let mut content = Fields::default();
        let files = self.pool.last_files(delta.files.len());
        files.iter().for_each(|file| content.push_bytes(FILE, file.encoded()));
        content.extend(name.encoded());
        self.size = size;
        self.pending.extend_from_slice(content.encoded());
        self.pending_types += u32::from(known.is_none());
        self.excerpts.commit(delta);
        self.by_name.insert(message.full_name().to_owned(), index);
        self.types.insert(message.clone(), index);
        Ok(index)
    }
}

/// The types of a stream that is being read.
#[derive(Default)]
pub(super) struct Known {
    pub(super) pool: Pool,
    /// The types by their index. A type is `None` if its block was skipped.
    pub(super) types: Vec<Option<Type>>,
    size: u64,
}

impl Known {
    /// Adds the types of a schema block. `first` is the index of its first type, which is at least the number of known
    /// types.
    pub(super) fn add(&mut self, first: u64, count: u32, content: &[u8], options: &Options) -> Result<()> {
        options.check_types(first.saturating_add(u64::from(count)))?;
        let size = self.size + content.len() as u64;
        options.check_schema(size)?;
        let mut names = Vec::new();
        let mut reader = Reader::new(content);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            match (tag.number(), tag.wire_type()) {
                (TYPE, WireType::Len) => names.push(reader.string()?),
                _ => reader.skip(tag, options.decode.max_depth())?,
            }
        }
        if names.len() as u64 != u64::from(count) {
            let text = format!("a schema block has {} types, not {count}", names.len());
            return Err(Error::schema(text));
        }
        // The content is a descriptor set of the files. The names of the types are unknown fields of this descriptor
        // set.
        self.pool.add_descriptor_set(content)?;
        let mut types = Vec::with_capacity(names.len());
        for name in names {
            let Some(message) = self.pool.message(name) else {
                return Err(Error::schema(format!("a schema block names {name:?}, but does not have it")));
            };
            types.push(Some(Type::new(message)));
        }
        while (self.types.len() as u64) < first {
            self.types.push(None);
        }
        self.types.append(&mut types);
        self.size = size;
        Ok(())
    }
}
