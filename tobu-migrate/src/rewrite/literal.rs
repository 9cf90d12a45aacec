//! Rewrites struct literals: `Book { title, pages: 3, ..Default::default() }` becomes
//! `Book::builder().title(title).pages(3).build()`.

use std::ops::Range;

use syn::{Expr, ExprStruct, FieldValue};

use super::value::{Given, is_default};
use super::write::{Argument, is_none, some_of};
use crate::names::plain;
use crate::report::Level;
use crate::ty::Ty;
use crate::walk::{Use, Walker};
use tobu_build::catalog::BUILD;
use tobu_build::catalog::{MemberKind, MessageType, Shape, Value};

/// The code that replaces one member of a literal.
enum Setter<'e> {
    /// The member needs no call, because its value is the one with which the builder starts.
    Omitted,
    Called {
        method: String,
        argument: Argument<'e>,
        /// The text after the argument.
        after: &'static str,
    },
}

impl<'w> Walker<'w> {
    pub(crate) fn literal(&mut self, literal: &ExprStruct) {
        let message = match self.resolve_path(&literal.path) {
            Ty::Message(index) if self.is_chosen(index) => &self.catalog.messages[index],
            _ => {
                literal.fields.iter().for_each(|field| self.walk(&field.expr, Use::Value));
                return literal.rest.iter().for_each(|rest| self.walk(rest, Use::Value));
            }
        };
        let at = self.range_of(&literal.path).start;
        match self.setters(literal, message) {
            Err(reason) => self.leave(None, at, reason),
            Ok(setters) if self.may(Level::Green, at, "") => self.build(literal, message, &setters),
            Ok(_) => {}
        }
        literal.fields.iter().for_each(|field| self.walk(&field.expr, Use::Value));
    }

