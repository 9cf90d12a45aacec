//! Parses path templates, and builds paths from them.
//!
//! This file is in layer 1 (see DESIGN.md). It uses only the modules `error` and `percent` of this crate. Specification: the
//! comment of `google.api.HttpRule` in <https://github.com/googleapis/googleapis/blob/master/google/api/http.proto>.

mod parse;

use std::fmt;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::percent;

/// A path template, such as `/v1/{name=shelves/*}:move`.
///
/// ```text
/// Template = "/" Segments [ Verb ] ;   Segments = Segment { "/" Segment } ;
/// Segment  = "*" | "**" | LITERAL | Variable ;
/// Variable = "{" FieldPath [ "=" Segments ] "}" ;
/// FieldPath = IDENT { "." IDENT } ;    Verb = ":" LITERAL ;
/// ```
///
/// Two points go beyond the specification: a template may have one `**` at any position, and a verb may contain colons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: Box<str>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) verb: Option<Box<str>>,
    pub(crate) variables: Vec<Variable>,
    /// The index of the `**` among the segments, or `None` if the template has no `**`.
    pub(crate) rest: Option<usize>,
}

/// One segment of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A literal, with its percent escapes decoded.
    Literal(Box<str>),
    /// One segment with any text, but not empty: `*`.
    Any,
    /// Any number of segments: `**`.
    Rest,
}

/// A variable of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub(crate) field_path: Box<str>,
    pub(crate) segments: Range<usize>,
    pub(crate) multi: bool,
}

impl Template {
    /// Parses a template.
    ///
    /// ```
    /// let template = tobu_transcode::Template::parse("/v1/{name=shelves/*}/books")?;
    /// assert_eq!(template.variables().next().unwrap().field_path(), "name");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not a template. The error has the position.
    pub fn parse(text: &str) -> Result<Self> {
        parse::template(text).map_err(|(at, message)| {
            Error::rule(format!("{message} (at byte {at})")).within(format_args!("template {text:?}"))
        })
    }

    /// Returns the template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the segments, including the segments of variables.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the variables, in the order of the template.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = &Variable> {
        self.variables.iter()
    }

    /// Returns the verb: the text after the colon that follows the last segment. Returns `None` if the template has no verb.
    pub fn verb(&self) -> Option<&str> {
        self.verb.as_deref()
    }

    /// Returns the path in which the variables have these values, in the order of the variables. A wildcard outside of
    /// variables is written as `-`.
    ///
    /// A value must match the segments of its variable, such as `shelves/fiction` for `{name=shelves/*}`.
    ///
    /// ```
    /// let template = tobu_transcode::Template::parse("/v1/{name=shelves/*}/books/{id}")?;
    /// assert_eq!(template.expand(&["shelves/my own", "1/2"])?, "/v1/shelves/my%20own/books/1%2F2");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are more or fewer values than variables, or a value does not match the segments of its variable.
    pub fn expand<V: AsRef<str>>(&self, values: &[V]) -> Result<String> {
        if values.len() != self.variables.len() {
            let wanted = self.variables.len();
            return Err(Error::argument(format!("{wanted} values are needed, not {}", values.len()))
                .within(format_args!("template {:?}", self.text)));
        }
        let mut path = String::new();
        let mut variables = self.variables.iter().zip(values).peekable();
        let mut at = 0;
        while at < self.segments.len() {
            if let Some((variable, value)) = variables.next_if(|(variable, _)| variable.segments.start == at)
            {
                let value = value.as_ref();
                if !variable.fits(&self.segments, value) {
                    return Err(Error::argument(format!(
                        "{value:?} is not a value of the variable {}",
                        variable.field_path
                    ))
                    .within(format_args!("template {:?}", self.text)));
                }
                // A variable of several segments can be empty. Then its slash is omitted, too.
                if !(value.is_empty() && variable.multi) || path.is_empty() {
                    path.push('/');
                    percent::encode(value, variable.multi, &mut path);
                }
                at = variable.segments.end;
                continue;
            }
            path.push('/');
            match &self.segments[at] {
                Segment::Literal(text) => percent::encode(text, false, &mut path),
                Segment::Any | Segment::Rest => path.push('-'),
            }
            at += 1;
        }
        for part in self.verb.iter().flat_map(|verb| verb.split(':')) {
            path.push(':');
            percent::encode(part, false, &mut path);
        }
        Ok(path)
    }
}

impl Variable {
    /// Returns the path of the field that the variable binds, such as `book.name`.
    pub fn field_path(&self) -> &str {
        &self.field_path
    }

    /// Returns the range of the template's segments that the variable covers.
    pub fn segments(&self) -> Range<usize> {
        self.segments.clone()
    }

    /// True if the variable can have several segments. In the value of such a variable, a slash separates segments, and by
    /// default `%2F` stays encoded.
    pub fn is_multi_segment(&self) -> bool {
        self.multi
    }

    /// True if `value` matches the segments of the variable.
    fn fits(&self, segments: &[Segment], value: &str) -> bool {
        let pattern = &segments[self.segments.clone()];
        if !self.multi {
            return match &pattern[0] {
                Segment::Literal(text) => **text == *value,
                _ => !value.is_empty(),
            };
        }
        let parts: Vec<&str> = match value {
            "" => Vec::new(),
            value => value.split('/').collect(),
        };
        let one = |(segment, part): (&Segment, &&str)| match segment {
            Segment::Literal(text) => **text == **part,
            _ => !part.is_empty(),
        };
        match pattern.iter().position(|segment| *segment == Segment::Rest) {
            None => pattern.len() == parts.len() && pattern.iter().zip(&parts).all(one),
            Some(rest) => {
                let after = pattern.len() - rest - 1;
                parts.len() >= rest + after
                    && pattern[..rest].iter().zip(&parts).all(one)
                    && pattern[rest + 1..].iter().zip(&parts[parts.len() - after..]).all(one)
            }
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
