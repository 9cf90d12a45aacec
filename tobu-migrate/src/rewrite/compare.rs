//! Rewrites comparisons of members: `shelf.theme == None` becomes `!shelf.has_theme()`, and `shelf.name == "a"` becomes
//! `shelf.name() == "a"`.

use syn::{BinOp, Expr, ExprBinary, UnOp};

use super::access::{Access, Target};
use super::write::{is_none, some_of};
use crate::walk::{Use, Walker};
use tobu_build::catalog::{MemberKind, Shape, Value};

impl Walker<'_> {
    pub(super) fn comparison(&mut self, binary: &ExprBinary, usage: Use) {
        let is_equal = matches!(binary.op, BinOp::Eq(_));
        for (member, other) in [(&*binary.left, &*binary.right), (&*binary.right, &*binary.left)] {
            if !is_none(other) && some_of(other).is_none() {
                continue;
            }
            let is_left = std::ptr::eq(member, &*binary.left);
            let Some(access) = self.access(member) else { continue };
            if self.compared_option(binary, &access, (other, is_left, is_equal), usage) {
                return;
            }
        }
        for (side, other) in [(&*binary.left, &*binary.right), (&*binary.right, &*binary.left)] {
            self.compared(side, other);
        }
    }

    /// Rewrites the comparison of an option with `None` or `Some(x)`. Returns false if the comparison cannot be rewritten.
    fn compared_option(
        &mut self,
        binary: &ExprBinary,
        access: &Access<'_, '_>,
        (other, is_left, is_equal): (&Expr, bool, bool),
        usage: Use,
    ) -> bool {
        let Target::Member(member) = access.target else { return false };
        let (has, get, value) = match &member.kind {
            MemberKind::Oneof(_, methods) => (&methods.has, None, Value::Custom),
            MemberKind::Field(Shape::Optional { value, is_boxed, .. }, methods) => {
                (&methods.has, (!is_boxed).then_some(&methods.get), *value)
            }
            MemberKind::Field(..) => return false,
        };
        let whole = self.range_of(binary);
        let is_tight = matches!(usage, Use::Base(_) | Use::Operand);
        let (base, base_start) = (self.text_of(access.base), self.range_of(access.base).start);
        if is_none(other) {
            if self.allows(access, access.level) {
                self.edits.remove(whole.start..base_start);
                let not = if is_equal { "!" } else { "" };
                self.edits.insert(base_start, not);
                self.edits.replace(access.name.start..whole.end, format!("{has}()"));
            }
            self.walk(access.base, Use::Base(false));
            return true;
        }
        let (Some(get), Some(inner), true, true) = (get, some_of(other), is_left, access.is_plain(self))
        else {
            return false;
        };
        if value == Value::Custom {
            return false;
        }
        if self.allows(access, access.level) {
            let star = if matches!(value, Value::Message(_)) { "*" } else { "" };
            let inner = self.range_of(inner);
            let text = match is_equal {
                true => format!("{has}() && {star}{base}.{get}() == "),
                false => format!("{has}() || {star}{base}.{get}() != "),
            };
            // The new code has an operator. If the comparison is an operand, the new code needs parentheses.
            let (open, close) = if is_tight { ("(", ")") } else { ("", "") };
            self.edits.insert(whole.start, if is_equal { open.to_owned() } else { format!("{open}!") });
            self.edits.replace(access.name.start..inner.start, text);
            self.edits.replace(inner.end..whole.end, close);
        }
        self.walk(some_of(other).unwrap_or(other), Use::Compared);
        true
    }

    pub(crate) fn compared(&mut self, side: &Expr, other: &Expr) {
        let is_unsized = matches!(other, Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)));
        match self.access(side) {
            // A `&str` cannot be compared with a `str`.
            Some(access) if is_unsized && is_text(&access) => {
                self.decline(&access, Use::Base(false), "it is compared with a `str` or a `[u8]`");
            }
            Some(access) => self.compared_access(&access, side, other),
            None => self.walk(side, Use::Compared),
        }
    }

    /// Rewrites an option on one side of a comparison, in `assert_eq!` or if `compared_option` has not rewritten the
    /// comparison.
    fn compared_access(&mut self, access: &Access<'_, '_>, side: &Expr, other: &Expr) {
        let Some((&Shape::Optional { value, is_boxed: false, .. }, methods)) = access.field() else {
            return self.walk(side, Use::Compared);
        };
        let methods = methods.clone();
        let by_reference = match (value, some_of(other)) {
            (Value::Message(_), Some(inner)) => Some(inner),
            (Value::Message(_) | Value::Text | Value::Bytes, None) if is_none(other) => None,
            _ => return self.walk(side, Use::Compared),
        };
        let before = self.edits.len();
        self.option_of(access, access.level, &methods, "");
        // The accessor returns a reference, so the other side must be a reference, too.
        if let Some(inner) = by_reference
            && self.edits.len() > before
        {
            self.edits.insert(self.range_of(inner).start, "&");
        }
    }

    /// Rewrites operators such as `<`. Both sides must have the same type, so either both sides change or neither does.
    pub(super) fn ordering(&mut self, binary: &ExprBinary) {
        let sides = [&*binary.left, &*binary.right].map(|side| self.access(side));
        let is_text = |access: &Option<Access<'_, '_>>| access.as_ref().is_some_and(is_text);
        for (i, side) in [&*binary.left, &*binary.right].into_iter().enumerate() {
            match &sides[i] {
                Some(access) if is_text(&sides[i]) && !is_text(&sides[1 - i]) => {
                    self.decline(access, Use::Base(false), "it is ordered next to another `String` or `Vec`");
                }
                _ => self.walk(side, Use::Compared),
            }
        }
    }
}

fn is_text(access: &Access<'_, '_>) -> bool {
    matches!(access.field(), Some((Shape::Plain(Value::Text | Value::Bytes), _)))
}
