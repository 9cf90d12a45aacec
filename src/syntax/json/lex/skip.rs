//! Skips values.

use crate::error::{Error, LimitError, Result};
use crate::syntax::json::lex::Cursor;
use std::borrow::Cow;

impl<'de> Cursor<'de> {
    /// Skips the value at the cursor. Objects may be nested up to `depth` levels; a list inside a list also counts as
    /// a level.
    ///
    /// # Errors
    /// The value is malformed, or nested more deeply than `depth` allows.
    pub(crate) fn skip(&mut self, depth: u32) -> Result<()> {
        self.skip_by(depth, |cursor, _| cursor.skip_name())
    }

    /// Skips a value like [`skip`](Self::skip). For each object in the value with a member of this name, `found`
    /// receives the position of the object and the position after the colon of the member.
    ///
    /// # Errors
    /// Fails if `skip` would fail, or if the name of a member is not valid.
    pub(crate) fn skip_and_find(
        &mut self,
        depth: u32,
        name: &str,
        found: &mut Vec<(usize, usize)>,
    ) -> Result<()> {
        self.skip_by(depth, |cursor, object| {
            if cursor.member()? == name {
                found.push((object, cursor.at));
            }
            Ok(())
        })
    }

    /// Skips the value at the cursor. `member` consumes the name and the colon of each member; its second argument is
    /// the start of the object.
    fn skip_by(&mut self, depth: u32, mut member: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        // The open values: the start of an object, or `None` for a list.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut left = depth;
        loop {
            match self.token() {
                Some(b'"') => self.skip_string()?,
                Some(b'-' | b'0'..=b'9') => drop(self.number()?),
                Some(b't') if self.literal("true") => {}
                Some(b'f') if self.literal("false") => {}
                Some(b'n') if self.literal("null") => {}
                Some(bracket @ (b'{' | b'[')) => {
                    let object = (bracket == b'{').then_some(self.at);
                    if object.is_some() || open.last() == Some(&None) {
                        let error = || self.locate(self.at, Error::limit(LimitError::Depth(depth)));
                        left = left.checked_sub(1).ok_or_else(error)?;
                    }
                    open.push(object);
                    self.bump();
                    match (object, self.token()) {
                        (Some(_), Some(b'}')) | (None, Some(b']')) => {}
                        (Some(object), _) => {
                            member(self, object)?;
                            continue;
                        }
                        (None, _) => continue,
                    }
                }
                _ => return Err(self.unexpected("a value")),
            }
            // After a value, the enclosing object or list continues or ends.
            loop {
                let Some(&object) = open.last() else { return Ok(()) };
                match self.token() {
                    Some(b'}') if object.is_some() => {}
                    Some(b']') if object.is_none() => {}
                    Some(b',') => {
                        self.bump();
                        if let Some(object) = object {
                            member(self, object)?;
                        }
                        break;
                    }
                    _ if object.is_some() => return Err(self.unexpected("`,` or `}`")),
                    _ => return Err(self.unexpected("`,` or `]`")),
                }
                self.bump();
                open.pop();
                if object.is_some() || open.last() == Some(&None) {
                    left += 1;
                }
            }
        }
    }

    /// Consumes the name of a member and the colon.
    fn skip_name(&mut self) -> Result<()> {
        match self.token() {
            Some(b'"') => self.skip_string()?,
            _ => return Err(self.unexpected("the name of a member")),
        }
        self.colon()
    }

    /// Parses the name of a member and the colon after it. Returns the name.
    pub(crate) fn member(&mut self) -> Result<Cow<'de, str>> {
        if self.token() != Some(b'"') {
            return Err(self.unexpected("the name of a member"));
        }
        let name = self.string()?;
        self.colon()?;
        Ok(name)
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
    fn members_of_a_name_are_found_in_all_objects() {
        let text = r#" {"a":[{"b":1,"t": 2},{}],"\u0074":{"t":3},"t":4} "#;
        let mut found = Vec::new();
        let mut cursor = Cursor::new(text);
        cursor.skip_and_find(3, "t", &mut found).unwrap();
        assert_eq!(cursor.position(), text.len() - 1);
        let rests: Vec<_> =
            found.iter().map(|&(object, value)| (&text[object..][..5], &text[value..])).collect();
        let end = r#"{"t":3},"t":4} "#;
        assert_eq!(
            rests,
            [
                ("{\"b\":", r#" 2},{}],"\u0074":{"t":3},"t":4} "#),
                ("{\"a\":", end),
                ("{\"t\":", "3},\"t\":4} "),
                ("{\"a\":", "4} ")
            ]
        );
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
