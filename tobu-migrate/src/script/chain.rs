//! Rewrites chains of calls that set options: `tonic_build::configure().out_dir("src").compile_protos(files,
//! includes)`.

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprMethodCall};

use super::names::Named;
use super::table::{self, Fate, Library};
use super::walk::Walker;

/// The expression that creates new settings.
pub(super) const NEW: &str = "tobu_build::Config::new()";

/// What the new code writes between the new settings and the first call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lead<'a> {
    None,
    /// One statement declares the settings as a variable, and another statement changes them. The texts are the name of the
    /// variable and the indentation.
    Variable(&'a str, &'a str),
}

/// Returns the first receiver in a chain of method calls, and the calls in their order.
pub(super) fn links(expr: &Expr) -> (&Expr, Vec<&ExprMethodCall>) {
    let (mut root, mut calls) = (expr, Vec::new());
    while let Expr::MethodCall(call) = root {
        calls.push(call);
        root = &call.receiver;
    }
    calls.reverse();
    (root, calls)
}

impl<'s> Walker<'s> {
    /// Rewrites a chain of calls. Returns true if the new chain has calls.
    pub(super) fn chain(&mut self, root: &'s Expr, calls: &[&'s ExprMethodCall], lead: Lead<'_>) -> bool {
        let mut kept = self.root(root, calls, lead);
        let Some(mut library) = self.settings(root) else { return true };
        if let Some(base) = self.other_config(calls)
            && self.settings(base) == Some(Library::Prost)
            && matches!(root, Expr::Call(_))
        {
            // The `prost_build::Config` in an argument becomes the start of the chain, but the methods in the chain are those
            // of tonic.
            library = Library::Tonic;
        }
        let variable = match root {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        let mut ends = calls.iter();
        for &call in ends.by_ref() {
            let name = call.method.to_string();
            if name == "clone" {
                kept = true;
                continue;
            }
            if !kept
                && let Some(variable) = &variable
                && !name.starts_with("compile")
                && library == Library::Tonic
            {
                self.make_mut(variable);
            }
            kept |= self.call(library, call, calls, variable.as_deref());
            if table::is_last(&name) {
                break;
            }
        }
        // The remaining calls use the result of the compilation.
        ends.flat_map(|call| &call.args).for_each(|argument| self.visit_expr(argument));
        kept || calls.is_empty()
    }

    /// Rewrites a call that creates settings and is not followed by other calls.
    pub(super) fn chain_of_call(&mut self, call: &'s ExprCall) {
        let defaults = self.defaults(&[], "");
        self.edits.replace(self.range(call), format!("{NEW}{defaults}"));
        self.calls += 1;
    }

