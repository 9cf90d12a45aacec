//! Parses lists.

use super::Parser;
use super::enumeration::Look;
use crate::codec::element::element_size;
use crate::codec::scalar::{ParseScalar, ShortNumber};
use crate::error::Result;
use crate::layout::Text;
use crate::object::{ListMut, ObjectMut};
use crate::syntax::json::lex::Cursor;
use crate::table::{Kind, Row};

/// The number of parsed numbers that are buffered before they are stored.
const BATCH: usize = 32;

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn list<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        if self.cursor.peek() != Some(b'[') {
            return Err(self.mismatch("a list"));
        }
        self.cursor.bump();
        match row.kind {
            Kind::Message | Kind::Group => self.messages(message, row),
            Kind::String | Kind::Bytes => self.elements(message, row),
            _ if row.may_refuse() => self.elements(message, row),
            _ => self.numbers(message, row),
        }
    }

    /// Moves to the next element of the list. Returns false at the end of the list, after skipping the bracket.
    #[inline]
    fn element(&mut self, row: &Row, first: bool) -> Result<bool> {
        // Usually there is no space between the tokens.
        match self.cursor.after_comma() {
            Some(b'0'..=b'9' | b'-' | b'"' | b'{') if !first => {
                self.cursor.bump();
                self.start = self.cursor.position();
                Ok(true)
            }
            _ => self.other_element(row, first),
        }
    }

    #[inline(never)]
    fn other_element(&mut self, row: &Row, first: bool) -> Result<bool> {
        let byte = match self.at_value() {
            Some(b']') => {
                self.cursor.bump();
                return Ok(false);
            }
            byte if first => byte,
            Some(b',') => {
                self.cursor.bump();
                match self.at_value() {
                    Some(b']') => return Err(self.cursor.unexpected("a value")),
                    byte => byte,
                }
            }
            _ => return Err(self.cursor.unexpected("`,` or `]`")),
        };
        if byte == Some(b'n') && !Self::takes_null(row)? {
            return Err(self.mismatch("an element"));
        }
        Ok(true)
    }

    fn messages<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let mut list = message.list(row, &|| 0)?;
        let mut index = 0;
        while self.element(row, index == 0)? {
            let done = list.push_message().and_then(|child| self.message(child));
            if let Err(error) = done {
                return Err(self.locate(error.in_index(index)));
            }
            index += 1;
        }
        list.end();
        Ok(())
    }

    /// Parses strings, byte strings, and numbers that the Rust type may reject, such as enum values. Stores the elements one by
    /// one, not in batches.
    fn elements<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let (size, looks) = (element_size(row), self.looks_at(row));
        let (table, mut index, mut first) = (message.table(), 0, true);
        let (mut list, mut unknown) = (message.list(row, &|| 0)?, Vec::new());
        while self.element(row, first)? {
            first = false;
            if looks {
                match self.look(table, row).map_err(|error| error.in_index(index))? {
                    Look::Deliver => {}
                    Look::Drop => continue,
                    Look::Keep(number) => {
                        unknown.extend(Self::kept_number(row, number)?);
                        continue;
                    }
                }
            }
            if let Err(error) = self.take(size).and_then(|()| self.push(&mut list, row)) {
                return Err(self.locate(error.in_index(index)));
            }
            index += 1;
        }
        list.end();
        if !unknown.is_empty() {
            message.add_unknown(&unknown);
        }
        Ok(())
    }

    #[inline]
    fn push<'t, L: ListMut<'t>>(&mut self, list: &mut L, row: &'t Row) -> Result<()> {
        match row.kind {
            Kind::String => match self.cursor.plain_text() {
                Some(text) => list.push_str(text, self.settings.borrowed),
                None => {
                    let text = self.string(row)?;
                    list.push_str(&text, self.is_borrowed(&text))
                }
            },
            Kind::Bytes => {
                let bytes = self.binary(row)?;
                list.push_text(Text::owned(&bytes))
            }
            _ => {
                let bits = self.scalar(row)?;
                list.push_scalars(&[bits])
            }
        }
    }

    fn numbers<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let size = element_size(row);
        let mut batch = [0; BATCH];
        let (mut index, mut len) = (0, 0);
        let is_empty = self.at_value() == Some(b']');
        let mut list = message.list(row, &|| match is_empty {
            true => 0,
            false => {
                let room = usize::try_from(self.room.memory() / size.max(1)).unwrap_or(usize::MAX);
                self.cursor.count_elements().min(room)
            }
        })?;
        while self.element(row, index == 0)? {
            batch[len] = match self.scalar(row) {
                Ok(bits) => bits,
                Err(error) => return Err(self.locate(error.in_index(index))),
            };
            let more = plain_numbers(&mut self.cursor, row.kind, &mut batch[len + 1..]);
            (index, len) = (index + 1 + more, len + 1 + more);
            if len == BATCH {
                // If storing a batch of numbers fails, the error has the position after the last number.
                self.start = self.cursor.position();
                self.take(size * BATCH as u64)?;
                list.push_scalars(&batch)?;
                len = 0;
            }
        }
        self.take(size * len as u64)?;
        list.push_scalars(&batch[..len])?;
        list.end();
        Ok(())
    }
}

