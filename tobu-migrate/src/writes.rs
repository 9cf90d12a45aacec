//! Finds the variables whose members a function changes, and the names that code uses. This matters because a borrow of a
//! member must end before another borrow begins.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

use super::methods;
use super::names::plain;

/// Returns the variables whose members a block changes.
pub(super) fn of(block: &syn::Block) -> HashSet<String> {
    let mut writes = Writes(HashSet::new());
    writes.visit_block(block);
    writes.0
}

/// Returns the variables whose members an expression changes.
pub(super) fn in_expr(expr: &Expr) -> HashSet<String> {
    let mut writes = Writes(HashSet::new());
    writes.visit_expr(expr);
    writes.0
}

/// True if the tokens contain the name of the variable.
pub(super) fn names(tokens: &impl ToTokens, name: &str) -> bool {
    idents(tokens).contains(name)
}

pub(super) fn idents(tokens: &impl ToTokens) -> HashSet<String> {
    fn add(tokens: TokenStream, found: &mut HashSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    found.insert(plain(&ident));
                }
                TokenTree::Group(group) => add(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = HashSet::new();
    add(tokens.to_token_stream(), &mut found);
    found
}

/// Returns the variable with which an expression begins, for example `shelf` for `shelf.books[0].title`.
pub(super) fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(plain),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Paren(inner) => root(&inner.expr),
        Expr::Unary(inner) => root(&inner.expr),
        Expr::Reference(inner) => root(&inner.expr),
        Expr::Try(inner) => root(&inner.expr),
        _ => None,
    }
}

struct Writes(HashSet<String>);

impl Writes {
    fn add(&mut self, expr: &Expr) {
        self.0.extend(root(expr));
    }
}

impl<'ast> Visit<'ast> for Writes {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(assign) if !matches!(&*assign.left, Expr::Path(_)) => self.add(&assign.left),
            Expr::Binary(binary) if is_compound(&binary.op) => self.add(&binary.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.add(&reference.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let is_accessor =
                    name.starts_with("set_") || name.starts_with("clear_") || name.ends_with("_mut");
                let is_part = matches!(&*call.receiver, Expr::Field(_) | Expr::Index(_));
                if is_accessor || is_part && methods::CHANGING.contains(&name.as_str()) {
                    self.add(&call.receiver);
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

/// True for `+=` and similar operators.
pub(super) fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
