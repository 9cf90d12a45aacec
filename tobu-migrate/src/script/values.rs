//! Finds out which variables and expressions of a build script are settings or descriptor sets.

use syn::{Expr, ExprCall, Local};

use super::names::Named;
use super::table::{Library, is_last};
use super::walk::Walker;

/// The kind of value of a variable.
#[derive(Clone, Copy)]
pub(super) enum Value<'s> {
    /// Settings. The library says which type has the methods of the settings.
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
    /// True if protox compiled the set. protox accepts more types of lists than slices.
    pub(super) is_protox: bool,
    pub(super) declared: &'s Local,
    /// True if a rewritten call replaces the only use of the set, so the declaration of the set is removed.
    pub(super) is_taken: bool,
}

pub(super) struct Variable<'s> {
    pub(super) name: String,
    pub(super) value: Value<'s>,
    /// The position at which `mut` can be inserted; `None` if the variable needs no `mut`.
    pub(super) immutable: Option<usize>,
    /// The names of called methods for which prost-build only uses the last call.
    pub(super) replacing: Vec<String>,
    /// True if a call sets the name of the output.
    pub(super) is_named: bool,
}

impl<'s> Walker<'s> {
    /// Returns the library of the settings if a type, or the type behind a reference, is a type of settings.
    pub(super) fn settings_type(&self, ty: &syn::Type) -> Option<Library> {
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

    /// Returns the library of the settings if an expression returns settings.
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

    /// True for a call that compiles and returns the result of the compilation.
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

    /// Returns the files and include directories of a set that `protox::compile` or `load_fds` compiles.
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
                // If calls that change settings preceded `load_fds`, the new code would lose these settings.
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
}
