//! What a linked file holds: flat tables that refer to each other by index, immutable once linked.

use std::any::Any;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;
use once_cell::sync::OnceCell;

use super::{Comments, DefaultValue, Edition, Features, Type};

/// A linked file. Messages, enums and extensions of one scope stand next to each other in their tables.
pub(super) struct FileTables {
    pub(super) name: Arc<str>,
    pub(super) package: Arc<str>,
    pub(super) edition: Edition,
    pub(super) features: Features,
    pub(super) encoded: Bytes,
    pub(super) options: Bytes,
    pub(super) imports: Vec<Import>,
    /// Every other file that this one refers to: imports first, then those that types come from through public
    /// imports.
    pub(super) reach: Vec<Arc<FileTables>>,
    pub(super) messages: Vec<MessageEntry>,
    pub(super) top_messages: Span,
    pub(super) fields: Vec<FieldEntry>,
    pub(super) top_extensions: Span,
    pub(super) oneofs: Vec<OneofEntry>,
    pub(super) enums: Vec<EnumEntry>,
    pub(super) top_enums: Span,
    pub(super) values: Vec<ValueEntry>,
    pub(super) services: Vec<ServiceEntry>,
    pub(super) methods: Vec<MethodEntry>,
    pub(super) comments: OnceCell<HashMap<Box<[i32]>, Comments>>,
}

impl Drop for FileTables {
    /// Drops a chain of imports in a loop: recursion would overflow the stack on a long one.
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.reach);
        while let Some(file) = pending.pop() {
            if let Some(mut tables) = Arc::into_inner(file) {
                pending.append(&mut tables.reach);
            }
        }
    }
}

/// How a file is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportKind {
    Plain,
    Public,
    Weak,
    /// For its options only; it need not be there.
    Option,
}

pub(super) struct Import {
    pub(super) kind: ImportKind,
    /// Index into `reach`; none for a file that is imported for its options and is not there.
    pub(super) file: Option<u32>,
}

/// A run of entries in one of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    pub(super) fn range(self) -> Range<u32> {
        self.start..self.end
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(super) fn of<T>(self, table: &[T]) -> &[T] {
        &table[self.start as usize..self.end as usize]
    }

    /// The index in the table of the `i`-th entry.
    pub(super) fn get(self, i: usize) -> Option<u32> {
        if i < self.len() { Some(self.start + i as u32) } else { None }
    }
}

/// A message or an enum, of this file or of one in reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeRef {
    /// 0 for this file, otherwise 1 more than the index into `reach`.
    pub(super) file: u32,
    pub(super) index: u32,
}

/// A full name, shared with the symbol table, and where its last part starts.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) full: Arc<str>,
    pub(super) last: u32,
}

impl Name {
    pub(super) fn new(full: Arc<str>) -> Self {
        let last = full.rfind('.').map_or(0, |dot| dot + 1) as u32;
        Name { full, last }
    }

    pub(super) fn last(&self) -> &str {
        &self.full[self.last as usize..]
    }
}

pub(super) struct MessageEntry {
    pub(super) name: Name,
    pub(super) parent: Option<u32>,
    pub(super) fields: Span,
    pub(super) oneofs: Span,
    /// How many of the oneofs are real; the synthetic ones come last.
    pub(super) real_oneofs: u32,
    pub(super) messages: Span,
    pub(super) enums: Span,
    pub(super) extensions: Span,
    pub(super) extension_ranges: Box<[Range<u32>]>,
    pub(super) reserved_ranges: Box<[Range<u32>]>,
    pub(super) reserved_names: Box<[Box<str>]>,
    pub(super) options: Bytes,
    pub(super) features: Features,
    pub(super) is_map_entry: bool,
    pub(super) is_message_set: bool,
    pub(super) allows_json_conflicts: bool,
    pub(super) is_deprecated: bool,
    /// Field indexes in the order of their numbers, names and JSON names.
    pub(super) by_number: Box<[u32]>,
    pub(super) by_name: Box<[u32]>,
    pub(super) by_json_name: Box<[u32]>,
    pub(super) cache: OnceCell<Box<dyn Any + Send + Sync>>,
}

