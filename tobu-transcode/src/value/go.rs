//! Parses values in the syntax of Go's packages `strconv` and `time`, which grpc-gateway uses.
//!
//! Specifications: <https://pkg.go.dev/strconv>, <https://pkg.go.dev/time#ParseDuration>.

/// Parses a boolean like `ParseBool`.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// Parses an integer like `ParseInt` or `ParseUint`, with base 10.
pub(super) fn integer(text: &str, is_signed: bool) -> Option<i128> {
    let digits = if is_signed { text.strip_prefix(['+', '-']).unwrap_or(text) } else { text };
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// True if a text has only characters of a decimal number, or is one of the words `inf`, `infinity` and `nan` in any case.
/// `ParseFloat` accepts such a text if Rust can parse it, too.
pub(super) fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_word = ["inf", "infinity", "nan"].iter().any(|word| text.eq_ignore_ascii_case(word));
    is_word || text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
}

/// Parses a duration like `ParseDuration`, and returns it in the form of ProtoJSON.
pub(super) fn duration(text: &str) -> Option<String> {
    let (is_negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut nanos: i128 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() && rest != "0" {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, after) = rest.split_at(end);
        let unit_end =
            after.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let unit: i128 = match unit {
            "ns" => 1,
            "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
            return None;
        }
        // Further digits would not change the result.
        let fraction = &fraction[..fraction.len().min(18)];
        let parse = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<i64>().ok() };
        let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
        nanos += i128::from(parse(whole)?) * unit + i128::from(parse(fraction)?) * unit / scale;
        rest = after;
        if nanos > i128::from(i64::MAX) || rest == "0" {
            return None;
        }
    }
    let (seconds, nanos) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    Some(format!("{}{seconds}.{nanos:09}s", if is_negative { "-" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        #[rustfmt::skip]
        let rows = [
            ("1", Some(1)), ("-1", Some(-1)), ("+1", Some(1)), ("01", Some(1)), ("0", Some(0)), ("-0", Some(0)), ("0x10", None),
            ("1_000", None), ("", None), ("-", None), ("+-1", None), ("1.0", None), (" 1", None), ("\u{661}", None),
        ];
        for (text, wanted) in rows {
            assert_eq!(integer(text, true), wanted, "{text}");
            let unsigned = wanted.filter(|_| !text.starts_with(['+', '-']));
            assert_eq!(integer(text, false), unsigned, "{text}");
        }
        assert_eq!(integer(&"9".repeat(100), true), None);
    }

    #[test]
    fn durations() {
        #[rustfmt::skip]
        let rows = [
            ("1h2m3s", Some("3723.000000000s")), ("-1.5s", Some("-1.500000000s")), ("0", Some("0.000000000s")), ("5ms", Some("0.005000000s")),
            ("1us", Some("0.000001000s")), ("1\u{b5}s", Some("0.000001000s")), ("1.5h", Some("5400.000000000s")), ("+1s", Some("1.000000000s")),
            (".5s", Some("0.500000000s")), ("1.s", Some("1.000000000s")), ("1ns", Some("0.000000001s")),
            ("", None), ("1", None), ("s", None), (".s", None), ("1.2.3s", None), ("1d", None), ("1s2", None), ("1s0", None),
            ("-", None), ("2562047h47m17s", None), ("--1s", None), ("1 s", None),
        ];
        for (text, wanted) in rows {
            assert_eq!(duration(text).as_deref(), wanted, "{text}");
        }
        assert_eq!(duration(&format!("0.{}1s", "0".repeat(100))).as_deref(), Some("0.000000000s"));
    }
}