    /// Rewrites the start of a chain. Returns true if the new start has calls that set options.
    fn root(&mut self, root: &'s Expr, calls: &[&'s ExprMethodCall], lead: Lead<'_>) -> bool {
        let lead = |separated: &str| match lead {
            Lead::Variable(name, indent) if !separated.is_empty() => format!(";\n{indent}{name}"),
            _ => String::new(),
        };
        let is_configure = matches!(root, Expr::Call(call) if self.callee(call) == Some(Named::Configure));
        if !is_configure {
            self.visit_expr(root);
            if self.settings(root) == Some(Library::Tonic) && !matches!(root, Expr::Path(_))
                || !matches!(lead("x").as_str(), "")
            {
                let text = lead(if calls.is_empty() { "" } else { "x" });
                self.edits.insert(self.range(root).end, text);
            }
            return false;
        }
        let separator = calls.first().map_or(String::new(), |call| self.separator(call));
        let defaults = self.defaults(calls, &separator);
        let base = match self.other_config(calls).map(|base| (base, self.text_of(base))) {
            Some((Expr::Path(path), text)) => {
                if let Some(name) = path.path.get_ident() {
                    self.make_mut(&name.to_string());
                }
                text
            }
            Some((Expr::MethodCall(_), text)) => text,
            _ => NEW,
        };
        let is_changed = !defaults.is_empty() || !calls.is_empty();
        let text = format!("{base}{}{defaults}", lead(if is_changed { "x" } else { "" }));
        self.edits.replace(self.range(root), text);
        self.calls += 1;
        !defaults.is_empty()
    }

    /// Returns the calls that turn on clients and servers, because tonic generates both by default.
    pub(super) fn defaults(&self, calls: &[&ExprMethodCall], separator: &str) -> String {
        let missing = ["build_client", "build_server"]
            .into_iter()
            .filter(|name| calls.iter().all(|call| call.method != name));
        missing.map(|name| format!("{separator}.{name}(true)")).collect()
    }

    /// Returns the text before the dot of a call: nothing, or a line break and the indentation.
    pub(super) fn separator(&self, call: &ExprMethodCall) -> String {
        let between = &self.text[self.range(&call.receiver).end..self.range(&call.dot_token).start];
        between.rfind('\n').map_or(String::new(), |at| between[at..].to_owned())
    }

    /// Rewrites one call of a chain. Returns true if the chain still has this call or a replacement.
    pub(super) fn call(
        &mut self,
        library: Library,
        call: &'s ExprMethodCall,
        calls: &[&'s ExprMethodCall],
        variable: Option<&str>,
    ) -> bool {
        let name = call.method.to_string();
        let Some(row) = table::row(library, &name) else {
            if self.is_own(call) {
                // The method may take the settings by value, but the receiver is a reference.
                if library == Library::Tonic && self.changed_before(call) {
                    let separator = self.separator(call);
                    self.edits.insert(self.range(&call.receiver).end, format!("{separator}.clone()"));
                }
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                return true;
            }
            self.leave(&call.method, format!("`{name}` is not a method of prost-build or tonic"));
            call.args.iter().for_each(|argument| self.visit_expr(argument));
            return true;
        };
        self.calls += 1;
        self.watch(library, &name, call, calls, variable);
        if let Some(note) = row.note.filter(|_| !self.is_of_prost(call)) {
            self.note(&call.method, format!("`{name}`: {note}"));
        }
        let argument = call.args.first().map(|argument| self.text_of(argument));
        match row.fate {
            Fate::Same => {}
            Fate::Becomes(text) => {
                self.edits.replace(self.range(&call.method).start..self.range(call).end, text);
                return true;
            }
            Fate::Dropped(reason) => return self.drop_call(call, reason),
            Fate::DroppedIf(literal, reason) if argument == Some(literal) => {
                return self.drop_call(call, reason);
            }
            Fate::DroppedIf(_, reason) => self.leave(&call.method, format!("`{name}`: {reason}: remove it")),
            Fate::Left(reason) => self.leave(&call.method, format!("`{name}`: {reason}")),
            Fate::Changes(change) => return self.change(change, call, calls),
        }
        self.arguments(call);
        true
    }

    /// Rewrites the arguments of a call that stays.
    fn arguments(&mut self, call: &'s ExprMethodCall) {
        let name = call.method.to_string();
        call.args.iter().for_each(|argument| self.visit_expr(argument));
        let takes_paths = table::REPLACING.contains(&name.as_str());
        if let Some(Expr::MethodCall(paths)) = call.args.first().filter(|_| takes_paths)
            && ITERATORS.contains(&paths.method.to_string().as_str())
        {
            self.edits.insert(self.range(paths).end, ".collect::<Vec<_>>()");
        }
        if table::is_last(&name) {
            self.includes(call.args.iter().nth(1));
        }
    }

    /// Adds the current directory as an include directory if the list is empty, as protoc does.
    fn includes(&mut self, includes: Option<&Expr>) {
        if let Some(Expr::Reference(includes)) = includes
            && matches!(&*includes.expr, Expr::Array(array) if array.elems.is_empty())
        {
            self.edits.replace(self.range(includes), "&[\".\"]");
        }
    }

    /// True for an `extern_path` whose types belong to a crate for prost.
    fn is_of_prost(&self, call: &ExprMethodCall) -> bool {
        let path = call.args.iter().nth(1).map_or("", |path| self.text_of(path));
        call.method == "extern_path" && ["prost", "pbjson"].iter().any(|name| path.contains(name))
    }

    /// True for a method that a trait in the script declares.
    pub(super) fn is_own(&self, call: &ExprMethodCall) -> bool {
        self.own.contains(&call.method.to_string())
    }

    /// True if the receiver of a method is a reference in the new code, because a call before it changed an option.
    fn changed_before(&self, call: &ExprMethodCall) -> bool {
        match &*call.receiver {
            Expr::MethodCall(call) => call.method != "clone" && !self.is_own(call),
            // The new code adds calls that turn on clients and servers.
            Expr::Call(call) => self.callee(call) == Some(Named::Configure),
            _ => false,
        }
    }

    /// Removes a call that is not necessary, with a note.
    fn drop_call(&mut self, call: &'s ExprMethodCall, reason: &str) -> bool {
        self.note(&call.method, format!("`{}` is removed: {reason}", call.method));
        self.cut(call);
        false
    }

    /// Removes a call from its chain.
    pub(super) fn cut(&mut self, call: &'s ExprMethodCall) {
        let start = self.range(&call.receiver).end;
        let dot = self.range(&call.dot_token).start;
        let between = &self.text[start..dot];
        let end = self.range(call).end;
        let is_line = self.text[end..].trim_start_matches([' ', '\r']).starts_with('\n');
        let start = match between.rfind('\n') {
            _ if between.trim().is_empty() => start,
            // A comment stays, and needs a line break after it.
            Some(at) if is_line => start + at,
            _ => dot,
        };
        self.edits.remove(start..end);
    }

    /// Rewrites `tonic_build::compile_protos(file)` and `prost_build::compile_protos(files, includes)`.
    pub(super) fn compile_function(&mut self, call: &'s ExprCall, library: Library) {
        self.calls += 1;
        self.writes_file(library, &call.func, false, false);
        let defaults = match library {
            Library::Prost => String::new(),
            Library::Tonic => self.defaults(&[], ""),
        };
        let arguments: Vec<_> = call.args.iter().collect();
        let text = match (library, arguments.as_slice()) {
            (Library::Tonic, [file]) => match self.with_parent(file) {
                Some(text) => {
                    self.edits.replace(self.range(*file), text);
                    format!("{NEW}{defaults}.compile_protos")
                }
                None => {
                    self.leave(&call.func, "`compile_protos`: call `compile_protos` of `tobu_build::Config` with the file and its directory");
                    if let Expr::Path(path) = &*call.func {
                        self.names.keep(&path.path);
                    }
                    return arguments.iter().for_each(|argument| self.visit_expr(argument));
                }
            },
            _ => {
                arguments.iter().for_each(|argument| self.visit_expr(argument));
                self.includes(arguments.get(1).copied());
                format!("{NEW}{defaults}.compile_protos")
            }
        };
        self.edits.replace(self.range(&call.func), text);
    }

    /// Returns the code for the file and for its directory, each as a slice.
    fn with_parent(&self, file: &Expr) -> Option<String> {
        let text = self.text_of(file);
        match file {
            Expr::Lit(_) => {
                let path = text.strip_prefix('"')?.strip_suffix('"')?;
                let parent = path.rfind('/').map_or(".", |at| &path[..at.max(1)]);
                Some(format!("&[{text}], &[\"{parent}\"]"))
            }
            Expr::Path(_) => Some(format!(
                "&[&{text}], &[std::path::Path::new(&{text}).parent().expect(\"a file in a directory\")]"
            )),
            _ => None,
        }
    }

    /// Rewrites `prost_build::compile_fds(set)`.
    pub(super) fn compile_set_function(&mut self, call: &'s ExprCall, library: Library) {
        let Some(text) = call.args.first().and_then(|set| self.files_text(set)) else {
            self.leave(
                &call.func,
                "`compile_fds`: call `compile_protos` with the files, or `compile_descriptor_set_bytes` with the bytes of the set",
            );
            if let Expr::Path(path) = &*call.func {
                self.names.keep(&path.path);
            }
            return;
        };
        self.calls += 1;
        self.writes_file(library, &call.func, false, false);
        let defaults = if library == Library::Tonic { self.defaults(&[], "") } else { String::new() };
        self.edits.replace(self.range(&call.func), format!("{NEW}{defaults}.compile_protos"));
        self.edits.replace(self.range(&call.args), text);
    }

    /// Adds notes and reports that depend only on the call, and not on its replacement.
    fn watch(
        &mut self,
        library: Library,
        name: &str,
        call: &'s ExprMethodCall,
        calls: &[&'s ExprMethodCall],
        variable: Option<&str>,
    ) {
        let names_file = |name: &str| matches!(name, "out_dir" | "include_file" | "default_package_filename");
        let found = variable.and_then(|name| self.variable(name));
        let (mut is_named, mut is_again) =
            (calls.iter().any(|call| names_file(&call.method.to_string())), false);
        if let Some(found) = found {
            found.is_named |= is_named;
            is_named = found.is_named;
            if table::REPLACING.contains(&name) && library == Library::Prost {
                is_again = found.replacing.iter().any(|before| before == name);
                found.replacing.push(name.to_owned());
            }
        }
        if is_again {
            let reason = format!(
                "`{name}`: prost-build forgets the paths of the call before, tobu-build keeps them: remove that call"
            );
            self.leave(&call.method, reason);
        }
        if name.ends_with("attribute")
            && call.args.iter().any(|argument| self.text_of(argument).contains("serde"))
        {
            let reason =
                format!("`{name}`: generated types have serde's traits, and write ProtoJSON: remove it");
            self.leave(&call.method, reason);
        }
        if self.is_of_prost(call) {
            let reason = "`extern_path`: these types are for prost: remove it; the well-known types are in `tobu::types`";
            self.leave(&call.method, reason);
        }
        if name.starts_with("compile") && table::is_last(name) {
            let has_include = calls.iter().any(|call| call.method == "include_file");
            self.writes_file(library, &call.method, is_named, has_include);
        }
    }

    /// Adds notes about the output file and about `rerun-if` lines to a call that compiles. Reports the call if another call
    /// writes the same file.
    fn writes_file(&mut self, library: Library, node: &impl Spanned, is_named: bool, has_include: bool) {
        let is_again = self.unnamed > 0 || self.loops > 0;
        self.unnamed += usize::from(!is_named);
        if !has_include && !self.is_file_noted {
            self.is_file_noted = true;
            self.note(node, ONE_FILE);
        }
        // If a script prints no `rerun-if` line, cargo runs it again after each change of a file in the crate.
        if library == Library::Prost && self.compiled == 0 && !self.text.contains("rerun-if-") {
            self.note(node, RERUN);
        }
        self.compiled += 1;
        if !is_named && is_again {
            let reason =
                "each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`";
            self.leave(node, reason);
        }
    }
}

const ONE_FILE: &str =
    "all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`";
const RERUN: &str = "cargo runs the script again for the `.proto` files that it reads, and no longer for each file of the crate";

/// Methods that return an iterator. prost-build takes an iterator of paths, but tobu-build takes a list.
const ITERATORS: &[&str] = &[
    "chain",
    "cloned",
    "copied",
    "filter",
    "filter_map",
    "flat_map",
    "into_iter",
    "iter",
    "keys",
    "map",
    "rev",
    "values",
];
