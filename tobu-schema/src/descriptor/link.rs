//! Linking: turns a raw file into tables, with every name declared, resolved and checked.

mod declare;
mod enums;
mod fields;
mod map_entry;
mod messages;
mod ranges;
mod resolve;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::errors::{self, error_at};
use super::names::written;
use super::names::{is_package, printable};
use super::pool::{Batch, Table};
use super::raw::{self, shallow};
use super::tables::{FileTables, Item};
use super::{Edition, Features};
use crate::error::{Error, LimitError, Result};

/// What is done for files of one origin only. Who adds files names it, so that a program that only adds generated ones
/// has no second parser, and no checks of what compilers have checked.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// Makes the error for a file whose bytes are malformed: from them, the error that was met, and the index of the
    /// file.
    pub(super) malformed: fn(&[u8], Error, Option<usize>) -> Error,
    check_enums: fn(&mut Linker<'_, '_, '_>) -> Result<()>,
    check_messages: fn(&mut Linker<'_, '_, '_>) -> Result<()>,
}

impl Origin {
    /// A file that may be anything.
    pub(super) const ANY: Origin = Origin {
        malformed: errors::malformed,
        check_enums: |linker| linker.check_enums(),
        check_messages: |linker| linker.check_messages(),
    };

    /// A file that a generator wrote: names are resolved, and kinds are checked, but not what only disturbs readers of
    /// the schema.
    pub(super) const GENERATED: Origin =
        Origin { malformed: |_, error, _| error, check_enums: |_| Ok(()), check_messages: |_| Ok(()) };
}

/// Links a file whose imports are in the pool; its symbols are declared in the batch during
/// linking.
pub(super) fn link(
    batch: &mut Batch<'_>,
    encoded: &Bytes,
    counts: shallow::Counts,
    origin: Origin,
) -> Result<Arc<FileTables>> {
    let raw = shallow::File::read(encoded).map_err(|error| (origin.malformed)(encoded, error, None))?;
    let name = raw.name.unwrap_or_default();
    // Texts and options are found by 32 bits.
    if encoded.len() > i32::MAX as usize {
        return Err(Error::limit(LimitError::Length(encoded.len() as u64)));
    }
    let edition = edition(&raw).map_err(|text| error_at(name, None, text))?;
    let package = raw.package.unwrap_or_default();
    if !package.is_empty() && !is_package(package) {
        return Err(error_at(
            name,
            None,
            written(format_args!("\"{}\" is not a package name", printable(package))),
        ));
    }
    let mut tables = FileTables::new(name, package, edition, encoded.clone());
    tables.messages.reserve_exact(counts.messages);
    tables.fields.reserve_exact(counts.fields);
    tables.oneofs.reserve_exact(counts.oneofs);
    tables.enums.reserve_exact(counts.enums);
    tables.values.reserve_exact(counts.values);
    tables.services.reserve_exact(counts.services);
    tables.methods.reserve_exact(counts.methods);
    let mut linker = Linker {
        here: batch.next(),
        batch,
        tables,
        fields: Vec::with_capacity(counts.fields),
        methods: Vec::with_capacity(counts.methods),
        reach: Table::default(),
        exporting: Vec::new(),
        option_imports: 0..0,
        packages: None,
        full: String::new(),
        origin,
    };
    linker.declare_file(raw)?;
    linker.resolve_fields()?;
    linker.resolve_methods()?;
    linker.batch.check()?;
    linker.methods = Vec::new();
    linker.sort_values();
    (origin.check_enums)(&mut linker)?;
    linker.batch.check()?;
    linker.finish_fields()?;
    linker.fields = Vec::new();
    linker.finish_messages()?;
    (origin.check_messages)(&mut linker)?;
    linker.batch.check()?;
    linker.declare_extensions()?;
    let mut tables = linker.tables;
    tables.reaches_extensions = tables.fields.iter().any(|field| field.is_extension)
        || tables.reach.iter().any(|file| file.reaches_extensions);
    tables.shrink();
    Ok(Arc::new(tables))
}

/// The state of linking one file.
struct Linker<'a, 'p, 'b> {
    batch: &'a mut Batch<'p>,
    tables: FileTables,
    /// The index that the file will have in the pool.
    here: u32,
    /// The unresolved data of each entry of `tables.fields`.
    fields: Vec<FieldDraft<'b>>,
    /// Input and output of each entry of `tables.methods`.
    methods: Vec<[&'b str; 2]>,
    /// From an index of a file in the pool to its index in `tables.reach`, which stands for an element here.
    reach: Table,
    /// The imports that make other files visible, by their index in the pool.
    exporting: Vec<u32>,
    /// The indexes in `tables.reach` of files that are imported for their options: types in them are not visible.
    option_imports: Range<u32>,
    /// The packages of the files that are visible, sorted; made when it is first asked for.
    packages: Option<Vec<Box<str>>>,
    /// Where full names are put together: that of the element that was declared last.
    full: String,
    origin: Origin,
}

#[derive(Clone, Copy)]
struct FieldDraft<'b> {
    type_number: Option<i32>,
    type_name: Option<&'b str>,
    extendee: Option<&'b str>,
    default: Option<&'b str>,
    label: Option<i32>,
}

impl Linker<'_, '_, '_> {
    /// An error about an element that has its entry.
    #[cold]
    fn fail(&self, item: Item, text: impl fmt::Display) -> Error {
        error_at(self.tables.name(), Some(self.tables.full_name(item)), text)
    }

    /// An error about the element that was declared last, or about the file while there is none.
    #[cold]
    fn fail_here(&self, text: impl fmt::Display) -> Error {
        error_at(self.tables.name(), Some(&*self.full).filter(|full| !full.is_empty()), text)
    }

    /// An error about bytes that are no message, or nested too deep.
    #[cold]
    fn malformed(&self, error: Error) -> Error {
        (self.origin.malformed)(&self.tables.encoded, error, None)
    }

    /// The features of the element that was declared last, from those of its parent and its own options.
    fn features(&self, inherited: Features, options: &[u8], number: u32) -> Result<Features> {
        if options.is_empty() {
            return Ok(inherited);
        }
        if !self.tables.edition.has_features() {
            if raw::options::messages(options, number).next().is_some() {
                return Err(self.fail_here("features are only valid from edition 2023 on"));
            }
            return Ok(inherited);
        }
        inherited.inherit(options, number).map_err(|text| self.fail_here(text))
    }
}

fn edition(raw: &shallow::File<'_>) -> Result<Edition, String> {
    match raw.syntax {
        None | Some("" | "proto2") => Ok(Edition::Proto2),
        Some("proto3") => Ok(Edition::Proto3),
        Some("editions") => match raw.edition.and_then(Edition::from_number) {
            Some(edition) if edition.has_features() => Ok(edition),
            _ => Err(written(format_args!("edition {} is not supported", raw.edition.unwrap_or_default()))),
        },
        Some(syntax) => Err(written(format_args!("syntax \"{}\" does not exist", printable(syntax)))),
    }
}