/// Parses more numbers into `into`, as long as each number comes directly after a comma and has its most common form. Returns
/// the number of parsed numbers.
#[inline(never)]
fn plain_numbers(cursor: &mut Cursor<'_>, kind: Kind, into: &mut [u64]) -> usize {
    match kind {
        Kind::Bool => 0,
        Kind::Float | Kind::Double => plain_numbers_by(cursor, into, |cursor| cursor.short_floating(kind)),
        kind => plain_numbers_by(cursor, into, |cursor| cursor.short_bits(kind)),
    }
}

#[inline]
fn plain_numbers_by<'i>(
    cursor: &mut Cursor<'i>,
    into: &mut [u64],
    read: impl Fn(&mut Cursor<'i>) -> Option<u64>,
) -> usize {
    let mut count = 0;
    // The copy of the cursor can stay in registers.
    let mut ahead = *cursor;
    for bits in into {
        if ahead.peek() != Some(b',') {
            break;
        }
        ahead.bump();
        let Some(number) = read(&mut ahead) else { break };
        *bits = number;
        count += 1;
        *cursor = ahead;
    }
    count
}

#[cfg(all(test, feature = "derive"))]
mod tests {
    use crate::{Deserialize, Message, Serialize, json};

    #[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    #[tobu(package = "json.parse.list")]
    struct Lists {
        #[tobu(1)]
        ints: Vec<i32>,
        #[tobu(2)]
        longs: Vec<i64>,
        #[tobu(3)]
        unsigned: Vec<u64>,
        #[tobu(4)]
        floats: Vec<f32>,
        #[tobu(5)]
        doubles: Vec<f64>,
        #[tobu(6)]
        bools: Vec<bool>,
    }

    const NUMBERS: [(&str, &[&str]); 6] = [
        ("ints", &["0", "-1", "2147483647", "-2147483648", "\"7\"", "1e3", "2.0", "-0", "\"\\u0031\""]),
        ("longs", &["\"-9223372036854775808\"", "\"9223372036854775807\"", "5", "-12345678", "1E+2"]),
        ("unsigned", &["\"18446744073709551615\"", "12345678901234567890", "0", "99999999", "3e0"]),
        ("floats", &["0.5", "-1.25", "16777217", "\"NaN\"", "1e-3", "3", "\"-Infinity\"", "-0.0"]),
        (
            "doubles",
            &["0.1", "-2.5e10", "123456789.123456789", "\"Infinity\"", "1", "-0", "0.30000000000000004"],
        ),
        ("bools", &["true", "false"]),
    ];

    /// Returns `count` of the texts, in an order that depends on `seed`.
    fn some<'t>(texts: &[&'t str], count: usize, seed: &mut u64) -> Vec<&'t str> {
        let mut next = || {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) as usize
        };
        // The sequence has runs of one form, and changes from each form to each other form.
        (0..count).map(|index| texts[if index % 7 < 4 { 0 } else { next() % texts.len() }]).collect()
    }

    fn read(field: &str, numbers: &[&str], between: &str) -> crate::Result<Lists> {
        json::from_str(&format!("{{\"{field}\":[{}]}}", numbers.join(between)))
    }

    #[test]
    fn numbers_are_the_same_whatever_is_between_them() {
        let mut seed = 1;
        for (field, texts) in NUMBERS {
            for count in (0..100).chain([1000]) {
                let numbers = some(texts, count, &mut seed);
                let plain = read(field, &numbers, ",").unwrap();
                let spaced = read(field, &numbers, " ,\n").unwrap();
                assert_eq!(format!("{plain:?}"), format!("{spaced:?}"), "{field} {numbers:?}");
                let one_by_one = numbers.iter().map(|number| read(field, &[number], ",").unwrap());
                let all = one_by_one.fold(Lists::default(), |mut all, one| {
                    all.ints.extend(one.ints);
                    all.longs.extend(one.longs);
                    all.unsigned.extend(one.unsigned);
                    all.floats.extend(one.floats);
                    all.doubles.extend(one.doubles);
                    all.bools.extend(one.bools);
                    all
                });
                assert_eq!(format!("{plain:?}"), format!("{all:?}"), "{field} {numbers:?}");
            }
        }
    }

    #[test]
    fn errors_name_the_element() {
        for at in [0, 1, 2, 30, 31, 32, 33, 63, 64, 65, 99] {
            let mut numbers = vec!["12"; 100];
            numbers[at] = "2147483648";
            let column = "{\"ints\":[".len() + 3 * at + 1;
            let error = read("ints", &numbers, ",").unwrap_err().to_string();
            let place = format!("(at line 1 column {column})");
            assert_eq!(
                error,
                format!("json.parse.list.Lists.ints[{at}]: 2147483648 does not fit an int32 {place}")
            );
            numbers[at] = "1_";
            let error = read("ints", &numbers, ",").unwrap_err().to_string();
            let place = format!("(at line 1 column {})", column + 1);
            assert_eq!(
                error,
                format!("json.parse.list.Lists.ints: expected `,` or `]`, but found `_` {place}")
            );
        }
    }
}
