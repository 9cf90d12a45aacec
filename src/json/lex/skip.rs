//! Passing over values.

use super::Cursor;
use crate::error::{Error, LimitError, Result};

impl Cursor<'_> {
    /// Goes past the value at the cursor. Objects may be nested in each other up to `depth` levels; a list in a list
    /// counts as a level, too.
    ///
    /// # Errors
    /// It is malformed, or nested deeper.
    pub(crate) fn skip(&mut self, depth: u32) -> Result<()> {
        // What is open: true for an object.
        let mut open: Vec<bool> = Vec::new();
        let mut left = depth;
        loop {
            match self.token() {
                Some(b'"') => self.skip_string()?,
                Some(b'-' | b'0'..=b'9') => drop(self.number()?),
                Some(b't') if self.literal("true") => {}
                Some(b'f') if self.literal("false") => {}
                Some(b'n') if self.literal("null") => {}
                Some(bracket @ (b'{' | b'[')) => {
                    let is_object = bracket == b'{';
                    if is_object || open.last() == Some(&false) {
                        let error = || self.locate(self.at, Error::limit(LimitError::Depth(depth)));
                        left = left.checked_sub(1).ok_or_else(error)?;
                    }
                    open.push(is_object);
                    self.bump();
                    match (is_object, self.token()) {
                        (true, Some(b'}')) | (false, Some(b']')) => {}
                        (true, _) => {
                            self.skip_name()?;
                            continue;
                        }
                        (false, _) => continue,
                    }
                }
                _ => return Err(self.unexpected("a value")),
            }
            // After a value: what it is in goes on, or ends.
            loop {
                let Some(&is_object) = open.last() else { return Ok(()) };
                match self.token() {
                    Some(b'}') if is_object => {}
                    Some(b']') if !is_object => {}
                    Some(b',') => {
                        self.bump();
                        if is_object {
                            self.skip_name()?;
                        }
                        break;
                    }
                    _ if is_object => return Err(self.unexpected("`,` or `}`")),
                    _ => return Err(self.unexpected("`,` or `]`")),
                }
                self.bump();
                open.pop();
                if is_object || open.last() == Some(&false) {
                    left += 1;
                }
            }
        }
    }

    /// Goes past the name of a member and the colon.
    fn skip_name(&mut self) -> Result<()> {
        match self.token() {
            Some(b'"') => self.skip_string()?,
            _ => return Err(self.unexpected("the name of a member")),
        }
        self.colon()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_passed_over_whole() {
        for text in [
            "1",
            "-1.5e3",
            "\"a\\\"b\"",
            "true",
            "false",
            "null",
            "{}",
            "[]",
            "[ ]",
            "{ }",
            "[1, [2, {}], {\"a\": []}]",
            "{\"a\" : {\"b\" :[null]} , \"c\": \"}\"}",
        ] {
            let followed = format!("{text},");
            let mut cursor = Cursor::new(&followed);
            cursor.skip(3).unwrap();
            assert_eq!(cursor.position(), text.len(), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [
            "",
            "tru",
            "nul",
            "nan",
            "{",
            "[",
            "{]",
            "[}",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "[1 2]",
            "'a'",
            "/**/1",
            "{null:1}",
            "01",
            "]",
        ] {
            assert!(Cursor::new(text).skip(10).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_is_limited_and_takes_no_stack() {
        let objects = |n: usize| "{\"a\":".repeat(n) + "1" + &"}".repeat(n);
        assert!(Cursor::new(&objects(5)).skip(5).is_ok());
        assert!(Cursor::new(&objects(6)).skip(5).is_err());
        let lists = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(Cursor::new(&lists(6)).skip(5).is_ok());
        assert!(Cursor::new(&lists(7)).skip(5).is_err());
        let both = |n: usize| "{\"a\":[".repeat(n) + "1" + &"]}".repeat(n);
        assert!(Cursor::new(&both(5)).skip(5).is_ok());
        assert!(Cursor::new(&both(6)).skip(5).is_err());
        let error = Cursor::new(&"[".repeat(1_000_000)).skip(100).unwrap_err();
        assert_eq!(error.to_string(), "messages are nested deeper than 100 levels (at line 1 column 102)");
        assert!(Cursor::new(&lists(1_000_000)).skip(u32::MAX).is_ok());
        let wide = format!("[{}[]]", "[[]],".repeat(1000));
        assert!(Cursor::new(&wide).skip(2).is_ok());
    }
}
