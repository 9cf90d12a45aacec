//! Rewrites assignments to members: `book.title = x` becomes `book.set_title(x)`, and `book.pages += 1` becomes
//! `*book.pages_mut() += 1`.

use syn::{Expr, ExprAssign, ExprBinary};

use super::access::{Access, Target};
use super::value::{Given, is_default};
use crate::report::Level;
use crate::walk::{Use, Walker};
use crate::writes;
use tobu_build::catalog::FieldMethods;
use tobu_build::catalog::{MemberKind, Shape, Value};

impl Walker<'_> {
    pub(crate) fn assign(&mut self, assign: &ExprAssign) {
        let Some(access) = self.access(&assign.left) else {
            self.walk(&assign.left, Use::Base(true));
            return self.walk(&assign.right, Use::Value);
        };
        let right = &*assign.right;
        // The new code borrows the message before it evaluates the value, unless the expression before the member is plain. So
        // the level is red if the value uses the message.
        let meets = !access.is_plain(self) && access.root().is_some_and(|root| writes::names(right, &root));
        let level = if meets { Level::Red } else { access.level };
        match access.target {
            Target::UnknownFields(message) => {
                if self.allows(&access, level) {
                    self.edits.insert(self.range_of(assign).start, "*");
                    self.edits.replace(access.name.clone(), format!("{}()", message.unknown_mut));
                }
                self.walk(right, Use::Value);
            }
            Target::Member(member) => match &member.kind {
                MemberKind::Field(Shape::Optional { value, is_boxed, .. }, methods) => {
                    self.assign_optional(&access, level, right, (*value, *is_boxed, methods));
                }
                MemberKind::Field(Shape::Plain(Value::Custom | Value::Message(_)), _) => {
                    self.leave(
                        None,
                        access.name.start,
                        "the member has a type of its own, which setters may not take",
                    );
                    self.walk(right, Use::Value);
                }
                MemberKind::Field(shape, methods) => {
                    if is_default(right) {
                        self.set(&access, level, right, &methods.clear, None);
                    } else {
                        let given = self.given(right, &Given::of(shape));
                        self.set(&access, level, right, &methods.set, given);
                    }
                }
                MemberKind::Oneof(index, methods) => {
                    if is_none(right) {
                        self.set(&access, level, right, &methods.clear, None);
                    } else if let Some((variant, value)) = self.variant_of(*index, right) {
                        let set = methods.fields[variant].set.clone();
                        let given = self.variant_given(*index, variant, value);
                        self.set(&access, level, right, &set, given);
                    } else {
                        let given = self.given(right, &Given::Into);
                        self.set(&access, level, right, &methods.set, given);
                    }
                }
            },
        }
        self.walk(access.base, Use::Base(true));
    }

    fn assign_optional(
        &mut self,
        access: &Access<'_, '_>,
        level: Level,
        right: &Expr,
        (value, is_boxed, methods): (Value, bool, &FieldMethods),
    ) {
        if value == Value::Custom {
            self.leave(
                None,
                access.name.start,
                "the member has a type of its own, which setters may not take",
            );
            return self.walk(right, Use::Value);
        }
        if is_none(right) || is_default(right) {
            return self.set(access, level, right, &methods.clear, None);
        }
        if let Some(inner) = some_of(right) {
            let given = self.given(inner, &Given::of_value(value, is_boxed));
            return self.set(access, level, right, &methods.set, given);
        }
        // The value is an option, and the source does not show whether it is `None`.
        if !access.is_plain(self) || is_boxed {
            self.leave(None, access.name.start, "an `Option` is assigned, and setters take none");
            return self.walk(right, Use::Value);
        }
        let base = self.text_of(access.base);
        if self.allows(access, level) {
            let whole = self.range_of(access.base).start..self.range_of(right).start;
            self.edits.replace(whole, "match ");
            let arms = format!(
                " {{ Some(value) => {base}.{}(value), None => {base}.{}() }}",
                methods.set, methods.clear
            );
            self.edits.insert(self.range_of(right).end, arms);
        }
        self.walk(right, Use::Value);
    }

    /// Replaces `member = right` by `setter(value)`, or by `setter()` if `given` is `None`. If the argument has a problem,
    /// reports the problem instead.
    fn set(
        &mut self,
        access: &Access<'_, '_>,
        level: Level,
        right: &Expr,
        setter: &str,
        given: Option<Argument<'_>>,
    ) {
        let name = access.name.clone();
        let end = self.range_of(right).end;
        match given {
            None => {
                if self.allows(access, level) {
                    self.edits.replace(name.start..end, format!("{setter}()"));
                }
            }
            Some(Argument { expr, problem: Some(problem), .. }) => {
                self.leave(None, name.start, problem);
                self.walk(expr, Use::Value);
            }
            Some(Argument { expr, insert, problem: None }) => {
                if self.allows(access, level) {
                    let value = self.range_of(expr);
                    self.edits.replace(name.start..value.start, format!("{setter}("));
                    self.insert(insert);
                    self.edits.replace(value.end..end, ")");
                }
                self.walk(expr, Use::Value);
            }
        }
    }

    pub(super) fn insert(&mut self, text: Option<(usize, &'static str)>) {
        if let Some((at, text)) = text {
            self.edits.insert(at, text);
        }
    }

    pub(crate) fn binary(&mut self, binary: &ExprBinary, usage: Use) {
        if writes::is_compound(&binary.op) {
            return self.compound(binary);
        }
        use syn::BinOp;
        match binary.op {
            BinOp::Eq(_) | BinOp::Ne(_) => self.comparison(binary, usage),
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => self.ordering(binary),
            _ => {
                self.walk(&binary.left, Use::Operand);
                self.walk(&binary.right, Use::Operand);
            }
        }
    }

    fn compound(&mut self, binary: &ExprBinary) {
        let Some(access) = self.access(&binary.left) else {
            self.walk(&binary.left, Use::Base(true));
            return self.walk(&binary.right, Use::Value);
        };
        let around = self.pinned.clone();
        match access.field().map(|(shape, methods)| (shape.clone(), methods.get_mut.clone())) {
            Some((Shape::Plain(value @ (Value::Scalar | Value::Text)), get_mut)) => {
                // `+=` evaluates its right side first for numbers, and last for strings.
                let root =
                    access.root().filter(|root| value == Value::Text && writes::names(&binary.right, root));
                let level = if root.is_some() { Level::Red } else { access.level };
                self.pinned.extend(root);
                if self.allows(&access, level) {
                    self.edits.insert(self.range_of(&binary.left).start, "*");
                    self.edits.replace(access.name.clone(), format!("{get_mut}()"));
                }
            }
            _ => self.leave(None, access.name.start, "accessors have nothing to change in place here"),
        }
        self.walk(access.base, Use::Base(true));
        self.walk(&binary.right, Use::Value);
        self.pinned = around;
    }
}

pub(super) struct Argument<'e> {
    pub(super) expr: &'e Expr,
    /// A position in the argument, and the text to insert there so that the argument has the right type.
    pub(super) insert: Option<(usize, &'static str)>,
    /// The reason why the expression cannot be an argument.
    pub(super) problem: Option<&'static str>,
}

pub(super) fn is_none(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.segments.last().is_some_and(|name| name.ident == "None"))
}

/// Returns the value in `Some(value)`; `None` for other expressions.
pub(super) fn some_of(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let is_some = path.path.segments.last().is_some_and(|name| name.ident == "Some");
    if is_some && call.args.len() == 1 { call.args.first() } else { None }
}
