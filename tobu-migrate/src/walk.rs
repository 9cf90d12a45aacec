//! Walks through a file. The walk visits every expression once, and knows how the code uses the value of the
//! expression.

use std::collections::HashSet;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

use super::bind::Locals;
use super::edit::Edits;
use super::functions::Text;
use super::index::{Index, module_of};
use super::names::{Names, Types, plain};
use super::report::{Left, Level, Report};
use super::rewrite::access::Access;
use super::ty::Ty;
use super::writes;
use super::{Source, unparsed};
use tobu_build::catalog::Catalog;

/// The use of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Use {
    /// The value is moved or copied.
    Value,
    /// The value is moved or copied, and the expression is an operand, so new code in its place may need
    /// parentheses.
    Operand,
    /// A macro such as `println!` uses the value by reference.
    Shared,
    /// The value is compared.
    Compared,
    /// The code uses a member, an element or a method of the value. If true, the code may change the value.
    Base(bool),
    /// A pattern destructures the value. If true, the pattern binds names.
    Scrutinee(bool),
    /// A variable keeps a reference to the value.
    Kept,
    /// The value is an argument of a function.
    Argument(Text),
}

/// The data that all files of a crate share.
pub(super) struct World<'w> {
    pub(super) catalog: &'w Catalog,
    pub(super) types: &'w Types,
    pub(super) index: &'w Index,
    pub(super) level: Level,
    /// The messages that are rewritten. If the set is empty, all messages are rewritten.
    pub(super) chosen: &'w HashSet<usize>,
}

/// The state of the walk through one file.
pub(super) struct Walker<'w> {
    pub(super) catalog: &'w Catalog,
    pub(super) types: &'w Types,
    pub(super) index: &'w Index,
    level: Level,
    chosen: &'w HashSet<usize>,
    pub(super) source: &'w str,
    /// The length of the start of the file that the parser skipped.
    offset: usize,
    pub(super) names: Names,
    pub(super) locals: Vec<Locals>,
    pub(super) self_ty: Option<Ty>,
    /// The end of the current function.
    end: usize,
    /// The enclosing modules, starting with the module of the file.
    pub(super) modules: Vec<String>,
    /// The variables whose members the current function changes.
    pub(super) written: HashSet<String>,
    /// The variables that are used while a part of them is borrowed. They are pinned: their rewrites are at the
    /// level red.
    pub(super) pinned: HashSet<String>,
    /// True inside an expression that must be constant.
    pub(super) is_const: bool,
    pub(super) edits: Edits,
    report: Report,
}

impl<'w> Walker<'w> {
    pub(super) fn run(world: &World<'w>, source: &'w Source, file: &syn::File) -> (Edits, Report) {
        let mut walker = Walker {
            catalog: world.catalog,
            types: world.types,
            index: world.index,
            level: world.level,
            chosen: world.chosen,
            source: &source.text,
            offset: unparsed(&source.text, file),
            names: Names::default(),
            locals: Vec::new(),
            self_ty: None,
            end: 0,
            modules: vec![module_of(&source.name)],
            written: HashSet::new(),
            pinned: HashSet::new(),
            is_const: false,
            edits: Edits::default(),
            report: Report::default(),
        };
        walker.names.open(&file.items);
        walker.visit_file(file);
        walker.report.left.sort_by_key(|left| (left.line, left.column));
        (walker.edits, walker.report)
    }

    /// Returns the range of a span in the source, in bytes.
    pub(super) fn range(&self, span: proc_macro2::Span) -> Range<usize> {
        let range = span.byte_range();
        range.start + self.offset..range.end + self.offset
    }

    pub(super) fn range_of(&self, node: &impl Spanned) -> Range<usize> {
        self.range(node.span())
    }

