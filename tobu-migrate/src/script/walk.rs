//! Walks through a build script, finds the kinds of its variables, and rewrites calls of their methods.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAssign, ExprCall, ExprMethodCall, ExprTry, Local, Macro, Pat, Path, Stmt};

use super::chain::{Lead, links};
use super::names::{CRATES, Named, Names};
use super::results::Function;
use super::table::{Library, is_last};
use super::values::{Value, Variable};
use super::{Note, position};
use crate::edit::Edits;
use crate::report::Left;
use crate::unparsed;

/// The state of the walk through a file.
pub(super) struct Walker<'s> {
    pub(super) text: &'s str,
    offset: usize,
    pub(super) names: Names,
    pub(super) edits: Edits,
    pub(super) left: Vec<Left>,
    pub(super) notes: Vec<Note>,
    /// How many calls were rewritten or are already right.
    pub(super) calls: usize,
    scopes: Vec<Vec<Variable<'s>>>,
    /// The functions in the file that return settings, by name.
    pub(super) givers: HashMap<String, Library>,
    /// The names of the methods that traits in the file declare.
    pub(super) own: HashSet<String>,
    /// The library of the settings, inside an `impl` for a type of settings.
    extended: Option<Library>,
    pub(super) functions: Vec<Function<'s>>,
    pub(super) loops: usize,
    /// How many calls write the file `tobu.rs`, because they set no other name.
    pub(super) unnamed: usize,
    pub(super) compiled: usize,
    /// True if a note already says that all packages are in one file.
    pub(super) is_file_noted: bool,
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
            own: HashSet::new(),
            extended: None,
            functions: Vec::new(),
            loops: 0,
            unnamed: 0,
            compiled: 0,
            is_file_noted: false,
        };
        for item in &file.items {
            if let syn::Item::Trait(item) = item {
                walker.own.extend(item.items.iter().filter_map(|item| match item {
                    syn::TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
                    _ => None,
                }));
            }
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

    /// Reports a call that a person must change.
    pub(super) fn leave(&mut self, node: &impl Spanned, reason: impl Into<String>) {
        let (line, column) = position(self.text, self.range(node).start);
        self.left.push(Left { line, column, level: None, reason: reason.into() });
    }

    pub(super) fn note(&mut self, node: &impl Spanned, text: impl Into<String>) {
        let (line, column) = position(self.text, self.range(node).start);
        self.notes.push(Note { line, column, text: text.into() });
    }

    /// Returns the indentation of the line with this position.
    pub(super) fn indent(&self, at: usize) -> &'s str {
        let line = &self.text[self.text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        &line[..line.len() - line.trim_start().len()]
    }

    /// Removes a statement or an item. If nothing else is on its line, removes the line, too.
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
        // If an empty line separated the removed line from the code after it, the empty line goes, too.
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

    pub(super) fn occurrences(text: &str, name: &str) -> usize {
        let is_word = |text: char| text.is_alphanumeric() || text == '_';
        text.split(|text| !is_word(text)).filter(|word| *word == name).count()
    }

    pub(super) fn variable(&mut self, name: &str) -> Option<&mut Variable<'s>> {
        self.scopes.iter_mut().rev().flat_map(|scope| scope.iter_mut().rev()).find(|found| found.name == name)
    }

    pub(super) fn value(&self, name: &str) -> Option<Value<'s>> {
        self.scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
            .find(|found| found.name == name)
            .map(|found| found.value)
    }

    /// Inserts `mut` into the declaration of a variable.
    pub(super) fn make_mut(&mut self, name: &str) {
        if let Some(at) = self.variable(name).and_then(|variable| variable.immutable.take()) {
            self.edits.insert(at, "mut ");
        }
    }

    fn declare_pattern(&mut self, pattern: &syn::PatIdent, value: Value<'s>) {
        let is_immutable = pattern.mutability.is_none() && pattern.by_ref.is_none();
        let at = is_immutable.then(|| self.range(&pattern.ident).start);
        self.declare(pattern.ident.to_string(), at, value);
    }

    fn declare(&mut self, name: String, immutable: Option<usize>, value: Value<'s>) {
        let variable = Variable { name, value, immutable, replacing: Vec::new(), is_named: false };
        self.scopes.last_mut().expect("a scope").push(variable);
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

    /// Ends a block: removes its variables, and the declarations of sets that the new code does not need.
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

    /// Walks through a function. Its parameters are variables.
    fn function(&mut self, signature: &'s syn::Signature, block: &'s Block, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(Vec::new());
        self.enter_function(signature, block);
        for input in &signature.inputs {
            let (name, at, value, is_immutable) = match input {
                syn::FnArg::Receiver(input) => {
                    let is_value =
                        matches!(input.kind, syn::ReceiverKind::Value) && input.mutability.is_none();
                    let value = self.extended.map_or(Value::Other, Value::Config);
                    ("self".to_owned(), self.range(&input.self_token).start, value, is_value)
                }
                syn::FnArg::Typed(input) => {
                    let Pat::Ident(pattern) = &*input.pat else { continue };
                    let value = self.settings_type(&input.ty).map_or(Value::Other, Value::Config);
                    let is_value =
                        !matches!(&*input.ty, syn::Type::Reference(_)) && pattern.mutability.is_none();
                    (pattern.ident.to_string(), self.range(&pattern.ident).start, value, is_value)
                }
            };
            self.declare(name, is_immutable.then_some(at), value);
        }
        walk(self);
        self.leave_function();
        self.end_scope();
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.loops += 1;
        walk(self);
        self.loops -= 1;
    }

    /// Rewrites a statement that changes the settings in a variable. Removes the text before the variable. If no
    /// call is left, removes the whole statement.
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

    /// Rewrites a `let` that creates settings of a builder, because tobu-build's settings are changed in place. Returns `None`
    /// if the walk must visit the statement as any other.
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
                // The set is not needed later if the name occurs only twice: in the declaration, and in the call
                // that compiles the set.
                Some(set) if Self::occurrences(self.body(), &name) == 2 => {
                    self.declare_pattern(pattern, Value::Set(set))
                }
                _ => {
                    visit::visit_local(self, local);
                    self.declare_pattern(pattern, Value::Other);
                }
            }
            return Some(());
        };
        if let Some(ty) = ty {
            self.visit_type(ty);
        }
        let (root, calls) = links(&init.expr);
        let is_by_value = library == Library::Tonic && !matches!(&*init.expr, Expr::Reference(_));
        // These methods return settings by value.
        let gives = |call: &&ExprMethodCall| call.method == "clone" || self.is_own(call);
        if !is_by_value || calls.iter().any(gives) {
            self.visit_expr(&init.expr);
            self.declare_pattern(pattern, Value::Config(library));
            return Some(());
        }
        let of = match root {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        if of.as_ref() == Some(&name) && !calls.is_empty() {
            // This is a statement such as `let config = config.x();`.
            let start = self.range(local).start;
            self.changes(root, &calls, start, self.range(local));
            return Some(());
        }
        self.declare_pattern(pattern, Value::Config(library));
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
        self.function(&item.sig, &item.block, |walker| visit::visit_item_fn(walker, item));
    }

    fn visit_item_extern_crate(&mut self, item: &'s syn::ItemExternCrate) {
        if CRATES.iter().any(|name| item.ident == name) {
            self.leave(item, format!("remove the declaration of `{}`", item.ident));
        }
    }

    fn visit_item_impl(&mut self, item: &'s syn::ItemImpl) {
        self.extended = self.settings_type(&item.self_ty);
        visit::visit_item_impl(self, item);
        self.extended = None;
    }

    fn visit_impl_item_fn(&mut self, item: &'s syn::ImplItemFn) {
        self.function(&item.sig, &item.block, |walker| visit::visit_impl_item_fn(walker, item));
    }

    fn visit_expr_closure(&mut self, closure: &'s syn::ExprClosure) {
        self.functions.push(Function::default());
        self.scopes.push(Vec::new());
        for input in &closure.inputs {
            if let Pat::Type(input) = input
                && let Pat::Ident(pattern) = &*input.pat
            {
                let value = self.settings_type(&input.ty).map_or(Value::Other, Value::Config);
                self.declare_pattern(pattern, value);
            }
        }
        self.in_loop(|walker| visit::visit_expr_closure(walker, closure));
        self.end_scope();
        self.functions.pop();
    }

    fn visit_expr_for_loop(&mut self, node: &'s syn::ExprForLoop) {
        self.visit_expr(&node.expr);
        self.scopes.push(Vec::new());
        if let Pat::Ident(pattern) = &*node.pat {
            self.declare_pattern(pattern, Value::Other);
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
        let Stmt::Expr(expr, semicolon) = stmt else { return visit::visit_stmt(self, stmt) };
        if semicolon.is_none() && !matches!(expr, Expr::Assign(_)) {
            return visit::visit_stmt(self, stmt);
        }
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
        if self.settings(root).is_none()
            || calls.iter().any(|call| self.is_own(call))
            || root_name.is_none()
            || is_assigned && root_name != target
        {
            return visit::visit_stmt(self, stmt);
        }
        self.changes(root, &calls, self.range(expr).start, self.range(stmt));
        if semicolon.is_none() {
            self.edits.insert(self.range(stmt).end, ";");
        }
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
        // The old method returned the builder by value, and the new method returns a reference.
        let is_value =
            self.settings(&call.receiver) == Some(Library::Tonic) && !is_last(&call.method.to_string());
        if is_value && call.method != "clone" && call.method != "service_generator" && !self.is_own(call) {
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
            _ => {
                let names_protoc = call.args.first().is_some_and(|name| self.text_of(name) == "\"PROTOC\"");
                if names_protoc && self.text_of(&call.func).ends_with("set_var") {
                    self.note(call, "no protoc is needed, and PROTOC is not read");
                }
                visit::visit_expr_call(self, call);
            }
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
            // A `use` declares this name, and the new type has the same name.
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
        // The walk does not read the tokens of macros.
        let tokens = item.tokens.to_string();
        if CRATES.iter().any(|name| tokens.contains(name)) {
            self.leave(item, "it is in a macro, which is not read");
        }
        visit::visit_macro(self, item);
    }
}