/// How often a field may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// At most once.
    Optional,
    /// Exactly once.
    Required,
    /// Any number of times: a list or a map.
    Repeated,
}

pub(super) struct FieldEntry {
    pub(super) name: Name,
    pub(super) json_name: Box<str>,
    pub(super) number: u32,
    pub(super) ty: Type,
    pub(super) cardinality: Cardinality,
    /// The message or enum that `ty` names.
    pub(super) target: TypeRef,
    /// The message that the field belongs to; of an extension, the one it extends.
    pub(super) parent: TypeRef,
    pub(super) is_extension: bool,
    /// The message that an extension is declared in.
    pub(super) scope: Option<u32>,
    /// Index into the file's oneofs, synthetic ones included.
    pub(super) oneof: Option<u32>,
    pub(super) is_proto3_optional: bool,
    pub(super) has_presence: bool,
    pub(super) is_packed: bool,
    pub(super) is_delimited: bool,
    pub(super) validates_utf8: bool,
    pub(super) is_map: bool,
    pub(super) is_deprecated: bool,
    pub(super) debug_redact: bool,
    pub(super) default: Option<DefaultValue>,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

pub(super) struct OneofEntry {
    pub(super) name: Name,
    pub(super) message: u32,
    /// Indexes into the file's fields.
    pub(super) fields: Vec<u32>,
    pub(super) is_synthetic: bool,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

pub(super) struct EnumEntry {
    pub(super) name: Name,
    pub(super) parent: Option<u32>,
    pub(super) values: Span,
    /// Value indexes in the order of their numbers (the first of each only) and names.
    pub(super) by_number: Box<[u32]>,
    pub(super) by_name: Box<[u32]>,
    pub(super) allow_alias: bool,
    pub(super) is_deprecated: bool,
    pub(super) reserved_ranges: Box<[RangeInclusive<i32>]>,
    pub(super) reserved_names: Box<[Box<str>]>,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

pub(super) struct ValueEntry {
    pub(super) name: Name,
    pub(super) parent: u32,
    pub(super) number: i32,
    pub(super) is_deprecated: bool,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

pub(super) struct ServiceEntry {
    pub(super) name: Name,
    pub(super) methods: Span,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

pub(super) struct MethodEntry {
    pub(super) name: Name,
    pub(super) service: u32,
    pub(super) input: TypeRef,
    pub(super) output: TypeRef,
    pub(super) is_client_streaming: bool,
    pub(super) is_server_streaming: bool,
    pub(super) features: Features,
    pub(super) options: Bytes,
}

impl FileTables {
    /// A file with nothing in it.
    pub(super) fn new(name: Arc<str>, edition: Edition, encoded: Bytes) -> Self {
        FileTables {
            name,
            package: Arc::default(),
            edition,
            features: Features::of_edition(edition),
            encoded,
            options: Bytes::new(),
            imports: Vec::new(),
            reach: Vec::new(),
            messages: Vec::new(),
            top_messages: Span::default(),
            fields: Vec::new(),
            top_extensions: Span::default(),
            oneofs: Vec::new(),
            enums: Vec::new(),
            top_enums: Span::default(),
            values: Vec::new(),
            services: Vec::new(),
            methods: Vec::new(),
            comments: OnceCell::new(),
        }
    }

    /// The tables that a reference points into.
    pub(super) fn target(&self, target: TypeRef) -> &FileTables {
        match target.file.checked_sub(1) {
            None => self,
            Some(i) => &self.reach[i as usize],
        }
    }

    pub(super) fn target_message(&self, target: TypeRef) -> &MessageEntry {
        &self.target(target).messages[target.index as usize]
    }

    pub(super) fn target_enum(&self, target: TypeRef) -> &EnumEntry {
        &self.target(target).enums[target.index as usize]
    }
}
