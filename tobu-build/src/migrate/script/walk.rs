//! Goes through a build script: what its variables are, and which calls are made of them.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAssign, ExprCall, ExprMethodCall, ExprTry, Local, Macro, Pat, Path, Stmt};

use super::super::edit::Edits;
use super::super::report::Left;
use super::super::unparsed;
use super::chain::{Lead, links};
use super::names::{CRATES, Named, Names};
use super::results::Function;
use super::table::{Library, is_last};
use super::{Note, position};

/// What a variable is.
#[derive(Clone, Copy)]
pub(super) enum Value<'s> {
    /// Settings, by whose methods they are changed.
    Config(Library),
    /// A descriptor set.
    Set(Set<'s>),
    Other,
}

/// A descriptor set that was compiled from files.
#[derive(Clone, Copy)]
pub(super) struct Set<'s> {
    pub(super) files: &'s Expr,
    pub(super) includes: &'s Expr,
    /// It was compiled by protox, which takes more than slices.
    pub(super) is_protox: bool,
    declared: &'s Local,
    /// Nothing else is left to use it, so that its declaration is removed.
    pub(super) is_taken: bool,
}

/// A variable.
pub(super) struct Variable<'s> {
    pub(super) name: String,
    pub(super) value: Value<'s>,
    /// Where a `mut` is missing.
    immutable: Option<usize>,
    /// The methods that were called and that prost-build heeds once.
    pub(super) replacing: Vec<String>,
    /// Something says how its output is named.
    pub(super) is_named: bool,
}

/// The walk over a file.
pub(super) struct Walker<'s> {
    pub(super) text: &'s str,
    offset: usize,
    pub(super) names: Names,
    pub(super) edits: Edits,
    pub(super) left: Vec<Left>,
    pub(super) notes: Vec<Note>,
    /// How many calls were rewritten, or fit as they are.
    pub(super) calls: usize,
    scopes: Vec<Vec<Variable<'s>>>,
    /// The functions of the file that give settings.
    givers: HashMap<String, Library>,
    pub(super) functions: Vec<Function<'s>>,
    pub(super) loops: usize,
    /// How many calls write `tobu.rs`.
    pub(super) unnamed: usize,
}

impl<'s> Walker<'s> {
    pub(super) fn run(text: &'s str, file: &'s syn::File) -> Self {
        let mut walker = Walker {
            text,
            offset: unparsed(text, file),
            names: Names::new(file),
            edits: Edits::default(),
            left: Vec::new(),
            notes: Vec::new(),
            calls: 0,
            scopes: vec![Vec::new()],
            givers: HashMap::new(),
            functions: Vec::new(),
            loops: 0,
            unnamed: 0,
        };
        for item in &file.items {
            if let syn::Item::Fn(item) = item
                && let syn::ReturnType::Type(_, ty) = &item.sig.output
                && let Some(library) = walker.settings_type(ty)
            {
                walker.givers.insert(item.sig.ident.to_string(), library);
            }
        }
        walker.visit_file(file);
        walker.rewrite_uses();
        walker
    }

    pub(super) fn range(&self, node: &impl Spanned) -> Range<usize> {
        let range = node.span().byte_range();
        range.start + self.offset..range.end + self.offset
    }

