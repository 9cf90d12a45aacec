//! `google.protobuf.Any`: an object that names the type of its content.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/#any>.

use super::{Json, Opens};
use crate::de::source::Context;
use crate::error::Result;
use crate::known::text::quoted;
use crate::plan::{MessagePlan, WellKnown};
use std::borrow::Cow;

impl<'de> Json<'de> {
    /// Reads an `Any`: its type URL and its content as wire bytes; both are empty for `{}`.
    pub(super) fn any(&mut self, cx: Context<'_>, plan: &MessagePlan) -> Result<(Cow<'de, str>, Vec<u8>)> {
        let start = self.cursor;
        self.open_object(plan)?;
        if self.cursor.token() == Some(b'}') {
            self.cursor.bump();
            return Ok((Cow::Borrowed(""), Vec::new()));
        }
        let url = self.find_url(cx)?;
        let name = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(
                self.error(format!("the type URL {} has no name of a type after a slash", quoted(&url)))
            );
        };
        let Some(descriptor) = self.pool().message(name) else {
            return Err(self.error(format!("the type {} of an Any is not known", quoted(name))));
        };
        let set = descriptor.plans()?;
        self.cursor = start;
        self.start = start.position();
        let value = match set.root().known {
            WellKnown::No => {
                self.opens = Opens::Content;
                self.relay(set, cx.depth)?
            }
            _ => {
                self.cursor.bump();
                self.special(cx, set)?
            }
        };
        Ok((url, value))
    }

    /// Looks for the member `@type` from the first member on, and reads it.
    fn find_url(&mut self, cx: Context<'_>) -> Result<Cow<'de, str>> {
        let start = self.start;
        loop {
            let is_url = self.any_member()? == "@type";
            self.at_value();
            if is_url {
                return match self.cursor.peek() {
                    Some(b'"') => self.cursor.string(),
                    _ => Err(self.mismatch("the type URL of an Any as a string")),
                };
            }
            self.skip(cx)?;
            match self.at_value() {
                Some(b',') => self.cursor.bump(),
                Some(b'}') => return Err(self.cursor.error(start, "an Any without the member \"@type\"")),
                _ => return Err(self.cursor.unexpected("`,` or `}`")),
            }
        }
    }

    /// The name of a member of an `Any`; the cursor goes past the colon.
    fn any_member(&mut self) -> Result<Cow<'de, str>> {
        if self.at_value() != Some(b'"') {
            return Err(self.cursor.unexpected("the name of a member"));
        }
        let name = self.cursor.string()?;
        self.cursor.colon()?;
        Ok(name)
    }

    /// The members of an `Any` whose content has a form of its own, which is under `value`.
    fn special(&mut self, cx: Context<'_>, set: &crate::plan::PlanSet) -> Result<Vec<u8>> {
        let start = self.start;
        let (mut url, mut value) = (false, None);
        loop {
            let name = self.any_member()?;
            let at = self.start;
            self.at_value();
            match &*name {
                "@type" if !std::mem::replace(&mut url, true) => self.skip(cx)?,
                "value" if value.is_none() => value = Some(self.relay(set, cx.depth)?),
                "@type" | "value" => {
                    return Err(self.cursor.error(at, format!("the member {name:?} comes twice")));
                }
                _ if self.settings.ignore_unknown => self.skip(cx)?,
                _ => {
                    self.start = at;
                    return Err(self.no_field(&name));
                }
            }
            match self.at_value() {
                Some(b',') => self.cursor.bump(),
                Some(b'}') => break,
                _ => return Err(self.cursor.unexpected("`,` or `}`")),
            }
        }
        self.cursor.bump();
        value.ok_or_else(|| {
            let name = &set.root().full_name;
            self.cursor.error(start, format!("an Any of type {name} without the member \"value\""))
        })
    }
}
