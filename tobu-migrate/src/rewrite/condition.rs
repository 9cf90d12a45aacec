//! Rewrites conditions that destructure a member, such as `if let Some(x) = &shelf.address { .. }`.

use syn::{Expr, ExprIf};

use crate::walk::{Use, Walker};

impl Walker<'_> {
    pub(crate) fn branch(&mut self, branch: &ExprIf) {
        self.scoped(|walker| {
            walker.pinned_by_condition(&branch.cond, &branch.then_branch, |walker| {
                let is_done = match &*branch.cond {
                    Expr::Let(item) => walker.if_set(item, &branch.then_branch),
                    _ => false,
                };
                match is_done {
                    true => walker.bind_condition(&branch.cond),
                    false => walker.condition(&branch.cond),
                }
                walker.block(&branch.then_branch);
            });
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            self.walk(otherwise, Use::Value);
        }
    }

    /// Rewrites a condition, and binds the names in its patterns, because later parts of the condition use them.
    pub(crate) fn condition(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(_) => {
                self.walk(cond, Use::Value);
                self.bind_condition(cond);
            }
            Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
                self.condition(&both.left);
                self.condition(&both.right);
            }
            _ => self.walk(cond, Use::Shared),
        }
    }
}
