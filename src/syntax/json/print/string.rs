//! Prints strings. Most strings need no escape. So the printer first tests a string, 8 or 16 bytes at a time, and copies it if
//! no byte needs an escape.

use crate::syntax::json::print::Printer;

impl Printer {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn string(&mut self, text: &str) {
        self.characters(text.as_bytes());
    }

    /// Writes a string of bytes that are known to be UTF-8.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn characters(&mut self, text: &[u8]) {
        if !self.unescaped::<false>(text) {
            self.escaped(text, |byte| ESCAPES[usize::from(byte & 0x7f)]);
        }
    }

    /// Writes a string that is ASCII and needs no escape, and returns true. Writes nothing and returns false for any other
    /// string.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn plain(&mut self, text: &[u8]) -> bool {
        self.unescaped::<true>(text)
    }

    /// Writes a string if no byte needs an escape and, with `ASCII`, all bytes are ASCII. Otherwise writes nothing and returns
    /// false.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unescaped<const ASCII: bool>(&mut self, text: &[u8]) -> bool {
        let len = text.len();
        if let Some(word) = word(text) {
            // The zeros after the text count as control characters, so only hits in the first `len` bytes matter.
            let plain = special_in::<ASCII>(word).trailing_zeros() as usize >= 8 * len;
            if plain {
                self.buf.put_short_between(b'"', word.to_le_bytes(), len);
            }
            return plain;
        }
        if let Some([head, tail]) = ends::<8>(text) {
            let (first, last) = (u64::from_le_bytes(head), u64::from_le_bytes(tail));
            let plain = special_in::<ASCII>(first) | special_in::<ASCII>(last) == 0;
            if plain {
                self.buf.put_ends_between(b'"', [head, tail], len);
            }
            return plain;
        }
        if let Some([head, tail]) = ends::<16>(text) {
            let plain = !(is_special::<ASCII>(&head) | is_special::<ASCII>(&tail));
            if plain {
                self.buf.put_ends_between(b'"', [head, tail], len);
            }
            return plain;
        }
        let plain = is_plain_long::<ASCII>(text);
        if plain {
            self.buf.put_between(b'"', text);
        }
        plain
    }

    /// Writes a string that is not all ASCII or needs an escape. If the bytes are not valid UTF-8, writes nothing and returns
    /// false.
    #[inline(never)]
    pub(crate) fn other_utf8(&mut self, text: &[u8]) -> bool {
        let text = std::str::from_utf8(text);
        if let Ok(text) = text {
            self.string(text);
        }
        text.is_ok()
    }

    /// Writes a string with characters that need an escape. `escape` returns up to seven bytes for a character, and
    /// their number in the eighth.
    #[inline(never)]
    pub(crate) fn escaped(&mut self, text: &[u8], escape: impl Fn(u8) -> [u8; 8]) {
        self.buf.with_cursor(|mut cursor| {
            cursor.put([b'"']);
            let mut rest = text;
            while !rest.is_empty() {
                while let Some((next, after)) = rest.split_first_chunk() {
                    let next = u64::from_le_bytes(*next);
                    if special_in::<false>(next) != 0 {
                        break;
                    }
                    cursor.put(next.to_le_bytes());
                    rest = after;
                }
                // One of the next eight bytes needs an escape, or fewer than eight bytes are left. The zeros after the last
                // byte of the text count as bytes that need an escape.
                let next = rest.first_chunk().map(|next| u64::from_le_bytes(*next)).or_else(|| word(rest));
                let next = next.unwrap_or_default();
                let plain = (special_in::<false>(next).trailing_zeros() as usize / 8).min(rest.len());
                cursor.put_short(next.to_le_bytes(), plain as u8);
                rest = &rest[plain..];
                if let Some((&byte, after)) = rest.split_first() {
                    let escape = escape(byte);
                    cursor.put_short(escape, escape[7]);
                    rest = after;
                }
            }
            cursor.put([b'"']);
            cursor
        });
    }
}

/// Returns a string in quotes, with escapes.
pub(crate) fn quoted(text: &str) -> Box<[u8]> {
    let mut printer = Printer::append_to(Vec::new(), false);
    printer.string(text);
    printer.into_vec().into()
}

/// The escape of each byte that needs one, with its length in the last byte.
const ESCAPES: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut control = 0;
    while control < 0x20 {
        let digit = b"0123456789abcdef"[control & 15];
        table[control] = [b'\\', b'u', b'0', b'0', b'0' + (control >> 4) as u8, digit, 0, 6];
        control += 1;
    }
    let short = [
        (0x08, b'b'),
        (b'\t', b't'),
        (b'\n', b'n'),
        (0x0c, b'f'),
        (b'\r', b'r'),
        (b'"', b'"'),
        (b'\\', b'\\'),
    ];
    let mut index = 0;
    while index < short.len() {
        let (byte, letter) = short[index];
        table[byte as usize] = [b'\\', letter, 0, 0, 0, 0, 0, 2];
        index += 1;
    }
    table
};

