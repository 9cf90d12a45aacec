//! Checks UTF-8, with a fast path for ASCII, because most strings are ASCII.
//!
//! Only this module and `buffer` have `unsafe` code in the wire layer. In this module, `unsafe` saves a second validation of
//! bytes that are known to be UTF-8.

#![allow(unsafe_code)]

use std::str::Utf8Error;
use std::string::FromUtf8Error;

/// Converts bytes to a string slice.
///
/// # Errors
/// The bytes are not UTF-8.
#[inline]
pub fn utf8(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if is_ascii(bytes) {
        // SAFETY: `is_ascii` found that all bytes are below 128, and such bytes are UTF-8.
        return Ok(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    std::str::from_utf8(bytes)
}

/// Converts bytes to a string slice. This function is not inlined, for callers that rarely need it.
///
/// # Errors
/// Fails if [`utf8`] would fail.
#[inline(never)]
pub fn utf8_by_call(bytes: &[u8]) -> Result<&str, Utf8Error> {
    utf8(bytes)
}

/// Converts a vector to a string, without a copy.
///
/// # Errors
/// Fails if [`utf8`] would fail.
pub fn into_utf8(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    // If the bytes are not UTF-8, the slower check of the standard library says where the valid part ends.
    if is_ascii(&bytes) || simdutf8::basic::from_utf8(&bytes).is_ok() {
        // SAFETY: `is_ascii` found that all bytes are below 128, and such bytes are UTF-8, or `simdutf8` found that the
        // bytes are UTF-8.
        return Ok(unsafe { String::from_utf8_unchecked(bytes) });
    }
    String::from_utf8(bytes)
}

/// True if every byte is below 128.
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let mut seen = two_words(*first) | two_words(*last);
        if bytes.len() > 32 {
            seen |= long(bytes);
        }
        return seen & 0x8080_8080_8080_8080 == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & 0x8080_8080_8080_8080 == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & 0x8080_8080 == 0;
    }
    bytes.iter().fold(0, |seen, byte| seen | byte) < 0x80
}

/// Combines two words with `|`.
#[inline(always)]
fn two_words(bytes: [u8; 16]) -> u64 {
    let words = u128::from_ne_bytes(bytes);
    words as u64 | (words >> 64) as u64
}

/// Combines all whole words with `|`.
// This function is not inlined, because most strings are short, and it would be copied to many callers.
#[inline(never)]
fn long(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut seen = [0; 4];
    for block in blocks {
        for (seen, word) in seen.iter_mut().zip(block.as_chunks().0) {
            *seen |= u64::from_ne_bytes(*word);
        }
    }
    rest.as_chunks()
        .0
        .iter()
        .fold(seen[0] | seen[1] | seen[2] | seen[3], |seen, word| seen | u64::from_ne_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_not_ascii_is_seen_wherever_it_is() {
        for len in 0..200 {
            let text = vec![b'a'; len];
            assert_eq!(utf8(&text).map(str::len), Ok(len));
            assert!(is_ascii(&text));
            assert_eq!(into_utf8(text.clone()), String::from_utf8(text.clone()));
            for at in 0..len {
                for byte in [0x80, 0xc3, 0xff] {
                    let mut bytes = text.clone();
                    bytes[at] = byte;
                    assert!(!is_ascii(&bytes), "{at} of {len}");
                    assert_eq!(utf8(&bytes), std::str::from_utf8(&bytes));
                    assert_eq!(into_utf8(bytes.clone()), String::from_utf8(bytes));
                }
            }
        }
    }
}
