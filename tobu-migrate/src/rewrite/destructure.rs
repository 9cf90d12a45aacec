//! Rewrites patterns that destructure a message: `let Book { title, .. } = book;` becomes one line for each member.

use heck::ToSnakeCase;
use syn::visit::{self, Visit};
use syn::{Local, LocalInit, Pat, PatStruct};

use crate::names::plain;
use crate::report::Level;
use crate::ty::Ty;
use crate::walk::{Use, Walker};
use tobu_build::catalog::{MemberKind, MessageType, Shape, Value};

const REASON: &str = "a pattern takes a message apart";

impl<'w> Walker<'w> {
    /// Rewrites a `let` whose pattern destructures a message. Returns true if the `let` has this form.
    pub(crate) fn destructure(&mut self, local: &Local, init: &LocalInit) -> bool {
        let Pat::Struct(pattern) = &local.pat else { return false };
        let Some(message) = self.message_of(pattern) else { return false };
        let at = self.range_of(pattern).start;
        let is_owned = !self.infer(&init.expr).is_pointer();
        let Some(reads) = self.reads(pattern, message).filter(|_| is_owned && init.diverge.is_none()) else {
            self.leave(None, at, REASON);
            self.walk(&init.expr, Use::Scrutinee(true));
            self.set_taken_apart(&init.expr);
            return true;
        };
        if self.may(Level::Red, at, REASON) {
            let mut name = message.path.last().map(|name| name.to_snake_case()).unwrap_or_default();
            while self.local(&name).is_some() || reads.iter().any(|read| read.name == name) {
                name.push('_');
            }
            let takes = reads.iter().any(|read| read.is_taken);
            self.edits.replace(self.range_of(pattern), format!("{}{name}", if takes { "mut " } else { "" }));
            let indent = self.indent_at(self.range_of(local).start).to_owned();
            let lines = reads.iter().map(|read| {
                let Read { mutability, name: bound, method, .. } = read;
                format!("\n{indent}let {mutability}{bound} = {name}.{method}();")
            });
            let lines: String = lines.collect();
            self.edits.insert(self.range_of(local).end, lines);
        } else {
            self.set_taken_apart(&init.expr);
        }
        self.walk(&init.expr, Use::Value);
        true
    }

    /// Reports patterns that destructure a message, and rewrites the guards of patterns.
    pub(crate) fn pattern(&mut self, pattern: &Pat) {
        struct Find<'f, 'w>(&'f mut Walker<'w>);
        impl<'ast> Visit<'ast> for Find<'_, '_> {
            fn visit_pat_struct(&mut self, pattern: &'ast PatStruct) {
                if self.0.message_of(pattern).is_some() {
                    let at = self.0.range_of(pattern).start;
                    self.0.leave(None, at, REASON);
                }
                visit::visit_pat_struct(self, pattern);
            }

            fn visit_expr(&mut self, guard: &'ast syn::Expr) {
                self.0.condition(guard);
            }
        }
        Find(self).visit_pat(pattern);
    }

    /// Records that the pattern moved members out of the variable.
    fn set_taken_apart(&mut self, expr: &syn::Expr) {
        if let syn::Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
        {
            self.set_moved(&plain(name));
        }
    }

    fn message_of(&self, pattern: &PatStruct) -> Option<&'w MessageType> {
        match self.resolve_path(&pattern.path) {
            Ty::Message(index) if self.is_chosen(index) => self.catalog.messages.get(index),
            _ => None,
        }
    }

    /// Returns how to read the member for each name in a pattern; `None` if a part of the pattern is not a plain name, or a
    /// member cannot be moved out.
    fn reads(&self, pattern: &PatStruct, message: &MessageType) -> Option<Vec<Read>> {
        let of_field = |field: &syn::FieldPat| {
            let (Pat::Ident(bound), syn::Member::Named(name)) = (&*field.pat, &field.member) else {
                return None;
            };
            if bound.by_ref.is_some() || bound.subpat.is_some() {
                return None;
            }
            let name = plain(name);
            let member = message.members.iter().find(|member| member.name == name)?;
            let (method, is_taken) = match &member.kind {
                MemberKind::Field(Shape::Plain(Value::Custom), _) => return None,
                MemberKind::Field(
                    Shape::Optional { value: Value::Custom, .. } | Shape::Optional { is_boxed: true, .. },
                    _,
                ) => {
                    return None;
                }
                MemberKind::Field(Shape::Plain(Value::Scalar), methods) => (&methods.get, false),
                MemberKind::Field(_, methods) => (&methods.take, true),
                MemberKind::Oneof(_, methods) => (&methods.take, true),
            };
            let mutability = if bound.mutability.is_some() { "mut " } else { "" };
            Some(Read { name: plain(&bound.ident), mutability, method: method.clone(), is_taken })
        };
        pattern.fields.iter().map(of_field).collect()
    }
}

/// How the new code reads the value for one name in a pattern.
struct Read {
    name: String,
    mutability: &'static str,
    method: String,
    /// True if the value is moved out of the message.
    is_taken: bool,
}
