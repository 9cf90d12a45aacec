//! Compares the schemas that Rust types declare in attributes with their descriptors, for tests of generated code.

use super::build::build;
use super::stated::stated;
use super::{EnumTable, Row, Sub, Table};
use crate::error::Result;
use crate::layout::{EnumShape, MessageShape};

/// Lists the differences between two tables of a type: the table that is built from the attributes, and the table that is built
/// from the descriptor. Does this for the type and for all types that its members contain. The file of the type must be
/// registered. Calls `saw` with the full name of each type that declares its schema in attributes.
///
/// # Errors
/// A type does not fit its descriptor.
pub(crate) fn stated_differences(
    shape: &'static MessageShape,
    saw: &mut dyn FnMut(&'static str),
) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    let (mut seen, mut open) = (Vec::new(), vec![shape]);
    while let Some(shape) = open.pop() {
        if seen.contains(&std::ptr::from_ref(shape.cells())) {
            continue;
        }
        seen.push(std::ptr::from_ref(shape.cells()));
        // A type of another crate may have no attributes for its schema. Its table is built from its descriptor.
        if let (Some(full_name), Ok(descriptor)) = (shape.stated_name(), shape.descriptor()) {
            saw(full_name);
            let (stated, described) =
                (stated(shape, full_name)?, build(descriptor, Some(shape), Vec::new())?);
            compare(&stated, &described, &mut differences);
        }
        for member in shape.members {
            for storage in member.storages() {
                open.extend(storage.message());
                if let Some(shape) = storage.enumeration() {
                    compare_enums(shape, saw, &mut differences);
                }
            }
        }
    }
    Ok(differences)
}

fn compare(stated: &Table, described: &Table, differences: &mut Vec<String>) {
    let table = |table: &Table| {
        let mut all = vec![format!(
            "{} {:?} {} {} {:?}",
            table.full_name, table.unknown, table.extendable, table.message_set, table.oneofs
        )];
        for row in &table.rows {
            all.push(self::row(row));
        }
        all
    };
    let (ours, theirs) = (table(stated), table(described));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        if ours != theirs {
            differences.push(format!("stated {ours}, described {theirs}"));
        }
    }
    if ours.len() != theirs.len() {
        differences.push(format!("{}: {} and {} rows", stated.full_name, ours.len(), theirs.len()));
    }
}

/// Returns all parts of a row as text, except for those that only a table built from a descriptor has.
fn row(row: &Row) -> String {
    let mut out = String::new();
    if let Sub::Map(rows) = &row.sub {
        out = format!("{} {}", self::row(&rows.key), self::row(&rows.value));
    }
    if let Sub::Message(link) = &row.sub {
        out = link.descriptor().full_name().to_owned();
    }
    let mut row = row.without_descriptor();
    if !matches!(row.sub, Sub::Enum(_)) {
        row.sub = Sub::None;
    }
    format!("{out} {row:?}")
}

fn compare_enums(
    shape: &'static EnumShape,
    saw: &mut dyn FnMut(&'static str),
    differences: &mut Vec<String>,
) {
    if let (Some(full_name), Ok(descriptor)) = (shape.stated_name(), shape.descriptor()) {
        saw(full_name);
        let stated = EnumTable::stated(shape, full_name, shape.numbers).facts();
        let described = EnumTable::new(descriptor, Some(shape)).facts();
        if stated != described {
            differences.push(format!("stated {stated}, described {described}"));
        }
    }
}
