//! Finds the required field that a message lacks. If the message occurs several times in the input, only all occurrences
//! together show whether a field is missing.
//!
//! The decoder starts the search only if an occurrence lacked a required field. The search collects the fields of all
//! occurrences, and visits them in the order of the struct's members. It reads each byte once for each level of nesting.

use super::error::key_in_words;
use super::map;
use crate::error::{Error, Result};
use crate::layout::{MemberShape, MessageShape, Role};
use crate::sort::sort_by_key;
use crate::table::{Kind, Location, Presence, Row, Shape, Table};
use crate::wire::Reader;

struct Occurrence<'t, 'i> {
    member: usize,
    row: &'t Row,
    /// A reader from the start of the value to the end of the field.
    value: Reader<'i>,
}

/// Checks a message that was decoded from `input`.
///
/// # Errors
/// A required field is missing.
pub(super) fn check(input: &[u8], table: &Table, depth: u32) -> Result<()> {
    match missing(vec![Reader::new(input)], None, table, depth.saturating_sub(1)) {
        // An error in the outermost message has no position.
        Err(error) if error.path().next().is_none() => Err(error.nowhere()),
        checked => checked,
    }
}

/// Checks a message whose occurrences are `pieces`. The last occurrence ends at `end` in the input.
fn missing(pieces: Vec<Reader<'_>>, end: Option<usize>, table: &Table, depth: u32) -> Result<()> {
    let mut occurrences = Vec::new();
    for mut reader in pieces {
        while !reader.is_empty() {
            let tag = reader.tag()?;
            let mut value = reader;
            reader.skip(tag, depth)?;
            value.replace(&value.rest()[..value.rest().len() - reader.rest().len()]);
            // A field that the table omits still clears the other fields of its oneof.
            let row = table.row(tag.number()).or_else(|| table.left_out(tag.number()));
            let Some(row) = row.filter(|row| row.takes_value(tag, value)) else { continue };
            occurrences.push(Occurrence { member: member(table, row), row, value });
        }
    }
    sort_by_key(&mut occurrences, |occurrence| occurrence.member);
    let mut start = 0;
    while let Some(first) = occurrences.get(start) {
        let mut end = start + 1;
        while occurrences.get(end).is_some_and(|other| other.member == first.member) {
            end += 1;
        }
        let all = &occurrences[start..end];
        start = end;
        let last = &all[all.len() - 1];
        let row = last.row;
        if table.numbers.get(row.number).is_none() {
            continue;
        }
        // A field of a oneof clears earlier fields of the oneof.
        let other = all.iter().rposition(|occurrence| occurrence.row.number != row.number);
        let all = &all[other.map_or(0, |other| other + 1)..];
        let checked = match row.shape {
            Shape::Map if row.map().value.is_message() => entries(all, row, depth),
            Shape::List if row.is_message() => elements(all, row, depth),
            Shape::Singular if row.is_message() => {
                let end = last.value.position() + last.value.rest().len();
                let mut pieces = Vec::with_capacity(all.len());
                for one in all {
                    pieces.push(content(one.value, one.row, depth)?);
                }
                below(pieces, Some(end), row.message()?, depth)
            }
            _ => continue,
        };
        checked.map_err(|error| error.in_field(&row.name))?;
    }
    let mut missing: Option<(usize, &Row)> = None;
    for row in &table.rows {
        if row.presence == Presence::Required
            && !occurrences.iter().any(|one| one.row.number == row.number)
            && missing.is_none_or(|(first, _)| member(table, row) < first)
        {
            missing = Some((member(table, row), row));
        }
    }
    match missing {
        Some((_, row)) => {
            let error = Error::required(&row.name);
            Err(match end {
                Some(end) => error.at_byte(end),
                None => error,
            })
        }
        None => Ok(()),
    }
}

/// Checks a nested message whose occurrences are `pieces`. Returns `Ok` if the message is nested too deep.
fn below(pieces: Vec<Reader<'_>>, end: Option<usize>, table: &Table, depth: u32) -> Result<()> {
    match depth {
        0 => Ok(()),
        _ => missing(pieces, end, table, depth - 1),
    }
}

fn elements(all: &[Occurrence<'_, '_>], row: &Row, depth: u32) -> Result<()> {
    for (index, one) in all.iter().enumerate() {
        let end = one.value.position() + one.value.rest().len();
        let element = content(one.value, row, depth)?;
        below(vec![element], Some(end), row.message()?, depth).map_err(|error| error.in_index(index))?;
    }
    Ok(())
}

fn entries(all: &[Occurrence<'_, '_>], row: &Row, depth: u32) -> Result<()> {
    let rows = row.map();
    for one in all {
        let entry = { one.value }.len_prefixed()?;
        let (key, values) = map::values(one.value.within(entry), depth, rows)?;
        let mut end = None;
        let mut pieces = Vec::new();
        for value in values {
            let mut value = one.value.within(value);
            let piece = value.len_prefixed()?;
            end = Some(value.position());
            pieces.push(value.within(piece));
        }
        let checked = below(pieces, end, rows.value.message()?, depth);
        checked.map_err(|error| error.in_key(key_in_words(key, &rows.key)))?;
    }
    Ok(())
}

/// Returns a reader of the content of a message field.
fn content<'i>(mut value: Reader<'i>, row: &Row, depth: u32) -> Result<Reader<'i>> {
    let content = match row.kind {
        Kind::Group => value.group(row.number, depth + 1)?,
        _ => value.len_prefixed()?,
    };
    Ok(value.within(content))
}

/// Returns the index of the member that holds the field `row`. All fields of a oneof are in one member. If the message has no
/// Rust type, returns the index of the row.
fn member(table: &Table, row: &Row) -> usize {
    let (Location::Member { offset, .. } | Location::Variant { offset, .. }) = row.location else {
        return usize::from(row.index);
    };
    let here = |shape: &MessageShape, member: &MemberShape| {
        member.offset == offset
            && match member.role {
                Role::Field(_) if member.number == 0 => shape.proto_name(member) == &*row.name,
                Role::Field(_) => member.number == row.number,
                Role::Oneof(_) => matches!(row.location, Location::Variant { .. }),
                Role::Unknown => false,
            }
    };
    let position = |shape: &MessageShape| shape.members.iter().position(|member| here(shape, member));
    table.shape.and_then(position).unwrap_or(usize::from(row.index))
}
