//! Linking: turns a raw file into tables, with every name declared, resolved and checked.

mod declare;
mod enums;
mod fields;
mod map_entry;
mod messages;
mod ranges;
mod resolve;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

pub(super) use resolve::VISIBLE_BUDGET;

use super::names::printable;
use super::pool::{Batch, PoolTables};
use super::raw::{self, Options};
use super::tables::{FileTables, Name};
use super::{Edition, Features};
use crate::error::{Error, Result};

/// Links a file whose imports are in the pool; its symbols are declared in the pool as it goes.
///
/// On an error the pool is left with the symbols declared so far: undoing that is the caller's, who knows the batch.
pub(super) fn link(
    pool: &mut PoolTables,
    batch: &mut Batch,
    raw: raw::FileDescriptorProto<'_>,
    encoded: Bytes,
) -> Result<Arc<FileTables>> {
    let name = raw.name.as_deref().unwrap_or_default();
    let edition = edition(&raw).map_err(|text| error_at(name, None, text))?;
    let here = pool.files.len() as u32;
    let tables = FileTables::new(name.into(), edition, encoded);
    let mut linker = Linker {
        pool,
        batch,
        tables,
        here,
        fields: Vec::new(),
        methods: Vec::new(),
        reach: HashMap::new(),
        visible: None,
        full: String::new(),
    };
    linker.declare_file(raw)?;
    linker.resolve_fields()?;
    linker.resolve_methods()?;
    linker.finish_enums()?;
    linker.finish_fields()?;
    linker.finish_messages()?;
    linker.declare_extensions()?;
    Ok(Arc::new(linker.tables))
}

/// An error about a symbol of a file: `library.proto: library.v1.Book.title: field number 0 is not valid`.
#[cold]
pub(super) fn error_at(file: &str, symbol: Option<&str>, text: impl fmt::Display) -> Error {
    let file = printable(file);
    match symbol {
        Some(symbol) => Error::schema(format!("{file}: {}: {text}", printable(symbol))),
        None => Error::schema(format!("{file}: {text}")),
    }
}

/// The state of linking one file.
struct Linker<'a, 'b> {
    pool: &'a mut PoolTables,
    batch: &'a mut Batch,
    tables: FileTables,
    /// The index that the file will have in the pool.
    here: u32,
    /// What is not resolved yet of each entry of `tables.fields`.
    fields: Vec<FieldDraft<'b>>,
    /// Input and output of each entry of `tables.methods`.
    methods: Vec<[Option<Cow<'b, str>>; 2]>,
    /// From an index of a file in the pool to its index in `tables.reach`.
    reach: HashMap<u32, u32>,
    /// The files whose names may be used: imports and what they import publicly; made when first needed.
    visible: Option<HashSet<*const FileTables>>,
    /// Where full names are put together.
    full: String,
}

struct FieldDraft<'b> {
    type_number: Option<i32>,
    type_name: Option<Cow<'b, str>>,
    extendee: Option<Cow<'b, str>>,
    default: Option<Cow<'b, str>>,
    label: Option<i32>,
}

impl Linker<'_, '_> {
    #[cold]
    fn fail(&self, symbol: &Name, text: impl fmt::Display) -> Error {
        error_at(&self.tables.name, Some(&symbol.full), text)
    }

    /// The features of an element, from those of what it stands in and its own options.
    fn features(&self, inherited: Features, options: &[u8], number: u32, name: &Name) -> Result<Features> {
        if options.is_empty() {
            return Ok(inherited);
        }
        if !self.tables.edition.has_features() {
            if raw::options::messages(options, number).next().is_some() {
                return Err(self.fail(name, "features are only valid from edition 2023 on"));
            }
            return Ok(inherited);
        }
        inherited.inherit(options, number).map_err(|text| self.fail(name, text))
    }
}

/// The bytes of options, none where there are none.
fn encoded(options: Option<Options>) -> Bytes {
    options.map_or_else(Bytes::new, |options| options.into_encoded().into())
}

fn edition(raw: &raw::FileDescriptorProto<'_>) -> Result<Edition, String> {
    match raw.syntax.as_deref() {
        None | Some("" | "proto2") => Ok(Edition::Proto2),
        Some("proto3") => Ok(Edition::Proto3),
        Some("editions") => match raw.edition.and_then(Edition::from_number) {
            Some(edition) if edition.has_features() => Ok(edition),
            _ => Err(format!("edition {} is not supported", raw.edition.unwrap_or_default())),
        },
        Some(syntax) => Err(format!("syntax \"{}\" does not exist", printable(syntax))),
    }
}
