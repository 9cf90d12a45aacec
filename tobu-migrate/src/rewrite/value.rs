//! Decides how to pass values to setters and builders: some types are converted, and others must match exactly.

use syn::{Expr, ExprMethodCall};

use super::write::{Argument, some_of};
use crate::names::segments;
use crate::ty::Ty;
use crate::walk::Walker;
use tobu_build::catalog::{Shape, Value};

/// What a setter does with its argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given {
    /// The setter takes exactly the type of the member.
    Exact,
    /// The member is a box, and the setter takes the value inside it.
    Unboxed,
    /// The setter takes any type that implements `Into`, so the type of the argument must be known.
    Into,
    /// The setter takes any type that implements `Into`, and `collect` can return the type. The text is the type
    /// argument of `collect`.
    Collected(&'static str),
}

impl Given {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Plain(value) => Given::of_value(*value, false),
            Shape::Optional { value, is_boxed, .. } => Given::of_value(*value, *is_boxed),
            Shape::List(_) => Given::Collected("::<Vec<_>>"),
            Shape::Map(_) => Given::Into,
        }
    }

    pub(super) fn of_value(value: Value, is_boxed: bool) -> Self {
        match value {
            _ if is_boxed => Given::Unboxed,
            Value::Text => Given::Collected("::<String>"),
            Value::Bytes => Given::Collected("::<Vec<_>>"),
            _ => Given::Exact,
        }
    }
}

impl Walker<'_> {
    /// Returns the argument with which the setter is called.
    pub(super) fn given<'e>(&mut self, expr: &'e Expr, given: &Given) -> Option<Argument<'e>> {
        let argument = |expr, problem| Some(Argument { expr, insert: None, problem });
        match given {
            Given::Exact => return argument(expr, None),
            Given::Unboxed => {
                return match new_box_of(expr) {
                    Some(inner) => argument(inner, None),
                    None => argument(expr, Some("the value is in a box, and setters take what is in it")),
                };
            }
            Given::Into | Given::Collected(_) => {}
        }
        if let Expr::MethodCall(call) = expr {
            // The setter itself calls `into`.
            if is_method(call, "into") {
                return argument(&call.receiver, None);
            }
            if let (true, Given::Collected(ty)) = (is_method(call, "collect"), given) {
                let at = self.range(call.method.span()).end;
                return Some(Argument { expr, insert: Some((at, ty)), problem: None });
            }
        }
        let problem = is_inferred(expr).then_some("the type of the value is inferred from the member");
        argument(expr, problem)
    }

    /// Returns the field of the oneof that `Some(shelf::Owner::Person(value))` sets, and the value.
    pub(super) fn variant_of<'e>(&mut self, oneof: usize, expr: &'e Expr) -> Option<(usize, &'e Expr)> {
        let Expr::Call(call) = some_of(expr)? else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        let (name, value) = (segments(&path.path).pop()?, call.args.first()?);
        if self.parent(&path.path) != Ty::Oneof(oneof) {
            return None;
        }
        let variants = &self.catalog.oneofs.get(oneof)?.variants;
        Some((variants.iter().position(|variant| variant.name == name)?, value))
    }

    pub(super) fn variant_given<'e>(
        &mut self,
        oneof: usize,
        variant: usize,
        value: &'e Expr,
    ) -> Option<Argument<'e>> {
        let variant = &self.catalog.oneofs.get(oneof)?.variants[variant];
        let given = match variant.value {
            Value::Custom => Given::Exact,
            value => Given::of_value(value, variant.is_boxed),
        };
        self.given(value, &given)
    }
}

/// True for a call without arguments such as `Default::default()` or `Book::default()`.
pub(super) fn is_default(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    let names = segments(&path.path);
    call.args.is_empty() && names.last().is_some_and(|name| name == "default")
}

fn new_box_of(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let names = segments(&path.path);
    names.ends_with(&["Box".to_owned(), "new".to_owned()]).then(|| call.args.first()).flatten()
}

fn is_method(call: &ExprMethodCall, name: &str) -> bool {
    call.method == name && call.turbofish.is_none()
}

/// True for a value whose type depends on its use.
fn is_inferred(expr: &Expr) -> bool {
    match expr {
        Expr::Try(inner) => is_inferred(&inner.expr),
        Expr::Await(inner) => is_inferred(&inner.base),
        Expr::Paren(inner) => is_inferred(&inner.expr),
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "into" | "parse" | "collect" | "sum" | "product" | "try_into" => call.turbofish.is_none(),
            "unwrap" | "expect" | "unwrap_or_default" | "map_err" | "ok" | "ok_or" | "ok_or_else"
            | "clone" => is_inferred(&call.receiver),
            _ => false,
        },
        Expr::Call(_) => is_default(expr),
        Expr::If(branch) => branch.then_branch.stmts.last().is_some_and(|last| match last {
            syn::Stmt::Expr(expr, None) => is_inferred(expr),
            _ => false,
        }),
        _ => false,
    }
}
