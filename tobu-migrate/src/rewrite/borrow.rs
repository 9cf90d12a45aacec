//! Rewrites borrows of members: `&book.title` becomes `book.title()`, and `&mut shelf.books` becomes
//! `shelf.books_mut()`.

use syn::spanned::Spanned;
use syn::{Block, Expr, ExprReference, Pat};

use super::access::{Access, Target};
use crate::functions::Text;
use crate::names::plain;
use crate::report::Level;
use crate::ty::Ty;
use crate::walk::{Use, Walker};
use tobu_build::catalog::FieldMethods;
use tobu_build::catalog::{MemberKind, Shape, Value};

impl Walker<'_> {
    pub(crate) fn reference(&mut self, reference: &ExprReference, usage: Use) {
        let is_mut = reference.mutability.is_some();
        let Some(access) = self.access(&reference.expr) else {
            if !is_mut && self.unwrapped_reference(reference) {
                return;
            }
            return self.walk(&reference.expr, Use::Base(is_mut));
        };
        // Nothing checks how long the program uses a variable with a mutable borrow, so the level is red.
        let level = if is_mut && usage == Use::Kept { Level::Red } else { access.level };
        self.borrow(reference, &access, level, usage);
    }

    /// Rewrites `&x.address.unwrap_or_default()` to `x.address()`, because the accessor already returns a
    /// reference. Returns true if the expression has this form.
    fn unwrapped_reference(&mut self, reference: &ExprReference) -> bool {
        let Expr::MethodCall(call) = &*reference.expr else { return false };
        let before = self.edits.len();
        if !self.unwrapped(call, Use::Base(false)) {
            return false;
        }
        let is_scalar = matches!(self.infer(&reference.expr).peeled(), Ty::Scalar);
        if self.edits.len() > before && !is_scalar {
            self.edits.remove(self.range_of(reference).start..self.range_of(call).start);
        }
        true
    }

    fn borrow(&mut self, reference: &ExprReference, access: &Access<'_, '_>, level: Level, usage: Use) {
        let is_mut = reference.mutability.is_some();
        let base = Use::Base(is_mut);
        match access.target {
            Target::UnknownFields(message) => {
                let method = if is_mut { &message.unknown_mut } else { &message.unknown_get };
                self.borrow_by(reference, access, level, method);
            }
            Target::Member(member) => match &member.kind {
                MemberKind::Field(Shape::Optional { value, .. }, methods) => {
                    self.borrow_optional(reference, access, level, (*value, methods), usage);
                }
                MemberKind::Oneof(_, methods) if matches!(usage, Use::Scrutinee(_)) => {
                    let method = if is_mut { &methods.get_mut } else { &methods.which };
                    self.borrow_by(reference, access, level, method);
                }
                MemberKind::Oneof(..) => self.decline(access, base, "a reference to the `Option` of a oneof"),
                MemberKind::Field(Shape::Plain(Value::Custom | Value::Message(_)), _) => {
                    self.read(access, base)
                }
                MemberKind::Field(_, methods) if is_mut => {
                    self.borrow_by(reference, access, level, &methods.get_mut);
                }
                // The getter returns a copy, and the new code borrows this copy.
                MemberKind::Field(Shape::Plain(Value::Scalar), methods) => {
                    self.call_accessor(access, level, &methods.get, base);
                }
                MemberKind::Field(Shape::Plain(Value::Text), _) if usage == Use::Argument(Text::String) => {
                    self.decline(
                        access,
                        base,
                        "it is for a parameter with `&String`, which can be a `&str` first",
                    );
                }
                MemberKind::Field(Shape::Plain(_), methods) => {
                    let is_sure = matches!(
                        usage,
                        Use::Argument(Text::Str) | Use::Compared | Use::Shared | Use::Base(_)
                    );
                    let level = if is_sure { level } else { level.max(Level::Yellow) };
                    self.borrow_by(reference, access, level, &methods.get);
                }
                MemberKind::Field(_, methods) => self.borrow_by(reference, access, level, &methods.get),
            },
        }
    }

    /// Rewrites a reference to an `Option`. This is possible only if a pattern destructures the reference at once.
    fn borrow_optional(
        &mut self,
        reference: &ExprReference,
        access: &Access<'_, '_>,
        level: Level,
        (value, methods): (Value, &FieldMethods),
        usage: Use,
    ) {
        let is_mut = reference.mutability.is_some();
        let base = Use::Base(is_mut);
        if value == Value::Custom || !matches!(usage, Use::Scrutinee(_)) {
            return self.decline(access, base, "a reference to an `Option`, which accessors do not have");
        }
        if is_mut {
            let before = self.range_of(reference).start..self.range_of(access.base).start;
            let get = format!("#.{}()", methods.get_mut);
            return self.without_sign(before, |walker| {
                walker.option_in(access, level, access.name.clone(), (&methods.has, &get));
            });
        }
        // For a scalar, the new code has a copy and the old code has a reference, so the level is yellow.
        let level = if value == Value::Scalar { level.max(Level::Yellow) } else { level };
        let before = self.range_of(reference).start..self.range_of(access.base).start;
        self.without_sign(before, |walker| walker.option_of(access, level, methods, ""));
    }

    /// Calls `rewrite`, and removes a `&` if `rewrite` changed the operand.
    fn without_sign(&mut self, sign: std::ops::Range<usize>, rewrite: impl FnOnce(&mut Self)) {
        let before = self.edits.len();
        rewrite(self);
        if self.edits.len() > before {
            self.edits.remove(sign);
        }
    }

    fn borrow_by(&mut self, reference: &ExprReference, access: &Access<'_, '_>, level: Level, method: &str) {
        if self.allows(access, level) {
            let sign = self.range_of(reference).start..self.range_of(&reference.expr).start;
            self.edits.remove(sign);
            self.edits.replace(access.name.clone(), format!("{method}()"));
        }
        self.walk(access.base, Use::Base(reference.mutability.is_some()));
    }

    /// Rewrites `if let Some(x) = &shelf.address { .. }` to `if shelf.has_address() { let x = shelf.address(); ..
    /// }`.
    ///
    /// Returns true if the condition has this form.
    pub(super) fn if_set(&mut self, item: &syn::ExprLet, then: &Block) -> bool {
        let Pat::TupleStruct(pattern) = &*item.pat else { return false };
        let (true, Some(Pat::Ident(bound)), 1) =
            (pattern.path.is_ident("Some"), pattern.elems.first(), pattern.elems.len())
        else {
            return false;
        };
        if bound.subpat.is_some() || bound.by_ref.is_some() {
            return false;
        }
        let (inner, is_mut) = match &*item.expr {
            Expr::Reference(reference) => (&*reference.expr, reference.mutability.is_some()),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "as_ref" | "as_deref" => (&*call.receiver, false),
                "as_mut" | "as_deref_mut" => (&*call.receiver, true),
                _ => return false,
            },
            _ => return false,
        };
        let Some(access) = self.access(inner) else { return false };
        let Some((&Shape::Optional { value, .. }, methods)) = access.field() else { return false };
        let methods = methods.clone();
        if value == Value::Custom || !access.is_plain(self) {
            return false;
        }
        if !self.allows(&access, access.level) {
            return true;
        }
        let base = self.text_of(access.base);
        let cond = self.range_of(item);
        self.edits.replace(cond.clone(), format!("{base}.{}()", methods.has));
        let method = if is_mut { &methods.get_mut } else { &methods.get };
        let sign = if value == Value::Scalar && !is_mut { "&" } else { "" };
        let mutability = if bound.mutability.is_some() { "mut " } else { "" };
        let open = self.range(then.brace_token.span.open().span()).end;
        let line = format!("let {mutability}{} = {sign}{base}.{method}();", plain(&bound.ident));
        let first = then.stmts.first().map(|statement| self.range_of(statement).start);
        let text = match first {
            Some(first) if self.source[open..first].contains('\n') => {
                format!("\n{}{line}", self.indent_at(first))
            }
            _ => format!(" {line}"),
        };
        self.edits.insert(open, text);
        true
    }

    /// Returns the white space at the start of the line with this position.
    pub(super) fn indent_at(&self, at: usize) -> &str {
        let start = self.source[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.source[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }
}
