//! Base64 in the standard and in the URL alphabet, with or without padding.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc4648>.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use std::sync::LazyLock;

/// The fastest available engine for the standard alphabet.
static STANDARD: LazyLock<engine::Engine> = LazyLock::new(|| engine::standard(CONFIG));

const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::RequireNone)
    .with_decode_allow_trailing_bits(true);

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod engine {
    pub(super) use base64::engine::Simd as Engine;

    pub(super) fn standard(config: super::GeneralPurposeConfig) -> Engine {
        Engine::standard(config)
    }
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
mod engine {
    pub(super) use base64::engine::GeneralPurpose as Engine;

    pub(super) fn standard(config: super::GeneralPurposeConfig) -> Engine {
        Engine::new(&base64::alphabet::STANDARD, config)
    }
}

/// The six bits of a character, or `BAD`.
const BITS: [u8; 256] = {
    let mut bits = [BAD; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut i = 0;
    while i < 64 {
        bits[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    bits[b'-' as usize] = 62;
    bits[b'_' as usize] = 63;
    bits
};
const BAD: u8 = 0x80;

/// Decodes base64. Returns `None` if the text is not valid. Padding is optional. Trailing bits that do not fill a byte
/// are ignored.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = match text {
        [rest @ .., b'=', b'='] if text.len().is_multiple_of(4) => rest,
        [rest @ .., b'='] if text.len().is_multiple_of(4) => rest,
        whole => whole,
    };
    STANDARD.decode(text).ok().or_else(|| either(text))
}

/// Decodes text without padding, in a mixture of both alphabets.
#[cold]
fn either(text: &[u8]) -> Option<Vec<u8>> {
    let quads = text.chunks_exact(4);
    let last = quads.remainder();
    let mut bytes = vec![0; text.len() / 4 * 3];
    let mut bad = 0;
    for (quad, out) in quads.zip(bytes.chunks_exact_mut(3)) {
        let [a, b, c, d] = [quad[0], quad[1], quad[2], quad[3]].map(|c| BITS[usize::from(c)]);
        bad |= a | b | c | d;
        let word = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
        out.copy_from_slice(&word.to_be_bytes()[1..]);
    }
    let bits = |c: u8| u32::from(BITS[usize::from(c)]);
    match *last {
        [] => {}
        [a, b] => {
            bad |= BITS[usize::from(a)] | BITS[usize::from(b)];
            bytes.push((bits(a) << 2 | bits(b) >> 4) as u8);
        }
        [a, b, c] => {
            bad |= BITS[usize::from(a)] | BITS[usize::from(b)] | BITS[usize::from(c)];
            let word = bits(a) << 10 | bits(b) << 4 | bits(c) >> 2;
            bytes.extend([(word >> 8) as u8, word as u8]);
        }
        _ => return None,
    }
    (bad & BAD == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_and_any_padding_are_read() {
        let rows: [(&str, Option<&[u8]>); 20] = [
            ("", Some(b"")),
            ("QQ==", Some(b"A")),
            ("QQ", Some(b"A")),
            ("QUI=", Some(b"AB")),
            ("QUI", Some(b"AB")),
            ("QUJD", Some(b"ABC")),
            ("QUJDREVG", Some(b"ABCDEF")),
            ("-_", Some(b"\xfb")),
            ("+/", Some(b"\xfb")),
            ("-_+/", Some(b"\xfb\xff\xbf")),
            ("////", Some(b"\xff\xff\xff")),
            ("Q", None),
            ("QUJDR", None),
            ("QQ=", None),
            ("QQ===", None),
            ("====", None),
            ("=", None),
            ("QU JD", None),
            ("QUJ\n", None),
            ("QUé", None),
        ];
        for (text, wanted) in rows {
            assert_eq!(from_base64(text.as_bytes()).as_deref(), wanted, "{text}");
            if !text.contains('=') {
                assert_eq!(either(text.as_bytes()).as_deref(), wanted, "{text}");
            }
        }
    }
}