/// Loads a text of up to eight bytes into a word, with the first byte lowest and zeros after the last. The loads
/// overlap, so that no loop is needed. Returns `None` for longer texts.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn word(text: &[u8]) -> Option<u64> {
    let len = text.len();
    match len {
        8 => text.first_chunk().map(|word| u64::from_le_bytes(*word)),
        9.. => None,
        4.. => {
            let (head, tail) = text.first_chunk().zip(text.last_chunk())?;
            let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
            Some(u64::from(head) | u64::from(tail) << (8 * (len - 4)))
        }
        1.. => {
            let (first, middle, last) = (text[0], text[len / 2], text[len - 1]);
            Some(u64::from(first) | u64::from(middle) << (8 * (len / 2)) | u64::from(last) << (8 * (len - 1)))
        }
        0 => Some(0),
    }
}

/// Returns the first and the last `N` bytes of a text of `N` to twice `N` bytes, and `None` for any other length.
#[cfg_attr(not(debug_assertions), inline(always))]
fn ends<const N: usize>(text: &[u8]) -> Option<[[u8; N]; 2]> {
    let (head, tail) = text.first_chunk().zip(text.last_chunk())?;
    (text.len() <= 2 * N).then_some([*head, *tail])
}

/// True if no byte of a text of sixteen or more bytes needs an escape and, with `ASCII`, all bytes are ASCII.
#[inline]
fn is_plain_long<const ASCII: bool>(text: &[u8]) -> bool {
    let (blocks, _) = text.as_chunks();
    blocks.iter().all(|block| !is_special::<ASCII>(block))
        && text.last_chunk().is_none_or(|block| !is_special::<ASCII>(block))
}

/// The bit in which a quote and a space differ. Flipping it swaps the two, so that only quotes and control characters
/// are below [`BELOW`], and one comparison finds them all.
const QUOTE: u8 = b'"' ^ b' ';
const BELOW: u8 = b' ' + 1;

/// True if a byte of a block needs an escape or, if all must be ASCII, is not ASCII.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_special<const ASCII: bool>(block: &[u8; 16]) -> bool {
    block.iter().fold(false, |found, &byte| {
        let below = match byte ^ QUOTE {
            // As signed numbers, bytes that are not ASCII are negative, so they are also below the limit.
            byte if ASCII => byte.cast_signed() < BELOW.cast_signed(),
            byte => byte < BELOW,
        };
        found | below | (byte == b'\\')
    })
}

/// Returns a number that is not zero if a byte of the word needs an escape or, if all must be ASCII, is not ASCII. The lowest
/// bit that is set belongs to the first such byte.
#[cfg_attr(not(debug_assertions), inline(always))]
fn special_in<const ASCII: bool>(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    // A borrow can mark the next higher byte by mistake. This does no harm, because it happens only above a correctly marked
    // byte, and callers use only the lowest mark.
    let below = (word ^ (ONES * u64::from(QUOTE))).wrapping_sub(ONES * u64::from(BELOW));
    let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
    match ASCII {
        true => (below | backslash | word) & HIGHS,
        false => (below | backslash) & !word & HIGHS,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::print;

    #[test]
    fn every_character_at_every_place_of_strings_of_every_length() {
        let special: Vec<char> =
            (0..=0x100).filter_map(char::from_u32).chain(['\u{2028}', '\u{10ffff}']).collect();
        for len in 0..70 {
            for place in 0..len {
                for &c in &special {
                    let text: String = (0..len).map(|i| if i == place { c } else { 'a' }).collect();
                    let wanted = serde_json::to_string(&text).unwrap();
                    assert_eq!(print(|printer| printer.string(&text)), wanted);
                    assert_eq!(
                        print(|printer| assert!(
                            printer.plain(text.as_bytes()) || printer.other_utf8(text.as_bytes())
                        )),
                        wanted
                    );
                    // A text is plain if it is ASCII and the printer adds nothing but the quotes.
                    let is_plain = wanted.is_ascii() && wanted.len() == text.len() + 2;
                    let plain = print(|printer| assert_eq!(printer.plain(text.as_bytes()), is_plain));
                    assert_eq!(plain, if is_plain { &wanted } else { "" });
                }
            }
        }
        assert_eq!(print(|printer| printer.string("")), r#""""#);
        assert_eq!(print(|printer| printer.string("\"\"\u{1}\n")), r#""\"\"\u0001\n""#);
    }

    #[test]
    fn what_is_not_utf8_is_no_string() {
        for len in 0..70 {
            for place in 0..len {
                let mut text = vec![b'a'; len];
                text[place] = 0xff;
                assert_eq!(print(|printer| assert!(!printer.plain(&text) && !printer.other_utf8(&text))), "");
            }
        }
    }
}
