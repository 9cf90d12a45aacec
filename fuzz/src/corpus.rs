//! The inputs that are kept in `seeds/`: a file of a target each, a line of hexadecimal digits an input.
//!
//! `fuzz/minimize` makes them: of the inputs of generators and libFuzzer, the fewest that reach the same code, the
//! smallest of these first, up to [`MOST`] bytes.

use crate::Target;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of a target's inputs that are kept.
const MOST: usize = 5000;

fn path(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target.name)
}

/// The inputs of a target; none if there is no file.
///
/// # Panics
/// When a line is not a number of bytes.
pub fn read(target: &Target) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(path(target)).unwrap_or_default();
    text.lines().map(|line| from_hex(line).expect("two digits a byte")).collect()
}

/// Writes inputs into files of a directory, as libFuzzer takes them.
///
/// # Errors
/// An error of the file system.
pub fn unpack(inputs: &[Vec<u8>], directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (index, input) in inputs.iter().enumerate() {
        std::fs::write(directory.join(format!("{index:05}")), input)?;
    }
    Ok(())
}

/// Keeps the files of a directory as the inputs of a target.
///
/// # Errors
/// As [`unpack`].
pub fn pack(target: &Target, directory: &Path) -> io::Result<()> {
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        inputs.push(std::fs::read(entry?.path())?);
    }
    inputs.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    let mut room = MOST;
    inputs.retain(|input| {
        let fits = input.len() <= room;
        room = room.saturating_sub(input.len());
        fits && !input.is_empty()
    });
    let lines: String = inputs.iter().map(|input| hex(input) + "\n").collect();
    std::fs::create_dir_all(path(target).parent().expect("a file in a directory"))?;
    std::fs::write(path(target), lines)
}

/// Two digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes of [`hex`]; `None` of anything else.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