    pub(super) fn text_of(&self, node: &impl Spanned) -> &'w str {
        &self.source[self.range_of(node)]
    }

    pub(super) fn is_chosen(&self, message: usize) -> bool {
        self.chosen.is_empty() || self.chosen.contains(&message)
    }

    /// Counts a rewrite and returns true, if its level is allowed. Otherwise reports the occurrence with `reason`, which says
    /// why the occurrence has this level, and returns false.
    pub(super) fn may(&mut self, level: Level, at: usize, reason: &str) -> bool {
        if level <= self.level {
            self.report.rewritten[level as usize] += 1;
            return true;
        }
        self.leave(Some(level), at, reason);
        false
    }

    /// Checks the level for a member, as [`may`](Self::may) does.
    pub(super) fn allows(&mut self, access: &Access<'_, '_>, level: Level) -> bool {
        let level = level.max(access.level);
        self.may(level, access.name.start, access.reason(level))
    }

    /// Reports an occurrence that is not rewritten.
    pub(super) fn leave(&mut self, level: Option<Level>, at: usize, reason: impl Into<String>) {
        let before = &self.source[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let left = Left {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            level,
            reason: reason.into(),
        };
        if !self.report.left.iter().any(|known| (known.line, known.column) == (left.line, left.column)) {
            self.report.left.push(left);
        }
    }

    pub(super) fn resolve(&self, ty: &syn::Type) -> Ty {
        self.index.resolve(ty, &self.names, self.types, self.self_ty.as_ref())
    }

    pub(super) fn resolve_path(&self, path: &syn::Path) -> Ty {
        self.index.resolve_path(path, &self.names, self.types, self.self_ty.as_ref())
    }

    /// Rewrites an expression and everything inside it.
    pub(super) fn walk(&mut self, expr: &Expr, usage: Use) {
        match expr {
            Expr::Field(field) => self.field(field, usage),
            Expr::MethodCall(call) => self.method_call(call, usage),
            Expr::Reference(reference) => self.reference(reference, usage),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Binary(binary) => self.binary(binary, usage),
            Expr::Call(call) => self.call(call),
            Expr::Struct(literal) => self.literal(literal),
            Expr::Paren(inner) => self.walk(&inner.expr, usage),
            Expr::Group(inner) => self.walk(&inner.expr, usage),
            Expr::Unary(unary) => match unary.op {
                syn::UnOp::Deref(_) => self.walk(&unary.expr, Use::Base(usage == Use::Base(true))),
                _ => self.walk(&unary.expr, Use::Operand),
            },
            Expr::Index(index) => {
                self.walk(&index.expr, Use::Base(usage == Use::Base(true)));
                self.walk(&index.index, Use::Value);
            }
            Expr::Cast(cast) => self.walk(&cast.expr, Use::Operand),
            Expr::Tuple(tuple) => {
                // A pattern that destructures a tuple also destructures the items of the tuple.
                let usage = if matches!(usage, Use::Scrutinee(_)) { usage } else { Use::Value };
                tuple.elems.iter().for_each(|item| self.walk(item, usage));
            }
            Expr::If(branch) => self.branch(branch),
            Expr::While(item) => self.scoped(|walker| {
                walker.pinned_by_condition(&item.cond, &item.body, |walker| {
                    walker.condition(&item.cond);
                    walker.block(&item.body);
                });
            }),
            Expr::ForLoop(item) => self.for_loop(item),
            Expr::Match(item) => self.match_on(item),
            Expr::Let(item) => {
                let binds = !super::bind::bound_names(&item.pat).is_empty();
                self.walk(&item.expr, Use::Scrutinee(binds));
                self.pattern(&item.pat);
            }
            Expr::Closure(closure) => self.closure(closure, &[], Use::Value),
            Expr::Block(block) => self.block(&block.block),
            Expr::Async(block) => {
                let around = self.pinned.clone();
                if block.capture.is_some() {
                    self.pin_moved(&block.block);
                }
                self.block(&block.block);
                self.pinned = around;
            }
            Expr::Unsafe(block) => self.block(&block.block),
            Expr::Const(block) => self.block(&block.block),
            Expr::Loop(item) => self.block(&item.body),
            Expr::TryBlock(item) => self.block(&item.block),
            Expr::Macro(item) => self.macro_call(&item.mac),
            other => visit::visit_expr(self, other),
        }
    }

    /// Rewrites a closure whose parameters have these types. `usage` is how the code uses the result of the closure.
    pub(super) fn closure(&mut self, closure: &syn::ExprClosure, parameters: &[Ty], usage: Use) {
        let around = self.pinned.clone();
        if closure.capture.is_some() {
            self.pin_moved(&*closure.body);
        }
        self.scoped(|walker| {
            walker.bind_parameters(closure, parameters);
            closure.inputs.iter().for_each(|pattern| walker.pattern(pattern));
            let is_borrow = matches!(&*closure.body, Expr::Reference(_));
            walker.walk(&closure.body, if is_borrow { usage } else { Use::Value });
        });
        self.pinned = around;
    }

    pub(super) fn block(&mut self, block: &syn::Block) {
        self.scoped(|walker| {
            for statement in &block.stmts {
                if let Stmt::Item(syn::Item::Use(item)) = statement {
                    walker.names.import(&item.tree);
                }
            }
            block.stmts.iter().for_each(|statement| walker.statement(statement));
        });
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Local(local) => {
                if let Some(init) = &local.init {
                    self.pin_kept(&init.expr);
                }
                if let Some(init) = &local.init
                    && !self.destructure(local, init)
                {
                    let is_name = matches!(&local.pat, Pat::Ident(_) | Pat::Type(_) | Pat::Wild(_));
                    let binds = !super::bind::bound_names(&local.pat).is_empty();
                    self.walk(&init.expr, if is_name { Use::Kept } else { Use::Scrutinee(binds) });
                }
                if let Some((_, diverge)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
                    self.walk(diverge, Use::Value);
                }
                self.bind_local(local);
            }
            Stmt::Item(item) => self.visit_item(item),
            Stmt::Expr(expr, _) => self.walk(expr, Use::Value),
            Stmt::Macro(item) => self.macro_call(&item.mac),
        }
    }

    fn for_loop(&mut self, item: &syn::ExprForLoop) {
        let ty = self.infer(&item.expr).element();
        self.pinned_around(&item.expr, &[&item.body], |walker| {
            walker.walk(&item.expr, Use::Value);
            walker.scoped(|walker| {
                walker.bind(&item.pat, &ty);
                walker.pattern(&item.pat);
                walker.block(&item.body);
            });
        });
    }

    fn match_on(&mut self, item: &syn::ExprMatch) {
        let ty = self.infer(&item.expr);
        let binds = item.arms.iter().any(|arm| !super::bind::bound_names(&arm.pat).is_empty());
        let arms: Vec<_> = item.arms.iter().map(|arm| &*arm.body).collect();
        self.pinned_around(&item.expr, &arms, |walker| {
            walker.walk(&item.expr, Use::Scrutinee(binds));
            for arm in &item.arms {
                walker.scoped(|walker| {
                    walker.bind(&arm.pat, &ty);
                    walker.pattern(&arm.pat);
                    walker.walk(&arm.body, Use::Value);
                });
            }
        });
    }

    /// Returns the text of the current function after some code.
    pub(super) fn rest_of_function(&self, code: &impl Spanned) -> &'w str {
        let end = self.range_of(code).end;
        &self.source[end..self.end.max(end)]
    }

    /// Walks through the parameters and the body of a function.
    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let around = std::mem::replace(&mut self.written, writes::of(block));
        let pinned = std::mem::take(&mut self.pinned);
        let own_end = self.range_of(block).end;
        let end = std::mem::replace(&mut self.end, own_end);
        let is_const = std::mem::replace(&mut self.is_const, signature.constness.is_some());
        self.scoped(|walker| {
            for input in &signature.inputs {
                match input {
                    syn::FnArg::Typed(input) => {
                        let ty = walker.resolve(&input.ty);
                        walker.bind(&input.pat, &ty);
                        walker.pattern(&input.pat);
                    }
                    syn::FnArg::Receiver(receiver) => walker.bind_self(receiver),
                }
            }
            walker.block(block);
        });
        (self.written, self.pinned, self.is_const, self.end) = (around, pinned, is_const, end);
    }

    fn constant(&mut self, expr: &Expr) {
        let around = std::mem::replace(&mut self.is_const, true);
        self.walk(expr, Use::Value);
        self.is_const = around;
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.walk(expr, Use::Value);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.block(block);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.pattern(pattern);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.macro_call(item);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        // The walk cannot see what a macro of the crate expands to.
        self.unread_macro(&item.mac);
    }

    /// Skips attributes, because they contain no expressions of the program.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.names.open(item.content.iter().flat_map(|(_, items)| items));
        self.modules.push(plain(&item.ident));
        visit::visit_item_mod(self, item);
        self.modules.pop();
        self.names.close();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let around = self.self_ty.replace(self.resolve(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.self_ty = around;
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(&item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(&item.expr);
    }
}
