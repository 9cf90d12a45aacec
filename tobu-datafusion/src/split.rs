//! Parts of files that begin and end between messages.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// A part of a file, from one message border to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file.
    pub path: PathBuf,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// The most bytes that are passed over by reading them.
const BUFFER: usize = 1 << 20;

/// Splits a file of messages that each follow their length, as a varint, into parts of at least so many bytes.
///
/// The lengths of all messages are read, and nothing of the messages. Where a length cannot be read, or its message is not there
/// as a whole, the rest of the file is in the last part, whose reader reports the error.
///
/// # Errors
/// Reading the file fails.
pub fn split(path: &Path, least: u64) -> io::Result<Vec<Part>> {
    let file = File::open(path)?;
    let end = file.metadata()?.len();
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    let part = |start, end| Part { path: path.to_owned(), start, end };
    if end > least {
        let mut reader = BufReader::with_capacity(BUFFER, file);
        while at < end {
            if at - start >= least {
                parts.push(part(start, at));
                start = at;
            }
            let Some((width, length)) = length(&mut reader)? else { break };
            let next = at.saturating_add(width).saturating_add(length);
            if next > end || i64::try_from(length).is_err() {
                break;
            }
            reader.seek_relative(length as i64)?;
            at = next;
        }
    }
    if start < end {
        parts.push(part(start, end));
    }
    Ok(parts)
}

/// A length, and how many bytes it has; `None` if it is none.
fn length(reader: &mut impl BufRead) -> io::Result<Option<(u64, u64)>> {
    let mut length = 0u64;
    for index in 0..10 {
        let byte = match reader.fill_buf() {
            Ok([]) => return Ok(None),
            Ok([byte, ..]) => *byte,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        reader.consume(1);
        length |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok(Some((index + 1, length)));
        }
    }
    Ok(None)
}