    pub(super) fn text_of(&self, node: &impl Spanned) -> &'s str {
        &self.text[self.range(node)]
    }

    /// Says that something is left for a person.
    pub(super) fn leave(&mut self, node: &impl Spanned, reason: impl Into<String>) {
        let (line, column) = position(self.text, self.range(node).start);
        self.left.push(Left { line, column, level: None, reason: reason.into() });
    }

    pub(super) fn note(&mut self, node: &impl Spanned, text: impl Into<String>) {
        let (line, column) = position(self.text, self.range(node).start);
        self.notes.push(Note { line, column, text: text.into() });
    }

    /// How far the line of a position is indented.
    pub(super) fn indent(&self, at: usize) -> &'s str {
        let line = &self.text[self.text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        &line[..line.len() - line.trim_start().len()]
    }

    /// Removes a statement or an item, with its line where nothing else is on it.
    pub(super) fn remove_line(&mut self, range: Range<usize>) {
        let indent = self.text[..range.start].trim_end_matches([' ', '\t']).len();
        let rest = &self.text[range.end..];
        let end = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let is_alone = (indent == 0 || self.text[..indent].ends_with('\n'))
            && (rest[end..].starts_with('\n') || rest[end..].is_empty());
        if !is_alone {
            return self.edits.remove(range.start..range.end + end);
        }
        let mut end = (range.end + end + 1).min(self.text.len());
        // An empty line was there to set it apart.
        let before = self.text[..indent].lines().last().unwrap_or("").trim();
        let is_first = before.is_empty() || before.ends_with('{') || before.starts_with("//");
        if is_first
            && let Some(next) =
                self.text[end..].split_inclusive('\n').next().filter(|next| next.trim().is_empty())
        {
            end += next.len();
        }
        self.edits.remove(indent..end);
    }

    /// How often a name is in a text.
    pub(super) fn occurrences(text: &str, name: &str) -> usize {
        let is_word = |text: char| text.is_alphanumeric() || text == '_';
        text.split(|text| !is_word(text)).filter(|word| *word == name).count()
    }

    pub(super) fn variable(&mut self, name: &str) -> Option<&mut Variable<'s>> {
        self.scopes.iter_mut().rev().flat_map(|scope| scope.iter_mut().rev()).find(|found| found.name == name)
    }

    fn value(&self, name: &str) -> Option<Value<'s>> {
        self.scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
            .find(|found| found.name == name)
            .map(|found| found.value)
    }

    /// Makes a variable `mut` where it is declared.
    pub(super) fn make_mut(&mut self, name: &str) {
        if let Some(at) = self.variable(name).and_then(|variable| variable.immutable.take()) {
            self.edits.insert(at, "mut ");
        }
    }

    fn declare(&mut self, pattern: &syn::PatIdent, value: Value<'s>) {
        let at = self.range(&pattern.ident).start;
        let immutable = (pattern.mutability.is_none() && pattern.by_ref.is_none()).then_some(at);
        let name = pattern.ident.to_string();
        let variable = Variable { name, value, immutable, replacing: Vec::new(), is_named: false };
        self.scopes.last_mut().expect("a scope").push(variable);
    }

    /// The settings that a type is, be it behind a reference.
    fn settings_type(&self, ty: &syn::Type) -> Option<Library> {
        match ty {
            syn::Type::Reference(ty) => self.settings_type(&ty.elem),
            syn::Type::Path(ty) => match self.names.named(&ty.path)? {
                Named::Config => Some(Library::Prost),
                Named::Builder => Some(Library::Tonic),
                _ => None,
            },
            _ => None,
        }
    }

    /// The settings that an expression is.
    pub(super) fn settings(&self, expr: &Expr) -> Option<Library> {
        match expr {
            Expr::Paren(expr) => self.settings(&expr.expr),
            Expr::Reference(expr) => self.settings(&expr.expr),
            Expr::Path(path) => match self.value(&path.path.get_ident()?.to_string())? {
                Value::Config(library) => Some(library),
                Value::Set(_) | Value::Other => None,
            },
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return None };
                match self.names.named(&path.path) {
                    Some(Named::Constructor) => Some(Library::Prost),
                    Some(Named::Configure) => Some(Library::Tonic),
                    Some(_) => None,
                    None => self.givers.get(&path.path.get_ident()?.to_string()).copied(),
                }
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                self.settings(&call.receiver).filter(|_| !is_last(&name) && name != "service_generator")
            }
            _ => None,
        }
    }

    /// True for a call that compiles, and gives the result of that.
    pub(super) fn compiles(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(expr) => self.compiles(&expr.expr),
            Expr::Call(call) => {
                matches!(self.callee(call), Some(Named::CompileProtos(_) | Named::CompileSet(_)))
            }
            Expr::MethodCall(call) => {
                call.method.to_string().starts_with("compile")
                    && is_last(&call.method.to_string())
                    && self.settings(&call.receiver).is_some()
            }
            _ => false,
        }
    }

    pub(super) fn callee(&self, call: &ExprCall) -> Option<Named> {
        match &*call.func {
            Expr::Path(path) => self.names.named(&path.path),
            _ => None,
        }
    }

    /// The files of a set that `protox::compile` or `load_fds` compiles, with what is made of the result.
    pub(super) fn compiled_set(&self, expr: &'s Expr, declared: &'s Local) -> Option<Set<'s>> {
        let (files, includes, is_protox) = self.files_of_set(expr)?;
        Some(Set { files, includes, is_protox, declared, is_taken: false })
    }

    pub(super) fn files_of_set(&self, expr: &'s Expr) -> Option<(&'s Expr, &'s Expr, bool)> {
        match expr {
            Expr::Try(expr) => self.files_of_set(&expr.expr),
            Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => {
                self.files_of_set(&call.receiver)
            }
            Expr::MethodCall(call) if call.method == "load_fds" && call.args.len() == 2 => {
                // Settings before it would be lost.
                let is_plain = matches!(&*call.receiver, Expr::Path(_));
                self.settings(&call.receiver).filter(|_| is_plain)?;
                Some((&call.args[0], &call.args[1], false))
            }
            Expr::Call(call) if call.args.len() == 2 => {
                let Expr::Path(path) = &*call.func else { return None };
                (self.names.resolve(&path.path) == ["protox", "compile"])
                    .then(|| (&call.args[0], &call.args[1], true))
            }
            _ => None,
        }
    }

    fn rewrite_uses(&mut self) {
        for (range, text) in self.names.rewritten() {
            let range = range.start + self.offset..range.end + self.offset;
            match text {
                Some(text) => {
                    let text = text.replace('\n', &format!("\n{}", self.indent(range.start)));
                    self.edits.replace(range, text);
                }
                None => self.remove_line(range),
            }
        }
        let unread: Vec<_> = self.names.unread().collect();
        for start in unread {
            let (line, column) = position(self.text, start + self.offset);
            let reason = "name what is used, in a `use` of its own, and run it again".to_owned();
            self.left.push(Left { line, column, level: None, reason });
        }
    }

    /// Drops the variables of a block, and the declarations of sets that are no longer needed.
    fn end_scope(&mut self) {
        let sets: Vec<_> = self.scopes.last().into_iter().flatten().map(|variable| variable.value).collect();
        for value in sets {
            let Value::Set(set) = value else { continue };
            if set.is_taken {
                self.remove_line(self.range(set.declared));
            } else if let Some(init) = &set.declared.init {
                self.visit_expr(&init.expr);
            }
        }
        self.scopes.pop();
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.loops += 1;
        walk(self);
        self.loops -= 1;
    }

    /// A statement that changes the settings of a variable: what stands before the variable goes, and all of it where no
    /// call is left.
    fn changes(
        &mut self,
        root: &'s Expr,
        calls: &[&'s ExprMethodCall],
        start: usize,
        statement: Range<usize>,
    ) {
        let count = self.edits.len();
        if self.chain(root, calls, Lead::None) {
            let end = self.range(root).start;
            if start < end {
                self.edits.remove(start..end);
            }
        } else {
            self.edits.truncate(count);
            self.remove_line(statement);
        }
    }

    /// `let config = ...`: the settings of a builder are changed where they lie.
    fn local(&mut self, local: &'s Local) -> Option<()> {
        let (pattern, ty) = match &local.pat {
            Pat::Ident(pattern) => (pattern, None),
            Pat::Type(pattern) => match &*pattern.pat {
                Pat::Ident(ident) => (ident, Some(&*pattern.ty)),
                _ => return None,
            },
            _ => return None,
        };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let name = pattern.ident.to_string();
        let Some(library) = self.settings(&init.expr) else {
            match self.compiled_set(&init.expr, local) {
                // One occurrence declares it, the other is to compile it.
                Some(set) if Self::occurrences(self.body(), &name) == 2 => {
                    self.declare(pattern, Value::Set(set))
                }
                _ => {
                    visit::visit_local(self, local);
                    self.declare(pattern, Value::Other);
                }
            }
            return Some(());
        };
        if let Some(ty) = ty {
            self.visit_type(ty);
        }
        let (root, calls) = links(&init.expr);
        let is_by_value = library == Library::Tonic && !matches!(&*init.expr, Expr::Reference(_));
        if !is_by_value || calls.iter().any(|call| call.method == "clone") {
            self.visit_expr(&init.expr);
            self.declare(pattern, Value::Config(library));
            return Some(());
        }
        let of = match root {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        if of.as_ref() == Some(&name) && !calls.is_empty() {
            // `let config = config.x();`
            let start = self.range(local).start;
            self.changes(root, &calls, start, self.range(local));
            return Some(());
        }
        self.declare(pattern, Value::Config(library));
        let is_changed =
            self.chain(root, &calls, Lead::Variable(&name, self.indent(self.range(local).start)));
        if is_changed {
            self.make_mut(&name);
        }
        Some(())
    }
}

impl<'s> Visit<'s> for Walker<'s> {
    fn visit_block(&mut self, block: &'s Block) {
        self.scopes.push(Vec::new());
        visit::visit_block(self, block);
        self.end_scope();
    }

    fn visit_item_fn(&mut self, item: &'s syn::ItemFn) {
        self.scopes.push(Vec::new());
        self.enter_function(&item.sig, &item.block);
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(input) = input
                && let Pat::Ident(pattern) = &*input.pat
            {
                let value = self.settings_type(&input.ty).map_or(Value::Other, Value::Config);
                self.declare(pattern, value);
                if matches!(&*input.ty, syn::Type::Reference(_)) {
                    self.variable(&pattern.ident.to_string()).expect("it is declared").immutable = None;
                }
            }
        }
        visit::visit_item_fn(self, item);
        self.leave_function();
        self.end_scope();
    }

    fn visit_expr_closure(&mut self, closure: &'s syn::ExprClosure) {
        self.functions.push(Function::default());
        self.scopes.push(Vec::new());
        self.in_loop(|walker| visit::visit_expr_closure(walker, closure));
        self.end_scope();
        self.functions.pop();
    }

    fn visit_expr_for_loop(&mut self, node: &'s syn::ExprForLoop) {
        self.visit_expr(&node.expr);
        self.scopes.push(Vec::new());
        if let Pat::Ident(pattern) = &*node.pat {
            self.declare(pattern, Value::Other);
        }
        self.in_loop(|walker| walker.visit_block(&node.body));
        self.end_scope();
    }

    fn visit_expr_while(&mut self, node: &'s syn::ExprWhile) {
        self.in_loop(|walker| visit::visit_expr_while(walker, node));
    }

    fn visit_local(&mut self, local: &'s Local) {
        if self.local(local).is_none() {
            visit::visit_local(self, local);
        }
    }

    fn visit_stmt(&mut self, stmt: &'s Stmt) {
        let Stmt::Expr(expr, Some(_)) = stmt else { return visit::visit_stmt(self, stmt) };
        let (value, target) = match expr {
            Expr::Assign(ExprAssign { left, right, .. }) => match &**left {
                Expr::Path(path) if self.settings(right) == Some(Library::Tonic) => {
                    (&**right, path.path.get_ident())
                }
                _ => return visit::visit_stmt(self, stmt),
            },
            expr => (expr, None),
        };
        let (root, calls) = links(value);
        let root_name = match root {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let is_assigned = matches!(expr, Expr::Assign(_));
        if self.settings(root).is_none() || root_name.is_none() || is_assigned && root_name != target {
            return visit::visit_stmt(self, stmt);
        }
        self.changes(root, &calls, self.range(expr).start, self.range(stmt));
    }

    fn visit_expr(&mut self, expr: &'s Expr) {
        if self.is_returned(expr) {
            self.question(expr);
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_method_call(&mut self, call: &'s ExprMethodCall) {
        let (root, mut calls) = links(&call.receiver);
        calls.push(call);
        if self.settings(root).is_none() {
            return visit::visit_expr_method_call(self, call);
        }
        self.chain(root, &calls, Lead::None);
        // What `Builder` gave by value is behind a reference now.
        let is_value =
            self.settings(&call.receiver) == Some(Library::Tonic) && !is_last(&call.method.to_string());
        if is_value && call.method != "clone" && call.method != "service_generator" {
            self.edits.insert(self.range(call).end, format!("{}.clone()", self.separator(call)));
        }
    }

    fn visit_expr_call(&mut self, call: &'s ExprCall) {
        match self.callee(call) {
            Some(Named::Configure) => {
                self.chain_of_call(call);
                self.edits.insert(self.range(call).end, ".clone()");
            }
            Some(Named::CompileProtos(library)) => self.compile_function(call, library),
            Some(Named::CompileSet(library)) => self.compile_set_function(call, library),
            _ => visit::visit_expr_call(self, call),
        }
    }

    fn visit_expr_try(&mut self, node: &'s ExprTry) {
        self.question(&node.expr);
        visit::visit_expr_try(self, node);
    }

    fn visit_expr_return(&mut self, node: &'s syn::ExprReturn) {
        if let Some(expr) = &node.expr {
            self.result(expr);
        }
        visit::visit_expr_return(self, node);
    }

    fn visit_path(&mut self, path: &'s Path) {
        let Some(named) = self.names.named(path) else { return visit::visit_path(self, path) };
        let prefix = path.segments.len() - usize::from(named == Named::Constructor);
        match named {
            // A name that `use` declares, which is that of the new type.
            Named::Config | Named::Constructor if prefix == 1 => {}
            Named::Config | Named::Constructor | Named::Builder => {
                let start = self.range(path).start;
                let end = self.range(&path.segments[prefix - 1]).end;
                self.edits.replace(start..end, "tobu_build::Config");
            }
            _ => {
                self.names.keep(path);
                let item = self.names.resolve(path)[1..].join("::");
                let reason = match item.as_str() {
                    "protoc_from_env" | "protoc_include_from_env" | "error_message_protoc_not_found" => {
                        "no protoc is needed: remove it"
                    }
                    _ if item.starts_with("manual::") => "services are generated from `.proto` files alone",
                    _ => "`tobu_build` has nothing of this name",
                };
                self.leave(path, format!("`{item}`: {reason}"));
            }
        }
    }

    fn visit_macro(&mut self, item: &'s Macro) {
        // What is in a macro is not read.
        let tokens = item.tokens.to_string();
        if CRATES.iter().any(|name| tokens.contains(name)) {
            self.leave(item, "it is in a macro, which is not read");
        }
        visit::visit_macro(self, item);
    }
}
