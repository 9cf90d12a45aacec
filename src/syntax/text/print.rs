//! Writes the text format: names, strings, and the layout of messages. This module is in layer 0 (see DESIGN.md): it knows no
//! schema.
//!
//! Numbers are written in JSON's syntax, which is also valid in the text format.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

use crate::syntax::json::print::{Key, Printer as Values};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// All fields on one line, with spaces between them.
    OneLine,
    /// Each field on its own line. The fields of an inner message are indented by `indent` more spaces.
    Lines { indent: usize },
}

/// A writer that appends to a byte vector.
#[derive(Debug)]
pub(crate) struct Printer {
    out: Values,
    layout: Layout,
    /// The number of messages that were opened and not yet closed.
    level: usize,
    /// True if the innermost open message has no field yet.
    is_empty: bool,
}

/// The end of the text at some time, to which [`Printer::rewind`] returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    out: crate::syntax::json::print::Checkpoint,
    level: usize,
    is_empty: bool,
}

impl Printer {
    pub(crate) fn append_to(buf: Vec<u8>, layout: Layout) -> Self {
        Printer { out: Values::append_to(buf, false), layout, level: 0, is_empty: true }
    }

    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.out.into_vec()
    }

    /// Returns the current end of the text.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { out: self.out.checkpoint(), level: self.level, is_empty: self.is_empty }
    }

    /// Removes the text after a checkpoint.
    pub(crate) fn rewind(&mut self, to: Checkpoint) {
        self.out.rewind(to.out);
        (self.level, self.is_empty) = (to.level, to.is_empty);
    }

    /// Writes the separator before a field, and its name.
    #[inline]
    pub(crate) fn field(&mut self, name: &[u8]) {
        self.start();
        self.out.raw(name);
    }

    /// Writes the separator before a field, its name, and the punctuation after the name.
    #[inline]
    pub(crate) fn mark(&mut self, mark: &Key) {
        self.start();
        if !self.out.short_member(mark.short()) {
            self.out.raw(mark.text());
        }
    }

    /// Writes the separator before the name of a field.
    #[inline]
    fn start(&mut self) {
        match self.layout {
            Layout::OneLine if self.is_empty && self.level == 0 => {}
            Layout::OneLine => self.out.array(*b" "),
            Layout::Lines { indent } => self.spaces(self.level * indent),
        }
        self.is_empty = false;
    }

    /// Writes the separator between a name and a value that is not a message.
    #[inline]
    pub(crate) fn colon(&mut self) {
        self.out.array(*b": ");
    }

    /// Writes the end of a field whose value is not a message.
    #[inline]
    pub(crate) fn end(&mut self) {
        if let Layout::Lines { .. } = self.layout {
            self.out.array(*b"\n");
        }
    }

    /// Writes the start of a message, after the name of its field.
    pub(crate) fn open(&mut self) {
        self.out.raw(match self.layout {
            Layout::OneLine => b" {",
            Layout::Lines { .. } => b" {\n",
        });
        self.level += 1;
        self.is_empty = true;
    }

    pub(crate) fn close(&mut self) {
        self.level -= 1;
        match self.layout {
            Layout::OneLine => self.out.raw(if self.is_empty { b"}" } else { b" }" }),
            Layout::Lines { indent } => {
                self.spaces(self.level * indent);
                self.out.raw(b"}\n");
            }
        }
        self.is_empty = false;
    }

    fn spaces(&mut self, mut count: usize) {
        const SPACES: [u8; 32] = [b' '; 32];
        while count > 0 {
            let some = count.min(SPACES.len());
            self.out.raw(&SPACES[..some]);
            count -= some;
        }
    }

    /// Writes text unchanged.
    #[inline]
    pub(crate) fn raw(&mut self, text: &[u8]) {
        self.out.raw(text);
    }

    #[inline]
    pub(crate) fn signed(&mut self, value: i64) {
        self.out.signed(value);
    }

    #[inline]
    pub(crate) fn unsigned(&mut self, value: u64) {
        self.out.unsigned(value);
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) {
        self.out.bool(value);
    }

    #[inline]
    pub(crate) fn float(&mut self, value: f32) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.out.raw(not_finite(value.into())),
        }
    }

    #[inline]
    pub(crate) fn double(&mut self, value: f64) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.out.raw(not_finite(value)),
        }
    }

    /// Writes the number of a fixed-width field whose schema is not known. `digits` is the number of hexadecimal digits of this
    /// width.
    pub(crate) fn hex(&mut self, value: u64, digits: u32) {
        self.out.raw(b"0x");
        for shift in (0..digits).rev() {
            self.out.raw(&[b"0123456789abcdef"[(value >> (4 * shift)) as usize & 15]]);
        }
    }

    /// Writes a string and returns true, if the bytes are valid UTF-8. Otherwise writes nothing and returns false. Only control
    /// characters, quotes and backslashes are escaped.
    #[inline]
    pub(crate) fn utf8(&mut self, text: &[u8]) -> bool {
        self.out.plain(text) || self.other_utf8(text)
    }

    #[inline(never)]
    fn other_utf8(&mut self, text: &[u8]) -> bool {
        let is_text = std::str::from_utf8(text).is_ok();
        if is_text {
            self.out.escaped(text, |byte| BYTES[usize::from(byte)]);
        }
        is_text
    }

    /// Writes a byte string, and escapes each byte that is not printable ASCII.
    #[inline(never)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.out.each_byte(bytes, &BYTES);
    }
}