    fn setters<'e>(
        &mut self,
        literal: &'e ExprStruct,
        message: &'w MessageType,
    ) -> Result<Vec<Setter<'e>>, &'static str> {
        if self.is_const {
            return Err("a builder cannot be called in a constant");
        }
        if literal.fields.iter().any(|field| !field.attrs.is_empty()) {
            return Err("a member has an attribute");
        }
        if literal.rest.as_ref().is_some_and(|rest| !is_default(rest)) {
            return Err("the other members come from another message");
        }
        literal.fields.iter().map(|field| self.setter(field, message)).collect()
    }

    fn setter<'e>(
        &mut self,
        field: &'e FieldValue,
        message: &'w MessageType,
    ) -> Result<Setter<'e>, &'static str> {
        let syn::Member::Named(name) = &field.member else { return Err("a member without a name") };
        let name = plain(name);
        let value = &field.expr;
        if message.unknown.as_deref() == Some(name.as_str()) {
            let is_new = is_default(value) || matches!(value, Expr::Call(call) if call.args.is_empty());
            return if is_new { Ok(Setter::Omitted) } else { Err("builders do not take unknown fields") };
        }
        let Some(member) = message.members.iter().find(|member| member.name == name) else {
            return Err("the message has no such member");
        };
        if is_default(value) {
            return Ok(Setter::Omitted);
        }
        let maybe = |method: &str, is_boxed| Setter::Called {
            method: method.to_owned(),
            argument: Argument { expr: value, insert: None, problem: None },
            after: if is_boxed { ".map(|value| *value)" } else { "" },
        };
        let called = |method: &str, argument: Option<Argument<'e>>| match argument {
            Some(Argument { problem: Some(problem), .. }) => Err(problem),
            Some(argument) => Ok(Setter::Called { method: method.to_owned(), argument, after: "" }),
            None => Ok(Setter::Omitted),
        };
        match &member.kind {
            MemberKind::Field(Shape::Plain(Value::Custom | Value::Message(_)), _)
            | MemberKind::Field(Shape::Optional { value: Value::Custom, .. }, _) => {
                Err("a member has a type of its own, which builders may not take")
            }
            MemberKind::Field(Shape::Optional { value: kind, is_boxed, .. }, methods) => match some_of(value)
            {
                Some(inner) => {
                    let argument = self.given(inner, &Given::of_value(*kind, *is_boxed));
                    called(&methods.build, argument)
                }
                None if is_none(value) => Ok(Setter::Omitted),
                None => Ok(maybe(&methods.maybe, *is_boxed)),
            },
            MemberKind::Field(shape, methods) => {
                let argument = self.given(value, &Given::of(shape));
                called(&methods.build, argument)
            }
            MemberKind::Oneof(index, methods) => match self.variant_of(*index, value) {
                Some((variant, inner)) => {
                    let argument = self.variant_given(*index, variant, inner);
                    called(&methods.fields[variant].build, argument)
                }
                None if is_none(value) => Ok(Setter::Omitted),
                None => Ok(maybe(&methods.maybe, false)),
            },
        }
    }

    /// Writes the calls of a builder. The text between them, such as values, line breaks and comments, stays unchanged.
    fn build(&mut self, literal: &ExprStruct, message: &MessageType, setters: &[Setter<'_>]) {
        let open = self.range(literal.brace_token.span.open());
        let close = self.range(literal.brace_token.span.close());
        let is_commented = self.source[open.end..close.start].contains('/');
        if !is_commented && setters.iter().all(|setter| matches!(setter, Setter::Omitted)) {
            return self.edits.replace(self.range_of(&literal.path).end..close.end, "::default()");
        }
        let builder = format!("::{}()", message.builder);
        self.edits.replace(self.range_of(&literal.path).end..open.end, builder);
        let mut at = open.end;
        for (pair, setter) in literal.fields.pairs().zip(setters) {
            let field = self.range_of(pair.value());
            let comma = pair.punct().map(|comma| self.range_of(comma));
            let end = comma.as_ref().map_or(field.end, |comma| comma.end);
            match setter {
                Setter::Omitted => {
                    let before = self.source[..field.start].trim_end_matches([' ', '\t']).len();
                    // If the member is alone on its line, the line is removed, too.
                    let is_alone = self.source[..before].ends_with('\n')
                        && self.source[end..].trim_start_matches([' ', '\t']).starts_with('\n');
                    if is_alone && before > at {
                        self.edits.remove(before - 1..end);
                    } else {
                        self.close_gap(at..field.start);
                        self.edits.remove(field.start..end);
                    }
                    at = end;
                    continue;
                }
                Setter::Called { method, argument, after } => {
                    self.close_gap(at..field.start);
                    self.set_in_builder(pair.value(), method, argument, after);
                }
            }
            if let Some(comma) = comma {
                self.edits.remove(field.end..comma.end);
            }
            at = end;
        }
        let last = literal.dot2_token.as_ref().map_or(close.start, |dots| self.range_of(dots).start);
        self.close_gap(at..last);
        // A closing brace on its own line has one step of indentation less than the lines before it.
        let is_own_line = literal.dot2_token.is_none() && self.source[at..last].contains('\n');
        let indent = if is_own_line { "    " } else { "" };
        self.edits.replace(last..close.end, format!("{indent}.{BUILD}()"));
    }

    fn set_in_builder(&mut self, field: &FieldValue, method: &str, argument: &Argument<'_>, after: &str) {
        let whole = self.range_of(field);
        let value = self.range_of(argument.expr);
        self.insert(argument.insert);
        if field.colon_token.is_some() {
            self.edits.replace(whole.start..value.start, format!(".{method}("));
            self.edits.replace(value.end..whole.end, format!("{after})"));
        } else {
            let name = self.text_of(&field.expr);
            self.edits.replace(whole, format!(".{method}({name}{after})"));
        }
    }

    /// Removes spaces between two calls. Line breaks and comments stay.
    fn close_gap(&mut self, gap: Range<usize>) {
        let text = &self.source[gap.clone()];
        if !text.is_empty() && text.chars().all(|c| c == ' ') {
            self.edits.remove(gap);
        }
    }
}
