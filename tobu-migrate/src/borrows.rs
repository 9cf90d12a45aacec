//! Finds code in which a member of a message is borrowed while another part of the message is used.
//!
//! Rust allows code to borrow one member while it changes another. But an accessor borrows the whole message, so no
//! accessor can change the message meanwhile. If the members of a variable are used in this way, the variable is
//! *pinned*: all its rewrites in this code are at the level red.

use std::collections::HashSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall};

use super::bind::bound_names;
use super::methods;
use super::names::segments;
use super::ty::Ty;
use super::walk::Walker;
use super::writes;

impl Walker<'_> {
    /// Pins the variables whose members a `let` borrows for the rest of the function, if the function changes these members.
    pub(super) fn pin_kept(&mut self, init: &Expr) {
        let is_mut = matches!(init, Expr::Reference(reference) if reference.mutability.is_some());
        if !self.borrows(init) {
            return;
        }
        for root in init.roots() {
            if is_mut || self.written.contains(&root) {
                self.pinned.insert(root);
            }
        }
    }

    /// Pins the variables that a `move` closure would capture as a whole, and not only a member, if the function
    /// uses them later.
    pub(super) fn pin_moved<B: Body + Spanned>(&mut self, body: &B) {
        let rest = self.rest_of_function(body);
        let is_used =
            |root: &String| rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == root);
        self.pinned.extend(body.roots().into_iter().filter(is_used));
    }

    /// Calls `work` for code that runs while the expression `borrowed` is borrowed. During the call, the affected
    /// variables are pinned.
    pub(super) fn pinned_around<B: Body>(
        &mut self,
        borrowed: &Expr,
        body: &[&B],
        work: impl FnOnce(&mut Self),
    ) {
        let around = self.pinned.clone();
        self.pin(borrowed, body);
        work(self);
        self.pinned = around;
    }

    /// Calls `work` for a block that runs while an expression in a condition is borrowed. During the call, the
    /// affected variables are pinned.
    pub(super) fn pinned_by_condition(&mut self, cond: &Expr, body: &Block, work: impl FnOnce(&mut Self)) {
        let around = self.pinned.clone();
        self.pin_condition(cond, body);
        work(self);
        self.pinned = around;
    }

    fn pin_condition(&mut self, cond: &Expr, body: &Block) {
        match cond {
            Expr::Let(item) => self.pin(&item.expr, &[body]),
            Expr::Binary(both) => {
                self.pin_condition(&both.left, body);
                self.pin_condition(&both.right, body);
            }
            Expr::Paren(inner) => self.pin_condition(&inner.expr, body),
            _ => {}
        }
    }

    fn pin<B: Body>(&mut self, borrowed: &Expr, body: &[&B]) {
        if *self.infer(borrowed).peeled() == Ty::Scalar {
            return;
        }
        let is_mut = changes(borrowed);
        let meets = |root: &String| match is_mut {
            true => body.iter().any(|body| writes::names(*body, root)),
            false => body.iter().any(|body| body.writes().contains(root)),
        };
        self.pinned.extend(borrowed.roots().into_iter().filter(meets));
    }

    /// Calls `work` for a call, which borrows its receiver and its arguments at the same time. Meanwhile, the
    /// affected variables are pinned.
    pub(super) fn pinned_in_call<'e>(
        &mut self,
        receiver: Option<&ExprMethodCall>,
        arguments: impl Iterator<Item = &'e Expr> + Clone,
        work: impl FnOnce(&mut Self),
    ) {
        let around = self.pinned.clone();
        if let Some(call) = receiver
            && let Some(root) = writes::root(&call.receiver)
            && !matches!(&*call.receiver, Expr::Path(_))
        {
            let is_mut = changes_in_chain(call);
            let meets = |argument: &Expr| match is_mut {
                true => writes::names(argument, &root),
                false => writes::in_expr(argument).contains(&root),
            };
            if arguments.clone().any(meets) {
                self.pinned.insert(root);
            }
        }
        for (i, argument) in arguments.clone().enumerate() {
            if let Expr::Reference(reference) = argument
                && reference.mutability.is_some()
                && let Some(root) = writes::root(&reference.expr)
            {
                let mut others = arguments.clone().enumerate().filter(|(other, _)| *other != i);
                if others.any(|(_, other)| writes::names(other, &root)) {
                    self.pinned.insert(root);
                }
            }
        }
        work(self);
        self.pinned = around;
    }

    /// True if the value of an expression may borrow from its parts.
    fn borrows(&mut self, expr: &Expr) -> bool {
        if matches!(self.infer(expr), Ty::Scalar | Ty::Message(_)) {
            return false;
        }
        match expr {
            Expr::Reference(_) | Expr::Closure(_) => true,
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "clone" | "cloned" | "copied" | "take" | "to_lowercase" | "to_owned" | "to_string"
                | "to_uppercase" | "to_vec" => false,
                "expect" | "ok_or" | "ok_or_else" | "unwrap" | "unwrap_or" | "unwrap_or_default" => {
                    self.borrows(&call.receiver)
                }
                _ => true,
            },
            Expr::Call(call) if is_mem(&call.func) => false,
            Expr::Call(call) => call.args.iter().any(|argument| self.borrows(argument)),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|item| self.borrows(item)),
            Expr::Array(array) => array.elems.iter().any(|item| self.borrows(item)),
            Expr::Struct(literal) => literal.fields.iter().any(|field| self.borrows(&field.expr)),
            Expr::Try(inner) => self.borrows(&inner.expr),
            Expr::Await(inner) => self.borrows(&inner.base),
            Expr::Paren(inner) => self.borrows(&inner.expr),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => true,
            _ => false,
        }
    }
}

