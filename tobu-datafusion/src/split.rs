//! Splits files into parts that begin and end between messages.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// A part of a file. It begins and ends between messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The path of the file.
    pub path: PathBuf,
    /// The position of the first byte of the part in the file.
    pub start: u64,
    /// The position after the last byte of the part.
    pub end: u64,
}

/// The size of the reader's buffer. The reader needs no seek to skip a message whose end is already in the buffer.
const BUFFER: usize = 1 << 20;

/// Splits a file of messages, each with a varint as its length prefix, into parts of at least `least` bytes. The last part can
/// be shorter.
///
/// If the file is longer than `least`, the function reads the length of each message and skips the message. If a length is
/// invalid or a message is incomplete, the last part contains the rest of the file, so that the reader of this part reports the
/// error.
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

/// Reads a length. Returns the number of its bytes, and the length; `None` if the input has no valid length here.
fn length(reader: &mut impl BufRead) -> io::Result<Option<(u64, u64)>> {
    let mut length = 0u64;
    for index in 0..10 {
        let byte = loop {
            match reader.fill_buf() {
                Ok([]) => return Ok(None),
                Ok([byte, ..]) => break *byte,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        reader.consume(1);
        length |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok(Some((index + 1, length)));
        }
    }
    Ok(None)
}