/// Returns the text of a float that is infinite or NaN.
#[cold]
fn not_finite(value: f64) -> &'static [u8] {
    match value {
        f64::INFINITY => b"inf",
        f64::NEG_INFINITY => b"-inf",
        _ => b"nan",
    }
}

/// For each byte, its text in a string, and the length of this text in the last byte. Printable ASCII other than quotes and
/// backslash is unchanged; other bytes are escaped by a letter or octal digits.
static BYTES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut index = 0;
    while index < table.len() {
        let byte = index as u8;
        let letter = match byte {
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            b'"' | b'\\' => byte,
            _ => 0,
        };
        table[index] = match byte {
            _ if letter != 0 => [b'\\', letter, 0, 0, 0, 0, 0, 2],
            b' '..=b'~' => [byte, 0, 0, 0, 0, 0, 0, 1],
            _ => [b'\\', b'0' + (byte >> 6), b'0' + (byte >> 3 & 7), b'0' + (byte & 7), 0, 0, 0, 4],
        };
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn print(layout: Layout, write: impl FnOnce(&mut Printer)) -> String {
        let mut printer = Printer::append_to(Vec::new(), layout);
        write(&mut printer);
        String::from_utf8(printer.into_vec()).unwrap()
    }

    #[test]
    fn layouts() {
        let write = |printer: &mut Printer| {
            printer.field(b"a");
            printer.colon();
            printer.signed(-1);
            printer.end();
            printer.field(b"b");
            printer.open();
            printer.field(b"c");
            printer.open();
            printer.close();
            printer.field(b"d");
            printer.colon();
            printer.bool(true);
            printer.end();
            printer.close();
        };
        assert_eq!(print(Layout::OneLine, write), "a: -1 b { c {} d: true }");
        assert_eq!(print(Layout::Lines { indent: 2 }, write), "a: -1\nb {\n  c {\n  }\n  d: true\n}\n");
        assert_eq!(print(Layout::Lines { indent: 0 }, write), "a: -1\nb {\nc {\n}\nd: true\n}\n");
    }

    fn numbers(printer: &mut Printer, mark: &Key, list: &[u32]) {
        for value in list {
            printer.mark(mark);
            printer.unsigned((*value).into());
            printer.end();
        }
    }

    #[test]
    fn numbers_in_a_row() {
        let long = "a_name_of_more_than_thirty_two_bytes";
        for name in ["a", long] {
            let mark = Key::mark(format!("{name}: ").as_bytes());
            let lists: [&[u32]; 4] = [&[], &[1], &[1, 22], &[1, 22, 4_294_967_295]];
            for list in lists {
                let write = |printer: &mut Printer| {
                    numbers(printer, &mark, list);
                    printer.field(b"m");
                    printer.open();
                    numbers(printer, &mark, list);
                    printer.close();
                };
                let one_line: String = list.iter().map(|value| format!("{name}: {value} ")).collect();
                let inner = if list.is_empty() { "" } else { " " };
                assert_eq!(print(Layout::OneLine, write), format!("{one_line}m {{{inner}{one_line}}}"));
                let lines = |indent: &str| -> String {
                    list.iter().map(|value| format!("{indent}{name}: {value}\n")).collect()
                };
                let wanted = format!("{}m {{\n{}}}\n", lines(""), lines("   "));
                assert_eq!(print(Layout::Lines { indent: 3 }, write), wanted);
            }
        }
    }

    type Write = fn(&mut Printer);

    #[test]
    fn values() {
        let rows: [(Write, &str); 11] = [
            (
                |p| assert!(p.utf8("a\u{e4}'\"\\\n\r\t\0\x7f".as_bytes())),
                "\"a\u{e4}'\\\"\\\\\\n\\r\\t\\000\x7f\"",
            ),
            (|p| p.bytes(b"a\xe4\xff"), r#""a\344\377""#),
            (|p| assert!(p.utf8(b"") && !p.utf8(b"\xff")), "\"\""),
            (|p| p.bytes(b"\x7f\n"), r#""\177\n""#),
            (|p| p.hex(0x1f, 8), "0x0000001f"),
            (|p| p.hex(u64::MAX, 16), "0xffffffffffffffff"),
            (|p| p.float(f32::NEG_INFINITY), "-inf"),
            (|p| p.double(f64::NAN), "nan"),
            (|p| p.double(f64::INFINITY), "inf"),
            (|p| p.float(0.1), "0.1"),
            (|p| p.double(-0.0), "-0"),
        ];
        for (write, wanted) in rows {
            assert_eq!(print(Layout::OneLine, write), wanted);
        }
    }
}