/// True for `std::mem::take` and `std::mem::replace`, whose result is an owned value.
fn is_mem(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    matches!(segments(&path.path).last().map(String::as_str), Some("take" | "replace"))
}

/// Code that runs while an expression is borrowed.
pub(super) trait Body: quote::ToTokens {
    /// Returns the variables whose members the code changes.
    fn writes(&self) -> HashSet<String>;

    /// Returns the variables whose members the code uses.
    fn roots(&self) -> HashSet<String>;
}

impl Body for Block {
    fn writes(&self) -> HashSet<String> {
        writes::of(self)
    }

    fn roots(&self) -> HashSet<String> {
        let mut roots = Roots(HashSet::new());
        roots.visit_block(self);
        roots.0
    }
}

impl Body for Expr {
    fn writes(&self) -> HashSet<String> {
        writes::in_expr(self)
    }

    fn roots(&self) -> HashSet<String> {
        let mut roots = Roots(HashSet::new());
        roots.visit_expr(self);
        roots.0
    }
}

/// Collects the variables whose members some code uses.
struct Roots(HashSet<String>);

impl<'ast> Visit<'ast> for Roots {
    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        self.0.extend(writes::root(&field.base));
        visit::visit_expr_field(self, field);
    }

    /// Leaves out the parameters of the closure, because they exist only inside it.
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let mut inner = closure.body.roots();
        closure.inputs.iter().flat_map(bound_names).for_each(|name| {
            inner.remove(&name);
        });
        self.0.extend(inner);
    }

    /// Adds the receiver of a method call, because the method may be an accessor that an earlier run inserted.
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.0.extend(writes::root(&call.receiver));
        visit::visit_expr_method_call(self, call);
    }
}

/// True for an expression that borrows something mutably.
fn changes(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => reference.mutability.is_some(),
        Expr::MethodCall(call) => changes_in_chain(call),
        Expr::Tuple(tuple) => tuple.elems.iter().any(changes),
        Expr::Paren(inner) => changes(&inner.expr),
        Expr::Try(inner) => changes(&inner.expr),
        _ => false,
    }
}

fn changes_in_chain(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    // A value that a method took out of the message is not borrowed.
    let is_taken = name == "take" || name.starts_with("take_");
    let is_changing = !is_taken && (methods::CHANGING.contains(&name.as_str()) || name.ends_with("_mut"));
    is_changing || changes(&call.receiver)
}
