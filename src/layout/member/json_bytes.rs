//! How JSON shows bytes, if not in base64.

/// How JSON shows bytes as a string that is not base64.
///
/// Canonical ProtoJSON only has base64, but some protocols differ: OTLP, for instance, has hexadecimal digits for
/// ids.
///
/// ```
/// use tobu::member::JsonBytes;
///
/// /// The four bytes of an address of the internet.
/// static IPV4: JsonBytes = JsonBytes::new(
///     "an IPv4 address",
///     |bytes| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join("."),
///     |text| text.parse::<std::net::Ipv4Addr>().ok().map(|address| address.octets().to_vec()),
/// );
/// ```
#[derive(Debug)]
pub struct JsonBytes {
    expected: &'static str,
    print: fn(&[u8]) -> String,
    parse: fn(&str) -> Option<Vec<u8>>,
}

impl JsonBytes {
    /// Two hexadecimal digits for each byte, which are written in lower case, and read in either case.
    pub const HEX: &'static JsonBytes = &JsonBytes::new("hexadecimal digits", to_hex, from_hex);

    /// Creates a text form of bytes. `expected` describes valid texts in errors, `print` converts bytes to text, and
    /// `parse` converts text to bytes and returns `None` for an invalid text. The empty text always stands for no bytes, so
    /// these functions are not called for it.
    #[must_use]
    pub const fn new(
        expected: &'static str,
        print: fn(&[u8]) -> String,
        parse: fn(&str) -> Option<Vec<u8>>,
    ) -> Self {
        JsonBytes { expected, print, parse }
    }

    pub(crate) fn expected(&self) -> &'static str {
        self.expected
    }

    pub(crate) fn print(&self, bytes: &[u8]) -> String {
        if bytes.is_empty() { String::new() } else { (self.print)(bytes) }
    }

    /// Converts text to bytes. Returns `None` if the text is invalid.
    pub(crate) fn parse(&self, text: &str) -> Option<Vec<u8>> {
        if text.is_empty() { Some(Vec::new()) } else { (self.parse)(text) }
    }
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut rest = text.as_bytes();
    while let [high, low, after @ ..] = rest {
        bytes.push((digit(*high)? << 4 | digit(*low)?) as u8);
        rest = after;
    }
    rest.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits() {
        let all: Vec<u8> = (0..=255).collect();
        let text = JsonBytes::HEX.print(&all);
        assert_eq!((&text[..8], &text[504..]), ("00010203", "fcfdfeff"));
        assert_eq!(JsonBytes::HEX.parse(&text).as_ref(), Some(&all));
        assert_eq!(JsonBytes::HEX.parse(&text.to_uppercase()), Some(all));
        for wrong in ["a", "abc", "0g", "+1", " 1", "0x", "é"] {
            assert_eq!(JsonBytes::HEX.parse(wrong), None, "{wrong}");
        }
    }
}
